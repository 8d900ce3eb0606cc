import Foundation
import Reports

/// Lays out a report for a terminal: wraps its texts and sets its tables in columns.
struct TerminalLayout {
  /// Columns of characters.
  var width: Int

  func text(_ blocks: [TextBlock]) -> String {
    Self.withoutDoubleGaps(blocks.flatMap(lines)).joined(separator: "\n")
  }

  private func lines(_ block: TextBlock) -> [String] {
    switch block {
    case .heading(let text): wrapped(text, indent: 0).map(Terminal.bold)
    case .paragraph(let text): wrapped(text, indent: 0)
    case .item(let text): wrapped("- \(text)", indent: 2)
    case .code(let text): ["    \(text)"]
    case .table(let rows): table(rows)
    case .gap: [""]
    }
  }

  private static func withoutDoubleGaps(_ lines: [String]) -> [String] {
    var kept: [String] = []
    for line in lines where !(line.isEmpty && (kept.last?.isEmpty ?? true)) { kept.append(line) }
    return kept
  }

  /// Broken at spaces, later lines indented; a word that is wider than a line is cut.
  private func wrapped(_ text: String, indent: Int, width: Int? = nil) -> [String] {
    let width = width ?? self.width
    let space = String(repeating: " ", count: indent)
    var lines = [""]
    for word in text.split(separator: " ", omittingEmptySubsequences: true) {
      var rest = word
      if let last = lines.last, !last.trimmingCharacters(in: .whitespaces).isEmpty {
        if last.count + 1 + rest.count <= width {
          lines[lines.count - 1] = "\(last) \(rest)"
          continue
        }
        lines.append(space)
      }
      while (lines.last?.count ?? 0) + rest.count > width {
        let room = max(1, width - (lines.last?.count ?? 0))
        lines[lines.count - 1] += rest.prefix(room)
        rest = rest.dropFirst(room)
        lines.append(space)
      }
      lines[lines.count - 1] += rest
    }
    return lines
  }

  /// Columns beside each other, numbers to the right; where they do not fit, the widest are broken over several lines,
  /// and where even that does not help each row is a list.
  private func table(_ rows: [[String]]) -> [String] {
    guard let header = rows.first else { return [] }
    let columns = header.count
    func cell(_ row: [String], _ column: Int) -> String {
      column < row.count ? row[column].trimmingCharacters(in: .whitespaces) : ""
    }
    let isNumber = (0..<columns).map { column in
      rows.dropFirst().allSatisfy { row in
        let text = cell(row, column)
        return text.isEmpty || text == "n/a" || text == "unchanged"
          || text.first.map { "0123456789+−±".contains($0) } == true
      }
    }
    var widths = (0..<columns).map { column in rows.map { cell($0, column).count }.max() ?? 0 }
    // A name is not broken over two lines.
    let least = (0..<columns).map { column in
      rows.map { row in cell(row, column).split(separator: " ").map(\.count).max() ?? 0 }.max() ?? 0
    }
    let gaps = 2 * (columns - 1)
    while widths.reduce(gaps, +) > width {
      let widest = widths.indices.filter {
        widths[$0] > min(least[$0], Self.longestName) && (!isNumber[$0] || widths[$0] > 14)
      }.max { widths[$0] < widths[$1] }
      guard let widest else { return records(rows, names: isNumber.firstIndex(of: true) ?? columns) }
      widths[widest] -= 1
    }
    return rows.enumerated().flatMap { number, row -> [String] in
      let cells = (0..<columns).map { wrapped(cell(row, $0), indent: 0, width: widths[$0]) }
      return (0..<(cells.map(\.count).max() ?? 1)).map { line in
        let parts = (0..<columns).map { column -> String in
          let text = line < cells[column].count ? cells[column][line] : ""
          let space = String(repeating: " ", count: max(0, widths[column] - text.count))
          return isNumber[column] ? space + text : text + space
        }
        let joined = parts.joined(separator: "  ").replacing(#/\s+$/#, with: "")
        return number == 0 ? Terminal.dim(joined) : joined
      }
    }
  }

  /// Longer words, such as hashes, may be cut.
  private static let longestName = 24

  /// Each row as a line of what it is about, its first columns, and lines of what it says in each of the others.
  private func records(_ rows: [[String]], names: Int) -> [String] {
    rows.dropFirst().flatMap { row -> [String] in
      let heading = row.prefix(names).filter { !$0.isEmpty }.joined(separator: ", ")
      var lines = heading.isEmpty ? [] : wrapped(heading, indent: 4)
      var line = ""
      for (label, text) in zip(rows[0], row).dropFirst(names) where !text.isEmpty {
        let part = "\(label) \(text)"
        if !line.isEmpty && line.count + 3 + part.count > width {
          lines += fitted(line)
          line = ""
        }
        line += (line.isEmpty ? "    " : "   ") + part
      }
      return lines + (line.isEmpty ? [] : fitted(line))
    }
  }

  /// As it is where it fits: wrapping would take its gaps away.
  private func fitted(_ line: String) -> [String] { line.count <= width ? [line] : wrapped(line, indent: 4) }
}
