import Foundation

/// A text file of fields in the spellings that spreadsheets and scripts write: separated by commas, semicolons, tabs or
/// vertical bars, with decimal points or commas, with or without a header, with quotation marks around fields that
/// contain separators.
///
/// The separator is the one that occurs most often in the first line, outside of quotation marks, or in the first line
/// that has two, as lines of facts may precede a table. If it is not the comma, commas are decimal. A line ends with LF
/// or CRLF, which only fields in quotation marks may contain. Lines before the header that begin with `#` are comments,
/// except a header that NumPy's `savetxt` writes as one. A first line `sep=;` of a spreadsheet is passed over. Without
/// a separator, numbers in the first or second line are separated by spaces, with a header of as many names.
public struct DelimitedText {
  /// A line's fields, valid during the call that receives it.
  public struct Row {
    /// Counted from 1.
    public let line: Int
    fileprivate let bytes: UnsafeBufferPointer<UInt8>
    fileprivate let fields: [Range<Int>]
    fileprivate let hasDecimalCommas: Bool
    fileprivate let file: String

    public var count: Int { fields.count }

    /// A field without surrounding spaces and quotation marks.
    public func text(_ field: Int) -> String {
      String(decoding: bytes[fields[field]], as: UTF8.self).replacing("\"\"", with: "\"")
    }

    public func isEmpty(_ field: Int) -> Bool { fields[field].isEmpty }

    /// A field's number, also before `%`, NaN if it is empty or a word for nothing (`MissingNumber`); `nil` if it is
    /// something else.
    public func number(_ field: Int) -> Double? {
      let isPercent = bytes[fields[field]].last == UInt8(ascii: "%")
      let text = UnsafeBufferPointer(rebasing: isPercent ? bytes[fields[field]].dropLast() : bytes[fields[field]])
      if text.isEmpty { return isPercent ? nil : .nan }
      if let number = DecimalNumber(whole: text) { return finite(number.double(text)) }
      if hasDecimalCommas, text.contains(UInt8(ascii: ",")) {
        return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: text.count) { copy in
          for (index, byte) in text.enumerated() {
            copy[index] = byte == UInt8(ascii: ",") ? UInt8(ascii: ".") : byte
          }
          let point = UnsafeBufferPointer(copy)
          return DecimalNumber(whole: point).flatMap { finite($0.double(point)) }
        }
      }
      return MissingNumber.isWord(text) ? .nan : nil
    }

    /// The numbers within a field, such as a tuple as Python prints it: `(0.5, 0.25)`.
    public func numbers(_ field: Int) -> [Double] {
      let text = UnsafeBufferPointer(rebasing: bytes[fields[field]])
      var numbers: [Double] = []
      var place = 0
      while place < text.count {
        let isWithinWord = place > 0 && JSONReader.isWordByte(text[place - 1])
        if !isWithinWord, let number = DecimalNumber(text, at: place), let value = finite(number.double(text)) {
          numbers.append(value)
          place = number.end
        } else {
          place += 1
        }
      }
      return numbers
    }

    /// - Throws: `DataError` with the line if the field is no number within the range of `Float`.
    public func coordinate(_ field: Int) throws -> Float {
      guard let number = number(field), case let value = Float(number), !value.isInfinite else {
        throw failure("a number in column \(field + 1)", text(field))
      }
      return value
    }

    public func failure(_ expected: String, _ found: String) -> DataError {
      DataError(file: file, line: line, expected: expected, found: Excerpt.of(found))
    }

    private func finite(_ number: Double) -> Double? { number.isFinite ? number : nil }
  }

  private let file: InputFile
  public let separator: UInt8
  /// The lines of comments before the header, without `#`.
  public let comments: [String]
  /// The first line's position, and how many lines are before it.
  private let start: (position: Int, line: Int)

  /// - Throws: `DataError` if the beginning of the file is not text.
  public init(_ file: InputFile) throws {
    try file.requireBeginningOfText()
    self.file = file
    (start, comments) = Self.start(file.bytes.prefix(Self.longestHeader))
    let counts = Self.separatorCounts(file.bytes.dropFirst(start.position).prefix(Self.longestHeader))
    // A tuple has more commas than there are tabs or semicolons between tuples.
    let others = Self.separators.dropFirst().max { counts[$0, default: 0] < counts[$1, default: 0] } ?? 0
    let lines = file.bytes.dropFirst(start.position).prefix(Self.longestHeader).split(
      separator: UInt8(ascii: "\n"), maxSplits: 2)
    separator =
      counts.isEmpty && Self.areSpaced(lines)
      ? Self.space : counts[others, default: 0] > 1 ? others : Self.separators[0]
  }

  /// Whether the first line is a header as readers of CSV alone expect it: no sign of a comment before it, and no space
  /// before a quotation mark.
  public var hasStrictHeader: Bool {
    let line = file.bytes.dropFirst(start.position).prefix(Self.longestHeader).prefix { $0 != UInt8(ascii: "\n") }
    return start.position == file.bytes.byteOrderMarkCount
      && !zip(line, line.dropFirst()).contains { $0 == 0x20 && $1 == UInt8(ascii: "\"") }
  }

  /// How often each separator occurs in the first line or, if that has at most one, in the first that has more: lines
  /// of facts may precede a table.
  private static func separatorCounts(_ head: Data) -> [UInt8: Int] {
    var first: [UInt8: Int]?
    var counts: [UInt8: Int] = [:]
    var isQuoted = false
    var lines = 0
    for byte in head {
      if byte == UInt8(ascii: "\n"), !isQuoted {
        if counts.values.contains(where: { $0 > 1 }) { return counts }
        first = first ?? counts
        counts = [:]
        lines += 1
        if lines == mostFacts { break }
      }
      if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
      if !isQuoted, separators.contains(byte) { counts[byte, default: 0] += 1 }
    }
    return counts.values.contains { $0 > 1 } ? counts : first ?? counts
  }

  private static let mostFacts = 12

  /// Whether the first line is numbers between spaces, as many as a small table has, or as many names above such a line.
  private static func areSpaced(_ lines: [Data]) -> Bool {
    let rows = lines.prefix(2).map { line in
      String(decoding: line, as: UTF8.self).split { $0.isWhitespace }
    }
    guard let first = rows.first, first.count > 8, let row = rows.first(where: { $0.allSatisfy { Double($0) != nil } })
    else { return false }
    return row.count == first.count
  }

  /// Where the header or the first row begins, and the comments before it.
  private static func start(_ head: Data) -> (start: (position: Int, line: Int), comments: [String]) {
    var (position, line) = (head.byteOrderMarkCount, 0)
    var comments: [(text: String, position: Int)] = []
    var rest = head.dropFirst(position)
    if let end = rest.prefix(8).firstIndex(of: UInt8(ascii: "\n")),
      String(decoding: rest[..<end], as: UTF8.self).lowercased().hasPrefix("sep=")
    {
      position += end + 1 - rest.startIndex
      line += 1
      rest = rest[(end + 1)...]
    }
    while true {
      let text = String(decoding: rest.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
      let comment = text.drop { $0.isWhitespace }
      guard comment.first == "#", let end = rest.firstIndex(of: UInt8(ascii: "\n")) else {
        // A table of numbers below names of as many columns.
        if let header = comments.last, fieldCount(header.text) > 1, fieldCount(header.text) == fieldCount(text),
          text.allSatisfy({ !$0.isLetter || "eEnNaA".contains($0) })
        {
          return ((header.position, line - 1), comments.dropLast().map { $0.text })
        }
        return ((position, line), comments.map { $0.text })
      }
      let marks = text.prefix { $0.isWhitespace || $0 == "#" }
      comments.append(
        (text.dropFirst(marks.count).trimmingCharacters(in: .whitespacesAndNewlines), position + marks.utf8.count))
      position += end + 1 - rest.startIndex
      line += 1
      rest = rest[(end + 1)...]
    }
  }

  /// How many fields a line without quotation marks has.
  private static func fieldCount(_ line: String) -> Int {
    1 + (separators.map { separator in line.utf8.count { $0 == separator } }.max() ?? 0)
  }

  private static let space = UInt8(ascii: " ")
  private static let separators = [UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "\t"), UInt8(ascii: "|")]
  private static let longestHeader = 1 << 16

  /// Calls `body` with each line that is not empty.
  ///
  /// - Throws: `DataError` with the line of a quotation mark that is not closed or a line that is too long, and the
  ///   errors of `body`.
  public func forEachRow(_ body: (Row) throws -> Void) throws {
    try file.bytes.withUnsafeBytes { raw in
      let bytes = raw.bindMemory(to: UInt8.self)
      var memory = ReadMemory(of: file)
      var (start, line) = self.start
      while start < bytes.count {
        let limit = min(bytes.count, start + InputFile.longestRow + 1)
        let (length, breaks) = Self.row(UnsafeBufferPointer(rebasing: bytes[start..<limit]))
        let end = start + length
        line += 1
        guard end - start <= InputFile.longestRow else { throw file.tooLong(line, longest: InputFile.longestRow) }
        let text = UnsafeBufferPointer(rebasing: bytes[start..<end])
        if text.contains(where: { $0 > 0x20 }) {
          guard let fields = fields(text) else {
            throw DataError(
              file: file.name, line: line, expected: "a quotation mark at the end of a field", found: "none")
          }
          try body(
            Row(
              line: line, bytes: text, fields: fields, hasDecimalCommas: separator != UInt8(ascii: ","),
              file: file.name))
        }
        memory.pass(end)
        start = end + 1
        line += breaks
      }
    }
  }

  /// The length of the row at the beginning of bytes, and the line feeds within its quotation marks.
  private static func row(_ bytes: UnsafeBufferPointer<UInt8>) -> (length: Int, breaks: Int) {
    var (place, quotes, breaks) = (0, 0, 0)
    while true {
      let end = bytes[place...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
      quotes += UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(bytes)[place..<end]).count(
        of: UInt8(ascii: "\""))
      guard end < bytes.count, !quotes.isMultiple(of: 2) else { return (end, breaks) }
      breaks += 1
      place = end + 1
    }
  }

  private func fields(_ line: UnsafeBufferPointer<UInt8>) -> [Range<Int>]? {
    var fields: [Range<Int>] = []
    var start = 0
    if separator == Self.space {
      while let first = line[start...].firstIndex(where: { $0 > 0x20 }) {
        start = line[first...].firstIndex { $0 <= 0x20 } ?? line.count
        fields.append(first..<start)
      }
      return fields
    }
    var isQuoted = false
    for place in 0...line.count {
      if place < line.count {
        if line[place] == UInt8(ascii: "\"") { isQuoted.toggle() }
        if isQuoted || line[place] != separator { continue }
      }
      var (first, last) = (start, place)
      while first < last, line[first] <= 0x20 { first += 1 }
      while last > first, line[last - 1] <= 0x20 { last -= 1 }
      if last - first >= 2, line[first] == UInt8(ascii: "\""), line[last - 1] == UInt8(ascii: "\"") {
        first += 1
        last -= 1
      }
      fields.append(first..<last)
      start = place + 1
    }
    return isQuoted ? nil : fields
  }
}
