import Datasets
import Files
import Foundation
import Importers
import PoseModel
import TestSupport
import Testing

/// On a folder made by hand: two videos of 4 frames.
@Suite final class RepCountPoseTests {
  let folder = NSTemporaryDirectory() + "repcount-" + UUID().uuidString

  init() throws {
    try FileManager.default.createDirectory(atPath: folder + "/poses", withIntermediateDirectories: true)
    try write("fps.csv", "name,fps\na1.mp4,20\nb2.mp4,25.5\n")
    try write("annotation.csv", ",type,name,count,L1,L2,L3,L4\n1,squant,a1.mp4,1,0,3,,\n2,pull_up,b2.mp4,2,0,1,1,3\n")
    try pose("a1")
    try pose("b2")
  }

  deinit { try? FileManager.default.removeItem(atPath: folder) }

  func write(_ name: String, _ text: String) throws {
    try Data(text.utf8).write(to: URL(fileURLWithPath: "\(folder)/\(name)"))
  }

  /// Frame f, landmark k has x = f, y = k, z = −f; the nose of frame 2 is missing.
  func pose(_ name: String, frames: Int = 4, landmarks: Int = 33) throws {
    var values: [Float] = []
    for frame in 0..<frames {
      for landmark in 0..<landmarks {
        let x: Float = frame == 2 && landmark == 0 ? .nan : Float(frame)
        values += [x, Float(landmark), -Float(frame)]
      }
    }
    let array = NumpyArray(shape: [frames, landmarks, 3], values: values)
    try array.encoded.write(to: URL(fileURLWithPath: "\(folder)/poses/\(name).npy"))
  }

  @Test func readsVideosRepsAndPoses() throws {
    let source = try RepCountPose(from: folder, name: nil)
    #expect(source.manifest.name == "repcount-pose")
    #expect(source.manifest.origin == .recorded)
    #expect(source.clipCount == 2)
    #expect(source.remarks.isEmpty)
    let squat = try source.clip(0)
    #expect(squat.info == Clip.Info(name: "a1", subject: "a1", exercise: "squat", view: "", fps: 20, split: "test"))
    // Frames 0 and 3 at 20 fps.
    #expect(squat.labels.reps == [Rep(start: .zero, end: Microseconds(150_000))])
    let keypoints = try #require(squat.keypoints)
    #expect(keypoints.times == [0, 50_000, 100_000, 150_000].map { Microseconds($0) })
    let kneeY = try #require(keypoints.column(25, .y))
    let noseX = try #require(keypoints.column(0, .x))
    let hipZ = try #require(keypoints.column(23, .z))
    #expect(Array(kneeY) == [25, 25, 25, 25])
    #expect(noseX.map(\.isNaN) == [false, false, true, false])
    #expect(Array(hipZ) == [0, -1, -2, -3])
    let pullUp = try source.clip(1)
    #expect(pullUp.info.exercise == "pull-up")
    #expect(pullUp.labels.repCount == 2)
    #expect(pullUp.labels.reps?.last == Rep(start: Microseconds(39_216), end: Microseconds(117_647)))
  }

  @Test func repsWithoutLengthAreLeftOutAndSaid() throws {
    try write("annotation.csv", ",type,name,count,L1,L2,L3,L4\n1,squat,a1.mp4,2,0,3,3,3\n")
    let source = try RepCountPose(from: folder, name: "mine")
    #expect(source.manifest.name == "mine")
    #expect(source.remarks.count == 1)
    #expect(source.remarks.first?.contains("a1: omitted 1 of 2") == true)
    #expect(try source.clip(0).labels.repCount == 1)
  }

  @Test(arguments: [
    (
      "1,squat,a1.mp4,2,0,3,1,",
      "annotation.csv:2: clip a1: expected a first and a last frame for each rep, found 3 frames"
    ),
    ("1,squat,a1.mp4,x,0,3,,", "annotation.csv:2"),
    ("1,squat,a1.mp4,1,0,deep,,", "annotation.csv:2"),
    (
      "1,squat,a1.mp4,1,0,1.5,,",
      "annotation.csv:2: clip a1: expected a frame number from 0 in column L2, found \"1.5\""
    ),
    (
      "1,squat,../a1.mp4,1,0,3,,",
      "annotation.csv:2: expected a name of up to 200 letters, digits, '.', '_' and '-' that does not"
    ),
    ("1,squat,zz.mp4,1,0,3,,", "annotation.csv:2: clip zz: expected its frame rate in"),
    ("1,squat,a1.mp4,1,0,3,,,7", "annotation.csv:2: expected 8 fields, found 9"),
    (
      "1,squat,a1.mp4,1,0,3,,\n2,squat,a1.mp4,1,0,3,,",
      "annotation.csv:3: clip a1: expected each video once, found it also on line 2"
    ),
  ])
  func wrongAnnotationsAreNamed(_ rows: String, _ words: String) throws {
    try write("annotation.csv", ",type,name,count,L1,L2,L3,L4\n\(rows)\n")
    let error = #expect(throws: DataError.self) { try RepCountPose(from: folder, name: nil) }
    #expect(error?.description.contains(words) == true, "\(String(describing: error))")
  }

  /// With 3 frames the rep that ended on frame 3 ends on the last one, and one that begins there is gone.
  @Test func repsBeyondThePosesAreCutOrLeftOut() throws {
    try pose("a1", frames: 3)
    try write("annotation.csv", ",type,name,count,L1,L2,L3,L4\n1,squat,a1.mp4,2,0,3,3,9\n")
    let source = try RepCountPose(from: folder, name: nil)
    #expect(source.remarks.first?.contains("a1: omitted 1 of 2") == true)
    #expect(try source.clip(0).labels == GroundTruth(reps: [Rep(start: .zero, end: Microseconds(100_000))]))
  }

  @Test(arguments: ["1,squat,a1.mp4,3,0,1,1,3", "1,squat,a1.mp4,2,0,2,1,3"])
  func marksThatDoNotFitLeaveTheCount(_ row: String) throws {
    try write("annotation.csv", ",type,name,count,L1,L2,L3,L4\n\(row)\n")
    let source = try RepCountPose(from: folder, name: nil)
    #expect(source.remarks.count == 1)
    let labels = try source.clip(0).labels
    #expect(labels.reps == nil)
    #expect(labels.repCount == (row.contains("mp4,3") ? 3 : 2))
  }

  @Test func aVideoWithoutRepsHasNone() throws {
    try write("annotation.csv", ",type,name,count,L1,L2\n1,squat,a1.mp4,0,,\n")
    #expect(try RepCountPose(from: folder, name: nil).clip(0).labels == GroundTruth(reps: []))
  }

  @Test func posesOfAnotherShapeAreNamed() throws {
    try pose("a1", landmarks: 17)
    let source = try RepCountPose(from: folder, name: nil)
    let error = #expect(throws: DataError.self) { try source.clip(0) }
    #expect(
      error?.description
        == "\(folder)/poses/a1.npy: clip a1: expected frames x 33 x 3 or frames x 99 values, found 4 x 17 x 3")
  }

  @Test func withoutRatesThoseOfTheOptionOrThirtyCount() throws {
    try FileManager.default.removeItem(atPath: folder + "/fps.csv")
    let assumed = try RepCountPose(from: folder, name: nil)
    #expect(assumed.remarks == ["the frame rate is unknown: assumed 30 a second; change it: --fps N"])
    #expect(try assumed.clip(0).keypoints?.times.last == Microseconds(100_000))
    let given = try RepCountPose(from: folder, name: nil, fps: 10)
    #expect(given.remarks.isEmpty)
    #expect(try given.clip(1).keypoints?.times.last == Microseconds(300_000))
    #expect(try assumed.digest() != given.digest())
  }

  @Test func theOptionIsForVideosWithoutARate() throws {
    try write("fps.csv", "name,fps\na1.mp4,20\n")
    let source = try RepCountPose(from: folder, name: nil, fps: 10)
    #expect(try [source.clip(0).info.fps, source.clip(1).info.fps] == [20, 10])
    #expect(source.remarks == ["--fps is only for videos that fps.csv does not list"])
  }

  /// Countix-Fitness: counts alone in rows of any length up to the header's, lines without a word, no rates, and poses
  /// of 99 numbers a frame in another folder. A training table of other columns is not an annotation.
  @Test func countsAloneInShortRows() throws {
    for file in ["annotation.csv", "fps.csv"] { try FileManager.default.removeItem(atPath: "\(folder)/\(file)") }
    for name in ["annotation", "test_poses"] {
      try FileManager.default.createDirectory(atPath: "\(folder)/\(name)", withIntermediateDirectories: true)
    }
    let header = ",type,name,count," + (1...302).map { "L\($0)" }.joined(separator: ",")
    let rows = [
      "0,pull_ups,pull_up017.mp4,6,,,", "1,rope_pushdown,rope1.mp4,12", "2,lunge,lunge1.mp4,3,,",
      "3,sit_up,sit1.mp4,0,,,,,", ",,,", "4,bench_pressing,gone1.mp4,8,", "", "",
    ]
    try write("annotation/test.csv", ([header] + rows).joined(separator: "\n"))
    try write("annotation/pose_train.csv", "type,name,L1,L2\nsquat,x.mp4,1,2\n")
    for name in ["pull_up017", "rope1", "lunge1", "sit1"] {
      let values = (0..<2).flatMap { frame in (0..<99).map { Float(frame * 99 + $0) } }
      try NumpyArray(shape: [2, 99], values: values).encoded
        .write(to: URL(fileURLWithPath: "\(folder)/test_poses/\(name).npy"))
    }
    #expect(Importers.recognising(folder).map { $0.format } == ["repcount-pose"])
    let source = try RepCountPose(from: folder, name: "countix", fps: 25)
    #expect(source.remarks == ["omitted 1 of 5 annotated videos, which have no poses: gone1"])
    let clips = try source.clips()
    #expect(clips.map(\.info.exercise) == ["pull-up", "rope-pushdown", "lunge", "sit-up"])
    #expect(clips.map(\.labels.repCount) == [6, 12, 3, 0])
    #expect(clips.map { $0.labels.reps?.count } == [nil, nil, nil, 0])
    #expect(clips.allSatisfy { $0.info.split == "test" && $0.info.fps == 25 })
    // Landmark 2 of frame 1: 99 + 2 x 3.
    #expect(clips[0].keypoints?.values(2, .x) == [6, 105])
    #expect(clips[0].keypoints?.times == [.zero, Microseconds(40_000)])
  }

  @Test func aVideoOfTwoAnnotationsIsNamed() throws {
    try FileManager.default.createDirectory(atPath: folder + "/annotation", withIntermediateDirectories: true)
    for part in ["train", "test"] { try write("annotation/\(part).csv", "type,name,count\nsquat,a1.mp4,3\n") }
    try FileManager.default.removeItem(atPath: folder + "/annotation.csv")
    let error = #expect(throws: DataError.self) { try RepCountPose(from: folder, name: nil) }
    #expect(
      error?.description
        == "\(folder)/annotation/test.csv:2: clip a1: expected each video once, found it also on line 2 of "
        + "\(folder)/annotation/train.csv")
  }

  @Test func framesWhoseAxesWereScaledAloneAreSaid() throws {
    let values = (0..<66).map { Float($0 % 33) / 32 }.flatMap { [$0, 1 - $0, $0] }
    try NumpyArray(shape: [2, 33, 3], values: values).encoded
      .write(to: URL(fileURLWithPath: folder + "/poses/a1.npy"))
    try write("annotation.csv", "type,name,count\nsquat,a1.mp4,3\n")
    let remark = try RepCountPose(from: folder, name: nil).remarks.first
    #expect(remark?.hasPrefix("x and y of each frame span 0 to 1") == true)
  }

  /// Not one video has poses.
  @Test func absentPosesAreNamed() throws {
    try write("annotation.csv", "type,name,count\nsquat,a1x.mp4,3\n")
    let error = #expect(throws: DataError.self) { try RepCountPose(from: folder, name: nil, fps: 30) }
    #expect(
      error?.description
        == "\(folder)/poses: expected poses of the annotated videos, such as a1x.npy, found none")
  }

  /// The recordings, where they are: the numbers of the set's own description and of its annotation file.
  /// Against a reading by Python's csv and numpy. Of 1442 reps, ten of stu4_5 lie beyond the end of its video.
  @Test func theRecordings() throws {
    guard let path = Shared.recordings("repcount-pose") else { return }
    let source = try RepCountPose(from: path, name: nil)
    #expect(source.clipCount == 82)
    let clips = try source.clips()
    let exercises = Dictionary(grouping: clips, by: \.info.exercise).mapValues(\.count)
    #expect(
      exercises == [
        "squat": 8, "bench-press": 10, "front-raise": 8, "jumping-jack": 15, "pommel-horse": 9, "pull-up": 11,
        "push-up": 9, "sit-up": 11, "others": 1,
      ])
    #expect(source.remarks.count == 1)
    let last = try #require(clips.first { $0.info.name == "stu6_65" })
    #expect(last.labels.repCount == 19)
    #expect(last.keypoints?.frameCount == 990)
    #expect(clips.compactMap(\.labels.repCount).reduce(0, +) == 1432)
    let squat = try #require(clips.first { $0.info.name == "stu8_70" })
    #expect(squat.labels.reps?.count == 4 && squat.info.fps == 29.97)
    #expect(squat.labels.reps?.first?.start == Microseconds(14_647_981))
    #expect(squat.labels.reps?[1].end == Microseconds(27_327_327))
    let keypoints = try #require(squat.keypoints)
    #expect(keypoints.frameCount == 1499)
    #expect(keypoints.values(0, .x).count(where: \.isNaN) == 48)
    let found = [Channel.x, .y, .z].flatMap { [keypoints.values(25, $0)[10], keypoints.values(15, $0)[749]] }
    let expected: [Float] = [0.133242, 0.474289, 1.084962, 0.453285, 0.807174, 0.412468]
    #expect(zip(found, expected).allSatisfy { abs($0 - $1) < 1e-6 }, "\(found)")
  }
}
