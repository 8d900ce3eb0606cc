import PoseModel

/// A row of a `CSVTable`, whose fields are read as what they should be.
///
/// Each reader throws a `DataError` with file, line and column where a field is something else. Those that end in
/// `IfPresent` return `nil` where the field is empty or the table has no such column.
public struct CSVRow {
  let table: CSVTable
  let row: CSVParser.Row

  /// The line of the file on which the row begins, from 1.
  public var line: Int { row.line }
  public var place: FilePlace { FilePlace(file: table.file, line: line) }

  /// A text that is not empty and has neither spaces around it nor control characters.
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

  /// A time in seconds from 0 on.
  public func time(_ column: String) throws -> Microseconds {
    guard let seconds = decimal(column)?.value, let time = Microseconds(seconds: seconds), time >= .zero else {
      throw failure(column, expected: "a time in seconds from 0")
    }
    return time
  }

  public func timeIfPresent(_ column: String) throws -> Microseconds? {
    isEmpty(column) ? nil : try time(column)
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

  /// An error of one field of this row, which shows what stands there.
  public func failure(_ column: String, clip: String? = nil, expected: String) -> DataError {
    failure(
      clip: clip, expected: "\(expected) in column \(column)",
      found: isEmpty(column) ? "an empty field" : Excerpt.of(bytes(column)))
  }

  /// The bytes of the field at a place in the header.
  func field(_ place: Int) -> ArraySlice<UInt8> { table.parser.field(row.fields.lowerBound + place) }

  private func isEmpty(_ column: String) -> Bool { bytes(column).isEmpty }

  private func bytes(_ column: String) -> ArraySlice<UInt8> {
    guard let place = table.places[column] else { return [] }
    return field(place)
  }

  private func decimal(_ column: String) -> (number: DecimalNumber, value: Double)? {
    bytes(column).withUnsafeBufferPointer { bytes in
      DecimalNumber(whole: bytes).map { ($0, $0.double(bytes)) }
    }
  }
}
