import Importers
import PoseModel
import TestSupport
import Testing

@Suite struct AppleVisionTests {
  let folder: ImportFolder
  let options = said(size: ImageSize("1080x1920"))

  init() throws { folder = try ImportFolder() }

  static let places = (knee: 15, head: 0)

  @Test(arguments: [
    #"{"left_leg_joint":{"x":0.25,"y":0.25,"conf":0.5,"name":"left_leg_joint"},"head_joint":{"x":0.5,"y":1,"conf":1}}"#,
    #"{"joints":{"leftKnee":{"x":0.25,"y":0.25,"confidence":0.5},"nose":{"x":0.5,"y":1,"confidence":1}}}"#,
    #"{"points":[{"name":"leftKnee","x":0.25,"y":0.25,"confidence":0.5},{"name":"head_joint","x":0.5,"y":1,"confidence":1}]}"#,
  ]) func jointsGoByTheirNames(_ frame: String) throws {
    let rest = String(repeating: ",\(frame)", count: 4)
    try folder.write("[\(frame), {}, [\(frame)]\(rest)]", to: "a.json")
    #expect(Importers.recognising(folder.path).map { $0.format } == ["keypoints"])
    let source = try KeypointFiles.only(folder.path, options)
    #expect(source.manifest.coordinates == CoordinateSystem(unit: .image(aspect: 0.5625), yAxis: .up))
    let clip = try source.clip(0)
    #expect(clip.presence == [true, false, true, true, true, true, true])
    // The head is above the knee: its y in image heights, which grow downwards, is the smaller one.
    let skeleton = try #require(Skeleton.named(source.manifest.skeleton))
    let poses = PoseSequence(
      try #require(clip.keypoints), skeleton: skeleton, coordinates: source.manifest.coordinates)
    #expect(poses[.leftKnee, .x, 0] == 0.25 * 0.5625)
    #expect(poses[.leftKnee, .confidence, 0] == 0.5)
    #expect(!poses[.leftEye, .x, 0].isFinite)
    #expect(poses[.nose, .y, 2] < poses[.leftKnee, .y, 2])
  }

  @Test func framesMayHaveTimes() throws {
    let joint = #""root":{"x":0.5,"y":0.5,"confidence":1}"#
    try folder.write(
      "{\"frames\":[{\"timestamp\":100000.5,\"joints\":{\(joint)}},{\"timestamp\":100000.55,\"joints\":{\(joint)}}]}",
      to: "a.json")
    var options = options
    options.fps = nil
    let (clip, remarks) = try KeypointFiles.only(folder.path, options).read(0)
    #expect(clip.keypoints?.times.map(\.count) == [0, 50_000])
    #expect(clip.info.fps == 20)
    #expect(remarks.first?.contains("times are relative to the first, 100000.5 s") == true, "\(remarks)")
  }

  /// Of a pair, one name alone is known: the other would be lost.
  @Test func halfAPairIsNamed() throws {
    try folder.write(
      #"[{"left_leg_joint":{"x":0.5,"y":0.5,"conf":1},"right_leg_jiont":{"x":0.5,"y":0.5,"conf":1}}]"#, to: "a.json")
    #expect(
      try KeypointFiles.only(folder.path, options).remarks == [
        "points that are not joints of the body are not used: right_leg_jiont"
      ])
    try folder.write(
      "frame,left_knee_x,left_knee_y,knee_2_right_x,knee_2_right_y\n0,0.5,0.5,0.6,0.5\n", to: "b.csv")
  }

  /// Against a reading by Python's json.
  @Test func theRecording() throws {
    guard let path = Shared.recordings("formats/vision") else { return }
    #expect(Importers.recognising(path).map { $0.format } == ["keypoints"])
    let clip = try KeypointFiles.only(path, options).clip(0)
    #expect(clip.presence == [true, true])
    #expect(try clip.place(Self.places.knee, 1) == [0.7474462389945984, 0.8088974356651306, 0.345458984375])
    // The right hand was not found in frame 1.
    #expect(try clip.place(12 - 1, 1)[0].isNaN)
  }
}
