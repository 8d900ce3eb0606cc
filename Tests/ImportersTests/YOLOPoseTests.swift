import Foundation
import Importers
import PoseModel
import TestSupport
import Testing

@Suite struct YOLOPoseTests {
  let folder: ImportFolder
  let options = said(size: ImageSize("1920x1080"))

  init() throws { folder = try ImportFolder() }

  /// A line with keypoint k at ((x + k) / 100, (x + 2 k) / 100).
  static func line(_ x: Int, visibility: String? = "0.5", extra: String = "") -> String {
    let places = (0..<17).map { keypoint in
      "\(Double(x + keypoint) / 100) \(Double(x + 2 * keypoint) / 100)" + (visibility.map { " \($0)" } ?? "")
    }
    return "0 0.5 0.5 0.2 0.8 " + places.joined(separator: " ") + extra + "\n"
  }

  @Test func framesAreFiles() throws {
    for (number, x) in [(1, 10), (2, 20), (11, 30)] { try folder.write(Self.line(x), to: "labels/walk_\(number).txt") }
    #expect(Importers.recognising(folder.path).map { $0.format } == ["yolo-pose"])
    let source = try YOLOPose.only(folder.path, options)
    #expect(source.manifest.coordinates.unit == .image(aspect: 1920.0 / 1080))
    let (clip, remarks) = try source.read(0)
    #expect(clip.info.name == "labels_walk")
    #expect(clip.presence == (1...11).map { [1, 2, 11].contains($0) })
    #expect(try clip.place(16, 1) == [0.36, 0.52, 0.5])
    #expect(remarks == ["labels_walk: 8 of 11 frames are missing: no person"])
  }

  @Test func visibilityMayBeAbsentAndLabelsAreScaled() throws {
    try folder.write(Self.line(10, visibility: nil), to: "a_1.txt")
    #expect(try YOLOPose.only(folder.path, options).clip(0).place(1, 0) == [0.11, 0.12])
    try folder.write(Self.line(10, visibility: "2"), to: "a_1.txt")
    #expect(try YOLOPose.only(folder.path, options).clip(0).place(1, 0) == [0.11, 0.12, 1])
  }

  @Test func aNULIsNoText() throws {
    try folder.write(Self.line(10) + "\u{0}\n", to: "a_1.txt")
    #expect(
      folder.error { _ = try YOLOPose.only(folder.path, options).clip(0) }
        == "a_1.txt:2: expected text, found a NUL character")
  }

  /// A pipe among the frames, which would be a frame without anybody if it was left out.
  @Test func aPipeIsNoFrame() throws {
    for number in [1, 3] { try folder.write(Self.line(10), to: "labels/walk_\(number).txt") }
    try #require(mkfifo("\(folder.path)/labels/walk_2.txt", 0o600) == 0)
    #expect(
      folder.error { _ = try YOLOPose.only(folder.path, options) }
        == "labels/walk_2.txt: expected a file that can be read, found a device, pipe or socket")
  }

  @Test func linesMayEndAsOnWindows() throws {
    let text = Self.line(10) + Self.line(50)
    try folder.write(text, to: "a_1.txt")
    let clip = try YOLOPose.only(folder.path, options).clip(0)
    try folder.write(text.replacing("\n", with: "\r\n"), to: "a_1.txt")
    #expect(try YOLOPose.only(folder.path, options).clip(0).keypoints?.values == clip.keypoints?.values)
  }

  @Test func numbersFollowTheKeypoints() throws {
    // Confidence, then number; or number alone.
    try folder.write(Self.line(10, extra: " 0.9 7") + Self.line(40, extra: " 0.8 3"), to: "a_1.txt")
    try folder.write(Self.line(41, extra: " 0.8 3"), to: "a_2.txt")
    let clip = try YOLOPose.only(folder.path, options).clip(0)
    #expect(try [clip.place(0, 0)[0], clip.place(0, 1)[0]] == [0.4, 0.41])
    try folder.write(Self.line(10, extra: " 7") + Self.line(40, extra: " 3"), to: "a_1.txt")
    try folder.write(Self.line(41, extra: " 3"), to: "a_2.txt")
    #expect(try YOLOPose.only(folder.path, options).clip(0).place(0, 0)[0] == 0.4)
  }

  @Test func theImagesSizeIsNeeded() throws {
    try folder.write(Self.line(10), to: "a_1.txt")
    let error = folder.error { _ = try YOLOPose.only(folder.path).clip(0) }
    #expect(error.contains("expected the size of the image, as --size WxH"), "\(error)")
  }

  @Test func wrongLinesAreNamed() throws {
    try folder.write(Self.line(10) + "0 0.5 0.5 0.2 0.8 x\n", to: "a_1.txt")
    #expect(
      folder.error { _ = try YOLOPose.only(folder.path, options).clip(0) }
        == "a_1.txt:2: expected numbers with spaces between them, found \"x\"")
    try folder.write(Self.line(10) + "0 0.5 0.5 0.2 0.8 0.1\n", to: "a_1.txt")
    let error = folder.error { _ = try YOLOPose.only(folder.path, options).clip(0) }
    #expect(error.hasPrefix("a_1.txt:2: ") && error.contains("39 to 41 or 56 to 58 values"), "\(error)")
  }

  /// The line of labels of a racket's tip and four joints, 3 values each, after a comment.
  static let racket = """
    # class x y width height and five keypoints
    0 0.5 0.4 0.8 0.6 0.45 0.2 2 0.5 0.25 2 0 0 0 0.5 0.5 2 0.55 0.6 1

    """
  static let dataset = """
    path: ../racket
    train: images/train
    kpt_shape: [5, 3]
    flip_idx: [1, 0, 2, 4, 3]
    names: { 0: person }
    kpt_names:
      0: [LShoulder, Right Shoulder, racket tip, hip_l, right-hip]

    """

  @Test(arguments: ["", "labels", "labels/train"]) func theDatasetsFileNamesKeypoints(_ from: String) throws {
    try folder.write(Self.racket, to: "labels/train/serve_1.txt")
    try folder.write(Self.dataset, to: "data.yaml")
    let source = try YOLOPose.only("\(folder.path)/\(from)", options)
    #expect(source.manifest.skeleton == "common")
    #expect(
      source.remarks.contains {
        $0.hasSuffix("data.yaml, except those that are not joints of the body: racket tip")
      })
    let (clip, remarks) = try source.read(0)
    #expect(try clip.place(Joint.leftShoulder.index, 0) == [0.45, 0.2, 1])
    #expect(try clip.place(Joint.rightShoulder.index, 0) == [0.5, 0.25, 1])
    #expect(try clip.place(Joint.leftHip.index, 0) == [0.5, 0.5, 1])
    #expect(try clip.place(Joint.rightHip.index, 0) == [0.55, 0.6, 0.5])
    #expect(try clip.place(Joint.leftKnee.index, 0)[0].isNaN)
    #expect(
      remarks.count == 1 && remarks[0].hasSuffix("_serve: lines that begin with # are left out")
        || from.hasSuffix("train"))
  }

  @Test func aMappingGoesBeforeTheDatasetsFile() throws {
    try folder.write(Self.racket, to: "labels/serve_1.txt")
    try folder.write(Self.dataset, to: "data.yaml")
    try folder.write("kpt_names: [nose, left_ear, right_ear, left_wrist, right_wrist]\n", to: "mine.yml")
    var named = options
    named.mapping = folder.path + "/mine.yml"
    let source = try YOLOPose.only(folder.path, named)
    #expect(try source.clip(0).place(Joint.nose.index, 0) == [0.45, 0.2, 1])
    // What the mapping says is part of what tells one import from another.
    let plain = try YOLOPose.only(folder.path, options)
    #expect(try source.digest() != plain.digest())
  }

  @Test(arguments: [
    ("kpt_shape: [5, 3]\n", "data.yaml:1: expected the names of its 5 keypoints in their order"),
    ("kpt_shape: [4, 3]\nkpt_names: { 0: [nose, neck] }\n", "data.yaml:2: expected 4 names, as in kpt_shape"),
    ("kpt_shape: [2, 3]\nkpt_names: { 0: [tip, handle] }\n", "data.yaml:2: expected joints of the body, each once"),
    ("kpt_shape: [2, 3]\nkpt_names: { 0: [left_hip, l_hip] }\n", "data.yaml:2: expected joints of the body, each once"),
  ]) func wrongNamesAreRefused(_ yaml: String, _ expected: String) throws {
    try folder.write(Self.racket, to: "serve_1.txt")
    try folder.write(yaml, to: "data.yaml")
    let error = folder.error { _ = try YOLOPose.only(folder.path, options) }
    #expect(error.hasPrefix(expected), "\(error)")
  }

  @Test func positionsOutsideAreMissingWithoutVisibilities() throws {
    let line = Self.line(10, visibility: nil).replacing("0.11 0.12", with: "-1 -1")
    try folder.write(line, to: "a_1.txt")
    let clip = try YOLOPose.only(folder.path, options).clip(0)
    #expect(try clip.place(0, 0) == [0.1, 0.1])
    #expect(try clip.place(1, 0).allSatisfy { $0.isNaN })
  }

  @Test func theRecordingNeedsNames() throws {
    guard let path = Shared.recordings("formats/yolo") else { return }
    #expect(YOLOPose.recognises(path))
    let error = folder.error { _ = try YOLOPose.only(path, options) }
    #expect(
      error.contains("image_001.txt:2: expected class, box and 17 keypoints of 2 or 3 values: 39 to 41 or"), "\(error)")
    #expect(error.hasSuffix("are named by the dataset's YAML file (kpt_names) or --mapping, found 20"), "\(error)")
    // The five are nobody's in particular; the places are those of the file's only line.
    try folder.write("kpt_shape: [5, 3]\nkpt_names: [nose, neck, root, tip, left_knee]\n", to: "names.yaml")
    var named = options
    named.mapping = folder.path + "/names.yaml"
    let (clip, remarks) = try YOLOPose.only(path, named).read(0)
    #expect(clip.info.name == "image" && clip.keypoints?.frameCount == 1)
    #expect(try clip.place(Joint.nose.index, 0) == [0.45, 0.2, 1])
    #expect(try clip.place(Joint.root.index, 0) == [0.5, 0.4, 1])
    #expect(try clip.place(Joint.leftKnee.index, 0) == [0.55, 0.6, 0.5])
    #expect(remarks == ["image: lines that begin with # are left out"])
  }
}
