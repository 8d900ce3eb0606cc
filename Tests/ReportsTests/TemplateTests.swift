import Datasets
import Foundation
import Testing

@testable import Reports

/// Templates are checked before they are filled, and what is filled in stays text.
@Suite struct TemplateTests {
  struct Inner: ModelPart {
    var name = ""
    var note: String?
  }

  struct Outer: ModelPart {
    var name = ""
    var isOn = false
    var items: [Inner] = []
    var words: [String] = []
    var note: String?
  }

  private static let model = Outer(
    name: "a", isOn: true, items: [Inner(name: "b"), Inner(name: "c", note: "d")], words: ["x", "y"], note: "outer")

  private func filled(_ text: String, _ model: Outer = Self.model, format: String = "md") throws -> String {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("templates-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try Data(text.utf8).write(to: folder.appendingPathComponent("t.\(format).mustache"))
    let kind = try #require(TemplateFormat(rawValue: format))
    return try ReportTemplates(folder: folder.path, filling: ["t": Outer.shape]).render("t", kind, model)
  }

  @Test(arguments: [
    ("{{name}}{{#items}} {{name}}{{/items}}", "a b c"), ("{{#isOn}}on{{/isOn}}{{^isOn}}off{{/isOn}}", "on"),
    ("{{#words}}{{.}};{{/words}}", "x;y;"), ("{{! nothing }}{{#note}}<{{.}}>{{/note}}", "<outer>"),
    ("{{! model 3 }}{{name}}", "a"),
    // A key without a value is not looked for farther out.
    ("{{#items}}[{{note}}]{{/items}}", "[][d]"),
  ])
  func aTemplateIsFilled(text: String, expected: String) throws {
    #expect(try filled(text) == expected)
  }

  @Test(arguments: [
    ("{{nam}}", 1, "\"nam\", did you mean name?"), ("\n{{#items}}\n{{words}}{{/items}}", 3, "words, which is a list"),
    ("{{#items}}", 1, "none"), ("{{/items}}", 1, "{{/items}}"), ("{{#items}}{{/words}}", 1, "{{/words}}"),
    ("{{=<% %>=}}", 1, "{{="), ("\n{{! model 1 }}", 2, "one for version 1"), ("{{name", 1, "the end of the file"),
    ("\n{{>missing}}", 2, "{{>missing}}"),
    ("{{#items}}{{name.x}}{{/items}}", 1, "\"name.x\""), ("{{>t}}", 1, "16 within each other"),
  ])
  func whatIsWrongHasItsLine(text: String, line: Int, found: String) throws {
    let error = #expect(throws: DataError.self) { try filled(text) }
    #expect(error?.line == line)
    #expect(error?.found.hasPrefix(found) == true, "\(error?.found ?? "")")
  }

  @Test func aFileThatIsCalledOtherwiseIsRefused() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("templates-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try Data().write(to: folder.appendingPathComponent("report.mustache"))
    #expect(throws: DataError.self) { try ReportTemplates(folder: folder.path) }
  }

  @Test func aMisspeltNameIsRefusedAndAPartialOfOnesOwnIsNot() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("templates-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appendingPathComponent("pull-requst.md.mustache")
    try Data("{{suite}}".utf8).write(to: file)
    let error = #expect(throws: DataError.self) { try ReportTemplates(folder: folder.path) }
    #expect(error?.file == file.path && error?.found == "\"pull-requst\", did you mean pull-request?")
    // Under a name that a template calls, it is that template's partial.
    try Data("{{>pull-requst}}".utf8).write(to: folder.appendingPathComponent("report.md.mustache"))
    _ = try ReportTemplates(folder: folder.path)
    // A partial of another format is called by none of this one.
    try Data().write(to: folder.appendingPathComponent("metrics.html.mustache"))
    #expect(throws: DataError.self) { try ReportTemplates(folder: folder.path) }
  }

  @Test func hostileTextStaysText() throws {
    let name =
      "<img src=x onerror=alert(1)>|@octocat #12 [a](javascript:b) *c* _d_ `e` $f$ ~g~ \u{1B}[31m\u{202E}\n# h {{name}}"
    let markdown = try filled("| {{name}} |", Outer(name: name))
    #expect(!markdown.contains("<img") && !markdown.contains("@octocat") && !markdown.contains("#12"))
    for part in ["\\|", "\\[a\\](", "\\*c\\*", "\\_d\\_", "\\`e\\`", "&#36;f&#36;", "\\~g\\~", "{{name}}"] {
      #expect(markdown.contains(part), "\(part)")
    }
    #expect(!markdown.contains("\n") && !markdown.contains("\u{1B}") && !markdown.contains("\u{202E}"))
    let html = try filled("<b title=\"{{name}}\">", Outer(name: "\"><script>'&"), format: "html")
    #expect(html == "<b title=\"&quot;&gt;&lt;script&gt;&#39;&amp;\">")
    let terminal = try filled("|{{name}}|", Outer(name: "a|b # c\u{1B}"), format: "txt")
    #expect(terminal.count { $0 == "|" } == 2)
    #expect(ReportText.restored(terminal) == "|a|b # c\u{FFFD}|")
  }

  /// The text of names as they are in our data is not changed at all.
  @Test(arguments: ["s01_side_2", "squat-states", "faults.forward_lean.f1", "−0.333", "+1.0 reps", "0.2 to 0.9 (95 %)"])
  func ordinaryNamesStayAsTheyAre(name: String) { #expect(MarkdownText().escapeText(name) == name) }

  @Test func everyKeyOfTheModelIsDocumented() throws {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let page = try String(contentsOf: root.appendingPathComponent("docs/templates.md"), encoding: .utf8)
    let parts = page.components(separatedBy: "\n## ")
    for (heading, shape) in [("A run's report", ReportModel.shape), ("A study's report", StudyModel.shape)] {
      let part = try #require(parts.first { $0.hasPrefix(heading) })
      let documented = part.matches(of: #/\n\| `([A-Za-z.\[\]]+)` \| (text|flag) \|/#).map { String($0.output.1) }
      #expect(Set(documented) == Set(shape.keys()))
      #expect(documented.count == Set(documented).count)
    }
  }

  @Test func valuesOverTimeAreBlocks() {
    #expect(Sparkline.text([0, 1, nil, 0.5, 1]) == "▁█·▅█")
    #expect(Sparkline.text([2, 2, 2]) == "▄▄▄")
    #expect(Sparkline.text([2]) == nil && Sparkline.text([nil, 2]) == nil)
  }
}
