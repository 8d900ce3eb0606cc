import Foundation

/// What a `.npy` file says before its values, checked against the size of the file.
struct NumpyHeader {
  enum ElementType {
    case float32, float64

    var byteCount: Int { self == .float32 ? 4 : 8 }
  }

  static let magic: [UInt8] = [0x93] + Array("NUMPY".utf8)

  let type: ElementType
  let shape: [Int]
  let valueCount: Int
  /// Where the values begin.
  let byteCount: Int

  init(_ file: InputFile) throws {
    let bytes = file.bytes
    func failure(expected: String, found: String) -> DataError {
      DataError(file: file.name, expected: expected, found: found)
    }
    guard bytes.starts(with: Self.magic) else {
      throw failure(
        expected: "a .npy file, which begins with \\x93NUMPY",
        found: bytes.isEmpty ? "an empty file" : Excerpt.of(bytes.prefix(8)))
    }
    guard bytes.count >= 8 else { throw failure(expected: "a format version", found: "the end of the file") }
    let version = (bytes[6], bytes[7])
    guard (1...3).contains(version.0), version.1 == 0 else {
      throw failure(expected: ".npy format version 1.0, 2.0 or 3.0", found: "version \(version.0).\(version.1)")
    }
    let lengthBytes = version.0 == 1 ? 2 : 4
    let start = 8 + lengthBytes
    guard bytes.count >= start else {
      throw failure(expected: "the length of the header", found: "the end of the file")
    }
    let length = bytes[8..<start].reversed().reduce(0) { $0 << 8 | Int($1) }
    guard length <= bytes.count - start else {
      throw failure(
        expected: "a header of \(length) bytes", found: "\(bytes.count - start) bytes up to the end of the file")
    }
    byteCount = start + length

    // Version 3.0 differs from 2.0 in allowing UTF-8, which only the field names of structured types need.
    let text = bytes[start..<byteCount]
    guard let literal = NumpyHeaderLiteral(text) else {
      throw failure(
        expected: "a header like {'descr': '<f4', 'fortran_order': False, 'shape': (120, 17, 3), }",
        found: Excerpt.of(text))
    }
    type = try Self.type(literal.descr) { failure(expected: $0, found: $1) }
    guard !literal.fortranOrder else {
      throw failure(expected: "C order", found: "Fortran order; write it with numpy.ascontiguousarray(…)")
    }
    shape = literal.shape
    let dimensions = "(\(shape.map(String.init).joined(separator: ", ")))"
    guard let valueCount = Self.product(shape), let size = Self.product([valueCount, type.byteCount]) else {
      throw failure(expected: "a shape that fits in memory", found: "shape \(dimensions)")
    }
    self.valueCount = valueCount
    let left = bytes.count - byteCount
    guard size == left else {
      throw failure(
        expected: "\(size) bytes of values for shape \(dimensions)",
        found: "\(left) bytes, the file is \(left < size ? "truncated" : "too long")")
    }
  }

  /// Returns `nil` where the product of the factors, none of them negative, is beyond `Int`.
  private static func product(_ factors: [Int]) -> Int? {
    // A 0 makes it 0 whatever the other factors are.
    if factors.contains(0) { return 0 }
    var product = 1
    for factor in factors {
      let (next, overflow) = product.multipliedReportingOverflow(by: factor)
      if overflow { return nil }
      product = next
    }
    return product
  }

  /// The element type of a type string (`numpy.dtype`); `=`, `|` or nothing before it means this machine's byte order.
  private static func type(_ descr: String?, failure: (String, String) -> DataError) throws -> ElementType {
    let expected = "little-endian float32 or float64 ('<f4' or '<f8')"
    guard let descr else { throw failure(expected, "a structured type") }
    switch descr {
    case "<f4", "=f4", "|f4", "f4": return .float32
    case "<f8", "=f8", "|f8", "f8": return .float64
    case ">f4", ">f8": throw failure(expected, "big-endian '\(descr)'")
    case "|O", "O": throw failure(expected, "Python objects ('|O')")
    default: throw failure(expected, Excerpt.of(descr))
    }
  }
}
