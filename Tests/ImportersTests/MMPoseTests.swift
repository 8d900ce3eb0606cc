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
    #expect(remarks == ["predictions_walk: no person found in 1 of 3 frames; 1 duplicate frame, the first used"])
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
    #expect(
      error
        == "a.json: clip a: expected 17 or 133 keypoints (COCO), 26 or 136 (Halpe), or names in "
        + "meta_info.keypoint_id2name, found 21")
  }

  /// As the inferencer writes a folder of images.
  @Test func imagesAreFramesByTheirNames() throws {
    try folder.write("[]", to: "predictions/walk_0008.json")
    try folder.write("[\(Self.instance(4))]", to: "predictions/walk_0009.json")
    try folder.write("[\(Self.instance(6)), \(Self.instance(400))]", to: "predictions/walk_0011.json")
    #expect(Importers.recognising(folder.path).map { $0.format } == ["mmpose"])
    let source = try MMPose.only(folder.path)
    #expect(source.clipCount == 1)
    let clip = try source.clip(0)
    #expect(clip.info.name == "predictions_walk")
    // From frame 1 on, as a video's.
    #expect(clip.presence == (1...11).map { $0 == 9 || $0 == 11 })
    #expect(try clip.place(0, 8) == [4, 8, 0.5])
    #expect(try clip.place(0, 10) == [6, 12, 0.5])
  }

  /// As the demos write it: MPII's sixteen, of which the pelvis is the root.
  @Test func theMetaInfoNamesKeypoints() throws {
    let names = [
      "right_ankle", "right_knee", "right_hip", "left_hip", "left_knee", "left_ankle", "pelvis", "thorax", "upper_neck",
      "head_top", "right_wrist", "right_elbow", "right_shoulder", "left_shoulder", "left_elbow", "left_wrist",
    ]
    func write(_ names: [String]) throws {
      let listed = names.enumerated().map { "\"\($0)\": \"\($1)\"" }.joined(separator: ", ")
      try folder.write(
        "{\"meta_info\": {\"dataset_name\": \"mpii\", \"num_keypoints\": 16, \"keypoint_id2name\": {\(listed)}}, "
          + "\"instance_info\": [{\"frame_id\": 1, \"instances\": [\(Self.instance(4, keypoints: 16))]}]}", to: "a.json"
      )
    }
    try write(names)
    let source = try MMPose.only(folder.path)
    #expect(source.manifest.skeleton == "common")
    #expect(source.remarks.contains { $0.hasSuffix("not joints of the body: thorax, upper_neck, head_top") })
    let (clip, remarks) = try source.read(0)
    for (index, joint) in [(0, Joint.rightAnkle), (6, .root), (15, .leftWrist)] {
      #expect(try clip.place(joint.index, 0) == [4 + Float(index), 8 + Float(index), 0.5])
    }
    // Halfway between the shoulders, keypoints 12 and 13.
    #expect(try clip.place(Joint.neck.index, 0) == [16.5, 20.5, 0.5])
    #expect(try clip.place(Joint.nose.index, 0)[0].isNaN)
    // Of the fourteen that it has, none is lost.
    #expect(remarks.isEmpty)
    try write(names.map { "finger of the \($0)" })
    let error = folder.error { _ = try MMPose.only(folder.path) }
    #expect(error.hasPrefix("a.json: clip a: expected keypoints in meta_info that are joints of the body"), "\(error)")
  }

  /// Goliath's 308 keypoints, whose 62nd is the left wrist, in a file an image.
  @Test func sapiensFramesAreFiles() throws {
    for frame in 1...2 {
      try folder.write("{\"instance_info\": [\(Self.instance(4, keypoints: 308))]}", to: "walk/00000\(frame).json")
    }
    let source = try MMPose.only(folder.path)
    #expect(source.clipCount == 1)
    let clip = try source.clip(0)
    #expect(clip.presence == [true, true])
    #expect(try clip.place(Joint.leftWrist.index, 1) == [66, 70, 0.5])
    #expect(try clip.place(Joint.leftHip.index, 1) == [13, 17, 0.5])
  }

  @Test func posesInSpaceAreRefused() throws {
    let places = [String](repeating: "[0.1, 0.2, 0.9]", count: 17).joined(separator: ",")
    let scores = [String](repeating: "1", count: 17).joined(separator: ",")
    try folder.write(
      "[{\"frame_id\": 0, \"instances\": [{\"keypoints\": [\(places)], \"keypoint_scores\": [\(scores)]}]}]",
      to: "a.json")
    let error = folder.error { _ = try MMPose.only(folder.path) }
    #expect(error.hasSuffix("found 3D keypoints, which are in no image"), "\(error)")
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
