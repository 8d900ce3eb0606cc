import Foundation

/// An RFC 4180 CSV file with a header, UTF-8, read through libcsv: labels and whatever else may be quoted.
///
/// ```swift
/// let table = try CSVTable(InputFile("datasets/mine/events.csv"), required: ["clip", "time_s", "label"])
/// for row in table.rows { print(try row.text("clip"), try row.time("time_s").seconds) }
/// ```
public struct CSVTable: Sendable {
  /// The name that errors give the file.
  public let file: String
  /// The header, in the order of the file.
  public let columns: [String]
  let parser: CSVParser
  let places: [String: Int]

  /// Reads the file and checks its header and the number of fields of every row.
  ///
  /// - Parameters:
  ///   - ignoringOthers: whether there may be columns beyond the required and optional ones.
  /// - Throws: `DataError` with the line where the file is not such a table.
  public init(
    _ file: InputFile, required: [String], optional: [String] = [], ignoringOthers: Bool = false
  ) throws {
    self.file = file.name
    let parser = try CSVParser(file)
    self.parser = parser
    let known = required + optional
    func failure(line: Int, _ expected: String, _ found: String) -> DataError {
      DataError(file: file.name, line: line, expected: expected, found: found)
    }
    guard let header = parser.rows.first else {
      throw failure(line: 1, "a header with \(Excerpt.list(known))", "an empty file")
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
    if let ragged = parser.rows.first(where: { $0.fields.count != header.fields.count }) {
      throw failure(line: ragged.line, "\(header.fields.count) fields", "\(ragged.fields.count)")
    }
  }

  /// Every row but the header.
  public var rows: some RandomAccessCollection<CSVRow> {
    (1..<parser.rows.count).lazy.map { CSVRow(table: self, row: parser.rows[$0]) }
  }
}
