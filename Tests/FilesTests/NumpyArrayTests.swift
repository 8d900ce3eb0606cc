import Files
import Foundation
import TestSupport
import Testing

struct NumpyArrayTests {
  /// The bytes of a `.npy` file put together by hand.
  private func file(
    version: [UInt8] = [1, 0], _ header: String = "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 1), }\n",
    length: Int? = nil, values: [UInt8] = [0, 0, 0x80, 0x3F, 0, 0, 0, 0xC0]
  ) -> InputFile {
    let count = length ?? header.utf8.count
    let lengthBytes = version[0] == 1 ? 2 : 4
    var bytes: [UInt8] = [0x93, 0x4E, 0x55, 0x4D, 0x50, 0x59] + version
    bytes += (0..<lengthBytes).map { UInt8(count >> (8 * $0) & 0xFF) }
    bytes += Array(header.utf8) + values
    return InputFile(name: "a.npy", bytes: Data(bytes))
  }

  // 0x3F800000 is 1 and 0xC0000000 is -2.
  @Test(arguments: [[1, 0], [2, 0], [3, 0]] as [[UInt8]])
  func readsEveryVersion(_ version: [UInt8]) throws {
    let array = try NumpyArray(file(version: version))
    #expect(array.shape == [2, 1])
    #expect(array.values == [1, -2])
  }

  @Test(arguments: ["<f4", "=f4", "|f4", "f4"])
  func readsFloat32(_ type: String) throws {
    let header = "{'descr': '\(type)', 'fortran_order': False, 'shape': (2,), }"
    #expect(try NumpyArray(file(header)).values == [1, -2])
  }

  // 0x3C00 is 1, 0xC000 is -2, 0x3555 is 0x555 / 2^12 = 1365 / 4096, and 0x0001 is 2^-24.
  @Test func readsFloat16() throws {
    let values: [UInt8] = [0x00, 0x3C, 0x00, 0xC0, 0x55, 0x35, 0x01, 0x00]
    let array = try NumpyArray(file("{'descr': '<f2', 'fortran_order': False, 'shape': (2, 2), }", values: values))
    #expect(array.values == [1, -2, 1365 / 4096, 1 / 16_777_216])
  }

  // 0x3FF0000000000000 is 1 and 0xC000000000000000 is -2.
  @Test func readsFloat64() throws {
    let values: [UInt8] = [0, 0, 0, 0, 0, 0, 0xF0, 0x3F, 0, 0, 0, 0, 0, 0, 0, 0xC0]
    let array = try NumpyArray(file("{'descr': '<f8', 'fortran_order': False, 'shape': (1, 2), }", values: values))
    #expect(array.values == [1, -2])
  }

  @Test func readsWhatOtherWritersPutDifferently() throws {
    let header = #"{"shape":(2L,1L),"fortran_order":False,"descr":"<f4"}"#
    #expect(try NumpyArray(file(header)).shape == [2, 1])
  }

  @Test func readsAScalarAndAnEmptyArray() throws {
    let scalar = try NumpyArray(
      file("{'descr': '<f4', 'fortran_order': False, 'shape': (), }", values: [0, 0, 0x80, 0x3F]))
    #expect(scalar.shape == [] && scalar.values == [1])
    let empty = try NumpyArray(
      file("{'descr': '<f4', 'fortran_order': False, 'shape': (0, 9223372036854775807, 3), }", values: []))
    #expect(empty.values.isEmpty)
  }

  @Test func writesVersion1AlignedTo64Bytes() throws {
    let array = NumpyArray(shape: [2, 3], values: [1, 2, 3, .nan, -0.0, .leastNonzeroMagnitude])
    let bytes = array.encoded
    let header = "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }"
    #expect(bytes.prefix(8) == Data([0x93, 0x4E, 0x55, 0x4D, 0x50, 0x59, 1, 0]))
    // 10 bytes and 59 of the dictionary, filled up to 128 of which the header has 118.
    #expect(bytes[8..<10] == Data([118, 0]))
    let text = header + String(repeating: " ", count: 58) + "\n"
    #expect(String(decoding: bytes[10..<128], as: UTF8.self) == text)
    #expect(bytes.count == 128 + 24)
    let read = try NumpyArray(InputFile(name: "a.npy", bytes: bytes))
    #expect(read.shape == [2, 3])
    #expect(read.values.map(\.bitPattern) == array.values.map(\.bitPattern))
  }

  @Test(arguments: [[], [4], [2, 2], [1, 4, 1]] as [[Int]])
  func roundTripsShapes(_ shape: [Int]) throws {
    let values = [Float](repeating: 7, count: shape.reduce(1, *))
    let array = NumpyArray(shape: shape, values: values)
    #expect(try NumpyArray(InputFile(name: "a.npy", bytes: array.encoded)) == array)
  }

  private func message(_ file: InputFile) -> String { errorText { _ = try NumpyArray(file) } }

  @Test func refusesOtherFiles() {
    #expect(
      message(InputFile("a.npy", text: "frame,time_s")) == #"""
        a.npy: expected a .npy file, which begins with \x93NUMPY, found "frame,ti"
        """#)
    #expect(
      message(InputFile("a.npy", text: "")) == #"""
        a.npy: expected a .npy file, which begins with \x93NUMPY, found an empty file
        """#)
    #expect(
      message(file(version: [4, 0])) == "a.npy: expected .npy format version 1.0, 2.0 or 3.0, found version 4.0")
    #expect(
      message(file(version: [1, 1])) == "a.npy: expected .npy format version 1.0, 2.0 or 3.0, found version 1.1")
  }

  @Test func refusesTruncatedHeaders() {
    let whole = file().bytes
    func cut(_ count: Int) -> String { message(InputFile(name: "a.npy", bytes: whole.prefix(count))) }
    #expect(cut(7) == "a.npy: expected a format version, found the end of the file")
    #expect(cut(9) == "a.npy: expected the length of the header, found the end of the file")
    #expect(cut(20) == "a.npy: expected a header of 60 bytes, found 10 bytes up to the end of the file")
    #expect(cut(65) == "a.npy: expected a header of 60 bytes, found 55 bytes up to the end of the file")
    #expect(
      message(file(version: [2, 0], length: 0xFFFF_FFFF))
        == "a.npy: expected a header of at most 65536 bytes, found one of 4294967295")
  }

  @Test(arguments: [
    "", "{", "{'descr': '<f4'}", "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 1), 'x': 1}",
    "{'descr': '<f4', 'fortran_order': False, 'shape': (-2, 1)}",
    "{'descr': '<f4', 'fortran_order': False, 'shape': (99999999999999999999, 1)}",
    "{'descr': '<f4', 'fortran_order': 0, 'shape': (2, 1)}", "{'descr': '<f4, 'fortran_order': False}",
    "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 1)} {}",
    "{'descr': '<f4', 'descr': '<f4', 'fortran_order': False, 'shape': (2, 1)}",
  ])
  func refusesHeadersThatDoNotParse(_ header: String) {
    let expected = "a.npy: expected a header like {'descr': '<f4', 'fortran_order': False, 'shape': (120, 17, 3), }"
    #expect(message(file(header)).hasPrefix(expected + ", found \""))
  }

  @Test(arguments: [
    (">f4", "big-endian '>f4'"), (">f8", "big-endian '>f8'"), ("|O", "Python objects ('|O')"), ("<i4", "\"<i4\""),
    (">f2", "big-endian '>f2'"), ("<c8", "\"<c8\""),
  ])
  func refusesOtherTypes(_ type: String, _ found: String) {
    let header = "{'descr': '\(type)', 'fortran_order': False, 'shape': (2, 1), }"
    let expected = "a.npy: expected little-endian float16, float32 or float64 ('<f2', '<f4' or '<f8'), found "
    #expect(message(file(header)) == expected + found)
  }

  @Test func refusesStructuredTypes() {
    let header = "{'descr': [('x', '<f4'), ('y', '<f4', (2,))], 'fortran_order': False, 'shape': (2, 1), }"
    #expect(
      message(file(header))
        == "a.npy: expected little-endian float16, float32 or float64 ('<f2', '<f4' or '<f8'), found a structured type")
  }

  @Test func refusesFortranOrder() {
    #expect(
      message(file("{'descr': '<f4', 'fortran_order': True, 'shape': (2, 1), }"))
        == "a.npy: expected C order, found Fortran order; write it with numpy.ascontiguousarray(…)")
  }

  @Test func refusesShapesThatLie() {
    func shape(_ text: String) -> String {
      message(file("{'descr': '<f4', 'fortran_order': False, 'shape': \(text), }"))
    }
    #expect(
      shape("(3, 1)")
        == "a.npy: expected 12 bytes of values for shape (3, 1), found 8 bytes, the file is truncated")
    #expect(
      shape("(1, 1)") == "a.npy: expected 4 bytes of values for shape (1, 1), found 8 bytes, the file is too long")
    #expect(
      shape("(4611686018427387904, 4)")
        == "a.npy: expected a shape that fits in memory, found shape (4611686018427387904, 4)")
    // 2^61 floats fit in an Int, their bytes do not.
    #expect(
      shape("(2305843009213693952,)")
        == "a.npy: expected a shape that fits in memory, found shape (2305843009213693952)")
    #expect(
      shape("(1000000000000, 17)").hasPrefix("a.npy: expected 68000000000000 bytes of values"))
  }
}
