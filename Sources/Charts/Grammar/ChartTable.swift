import Files
import Statistics

/// The data of a chart as typed values. They become text only on output.
public struct ChartTable: Hashable, Sendable {
  public struct Column: Hashable, Sendable {
    public var name: String
    /// The unit; empty for texts, shares and counts, and if the name includes it.
    public var unit: String
    /// The format of the numbers.
    public var format: Format

    public init(_ name: String, unit: String = "", _ format: Format = .upTo(2)) {
      (self.name, self.unit, self.format) = (name, unit, format)
    }

    /// `start (s)`
    public var title: String { unit.isEmpty ? name : "\(name) (\(unit))" }
  }

  /// The format of a number.
  public enum Format: Hashable, Sendable {
    /// At most this many decimals, without trailing zeros.
    case upTo(Int)
    /// Always this many decimals.
    case fixed(Int)
    /// At most this many decimals, with a plus sign above 0.
    case signed(Int)
    /// Always this many decimals, with a plus sign above 0.
    case signedFixed(Int)
    /// Three significant digits.
    case significant
  }

  public enum Cell: Hashable, Sendable {
    /// A number, undefined if `nil` or not finite. Its format overrides the column's.
    case number(Double?, Format? = nil)
    case count(Int)
    case text(String)
    /// An undefined text or count.
    case undefined
    /// Not applicable.
    case empty

    /// The number without rounding; `nil` for other cells.
    public var value: Double? {
      switch self {
      case .number(let value, _): value.flatMap { $0.isFinite ? $0 : nil }
      case .count(let count): Double(count)
      case .text, .undefined, .empty: nil
      }
    }
  }

  public var columns: [Column]
  /// The rows, each as long as `columns`.
  public var rows: [[Cell]]

  public init(_ columns: [Column]..., rows: [[Cell]]) { (self.columns, self.rows) = (columns.flatMap(\.self), rows) }

  /// A row joined from several parts.
  public static func row(_ parts: [Cell]...) -> [Cell] { parts.flatMap(\.self) }

  /// The table as text, row by row; the first row names the columns.
  public var text: [[String]] {
    [columns.map(\.title)] + rows.map { row in zip(row, columns).map { $0.text($1.format) } }
  }

  /// The table as text in comma-separated values (RFC 4180).
  var csv: String {
    text.map { row in
      row.map { cell in
        cell.contains { ",\"\n\r".contains($0) } ? "\"\(cell.replacing("\"", with: "\"\""))\"" : cell
      }.joined(separator: ",")
    }.joined(separator: "\n")
  }
}

extension ChartTable {
  /// A format in which commands print tables for other programs.
  public enum FileFormat: String, CaseIterable, Hashable, Sendable {
    case csv, markdown, latex
  }

  /// The table in a format: numbers in CSV are not rounded and undefined ones are empty, those of the others are as in
  /// `text`.
  ///
  /// Ends with a line feed.
  public func written(as format: FileFormat) -> String {
    switch format {
    case .csv:
      CSVField.row(columns.map { .text($0.title) }) + rows.map { CSVField.row($0.map(\.field)) }.joined()
    case .markdown: markdown
    case .latex: latex
    }
  }

  /// The table with sentences on its data above it, as quotes in Markdown and comments in LaTeX. CSV is the table alone.
  public func written(as format: FileFormat, below sentences: [String]) -> String {
    let lines =
      switch format {
      case .csv: ""
      case .markdown: sentences.map { "> \($0.visibleLine)\n\n" }.joined()
      case .latex: sentences.map { "% \($0.visibleLine)\n" }.joined()
      }
    return lines + written(as: format)
  }

  private var markdown: String {
    func line(_ cells: [String]) -> String {
      "| \(cells.map { $0.visibleLine.replacing("|", with: "\\|") }.joined(separator: " | ")) |\n"
    }
    let text = text
    return line(text[0]) + line(columns.map { _ in "---" }) + text.dropFirst().map(line).joined()
  }

  /// For the package booktabs, in ASCII but for letters with accents.
  private var latex: String {
    func line(_ cells: [String]) -> String { "\(cells.map(Self.latex).joined(separator: " & ")) \\\\\n" }
    let text = text
    let alignment = columns.indices.map { column in
      rows.contains { if case .text = $0[column] { true } else { false } } ? "l" : "r"
    }
    return "\\begin{tabular}{\(alignment.joined())}\n\\toprule\n" + line(text[0]) + "\\midrule\n"
      + text.dropFirst().map(line).joined() + "\\bottomrule\n\\end{tabular}\n"
  }

  private static let latexCharacters: [Character: String] = [
    "\\": "\\textbackslash{}", "&": "\\&", "%": "\\%", "$": "\\$", "#": "\\#", "_": "\\_", "{": "\\{", "}": "\\}",
    "~": "\\textasciitilde{}", "^": "\\textasciicircum{}", "−": "$-$", "<": "$<$", ">": "$>$", "±": "$\\pm$",
    "∞": "$\\infty$", "α": "$\\alpha$", "κ": "$\\kappa$", "τ": "$\\tau$", "ρ": "$\\rho$", "°": "$^\\circ$",
    "→": "$\\rightarrow$", "[": "{[}",
  ]

  private static func latex(_ text: String) -> String {
    text.visibleLine.map { latexCharacters[$0] ?? String($0) }.joined()
  }
}

extension ChartTable.Cell {
  fileprivate var field: CSVField {
    switch self {
    case .number(let value, _): value.flatMap { $0.isFinite ? .number($0) : nil } ?? .empty
    case .count(let count): .integer(count)
    case .text(let text): .text(text.visibleLine)
    case .undefined, .empty: .empty
    }
  }
}

extension ChartTable.Column: ExpressibleByStringInterpolation {
  public init(stringLiteral name: String) { self.init(name) }
}

extension [ChartTable.Column] {
  /// A value and the bounds of its 95 % interval.
  ///
  /// - Parameter own: The format of the value, if it differs from that of the bounds.
  public static func estimate(
    _ name: String, unit: String = "", _ format: ChartTable.Format, own: ChartTable.Format? = nil,
    low: String = "low", high: String = "high"
  ) -> Self {
    [
      Element(name, unit: unit, own ?? format), Element(low, unit: unit, format), Element(high, unit: unit, format),
    ]
  }
}

extension ChartTable.Cell: ExpressibleByStringInterpolation {
  public init(stringLiteral text: String) { self = .text(text) }
}

extension ChartTable.Cell {
  func text(_ format: ChartTable.Format) -> String {
    switch self {
    case .number(let value, let own): (own ?? format).text(value ?? .nan)
    case .count(let count): "\(count)"
    case .text(let text): text
    case .undefined: NumberText.missing
    case .empty: ""
    }
  }
}

extension ChartTable.Format {
  func text(_ value: Double) -> String {
    guard value.isFinite else { return NumberText.missing }
    return switch self {
    case .upTo(let decimals): NumberText.plain(value, decimals: decimals)
    case .fixed(let decimals): NumberText.fixed(value, decimals: decimals)
    case .signed(let decimals): NumberText.signed(value, decimals: decimals)
    case .signedFixed(let decimals): NumberText.signed(value, decimals: decimals, keepingZeros: true)
    case .significant: NumberText.significant(value, keepingZeros: true)
    }
  }
}

extension Estimate {
  /// The value and the bounds of its interval, one cell each.
  public func cells(times factor: Double = 1) -> [ChartTable.Cell] {
    let interval = interval
    return [value, interval?.lowerBound, interval?.upperBound].map { .number($0.map { factor * $0 }) }
  }
}
