import Datasets
import Foundation

/// The parameter section of a C3D file: groups of named values.
///
/// - Source: c3d.org, "Parameter header", "Group format", "Parameter format".
struct C3DParameters {
  struct Value {
    enum Kind: Int8 {
      case character = -1
      case byte = 1
      case integer = 2
      case float = 4
    }

    let kind: Kind
    let dimensions: [Int]
    let bytes: Data
    let numbers: C3DNumbers

    private var elementSize: Int { Swift.abs(Int(kind.rawValue)) }

    /// All values as numbers; 16-bit ones as they are signed.
    var doubles: [Double] {
      bytes.withUnsafeBytes { raw in
        (0..<raw.count / elementSize).map { index in
          switch kind {
          case .character, .byte: Double(raw[index])
          case .integer: Double(numbers.integer(raw, index * 2))
          case .float: numbers.float(raw, index * 4)
          }
        }
      }
    }

    /// A whole number, 16-bit ones without a sign.
    var count: Int? {
      guard let value = doubles.first, value.isFinite, value.magnitude < 1e15 else { return nil }
      return kind == .integer && value < 0 ? Int(value) + 65536 : Int(value)
    }

    /// A whole number of 32 bits in two 16-bit ones, the lower first.
    var longCount: Int? {
      guard kind == .integer, bytes.count >= 4 else { return nil }
      return bytes.withUnsafeBytes { Int(numbers.word($0, 0)) | Int(numbers.word($0, 2)) << 16 }
    }

    /// The texts of a character array, without the spaces at their ends: one where it has one dimension.
    var texts: [String] {
      guard kind == .character else { return [] }
      let length = dimensions.first ?? bytes.count
      guard length > 0 else { return [] }
      return stride(from: 0, to: bytes.count, by: length).map { start in
        let part = bytes.dropFirst(start).prefix(length)
        return String(decoding: part.filter { $0 != 0 }, as: UTF8.self).trimmingCharacters(in: .whitespaces)
      }
    }
  }

  let numbers: C3DNumbers
  private var values: [String: Value] = [:]

  /// - Parameter start: where the section begins in the file.
  /// - Throws: `DataError` where the section is no such thing or leaves the file.
  init(_ file: InputFile, at start: Int) throws {
    func failure(_ expected: String, _ found: String) -> DataError {
      DataError(file: file.name, expected: expected, found: found)
    }
    let bytes = file.bytes
    guard start >= 0, start + 4 <= bytes.count else {
      throw failure("a parameter section at byte \(start)", "a file of \(bytes.count) bytes")
    }
    guard let numbers = C3DNumbers(rawValue: bytes[start + 3]) else {
      throw failure("a processor of 84 (Intel), 85 (DEC) or 86 (MIPS)", "\(bytes[start + 3])")
    }
    self.numbers = numbers
    let end = min(start + max(Int(bytes[start + 2]), 1) * 512, bytes.count)
    var groups: [Int: String] = [:]
    var parameters: [(group: Int8, name: String, value: Value)] = []
    try bytes.withUnsafeBytes { raw in
      var place = start + 4
      while place + 2 <= end {
        let length = Int(Int8(bitPattern: raw[place]).magnitude)
        let group = Int8(bitPattern: raw[place + 1])
        guard length > 0, group != 0 else { break }
        let pointer = place + 2 + length
        guard pointer + 2 <= end else {
          throw failure("a parameter within the parameter section", "one beyond its end")
        }
        let name = String(decoding: raw[(place + 2)..<pointer], as: UTF8.self).uppercased()
        if group < 0 {
          groups[-Int(group)] = name
        } else {
          let value = try Self.value(raw, at: pointer + 2, end: end, numbers, bytes) {
            failure("a value of \(name) within the parameter section", $0)
          }
          parameters.append((group, name, value))
        }
        let offset = Int(numbers.word(raw, pointer))
        if offset == 0 { break }
        guard offset >= 2 else { throw failure("a parameter after \(name)", "one that begins within it") }
        place = pointer + offset
      }
    }
    for (group, name, value) in parameters { values["\(groups[Int(group)] ?? ""):\(name)"] = value }
  }

  subscript(_ name: String) -> Value? { values[name] }

  private static func value(
    _ raw: UnsafeRawBufferPointer, at start: Int, end: Int, _ numbers: C3DNumbers, _ bytes: Data,
    failure: (String) -> DataError
  ) throws -> Value {
    guard start + 2 <= end else { throw failure("none") }
    guard let kind = Value.Kind(rawValue: Int8(bitPattern: raw[start])) else {
      throw failure("a type of \(Int8(bitPattern: raw[start]))")
    }
    let count = Int(raw[start + 1])
    guard count <= 7, start + 2 + count <= end else { throw failure("\(count) dimensions") }
    let dimensions = (0..<count).map { Int(raw[start + 2 + $0]) }
    // At most 255 in each of seven dimensions, which fits in 64 bits.
    let size = dimensions.reduce(Int(kind.rawValue.magnitude), *)
    let first = start + 2 + count
    guard size <= end - first else { throw failure("one of \(size) bytes") }
    return Value(kind: kind, dimensions: dimensions, bytes: Data(bytes[first..<first + size]), numbers: numbers)
  }
}
