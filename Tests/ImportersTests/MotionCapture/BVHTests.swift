import Datasets
import Importers
import PoseModel
import TestSupport
import Testing

@Suite struct BVHTests {
  let folder: ImportFolder

  init() throws { folder = try ImportFolder() }

  static func leg(_ side: String, _ x: Int) -> String {
    """
    JOINT \(side)UpLeg { OFFSET \(x) 0 0 CHANNELS 3 Zrotation Xrotation Yrotation
      JOINT \(side)Leg { OFFSET 0 -42 0 CHANNELS 1 Xrotation
        JOINT \(side)Foot { OFFSET 0 -40 0 CHANNELS 0
          End Site { OFFSET 0 -5 15 } } } }
    JOINT \(side)Arm { OFFSET \(x * 2) 50 0 CHANNELS 6 Zposition Yposition Xposition Xrotation Yrotation Zrotation
      End Site { OFFSET 0 0 0 } }

    """
  }

  static let hierarchy =
    """
    HIERARCHY
    ROOT Hips { OFFSET 1 2 3 CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation
    JOINT Head { OFFSET 0 0 30 CHANNELS 0
    End Site { OFFSET 0 20 0 } }

    """ + leg("Left", 10) + leg("Right", -10) + "}\n"

  /// Root, left thigh and knee, left arm's place and turn, then the right side.
  static let frame = "-1 88 -3 0 0 0  0 -90 0  90  5 60 25 0 0 0  0 0 0  0  5 60 -25 0 0 0\n"

  static func motion(_ frames: String, count: String = "1", time: String = "0.02") -> String {
    "MOTION\nFrames: \(count)\nFrame Time: \(time)\n" + frames
  }

  func source(_ text: String, _ options: ImportOptions = .capture(subject: "a")) throws
    -> any Importer
  {
    try folder.write(text, to: "walk.bvh")
    return try #require(try BVH.datasets(from: folder.path, options: options).first)
  }

  /// A word's end is not looked for in the whole file, and names do not grow with each level.
  @Test(arguments: [
    (
      "ROOT " + String(repeating: "a", count: 4097),
      ":2: expected words of at most 4096 bytes, found a longer one"
    ),
    (
      "ROOT a {\nEnd Site {\nEnd Site { ", ":4: expected OFFSET, CHANNELS, JOINT, End Site or }, found \"End\""
    ),
  ])
  func hierarchiesWithoutEnd(text: String, message: String) {
    #expect(folder.error { _ = try source("HIERARCHY\n\(text)") } == "walk.bvh\(message)")
  }

  /// In centimetres: the hips stand at 90. The left thigh is bent forwards by 90 degrees, to +z, and the shank back down.
  @Test func jointsFollowTheHierarchy() throws {
    let source = try source(Self.hierarchy + Self.motion(Self.frame))
    let clip = try source.clip(0)
    #expect(clip.info == Clip.Info(name: "walk", subject: "a", exercise: "squat", view: "", fps: 50, split: ""))
    let expected: [(String, Double, Double, Double)] = [
      ("left_hip", 0.10, 0.90, 0), ("left_knee", 0.10, 0.90, 0.42), ("left_ankle", 0.10, 0.50, 0.42),
      ("right_ankle", -0.10, 0.08, 0), ("left_shoulder", 0.25, 1.50, 0.05), ("right_shoulder", -0.25, 1.50, 0.05),
      ("head", 0, 0.90, 0.30),
    ]
    for (joint, x, y, z) in expected {
      // Clips have z away from who looks, the file towards.
      #expect(try (clip.place(joint) - SIMD3(x, y, -z)).length < 1e-6, "\(joint)")
    }
    #expect(source.remarks.contains("walk.bvh: one unit is 0.01 m, judging by the length of the legs"))
  }

  /// Z and X by 90 degrees: the head's (0, 0, 30) turns about x to (0, −30, 0), and that about z to (30, 0, 0).
  @Test func rotationsAreMultipliedInTheOrderOfTheChannels() throws {
    let turned = Self.frame.replacing("-1 88 -3 0 0 0", with: "-1 88 -3 90 90 0")
    let clip = try source(Self.hierarchy + Self.motion(turned), .capture(up: .y)).clip(0)
    #expect(try (clip.place("head") - SIMD3(0.30, 0.90, 0)).length < 1e-6)
  }

  @Test func aFolderThatIsCalledLikeAFileIsLookedInto() throws {
    try folder.write(Self.hierarchy + Self.motion(Self.frame), to: "take1.bvh/walk.bvh")
    let found = try BVH.datasets(from: folder.path, options: .capture(up: .y))
    #expect(found.map(\.clipCount) == [1])
  }

  static let wrongFiles: [(text: String, words: String)] = [
    ("", ":1: expected HIERARCHY, found the end of the file"),
    ("HIERARCHY\nJOINT a {", ":2: expected ROOT or MOTION, found \"JOINT\""),
    ("HIERARCHY\nROOT a { OFFSET 1 2", ":2: expected an offset, found the end of the file"),
    ("HIERARCHY\nROOT a { OFFSET 1 2 nan", ":2: expected an offset, found \"nan\""),
    ("HIERARCHY\nROOT a { CHANNELS 7", ":2: expected 0 to 6 channels, found 7.0"),
    ("HIERARCHY\nROOT a { CHANNELS 1 Wrotation", ":2: expected Xposition … Zrotation, found \"Wrotation\""),
    ("HIERARCHY\nROOT a { OFFSET 0 0 0 MOTION", ":2: expected }, found MOTION"),
    ("HIERARCHY\nROOT a { OFFSET 0 0 0 }\nMOTION\n", ":3: expected channels, found none"),
    (hierarchy + motion(frame, time: "0"), ":20: expected seconds above 0 between frames, found 0.0"),
    (hierarchy + motion(frame, time: "1e-9"), "clip walk: expected 0.01 to 1000 frames a second"),
    (
      hierarchy + motion("1 2\n", count: "1099511627776"),
      "walk.bvh: expected 1099511627776 frames of 26 numbers, as declared, found 0 and 2 more numbers"
    ),
    // All later numbers would be of other joints.
    (
      hierarchy + motion(frame.replacing("-1 88", with: "88") + frame, count: "2"),
      "walk.bvh:21: expected 26 numbers, a frame, in a line, found 25"
    ),
    (
      hierarchy + motion(frame + frame.replacing("-1 88", with: "-1 88 1"), count: "2"),
      "walk.bvh:22: expected 26 numbers, a frame, in a line, found 27"
    ),
    (hierarchy + motion(frame.replacing("88", with: "high")), ":21: expected a number of frame 1, found \"high\""),
    (
      hierarchy + motion(frame + frame.replacing("-1 88", with: "1e300 88"), count: "2"),
      "expected joints within 1,000 km of the origin, found one at 1"
    ),
    (hierarchy.replacing("-42", with: "-4200") + motion(frame), "expected legs of human length in m, mm, cm or in"),
    (hierarchy.replacing("Leg", with: "Tail") + motion(frame), "found Hips, Head, Head_end, LeftUpTail"),
  ]

  @Test(arguments: wrongFiles) func wrongFilesAreNamed(_ text: String, _ words: String) throws {
    let error = folder.error { _ = try source(text).clip(0) }
    #expect(error.contains(words), "\(error)")
  }

  @Test func theFramesThatAreThereCount() throws {
    let more = try source(Self.hierarchy + Self.motion(Self.frame + Self.frame, count: "3"))
    #expect(try more.clip(0).keypoints?.frameCount == 2)
    #expect(more.remarks.contains("walk.bvh: the header says 3 frames, the file has 2, which are read"))
    let cut = try source(Self.hierarchy + Self.motion(Self.frame + "1 2\n"))
    #expect(try cut.clip(0).keypoints?.frameCount == 1)
    #expect(cut.remarks.contains("walk.bvh: line 22 is cut off, with 2 of 26 numbers: its frame is left out"))
  }

  /// A hundred thousand joints within each other are read without as many calls within each other.
  @Test func deepNestingNeedsNoStack() throws {
    let depth = 100_000
    let deep =
      "HIERARCHY\nROOT r { OFFSET 0 0 0 CHANNELS 1 Xrotation\n"
      + String(repeating: "JOINT j { OFFSET 0 0 0\n", count: depth) + String(repeating: "}", count: 1)
    #expect(folder.error { _ = try source(deep) }.contains("expected"))
    let closed =
      "HIERARCHY\nROOT r { OFFSET 0 0 0 CHANNELS 1 Xrotation\n"
      + String(repeating: "JOINT j { OFFSET 0 0 0\n", count: depth) + String(repeating: "}\n", count: depth + 1)
      + Self.motion("0\n")
    #expect(folder.error { _ = try source(closed) }.contains("expected markers of both legs or both arms"))
  }

  /// Positions by forward kinematics in numpy.
  @Test func theRecording() throws {
    guard let path = Shared.recordings("formats/bvh") else { return }
    let source = try #require(try BVH.datasets(from: path, options: .capture()).first)
    let clip = try source.clip(0)
    #expect(clip.keypoints?.frameCount == 795)
    #expect(clip.info.fps == 100)
    let expected: [(frame: Int, joint: String, x: Double, y: Double, z: Double)] = [
      (0, "left_knee", -0.893504, 0.507009, -0.696791), (0, "right_wrist", -1.095976, 0.981991, -0.469756),
      (400, "left_ankle", -0.919809, 0.171385, -0.829409), (794, "right_toe", -1.04679, 0.140122, -0.389099),
      (794, "right_wrist", -1.129275, 0.968591, -0.262941),
    ]
    for (frame, joint, x, y, z) in expected {
      let place = try clip.place(joint, frame: frame)
      #expect((place - SIMD3(x, y, -z)).length < 2e-6, "\(joint) \(place)")
    }
  }
}
