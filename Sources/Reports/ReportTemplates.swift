import Files
import Foundation
import Mustache
import Synchronization

/// The templates of reports: a file `<name>.<format>.mustache` each in Templates, embedded in the module.
///
/// The format decides how values are escaped, and which partials a template can call.
package enum ReportTemplates {
  /// Parses all templates now, and not with the first report.
  ///
  /// - Throws: `DataError` if one is not valid Mustache.
  package static func parse() throws {
    for format in [TemplateFormat.markdown, .html] { _ = try library(format) }
  }

  private static let libraries = Mutex<[TemplateFormat: MustacheLibrary]>([:])

  /// The parsed templates of a format.
  private static func library(_ format: TemplateFormat) throws -> MustacheLibrary {
    if let known = libraries.withLock({ $0[format] }) { return known }
    MustacheContentTypes.register(MarkdownText(), named: TemplateFormat.markdown.contentType)
    var library = MustacheLibrary()
    for file in files where file.format == format {
      do {
        try library.register("{{% CONTENT_TYPE:\(format.contentType)}}\n" + file.text, named: file.name)
      } catch let error as MustacheTemplate.ParserError {
        // The line before the first is ours.
        throw DataError(
          file: "\(file.name).\(format.rawValue).mustache", line: max(1, error.context.lineNumber - 1),
          expected: "a Mustache template", found: "\(error.error)")
      }
    }
    let parsed = library
    libraries.withLock { $0[format] = parsed }
    return parsed
  }

  /// A template filled with the model.
  ///
  /// - Throws: `DataError` if the template is missing or not valid Mustache.
  static func render(_ name: String, _ format: TemplateFormat, _ model: some ModelPart) throws -> String {
    guard let text = try library(format).render(model.templateValue ?? Absent(), withTemplate: name) else {
      throw DataError(file: "\(name).\(format.rawValue).mustache", expected: "a template", found: "none")
    }
    // An empty part of a section leaves an empty line.
    return format == .markdown ? text.replacing(/\n{3,}/, with: "\n\n") : text
  }

  /// The script of the player.
  static let player = String(decoding: PackageResources.player_js, as: UTF8.self)

  /// The script of the page of `bench view`; requires the player's script.
  static let view = String(decoding: PackageResources.view_js, as: UTF8.self)

  /// The script of the page of `bench view --label`; requires the player's script.
  static let label = String(decoding: PackageResources.label_js, as: UTF8.self)

  /// The script of a dataset's page; requires the player's script.
  static let dataset = String(decoding: PackageResources.dataset_page_js, as: UTF8.self)

  /// The script that sorts and filters tables.
  static let tables = String(decoding: PackageResources.tables_js, as: UTF8.self)

  private struct File {
    var name: String
    var format: TemplateFormat
    var text: String
  }

  private static var files: [File] {
    func file(_ name: String, _ format: TemplateFormat, _ bytes: [UInt8]) -> File {
      File(name: name, format: format, text: String(decoding: bytes, as: UTF8.self))
    }
    return [
      file("report", .markdown, PackageResources.report_md_mustache),
      file("comment", .markdown, PackageResources.comment_md_mustache),
      file("head", .markdown, PackageResources.head_md_mustache),
      file("sections", .markdown, PackageResources.sections_md_mustache),
      file("picture", .markdown, PackageResources.picture_md_mustache),
      file("table", .markdown, PackageResources.table_md_mustache),
      file("report", .html, PackageResources.report_html_mustache),
      file("picture", .html, PackageResources.picture_html_mustache),
      file("style", .html, PackageResources.style_html_mustache),
      file("table", .html, PackageResources.table_html_mustache),
      file("player", .html, PackageResources.player_html_mustache),
      file("clip", .html, PackageResources.clip_html_mustache),
      file("view", .html, PackageResources.view_html_mustache),
      file("label", .html, PackageResources.label_html_mustache),
      file("dataset-page", .html, PackageResources.dataset_page_html_mustache),
    ]
  }
}

/// The output format of a template, which decides how values are escaped.
enum TemplateFormat: String {
  case markdown = "md"
  case html

  /// The engine's name for the escaping.
  var contentType: String {
    switch self {
    case .markdown: "MARKDOWN"
    case .html: "HTML"
    }
  }
}

/// The possible values in templates: texts, flags, lists and parts with keys.
protocol ModelValue {
  /// The value in the template engine's form; `nil` for nothing.
  var templateValue: Any? { get }
}

/// A struct whose properties are the keys; each is a `ModelValue`.
protocol ModelPart: ModelValue {}

extension ModelPart {
  var templateValue: Any? {
    let pairs = Mirror(reflecting: self).children.compactMap { child in
      // A key without a value must exist: the engine would otherwise look for it in outer parts.
      child.label.map { ($0, (child.value as? any ModelValue)?.templateValue ?? Absent()) }
    }
    return Dictionary(pairs, uniquingKeysWith: { first, _ in first })
  }
}

/// The value of an empty key: prints nothing, and omits its section.
private struct Absent: MustacheCustomRepresentation {
  var representation: Any? { nil }
}

extension String: ModelValue {
  var templateValue: Any? { visibleLine }
}

/// Trusted text with line breaks, which templates do not escape.
struct RawText: ModelValue {
  var text: String
  var templateValue: Any? { text }
}

extension Bool: ModelValue {
  var templateValue: Any? { self }
}

extension Optional: ModelValue where Wrapped: ModelValue {
  var templateValue: Any? { flatMap(\.templateValue) }
}

extension Array: ModelValue where Element: ModelValue {
  var templateValue: Any? { map { $0.templateValue ?? Absent() } }
}

/// Escapes text for GitHub-flavoured Markdown: it shows literally, without mentions and links.
///
/// A backslash before any ASCII punctuation makes it that character (CommonMark 0.31, section 2.4); `$` would be
/// mathematics and `@name` and `#1` would notify people and link issues on GitHub, which an empty comment within
/// prevents.
struct MarkdownText: MustacheContentType {
  func escapeText(_ text: String) -> String {
    var escaped = ""
    let characters = Array(text)
    for (index, character) in characters.enumerated() {
      let next = index + 1 < characters.count ? characters[index + 1] : " "
      let last = index > 0 ? characters[index - 1] : " "
      switch character {
      case "\\", "`", "*", "[", "]", "|", "~": escaped += "\\\(character)"
      // An underscore within a word is not emphasis.
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

/// Pieces of GitHub-flavoured Markdown.
enum Markdown {
  /// A text that shows literally, whatever its content.
  static func text(_ text: String) -> String { MarkdownText().escapeText(text.visibleLine) }

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
