import Datasets

extension CSVRow {
  /// A keypoint's coordinate: NaN where the field is empty or `nan`.
  ///
  /// - Throws: `DataError` with line and column for anything else that is not a number within a `Float`'s range.
  func coordinate(_ column: String) throws -> Float {
    guard let text = try textIfPresent(column), text.lowercased() != "nan" else { return .nan }
    let value = Float(try number(column))
    guard value.isFinite else { throw failure(column, expected: "a number within ±3.4e38") }
    return value
  }
}
