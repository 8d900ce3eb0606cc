import Datasets
import Importers
import PoseModel
import TestSupport
import Testing

@Suite struct TennisShotsTests {
  let folder: ImportFolder

  init() throws { folder = try ImportFolder() }

  static let joints = Skeleton.coco17.keypoints.filter { !$0.contains("_e") || $0.hasSuffix("elbow") }
  static let header = (joints.flatMap { ["\($0)_y", "\($0)_x"] } + ["shot"]).joined(separator: ",") + "\n"

  /// In frame f, joint j has x = f / 100 and y = j / 100.
  static func rows(_ label: String, frames: Int = 30) -> String {
    (0..<frames).map { frame in
      joints.indices.map { "\(Double($0) / 100),\(Double(frame) / 100)" }.joined(separator: ",") + ",\(label)\n"
    }.joined()
  }

  func source() throws -> any Importer {
    try #require(try TennisShots.datasets(from: folder.path, options: ImportOptions()).first)
  }

  @Test func aStrokeIsAnEventAndAnInterval() throws {
    try folder.write(Self.header + Self.rows("serve"), to: "anna/shots/serve_001.csv")
    try folder.write(Self.header + Self.rows("neutral", frames: 31), to: "ben/shots/neutral_007.csv")
    #expect(TennisShots.recognises(folder.path))
    #expect(TennisShots.recognises(folder.path + "/ben"))
    let clips = try source().clips()
    #expect(clips.map(\.info.name) == ["anna_serve_001", "ben_neutral_007"])
    let serve = clips[0]
    #expect(
      serve.info
        == Clip.Info(name: "anna_serve_001", subject: "anna", exercise: "tennis", view: "", fps: 30, split: ""))
    #expect(serve.labels.events == [LabelledInstant(time: Microseconds(500_000), label: "serve")])
    #expect(
      serve.labels.intervals == [Segment(start: .zero, end: Microseconds(1_000_000), label: "serve")])
    #expect(clips[1].labels == GroundTruth())
    // The right ankle is joint 12 of the file and 16 of the skeleton; the left eye is not in the file.
    let keypoints = try #require(serve.keypoints)
    #expect(keypoints.values(16, .x).last == 0.29)
    #expect(keypoints.values(16, .y).first == 0.12)
    #expect(keypoints.values(1, .x).allSatisfy { $0.isNaN })
  }

  static let wrongFiles: [(text: String, words: String)] = [
    (header + rows("smash"), ":2: clip anna_a: expected one of backhand, forehand, neutral, serve in column shot"),
    (header + rows("serve", frames: 1) + rows("backhand"), ":3: clip anna_a: expected the label of the rows above"),
    (header + rows("serve").replacing("0.12,0.02", with: "0.12,far"), ":4: expected a number in column right_ankle_x"),
    (header + "0.1,0.2,serve\n", ":2: expected 27 fields, found 3"),
    (header + rows("serve", frames: 15), ": clip anna_a: expected more than 15 frames, found 15"),
    (header, ": clip anna_a: expected more than 15 frames, found 0"),
    ("", ":1: expected a header"),
  ]

  @Test(arguments: wrongFiles) func wrongFilesAreNamed(_ text: String, _ words: String) throws {
    try folder.write(text, to: "anna/shots/a.csv")
    let source = try source()
    let error = folder.error { _ = try source.clip(0) }
    #expect(error.hasPrefix("anna/shots/a.csv" + words), "\(error)")
  }

  @Test func theRecordings() throws {
    guard let path = Shared.recordings("tennis-shots") else { return }
    let source = try #require(try TennisShots.datasets(from: path, options: ImportOptions()).first)
    #expect(source.clipCount == 753)
    let first = try source.clip(0)
    #expect(first.keypoints?.frameCount == 30)
  }
}
