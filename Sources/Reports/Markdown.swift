import Evaluation

/// Pieces of GitHub-flavoured Markdown.
enum Markdown {
  /// A text that shows as it is, whatever is in it.
  static func text(_ text: String) -> String { MarkdownText().escapeText(text.visible) }

  /// A table, the first row naming its columns; empty for no rows.
  static func table(_ rows: [[String]]) -> String {
    guard let header = rows.first else { return "" }
    func line(_ cells: [String]) -> String {
      "| " + cells.map(text).joined(separator: " | ") + " |"
    }
    return ([line(header), line(header.map { _ in "---" })] + rows.dropFirst().map(line)).joined(separator: "\n")
  }

  /// A part that opens on a click.
  static func details(_ summary: String, _ body: String) -> String {
    "<details>\n<summary>\(summary)</summary>\n\n\(body)\n\n</details>"
  }
}
