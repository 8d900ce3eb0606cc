import Datasets
import Importers
import PoseModel
import Testing

@Suite struct MMPoseTests {
  let folder: ImportFolder

  init() throws { folder = try ImportFolder() }

  static func instance(_ x: Double, keypoints: Int = 17, extra: String = "") -> String {
    let places = (0..<keypoints).map { "[\(x + Double($0)), \(2 * x + Double($0))]" }
    let scores = [String](repeating: "0.5", count: keypoints)
    return
      #"{"keypoints": [\#(places.joined(separator: ","))], "keypoint_scores": [\#(scores.joined(separator: ","))], "#
      + #""bbox": [[1, 2, 3, 4]], "bbox_score": NaN\#(extra)}"#
  }

  @Test(arguments: [true, false]) func aVideoIsAListOfFrames(_ hasMeta: Bool) throws {
    let frames =
      "[{\"frame_id\": 1, \"instances\": [\(Self.instance(4))]}, {\"frame_id\": 2, \"instances\": []},"
      + " {\"frame_id\": 3, \"instances\": [\(Self.instance(8))]}, {\"frame_id\": 3, \"instances\": []}]"
    let text = hasMeta ? "{\"meta_info\": {\"dataset_name\": \"coco\"}, \"instance_info\": \(frames)}" : frames
    try folder.write(text, to: "predictions/walk.json")
    #expect(Importers.recognising(folder.path).map { $0.format } == ["mmpose"])
    let (clip, remarks) = try MMPose.only(folder.path).read(0)
    #expect(clip.info.name == "predictions_walk")
    #expect(clip.presence == [true, false, true])
    #expect(try clip.place(16, 2) == [24, 32, 0.5])
    #expect(remarks == ["predictions_walk: 1 frames there twice, the first taken"])
  }

  @Test func anImageIsAListOfPeople() throws {
    try folder.write("[\(Self.instance(4))]", to: "a.json")
    let clip = try MMPose.only(folder.path).clip(0)
    #expect(clip.keypoints?.frameCount == 1)
    #expect(try clip.place(0, 0) == [4, 8, 0.5])
  }

  @Test func theBodyOfAWholeBodyIsTaken() throws {
    try folder.write("[\(Self.instance(4, keypoints: 133))]", to: "a.json")
    let clip = try MMPose.only(folder.path).clip(0)
    #expect(clip.keypoints?.keypointCount == 17)
    #expect(try clip.place(16, 0) == [20, 24, 0.5])
  }

  @Test(arguments: [26, 136]) func halpesBodyHasFeet(_ count: Int) throws {
    try folder.write("[\(Self.instance(4, keypoints: count))]", to: "a.json")
    let source = try MMPose.only(folder.path)
    #expect(source.manifest.skeleton == "halpe-26")
    let clip = try source.clip(0)
    // The right heel is the last.
    #expect(Skeleton.halpe26[.rightHeel] == .keypoint(25))
    #expect(try clip.place(25, 0) == [29, 33, 0.5])
  }

  @Test func otherModelsAreRefused() throws {
    try folder.write("[\(Self.instance(4, keypoints: 21))]", to: "a.json")
    let error = folder.error { _ = try MMPose.only(folder.path) }
    #expect(error == "a.json: clip a: expected 17 or 133 keypoints (COCO), or 26 or 136 (Halpe), found 21")
  }

  @Test func wrongFilesAreNamed() throws {
    try folder.write("{\"meta_info\": {}}", to: "a.json")
    #expect(
      folder.error { _ = try MMPose.only(folder.path) }
        == "a.json:1: expected an object with instance_info, found none")
    try folder.write(
      "{\"instance_info\": [{\"frame_id\": 0, \"instances\": [{\"keypoints\": [[1], [2]]}]}]}", to: "a.json")
    let error = folder.error { _ = try MMPose.only(folder.path) }
    #expect(
      error.contains("expected a list of keypoints [x, y] at instance_info[0].instances[0].keypoints"), "\(error)")
  }
}
