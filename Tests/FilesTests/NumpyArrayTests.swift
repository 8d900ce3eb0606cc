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

  // 0x7BFF is the greatest number, 0x7FF / 2^10 * 2^15 = 2047 * 32; 0x83FF is -0x3FF / 2^24; 0xFC00 and 0x7E00 are none.
  @Test func readsTheEndsOfFloat16() throws {
    let values: [UInt8] = [0xFF, 0x7B, 0xFF, 0x83, 0x00, 0xFC, 0x00, 0x7E]
    let array = try NumpyArray(file("{'descr': '<f2', 'fortran_order': False, 'shape': (2, 2), }", values: values))
    #expect(Array(array.values.prefix(3)) == [65504, -1023 / 16_777_216, -.infinity])
    #expect(array.values[3].isNaN)
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

  @Test(arguments: [("|O", "Python objects ('|O')"), ("<c8", "\"<c8\""), ("<f1", "\"<f1\""), ("<M8", "\"<M8\"")])
  func refusesOtherTypes(_ type: String, _ found: String) {
    let header = "{'descr': '\(type)', 'fortran_order': False, 'shape': (2, 1), }"
    let expected = "a.npy: expected an array of floats of up to 64 bits or of integers, found "
    #expect(message(file(header)) == expected + found)
  }

  @Test func refusesStructuredTypes() {
    let header = "{'descr': [('x', '<f4'), ('y', '<f4', (2,))], 'fortran_order': False, 'shape': (2, 1), }"
    #expect(
      message(file(header))
        == "a.npy: expected an array of floats of up to 64 bits or of integers, found a structured type")
  }

  /// 1 and -2, or the two's complement of it in an unsigned type.
  @Test(
    arguments: [
      ("|i1", [1, 0xFE], -2), ("|u1", [1, 0xFE], 254), ("<i2", [1, 0, 0xFE, 0xFF], -2),
      (">i2", [0, 1, 0xFF, 0xFE], -2), (">u2", [0, 1, 0xFF, 0xFE], 65534),
      (">i4", [0, 0, 0, 1, 0xFF, 0xFF, 0xFF, 0xFE], -2),
      ("<i8", [1, 0, 0, 0, 0, 0, 0, 0, 0xFE, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF], -2),
      (">f2", [0x3C, 0, 0xC0, 0], -2), (">f4", [0x3F, 0x80, 0, 0, 0xC0, 0, 0, 0], -2),
      (">f8", [0x3F, 0xF0, 0, 0, 0, 0, 0, 0, 0xC0, 0, 0, 0, 0, 0, 0, 0], -2),
    ] as [(String, [UInt8], Float)])
  func readsIntegersAndEitherByteOrder(_ type: String, _ bytes: [UInt8], _ second: Float) throws {
    let header = "{'descr': '\(type)', 'fortran_order': False, 'shape': (2,), }"
    #expect(try NumpyArray(file(header, values: bytes)).values == [1, second])
  }

  /// The element (i, j, k) of 2 x 3 x 2 is 100 i + 10 j + k, and i runs fastest in the file.
  @Test func readsFortranOrder() throws {
    let header = "{'descr': '|u1', 'fortran_order': True, 'shape': (2, 3, 2), }"
    let values: [UInt8] = [0, 100, 10, 110, 20, 120, 1, 101, 11, 111, 21, 121]
    #expect(
      try NumpyArray(file(header, values: values)).values == [0, 1, 10, 11, 20, 21, 100, 101, 110, 111, 120, 121])
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
