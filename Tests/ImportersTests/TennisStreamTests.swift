import Datasets
import Importers
import PoseModel
import TestSupport
import Testing

@Suite struct TennisStreamTests {
  let folder: ImportFolder

  init() throws { folder = try ImportFolder() }

  static let joints = [
    "Nose", "Neck", "RShoulder", "RElbow", "RWrist", "LShoulder", "LElbow", "LWrist", "RHip", "RKnee", "RAnkle", "LHip",
    "LKnee", "LAnkle", "REye", "LEye", "REar", "LEar",
  ]
  static let header = "frame_num," + joints.map { "\($0)_x,\($0)_y" }.joined(separator: ",") + ",action_gt_num\n"

  /// A frame in a box of 100 x 300 pixels: joint j at (j + 1, 7 j + 1), the left ear missing.
  static func row(_ frame: Int, action: Int) -> String {
    let fields = (0..<17).map { "\(Double($0 + 1) / 100),\(Double(7 * $0 + 1) / 300)" }.joined(separator: ",")
    return "\(frame),\(fields),,,\(action)\n"
  }

  func clip(_ text: String) throws -> Clip {
    try folder.write(text, to: "forehand.csv")
    return try #require(try TennisStream.datasets(from: folder.path, options: ImportOptions()).first).clip(0)
  }

  @Test func positionsArePixelsWithinTheBox() throws {
    let clip = try clip(Self.header + Self.row(0, action: 0) + Self.row(1, action: 0))
    let keypoints = try #require(clip.keypoints)
    for joint in 0..<17 {
      let x = keypoints.values(joint, .x).first
      let y = keypoints.values(joint, .y).first
      #expect(x == Float(joint + 1))
      #expect(y == Float(7 * joint + 1))
    }
    #expect(keypoints.values(17, .x).allSatisfy { $0.isNaN })
    #expect(clip.info.subject == "forehand")
  }

  /// In frame 3 all positions are multiples of 10 and 25: the fractions have denominators of 10 and 12 only.
  @Test func aSharedFactorIsMadeUpFor() throws {
    var rows = (0..<7).map { Self.row($0, action: 0) }
    let fields = (0..<18).map { "\(Double($0 % 9 + 1) / 10),\(Double($0 % 11 + 1) / 12)" }.joined(separator: ",")
    rows[3] = "3,\(fields),0\n"
    let keypoints = try #require(try clip(Self.header + rows.joined()).keypoints)
    let x = keypoints.values(4, .x)
    let y = keypoints.values(4, .y)
    #expect(abs(x[3] - 50) < 1e-4)
    #expect(abs(y[3] - 125) < 1e-4)
    #expect(x[2] == 5)
  }

  /// Idle for 2 frames, 52 frames of two backhands, 26 of a slice, 1 idle, and 3 of a forehand that the file's end cuts off.
  @Test func aSwingIsAnIntervalAroundItsStroke() throws {
    let actions =
      [0, 0] + [Int](repeating: 2, count: 52) + [Int](repeating: 3, count: 26) + [0] + [Int](repeating: 1, count: 3)
    let clip = try clip(Self.header + actions.enumerated().map { Self.row($0, action: $1) }.joined())
    let labels = clip.labels
    #expect(labels.intervals.map(\.label) == ["backhand", "backhand", "foreslice", "forehand"])
    func time(_ frame: Int) -> Microseconds { Microseconds(frame: frame, rate: 30) }
    #expect(labels.intervals.map(\.start) == [2, 28, 54, 81].map(time))
    #expect(labels.intervals.map(\.end) == [28, 54, 80, 84].map(time))
    #expect(labels.events.map(\.time) == [15, 41, 67].map(time))
    #expect(labels.events.map(\.label) == ["backhand", "backhand", "foreslice"])
  }

  @Test func anAbsentFrameIsAnEmptyOne() throws {
    let clip = try clip(Self.header + Self.row(1, action: 0) + Self.row(3, action: 0))
    let keypoints = try #require(clip.keypoints)
    #expect(keypoints.frameCount == 4)
    #expect(keypoints.values(0, .x).map(\.isNaN) == [true, false, true, false])
  }

  static let wrongRows: [(text: String, words: String)] = [
    (row(0, action: 5), ":2: clip forehand: expected a whole number from 0 to 4 in column action_gt_num, found \"5\""),
    (row(0, action: 0) + row(0, action: 0), ":3: expected a frame number from 1 to 10001 in column frame_num"),
    (row(1_099_511_627_776, action: 0), ":2: expected a frame number from 0 to 10000 in column frame_num"),
    (row(0, action: 0).replacing("0.17,", with: "left,"), ":2: expected a number in column REar_x, found \"left\""),
    // However many lines leave out as much as one may: 100 frames for each that is there, and 10,000.
    (
      row(10_000, action: 0) + row(20_000, action: 0),
      ":3: expected a frame number from 10001 to 10100 in column frame_num"
    ),
    ("1,2,3\n", ":2: expected 38 fields, found 3"),
    ("", ":2: expected at least one frame, found a header without rows"),
  ]

  @Test(arguments: wrongRows) func wrongRowsAreNamed(_ rows: String, _ words: String) throws {
    let error = folder.error { _ = try clip(Self.header + rows) }
    #expect(error.hasPrefix("forehand.csv" + words), "\(error)")
  }

  /// 6,946 frames, each 100 after the last, are 694,501 frames of 36 numbers.
  @Test func gapsCountTowardsWhatAClipMayHave() throws {
    let empty = String(repeating: ",", count: 36) + ",0\n"
    let rows = (0..<6946).map { "\(100 * $0)\(empty)" }
    let error = folder.error { _ = try clip(Self.header + rows.joined()) }
    #expect(error.hasPrefix("forehand.csv: expected at most 25000000 numbers in a clip"), "\(error)")
    #expect(error.contains("found 694501 frames"), "\(error)")
  }

  @Test func otherFilesAreLeftOutAndSaid() throws {
    try folder.write(Self.header + Self.row(0, action: 0), to: "match.csv")
    try folder.write("a,b\n1,2\n", to: "notes.csv")
    #expect(TennisStream.recognises(folder.path))
    #expect(TennisStream.recognises(folder.path + "/match.csv"))
    #expect(!TennisStream.recognises(folder.path + "/notes.csv"))
    let source = try #require(try TennisStream.datasets(from: folder.path, options: ImportOptions()).first)
    #expect(source.clipCount == 1)
    #expect(source.remarks == ["left out notes.csv, which has other columns"])
  }

  /// Swings as the files' own labels count them: runs of 26 frames, and one of 1 at the end of a file.
  @Test func theRecordings() throws {
    guard let path = Shared.recordings("tennis-stream") else { return }
    let source = try #require(try TennisStream.datasets(from: path, options: ImportOptions()).first)
    let swings = try source.clips().map { [$0.labels.intervals.count, $0.labels.events.count] }
    #expect(swings == [[55, 55], [39, 38], [57, 57], [43, 43]])
  }

  /// As spreadsheets on Windows save it.
  @Test func byteOrderMarksAndLineEndsChangeNothing() throws {
    let text = Self.header + (0..<40).map { Self.row($0, action: $0 < 26 ? 1 : 0) }.joined()
    let plain = try clip(text)
    let saved = try clip("\u{FEFF}" + text.replacing("\n", with: "\r\n"))
    #expect(saved.keypoints?.values.map(\.bitPattern) == plain.keypoints?.values.map(\.bitPattern))
    #expect(saved.labels == plain.labels)
    #expect(TennisStream.recognises(folder.path))
  }
}
