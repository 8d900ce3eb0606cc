import Files
import Foundation

/// The lines of a text file, one after the other, without keeping them.
struct TextLines {
  struct Line {
    /// From 1.
    let number: Int
    /// The start in the file's bytes.
    let start: Int
    private let bytes: Data

    fileprivate init(number: Int, start: Int, bytes: Data) {
      self.number = number
      self.start = start
      self.bytes = bytes
    }

    var text: String { String(decoding: bytes, as: UTF8.self) }

    /// The fields between tabs, without surrounding spaces.
    var fields: [String] {
      text.split(separator: "\t", omittingEmptySubsequences: false).map { $0.trimmingCharacters(in: .whitespaces) }
    }

    /// The words between spaces or tabs.
    var words: [Substring] { text.split { $0 == " " || $0 == "\t" } }

    var isBlank: Bool { bytes.allSatisfy { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") } }

    /// The number in a tab-separated field; `nil` if there is none or it is not finite.
    func number(_ field: Int) -> Double? {
      bytes.withUnsafeBytes { raw in
        var fields = TabbedFields(raw.bindMemory(to: UInt8.self), from: 0)
        for _ in 0..<field { _ = fields.next() }
        guard let text = fields.next(), let number = TabbedFields.number(text), number.isFinite else { return nil }
        return number
      }
    }
  }

  private let bytes: Data
  private var memory: ReadMemory
  private var position = 0
  private(set) var number = 0

  /// - Throws: `DataError` if the file is not text, or too large.
  init(_ file: InputFile) throws {
    try file.requireReadableSize()
    try file.requireNoNUL()
    bytes = file.bytes
    memory = ReadMemory(of: file)
    position = bytes.byteOrderMarkCount
  }

  /// The next line without its end, whether LF, CR LF or CR.
  mutating func next() -> Line? {
    guard position < bytes.count else { return nil }
    let start = position
    memory.pass(start)
    let end = bytes.withUnsafeBytes { raw -> Int in
      var end = start
      while end < raw.count, raw[end] != UInt8(ascii: "\n"), raw[end] != UInt8(ascii: "\r") { end += 1 }
      return end
    }
    position = end + 1
    if end + 1 < bytes.count, bytes[end] == UInt8(ascii: "\r"), bytes[end + 1] == UInt8(ascii: "\n") { position += 1 }
    number += 1
    return Line(number: number, start: start, bytes: bytes[start..<end])
  }
}

/// The tab-separated fields of a line.
struct TabbedFields {
  private let text: UnsafeBufferPointer<UInt8>
  /// `nil` at the line's end.
  private var position: Int?

  init(_ text: UnsafeBufferPointer<UInt8>, from start: Int) {
    self.text = text
    position = start
  }

  mutating func next() -> UnsafeBufferPointer<UInt8>? {
    guard let start = position else { return nil }
    var end = start
    while end < text.count {
      let byte = text[end]
      if byte == UInt8(ascii: "\t") || byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") { break }
      end += 1
    }
    position = end < text.count && text[end] == UInt8(ascii: "\t") ? end + 1 : nil
    return UnsafeBufferPointer(rebasing: text[start..<end])
  }

  /// A number with optional spaces around it; NaN for an empty field or `nan`, `nil` for anything else.
  static func number(_ field: UnsafeBufferPointer<UInt8>) -> Double? {
    var first = 0
    var last = field.count
    while first < last, field[first] == UInt8(ascii: " ") { first += 1 }
    while last > first, field[last - 1] == UInt8(ascii: " ") { last -= 1 }
    if first == last { return .nan }
    let text = UnsafeBufferPointer(rebasing: field[first..<last])
    if let number = DecimalNumber(whole: text) {
      let value = number.double(text)
      return value.isFinite ? value : nil
    }
    return String(decoding: text, as: UTF8.self).lowercased() == "nan" ? .nan : nil
  }
}
