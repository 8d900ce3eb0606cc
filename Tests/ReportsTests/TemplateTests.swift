import Charts
import Foundation
import Testing

@testable import Reports

/// Templates name only what there is, and what is filled in stays text.
@Suite struct TemplateTests {
  private static var folder: URL {
    URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
      .appendingPathComponent("Sources/Reports/Templates")
  }

  /// The engine prints nothing for a key that does not exist.
  @Test func everyKeyAndEveryPartialOfATemplateIsThere() throws {
    let parts: [any ModelPart] = [
      ReportModel(), SectionModel(), WarningModel(), PictureModel(), PictureModel.Shape(), TableModel(), RowModel(),
      CellModel(), PlayerModel(), ViewModel(), DatasetPageModel(), PlayerPage(), InlineScript(""),
    ]
    let keys = Set(parts.flatMap { Mirror(reflecting: $0).children.compactMap(\.label) })
    let names = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path)
    #expect(names.count > 10)
    for name in names {
      let text = try String(contentsOf: Self.folder.appendingPathComponent(name), encoding: .utf8)
      let ending = name.drop { $0 != "." }
      for tag in text.matches(of: #/\{\{+([#^\/>!&]?)\s*([^}]*?)\s*\}\}+/#) where tag.output.1 != "!" {
        let word = String(tag.output.2)
        if tag.output.1 == ">" {
          #expect(names.contains(word + ending), "\(name): {{>\(word)}}")
        } else {
          #expect(
            word == "." || word.split(separator: ".").allSatisfy { keys.contains(String($0)) }, "\(name): \(word)")
        }
      }
    }
  }

  private static let hostile =
    "<img src=x onerror=alert(1)>|@octocat #12 [a](javascript:b) *c* _d_ `e` $f$ ~g~ \u{1B}[31m\u{202E}\n# h {{name}}"

  private func filled(_ format: TemplateFormat, suite: String) throws -> String {
    var model = ReportModel()
    (model.suite, model.title) = (suite, suite)
    model.sections = [SectionModel(heading: "table", table: TableModel([["name"], [suite]]))]
    return try ReportTemplates.render("report", format, model)
  }

  @Test func hostileTextStaysText() throws {
    let markdown = try filled(.markdown, suite: Self.hostile)
    #expect(!markdown.contains("<img") && !markdown.contains("@octocat") && !markdown.contains("#12"))
    for part in ["\\|", "\\[a\\](", "\\*c\\*", "\\_d\\_", "\\`e\\`", "&#36;f&#36;", "\\~g\\~", "{{name}}"] {
      #expect(markdown.contains(part), "\(part)")
    }
    #expect(!markdown.contains("\n# h") && !markdown.contains("\u{1B}") && !markdown.contains("\u{202E}"))
    let html = try filled(.html, suite: "\"><script>'&")
    #expect(!html.contains("<script>") && html.contains("&quot;&gt;&lt;script&gt;&#39;&amp;"))
  }

  /// A quotation mark ends no attribute, and the dark picture is another than the light one.
  @Test func aPicturesWordsStayInItsAlternativeText() throws {
    let chart = BlandAltmanPlot(topic: "a \"b\" <c> & d", source: "", quantity: "q", pairs: [])
    let pictures = [ReportPicture(file: "limits.png", heading: "h", chart: chart)]
    let element = try #require(pictures.beside.first).model.element.text
    #expect(element.contains("srcset=\"limits-dark.png\"><img src=\"limits.png\" alt=\""))
    #expect(element.contains("a &quot;b&quot; &lt;c&gt; &amp; d") && element.hasSuffix("\"></picture>"))
    // Two each around the medium, the two files and the text.
    #expect(element.count { $0 == "\"" } == 8)
    let files = try pictures.files(metadata: [])
    #expect(files.map(\.name) == ["limits.png", "limits-dark.png"])
    #expect(files[0].data != files[1].data)
  }

  /// A bar ends no cell and a hash mark starts no heading where blocks are values.
  @Test func hostileTextOfATerminalStaysInItsBlock() {
    let table = [TextBlock.table([["a|b"], ["# c\u{1B}\n\u{202E}"]]), .paragraph("# a|\u{1B}[31m")].oneLine
    guard case .table(let rows) = table[0], case .paragraph(let text) = table[1] else { return }
    #expect(rows[0] == ["a|b"] && rows[1][0].hasPrefix("# c") && text.hasPrefix("# a|"))
    for text in rows[1] + [text] {
      #expect(!text.contains("\u{1B}") && !text.contains("\u{202E}") && !text.contains("\n"))
    }
  }

  /// The text of names as they are in our data is not changed at all.
  @Test(arguments: ["s01_side_2", "squat-states", "faults.forward_lean.f1", "−0.333", "+1.0 reps", "0.2 to 0.9 (95 %)"])
  func ordinaryNamesStayAsTheyAre(name: String) { #expect(MarkdownText().escapeText(name) == name) }

  @Test func valuesOverTimeAreBlocks() {
    #expect(Sparkline.text([0, 1, nil, 0.5, 1]) == "▁█·▅█")
    #expect(Sparkline.text([2, 2, 2]) == "▄▄▄")
    #expect(Sparkline.text([2]) == nil && Sparkline.text([nil, 2]) == nil)
  }
}
