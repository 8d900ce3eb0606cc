import Datasets
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
    #expect(remarks == ["labels_walk: 8 of 11 frames are not there: nobody"])
  }

  @Test func visibilityMayBeAbsentAndLabelsAreScaled() throws {
    try folder.write(Self.line(10, visibility: nil), to: "a_1.txt")
    #expect(try YOLOPose.only(folder.path, options).clip(0).place(1, 0) == [0.11, 0.12])
    try folder.write(Self.line(10, visibility: "2"), to: "a_1.txt")
    #expect(try YOLOPose.only(folder.path, options).clip(0).place(1, 0) == [0.11, 0.12, 1])
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
    let error = folder.error { _ = try YOLOPose.only(folder.path) }
    #expect(error.hasSuffix("add --size WxH (of the image, in pixels)"), "\(error)")
  }

  @Test func wrongLinesAreNamed() throws {
    try folder.write(Self.line(10) + "0 0.5 0.5 0.2 0.8 x\n", to: "a_1.txt")
    #expect(
      folder.error { _ = try YOLOPose.only(folder.path, options).clip(0) }
        == "a_1.txt:2: expected numbers with spaces between them, found \"x\"")
    try folder.write(Self.line(10) + "0 0.5 0.5 0.2 0.8 0.1\n", to: "a_1.txt")
    let error = folder.error { _ = try YOLOPose.only(folder.path, options).clip(0) }
    #expect(error.hasPrefix("a_1.txt:2: ") && error.hasSuffix("39 to 41 or 56 to 58 values, found 6"), "\(error)")
  }

  @Test func theRecordingHasAnotherModelsKeypoints() throws {
    guard let path = Shared.recordings("formats/yolo") else { return }
    #expect(YOLOPose.recognises(path))
    let error = folder.error { _ = try YOLOPose.only(path, options) }
    #expect(
      error.hasSuffix(
        "image_001.txt:2: expected class, box and COCO's 17 keypoints of 2 or 3 values: 39 to 41 or 56 to 58 values, found 20"
      ))
  }
}
