import Charts
import Foundation
import Reports
import Testing

@testable import BenchCommand

/// A gallery that no longer shows what is drawn is told from one that does.
@Suite struct GalleryCheckTests {
  private static func chart(_ name: String = "clip") -> PairedDots {
    PairedDots(
      topic: "Clips", source: "test", kind: "clip", axisTitle: "reps",
      values: (0..<8).map { PairedValue(name: "\(name)_\($0)", before: Double($0), after: Double($0) + 1, gain: 1) })
  }

  /// What is said of a gallery to which something was done, without its folder's name.
  private func check(_ change: (String) throws -> Void = { _ in }) throws -> (
    differences: [String], inOtherFont: [String]
  ) {
    let workspace = try Workspace()
    let files = [
      ReportFile(name: "a.png", try DrawnChart(Self.chart())),
      ReportFile(name: "README.md", data: Data("1\n\n3\n".utf8)),
      ReportFile(name: "report/results.json", data: Data(#"{"a": [0.30000000000000004, true], "b": "x"}"#.utf8)),
      ReportFile(name: "report/b.png", try DrawnChart(Self.chart("other"))),
    ]
    for file in files { try workspace.write(file.data, to: "gallery/\(file.name)") }
    let folder = workspace.path("gallery")
    try change(folder)
    let check = try GalleryCheck(folder: folder, files: files)
    return (check.differences.map { $0.replacing(folder + "/", with: "") }, check.inOtherFont)
  }

  private func differences(_ change: (String) throws -> Void = { _ in }) throws -> [String] {
    try check(change).differences
  }

  @Test func theSameIsTheSame() throws { #expect(try differences() == []) }

  @Test func whatIsMissingOrLeftOverIsNamed() throws {
    for name in ["a.png", "report/b.png"] {
      let missing = try differences { try FileManager.default.removeItem(atPath: "\($0)/\(name)") }
      #expect(missing == ["\(name): expected a picture, found none"])
    }
    let readme = try differences { try FileManager.default.removeItem(atPath: $0 + "/README.md") }
    #expect(readme == ["README.md: expected a file, found none"])
    for name in ["c.png", "report/c.png"] {
      let extra = try differences { try Data().write(to: URL(fileURLWithPath: "\($0)/\(name)")) }
      #expect(extra == ["\(name): no chart draws this file: remove it"])
    }
  }

  @Test func otherTextsAndNumbersAreTold() throws {
    func differences(_ text: String, in name: String) throws -> [String] {
      try self.differences { try Data(text.utf8).write(to: URL(fileURLWithPath: "\($0)/\(name)")) }
    }
    #expect(try differences("1\n\n4\n", in: "README.md") == ["README.md: differs from a fresh one from line 3 on"])
    // The last bit, then a digit that is read.
    #expect(try differences(#"{"b": "x", "a": [0.3, true]}"#, in: "report/results.json") == [])
    for text in [
      #"{"b": "x", "a": [0.3001, true]}"#, #"{"b": "y", "a": [0.3, true]}"#, #"{"b": "x", "a": [0.3]}"#, "{",
      #"{"b": "x", "a": [0.3, true], "c": 1}"#,
    ] {
      #expect(
        try differences(text, in: "report/results.json")
          == ["report/results.json: differs from a fresh one from line 1 on"], "\(text)")
    }
  }

  @Test func anotherPictureIsTold() throws {
    func differences(with chart: PairedDots, theme: Theme = .light, width: Double = 1200) throws -> [String] {
      let bytes = try png(chart, width: width, theme: theme)
      return try self.differences { try Data(bytes).write(to: URL(fileURLWithPath: $0 + "/a.png")) }
    }
    #expect(try differences(with: Self.chart(), theme: .dark).first?.hasPrefix("a.png: differs in ") == true)
    #expect(try differences(with: Self.chart(), width: 600).first?.contains(" pixels, found 600 x ") == true)
    var other = Self.chart()
    other.values[3].after += 0.01
    #expect(try differences(with: other).first?.hasPrefix("a.png: shows other data than a fresh drawing: ") == true)
    other = Self.chart()
    other.source = "elsewhere"
    #expect(try differences(with: other).first?.hasPrefix("a.png: Description: expected Clips · test") == true)
  }

  /// Each done to the picture as it was drawn, with the texts in the file that it had then.
  @Test func aPictureThatWasChangedIsTold() throws {
    let chart = Self.chart()
    let drawn = try DrawnChart(chart)
    let texts = try PNGTexts(drawn.bytes)
    func differences(_ change: (Canvas) throws -> Void) throws -> [String] {
      let canvas = try Canvas(size: chart.size)
      chart.draw(on: canvas)
      try change(canvas)
      let bytes = try canvas.png(metadata: texts.keys.map { ($0, texts[$0] ?? "") })
      return try self.differences { try Data(bytes).write(to: URL(fileURLWithPath: $0 + "/a.png")) }
    }
    #expect(try differences { _ in } == [])
    let label = try #require(drawn.texts.first { $0.text == "clip_2" })
    let wiped = try differences { $0.fill(label.box, .background) }
    #expect(wiped == ["a.png: differs in the text “clip_2”"])
    let mark = try differences { $0.disc(at: Point(x: 600, y: 250), radius: 5, .better) }
    // The disc reaches from 595 to 605, over squares that begin at 592 and 600.
    let places = ["592", "600"].map { "of 8 x 8 pixels, the first at \($0), " }
    #expect(mark.count == 1 && places.contains { mark.first?.contains($0) == true }, "\(mark)")
  }

  @Test func ofAnotherFontOnlyTheDataAreCompared() throws {
    func check(_ chart: PairedDots) throws -> (differences: [String], inOtherFont: [String]) {
      let bytes = try png(chart, theme: .dark, metadata: [("Font", "another")])
      return try self.check { try Data(bytes).write(to: URL(fileURLWithPath: $0 + "/a.png")) }
    }
    let same = try check(Self.chart())
    #expect(same.differences == [] && same.inOtherFont == ["a.png"])
    let other = try check(Self.chart("other"))
    #expect(other.differences.first?.hasPrefix("a.png: shows other data") == true && other.inOtherFont == [])
  }
}
