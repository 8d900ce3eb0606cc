import Datasets
import Foundation
import Importers
import PoseModel
import TestSupport
import Testing

@Suite struct AcclaimMotionTests {
  let folder: ImportFolder

  init() throws { folder = try ImportFolder() }

  static func bone(_ name: String, _ direction: String, _ length: Int, axis: String = "0 0 0 XYZ", dof: String = "")
    -> String
  {
    """
      begin
         id 1
         name \(name)
         direction \(direction)
         length \(length)
         axis \(axis)
         \(dof.isEmpty ? "" : "dof \(dof)")
         limits (-10.0 10.0)
      end

    """
  }

  /// Thighs and shanks of 16 inches, written at half their length; the right thigh's own x axis is the world's y.
  static let skeleton =
    """
    # made by hand
    :version 1.10
    :units
      mass 1.0
      length 0.5
      angle deg
    :root
      order TX TY TZ RX RY RZ
      axis XYZ
      position 0 0 0
      orientation 0 0 0
    :bonedata

    """
    + bone("lhipjoint", "1 0 0", 2) + bone("rhipjoint", "-1 0 0", 2) + bone("lfemur", "0 -2 0", 8, dof: "rx rz")
    + bone("rfemur", "0 -1 0", 8, axis: "0 0 90 XYZ", dof: "rx") + bone("ltibia", "0 -1 0", 8, dof: "rx")
    + bone("rtibia", "0 -1 0", 8) + bone("lclavicle", "1 0 0", 4) + bone("rclavicle", "-1 0 0", 4)
    + bone("spine", "0 1 0", 24)
      + """
      :hierarchy
        begin
          root lhipjoint rhipjoint spine
          spine lclavicle rclavicle
          lhipjoint lfemur
          lfemur ltibia
          rhipjoint rfemur
          rfemur rtibia
        end

      """

  /// The root at 40 of 80 half inches; the left thigh bent forwards and turned, the right one turned about its own x.
  static func frame(_ number: Int) -> String {
    "\(number)\nroot 0 40 0 0 0 0\nlfemur -90 0\nrfemur -90\nltibia 90\n"
  }
  static let head = "#!OML:ASF x\n:FULLY-SPECIFIED\n:DEGREES\n"

  func source(
    _ motion: String, skeleton: String = skeleton, options: ImportOptions = .capture()
  ) throws -> any Importer {
    try folder.write(skeleton, to: "02.asf")
    try folder.write(motion, to: "02_01.amc")
    return try #require(try AcclaimMotion.datasets(from: folder.path, options: options).first)
  }

  /// Lengths are twice what is written, in inches: hips at 4 beside 80, knees and ankles 16 on.
  @Test func bonesFollowTheSkeleton() throws {
    let source = try source(Self.head + Self.frame(1) + Self.frame(2))
    let clip = try source.clip(0)
    #expect(clip.info == Clip.Info(name: "02_01", subject: "02", exercise: "squat", view: "", fps: 120, split: ""))
    #expect(clip.keypoints?.times == [.zero, Microseconds(frame: 1, rate: 120)])
    let expected: [(String, Double, Double, Double)] = [
      ("left_hip", 4, 80, 0), ("left_knee", 4, 80, 16), ("left_ankle", 4, 64, 16), ("right_hip", -4, 80, 0),
      ("right_knee", -4, 64, 0), ("right_ankle", -4, 48, 0), ("left_shoulder", 8, 128, 0),
    ]
    for (joint, x, y, z) in expected {
      let place = try clip.place(joint, frame: 1)
      #expect((place - SIMD3(x, y, -z) * 0.0254).length < 1e-6, "\(joint) \(place)")
    }
  }

  /// A finite number, but none of single precision.
  @Test func aPlaceBeyondEveryRoomIsRefused() throws {
    let motion = Self.frame(1) + Self.frame(2).replacing("root 0", with: "root 1e140")
    let error = folder.error { _ = try source(Self.head + motion).clip(0) }
    #expect(
      error.contains("clip 02_01: expected joints within 1,000 km of the origin, found one at 5.08e+138 m in frame 1"),
      "\(error)")
  }

  /// Angles about fixed axes: x first turns (0, −1, 0) to (0, 0, 1), which z leaves alone; z first would turn it to x.
  @Test func anglesTurnInTheirOrder() throws {
    let motion = Self.frame(1).replacing("lfemur -90 0", with: "lfemur -90 90")
    let clip = try source(Self.head + motion).clip(0)
    #expect(try (clip.place("left_knee") - SIMD3(4, 80, -16) * 0.0254).length < 1e-6)
  }

  @Test func framesMayBeLeftOut() throws {
    let motion = Self.head + [3, 4, 5, 8].map(Self.frame).joined()
    let (clip, remarks) = try source(motion, options: .capture(fps: 100)).read(0)
    #expect(clip.keypoints?.times == [0, 10_000, 20_000, 50_000].map { Microseconds($0) })
    #expect(remarks == ["02_01: frames lie 10 to 30 ms apart"])
  }

  static let withoutSkeleton =
    "04_01.amc: expected 04_01.asf, or 04.asf, or a single .asf file beside it, found 02.asf, 03.asf"

  /// Others can still be imported.
  @Test func aMotionThatCanNotBeReadIsAClipThatCanNotBeRead() throws {
    try folder.write(Self.skeleton, to: "02.asf")
    try folder.write(Self.skeleton, to: "03.asf")
    try folder.write(Self.head + Self.frame(1), to: "02_01.amc")
    try folder.write(Self.head + Self.frame(1), to: "04_01.amc")
    try folder.write(Self.head, to: "03_01.amc")
    let source = try #require(try AcclaimMotion.datasets(from: folder.path, options: .capture()).first)
    #expect(source.clipCount == 3)
    #expect(try source.clip(0).info.name == "02_01")
    #expect(
      folder.error { _ = try source.clip(1) } == "03_01.amc: clip 03_01: expected at least one frame, found none")
    #expect(folder.error { _ = try source.clip(2) } == Self.withoutSkeleton)
    let digest = try source.digest()
    try folder.write(Self.head + Self.frame(1), to: "03_01.amc")
    let mended = try #require(try AcclaimMotion.datasets(from: folder.path, options: .capture()).first)
    #expect(try mended.clip(1).info.name == "03_01")
    #expect(try mended.digest() != digest)
  }

  @Test func ifNoMotionCanBeReadAllAreNamed() throws {
    try folder.write(Self.skeleton, to: "02.asf")
    try folder.write(Self.skeleton, to: "03.asf")
    try folder.write(Self.head + Self.frame(1), to: "04_01.amc")
    try folder.write(Self.head, to: "03_01.amc")
    let words = folder.error { _ = try AcclaimMotion.datasets(from: folder.path, options: .capture()) }
    #expect(
      words == """
        03_01.amc: clip 03_01: expected at least one frame, found none
        and no other file can be read either:
        \(Self.withoutSkeleton)
        """, "\(words)")
  }

  /// y is up in the format: who is turned by 90 degrees about z at the hips, at 80 inches, lies along -x.
  @Test func someoneWhoLiesNeedsNoWord() throws {
    let lying = Self.frame(1).replacing("root 0 40 0 0 0 0", with: "root 0 40 0 0 0 90")
    let source = try source(Self.head + lying)
    #expect(source.remarks.contains("02_01.amc: the person lies; y points up, as the format says"))
    #expect(try (source.clip(0).place("left_shoulder") - SIMD3(-48, 88, 0) * 0.0254).length < 1e-6)
  }

  /// What stands first in a frame may stand last in the next, with a bone that never moves left out of both.
  @Test func bonesMayComeInAnyOrder() throws {
    let reversed = "2\nltibia 90\nRFEMUR -90\nlfemur -90 0\nroot 0 40 0 0 0 0\n"
    let one = try source(Self.head + Self.frame(1) + Self.frame(2)).clip(0)
    let other = try source((Self.head + Self.frame(1) + reversed).replacing("\n", with: "\r\n")).clip(0)
    #expect(one.keypoints?.values.map(\.bitPattern) == other.keypoints?.values.map(\.bitPattern))
  }

  static let wrongFiles: [(motion: String, skeleton: String, words: String)] = [
    (head, skeleton, "clip 02_01: expected at least one frame, found none"),
    (head + frame(2) + frame(2), skeleton, "02_01.amc:9: expected a frame from 3 to 10002, found 2"),
    (head + frame(1) + frame(1 << 40), skeleton, "02_01.amc:9: expected a frame up to 1000000000, found 1099511627776"),
    (head + frame(1) + "tail 1\n", skeleton, "02_01.amc:9: expected a bone of"),
    (head + frame(1) + "ltibia 1\n", skeleton, "02_01.amc:9: expected each bone once in a frame, found ltibia"),
    (head + frame(1).replacing("ltibia 90\n", with: ""), skeleton, "expected every bone that moves, found no ltibia"),
    (
      head + frame(1).replacing("ltibia 90", with: "ltibia 90 1"), skeleton,
      ":8: expected 1 numbers for ltibia, found 2"
    ),
    (head + frame(1).replacing("ltibia 90", with: "ltibia inf"), skeleton, ":8: expected a number, found inf"),
    (
      head + frame(1), skeleton.replacing("root lhipjoint", with: "root ltail"),
      "expected bones of :bonedata, found ltail"
    ),
    (
      head + frame(1), skeleton.replacing("root lhipjoint", with: "ltibia lhipjoint"),
      "02.asf: expected every bone to descend from the root, found lhipjoint that does not"
    ),
    (
      head + frame(1), skeleton.replacing("rfemur rtibia", with: "rfemur ltibia"),
      "expected each bone to have one parent, found ltibia again"
    ),
    (
      head + frame(1), skeleton.replacing("dof rx rz", with: "dof tx"),
      "expected degrees of freedom rx, ry and rz only, as bones can only turn, found tx"
    ),
    (
      head + frame(1), skeleton.replacing("0 -2 0", with: "0 0 0"),
      "02.asf: expected a direction of lfemur, found 0 0 0"
    ),
    (
      head + frame(1), skeleton.replacing("length 0.5", with: "length -1"),
      "02.asf:5: expected a unit of length above 0, found -1.0"
    ),
    (head + frame(1), String(skeleton.prefix(600)), "02.asf"),
    (
      head + frame(1) + String(repeating: " ", count: 70_000), skeleton,
      "expected lines of at most 65536 bytes, found a longer one"
    ),
  ]

  @Test(arguments: wrongFiles) func wrongFilesAreNamed(_ motion: String, _ skeleton: String, _ words: String) throws {
    let error = folder.error { _ = try source(motion, skeleton: skeleton).clip(0) }
    #expect(error.contains(words), "\(error)")
  }

  @Test func aMotionNeedsItsSkeleton() throws {
    try folder.write(Self.head + Self.frame(1), to: "13_30.amc")
    try folder.write(Self.skeleton, to: "1.asf")
    try folder.write(Self.skeleton, to: "2.asf")
    let error = folder.error { _ = try AcclaimMotion.datasets(from: folder.path + "/13_30.amc", options: .capture()) }
    #expect(error == "13_30.amc: expected 13_30.asf, or 13.asf, or a single .asf file beside it, found 1.asf, 2.asf")
  }

  /// Positions by forward kinematics in numpy.
  @Test func theRecording() throws {
    guard let path = Shared.recordings("formats/amc") else { return }
    let source = try #require(
      try AcclaimMotion.datasets(from: path + "/02_01.amc", options: .capture("walk")).first)
    let clip = try source.clip(0)
    #expect(clip.keypoints?.frameCount == 343)
    let expected: [(frame: Int, joint: String, x: Double, y: Double, z: Double)] = [
      (0, "left_knee", 0.606986, 0.471853, -1.430407), (0, "right_wrist", 0.329975, 0.949698, -1.47357),
      (171, "left_ankle", 0.575023, 0.08536, -0.025535), (342, "head", 0.618365, 1.601979, 1.626215),
      (342, "right_toe", 0.619801, 0.076834, 2.024788),
    ]
    for (frame, joint, x, y, z) in expected {
      let place = try clip.place(joint, frame: frame)
      #expect((place - SIMD3(x, y, -z)).length < 2e-6, "\(joint) \(place)")
    }
  }
}
