import Datasets
import Foundation

/// Finds what is wrong with a template before it is filled: the engine prints nothing for a key that does not exist.
struct TemplateCheck {
  let shape: ModelShape
  /// The text and the file of a partial by its name.
  let partial: (String) -> (text: String, file: String)?

  /// How deep partials may be within each other.
  private static let depth = 16

  /// - Throws: `DataError` with file and line for a key that the model does not have, a section that is not closed, a
  ///   partial that is not there, and for what these templates do not take.
  func check(_ text: String, file: String) throws {
    try check(text, file: file, scope: [shape], depth: 0)
  }

  /// The names of the partials that a template calls.
  ///
  /// - Throws: `DataError` with file and line for a tag that is not closed.
  static func partials(of text: String, file: String) throws -> [String] {
    try tags(of: text, file: file).filter { $0.kind == ">" }.map(\.name)
  }

  private func check(_ text: String, file: String, scope: [ModelShape], depth: Int) throws {
    var scope = scope
    var sections: [(name: String, line: Int, pushes: Bool)] = []
    for tag in try Self.tags(of: text, file: file) {
      func fail(_ expected: String, _ found: String) -> DataError {
        DataError(file: file, line: tag.line, expected: expected, found: found)
      }
      switch tag.kind {
      case "!":
        guard let written = tag.name.wholeMatch(of: #/model\s+(\S+)/#) else { continue }
        guard written.output.1 == ReportTemplates.model else {
          throw fail(
            "a template for version \(ReportTemplates.model) of the model", "one for version \(written.output.1)")
        }
      case ">":
        guard depth < Self.depth else { throw fail("partials that end", "\(Self.depth) within each other") }
        guard let found = partial(tag.name) else { throw fail("the name of a template", "{{>\(tag.name)}}") }
        try check(found.text, file: found.file, scope: scope, depth: depth + 1)
      case "/":
        guard let open = sections.popLast(), open.name == tag.name else {
          throw fail("the end of the section that was opened last", "{{/\(tag.name)}}")
        }
        if open.pushes { scope.removeLast() }
      case "#", "^", "", "{", "&":
        let found = try look(up: tag, in: scope, file: file)
        guard tag.kind == "#" || tag.kind == "^" else {
          guard found == .text else { throw fail("a key that is text", "\(tag.name), which is \(found.words)") }
          continue
        }
        let inner: ModelShape? =
          switch found {
          case .list(let item): item
          case .part, .text: found
          case .flag: nil
          }
        let pushes = tag.kind == "#" && inner != nil
        if pushes, let inner { scope.append(inner) }
        sections.append((tag.name, tag.line, pushes))
      default:
        throw fail("{{key}}, {{{key}}}, {{#key}}, {{^key}}, {{/key}}, {{>template}} or {{!comment}}", "{{\(tag.kind)")
      }
    }
    if let open = sections.last {
      throw DataError(file: file, line: open.line, expected: "{{/\(open.name)}} after it", found: "none")
    }
  }

  /// As the engine does: the first name from the innermost part outwards, the rest from there.
  private func look(up tag: Tag, in scope: [ModelShape], file: String) throws -> ModelShape {
    if tag.name == "." { return scope.last ?? shape }
    let names = tag.name.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    func members(_ shape: ModelShape) -> [String: ModelShape] { if case .part(let keys) = shape { keys } else { [:] } }
    var found = scope.last { members($0)[names[0]] != nil }
    for name in names { found = found.flatMap { members($0)[name] } }
    guard let found else {
      let known = scope.flatMap { members($0).keys } + shape.keys()
      throw DataError(
        file: file, line: tag.line, expected: "a key of the report's model",
        found: NearNames.question(tag.name, in: Set(known)))
    }
    return found
  }

  private struct Tag {
    /// The sign behind the braces; empty for a plain key, `{` for three braces.
    var kind: String
    var name: String
    var line: Int
  }

  private static func tags(of text: String, file: String) throws -> [Tag] {
    var tags: [Tag] = []
    var line = 1
    var rest = text[...]
    while let start = rest.firstRange(of: "{{") {
      line += rest[..<start.lowerBound].count { $0.isNewline }
      rest = rest[start.upperBound...]
      let isTriple = rest.hasPrefix("{")
      guard let end = rest.firstRange(of: isTriple ? "}}}" : "}}") else {
        throw DataError(file: file, line: line, expected: "}} behind {{", found: "the end of the file")
      }
      var inside = rest[..<end.lowerBound]
      let sign = inside.first.map { "#^/>!&{=%<$".contains($0) } == true ? String(inside.removeFirst()) : ""
      tags.append(Tag(kind: sign, name: inside.trimmingCharacters(in: .whitespacesAndNewlines), line: line))
      line += inside.count { $0.isNewline }
      rest = rest[end.upperBound...]
    }
    return tags
  }
}

extension ModelShape {
  fileprivate var words: String {
    switch self {
    case .text: "text"
    case .flag: "a flag"
    case .list: "a list"
    case .part: "a part with keys"
    }
  }
}
