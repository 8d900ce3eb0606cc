import Foundation
import Plots
import Testing

@testable import BenchCommand

/// A gallery that no longer shows what is drawn is told from one that does.
@Suite struct GalleryCheckTests {
  private static func chart(_ name: String) -> PairedDots {
    PairedDots(
      title: "Clips", source: "test", kind: "clip", axisTitle: "reps",
      values: (0..<8).map { PairedValue(name: "\(name)_\($0)", before: Double($0), after: Double($0) + 1, gain: 1) })
  }

  private func differences(_ change: (String) throws -> Void = { _ in }) throws -> [String] {
    let workspace = try Workspace()
    let bytes = try png(Self.chart("clip"))
    try workspace.write(Data(bytes), to: "gallery/a.png")
    try workspace.write("text", to: "gallery/report/report.md")
    try workspace.write("", to: "gallery/README.md")
    let folder = workspace.path("gallery")
    try change(folder)
    let picture = Gallery.Picture(file: "a.png", bytes: bytes, title: "", summary: "", command: "")
    return try GalleryCheck(folder: folder, pictures: [picture], others: ["README.md", "report"], report: "text")
      .differences.map { $0.replacing(folder + "/", with: "") }
  }

  @Test func theSameIsTheSame() throws { #expect(try differences() == []) }

  @Test func whatIsMissingOrLeftOverIsNamed() throws {
    let missing = try differences { try FileManager.default.removeItem(atPath: $0 + "/a.png") }
    #expect(missing == ["a.png: expected a picture, found none"])
    let extra = try differences { try Data().write(to: URL(fileURLWithPath: $0 + "/b.png")) }
    #expect(extra == ["b.png: expected no such file, found one that nothing draws: remove it"])
    let report = try differences { try Data("other".utf8).write(to: URL(fileURLWithPath: $0 + "/report/report.md")) }
    #expect(report == ["report/report.md: expected the report as it is made now, found another or none"])
  }

  @Test func anotherPictureIsTold() throws {
    func differences(with chart: PairedDots, theme: Theme = .light, width: Double = 1200) throws -> [String] {
      let bytes = try png(chart, width: width, theme: theme)
      return try self.differences { try Data(bytes).write(to: URL(fileURLWithPath: $0 + "/a.png")) }
    }
    // All of it, of another size, and other numbers in the same frame.
    #expect(
      try differences(with: Self.chart("clip"), theme: .dark).first?.hasSuffix(
        "% of its squares differ, 2 % are allowed") == true)
    #expect(try differences(with: Self.chart("clip"), width: 600).first?.contains(" pixels, found 600 x ") == true)
    var other = Self.chart("clip")
    for index in other.values.indices { other.values[index].after = 0 }
    #expect(try differences(with: other).first?.hasSuffix("% of its squares differ, 2 % are allowed") == true)
  }
}
