import Files
import Foundation

/// Rows of fields by their names. Those of the first row come first in the header; others may come with later rows.
struct NamedRows {
  typealias Fields = [(key: String, value: String)]

  private var names: [String] = []
  private var columns: [String: Int] = [:]
  private var rows: [[String]] = []

  /// Fields that all rows have.
  var facts: Fields = []

  /// The fields of the largest table, empty ones included.
  private static let largest = 1 << 27

  private let most: Int

  /// - Parameter most: How many rows are wanted.
  init(most: Int) { self.most = most }

  var isFull: Bool { rows.count == most }
  var isEmpty: Bool { rows.isEmpty }

  /// The header and all rows, which lack the names that came later, without the columns of numbers that tell points
  /// apart instead of people.
  var withHeader: [[String]] {
    let kept = names.indices.filter { !numbersPoints($0) }
    guard kept.count < names.count else { return [names] + rows }
    return ([names] + rows).map { row in kept.compactMap { $0 < row.count ? row[$0] : nil } }
  }

  /// The table; `nil` without rows.
  func table(_ name: String) -> InputFile? { isEmpty ? nil : InputFile(name: name, rows: withHeader) }

  /// Adds a row. Of several fields of a name, the last one counts.
  ///
  /// - Throws: `EnoughRead` if the table is full or too large.
  mutating func add(_ fields: Fields) throws {
    var row = [String](repeating: "", count: names.count)
    for field in fields + facts {
      if let column = columns[field.key] {
        row[column] = field.value
      } else {
        columns[field.key] = names.count
        names.append(field.key)
        row.append(field.value)
      }
    }
    rows.append(row)
    guard !isFull, names.count * rows.count <= Self.largest else { throw EnoughRead() }
  }

  /// Whether a column of people has one number for each point, as tools have that follow each point by a track of its
  /// own: all points are one person's.
  private func numbersPoints(_ column: Int) -> Bool {
    guard FrameKey(names[column]) == .person,
      let point = KeypointText.pointKeys.lazy.compactMap({ key in names.firstIndex { FrameKey.plain($0) == key } })
        .first
    else { return false }
    var tracks: [String: String] = [:]
    for row in rows {
      guard column < row.count, point < row.count, !row[column].isEmpty,
        tracks.updateValue(row[column], forKey: row[point]) ?? row[column] == row[column]
      else { return false }
    }
    return tracks.count >= Self.fewestTracks && Set(tracks.values).count == tracks.count
  }

  private static let fewestTracks = 4
}

extension InputFile {
  /// A table of these rows, of which the first is the header and no other is longer.
  init(name: String, rows: [[String]]) {
    let width = rows.first?.count ?? 0
    let lines = rows.map { row in
      row.map { field in
        field.contains { ",\"\n\r".contains($0) } ? "\"\(field.replacing("\"", with: "\"\""))\"" : field
      }.joined(separator: ",") + String(repeating: ",", count: width - row.count)
    }
    self.init(name: name, bytes: Data((lines.joined(separator: "\n") + "\n").utf8))
  }
}
