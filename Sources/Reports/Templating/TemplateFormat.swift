import Foundation
import Mustache

/// What a template makes, which decides how what is filled in is escaped.
enum TemplateFormat: String, CaseIterable {
  case markdown = "md"
  case html
  case terminal = "txt"

  /// The engine's name of the escapes.
  var contentType: String {
    switch self {
    case .markdown: "MARKDOWN"
    case .html: "HTML"
    case .terminal: "TERMINAL"
    }
  }

  /// Makes the engine know the escapes; doing so again changes nothing.
  static func register() {
    MustacheContentTypes.register(MarkdownText(), named: TemplateFormat.markdown.contentType)
    MustacheContentTypes.register(TerminalText(), named: TemplateFormat.terminal.contentType)
  }
}

/// Text within GitHub-flavoured Markdown: it shows as it is, links nobody and starts nothing.
///
/// A backslash before any ASCII punctuation makes it that character (CommonMark 0.31, section 2.4); `$` would be
/// mathematics and `@name` and `#1` would notify people and link issues on GitHub, which an empty comment within prevents.
struct MarkdownText: MustacheContentType {
  func escapeText(_ text: String) -> String {
    var escaped = ""
    let characters = Array(text)
    for (index, character) in characters.enumerated() {
      let next = index + 1 < characters.count ? characters[index + 1] : " "
      let last = index > 0 ? characters[index - 1] : " "
      switch character {
      case "\\", "`", "*", "[", "]", "|", "~": escaped += "\\\(character)"
      // Within a word an underscore is no emphasis.
      case "_": escaped += last.isLetterOrDigit && next.isLetterOrDigit ? "_" : "\\_"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      case "&": escaped += "&amp;"
      case "$": escaped += "&#36;"
      case "@" where next.isLetterOrDigit: escaped += "@<!-- -->"
      case "#" where next.isNumber: escaped += "#<!-- -->"
      case "#", "+", "-", "=": escaped += index == 0 && next == " " ? "\\\(character)" : String(character)
      default: escaped.append(character)
      }
    }
    return escaped
  }
}

extension Character {
  fileprivate var isLetterOrDigit: Bool { isLetter || isNumber }
}

/// Text within what a terminal's layout reads: a bar must not end a cell, nor a hash mark start a heading.
struct TerminalText: MustacheContentType {
  func escapeText(_ text: String) -> String { ReportText.escaped(text) }
}

/// Stand-ins, in a report for terminals, for characters that would say how it is laid out: characters for private use, of
/// which a model has none.
public enum ReportText {
  private static let stands = [("|", "\u{E000}"), ("#", "\u{E001}")]

  static func escaped(_ text: String) -> String { stands.reduce(text) { $0.replacing($1.0, with: $1.1) } }

  /// The text as it was, once it is laid out.
  public static func restored(_ text: String) -> String { stands.reduce(text) { $0.replacing($1.1, with: $1.0) } }
}
