import CCSV
import Foundation

/// The fields of an RFC 4180 CSV file, taken apart by libcsv, with the line on which each row begins.
///
/// Strict: text after a closing quotation mark, a mark within an unquoted field and a mark that is never closed are
/// errors. Spaces belong to the field (RFC 4180, 2.4). Lines end with LF, CR LF or CR; empty ones are skipped.
struct CSVParser {
  /// A row's fields are those of this range.
  struct Row {
    let line: Int
    let fields: Range<Int>
  }

  /// Far more than people label; a table is kept as a whole.
  static let maximumByteCount = 1 << 26
  static let maximumFieldCount = 1 << 24
  static let maximumRowCount = 1 << 21

  let rows: [Row]
  private let bytes: [UInt8]
  /// Where each field ends in `bytes`; it begins where the one before ends.
  private let ends: [UInt32]

  /// - Throws: `DataError` with the line where the file is not CSV, not UTF-8, holds a NUL, or has too many fields.
  init(_ file: InputFile) throws {
    try file.requireNoUTF16()
    guard file.bytes.count <= Self.maximumByteCount else {
      throw DataError(
        file: file.name, expected: "a table of at most \(Self.maximumByteCount) bytes",
        found: "\(file.bytes.count) bytes; split the file"
          + (file.bytes.contains(UInt8(ascii: "\"")) ? ", or write its numbers without quotation marks" : ""))
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
        // Line by line, because libcsv does not tell where it is.
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
              "a comma or the line's end after a closing quotation mark, and marks only around whole fields",
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
  func field(_ index: Int) -> ArraySlice<UInt8> { bytes[(index == 0 ? 0 : Int(ends[index - 1]))..<Int(ends[index])] }

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

/// Where libcsv's callbacks put what they are given.
private final class CSVSink {
  var rows: [CSVParser.Row] = []
  var bytes: [UInt8] = []
  var ends: [UInt32] = []
  /// The line on which the row that is being read begins.
  private(set) var line = 1
  private var isWithinRow = false
  private var firstField = 0

  init(byteCount: Int) { bytes.reserveCapacity(byteCount) }

  /// Notes that the next bytes begin a line: of a new row, or of one with a line's end within quotation marks.
  func begin(_ line: Int) {
    if !isWithinRow { self.line = line }
    isWithinRow = true
  }

  func take(_ text: UnsafeRawBufferPointer) {
    // The parser tells too many once the line is over; until then no more is kept.
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
