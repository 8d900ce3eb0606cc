import Files
import Foundation

extension FuzzTarget {
  /// Tables of labels: any columns beside `clip`, read as each of the types.
  static let csvTable = FuzzTarget("csv-table") { file in
    let table = try CSVTable(file, required: ["clip"], optional: ["number", "time_s"], ignoringOthers: true)
    for row in table.rows {
      _ = try row.numberIfPresent("number")
      _ = try row.timeIfPresent("time_s")
      let text = try row.text("clip")
      let written = "clip,other\n" + CSVField.row([.text(text), .integer(row.line)])
      let again = try CSVTable(
        InputFile(name: "again", bytes: Data(written.utf8)), required: ["clip", "other"])
      guard again.rows.count == 1, let first = again.rows.first, try first.text("clip") == text,
        try first.integer("other") == row.line
      else { throw RoundTripError(what: text) }
    }
  }

  /// The scanner finds what libcsv and `strtof` do, and refuses nothing that they can read.
  static let numericCSV = FuzzTarget("numeric-csv") { file in
    var found: [(line: Int, key: Int, values: [Float])] = []
    do {
      try NumericCSV(file, columns: ["b", "a", "b"], key: "k").forEachRow { row in
        found.append((row.line, try row.integer(), Array(row.values)))
      }
    } catch let refusal as DataError {
      guard !hasNumbers(file) else { throw RoundTripError(what: "refused, \(refusal)") }
      throw refusal
    }
    let table = try CSVTable(file, required: ["a", "b", "k"], ignoringOthers: true)
    guard table.rows.count == found.count else { throw RoundTripError(what: "\(found.count) rows") }
    for (row, found) in zip(table.rows, found) {
      let values = try ["b", "a", "b"].map { Float(try row.textIfPresent($0) ?? "nan") ?? .nan }
      guard row.line == found.line, try row.integer("k") == found.key,
        values.map({ $0.isNaN ? Float.nan.bitPattern : $0.bitPattern })
          == found.values.map({ $0.isNaN ? Float.nan.bitPattern : $0.bitPattern })
      else { throw RoundTripError(what: "line \(found.line)") }
    }
  }

  /// Whether the file is a table with numbers in `a` and `b` and whole ones in `k`.
  private static func hasNumbers(_ file: InputFile) -> Bool {
    guard let table = try? CSVTable(file, required: ["a", "b", "k"], ignoringOthers: true) else { return false }
    return table.rows.allSatisfy { row in
      guard (try? row.integer("k")) != nil else { return false }
      return ["a", "b"].allSatisfy { column in
        guard let text = try? row.textIfPresent(column) ?? "" else { return false }
        return text.isEmpty || text.lowercased() == "nan" || isDecimal(text)
      }
    }
  }

  /// Hexadecimal numbers and words, which `strtof` reads too, are none.
  private static func isDecimal(_ text: String) -> Bool {
    text.utf8.allSatisfy { "0123456789+-.eE".utf8.contains($0) } && Float(text)?.isFinite == true
  }

  /// Every line has fields, whose numbers are finite or missing.
  static let delimitedText = FuzzTarget("delimited-text") { file in
    try DelimitedText(file).forEachRow { row in
      for field in 0..<row.count {
        guard row.number(field)?.isInfinite != true, row.numbers(field).allSatisfy(\.isFinite) else {
          throw RoundTripError(what: "line \(row.line), field \(field)")
        }
        _ = row.text(field)
      }
    }
  }

  static let numberRows = FuzzTarget("number-rows") { file in
    let rows = try NumberRows(file, columnCount: 3)
    guard rows.values.count == rows.rowCount * 3, !rows.values.contains(where: \.isInfinite) else {
      throw RoundTripError(what: "\(rows.rowCount) rows of \(rows.values.count) values")
    }
  }
}
