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
    #"{"left_leg_joint":{"x":0.25,"y":0.75,"conf":0.5,"name":"left_leg_joint"},"head_joint":{"x":0.5,"y":1,"conf":1}}"#,
    #"{"joints":{"leftKnee":{"x":0.25,"y":0.75,"confidence":0.5},"nose":{"x":0.5,"y":1,"confidence":1}}}"#,
    #"{"points":[{"name":"leftKnee","x":0.25,"y":0.75,"confidence":0.5},{"name":"head_joint","x":0.5,"y":1,"confidence":1}]}"#,
  ]) func jointsGoByTheirNames(_ frame: String) throws {
    try folder.write("[\(frame), {}, [\(frame)]]", to: "a.json")
    #expect(Importers.recognising(folder.path).map { $0.format } == ["vision"])
    let source = try AppleVision.only(folder.path, options)
    #expect(source.manifest.coordinates == CoordinateSystem(unit: .image(aspect: 0.5625), yAxis: .up))
    let clip = try source.clip(0)
    #expect(clip.presence == [true, false, true])
    #expect(try clip.place(Self.places.knee, 0) == [0.25, 0.75, 0.5])
    #expect(try clip.place(1, 0)[0].isNaN)
    // The head is above the knee: its y in image heights, which grow downwards, is the smaller one.
    let poses = PoseSequence(
      try #require(clip.keypoints), skeleton: .appleVision19, coordinates: source.manifest.coordinates)
    #expect(poses[.nose, .y, 2] < poses[.leftKnee, .y, 2])
  }

  @Test func framesMayHaveTimes() throws {
    let joint = #""root":{"x":0.5,"y":0.5,"confidence":1}"#
    try folder.write(
      "{\"frames\":[{\"timestamp\":100000.5,\"joints\":{\(joint)}},{\"timestamp\":100000.55,\"joints\":{\(joint)}}]}",
      to: "a.json")
    var options = options
    options.fps = nil
    let (clip, remarks) = try AppleVision.only(folder.path, options).read(0)
    #expect(clip.keypoints?.times.map(\.count) == [0, 50_000])
    #expect(clip.info.fps == 20)
    #expect(remarks.first?.contains("times are relative to the first, 100000.5 s") == true, "\(remarks)")
  }

  @Test func anUnknownJointIsNamed() throws {
    try folder.write(
      #"[{"root":{"x":0.5,"y":0.5,"conf":1},"left_knee_joint":{"x":0.5,"y":0.5,"conf":1}}]"#, to: "a.json")
    let error = folder.error { _ = try AppleVision.only(folder.path, options).clip(0) }
    #expect(
      error.hasPrefix(
        "a.json:1: expected a joint of Apple Vision's body pose at [0].left_knee_joint, found \"left_knee_joint\""),
      "\(error)")
  }

  /// Against a reading by Python's json.
  @Test func theRecording() throws {
    guard let path = Shared.recordings("formats/vision") else { return }
    #expect(Importers.recognising(path).map { $0.format } == ["vision"])
    let clip = try AppleVision.only(path, options).clip(0)
    #expect(clip.presence == [true, true])
    #expect(try clip.place(Self.places.knee, 1) == [0.7474462389945984, 0.8088974356651306, 0.345458984375])
    // The right hand was not found in frame 1.
    #expect(try clip.place(12 - 1, 1)[0].isNaN)
  }
}
