import Datasets
import Foundation

/// The words of a text, between spaces and ends of lines, with the line of the last one.
struct TextWords {
  let file: String
  private let bytes: Data
  private var memory: ReadMemory
  /// Where the next word is looked for.
  private(set) var position: Int
  private(set) var line: Int

  /// - Parameter start: a position that an earlier reader of the file had; lines are then counted from it.
  init(_ input: InputFile, from start: Int? = nil) {
    file = input.name
    bytes = input.bytes
    memory = ReadMemory(of: input)
    position = start ?? bytes.byteOrderMarkCount
    line = 1
    if let start {
      line += bytes.withUnsafeBytes { raw in raw[..<start].count { $0 == UInt8(ascii: "\n") } }
    }
  }

  func failure(expected: String, found: String) -> DataError {
    DataError(file: file, line: line, expected: expected, found: found)
  }

  /// The next word; `nil` at the end.
  mutating func next() -> String? {
    guard let range = nextRange() else { return nil }
    return String(decoding: bytes[range], as: UTF8.self)
  }

  mutating func require(_ expected: String) throws -> String {
    guard let word = next() else { throw failure(expected: expected, found: "the end of the file") }
    return word
  }

  /// Takes a word that must be there, whatever its case.
  mutating func take(_ expected: String) throws {
    let word = try require(expected)
    guard word.lowercased() == expected.lowercased() else {
      throw failure(expected: expected, found: word.prefix(40).debugDescription)
    }
  }

  /// Takes a finite number.
  mutating func number(_ expected: String) throws -> Double {
    guard let range = nextRange() else { throw failure(expected: expected, found: "the end of the file") }
    let value = bytes.withUnsafeBytes { raw -> Double? in
      let text = UnsafeBufferPointer(rebasing: raw.bindMemory(to: UInt8.self)[range])
      return DecimalNumber(whole: text)?.double(text)
    }
    guard let value, value.isFinite else {
      throw failure(
        expected: expected, found: String(decoding: bytes[range].prefix(40), as: UTF8.self).debugDescription)
    }
    return value
  }

  /// How many words follow.
  func count() -> Int {
    var rest = self
    var count = 0
    while rest.nextRange() != nil { count += 1 }
    return count
  }

  private mutating func nextRange() -> Range<Int>? {
    memory.pass(position)
    return bytes.withUnsafeBytes { raw -> Range<Int>? in
      while position < raw.count, Self.isSpace(raw[position]) {
        if raw[position] == UInt8(ascii: "\n") { line += 1 }
        position += 1
      }
      guard position < raw.count else { return nil }
      let first = position
      while position < raw.count, !Self.isSpace(raw[position]) { position += 1 }
      return first..<position
    }
  }

  private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }
}
