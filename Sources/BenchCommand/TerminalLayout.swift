import Foundation
import Reports

/// Lays out reports and the screens of commands for a terminal: wraps texts, aligns tables, and colours.
struct TerminalLayout {
  /// In characters.
  var width: Int
  var tableWidth: Int

  func text(_ blocks: [TextBlock]) -> String {
    Self.withoutDoubleGaps(blocks.flatMap(lines)).joined(separator: "\n")
  }

  private func lines(_ block: TextBlock) -> [String] {
    switch block {
    case .heading(let text): wrapped(text, indent: 0).map { toned($0, .bold) }
    case .paragraph(let text): wrapped(text, indent: 0)
    case .item(let text): wrapped("- \(text)", indent: 2)
    case .code(let text): ["    \(text)"]
    case .table(let rows): table(rows)
    case .gap: [""]
    case .labelled(let label, let text, indent: let indent, isBroken: let isBroken):
      [labelled(label, text, indent: indent, isBroken: isBroken)]
    case .step(let step): [line(step)]
    case .columns(let table): columns(table)
    }
  }

  private func toned(_ text: String, _ tone: Tone?) -> String { Terminal.toned(TonedText(text, tone)) }

  private func labelled(_ label: TonedText, _ text: TonedText, indent: Int, isBroken: Bool = true) -> String {
    let length = label.count
    let column = length == 0 ? indent : label.plain.hasSuffix(" ") ? length : max(indent, length + 1)
    let tones = label.parts.last?.tones == text.parts.first?.tones ? label.parts.last?.tones : nil
    var line = label
    line.append(String(repeating: " ", count: column - length), tones ?? [])
    line.append(isBroken ? text.wrapped(to: width, indent: indent, from: column) : text)
    return Terminal.toned(line)
  }

  /// `next     see why: bench replay s01`, with the command on a line of its own if it does not fit.
  private func line(_ step: Conclusion.Step) -> String {
    let words = labelled("next", TonedText(step.words), indent: 9)
    guard let command = step.command else { return words }
    let fits = 10 + step.words.count + command.count <= width
    return words + (fits ? " " : "\n         ") + command
  }

  private func columns(_ table: TextTable) -> [String] {
    let lines = columns(table.rows.map(\.cells), right: table.right, indent: table.indent)
    return zip(table.rows, lines).flatMap { row, line -> [String] in
      var shown = row.heading.map { [toned($0, .bold)] } ?? []
      shown.append(toned(line, row.tone))
      if let note = row.note { shown.append(labelled("", TonedText(note, .dim), indent: table.indent + 2)) }
      return shown
    }
  }

  /// Columns side by side, the given ones right-aligned.
  ///
  /// - Returns: One text per row, with several lines if a cell was broken, at spaces only.
  func columns(_ rows: [[String]], right: Set<Int>, indent: Int) -> [String] {
    let space = String(repeating: " ", count: indent)
    // A line feed in external text becomes a space.
    let cells = rows.map { $0.map { String($0.map { $0.isNewline ? " " : $0 }) } }
    let table = TerminalTable(rows: cells, right: right, width: tableWidth - indent)
    return (table.lines ?? table.folded).map { $0.map { space + $0 }.joined(separator: "\n") }
  }

  private static func withoutDoubleGaps(_ lines: [String]) -> [String] {
    var kept: [String] = []
    for line in lines where !(line.isEmpty && (kept.last?.isEmpty ?? true)) { kept.append(line) }
    return kept
  }

  /// Broken at spaces, later lines indented; a word wider than a line is cut.
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

  /// Columns side by side, numbers right-aligned; if they do not fit, the widest are broken over several lines, and if
  /// that is not enough each row becomes a list.
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
    let table = TerminalTable(
      rows: rows.map { row in (0..<columns).map { cell(row, $0) } },
      right: Set(isNumber.indices.filter { isNumber[$0] }), width: tableWidth)
    guard let lines = table.lines else { return records(rows, names: isNumber.firstIndex(of: true) ?? columns) }
    return lines.enumerated().flatMap { number, lines in number == 0 ? lines.map { toned($0, .dim) } : lines }
  }

  /// Each row as one line with its names (the first columns), and lines for each of the other columns.
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

  /// Unchanged if it fits: wrapping would remove its gaps.
  private func fitted(_ line: String) -> [String] { line.count <= width ? [line] : wrapped(line, indent: 4) }
}

extension TonedText {
  var plain: String { parts.map(\.text).joined() }

  /// Broken at spaces and line feeds, later lines indented.
  ///
  /// - Parameter column: The column of the first line.
  func wrapped(to width: Int, indent: Int, from column: Int) -> TonedText {
    let lineFeed = "\n" + String(repeating: " ", count: indent)
    var wrapped = TonedText("")
    var (used, room) = (0, width - column)
    for word in words {
      let length = word.count
      if let last = wrapped.parts.last {
        let fits = used + 1 + length <= room
        let tones = last.tones == word.parts.first?.tones ? last.tones : []
        wrapped.append(fits ? " " : lineFeed, tones)
        (used, room) = fits ? (used + 1, room) : (0, width - indent)
      }
      wrapped.append(word)
      used += length
    }
    return wrapped
  }

  private var words: [TonedText] {
    var words: [TonedText] = []
    var isInWord = false
    for part in parts {
      let pieces = part.text.split(omittingEmptySubsequences: false) { $0 == " " || $0.isNewline }
      for (index, piece) in pieces.enumerated() {
        // There is a space between two pieces.
        if index > 0 { isInWord = false }
        guard !piece.isEmpty else { continue }
        if !isInWord { words.append("") }
        words[words.count - 1].append(String(piece), part.tones)
        isInWord = true
      }
    }
    return words
  }
}

/// Columns of text side by side, within a width.
struct TerminalTable {
  var rows: [[String]]
  /// Right-aligned columns: numbers, which are broken last.
  var right: Set<Int>
  /// In characters.
  var width: Int

  private var columns: Int { rows.map(\.count).max() ?? 0 }

  private func cell(_ row: [String], _ column: Int) -> String { column < row.count ? row[column] : "" }

  /// The lines of each row, cells broken at spaces; `nil` if the longest words do not fit side by side.
  var lines: [[String]]? {
    let all = 0..<columns
    var widths = all.map { column in rows.map { cell($0, column).count }.max() ?? 0 }
    let least = all.map { column in
      rows.map { row in
        let text = cell(row, column)
        return Self.indent(text) + (Self.words(text).map(\.count).max() ?? 0)
      }.max() ?? 0
    }
    let gaps = 2 * max(0, columns - 1)
    while widths.reduce(gaps, +) > width {
      let breakable = all.filter { widths[$0] > least[$0] }
      let texts = breakable.filter { !right.contains($0) }
      guard let widest = (texts.isEmpty ? breakable : texts).max(by: { widths[$0] < widths[$1] }) else { return nil }
      widths[widest] -= 1
    }
    return rows.map { row in
      let cells = all.map { Self.broken(cell(row, $0), to: widths[$0]) }
      return (0..<(cells.map(\.count).max() ?? 1)).map { line in
        let parts = all.map { column -> String in
          let text = line < cells[column].count ? cells[column][line] : ""
          let space = String(repeating: " ", count: max(0, widths[column] - text.count))
          return right.contains(column) ? space + text : text + space
        }
        let joined = parts.joined(separator: "  ")
        return joined.lastIndex { !$0.isWhitespace }.map { String(joined[...$0]) } ?? ""
      }
    }
  }

  /// Each row's cells one after another, as many per line as fit; later lines are indented.
  var folded: [[String]] {
    rows.map { row in
      var lines: [String] = []
      for cell in row where !cell.isEmpty {
        if let last = lines.last, last.count + 2 + cell.count <= width {
          lines[lines.count - 1] = "\(last)  \(cell)"
        } else {
          lines += Self.broken(cell, to: width - (lines.isEmpty ? 0 : 4)).enumerated().map {
            lines.isEmpty && $0 == 0 ? $1 : "    \($1)"
          }
        }
      }
      return lines.isEmpty ? [""] : lines
    }
  }

  private static func indent(_ text: String) -> Int { text.prefix { $0 == " " }.count }

  /// Broken at spaces; every line has the text's indentation.
  private static func broken(_ text: String, to width: Int) -> [String] {
    guard text.count > width else { return [text] }
    let space = String(repeating: " ", count: indent(text))
    var lines: [String] = []
    for word in words(text) {
      if let last = lines.last, last.count + 1 + word.count <= width {
        lines[lines.count - 1] = "\(last) \(word)"
      } else {
        lines.append(space + word)
      }
    }
    return lines
  }

  /// Unbreakable words: a number stays with its %.
  private static func words(_ text: String) -> [String] {
    text.split(separator: " ").reduce(into: []) { words, part in
      if part == "%", let last = words.popLast() { words.append("\(last) %") } else { words.append(String(part)) }
    }
  }
}
