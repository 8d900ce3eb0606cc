import Importers
import PoseModel
import TestSupport
import Testing

@Suite struct ExerciseCorrectionTests {
  let folder: ImportFolder

  init() throws { folder = try ImportFolder() }

  static let header =
    "label,"
    + ["nose", "left_knee"].map { "\($0)_x,\($0)_y,\($0)_z,\($0)_v" }.joined(separator: ",") + "\n"
  static let values = "0.1,0.2,0.3,0.4,0.5,0.6,0.7,0.8\n"

  @Test func eachKindOfFileIsADataset() throws {
    try folder.write(Self.header + "up,\(Self.values)down,\(Self.values)", to: "squat_model/train.csv")
    try folder.write(Self.header + "down,\(Self.values)", to: "squat_model/test.csv")
    try folder.write(Self.header + "L,\(Self.values)C,\(Self.values)", to: "lunge_model/err.train2.csv")
    try folder.write(Self.header + "I,\(Self.values)M,\(Self.values)D,\(Self.values)", to: "lunge_model/stage.test.csv")
    try folder.write(Self.header + "C,\(Self.values)H,\(Self.values)L,\(Self.values)", to: "plank_model/train.csv")
    try folder.write(Self.header + "L,\(Self.values)", to: "bicep_model/test.csv")
    try folder.write("Model,Score\n", to: "bicep_model/evaluation.csv")
    #expect(ExerciseCorrection.recognises(folder.path))
    #expect(ExerciseCorrection.recognises(folder.path + "/plank_model"))
    let sources = try ExerciseCorrection.datasets(from: folder.path, options: ImportOptions(name: "mine"))
    #expect(
      sources.map(\.manifest.name) == [
        "mine-squat", "mine-lunge-error", "mine-lunge-stage", "mine-plank", "mine-bicep",
      ])
    let clips = try sources.map { try $0.clips() }
    #expect(
      clips.map { $0.map(\.info.name) } == [
        ["squat-test", "squat-train"], ["lunge-error-train2"], ["lunge-stage-test"], ["plank-train"], ["bicep-test"],
      ])
    #expect(clips[0].map(\.info.split) == ["test", "train"])
    #expect(clips[1].map(\.info.split) == ["train"])
    #expect(clips.map { $0.last?.info.exercise } == ["squat", "lunge", "lunge", "plank", "biceps-curl"])
    let labels = clips.map { $0.flatMap { $0.labels.intervals.map(\.label) } }
    #expect(
      labels == [
        ["down", "up", "down"], ["knee_forward", "correct"], ["init", "mid", "down"],
        ["correct", "hips_high", "hips_sag"], ["leaning_back"],
      ])
  }

  @Test func aFrameIsASecond() throws {
    try folder.write(Self.header + "up,\(Self.values)down,\(Self.values)", to: "squat_model/train.csv")
    let clip = try #require(try ExerciseCorrection.datasets(from: folder.path, options: ImportOptions()).first).clip(0)
    let keypoints = try #require(clip.keypoints)
    #expect(keypoints.times == [.zero, Microseconds(1_000_000)])
    #expect(
      clip.labels.intervals == [
        Segment(start: .zero, end: Microseconds(1_000_000), label: "up"),
        Segment(start: Microseconds(1_000_000), end: Microseconds(2_000_000), label: "down"),
      ])
    let knee = try #require(Skeleton.blazePose33.keypoints.firstIndex(of: "left_knee"))
    let values = [Channel.x, .y, .z, .confidence].map { keypoints.values(knee, $0).first }
    #expect(values == [0.5, 0.6, 0.7, 0.8])
    #expect(keypoints.values(knee + 1, .x).allSatisfy { $0.isNaN })
  }

  static let wrongFiles: [(text: String, words: String)] = [
    (header + "C,\(values)", ":2: clip squat-test: expected one of down, up in column label, found \"C\""),
    (header + "up,\(values)up,\(values.replacing("0.6", with: "high"))", ":3: expected a number in column left_knee_y"),
    (header + "up,1\n", ":2: expected 9 fields, found 2"),
    (header.replacing("left_knee_z", with: "left_knee_w") + "up,\(values)", ":1: expected column left_knee_z"),
    (header, ":2: expected at least one frame"),
    ("label,score\nup,1\n", ":1: expected landmarks of BlazePose, such as nose_x, found none"),
    ("", ":1: expected a header"),
  ]

  @Test(arguments: wrongFiles) func wrongFilesAreNamed(_ text: String, _ words: String) throws {
    try folder.write(text, to: "squat_model/test.csv")
    let source = try #require(try ExerciseCorrection.datasets(from: folder.path, options: ImportOptions()).first)
    let error = folder.error { _ = try source.clip(0) }
    #expect(error.hasPrefix("squat_model/test.csv" + words), "\(error)")
  }

  /// The numbers of lines of the files.
  @Test func theRecordings() throws {
    guard let path = Shared.recordings("exercise-correction") else { return }
    let frames = try ExerciseCorrection.datasets(from: path, options: ImportOptions()).map { source in
      try source.clips().map { $0.labels.intervals.count }
    }
    #expect(frames == [[853, 4160], [1107], [1205], [710], [604]])
  }
}
