import Datasets
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

  /// The scanner finds what libcsv does.
  static let numericCSV = FuzzTarget("numeric-csv") { file in
    var found: [(line: Int, key: Int, values: [Float])] = []
    try NumericCSV(file, columns: ["b", "a", "b"], key: "k").forEachRow { row in
      found.append((row.line, try row.integer(), Array(row.values)))
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

  static let numberRows = FuzzTarget("number-rows") { file in
    let rows = try NumberRows(file, columnCount: 3)
    guard rows.values.count == rows.rowCount * 3, !rows.values.contains(where: \.isInfinite) else {
      throw RoundTripError(what: "\(rows.rowCount) rows of \(rows.values.count) values")
    }
  }
}
