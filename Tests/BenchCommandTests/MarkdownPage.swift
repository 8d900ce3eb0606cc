import Foundation

/// A page of the checkout that people read.
struct MarkdownPage {
  /// From the checkout's folder: `docs/metrics.md`.
  let path: String
  let lines: [Substring]

  init(_ path: String) throws {
    self.path = path
    let file = ModuleOrderTests.checkout.appending(path: path)
    lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n", omittingEmptySubsequences: false)
      .dropLast()
  }

  /// The README, the pages beside it and those in docs.
  static func all() throws -> [MarkdownPage] {
    let docs = try FileManager.default.contentsOfDirectory(
      atPath: ModuleOrderTests.checkout.appending(path: "docs").path)
    return try
      (["README.md", "CONTRIBUTING.md", "CHANGELOG.md"]
      + docs.filter { $0.hasSuffix(".md") }.sorted().map { "docs/\($0)" })
      .map(MarkdownPage.init)
  }

  /// The fenced pieces in a language, each with its line feeds.
  func code(_ language: String) -> [String] {
    lines.joined(separator: "\n").components(separatedBy: "```\(language)\n").dropFirst()
      .map { $0.components(separatedBy: "```")[0] }
  }

  /// The lines outside fences.
  var prose: [Substring] {
    var isCode = false
    return lines.filter { line in
      if line.hasPrefix("```") { isCode.toggle() }
      return !isCode
    }
  }

  /// What links call the headings: lower case, hyphens for spaces and no other signs.
  var anchors: [String] {
    prose.filter { $0.hasPrefix("#") }.map { line in
      String(
        line.drop { $0 == "#" }.dropFirst().lowercased().compactMap { (letter: Character) -> Character? in
          if letter == " " { return "-" }
          return letter.isLetter || letter.isNumber || letter == "-" || letter == "_" ? letter : nil
        })
    }
  }

  /// The targets of links and pictures.
  var links: [String] { prose.flatMap { $0.matches(of: /\]\(([^)\s]+)\)/).map { String($0.1) } } }
}
