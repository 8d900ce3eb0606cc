import Datasets
import Importers
import PoseModel
import TestSupport
import Testing

@Suite struct GolfSwingTests {
  let folder: ImportFolder

  init() throws { folder = try ImportFolder() }

  static let events =
    "id,player,sex,club,view,slow,fps,address,toe_up,mid_backswing,top,mid_downswing,impact,mid_follow_through,finish\n"
  static let header =
    "frame,"
    + Skeleton.blazePose33.keypoints.map { "\($0)_x,\($0)_y,\($0)_z,\($0)_visibility" }.joined(separator: ",") + "\n"

  /// In frame f, landmark k has x = f / 100, y = k / 100, z = -0.5 and visibility 0.75.
  static func poses(_ frames: [Int]) -> String {
    header
      + frames.map { frame in
        "\(frame)," + (0..<33).map { "\(Double(frame) / 100),\(Double($0) / 100),-0.5,0.75" }.joined(separator: ",")
          + "\n"
      }.joined()
  }

  func source(_ rows: String, poses: String = poses([1, 2, 5, 9])) throws -> any Importer {
    try folder.write(Self.events + rows, to: "events.csv")
    try folder.write(poses, to: "poses/7_poses.csv")
    return try #require(try GolfSwing.datasets(from: folder.path, options: ImportOptions()).first)
  }

  /// Eight events on frames 0 to 9 at 20 frames a second; frames 0, 3, 4, 6, 7 and 8 are absent.
  @Test func timeIsThatOfTheFrames() throws {
    let source = try source("7,ANN BEE,f,iron,face-on,1,20,0,1,2,3,4,5,8,9\n")
    #expect(GolfSwing.recognises(folder.path))
    let clip = try source.clip(0)
    #expect(
      clip.info
        == Clip.Info(name: "7_slow", subject: "ANN BEE", exercise: "golf-swing", view: "front", fps: 20, split: ""))
    let keypoints = try #require(clip.keypoints)
    #expect(keypoints.times == (0...9).map { Microseconds($0 * 50_000) })
    let x = keypoints.values(25, .x)
    #expect(x.map(\.isNaN) == [true, false, false, true, true, false, true, true, true, false])
    #expect(x.last == 0.09)
    #expect(keypoints.values(25, .y).last == 0.25)
    #expect(keypoints.values(25, .z).last == -0.5)
    #expect(keypoints.values(25, .confidence).last == 0.75)
    #expect(
      clip.labels.events.map(\.label) == [
        "address", "toe_up", "mid_backswing", "top", "mid_downswing", "impact", "mid_follow_through", "finish",
      ])
    let times = [0, 1, 2, 3, 4, 5, 8, 9].map { Microseconds($0 * 50_000) }
    #expect(clip.labels.events.map(\.time) == times)
  }

  @Test func aFinishAfterTheLastPoseIsWithinTheClip() throws {
    let clip = try source("7,A,f,iron,other,0,30,0,1,2,3,4,5,8,12\n").clip(0)
    #expect(clip.keypoints?.frameCount == 13)
    #expect(clip.info.name == "7")
    #expect(clip.info.view == "oblique")
  }

  @Test func clipsWithoutPosesAreLeftOutAndSaid() throws {
    let row = "A,f,iron,other,0,30,0,1,2,3,4,5,8,9\n"
    let source = try source("7,\(row)8,\(row)9,\(row)")
    #expect(source.clipCount == 1)
    #expect(source.remarks == ["left out 2 clips without a pose file, such as 8"])
  }

  static let wrongEvents: [(text: String, words: String)] = [
    ("7,A,f,iron,above,0,30,0,1,2,3,4,5,8,9\n", "events.csv:2: clip 7: expected one of down-the-line, face-on, other"),
    ("7,A,f,iron,other,0,30,0,1,2,3,4,5,3,9\n", "events.csv:2: clip 7: expected a frame number from 5"),
    ("7,A,f,iron,other,0,30,0,1,2,top,4,5,8,9\n", "events.csv:2: expected a whole number in column top"),
    ("7,A,f,iron,other,0,0,0,1,2,3,4,5,8,9\n", "events.csv:2: expected 0.01 to 1000 frames a second"),
    ("7,A,f,iron,other\n", "events.csv:2: expected 15 fields, found 5"),
    ("", "events.csv: expected a clip with a pose file, found none"),
  ]

  @Test(arguments: wrongEvents) func wrongEventsAreNamed(_ rows: String, _ words: String) throws {
    let error = folder.error { _ = try source(rows) }
    #expect(error.hasPrefix(words), "\(error)")
  }

  static let wrongPoses: [(text: String, words: String)] = [
    (poses([1, 1]), ":3: expected a frame number from 2 to 10002 in column frame, found \"1\""),
    (poses([1]).replacing("0.32,-0.5", with: "low,-0.5"), ":2: expected a number in column right_foot_index_y"),
    (header + "1,2\n", ":2: expected 133 fields, found 2"),
    (header, ":2: expected at least one frame"),
    ("", ":1: expected a header"),
  ]

  @Test(arguments: wrongPoses) func wrongPosesAreNamed(_ poses: String, _ words: String) throws {
    let source = try source("7,A,f,iron,other,0,30,0,1,2,3,4,5,8,9\n", poses: poses)
    let error = folder.error { _ = try source.clip(0) }
    #expect(error.hasPrefix("poses/7_poses.csv" + words), "\(error)")
  }

  @Test func aFinishFarBeyondThePosesIsNamed() throws {
    let source = try source("7,A,f,iron,other,0,30,0,1,2,3,4,5,8,10010\n")
    let error = folder.error { _ = try source.clip(0) }
    #expect(error.hasPrefix("events.csv: clip 7: expected a finish by frame 10009"), "\(error)")
  }

  @Test func theRecordings() throws {
    guard let path = Shared.recordings("golf-swing") else { return }
    let source = try #require(try GolfSwing.datasets(from: path, options: ImportOptions()).first)
    #expect(source.clipCount == 60)
    let clip = try source.clip(0)
    #expect(clip.info.name == "0")
    // Of the events file's first row: impact on frame 90.
    #expect(clip.labels.events[5] == LabelledInstant(time: Microseconds(3_000_000), label: "impact"))
  }
}
