import CCSV
import Foundation

/// An RFC 4180 CSV file with a header, in UTF-8, read through libcsv: labels and other tables that may have quoted
/// fields.
///
/// ```swift
/// let table = try CSVTable(InputFile("datasets/mine/events.csv"), required: ["clip", "time_s", "label"])
/// for row in table.rows { print(try row.text("clip"), try row.time("time_s").seconds) }
/// ```
public struct CSVTable: Sendable {
  /// The file's name in errors.
  public let file: String
  /// The header, in the order of the file.
  public let columns: [String]
  let parser: CSVParser
  let places: [String: Int]

  /// Reads the file and checks its header and the number of fields of every row.
  ///
  /// - Parameters:
  ///   - ignoringOthers: Whether to ignore columns that are neither required nor optional.
  ///   - paddingRows: Whether a row may end early, with its last fields empty, or have additional empty fields.
  /// - Throws: `DataError` with the line if the file is not such a table.
  public init(
    _ file: InputFile, required: [String], optional: [String] = [], ignoringOthers: Bool = false,
    paddingRows: Bool = false
  ) throws {
    self.file = file.name
    let parser = try CSVParser(file)
    self.parser = parser
    let known = required + optional
    func failure(line: Int, _ expected: String, _ found: String) -> DataError {
      DataError(file: file.name, line: line, expected: expected, found: found)
    }
    guard let header = parser.rows.first else {
      throw failure(line: 1, known.isEmpty ? "a header" : "a header with \(Excerpt.list(known))", "an empty file")
    }
    let columns = header.fields.map { String(decoding: parser.field($0), as: UTF8.self) }
    self.columns = columns
    let given = Set(columns)
    if let missing = required.first(where: { !given.contains($0) }) {
      throw failure(line: header.line, "column \(missing)", "only \(Excerpt.list(columns.map { Excerpt.of($0) }))")
    }
    let wanted = Set(known)
    var places: [String: Int] = [:]
    for (place, name) in columns.enumerated() {
      guard wanted.contains(name) else {
        if ignoringOthers { continue }
        throw failure(
          line: header.line, "only the columns \(Excerpt.list(known))",
          "column \(NearNames.question(name, in: wanted.subtracting(given)))")
      }
      guard places.updateValue(place, forKey: name) == nil else {
        throw failure(line: header.line, "each column once", "column \(name) twice")
      }
    }
    self.places = places
    let isRagged = { (row: CSVParser.Row) in
      paddingRows
        ? row.fields.dropFirst(header.fields.count).contains { !parser.field($0).isEmpty }
        : row.fields.count != header.fields.count
    }
    if let ragged = parser.rows.first(where: isRagged) {
      throw failure(line: ragged.line, "\(header.fields.count) fields", "\(ragged.fields.count)")
    }
  }

  /// All rows except the header.
  public var rows: some RandomAccessCollection<CSVRow> {
    (1..<parser.rows.count).lazy.map { CSVRow(table: self, row: parser.rows[$0]) }
  }
}

/// A row of a `CSVTable`, with a reader for each type of field.
///
/// Each reader throws a `DataError` with file, line and column if a field has another type. Readers that end in
/// `IfPresent` return `nil` if the field is empty or the column is missing.
public struct CSVRow {
  let table: CSVTable
  let row: CSVParser.Row

  /// The first line of the row in the file, from 1.
  public var line: Int { row.line }
  public var location: FileLocation { FileLocation(file: table.file, line: line) }

  /// A text that is not empty and has no surrounding spaces or control characters.
  public func text(_ column: String) throws -> String {
    let expected = "a text without spaces around it or control characters"
    let text = SpreadsheetText.unescape(String(decoding: bytes(column), as: UTF8.self))
    guard let first = text.unicodeScalars.first, let last = text.unicodeScalars.last,
      !first.isSpace, !last.isSpace, !text.unicodeScalars.contains(where: \.isControl)
    else { throw failure(column, expected: expected) }
    return text
  }

  public func textIfPresent(_ column: String) throws -> String? {
    isEmpty(column) ? nil : try text(column)
  }

  /// A finite number.
  public func number(_ column: String) throws -> Double {
    guard let value = decimal(column)?.value, value.isFinite else { throw failure(column, expected: "a number") }
    return value
  }

  public func numberIfPresent(_ column: String) throws -> Double? {
    isEmpty(column) ? nil : try number(column)
  }

  /// A whole number without a point.
  public func integer(_ column: String) throws -> Int {
    guard let integer = decimal(column)?.number.integer else { throw failure(column, expected: "a whole number") }
    return integer
  }

  public func integerIfPresent(_ column: String) throws -> Int? {
    isEmpty(column) ? nil : try integer(column)
  }

  /// `1` or `true`, `0` or `false`, in any case.
  public func flag(_ column: String) throws -> Bool {
    switch String(decoding: bytes(column), as: UTF8.self).lowercased() {
    case "1", "true": return true
    case "0", "false": return false
    default: throw failure(column, expected: "1, 0, true or false")
    }
  }

  /// An error of this row.
  public func failure(clip: String? = nil, expected: String, found: String) -> DataError {
    DataError(file: table.file, line: line, clip: clip, expected: expected, found: found)
  }

  /// An error of one field of this row, with its content.
  public func failure(_ column: String, clip: String? = nil, expected: String) -> DataError {
    failure(
      clip: clip, expected: "\(expected) in column \(column)",
      found: isEmpty(column) ? "an empty field" : Excerpt.of(bytes(column)))
  }

  /// The bytes of the field at an index of the header.
  func field(_ place: Int) -> ArraySlice<UInt8> { table.parser.field(row.fields.lowerBound + place) }

  package func isEmpty(_ column: String) -> Bool { bytes(column).isEmpty }

  private func bytes(_ column: String) -> ArraySlice<UInt8> {
    guard let place = table.places[column], place < row.fields.count else { return [] }
    return field(place)
  }

  package func decimal(_ column: String) -> (number: DecimalNumber, value: Double)? {
    bytes(column).withUnsafeBufferPointer { bytes in
      DecimalNumber(whole: bytes).map { ($0, $0.double(bytes)) }
    }
  }
}

/// The fields of an RFC 4180 CSV file, parsed by libcsv, with the first line of each row.
///
/// Strict: text after a closing quotation mark, a quotation mark within an unquoted field and an unclosed quotation
/// mark are errors. Spaces belong to the field (RFC 4180, 2.4). Lines end with LF, CR LF or CR; empty lines are
/// skipped.
package struct CSVParser {
  /// The range of a row's fields.
  package struct Row {
    package let line: Int
    package let fields: Range<Int>
  }

  /// The maximum size of a table, far above the size of label files: the whole table is in memory.
  static let maximumByteCount = 1 << 26
  static let maximumFieldCount = 1 << 24
  static let maximumRowCount = 1 << 21

  package let rows: [Row]
  private let bytes: [UInt8]
  /// The end of each field in `bytes`, where the next field begins.
  private let ends: [UInt32]

  /// - Throws: `DataError` with the line if the file is not CSV, not UTF-8, contains a NUL, or has too many fields.
  package init(_ file: InputFile) throws {
    try file.requireBeginningOfText()
    guard file.bytes.count <= Self.maximumByteCount else {
      throw DataError(
        file: file.name, expected: "a table of at most \(Self.maximumByteCount) bytes",
        found: "\(file.bytes.count) bytes; split the file"
          + (file.bytes.prefix(1 << 16).contains(UInt8(ascii: "\""))
            ? ", or write its numbers without quotation marks" : ""))
    }
    var parser = csv_parser()
    guard csv_init(&parser, UInt8(CSV_STRICT | CSV_STRICT_FINI | CSV_REPALL_NL)) == 0 else {
      throw DataError(file: file.name, expected: "memory for a CSV parser", found: "none")
    }
    defer { csv_free(&parser) }
    csv_set_space_func(&parser) { _ in 0 }
    let sink = CSVSink(byteCount: file.bytes.count)
    let context = Unmanaged.passUnretained(sink).toOpaque()
    let takeField: @convention(c) (UnsafeMutableRawPointer?, Int, UnsafeMutableRawPointer?) -> Void = {
      text, count, sink in
      guard let sink else { return }
      Unmanaged<CSVSink>.fromOpaque(sink).takeUnretainedValue().take(UnsafeRawBufferPointer(start: text, count: count))
    }
    let endRow: @convention(c) (Int32, UnsafeMutableRawPointer?) -> Void = { _, sink in
      guard let sink else { return }
      Unmanaged<CSVSink>.fromOpaque(sink).takeUnretainedValue().endRow()
    }
    var line = 0
    func failure(_ expected: String, _ found: String, line: Int) -> DataError {
      DataError(file: file.name, line: line, expected: expected, found: found)
    }
    func requireRoom() throws {
      guard sink.ends.count <= Self.maximumFieldCount, sink.rows.count <= Self.maximumRowCount else {
        throw failure(
          "at most \(Self.maximumFieldCount) fields and \(Self.maximumRowCount) rows", "more; split the file",
          line: line)
      }
    }
    try withExtendedLifetime(sink) {
      try file.bytes.withoutByteOrderMark.withUnsafeBytes { bytes in
        var start = 0
        // Line by line: libcsv does not report its position.
        while start < bytes.count {
          line += 1
          sink.begin(line)
          let text = UnsafeRawBufferPointer(rebasing: bytes[start..<Self.lineEnd(bytes, from: start)])
          if text.contains(0) { throw failure("text", "a NUL character", line: line) }
          if text.contains(where: { $0 >= 0x80 }), String(bytes: text, encoding: .utf8) == nil {
            throw failure("UTF-8 text", "bytes that are not UTF-8", line: line)
          }
          guard csv_parse(&parser, text.baseAddress, text.count, takeField, endRow, context) == text.count else {
            throw failure(
              "a comma or the end of the line after a closing quotation mark, and quotation marks only around whole fields",
              Excerpt.of(text), line: line)
          }
          try requireRoom()
          start += text.count
        }
      }
      guard csv_fini(&parser, takeField, endRow, context) == 0 else {
        throw failure("a closing quotation mark", "the end of the file", line: sink.line)
      }
      try requireRoom()
    }
    rows = sink.rows
    bytes = sink.bytes
    ends = sink.ends
  }

  /// The bytes of a field, without quotation marks.
  package func field(_ index: Int) -> ArraySlice<UInt8> {
    bytes[(index == 0 ? 0 : Int(ends[index - 1]))..<Int(ends[index])]
  }

  private static func lineEnd(_ bytes: UnsafeRawBufferPointer, from start: Int) -> Int {
    var place = start
    while place < bytes.count {
      defer { place += 1 }
      if bytes[place] == UInt8(ascii: "\n") { return place + 1 }
      if bytes[place] == UInt8(ascii: "\r") {
        let isPair = place + 1 < bytes.count && bytes[place + 1] == UInt8(ascii: "\n")
        return place + (isPair ? 2 : 1)
      }
    }
    return bytes.count
  }
}

/// Receives the output of libcsv's callbacks.
private final class CSVSink {
  var rows: [CSVParser.Row] = []
  var bytes: [UInt8] = []
  var ends: [UInt32] = []
  /// The first line of the current row.
  private(set) var line = 1
  private var isWithinRow = false
  private var firstField = 0

  init(byteCount: Int) { bytes.reserveCapacity(byteCount) }

  /// Starts a line: of a new row, or after a line end within quotation marks.
  func begin(_ line: Int) {
    if !isWithinRow { self.line = line }
    isWithinRow = true
  }

  func take(_ text: UnsafeRawBufferPointer) {
    // The parser reports too many fields after the line; until then further fields are dropped.
    guard ends.count <= CSVParser.maximumFieldCount else { return }
    bytes.append(contentsOf: text)
    ends.append(UInt32(bytes.count))
  }

  func endRow() {
    if ends.count > firstField { rows.append(CSVParser.Row(line: line, fields: firstField..<ends.count)) }
    firstField = ends.count
    isWithinRow = false
  }
}
