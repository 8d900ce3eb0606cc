import BenchCommand
import Foundation
import Importers
import Pipeline
import Testing

/// The pages that people read agree with the program and with each other.
@Suite struct DocumentationTests {
  @Test func theReadmeFitsAFewScreens() throws {
    let readme = try MarkdownPage("README.md")
    #expect(readme.lines.count <= 200)
    for page in try MarkdownPage.all() where page.path.hasPrefix("docs/") {
      #expect(readme.links.contains(page.path), "the README has no link to \(page.path)")
    }
  }

  /// Claims about people are figures of the page that the program writes.
  @Test func figuresOnPeopleAreThoseOfTheirPage() throws {
    let people = try MarkdownPage("docs/people.md").lines.joined(separator: "\n")
    let rows = try MarkdownPage("README.md").lines.filter { $0.contains(#/^\| \d+[^|]*, |^\| \d+ videos/#) }
    #expect(rows.count == 5)
    for row in rows {
      let cells = row.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
      try #require(cells.count == 6)
      #expect(people.contains("| \(cells[1]) | \(cells[2]) |"), "\(row)")
      #expect(people.contains("| \(cells[3]) reps/min"), "\(row)")
      #expect(people.contains("|  | offline peaks | \(cells[4]) ("), "\(row)")
      #expect(people.contains("| \(cells[1]) | \(cells[5]) ("), "\(row)")
    }
  }

  /// A recipe is at most ten lines to type.
  @Test func recipesAreShort() throws {
    let readme = try MarkdownPage("README.md").lines.joined(separator: "\n")
    let recipes = try #require(readme.components(separatedBy: "\n## ").first { $0.hasPrefix("Recipes\n") })
      .components(separatedBy: "\n### ").dropFirst()
    #expect(recipes.count == 7)
    for recipe in recipes {
      let parts = recipe.components(separatedBy: "```")
      try #require(parts.count == 3, "\(recipe.prefix(40)) has not one piece of code")
      // The first line names the language.
      let code = parts[1].split(separator: "\n", omittingEmptySubsequences: false).dropFirst().dropLast()
      #expect((1...10).contains(code.count), "\(recipe.prefix(40))")
    }
  }

  @Test func linksLeadToPagesAndHeadings() throws {
    let root = ModuleOrderTests.checkout
    for page in try MarkdownPage.all() {
      for link in page.links where !link.contains("://") {
        let parts = link.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        let file = root.appending(path: page.path).deletingLastPathComponent().appending(path: parts[0])
          .standardizedFileURL
        let target = parts[0].isEmpty ? root.appending(path: page.path) : file
        guard FileManager.default.fileExists(atPath: target.path) else {
          Issue.record("\(page.path): there is no \(link)")
          continue
        }
        if parts.count == 2, target.pathExtension == "md" {
          let path = String(target.path.dropFirst(root.path.count)).drop { $0 == "/" }
          #expect(
            try MarkdownPage(String(path)).anchors.contains(parts[1]), "\(page.path): \(link) has no such heading")
        }
      }
    }
  }

  @Test func theListOfMetricsIsTheProgramsOwn() throws {
    let workspace = try Workspace()
    let listed = try workspace.run("metric", "list", "--markdown")
    listed.expectSuccess()
    let lines = try MarkdownPage("docs/metrics.md").lines
    let start = try #require(lines.firstIndex { $0.hasPrefix("<!-- The rest is printed by") })
    let page = lines[(start + 1)...].joined(separator: "\n") + "\n"
    if page != "\n" + listed.output {
      Issue.record(
        """
        docs/metrics.md is not what bench metric list --markdown prints; write it anew:
        { sed '/^<!-- The rest is printed by/q' docs/metrics.md; echo; ./bench metric list --markdown; } >metrics.md
        mv metrics.md docs/metrics.md
        """)
    }
  }

  /// The pages that list commands, formats and detectors, with the names that each has.
  private static let lists: [(page: String, names: [String])] = [
    ("commands.md", UsageTests.commands.compactMap(\.first).map { "bench \($0)" }),
    ("importing.md", Importers.all.map { "`\($0.format)`" }),
    ("labels.md", LabelFormats.descriptions.map { "`\($0.name)`" }),
    ("detectors.md", DetectorRegistry.builtIn.detectors.map { "`\($0.profile.name)`" }),
  ]

  @Test(arguments: lists)
  func registriesAreListed(_ page: String, _ names: [String]) throws {
    let text = try MarkdownPage("docs/\(page)").lines.joined(separator: "\n")
    let missing = Set(names).filter { !text.contains($0) }.sorted()
    #expect(missing.isEmpty, "add \(missing.joined(separator: ", ")) to docs/\(page)")
  }

  /// The one place of the version is `Bench.version`; the changelog's newest entry is about it.
  @Test func theChangelogStartsWithTheVersion() throws {
    let entries = try MarkdownPage("CHANGELOG.md").lines.filter { $0.hasPrefix("## ") }
    #expect(entries.first?.contains("[\(Bench.version)]") == true, "found \(entries.first ?? "no entry")")
  }

  @Test func theCitationNamesTheVersion() throws {
    #expect(try MarkdownPage("CITATION.cff").lines.contains("version: \(Bench.version)"))
  }
}
