import Datasets
import Importers
import PoseModel
import TestSupport
import Testing

@Suite struct PushFitTests {
  let folder: ImportFolder

  init() throws { folder = try ImportFolder() }

  /// Where a person's keypoints are in an image, each from 0 to 1; frame 1 is a step further.
  static func place(_ keypoint: Int, _ frame: Int) -> (x: Double, y: Double) {
    (0.1 + 0.02 * Double(keypoint % 17) + 0.1 * Double(frame), 0.2 + 0.03 * Double((keypoint * 5) % 17))
  }

  /// What MediaPipe writes, by COCO's names so that both agree, and others in the corner.
  static func mediapipe(frames: Int) -> String {
    let frames = (0..<frames).map { frame in
      let keypoints = Skeleton.blazePose33.keypoints.map { name in
        guard let coco = Skeleton.coco17.keypoints.firstIndex(of: name) else {
          return #"{"x": 0, "y": 0, "z": 0, "visibility": 0.1}"#
        }
        let place = place(coco, frame)
        return #"{"x": \#(place.x), "y": \#(place.y), "z": 0.5, "visibility": 0.9}"#
      }
      return #"{"keypoints": [\#(keypoints.joined(separator: ","))]}"#
    }
    return "[\(frames.joined(separator: ",")), {\"keypoints\": []}]"
  }

  /// What is written of MoveNet for an image of this size: positions in the square to which it was padded, times the
  /// image's own width and height.
  static func movenet(frames: Int, width: Double, height: Double) -> String {
    let side = max(width, height)
    let frames = (0..<frames).map { frame in
      let keypoints = (0..<17).map { keypoint in
        let place = place(keypoint, frame)
        let x = (place.x * width + (side - width) / 2) / side * width
        let y = (place.y * height + (side - height) / 2) / side * height
        return #"{"x": \#(x), "y": \#(y), "score": 0.8}"#
      }
      return #"{"keypoints": [\#(keypoints.joined(separator: ","))]}"#
    }
    return "[\(frames.joined(separator: ",")), {\"keypoints\": []}]"
  }

  func clips() throws -> [Clip] {
    try PushFit.datasets(from: folder.path, options: ImportOptions()).flatMap { try $0.clips() }
  }

  /// The ratio of a slanted line's two extents, nose to left shoulder.
  func slant(_ clip: Clip) throws -> Float {
    let keypoints = try #require(clip.keypoints)
    let shoulder = try #require(
      (keypoints.keypointCount == 33 ? Skeleton.blazePose33 : .coco17).keypoints.firstIndex(of: "left_shoulder"))
    func first(_ keypoint: Int, _ channel: Channel) throws -> Float {
      try #require(keypoints.values(keypoint, channel).first)
    }
    return try (first(shoulder, .x) - first(0, .x)) / (first(shoulder, .y) - first(0, .y))
  }

  @Test(arguments: [(1920.0, 1080.0), (320, 240), (500, 500), (1080, 1920)])
  func theImagesShapeIsFound(_ width: Double, _ height: Double) throws {
    try folder.write(Self.mediapipe(frames: 3), to: "mediapipe/correct/a.json")
    try folder.write(Self.movenet(frames: 3, width: width, height: height), to: "movenet/correct/a.json")
    let clips = try clips()
    let (nose, shoulder) = (Self.place(0, 0), Self.place(5, 0))
    let truth = Float((shoulder.x - nose.x) * width / ((shoulder.y - nose.y) * height))
    #expect(abs(try slant(clips[0]) / truth - 1) < 1e-4)
    #expect(abs(try slant(clips[1]) / truth - 1) < 1e-4)
  }

  @Test(arguments: [(1920.0, 1080.0), (320, 240), (480, 480), (1080, 1920)])
  func bothSeeTheSamePicture(_ width: Double, _ height: Double) throws {
    try folder.write(Self.mediapipe(frames: 3), to: "mediapipe/correct/a.json")
    try folder.write(Self.movenet(frames: 3, width: width, height: height), to: "movenet/correct/a.json")
    let sources = try PushFit.datasets(from: folder.path, options: ImportOptions())
    #expect(sources.allSatisfy { $0.manifest.coordinates == CoordinateSystem(unit: .pixel(height: 1), yAxis: .down) })
    let clips = try sources.flatMap { try $0.clips() }
    for keypoint in 0..<17 {
      let truth = Self.place(keypoint, 1)
      let blaze = try #require(Skeleton.blazePose33.keypoints.firstIndex(of: Skeleton.coco17.keypoints[keypoint]))
      for (clip, place) in [(clips[0], blaze), (clips[1], keypoint)] {
        let found = try clip.place(place, 1)
        #expect(abs(Double(found[0]) - truth.x * width / height) < 1e-4)
        #expect(abs(Double(found[1]) - truth.y) < 1e-4)
      }
    }
  }

  @Test func eachEstimatorIsADataset() throws {
    for (verdict, name) in [("correct", "a"), ("wrong", "b")] {
      try folder.write(Self.mediapipe(frames: 3), to: "mediapipe/\(verdict)/\(name).json")
      try folder.write(Self.movenet(frames: 3, width: 640, height: 360), to: "movenet/\(verdict)/\(name).json")
    }
    #expect(PushFit.recognises(folder.path))
    let sources = try PushFit.datasets(from: folder.path, options: ImportOptions())
    #expect(sources.map(\.manifest.name) == ["pushfit-mediapipe", "pushfit-movenet"])
    #expect(sources.map(\.manifest.skeleton) == ["blazepose-33", "coco-17"])
    #expect(sources.allSatisfy { $0.remarks.isEmpty })
    for clips in try sources.map({ try $0.clips() }) {
      #expect(clips.map(\.info.name) == ["a", "b"])
      #expect(clips.map { $0.labels.faults.map(\.present) } == [[false], [true]])
      let keypoints = try #require(clips[0].keypoints)
      #expect(keypoints.frameCount == 4)
      #expect(keypoints.values(0, .x).map(\.isNaN) == [false, false, false, true])
    }
  }

  @Test func aClipOfOneEstimatorIsTakenAsWide() throws {
    try folder.write(Self.mediapipe(frames: 3), to: "mediapipe/correct/a.json")
    let sources = try PushFit.datasets(from: folder.path, options: ImportOptions())
    #expect(sources.count == 1)
    #expect(sources.first?.remarks.first?.hasPrefix("mediapipe: 1 of 1 clips lack movenet's file") == true)
    let (nose, shoulder) = (Self.place(0, 0), Self.place(5, 0))
    let truth = Float((shoulder.x - nose.x) * 16 / ((shoulder.y - nose.y) * 9))
    #expect(abs(try slant(clips()[0]) / truth - 1) < 1e-4)
  }

  static let wrongFiles: [(text: String, words: String)] = [
    ("[]", "expected at least one frame, found none"),
    ("", ":1: expected JSON, found an empty file"),
    ("[{\"keypoints\": [", ":1: expected an object at [0].keypoints[0], found the end of the file"),
    ("{}", ":1: expected a list, found \"{\""),
    (#"[{"keypoints": []}, {"points": []}]"#, ":1: expected a frame with keypoints at [1], found one without"),
    (
      #"[{"keypoints": [{"x": 1, "y": 2, "score": 1}]}]"#,
      ":1: expected 17 keypoints or none at [0].keypoints, found 1"
    ),
    (
      #"[{"keypoints": [{"x": 1, "y": "low"}]}]"#,
      ":1: expected a number or null at [0].keypoints[0].y, found the text \"low\""
    ),
    (
      #"[{"keypoints": [{"x": 1, "y": 2}, {"x": 1}]}]"#,
      ":1: expected a keypoint with x and y at [0].keypoints[1], found one without"
    ),
  ]

  @Test(arguments: wrongFiles) func wrongFilesAreNamed(_ text: String, _ words: String) throws {
    try folder.write(text, to: "movenet/wrong/a.json")
    let error = folder.error { _ = try clips() }
    #expect(error.hasPrefix("movenet/wrong/a.json:"), "\(error)")
    #expect(error.hasSuffix(words), "\(error)")
  }

  @Test func theRecordings() throws {
    guard let path = Shared.recordings("pushfit") else { return }
    let sources = try PushFit.datasets(from: path, options: ImportOptions())
    #expect(sources.map(\.clipCount) == [134, 134])
    let frames = try sources.map { try $0.clips().map { $0.keypoints?.frameCount } }
    #expect(frames[0] == frames[1])
    // Where both estimators are sure, they mean the same places: within 0.06 of the image's height in nine of ten clips.
    // In the others they see another side or another person, which no shape of the image explains.
    let distances = try zip(sources[0].clips(), sources[1].clips()).map { try Self.medianDistance($0, $1) }
    #expect(10 * distances.count { $0 < 0.06 } >= 9 * distances.count, "\(distances)")
  }

  static func medianDistance(_ mediapipe: Clip, _ movenet: Clip) throws -> Float {
    var distances: [Float] = []
    for keypoint in 5..<17 {
      let blaze = try #require(Skeleton.blazePose33.keypoints.firstIndex(of: Skeleton.coco17.keypoints[keypoint]))
      for frame in 0..<(movenet.keypoints?.frameCount ?? 0) {
        let (a, b) = (try mediapipe.place(blaze, frame), try movenet.place(keypoint, frame))
        guard a[2] > 0.8, b[2] > 0.5 else { continue }
        distances.append(((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1])).squareRoot())
      }
    }
    return distances.sorted()[distances.count / 2]
  }
}
