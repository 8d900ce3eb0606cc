import Files
import Foundation
import Testing

@testable import Evaluation

/// How an entry of `datasets/public` is read.
@Suite struct PublicSetTests {
  private static let hash = "sha256:" + String(repeating: "a", count: 64)

  /// Each key on a line of its own: `name` on 1, `import` on 6, `content` on 7.
  private static let lines = [
    "name: squats", "holds: Squats of two people", "licence: CC BY 4.0", "source: https://example.org/squats",
    "cite: \"Author, Squats, 2018\"",
    "import: { format: trc, name: all, options: [--exercise, squat, --unit, \"0.001\"] }",
    "content: \(hash)", "people: 2", "clips: 3", "reps: 6", "graders: 0",
  ]

  private func set(_ lines: [String]) throws -> PublicSet {
    try PublicSet(yaml: InputFile(name: "squats.yaml", bytes: Data(lines.joined(separator: "\n").utf8)))
  }

  /// The words of the error with one line replaced.
  private func error(_ line: Int, _ text: String) -> String {
    var lines = Self.lines
    lines[line - 1] = text
    return error(lines)
  }

  private func error(_ lines: [String]) -> String {
    do {
      _ = try set(lines)
      return "no error"
    } catch {
      return "\(error)"
    }
  }

  @Test func anEntryIsRead() throws {
    let set = try set(Self.lines)
    #expect(set.name == "squats" && set.holds == "Squats of two people" && set.licence == "CC BY 4.0")
    #expect(set.source == "https://example.org/squats" && set.cite == "Author, Squats, 2018")
    #expect(set.content.description == Self.hash)
    #expect(set.people == 2 && set.clips == 3 && set.reps == 6 && set.graders == 0)
    #expect(set.size == "3 clips of 2 people")
    #expect(
      set.importing.command == "bench dataset import trc --from FOLDER --name all --exercise squat --unit 0.001")
    #expect(
      "\(set.missing)"
        == "dataset squats: expected Squats of two people: 3 clips of 2 people (CC BY 4.0), found none in the store. "
        + "Get it from https://example.org/squats, then: \(set.importing.command)")
  }

  @Test func theNameOfTheImportIsTheSetsIfItSaysNone() throws {
    var lines = Self.lines
    lines[5] = "import: { format: ui-prmd, options: [--exercise, 'a b'] }"
    lines[7] = "people: unknown"
    let set = try set(lines)
    #expect(set.people == nil && set.size == "3 clips, people unknown")
    // What a shell would divide is quoted.
    #expect(
      set.importing.command == "bench dataset import ui-prmd --from FOLDER --name squats --exercise 'a b'")
  }

  @Test func clipsAreListedBesideTheEntry() throws {
    let folder = NSTemporaryDirectory() + "public-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let yaml = (Self.lines + ["clips_file: squats.clips"]).joined(separator: "\n")
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try Data(yaml.utf8).write(to: URL(fileURLWithPath: "\(folder)/squats.yaml"))
    do {
      _ = try PublicSet(yaml: InputFile("\(folder)/squats.yaml"))
      Issue.record("a list that is not there is an error")
    } catch let error as DataError {
      #expect(error.line == 12 && error.expected == "a file beside this one for clips_file")
      #expect(error.found == "no \(folder)/squats.clips")
    }
    try Data("a\n".utf8).write(to: URL(fileURLWithPath: "\(folder)/squats.clips"))
    let set = try PublicSet(yaml: InputFile("\(folder)/squats.yaml"))
    #expect(set.importing.clips == "\(folder)/squats.clips")
    #expect(set.importing.command.hasSuffix(" --unit 0.001 --clips \(folder)/squats.clips"))
  }

  @Test func aMissingKeyIsNamedWithAnExample() {
    for line in Self.lines.indices {
      var lines = Self.lines
      let key = lines.remove(at: line).prefix { $0 != ":" }
      let words = error(lines)
      #expect(
        words.contains("expected all required keys, found 1 missing:\n  line 1: \(key), for example"), "\(words)")
    }
  }

  @Test(arguments: [
    (1, "name: ../squats", "squats.yaml:1: expected a name of up to"),
    (2, "holds: []", "squats.yaml:2: expected a text for holds, found a list"),
    (3, "licence: ''", "squats.yaml:3: expected a text for licence"),
    (4, "source: [a]", "squats.yaml:4: expected a text for source, found a list"),
    (5, "cite: {}", "squats.yaml:5: expected a text for cite"),
    (6, "import: trc", "squats.yaml:6: expected keys and values for import, found \"trc\""),
    (6, "import: { name: all }", "squats.yaml:6: expected key import.format, found no such key"),
    (6, "import: { format: trc, from: a }", "squats.yaml:6: expected only the keys import.format, import.name"),
    (6, "import: { format: trc, options: --fps }", "squats.yaml:6: expected a list for import.options"),
    (7, "content: abc", "squats.yaml:7: expected sha256: and 64 hexadecimal digits for content, found \"abc\""),
    (8, "people: 0", "squats.yaml:8: expected a whole number above 0 for people, found \"0\""),
    (8, "people: many", "squats.yaml:8: expected a number for people, found \"many\""),
    (9, "clips: 0", "squats.yaml:9: expected a whole number above 0 for clips, found \"0\""),
    (10, "reps: -1", "squats.yaml:10: expected a whole number of 0 or more for reps, found \"-1\""),
    (11, "graders: 0.5", "squats.yaml:11: expected a whole number of 0 or more for graders, found \"0.5\""),
  ])
  func eachKeyIsChecked(_ line: Int, _ text: String, _ message: String) {
    let words = error(line, text)
    #expect(words.hasPrefix(message), "\(words)")
  }

  @Test func aMisspeltKeyIsAnError() throws {
    let words = error(3, "license: CC BY 4.0")
    #expect(words.hasPrefix("squats.yaml:3: expected only the keys name, holds, "), "\(words)")
    #expect(words.hasSuffix("found \"license\", did you mean licence?"), "\(words)")
  }
}
