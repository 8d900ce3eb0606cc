import Datasets
import Files
import Foundation
import Importers
import PoseModel
import Testing

/// The ways in which people write the keypoints of other estimators than MediaPipe, each imported with no option but
/// `--exercise`; what is stored is compared with the truth. `docs/importing.md` has the table.
@Suite struct EstimatorLayoutsTests {
  @Test func noLayoutIsSilentlyWrong() throws {
    var rows: [String] = []
    for layout in EstimatorLayout.all {
      let fault = try fault(of: layout)
      #expect(fault == nil, "\(layout.name): \(fault ?? "")")
      rows.append("| \(layout.name) | \(layout.isTold) |")
    }
    let table = "| layout | what import says |\n|---|---|\n" + rows.map { $0 + "\n" }.joined()
    let page = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(path: "../../docs/importing.md")
    let isThere = try String(contentsOf: page, encoding: .utf8).contains(table)
    #expect(isThere, "docs/importing.md should have:\n\(table)")
  }

  /// x from 100 to 740 and y from 0 to 0.8.
  @Test func unitsThatDifferAreRefused() throws {
    let folder = try ImportFolder()
    let row = (0..<17).map { "\(100 + $0 * 40),\(Double($0) / 20)" }.joined(separator: ",")
    let header = EstimatorLayout.coco.map { "\($0)_x,\($0)_y" }.joined(separator: ",")
    try folder.write(header + "\n" + [row, row, row].joined(separator: "\n"), to: "a.csv")
    var options = ImportOptions()
    options.exercise = "squat"
    #expect(
      folder.error { _ = try KeypointFiles.datasets(from: folder.path, options: options) }
        == "a.csv: expected x and y in one unit, pixels or shares of the image, found x up to 740 and y up to 0.8")
  }

  /// Someone who squats before a camera, whose limbs keep their lengths: y up and metres, as of a Kinect.
  @Test func placesInSpaceAreMetres() throws {
    let folder = try ImportFolder()
    try folder.write(EstimatorLayout.inSpace, to: "a.csv")
    var options = ImportOptions()
    options.exercise = "squat"
    let source = try #require(try KeypointFiles.datasets(from: folder.path, options: options).first)
    #expect(source.manifest.coordinates == CoordinateSystem(unit: .metre, yAxis: .up))
    #expect(source.manifest.channels == [.x, .y, .z])
    #expect(source.remarks.joined().contains("coordinates are metres in space, as the limbs keep their lengths"))
  }

  /// The bones of Unreal's mannequin, each where it begins.
  @Test func bonesOfUnrealAreJoints() throws {
    let folder = try ImportFolder()
    var text = EstimatorLayout.inSpace
    let bones = [
      ("shoulder", "upperarm"), ("elbow", "lowerarm"), ("wrist", "hand"), ("hip", "thigh"), ("knee", "calf"),
      ("ankle", "foot"),
    ]
    for (joint, bone) in bones {
      text = text.replacing("left_\(joint)_", with: "\(bone)_l_").replacing("right_\(joint)_", with: "\(bone)_r_")
    }
    try folder.write(text, to: "a.csv")
    var options = ImportOptions()
    options.exercise = "squat"
    let source = try #require(try KeypointFiles.datasets(from: folder.path, options: options).first)
    #expect(source.manifest.coordinates == CoordinateSystem(unit: .metre, yAxis: .up))
    #expect(!source.remarks.joined().contains("not used"))
  }

  /// The first 11 points of COCO end with the wrists.
  @Test func aMissingHalfOfTheBodyIsSaid() throws {
    let folder = try ImportFolder()
    let upper = EstimatorLayout.coco[..<11]
    let rows = (0..<20).map { frame in upper.map { EstimatorLayout.xy($0, frame) }.joined(separator: ",") }
    let header = upper.map { "\($0)_x,\($0)_y" }.joined(separator: ",")
    try folder.write(([header] + rows).joined(separator: "\n"), to: "a.csv")
    var options = ImportOptions()
    options.exercise = "squat"
    let source = try #require(try KeypointFiles.datasets(from: folder.path, options: options).first)
    #expect(
      source.remarks.joined().contains("there are no points of the legs: if another file has them, join both files"))
  }

  /// Two recordings one after the other, which no column tells apart.
  @Test func framesThatBeginAgainAreRefused() throws {
    let folder = try ImportFolder()
    let header = EstimatorLayout.coco.map { "\($0)_x,\($0)_y" }.joined(separator: ",")
    let rows = (0..<40).map { frame in
      "\(frame % 20)," + (0..<17).map { "\(100 + $0 * 40 + frame),\(50 + $0 * 3)" }.joined(separator: ",")
    }
    try folder.write((["frame," + header] + rows).joined(separator: "\n"), to: "a.csv")
    var options = ImportOptions()
    options.exercise = "squat"
    #expect(
      folder.error { _ = try KeypointFiles.datasets(from: folder.path, options: options).first?.read(0) }
        == "a.csv: clip a: expected each frame once, or a column such as video, camera or person that tells recordings or "
        + "people apart, found the numbers or times of 19 frames again after higher ones")
  }

  /// Of 17 names one is known.
  @Test func aSingleKnownPointIsNoBody() throws {
    let folder = try ImportFolder()
    let names = (0..<16).map { "joint\($0)a" } + ["nose"]
    let header = names.map { "\($0)_x,\($0)_y" }.joined(separator: ",")
    let row = (0..<17).map { "\(100 + $0 * 40),\(50 + $0)" }.joined(separator: ",")
    try folder.write([header, row, row, row].joined(separator: "\n"), to: "a.csv")
    #expect(Importers.recognising(folder.path).isEmpty)
  }

  /// With Python's module the file is damaged, without it the module is missing.
  @Test func aParquetFileNeedsPythonsModule() throws {
    let folder = try ImportFolder()
    try folder.write("PAR1", to: "a.parquet")
    var options = ImportOptions()
    options.exercise = "squat"
    let words = folder.error { _ = try KeypointFiles.datasets(from: folder.path, options: options) }
    #expect(words.hasPrefix("a.parquet: expected ") && words.contains("pyarrow"), "\(words)")
  }

  /// A log whose first frame has four points, in numbers such as `5.400000e+02`.
  @Test func pointsThatTheFirstLineLacksAreKept() throws {
    let folder = try ImportFolder()
    let first = ["left_shoulder", "right_shoulder", "left_hip", "right_hip"]
    let lines = (0..<20).map { frame -> String in
      let points = (frame == 0 ? first : EstimatorLayout.coco).map { name -> String in
        let place = EstimatorLayout.pixels(name, frame)
        return "\(name)=(\(String(format: "%.6e,%.6e", place.x, place.y)),0.9)"
      }
      return "frame=\(frame) " + points.joined(separator: " ")
    }
    try folder.write(lines.joined(separator: "\n"), to: "a.txt")
    var options = ImportOptions()
    options.exercise = "squat"
    let source = try #require(try KeypointFiles.datasets(from: folder.path, options: options).first)
    let (clip, _) = try source.read(0)
    let keypoints = try #require(clip.keypoints)
    let skeleton = try #require(Skeleton.named(source.manifest.skeleton))
    let poses = PoseSequence(keypoints, skeleton: skeleton, coordinates: source.manifest.coordinates)
    func share(_ y: (Joint) -> Float) -> Float {
      (y(.leftKnee) - y(.leftHip)) / (y(.leftHip) - y(.leftShoulder))
    }
    let found = share { joint in poses[joint, .y, 5] }
    let truth = share { joint in Person.place(joint, 5).y }
    #expect(abs(found - truth) < 0.001)
  }

  /// Of all points, the first has no confidence.
  @Test func whatTheFirstRecordLacksIsKept() throws {
    let records = EstimatorLayout.frames { frame in
      EstimatorLayout.each(EstimatorLayout.coco) { _, name in
        let place = EstimatorLayout.pixels(name, frame)
        let score = frame == 0 && name == "nose" ? "" : ",\"score\":0.9"
        return "{\"frame\":\(frame),\"joint\":\"\(name)\",\"x\":\(place.x),\"y\":\(place.y)\(score)}"
      }
    }
    #expect(try fault(of: EstimatorLayout.file("records", "a.json", "[\(records)]")) == nil)
  }

  /// Two recordings in a file, at 25 and at 10 frames a second.
  @Test func eachRecordingHasItsOwnTimes() throws {
    let folder = try ImportFolder()
    let frames = EstimatorLayout.frames { frame in
      "{" + EstimatorLayout.each(EstimatorLayout.coco) { "\"\($1)\":[\(EstimatorLayout.xy($1, frame))]" } + "}"
    }
    let recordings = [("anna", 25), ("ben", 10)].map { name, rate -> String in
      let times = EstimatorLayout.frames { "\(Double($0) / Double(rate))" }
      return "\"\(name)\":{\"timestamps\":[\(times)],\"frames\":[\(frames)]}"
    }
    try folder.write("{" + recordings.joined(separator: ",") + "}", to: "a.json")
    var options = ImportOptions()
    options.exercise = "squat"
    let source = try #require(try KeypointFiles.datasets(from: folder.path, options: options).first)
    for (index, step) in [0.04, 0.1].enumerated() {
      let (clip, _) = try source.read(index)
      let keypoints = try #require(clip.keypoints)
      #expect(keypoints.times[1].seconds == step)
    }
  }

  /// Confidences of so many digits that no frame is in the first 64 KiB.
  @Test func framesMayFollowLongLists() throws {
    let score = "0.9" + String(repeating: "0", count: 80)
    let scores = EstimatorLayout.frames { _ in "[" + EstimatorLayout.each(EstimatorLayout.coco) { _, _ in score } + "]"
    }
    let frames = EstimatorLayout.frames { frame in
      "[" + EstimatorLayout.each(EstimatorLayout.coco) { "[\(EstimatorLayout.xy($1, frame))]" } + "]"
    }
    let text = "{\"scores\":[\(scores)],\"frames\":[\(frames)]}"
    #expect(try fault(of: EstimatorLayout.file("scores", "a.json", text)) == nil)
  }

  /// 32 confidences before the frames, as many numbers as x and y of 16 points.
  @Test func confidencesAreNoBody() throws {
    let names = EstimatorLayout.coco + (1...15).map { "extra\($0)" }
    let scores = EstimatorLayout.frames { _ in "[" + EstimatorLayout.each(names) { _, _ in "0.9" } + "]" }
    let frames = EstimatorLayout.frames { frame in
      "[" + EstimatorLayout.each(names) { "[\(EstimatorLayout.xy($1, frame))]" } + "]"
    }
    let listed = EstimatorLayout.each(names) { "\"\($1)\"" }
    let text = "{\"names\":[\(listed)],\"scores\":[\(scores)],\"frames\":[\(frames)]}"
    #expect(try fault(of: EstimatorLayout.file("scores", "a.json", text)) == nil)
  }

  /// A rate at which the second frame is beyond all times.
  @Test func anImpossibleRateIsNoFact() throws {
    let frames = EstimatorLayout.frames { frame in
      "[" + EstimatorLayout.each(EstimatorLayout.coco) { "[\(EstimatorLayout.xy($1, frame)),0.9]" } + "]"
    }
    let text = "{\"fps\":1e-320,\"frames\":[\(frames)]}"
    let layout = EstimatorLayout.file("rate", "a.json", text) { $0.words = ["the frame rate is unknown"] }
    #expect(try fault(of: layout) == nil)
  }

  /// Numbers of frames beyond those that a float tells apart, beside times.
  @Test func hugeFrameNumbersHaveNoGaps() throws {
    let header = EstimatorLayout.coco.map { "\($0)_x,\($0)_y,\($0)_score" }.joined(separator: ",")
    let rows = EstimatorLayout.frames("\n") { frame in
      let number = frame == 0 ? -9_200_000_000_000_000_000 : 9_200_000_000_000_000_000
      let points = EstimatorLayout.each(EstimatorLayout.coco) { "\(EstimatorLayout.xy($1, frame)),0.9" }
      return "\(number),\(Double(frame) / 30),\(points)"
    }
    #expect(try fault(of: EstimatorLayout.file("numbers", "a.csv", "frame,time,\(header)\n\(rows)")) == nil)
  }

  @Test func aFileAJointIsNamed() throws {
    let folder = try ImportFolder()
    let rows = (0..<20).map { "\($0),\(100 + $0),\(50 + $0)" }.joined(separator: "\n")
    for joint in ["left_hip", "left_knee"] { try folder.write("frame,x,y\n" + rows, to: "\(joint).csv") }
    var options = ImportOptions()
    options.exercise = "squat"
    let words = folder.error { _ = try KeypointFiles.datasets(from: folder.path, options: options) }
    #expect(
      words.hasSuffix(
        "expected all points in one file, such as a table with a column joint, found one that is called by a joint"))
  }

  /// 0 numbers, of lengths whose product is beyond all integers.
  @Test func anArrayWithoutNumbersIsRefused() throws {
    let folder = try ImportFolder()
    let header = "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 4611686018427387904, 17, 0), }\n"
    let bytes = Data([0x93]) + Data("NUMPY".utf8) + Data([1, 0, UInt8(header.utf8.count), 0]) + Data(header.utf8)
    try bytes.write(to: URL(fileURLWithPath: "\(folder.path)/a.npy"))
    var options = ImportOptions()
    options.exercise = "squat"
    let words = folder.error { _ = try KeypointFiles.datasets(from: folder.path, options: options) }
    #expect(words.hasSuffix("found 2 x 4611686018427387904 x 17 x 0"), "\(words)")
  }

  @Test func columnsOfLabelsAreRepsAndIntervals() throws {
    let folder = try ImportFolder()
    try folder.write(EstimatorLayout.labelled, to: "a.csv")
    var options = ImportOptions()
    options.exercise = "squat"
    let unlabelled = try #require(try KeypointFiles.datasets(from: folder.path, options: options).first)
    #expect(unlabelled.remarks.joined().contains("to import labels of frames: --labels rep,phase"))
    options.labels = ["rep", "phase"]
    let source = try #require(try KeypointFiles.datasets(from: folder.path, options: options).first)
    #expect(!source.remarks.joined().contains("not used"))
    let (clip, remarks) = try source.read(0)
    func time(_ frame: Int) -> Microseconds { Microseconds(frame: frame, rate: 30) }
    #expect(clip.labels.reps == [Rep(start: time(10), end: time(30)), Rep(start: time(30), end: time(50))])
    #expect(clip.labels.repCount == 2)
    #expect(
      clip.labels.intervals == [
        Segment(start: time(0), end: time(30), label: "down"), Segment(start: time(30), end: time(59), label: "up"),
      ])
    #expect(remarks.contains("a: rep 0 is read as no rep; rep: 2 reps; phase: 2 intervals"))
    options.labels = ["stage"]
    #expect(
      folder.error { _ = try KeypointFiles.datasets(from: folder.path, options: options).first?.read(0) }
        == "a.csv:1: expected column stage, as in --labels, found only rep, phase")
  }

  /// What an import of a layout gets wrong; `nil` for nothing.
  private func fault(of layout: EstimatorLayout) throws -> String? {
    let folder = try ImportFolder()
    for (name, content) in layout.files { try content.write(to: URL(fileURLWithPath: "\(folder.path)/\(name)")) }
    var options = ImportOptions()
    options.exercise = "squat"
    let formats = Importers.recognising(folder.path)
    guard formats.count == 1, let format = formats.first else { return "formats \(formats.map { $0.format })" }
    do {
      let source = try #require(try Importers.datasets(format, from: folder.path, options: options).first)
      guard source.clipCount == layout.clips else { return "\(source.clipCount) clips" }
      for index in 0..<source.clipCount {
        let (clip, remarks) = try source.read(index)
        let words = (source.remarks + remarks).joined(separator: "; ")
        for word in layout.words where !words.contains(word) { return "no word of \"\(word)\" in \"\(words)\"" }
        if let fault = fault(of: clip, source.manifest, layout, clip: index) { return "\(fault); \(words)" }
      }
      return nil
    } catch { return "\(error)" }
  }

  private func fault(of clip: Clip, _ manifest: Manifest, _ layout: EstimatorLayout, clip index: Int) -> String? {
    guard let keypoints = clip.keypoints, let skeleton = Skeleton.named(manifest.skeleton) else { return "no skeleton" }
    let frames = layout.frames
    guard keypoints.frameCount == frames else { return "\(keypoints.frameCount) frames" }
    let poses = PoseSequence(keypoints, skeleton: skeleton, coordinates: manifest.coordinates)
    // Places relative to the hips in trunk lengths have no scale.
    func place(_ joint: Joint, _ frame: Int) -> SIMD2<Float> { SIMD2(poses[joint, .x, frame], poses[joint, .y, frame]) }
    for frame in 0..<frames {
      let time = Double(frame) / layout.fps
      guard abs(keypoints.times[frame].seconds - time) < 0.001_5 else {
        return "frame \(frame) at \(keypoints.times[frame].seconds) s, not \(time)"
      }
      let (root, neck) = (place(.root, frame), place(.neck, frame))
      let trunk = ((neck - root) * (neck - root)).sum().squareRoot()
      let (trueRoot, trueNeck) = (Person.place(.root, frame, clip: index), Person.place(.neck, frame, clip: index))
      let trueTrunk = ((trueNeck - trueRoot) * (trueNeck - trueRoot)).sum().squareRoot()
      for joint in EstimatorLayout.compared {
        let found = (place(joint, frame) - root) / trunk
        let truth = (Person.place(joint, frame, clip: index) - trueRoot) / trueTrunk
        let apart = found - truth
        guard abs(apart.x) < 0.02, abs(apart.y) < 0.02 else {
          return "\(joint) in frame \(frame) at \(found), not \(truth)"
        }
        let confidence = layout.confidence ?? 1
        guard abs(poses[joint, .confidence, frame] - confidence) < 0.01 else {
          return "confidence \(poses[joint, .confidence, frame]), not \(confidence)"
        }
      }
    }
    return nil
  }
}

/// Someone who squats, seen obliquely, in image heights of a film of 1080 x 1920.
private enum Person {
  static let frames = 60

  static func place(_ joint: Joint, _ frame: Int, clip: Int = 0) -> SIMD2<Float> {
    let depth = 0.5 - 0.5 * Float(cos(2 * Double.pi * Double(frame) / (20 + 10 * Double(clip))))
    let down = 0.09 * depth
    func at(_ x: Float, _ y: Float) -> SIMD2<Float> { SIMD2(0.25 + x, y) }
    let side: Float = "\(joint)".hasPrefix("left") ? 1 : -1
    switch joint {
    case .nose: return at(0.02, 0.2 + down)
    case .leftEye, .rightEye: return at(0.015 + 0.01 * side, 0.19 + down)
    case .leftEar, .rightEar: return at(0.02 * side, 0.195 + down)
    case .neck: return (place(.leftShoulder, frame, clip: clip) + place(.rightShoulder, frame, clip: clip)) / 2
    case .leftShoulder, .rightShoulder: return at(0.05 * side, 0.26 + down)
    case .leftElbow, .rightElbow: return at(0.06 * side + 0.05 * depth, 0.35 + down - 0.03 * depth)
    case .leftWrist, .rightWrist: return at(0.06 * side + 0.11 * depth, 0.42 + down - 0.08 * depth)
    case .root: return (place(.leftHip, frame, clip: clip) + place(.rightHip, frame, clip: clip)) / 2
    case .leftHip, .rightHip: return at(0.03 * side - 0.03 * depth, 0.41 + down)
    case .leftKnee, .rightKnee: return at(0.035 * side + 0.05 * depth, 0.535 + 0.035 * depth)
    case .leftAnkle, .rightAnkle: return at(0.03 * side, 0.665)
    case .leftHeel, .rightHeel: return at(0.03 * side - 0.01, 0.68)
    case .leftToe, .rightToe: return at(0.03 * side + 0.03, 0.685)
    }
  }
}

/// A way to write the keypoints of an estimator.
private struct EstimatorLayout {
  var name: String
  var files: [(String, Data)]
  var clips = 1
  var frames = Person.frames
  var fps = 30.0
  var confidence: Float? = 0.9
  /// What import must say.
  var words: [String] = []

  var isTold: String {
    words.isEmpty ? "nothing" : words.map { "“\($0) …”" }.joined(separator: ", ")
  }

  /// Joints that every skeleton here has.
  static let compared: [Joint] = [
    .leftShoulder, .rightShoulder, .leftElbow, .rightElbow, .leftWrist, .rightWrist, .leftHip, .rightHip, .leftKnee,
    .rightKnee, .leftAnkle, .rightAnkle,
  ]

  // MARK: Numbers

  static let coco = Skeleton.coco17.keypoints
  static let openPose = Skeleton.openPose18.keypoints
  static let body25 = Skeleton.body25.keypoints
  static let human36m = [
    "root", "right_hip", "right_knee", "right_ankle", "left_hip", "left_knee", "left_ankle", "spine", "neck", "nose",
    "head", "left_shoulder", "left_elbow", "left_wrist", "right_shoulder", "right_elbow", "right_wrist",
  ]

  /// x and y in pixels.
  static func pixels(_ name: String, _ frame: Int, clip: Int = 0) -> (x: Double, y: Double) {
    let place: SIMD2<Float>
    switch name {
    case "spine", "chest": place = (Person.place(.neck, frame, clip: clip) + Person.place(.root, frame, clip: clip)) / 2
    case "head": place = Person.place(.nose, frame, clip: clip) - SIMD2(0.01, 0.04)
    case let name where name.hasSuffix("small_toe"):
      place = Person.place(name.hasPrefix("left") ? .leftToe : .rightToe, frame, clip: clip)
    default: place = Joint(name: name).map { Person.place($0, frame, clip: clip) } ?? SIMD2(0.25, 0.2)
    }
    return (Double(place.x) * 1920, Double(place.y) * 1920)
  }

  static func text(_ number: Double) -> String { String(format: "%.4f", number) }

  /// `x,y` in pixels.
  static func xy(_ name: String, _ frame: Int, clip: Int = 0) -> String {
    let place = pixels(name, frame, clip: clip)
    return "\(text(place.x)),\(text(place.y))"
  }

  static func shares(_ name: String, _ frame: Int) -> (x: String, y: String) {
    let place = pixels(name, frame)
    return (String(format: "%.6f", place.x / 1080), String(format: "%.6f", place.y / 1920))
  }

  static func frames(_ separator: String = ",", _ body: (Int) -> String) -> String {
    (0..<Person.frames).map(body).joined(separator: separator)
  }

  static func each(_ names: [String], _ separator: String = ",", _ body: (Int, String) -> String) -> String {
    names.enumerated().map(body).joined(separator: separator)
  }

  static func file(
    _ name: String, _ file: String, _ text: String, _ change: (inout EstimatorLayout) -> Void = { _ in }
  ) -> EstimatorLayout {
    var layout = EstimatorLayout(name: name, files: [(file, Data(text.utf8))])
    change(&layout)
    return layout
  }

  static func array(
    _ name: String, _ shape: [Int], _ values: [Float], _ change: (inout EstimatorLayout) -> Void = { _ in }
  ) -> EstimatorLayout {
    var layout = EstimatorLayout(name: name, files: [("a.npy", NumpyArray(shape: shape, values: values).encoded)])
    change(&layout)
    return layout
  }

  static let all: [EstimatorLayout] =
    objects + lists + tables + arrays + doubtful + containers + headers + clocksAndNumbers
    + wordsAndCommas + orders + records + tablesOfTools + furtherTimes + groups + furtherArrays
    + labellingTools + clocksOfNames + furtherOrders + furtherFields

  // MARK: JSON

  private static func point(_ name: String, _ frame: Int) -> String {
    let place = pixels(name, frame)
    return "{\"x\":\(text(place.x)),\"y\":\(text(place.y)),\"score\":0.9,\"name\":\"\(name)\"}"
  }

  private static func points(_ frame: Int) -> String { "[" + each(coco) { point($1, frame) } + "]" }

  private static let clocks: [(key: String, value: @Sendable (Int) -> String)] = [
    ("t", { "\($0 * 40)" }), ("ts", { "\(Double($0) / 25)" }), ("time", { "\(Double($0) / 25)" }),
    ("time_ms", { "\($0 * 40)" }), ("ms", { "\($0 * 40)" }), ("timestamp", { "\(123456.5 + Double($0) * 40)" }),
    ("timestampMs", { "\($0 * 40)" }), ("frameTime", { "\(Double($0) / 25)" }),
    ("timestamp", { "\"2025-03-13T12:00:\(String(format: "%09.6f", Double($0) / 25))\"" }),
    ("time", { "\"0:00:\(String(format: "%09.6f", Double($0) / 25))\"" }),
  ]

  private static let objects: [EstimatorLayout] =
    clocks.map { key, value in
      file(
        "JSON `[{\"\(key)\": \(value(1)), \"keypoints\": [{\"x\", \"y\", \"score\", \"name\"}]}]`", "a.json",
        "[" + frames { "{\"\(key)\":\(value($0)),\"keypoints\":\(points($0))}" } + "]"
      ) { $0.fps = 25 }
    } + [
      file(
        "JSON of TensorFlow.js: `[{\"timestamp\", \"poses\": [{\"score\", \"keypoints\"}]}]`", "a.json",
        "[" + frames { "{\"timestamp\":\($0 * 40),\"poses\":[{\"score\":0.8,\"keypoints\":\(points($0))}]}" } + "]"
      ) { $0.fps = 25 },
      file(
        "the same as JSON Lines", "a.jsonl",
        frames("\n") { "{\"timestamp\":\($0 * 40),\"poses\":[{\"score\":0.8,\"keypoints\":\(points($0))}]}" }
      ) { $0.fps = 25 },
      file(
        "JSON `{\"fps\", \"width\", \"height\", \"frames\": [{\"frame\", \"keypoints\"}]}`", "a.json",
        "{\"fps\":25,\"width\":1080,\"height\":1920,\"frames\":["
          + frames { "{\"frame\":\($0),\"keypoints\":\(points($0))}" } + "]}"
      ) { $0.fps = 25 },
      file(
        "JSON of Ultralytics: `[[{\"box\", \"keypoints\": {\"x\": […], \"y\": […], \"visible\": […]}}]]`", "a.json",
        "["
          + frames { frame in
            "[{\"name\":\"person\",\"class\":0,\"box\":{\"x1\":1,\"y1\":2,\"x2\":3,\"y2\":4},\"keypoints\":{\"x\":["
              + each(coco) { text(pixels($1, frame).x) } + "],\"y\":[" + each(coco) { text(pixels($1, frame).y) }
              + "],\"visible\":[" + each(coco) { _, _ in "0.9" } + "]}}]"
          } + "]"),
      file(
        "JSON of ViTPose: `[{\"frame\", \"poses\": [{\"keypoints\": [[x, y]], \"scores\", \"bbox\"}]}]`", "a.json",
        "["
          + frames { frame in
            "{\"frame\":\(frame),\"poses\":[{\"keypoints\":[" + each(coco) { "[\(xy($1, frame))]" } + "],\"scores\":["
              + each(coco) { _, _ in "0.9" } + "],\"bbox\":[1,2,3,4]}]}"
          } + "]"),
      file(
        "JSON of Vision by Swift's Codable: `[name, {\"x\", \"y\", \"confidence\"}, name, …]`, y up", "a.json",
        "["
          + frames { frame in
            "{\"joints\":["
              + each(coco + ["neck", "root"]) { _, name in
                let place = shares(name, frame)
                return
                  "\"\(camel(name))\",{\"location\":[\(place.x),\(1 - (Double(place.y) ?? 0))],\"confidence\":0.9}"
              } + "]}"
          } + "]"),
      file(
        "JSON `[{\"leftKnee\": [x, y], …}]`", "a.json",
        "[" + frames { frame in "{" + each(coco) { "\"\(camel($1))\":[\(xy($1, frame))]" } + "}" } + "]"
      ) { $0.confidence = nil },
    ]

  private static func camel(_ name: String) -> String {
    let words = name.split(separator: "_")
    return words.dropFirst().reduce(String(words[0])) { $0 + $1.capitalized }
  }

  private static func triple(_ name: String, _ frame: Int) -> String { xy(name, frame) + ",0.9" }

  private static let lists: [EstimatorLayout] = [
    file(
      "JSON `{\"fps\", \"keypoints\": [[[[x, y, c]]]]}`, people in frames", "a.json",
      "{\"video\":\"a.mp4\",\"fps\":25,\"width\":1080,\"height\":1920,\"keypoints\":["
        + frames { frame in "[[" + each(coco) { "[\(triple($1, frame))]" } + "]]" } + "]}"
    ) { $0.fps = 25 },
    file(
      "JSON of MoveNet: `{\"backend\": \"movenet…\", \"frames\": [{\"keypoints\": [[y, x, score]]}]}`", "a.json",
      "{\"backend\":\"movenet_thunder\",\"width\":1080,\"height\":1920,\"frames\":["
        + frames { frame in
          "{\"frame_index\":\(frame),\"keypoints\":["
            + each(coco) { _, name in
              let place = pixels(name, frame)
              // The image in the middle of the model's square.
              return "[\(text(place.y / 1920)),\(String(format: "%.6f", (place.x + 420) / 1920)),0.9]"
            } + "]}"
        } + "]}"
    ) { $0.words = ["numbers are taken as y, x"] },
    file(
      "JSON of OpenPose in one file: a list of 75 numbers a frame", "a.json",
      "[" + frames { frame in "[" + each(body25) { triple($1, frame) } + "]" } + "]"),
    file(
      "JSON of OpenPose in one file: `[{\"people\": [{\"pose_keypoints_2d\"}]}]`", "a.json",
      "["
        + frames { frame in
          "{\"version\":1.3,\"people\":[{\"person_id\":[-1],\"pose_keypoints_2d\":["
            + each(body25) { triple($1, frame) }
            + "],\"hand_left_keypoints_2d\":[],\"pose_keypoints_3d\":[]}]}"
        } + "]"),
    file(
      "JSON by recording: `{\"anna\": [frames], \"ben\": [frames]}`", "a.json",
      "{"
        + ["anna", "ben"].enumerated().map { clip, name in
          "\"\(name)\":["
            + frames { frame in "[" + each(coco) { "[\(xy($1, frame, clip: clip)),0.9]" } + "]" } + "]"
        }.joined(separator: ",") + "}"
    ) { $0.clips = 2 },
  ]

  // MARK: Tables

  private static func wide(
    _ names: [String], _ suffix: (String) -> [String], _ lead: String = "", _ first: (Int) -> String = { _ in "" },
    confidence: String? = "0.9"
  ) -> String {
    lead + each(names) { suffix($1).joined(separator: ",") } + "\n"
      + frames("\n") { frame in
        first(frame) + each(names) { xy($1, frame) + (confidence.map { ",\($0)" } ?? "") }
      } + "\n"
  }

  private static func spelt(_ name: String, _ spelling: (String, String?) -> String, _ channel: String) -> String {
    let words = name.split(separator: "_").map(String.init)
    let side = ["left", "right"].contains(words[0]) ? words[0] : nil
    return spelling((side == nil ? words : Array(words.dropFirst())).joined(separator: "_"), side) + channel
  }

  private static let spellings: [(name: String, spelling: @Sendable (String, String?) -> String)] = [
    ("l_hip_x", { part, side in (side.map { "\($0.prefix(1))_" } ?? "") + part + "_" }),
    ("LHip_x", { part, side in (side.map { $0.prefix(1).uppercased() } ?? "") + part.capitalized + "_" }),
    ("hip_l_x", { part, side in part + (side.map { "_\($0.prefix(1))" } ?? "") + "_" }),
    ("l.hip.x", { part, side in (side.map { "\($0.prefix(1))." } ?? "") + part + "." }),
    ("Left Hip x", { part, side in (side.map { "\($0.capitalized) " } ?? "") + part.capitalized + " " }),
    ("body_left_hip_x", { part, side in "body_" + (side.map { "\($0)_" } ?? "") + part + "_" }),
    ("lefthip_x", { part, side in (side ?? "") + part + "_" }),
  ]

  private static let tables: [EstimatorLayout] =
    spellings.map { name, spelling in
      file(
        "CSV `\(name), …`, pixels", "a.csv",
        wide(coco, { name in ["x", "y", "prob"].map { spelt(name, spelling, $0) } }))
    }
    + ["conf", "likelihood", "prob", "p", "inFrameLikelihood", "score", "c"].map { suffix in
      file(
        "CSV with confidences as `nose_\(suffix)`", "a.csv",
        wide(coco, { name in ["x", "y", suffix].map { "\(name)_\($0)" } }, "frame,track_id,", { "\($0),1," }))
    }
    + [
      file(
        "CSV `x0, y0, s0, …` of 17", "a.csv",
        "frame," + (0..<17).map { "x\($0),y\($0),s\($0)" }.joined(separator: ",") + "\n"
          + frames("\n") { frame in "\(frame)," + each(coco) { triple($1, frame) } }),
      file(
        "CSV of 51 columns without names", "a.csv", frames("\n") { frame in each(coco) { triple($1, frame) } }),
      file(
        "CSV `frame,keypoint_id,x,y,score`, COCO's numbers", "a.csv",
        "frame,keypoint_id,x,y,score\n"
          + frames("\n") { frame in each(coco, "\n") { "\(frame),\($0),\(triple($1, frame))" } }),
      file(
        "CSV `frame,keypoint,x,y`, OpenPose's numbers", "a.csv",
        "frame,keypoint,x,y\n" + frames("\n") { frame in each(openPose, "\n") { "\(frame),\($0),\(xy($1, frame))" } }
      ) { $0.confidence = nil },
      file(
        "CSV of DeepLabCut: rows scorer, bodyparts, coords", "a.csv",
        "scorer," + each(coco) { _, _ in "net,net,net" } + "\nbodyparts," + each(coco) { "\($1),\($1),\($1)" }
          + "\ncoords," + each(coco) { _, _ in "x,y,likelihood" } + "\n"
          + frames("\n") { frame in "\(frame)," + each(coco) { triple($1, frame) } }),
      file(
        "CSV of several videos told apart by `video`", "a.csv",
        "video,frame," + each(coco) { "\($1)_x,\($1)_y,\($1)_c" } + "\n"
          + ["anna.mp4", "ben.mp4"].enumerated().map { clip, video in
            frames("\n") { frame in
              "\(video),\(frame)," + each(coco) { xy($1, frame, clip: clip) + ",0.9" }
            }
          }.joined(separator: "\n")
      ) { $0.clips = 2 },
      file(
        "CSV of two people told apart by `person`, one of whom stands still", "a.csv",
        "frame,person," + each(coco) { "\($1)_x,\($1)_y,\($1)_c" } + "\n"
          + frames("\n") { frame in
            "\(frame),1," + each(coco) { xy($1, 0) + ",0.95" } + "\n\(frame),2," + each(coco) { triple($1, frame) }
          }
      ) { $0.words = ["the subject is number 2, who moves"] },
      file(
        "CSV with `;` and decimal commas, times as `0:00:01:04`", "a.csv",
        "Time;" + each(coco, ";") { "\($1) X;\($1) Y" } + "\n"
          + frames("\n") { frame in
            "0:00:\(String(format: "%02d", frame / 25)):\(String(format: "%02d", frame % 25 * 4));"
              + each(coco, ";") { xy($1, frame).replacing(",", with: ";").replacing(".", with: ",") }
          }
      ) {
        $0.fps = 25
        $0.confidence = nil
      },
      file(
        "CSV whose times are whole seconds", "a.csv",
        "time," + each(coco) { "\($1)_x,\($1)_y,\($1)_c" } + "\n"
          + frames("\n") { frame in "\(frame / 15)," + each(coco) { triple($1, frame) } }
      ) {
        $0.fps = 15
        $0.words = ["frames are spread evenly, 15 a second"]
      },
      file(
        "CSV with each frame twice", "a.csv",
        "time," + each(coco) { "\($1)_x,\($1)_y,\($1)_c" } + "\n"
          + frames("\n") { frame in
            let row = "\(Double(frame) / 25)," + each(coco) { triple($1, frame) }
            return row + "\n" + row
          }
      ) {
        $0.fps = 25
        $0.words = ["60 duplicate frames"]
      },
    ]

  // MARK: Arrays

  private static func numbers(_ names: [String], _ channels: (Int, (x: Double, y: Double)) -> [Double]) -> [Float] {
    (0..<Person.frames).flatMap { frame in
      names.enumerated().flatMap { index, name in channels(index, pixels(name, frame)).map(Float.init) }
    }
  }

  private static let arrays: [EstimatorLayout] = [
    array(
      "`.npy` of frames x 17 x (x, y, confidence) in pixels", [Person.frames, 17, 3],
      numbers(coco) { [$1.x, $1.y, 0.9] }),
    array(
      "`.npy` of frames x 25 x 3, OpenPose", [Person.frames, 25, 3], numbers(body25) { [$1.x, $1.y, 0.9] }),
    array("`.npy` of frames x 51", [Person.frames, 51], numbers(coco) { [$1.x, $1.y, 0.9] }),
    array(
      "`.npy` of Human3.6M's 17 joints, pixels", [Person.frames, 17, 2], numbers(human36m) { [$1.x, $1.y] }
    ) {
      $0.confidence = nil
      $0.words = ["17 numbered points are read as human36m-17"]
    },
  ]

  // MARK: Doubtful numbers

  private static let doubtful: [EstimatorLayout] = [
    file(
      "confidences in percent", "a.csv", wide(coco, { ["\($0)_x", "\($0)_y", "\($0)_conf"] }, confidence: "90")
    ) { $0.words = ["read as percent"] },
    file(
      "confidences as logits", "a.csv",
      "" + each(coco) { "\($1)_x,\($1)_y,\($1)_visibility" } + "\n"
        + frames("\n") { frame in
          each(coco) { index, name in xy(name, frame) + (index == 1 ? ",-3" : ",2.1972") }
        }
    ) { $0.words = ["read as logits"] },
    file(
      "confidences of 0 throughout", "a.csv",
      wide(coco, { ["\($0)_x", "\($0)_y", "\($0)_visibility"] }, confidence: "0")
    ) {
      $0.confidence = nil
      $0.words = ["visibility is 0 throughout: read as not given"]
    },
    file(
      "confidences as logits, none below 0", "a.csv",
      each(coco) { "\($1)_x,\($1)_y,\($1)_visibility" } + "\n"
        + frames("\n") { frame in
          each(coco) { index, name in xy(name, frame) + (index == 1 ? ",6.9" : ",2.1972") }
        }
    ) { $0.words = ["read as logits"] },
    file(
      "CSV of a frame number and 51 columns without names", "a.csv",
      frames("\n") { frame in "\(frame)," + each(coco) { triple($1, frame) } }),
    file(
      "JSON of points with their numbers: `[[id, x, y], …]`", "a.json",
      "[" + frames { frame in "[" + each(coco) { "[\($0),\(xy($1, frame))]" } + "]" } + "]"
    ) { $0.confidence = nil },
    file(
      "JSON of people by numbers: `{\"people\": {\"1\": […], \"2\": […]}}`, one stands still", "a.json",
      "["
        + frames { frame in
          "{\"people\":{\"1\":[" + each(coco) { "[\(xy($1, 0)),0.95]" } + "],\"2\":["
            + each(coco) { "[\(triple($1, frame))]" } + "]}}"
        } + "]"
    ) { $0.words = ["the subject is number 2, who moves"] },
    file(
      "CSV of images: `anna_0001.jpg`, …, `ben_0001.jpg`, …", "a.csv",
      "image," + each(coco) { "\($1)_x,\($1)_y,\($1)_c" } + "\n"
        + ["anna", "ben"].enumerated().map { clip, name in
          frames("\n") { frame in
            "\(name)_\(String(format: "%04d", frame)).jpg," + each(coco) { xy($1, frame, clip: clip) + ",0.9" }
          }
        }.joined(separator: "\n")
    ) { $0.clips = 2 },
    file(
      "CSV of clocks that count frames: `00:00:01:24`", "a.csv",
      "time," + each(coco) { "\($1)_x,\($1)_y,\($1)_c" } + "\n"
        + frames("\n") { frame in
          "00:00:\(String(format: "%02d:%02d", frame / 25, frame % 25))," + each(coco) { triple($1, frame) }
        }
    ) {
      $0.fps = 25
      $0.words = ["the clock's last part counts frames, 25 a second"]
    },
    file(
      "y upwards", "a.csv",
      each(coco) { "\($1)_x,\($1)_y" } + "\n"
        + frames("\n") { frame in
          each(coco) { _, name in "\(text(pixels(name, frame).x)),\(text(1920 - pixels(name, frame).y))" }
        }
    ) {
      $0.confidence = nil
      $0.words = ["y grows upwards, as the head is above the feet"]
    },
    file(
      "eyes and ears at −1, −1", "a.csv",
      each(coco) { "\($1)_x,\($1)_y" } + "\n"
        + frames("\n") { frame in each(coco) { index, name in (1...4).contains(index) ? "-1,-1" : xy(name, frame) } }
    ) {
      $0.confidence = nil
      $0.words = ["points at -1,-1 are read as not found"]
    },
    file(
      "a column of labels a frame", "a.csv",
      "phase," + each(coco) { "\($1)_x,\($1)_y,\($1)_c" } + "\n"
        + frames("\n") { frame in (frame % 20 < 10 ? "down," : "up,") + each(coco) { triple($1, frame) } }
    ) { $0.words = ["not used: phase"] },
    file(
      "CSV with `None`, `NA`, `NULL` and `-` for eyes and ears", "a.csv",
      "frame," + each(coco) { "\($1)_x,\($1)_y,\($1)_c" } + "\n"
        + frames("\n") { frame in
          "\(frame),"
            + each(coco) { index, name in
              name.hasSuffix("eye") ? "None,NA,NULL" : name.hasSuffix("ear") ? "-,-,-" : triple(name, frame)
            }
        }),
    file(
      "CSV with lines of `#` before the header", "a.csv",
      "# fps: 25\n# by hand\n" + each(coco) { "\($1)_x,\($1)_y,\($1)_c" } + "\n"
        + frames("\n") { frame in each(coco) { triple($1, frame) } }
    ) {
      $0.fps = 25
      $0.words = ["2 lines of comments before the header are not used, but for fps, width and height"]
    },
    packed(
      "CSV packed by gzip", "a.csv.gz",
      each(coco) { "\($1)_x,\($1)_y,\($1)_c" } + "\n" + frames("\n") { frame in each(coco) { triple($1, frame) } }),
    file(
      "CSV with frames as `frame_12`", "a.csv",
      "frame," + each(coco) { "\($1)_x,\($1)_y,\($1)_c" } + "\n"
        + frames("\n") { frame in "frame_\(frame)," + each(coco) { triple($1, frame) } }),
    file(
      "CSV with times as `40 ms`", "a.csv",
      "time," + each(coco) { "\($1)_x,\($1)_y,\($1)_c" } + "\n"
        + frames("\n") { frame in "\(frame * 40) ms," + each(coco) { triple($1, frame) } }
    ) { $0.fps = 25 },
    file(
      "CSV in percent of the image", "a.csv",
      each(coco) { "\($1)_x,\($1)_y,\($1)_c" } + "\n"
        + frames("\n") { frame in
          each(coco) { _, name in
            let place = pixels(name, frame)
            return "\(text(place.x / 10.8)),\(text(place.y / 19.2)),0.9"
          }
        }
    ) { $0.words = ["read as percent of the image; if they are pixels: --size WxH"] },
    integers("`.npy` of big-endian integers in Fortran order, frames x 17 x 2"),
  ]

  // MARK: Other containers

  private static let backwardsHeader = each(coco.reversed()) { "\"\($1)_x\",\"\($1)_y\",\"\($1)_c\"" }

  private static let containers: [EstimatorLayout] = [
    file(
      "JSON of a table's rows: `[{\"frame\", \"nose_x\", \"nose_y\", \"nose_c\", …}]`", "a.json",
      "["
        + frames { frame in
          "{\"frame\":\(frame),"
            + each(coco) { _, name in
              let place = pixels(name, frame)
              return "\"\(name)_x\":\(text(place.x)),\"\(name)_y\":\(text(place.y)),\"\(name)_c\":0.9"
            } + "}"
        } + "]"),
    file(
      "JSON of a table's columns: `{\"nose_x\": {\"0\": …, \"1\": …}, …}`", "a.json",
      "{"
        + each(coco) { _, name in
          let x = frames { "\"\($0)\":\(text(pixels(name, $0).x))" }
          let y = frames { "\"\($0)\":\(text(pixels(name, $0).y))" }
          return "\"\(name)_x\":{\(x)},\"\(name)_y\":{\(y)}"
        } + "}"
    ) { $0.confidence = nil },
    file(
      "JSON of columns and rows: `{\"columns\": […], \"data\": [[…]]}`", "a.json",
      "{\"columns\":[\"time_ms\",\(backwardsHeader)],\"index\":[" + frames { "\($0)" } + "],\"data\":["
        + frames { frame in "[\(frame * 40)," + each(coco.reversed()) { triple($1, frame) } + "]" } + "]}"
    ) { $0.fps = 25 },
    file(
      "JSON of series: `{\"fps\", \"joints\": {\"nose\": [[x, y, c], …], …}}`", "a.json",
      "{\"fps\":25,\"joints\":{"
        + each(coco) { _, name in "\"\(name)\":[" + frames { "[\(triple(name, $0))]" } + "]" } + "}}"
    ) { $0.fps = 25 },
    file(
      "JSON of a joint's numbers: `{\"nose\": {\"x\": […], \"y\": […], \"confidence\": […]}, …, \"time\": […]}`",
      "a.json",
      "{"
        + each(coco) { _, name in
          let x = frames { text(pixels(name, $0).x) }
          let y = frames { text(pixels(name, $0).y) }
          return "\"\(name)\":{\"x\":[\(x)],\"y\":[\(y)],\"confidence\":[\(frames { _ in "0.9" })]}"
        } + ",\"time\":[" + frames { "\(Double($0) / 25)" } + "]}"
    ) { $0.fps = 25 },
    file(
      "JSON of points in another order: `{\"keypoint_names\": […], \"frames\": [[[x, y, c]]]}`", "a.json",
      "{\"keypoint_names\":[" + each(coco.sorted()) { "\"\($1)\"" } + "],\"frames\":["
        + frames { frame in "[" + each(coco.sorted()) { "[\(triple($1, frame))]" } + "]" } + "]}"),
    file(
      "JSON of people in lists: `[{\"keypoints\": [[[x, y]]], \"scores\": [[…]]}]`", "a.json",
      "["
        + frames { frame in
          "{\"keypoints\":[[" + each(coco) { "[\(xy($1, frame))]" } + "]],\"scores\":[["
            + each(coco) { _, _ in "0.9" } + "]]}"
        } + "]"),
    file(
      "JSON as a text in JSON Lines: `{\"frame\", \"results\": \"[{…}]\"}`", "a.jsonl",
      frames("\n") { frame in
        "{\"frame\":\(frame),\"results\":\"[{\\\"keypoints\\\":[" + each(coco) { "[\(triple($1, frame))]" } + "]}]\"}"
      }),
    file(
      "JSON of recordings in a list: `[{\"video\", \"fps\", \"frames\": […]}]`", "a.json",
      "["
        + ["anna.mp4", "ben.mp4"].enumerated().map { clip, video in
          "{\"video\":\"\(video)\",\"fps\":25,\"frames\":["
            + frames { frame in "{\"keypoints\":[" + each(coco) { "[\(xy($1, frame, clip: clip)),0.9]" } + "]}" } + "]}"
        }.joined(separator: ",") + "]"
    ) {
      $0.clips = 2
      $0.fps = 25
    },
    file(
      "JSON of detections: `[{\"image_id\": \"0000.jpg\", \"keypoints\": [[x, y, c]]}, …]`, two an image, one stands still",
      "a.json",
      "["
        + frames { frame in
          let image = "{\"image_id\":\"\(String(format: "%04d", frame)).jpg\",\"keypoints\":["
          let still = each(coco) { _, name in "[\(text(pixels(name, 0).x + 500)),\(text(pixels(name, 0).y)),0.95]" }
          return image + still + "]}," + image + each(coco) { "[\(triple($1, frame))]" } + "]}"
        } + "]"
    ) { $0.words = ["up to 2 people in a frame"] },
    file(
      "JSON by image: `{\"frame_0000.jpg\": [{\"keypoints\": [[x, y, c]]}], …}`", "a.json",
      "{"
        + frames { frame in
          "\"frame_\(String(format: "%04d", frame)).jpg\":[{\"keypoints\":[" + each(coco) { "[\(triple($1, frame))]" }
            + "]}]"
        } + "}"),
    file(
      "JSON by time: `{\"0.000\": {\"keypoints\": [[x, y, c]]}, …}`", "a.json",
      "{"
        + frames { frame in
          "\"\(String(format: "%.3f", Double(frame) / 25))\":{\"keypoints\":[" + each(coco) { "[\(triple($1, frame))]" }
            + "]}"
        } + "}"
    ) { $0.fps = 25 },
    file(
      "JSON `{\"fps\": \"30000/1200\", \"frames\": […]}`, a rate as FFmpeg writes it", "a.json",
      "{\"fps\":\"30000/1200\",\"frames\":[" + frames { frame in "[" + each(coco) { "[\(triple($1, frame))]" } + "]" }
        + "]}"
    ) { $0.fps = 25 },
    file(
      "CSV `frame,joint,x,y,c`, all frames of a joint together", "a.csv",
      "frame,joint,x,y,c\n" + each(coco, "\n") { _, name in frames("\n") { "\($0),\(name),\(triple(name, $0))" } }),
    file(
      "CSV of Ultralytics, a dictionary in a field: `{'x': […], 'y': […], 'visible': […]}`", "a.csv",
      "frame,name,keypoints\n"
        + frames("\n") { frame in
          "\(frame),person,\"{'x': [" + each(coco, ", ") { text(pixels($1, frame).x) } + "], 'y': ["
            + each(coco, ", ") { text(pixels($1, frame).y) } + "], 'visible': [" + each(coco, ", ") { _, _ in "0.9" }
            + "]}\""
        }
    ) { $0.words = ["not used: name"] },
    file(
      "CSV of all points in a field, as NumPy prints them: `[[540. 384.5 0.9] …]`", "a.csv",
      "frame,keypoints\n"
        + frames("\n") { frame in
          "\(frame),\"["
            + each(coco, "\n ") { _, name in
              let place = pixels(name, frame)
              return "[\(Int(place.x.rounded())). \(text(place.y)) 0.9]"
            } + "]\""
        }),
    file(
      "text of 51 numbers a line between spaces", "a.txt",
      frames("\n") { frame in each(coco, " ") { triple($1, frame).replacing(",", with: " ") } }),
    array(
      "`.npy` of frames x 3 x 17", [Person.frames, 3, 17],
      (0..<Person.frames).flatMap { frame in
        (0..<3).flatMap { channel in
          coco.map { name -> Float in
            let place = pixels(name, frame)
            return channel == 2 ? 0.9 : Float(channel == 0 ? place.x : place.y)
          }
        }
      }),
    array(
      "`.npy` of ST-GCN: 3 x frames x 17 x 1 person", [3, Person.frames, 17, 1],
      (0..<3).flatMap { channel in
        (0..<Person.frames).flatMap { frame in
          coco.map { name -> Float in
            let place = pixels(name, frame)
            return channel == 2 ? 0.9 : Float(channel == 0 ? place.x : place.y)
          }
        }
      }),
    array(
      "`.npy` of 2 people x frames x 17 x 3, one stands still", [2, Person.frames, 17, 3],
      (0..<Person.frames).flatMap { _ in
        coco.flatMap { name -> [Float] in [Float(pixels(name, 0).x) + 500, Float(pixels(name, 0).y), 0.95] }
      } + numbers(coco) { [$1.x, $1.y, 0.9] }
    ) { $0.words = ["up to 2 people in a frame"] },
  ]

  // MARK: Headers

  private static func row(_ frame: Int) -> String { each(coco) { triple($1, frame) } }

  private static let header = each(coco) { "\($1)_x,\($1)_y,\($1)_c" }

  /// DeepLabCut's rows above two individuals' numbers.
  private static let individuals: String = {
    let two = coco + coco
    let names = (0..<two.count).map { $0 < coco.count ? "one,one,one" : "two,two,two" }
    return [
      "scorer," + each(two) { _, _ in "net,net,net" }, "individuals," + names.joined(separator: ","),
      "bodyparts," + each(two) { "\($1),\($1),\($1)" }, "coords," + each(two) { _, _ in "x,y,likelihood" }, "",
    ].joined(separator: "\n")
  }()

  /// The bones of ARKit, each with the joint where it begins.
  private static let bones = [
    ("hips_joint", "root"), ("left_upLeg_joint", "left_hip"), ("left_leg_joint", "left_knee"),
    ("left_foot_joint", "left_ankle"), ("right_upLeg_joint", "right_hip"), ("right_leg_joint", "right_knee"),
    ("right_foot_joint", "right_ankle"), ("neck_1_joint", "neck"), ("left_shoulder_1_joint", "neck"),
    ("left_arm_joint", "left_shoulder"), ("left_forearm_joint", "left_elbow"), ("left_hand_joint", "left_wrist"),
    ("right_shoulder_1_joint", "neck"), ("right_arm_joint", "right_shoulder"), ("right_forearm_joint", "right_elbow"),
    ("right_hand_joint", "right_wrist"),
  ]

  private static let headers: [EstimatorLayout] = [
    file(
      "CSV `0_nose_x, 1_left_eye_x, …`", "a.csv",
      coco.enumerated().map { "\($0)_\($1)_x,\($0)_\($1)_y,\($0)_\($1)_c" }.joined(separator: ",") + "\n"
        + frames("\n", row)),
    file(
      "CSV `hipLx, hipLy, hipRx, …`", "a.csv",
      each(coco) { _, name in
        let own = spelt(name, { part, side in part + (side.map { $0.prefix(1).uppercased() } ?? "") }, "")
        return "\(own)x,\(own)y"
      } + "\n" + frames("\n") { frame in each(coco) { xy($1, frame) } }
    ) { $0.confidence = nil },
    file(
      "CSV `joint,x,y,c` of a frame's joints after those of the one before", "a.csv",
      "joint,x,y,c\n" + frames("\n") { frame in each(coco, "\n") { "\($1),\(triple($1, frame))" } }),
    EstimatorLayout(
      name: "CSV `joint,x,y,c`, a file a frame: `frame_0000.csv`",
      files: (0..<Person.frames).map { frame in
        let text = "joint,x,y,c\n" + each(coco, "\n") { "\($1),\(triple($1, frame))" }
        return ("frame_\(String(format: "%04d", frame)).csv", Data(text.utf8))
      }),
    EstimatorLayout(
      name: "`.npy` of 17 x 3, a file a frame: `0000.npy`",
      files: (0..<Person.frames).map { frame in
        let values = coco.flatMap { name -> [Float] in
          let place = pixels(name, frame)
          return [Float(place.x), Float(place.y), 0.9]
        }
        return ("\(String(format: "%04d", frame)).npy", NumpyArray(shape: [17, 3], values: values).encoded)
      }),
    file(
      "CSV `nose_u, nose_v, …` of pixels", "a.csv",
      each(coco) { "\($1)_u,\($1)_v" } + "\n" + frames("\n") { frame in each(coco) { xy($1, frame) } }
    ) { $0.confidence = nil },
    file(
      "CSV of ARKit's bones, y up: `left_arm_joint_x` is the shoulder", "a.csv",
      bones.map { "\($0.0)_x,\($0.0)_y" }.joined(separator: ",") + "\n"
        + frames("\n") { frame in
          bones.map { "\(text(pixels($0.1, frame).x)),\(text(1920 - pixels($0.1, frame).y))" }.joined(separator: ",")
        }
    ) {
      $0.confidence = nil
      $0.words = ["not used: left_shoulder_1_joint, right_shoulder_1_joint"]
    },
    file(
      "CSV of two people side by side: `p1_nose_x, …, p2_nose_x, …`, one stands still", "a.csv",
      (1...2).map { person in each(coco) { "p\(person)_\($1)_x,p\(person)_\($1)_y,p\(person)_\($1)_c" } }
        .joined(separator: ",") + "\n" + frames("\n") { frame in row(0) + "," + row(frame) }
    ) { $0.words = ["the subject is number 2, who moves"] },
    file(
      "CSV of DeepLabCut with individuals, one stands still", "a.csv",
      individuals + frames("\n") { frame in "\(frame)," + row(0) + "," + row(frame) }
    ) { $0.words = ["the subject is number 2, who moves"] },
    file(
      "CSV of two people under each frame's number, without their own, one stands still", "a.csv",
      "frame," + header + "\n"
        + frames("\n") { frame in
          "\(frame),"
            + each(coco) { _, name in "\(text(pixels(name, 0).x + 500)),\(text(pixels(name, 0).y)),0.95" }
            + "\n\(frame),\(row(frame))"
        }
    ) { $0.words = ["up to 2 people in a frame"] },
    file(
      "CSV of recordings told apart by `subject` and `trial`", "a.csv",
      "subject,trial,frame," + header + "\n"
        + ["anna", "ben"].enumerated().map { clip, name in
          frames("\n") { frame in
            "\(name),1,\(frame)," + each(coco) { xy($1, frame, clip: clip) + ",0.9" }
          }
        }.joined(separator: "\n")
    ) { $0.clips = 2 },
    file(
      "CSV with a row of units below the header", "a.csv",
      header + "\n" + each(coco) { _, _ in "px,px,-" } + "\n" + frames("\n", row)),
    file(
      "CSV with lines of facts before the header", "a.csv",
      "Video,squat.mp4\nFPS,25\n\n" + header + "\n" + frames("\n", row)
    ) {
      $0.fps = 25
      $0.words = ["2 lines of comments before the header"]
    },
    file("CSV whose rows end with a comma", "a.csv", header + "\n" + frames("\n") { row($0) + "," }),
    file(
      "CSV of Excel, with `sep=;` and decimal commas", "a.csv",
      "sep=;\r\n" + header.replacing(",", with: ";") + "\r\n"
        + frames("\r\n") { row($0).replacing(",", with: ";").replacing(".", with: ",") }),
  ]

  // MARK: Times and numbers

  private static let namedClocks: [(key: String, value: @Sendable (Int) -> String)] = [
    ("epoch_ms", { "\(1_741_867_200_000 + $0 * 40)" }), ("CAP_PROP_POS_MSEC", { "\($0 * 40).0" }),
    ("Time [s]", { "\(Double($0) / 25)" }),
    ("timestamp", { "13/03/2025 12:00:\(String(format: "%06.3f", Double($0) / 25))" }),
  ]

  private static let clocksAndNumbers: [EstimatorLayout] =
    namedClocks.map { key, value in
      file(
        "CSV with times as `\(key)`: \(value(1))", "a.csv",
        "\(key)," + header + "\n" + frames("\n") { frame in value(frame) + "," + row(frame) }
      ) { $0.fps = 25 }
    }
    + [
      file(
        "CSV with confidences as `90%`", "a.csv",
        header + "\n" + frames("\n") { frame in each(coco) { xy($1, frame) + ",90%" } }
      ) { $0.words = ["read as percent"] },
      file(
        "CSV of every second frame of 60 a second", "a.csv",
        "frame,fps," + header + "\n" + frames("\n") { frame in "\(2 * frame),60," + row(frame) }
      ) { $0.words = ["frame numbers are 2 apart: 30 frames a second"] },
    ]

  // MARK: Words, commas and joined files

  private static let wordsAndCommas: [EstimatorLayout] = [
    file(
      "CSV with confidences as `True`", "a.csv",
      wide(coco, { ["\($0)_x", "\($0)_y", "\($0)_visible"] }, confidence: "True")
    ) { $0.confidence = 1 },
    file(
      "CSV with decimal commas in quotation marks", "a.csv",
      header + "\n"
        + frames("\n") { frame in
          row(frame).split(separator: ",").map { "\"\($0.replacing(".", with: ","))\"" }.joined(separator: ",")
        }),
    file(
      "CSV of two recordings, each below the header", "a.csv",
      (0..<2).map { clip in
        "frame,\(header)\n" + frames("\n") { frame in "\(frame)," + each(coco) { xy($1, frame, clip: clip) + ",0.9" } }
      }.joined(separator: "\n")
    ) {
      $0.clips = 2
      $0.words = ["another recording begins there"]
    },
    file(
      "CSV `frame,variable,value`, such as `0,nose_x,518.4`", "a.csv",
      "frame,variable,value\n"
        + frames("\n") { frame in
          each(coco, "\n") { _, name in
            let place = pixels(name, frame)
            return "\(frame),\(name)_x,\(text(place.x))\n\(frame),\(name)_y,\(text(place.y))\n\(frame),\(name)_conf,0.9"
          }
        }),
    EstimatorLayout(
      name: "text of 51 numbers, a file a frame: `0000.txt`",
      files: (0..<Person.frames).map { frame in
        ("\(String(format: "%04d", frame)).txt", Data(row(frame).replacing(",", with: " ").utf8))
      }),
  ]

  // MARK: Points without names

  private static let mpi = [
    "head", "neck", "right_shoulder", "right_elbow", "right_wrist", "left_shoulder", "left_elbow", "left_wrist",
    "right_hip", "right_knee", "right_ankle", "left_hip", "left_knee", "left_ankle", "chest",
  ]
  private static let panoptic = [
    "neck", "nose", "root", "left_shoulder", "left_elbow", "left_wrist", "left_hip", "left_knee", "left_ankle",
    "right_shoulder", "right_elbow", "right_wrist", "right_hip", "right_knee", "right_ankle",
  ]

  private static let orders: [EstimatorLayout] = [
    file(
      "CSV of a class and 51 columns without names", "a.csv",
      frames("\n") { frame in "0," + each(coco) { triple($1, frame) } }),
    file(
      "CSV of a time, a class and 51 columns without names", "a.csv",
      frames("\n") { frame in "\(text(Double(frame) / 25)),0," + each(coco) { triple($1, frame) } }
    ) { $0.fps = 25 },
    file(
      "CSV of 51 columns without names and a class", "a.csv",
      frames("\n") { frame in each(coco) { triple($1, frame) } + ",0" }),
    file(
      "CSV of a time, 51 columns without names and a class", "a.csv",
      frames("\n") { frame in "\(text(Double(frame) / 25))," + each(coco) { triple($1, frame) } + ",0" }
    ) { $0.fps = 25 },
    file(
      "JSON of OpenPose's MPI model in one file: a list of 45 numbers a frame", "a.json",
      "[" + frames { frame in "[" + each(mpi) { triple($1, frame) } + "]" } + "]"
    ) { $0.words = ["15 numbered points are read as openpose-15"] },
    file(
      "CSV `x0, y0, c0, …` of 15, OpenPose's MPI model", "a.csv",
      (0..<15).map { "x\($0),y\($0),c\($0)" }.joined(separator: ",") + "\n"
        + frames("\n") { frame in each(mpi) { triple($1, frame) } }
    ) { $0.words = ["15 numbered points are read as openpose-15"] },
    array(
      "`.npy` of frames x 15 x 3, CMU Panoptic", [Person.frames, 15, 3], numbers(panoptic) { [$1.x, $1.y, 0.9] }
    ) { $0.words = ["15 numbered points are read as panoptic-15"] },
  ]

  // MARK: Records and elements

  private static func record(_ frame: Int, _ name: String) -> String {
    let place = pixels(name, frame)
    return
      "{\"frame\":\(frame),\"joint\":\"\(name)\",\"x\":\(text(place.x)),\"y\":\(text(place.y)),\"confidence\":0.9}"
  }

  private static let records: [EstimatorLayout] = [
    file(
      "JSON of a point an object: `[{\"frame\", \"joint\", \"x\", \"y\", \"confidence\"}, …]`", "a.json",
      "[" + frames { frame in each(coco) { record(frame, $1) } } + "]"),
    file(
      "the same as JSON Lines in a file `.txt`", "a.txt",
      frames("\n") { frame in each(coco, "\n") { record(frame, $1) } }),
    file(
      "JSON Lines of frames in a file `.txt`", "a.txt",
      frames("\n") { "{\"t\":\(Double($0) / 25),\"keypoints\":\(points($0))}" }
    ) { $0.fps = 25 },
    file(
      "text of Kotlin's data classes: `Pose(timestampMs=40, keyPoints=[KeyPoint(bodyPart=NOSE, coordinate=PointF(x, y), score=c)])`",
      "a.txt",
      frames("\n") { frame in
        "Pose(timestampMs=\(frame * 40), keyPoints=["
          + each(coco, ", ") { "KeyPoint(bodyPart=\($1.uppercased()), coordinate=PointF(\(xy($1, frame))), score=0.9)" }
          + "])"
      }
    ) { $0.fps = 25 },
    file(
      "text of a log: `D Pose: frame=1 nose=(x,y,c) left_eye=(…)`", "a.txt",
      frames("\n") { frame in
        "D Pose: frame=\(frame) " + each(coco, " ") { "\($1)=(\(triple($1, frame)))" }
      }),
    file(
      "XML `<frame number=\"0\"><joint name=\"nose\" x=\"…\" y=\"…\" confidence=\"…\"/>…`", "a.xml",
      "<recording fps=\"25\">"
        + frames("") { frame in
          "<frame number=\"\(frame)\">"
            + each(coco, "") { _, name in
              let place = pixels(name, frame)
              return "<joint name=\"\(name)\" x=\"\(text(place.x))\" y=\"\(text(place.y))\" confidence=\"0.9\"/>"
            } + "</frame>"
        } + "</recording>"
    ) { $0.fps = 25 },
    file(
      "XML of CVAT: `<track><skeleton frame=\"0\"><points label=\"nose\" outside=\"0\" points=\"x,y\"/>…`", "a.xml",
      "<annotations><version>1.1</version><track id=\"0\" label=\"person\">"
        + frames("") { frame in
          "<skeleton frame=\"\(frame)\" keyframe=\"1\">"
            + each(coco, "") { "<points label=\"\($1)\" outside=\"0\" occluded=\"0\" points=\"\(xy($1, frame))\"/>" }
            + "</skeleton>"
        } + "</track></annotations>"
    ) { $0.confidence = nil },
    EstimatorLayout(
      name: "JSON of LabelMe, a file an image: `{\"shapes\": [{\"label\": \"nose\", \"points\": [[x, y]]}]}`",
      files: (0..<Person.frames).map { frame in
        let shapes = each(coco) { "{\"label\":\"\($1)\",\"points\":[[\(xy($1, frame))]],\"shape_type\":\"point\"}" }
        return (
          "frame_\(String(format: "%04d", frame)).json",
          Data("{\"version\":\"5.3.1\",\"flags\":{},\"shapes\":[\(shapes)],\"imageData\":null}".utf8)
        )
      }, confidence: nil),
    file(
      "JSON of Label Studio: `[{\"annotations\": [{\"result\": [{\"value\": {\"x\", \"y\", \"keypointlabels\"}}]}]}]`",
      "a.json",
      "["
        + frames { frame in
          "{\"id\":\(frame + 7),\"annotations\":[{\"id\":5,\"result\":["
            + each(coco) { index, name in
              let place = pixels(name, frame)
              return "{\"value\":{\"x\":\(text(place.x / 10.8)),\"y\":\(text(place.y / 19.2)),\"width\":0.3,"
                + "\"keypointlabels\":[\"\(name)\"]},\"id\":\"a\(index)\",\"type\":\"keypointlabels\"}"
            } + "]}],\"file_upload\":\"1-frame_\(String(format: "%04d", frame)).jpg\"}"
        } + "]"
    ) {
      $0.confidence = nil
      $0.words = ["read as percent of the image"]
    },
    file(
      "JSON of ARKit's transforms: `{\"left_leg_joint\": [16 numbers by columns], …}`, y up", "a.json",
      "["
        + frames { frame in
          "{\"timestamp\":\(1000 + Double(frame) / 25),\"joints\":{"
            + bones.map { bone, name in
              let place = pixels(name, frame)
              return "\"\(bone)\":[1,0,0,0,0,1,0,0,0,0,1,0,\(text(place.x)),\(text(1920 - place.y)),0,1]"
            }.joined(separator: ",") + "}}"
        } + "]"
    ) {
      $0.fps = 25
      $0.confidence = nil
    },
    file(
      "JSON of Java's optionals: `{\"x\", \"y\", \"visibility\": {\"isPresent\": true, \"value\"}}`", "a.json",
      "["
        + frames { frame in
          "["
            + each(coco) { _, name in
              let place = pixels(name, frame)
              return "{\"x\":\(text(place.x)),\"y\":\(text(place.y)),\"visibility\":{\"isPresent\":true,\"value\":0.9}}"
            } + "]"
        } + "]"),
  ]

  // MARK: Headers of other tools

  private static func tabs(_ text: String) -> String { text.replacing(",", with: "\t") }

  private static let tablesOfTools: [EstimatorLayout] = [
    file(
      "CSV with a column a frame: `,0,1,2 …`, rows `nose_x`, `nose_y`, `nose_c`", "a.csv",
      "," + frames { "\($0)" } + "\n"
        + each(coco, "\n") { _, name in
          "\(name)_x," + frames { text(pixels(name, $0).x) } + "\n\(name)_y," + frames { text(pixels(name, $0).y) }
            + "\n\(name)_c," + frames { _ in "0.9" }
        }),
    file(
      "CSV with a column a frame: `joint,coord,frame_0,frame_1 …`", "a.csv",
      "joint,coord," + frames { "frame_\($0)" } + "\n"
        + each(coco, "\n") { _, name in
          "\(name),x," + frames { text(pixels(name, $0).x) } + "\n\(name),y," + frames { text(pixels(name, $0).y) }
        }
    ) { $0.confidence = nil },
    file(
      "TSV of Qualisys: `MARKER_NAMES nose left_eye …` above numbers", "a.tsv",
      "NO_OF_FRAMES\t60\nFREQUENCY\t25\nTIME_STAMP\t2025-03-13, 12:00:00\nDATA_INCLUDED\t2D\nMARKER_NAMES\t"
        + each(coco, "\t") { $1 } + "\n" + frames("\n") { frame in tabs(each(coco) { xy($1, frame) }) }
    ) {
      $0.fps = 25
      $0.confidence = nil
      $0.words = ["lines of comments before the header"]
    },
    file(
      "CSV of Vicon: a rate, names above `X,Y`, units below", "a.csv",
      "Trajectories\n25\n,," + each(coco) { "anna:\($1)," } + "\nFrame,Sub Frame," + each(coco) { _, _ in "X,Y" }
        + "\n,," + each(coco) { _, _ in "mm,mm" } + "\n"
        + frames("\n") { frame in "\(frame + 1),0," + each(coco) { xy($1, frame) } }
    ) {
      $0.fps = 25
      $0.confidence = nil
    },
    file(
      "text of Visual3D: five rows of a file, names, kinds and `X Y` between tabs", "a.txt", visual3D
    ) { $0.confidence = nil },
    file(
      "CSV of pandas with two header rows and the index's name in a third", "a.csv",
      "keypoint," + each(coco) { "\($1),\($1),\($1)" } + "\ncoord," + each(coco) { _, _ in "x,y,conf" } + "\nframe"
        + each(coco, "") { _, _ in ",,," } + "\n" + frames("\n") { frame in "\(frame)," + row(frame) }),
    file(
      "CSV of DeepLabCut's labels, with three columns of a frame: `labeled-data,a,img0000.png`", "a.csv",
      "scorer,,," + each(coco) { _, _ in "me,me" } + "\nbodyparts,,," + each(coco) { "\($1),\($1)" } + "\ncoords,,,"
        + each(coco) { _, _ in "x,y" } + "\n"
        + frames("\n") { frame in
          "labeled-data,a,img\(String(format: "%04d", frame)).png," + each(coco) { xy($1, frame) }
        }
    ) { $0.confidence = nil },
    file(
      "OpenSim's `.sto` of vectors: `time nose left_eye …`, each `x,y,z`", "a.sto",
      "Markers\nversion=3\nDataType=Vec3\nendheader\ntime\t" + each(coco, "\t") { $1 } + "\n"
        + frames("\n") { frame in
          "\(text(Double(frame) / 25))\t" + each(coco, "\t") { xy($1, frame) + ",0.0" }
        }
    ) {
      $0.fps = 25
      $0.confidence = nil
    },
    file(
      "CSV of 34 columns without names, all x before all y", "a.csv",
      frames("\n") { frame in
        each(coco) { text(pixels($1, frame).x) } + "," + each(coco) { text(pixels($1, frame).y) }
      }
    ) { $0.confidence = nil },
    file(
      "CSV separated by `|`", "a.csv",
      header.replacing(",", with: "|") + "\n" + frames("\n") { row($0).replacing(",", with: "|") }),
    file(
      "CSV with spaces after commas, before quotation marks", "a.csv",
      each(coco, ", ") { "\"\($1)_x\", \"\($1)_y\"" } + "\n"
        + frames("\n") { frame in each(coco, ", ") { xy($1, frame).replacing(",", with: ", ") } }
    ) { $0.confidence = nil },
    file(
      "CSV of NumPy's savetxt, its header a comment: `# time,nose_x, …`", "a.csv",
      "# time," + header + "\n"
        + frames("\n") { frame in text(Double(frame) / 25) + "," + row(frame) }
    ) { $0.fps = 25 },
    file(
      "CSV with names in German: `linke Schulter_x`", "a.csv",
      "Zeit [ms]," + german.map { "\($0.0)_x,\($0.0)_y" }.joined(separator: ",") + "\n"
        + frames("\n") { frame in
          "\(frame * 40)," + german.map { xy($0.1, frame) }.joined(separator: ",")
        }
    ) {
      $0.fps = 25
      $0.confidence = nil
    },
  ]

  private static let visual3D: String = {
    let words = ["a.c3d", nil, "LINK_MODEL_BASED", "ORIGINAL"]
    var rows = words.map { word in "," + each(coco) { "\(word ?? $1),\(word ?? $1)" } }
    rows.append("ITEM," + each(coco) { _, _ in "X,Y" })
    rows += (0..<Person.frames).map { frame in "\(frame + 1)," + each(coco) { xy($1, frame) } }
    return tabs(rows.joined(separator: "\n"))
  }()

  private static let german = [
    ("Nase", "nose"), ("linke Schulter", "left_shoulder"), ("rechte Schulter", "right_shoulder"),
    ("linker Ellbogen", "left_elbow"), ("rechter Ellbogen", "right_elbow"), ("linkes Handgelenk", "left_wrist"),
    ("rechtes Handgelenk", "right_wrist"), ("linke Hüfte", "left_hip"), ("rechte Hüfte", "right_hip"),
    ("linkes Knie", "left_knee"), ("rechtes Knie", "right_knee"), ("linker Knöchel", "left_ankle"),
    ("rechter Knöchel", "right_ankle"),
  ]

  // MARK: Further times

  private static let ticking: [(key: String, value: @Sendable (Int) -> String, words: String?)] = [
    ("Ticks", { "\($0 * 400_000)" }, nil),
    ("RelativeTime", { "\($0 * 400_000)" }, "times are read as ticks of 100 ns, which gives 25 frames a second"),
    ("pts", { "\($0 * 3600)" }, "times are read as 90,000ths of a second, which gives 25 frames a second"),
  ]

  private static let stamps: [(key: String, value: @Sendable (Int) -> String)] = [
    ("\"time\": {\"value\": 24, \"timescale\": 600}", { "\"time\":{\"value\":\($0 * 24),\"timescale\":600}" }),
    (
      "\"header\": {\"stamp\": {\"secs\": 1741867200, \"nsecs\": 40000000}}",
      { "\"header\":{\"seq\":\($0),\"stamp\":{\"secs\":\(1_741_867_200 + $0 / 25),\"nsecs\":\($0 % 25 * 40_000_000)}}" }
    ),
  ]

  private static let furtherTimes: [EstimatorLayout] =
    ticking.map { key, value, words in
      file(
        "CSV with times as `\(key)`: \(value(1))", "a.csv",
        "\(key)," + header + "\n" + frames("\n") { frame in value(frame) + "," + row(frame) }
      ) {
        $0.fps = 25
        $0.words = words.map { [$0] } ?? []
      }
    }
    + stamps.map { key, value in
      file(
        "JSON `[{\(key), \"keypoints\"}]`", "a.json",
        "[" + frames { "{\(value($0)),\"keypoints\":\(points($0))}" } + "]"
      ) { $0.fps = 25 }
    }
    + [
      file(
        "JSON by time: `{\"40ms\": [{\"x\", \"y\", \"score\", \"name\"}], …}`", "a.json",
        "{" + frames { "\"\($0 * 40)ms\":\(points($0))" } + "}"
      ) { $0.fps = 25 },
      file(
        "JSON `{\"timestamps\": […], \"frames\": [[[x, y, c]]]}`", "a.json",
        "{\"timestamps\":[" + frames { "\(Double($0) / 25)" } + "],\"frames\":["
          + frames { frame in "[" + each(coco) { "[\(triple($1, frame))]" } + "]" } + "]}"
      ) { $0.fps = 25 },
      file(
        "JSON `{\"keypoints\": [[[x, y]]], \"scores\": [[…]]}`, a list of scores a frame", "a.json",
        "{\"keypoints\":[" + frames { frame in "[" + each(coco) { "[\(xy($1, frame))]" } + "]" } + "],\"scores\":["
          + frames { _ in "[" + each(coco) { _, _ in "0.9" } + "]" } + "]}"),
      file(
        "JSON of PYSKL, people before frames: `{\"keypoint\": [[[[x, y]]]], \"keypoint_score\": [[[…]]]}`", "a.json",
        "{\"total_frames\":60,\"keypoint\":[["
          + frames { frame in "[" + each(coco) { "[\(xy($1, frame))]" } + "]" } + "]],\"keypoint_score\":[["
          + frames { _ in "[" + each(coco) { _, _ in "0.9" } + "]" } + "]]}"),
    ]

  // MARK: Groups and people

  private static func point3(_ name: String, _ frame: Int) -> String { "\"\(name)\":[\(triple(name, frame))]" }

  private static let groups: [EstimatorLayout] = [
    file(
      "JSON `[{\"upper_body\": {\"left_wrist\": [x, y, c], …}, \"lower_body\": {…}}]`", "a.json",
      "["
        + frames { frame in
          "{\"t\":\(frame * 40),\"upper_body\":{" + each(Array(coco[..<11])) { point3($1, frame) }
            + "},\"lower_body\":{" + each(Array(coco[11...])) { point3($1, frame) } + "}}"
        } + "]"
    ) { $0.fps = 25 },
    file(
      "JSON `[{\"joints\": {\"knee\": {\"left\": [x, y, c], \"right\": [x, y, c]}, …}}]`", "a.json",
      "["
        + frames { frame in
          "{\"joints\":{"
            + each(["shoulder", "elbow", "wrist", "hip", "knee", "ankle"]) { _, part in
              "\"\(part)\":{\"left\":[\(triple("left_\(part)", frame))],\"right\":[\(triple("right_\(part)", frame))]}"
            } + "}}"
        } + "]"),
    file(
      "JSON Lines of two people who take turns, without numbers or times, one stands still", "a.jsonl",
      frames("\n") { frame in
        let still = each(coco) { _, name in "[\(text(pixels(name, 0).x + 500)),\(text(pixels(name, 0).y)),0.95]" }
        return "{\"keypoints\":[\(still)]}\n{\"keypoints\":[" + each(coco) { "[\(triple($1, frame))]" } + "]}"
      }
    ) { $0.words = ["2 people take turns from frame to frame"] },
  ]

  // MARK: Further arrays

  private static let furtherArrays: [EstimatorLayout] = [
    array(
      "`.npy` of 17 x frames x 2", [17, Person.frames, 2],
      coco.flatMap { name in
        (0..<Person.frames).flatMap { frame -> [Float] in
          let place = pixels(name, frame)
          return [Float(place.x), Float(place.y)]
        }
      }
    ) { $0.confidence = nil },
    array(
      "`.npy` of frames x 34, all x before all y", [Person.frames, 34],
      (0..<Person.frames).flatMap { frame in
        coco.map { Float(pixels($0, frame).x) } + coco.map { Float(pixels($0, frame).y) }
      }
    ) { $0.confidence = nil },
    array(
      "`.npy` of ST-GCN: 3 x frames x 17 x 2 people, one stands still", [3, Person.frames, 17, 2],
      (0..<3).flatMap { channel in
        (0..<Person.frames).flatMap { frame in
          coco.flatMap { name -> [Float] in
            let (still, place) = (pixels(name, 0), pixels(name, frame))
            switch channel {
            case 0: return [Float(still.x) + 500, Float(place.x)]
            case 1: return [Float(still.y), Float(place.y)]
            default: return [0.95, 0.9]
            }
          }
        }
      }
    ) { $0.words = ["up to 2 people in a frame"] },
  ]

  // MARK: Labelling tools

  private static func spot(_ name: String, _ frame: Int, _ x: String = "x", _ y: String = "y") -> String {
    let place = pixels(name, frame)
    return "\"\(x)\":\(text(place.x)),\"\(y)\":\(text(place.y))"
  }

  private static func image(_ frame: Int) -> String { "frame_\(String(format: "%04d", frame)).jpg" }

  private static let labellingTools: [EstimatorLayout] = [
    file(
      "JSON of V7 Darwin: `{\"annotations\": [{\"name\": \"nose\", \"frames\": {\"0\": {\"keypoint\": {\"x\", \"y\"}}}}]}`",
      "a.json",
      "{\"item\":{\"slots\":[{\"width\":1080,\"height\":1920,\"fps\":25}]},\"annotations\":["
        + each(coco) { _, name in
          "{\"frames\":{" + frames { "\"\($0)\":{\"keypoint\":{\(spot(name, $0))}}" } + "},\"name\":\"\(name)\"}"
        } + "]}"
    ) {
      $0.fps = 25
      $0.confidence = nil
    },
    file(
      "JSON of V7 Darwin: `{\"annotations\": [{\"frames\": {\"0\": {\"skeleton\": {\"nodes\": [{\"name\", \"x\", \"y\"}]}}}}]}`",
      "a.json",
      "{\"annotations\":[{\"name\":\"person\",\"frames\":{"
        + frames { frame in
          "\"\(frame)\":{\"skeleton\":{\"nodes\":["
            + each(coco) { "{\"name\":\"\($1)\",\"occluded\":false,\(spot($1, frame))}" } + "]}}"
        } + "}}]}"
    ) { $0.confidence = nil },
    file(
      "JSON Lines of Labelbox: `{\"frames\": {\"1\": {\"objects\": {\"id\": {\"name\", \"point\": {\"x\", \"y\"}}}}}}` deep in a line",
      "a.ndjson",
      "{\"media_attributes\":{\"height\":1920,\"width\":1080,\"frame_rate\":25},\"projects\":{\"p\":{\"labels\":[{\"annotations\":"
        + "{\"frames\":{"
        + frames { frame in
          "\"\(frame + 1)\":{\"objects\":{"
            + each(coco) { "\"o\($0)\":{\"name\":\"\($1)\",\"point\":{\(spot($1, frame))}}" } + "}}"
        } + "}}}]}}}"
    ) {
      $0.fps = 25
      $0.confidence = nil
    },
    file(
      "JSON Lines of Labelbox, a line a point: `{\"name\", \"dataRow\": {\"globalKey\": \"frame_0000.jpg\"}, \"point\": {\"x\", \"y\"}}`",
      "a.ndjson",
      frames("\n") { frame in
        each(coco, "\n") {
          "{\"name\":\"\($1)\",\"dataRow\":{\"globalKey\":\"\(image(frame))\"},\"point\":{\(spot($1, frame))}}"
        }
      }
    ) { $0.confidence = nil },
    file(
      "JSON of VIA: `{\"regions\": [{\"shape_attributes\": {\"cx\", \"cy\"}, \"region_attributes\": {\"keypoint\"}}]}` an image",
      "a.json",
      "{"
        + frames { frame in
          "\"\(image(frame))123\":{\"filename\":\"\(image(frame))\",\"size\":123,\"regions\":["
            + each(coco) { _, name in
              "{\"shape_attributes\":{\"name\":\"point\",\(spot(name, frame, "cx", "cy"))},"
                + "\"region_attributes\":{\"keypoint\":\"\(name)\"}}"
            } + "]}"
        } + "}"
    ) { $0.confidence = nil },
    file(
      "CSV of VIA: `filename,region_shape_attributes,region_attributes`, with JSON in fields", "a.csv",
      "filename,region_count,region_shape_attributes,region_attributes\n"
        + frames("\n") { frame in
          each(coco, "\n") { _, name in
            let shape = "{\"name\":\"point\",\(spot(name, frame, "cx", "cy"))}".replacing("\"", with: "\"\"")
            return "\(image(frame)),17,\"\(shape)\",\"{\"\"keypoint\"\":\"\"\(name)\"\"}\""
          }
        }
    ) { $0.confidence = nil },
    file(
      "XML `<frame><timestamp>40</timestamp><joint><name>nose</name><x>…</x><y>…</y></joint>…`", "a.xml",
      "<poses>"
        + frames("") { frame in
          "<frame><timestamp>\(frame * 40)</timestamp>"
            + each(coco, "") { _, name in
              let place = pixels(name, frame)
              return
                "<joint><name>\(name)</name><x>\(text(place.x))</x><y>\(text(place.y))</y><score>0.9</score></joint>"
            } + "</frame>"
        } + "</poses>"
    ) { $0.fps = 25 },
    file(
      "XML of Kinovea: `<Track name=\"nose\"><TrackPoint UserX=\"…\" UserY=\"…\" UserTime=\"0:00:00:04\">`", "a.xml",
      "<KinoveaVideoAnalysis><Tracks>"
        + each(coco, "") { _, name in
          "<Track name=\"\(name)\">"
            + frames("") { frame in
              let (place, time) = (pixels(name, frame), String(format: "0:00:%02d:%02d", frame / 25, frame % 25 * 4))
              return
                "<TrackPoint UserX=\"\(text(place.x))\" UserY=\"\(text(place.y))\" UserTime=\"\(time)\">7;8;9</TrackPoint>"
            } + "</Track>"
        } + "</Tracks></KinoveaVideoAnalysis>"
    ) {
      $0.fps = 25
      $0.confidence = nil
    },
  ]

  // MARK: Steps and clocks in names

  private static let clocksOfNames: [EstimatorLayout] = [
    file(
      "CSV with the time since the frame before as `dt`: 0.04", "a.csv",
      "dt," + header + "\n" + frames("\n") { frame in "\(frame == 0 ? 0 : 0.04)," + row(frame) }
    ) { $0.fps = 25 },
    file(
      "CSV with times as `date`: 2025-03-13T12:00:00.040Z", "a.csv",
      "date," + header + "\n"
        + frames("\n") { frame in "2025-03-13T12:00:\(String(format: "%06.3f", Double(frame) / 25))Z," + row(frame) }
    ) { $0.fps = 25 },
    file(
      "CSV with times as `pts` of FFmpeg: 512", "a.csv",
      "pts," + header + "\n" + frames("\n") { frame in "\(frame * 512)," + row(frame) }
    ) { $0.words = ["times are not used: they grow by 512 a frame"] },
    file(
      "JSON by time in ns since 1970: `{\"1741867200040000000\": {\"body_list\": [{\"keypoint_2d\": [[x, y]]}]}}`",
      "a.json",
      "{"
        + frames { frame in
          "\"\(1_741_867_200_000_000_000 + frame * 40_000_000)\":{\"body_list\":[{\"keypoint_2d\":["
            + each(openPose) { "[\(xy($1, frame))]" } + "]}]}"
        } + "}"
    ) {
      $0.fps = 25
      $0.confidence = nil
    },
    EstimatorLayout(
      name: "JSON, a file a frame called by ms since 1970: `1741867200040.json`",
      files: (0..<Person.frames).map { frame in
        ("\(1_741_867_200_000 + frame * 40).json", Data("{\"keypoints\":\(points(frame))}".utf8))
      }, fps: 25),
  ]

  // MARK: Further orders

  private static func limbs(_ frame: Int) -> [String] {
    ["left", "right"].flatMap { side -> [String] in
      [("Arm", ["shoulder", "elbow", "wrist"]), ("Leg", ["hip", "knee", "ankle"])].map { limb, parts -> String in
        let points = each(parts) { _, part in "\"\(part)\":[\(xy("\(side)_\(part)", frame))]" }
        return "\"\(side)\(limb)\":{\(points)}"
      }
    }
  }

  private static let severalPeople = (0..<Person.frames).flatMap { frame -> [Float] in
    let points = coco.flatMap { name -> [Float] in
      let place = pixels(name, frame)
      return [Float(place.y / 1920), Float((place.x + 420) / 1920), 0.9]
    }
    return points + [0.1, 0.1, 0.9, 0.9, 0.95] + [Float](repeating: 0, count: 5 * 56)
  }

  private static let furtherOrders: [EstimatorLayout] = [
    file(
      "JSON of people before frames: `{\"1\": {\"0\": {\"keypoints\": [x, y, c, …], \"scores\"}, …}, …}`, one stands still",
      "a.json",
      "{"
        + ["1", "2"].map { person in
          "\"\(person)\":{"
            + frames { frame in
              "\"\(frame)\":{\"keypoints\":[" + each(coco) { triple($1, person == "1" ? 0 : frame) }
                + "],\"scores\":0.9}"
            } + "}"
        }.joined(separator: ",") + "}"
    ) { $0.words = ["the subject is number 2, who moves"] },
    file(
      "JSON `[{\"neck\": [x, y], \"face\": {\"nose\": [x, y]}, \"leftArm\": {\"elbow\": [x, y], …}, …}]`", "a.json",
      "["
        + frames { frame in
          "{\"neck\":[\(xy("neck", frame))],\"face\":{\"nose\":[\(xy("nose", frame))]},"
            + limbs(frame).joined(separator: ",") + "}"
        } + "]"
    ) { $0.confidence = nil },
    file(
      "JSON of Kinetics: `{\"data\": [{\"skeleton\": [{\"pose\": [x, y, …], \"score\": […]}]}]}`", "a.json",
      "{\"data\":["
        + frames { frame in
          "{\"frame_index\":\(frame + 1),\"skeleton\":[{\"pose\":[" + each(openPose) { xy($1, frame) } + "],\"score\":["
            + each(openPose) { _, _ in "0.9" } + "]}]}"
        } + "],\"label\":\"squat\"}"),
    file(
      "CSV with hands before wrists", "a.csv",
      wide(["left_hand", "right_hand"] + coco + ["left_heel", "right_heel"], { ["\($0)_x", "\($0)_y", "\($0)_c"] })
    ) { $0.words = ["not used: left_hand, right_hand"] },
    file(
      "CSV `VNHumanBodyPoseObservationJointNameNose_x, …`", "a.csv",
      wide(
        coco,
        { name in
          let own = camel("x_\(name)").dropFirst()
          return ["x", "y", "c"].map { "VNHumanBodyPoseObservationJointName\(own)_\($0)" }
        })),
    file(
      "CSV of a frame, a person, a confidence, a box and 51 columns without names", "a.csv",
      frames("\n") { frame in "\(frame),1,0.9,300.5,200.5,700.5,1500.5," + row(frame) }),
    array(
      "`.npy` of 17 x 3 x frames", [17, 3, Person.frames],
      coco.flatMap { name in
        (0..<3).flatMap { channel in
          (0..<Person.frames).map { frame -> Float in
            let place = pixels(name, frame)
            return channel == 2 ? 0.9 : Float(channel == 0 ? place.x : place.y)
          }
        }
      }),
    array(
      "`.npy` of MM-Fit: 2 x frames x 19, the frame's number before 18 points", [2, Person.frames, 19],
      (0..<2).flatMap { channel in
        (0..<Person.frames).flatMap { frame -> [Float] in
          [Float(frame + 100)] + openPose.map { Float(channel == 0 ? pixels($0, frame).x : pixels($0, frame).y) }
        }
      }
    ) { $0.confidence = nil },
    array(
      "`.npy` of MoveNet for several people: frames x 6 x 56, with a box after the points", [Person.frames, 6, 56],
      severalPeople
    ) { $0.words = ["numbers are taken as y, x"] },
  ]

  // MARK: Further fields

  private static let french = ["shoulder": "épaule", "elbow": "coude", "hip": "hanche", "knee": "genou"]

  private static let furtherFields: [EstimatorLayout] = [
    file(
      "JSON `[{\"keypoints\": {\"0\": [x, y, c], \"1\": …}}]`, points by their numbers", "a.json",
      "[" + frames { frame in "{\"keypoints\":{" + each(coco) { "\"\($0)\":[\(triple($1, frame))]" } + "}}" } + "]"),
    file(
      "JSON of series in a list: `{\"joints\": [{\"name\": \"nose\", \"trajectory\": [[x, y, c], …]}, …]}`", "a.json",
      "{\"fps\":25,\"joints\":["
        + each(coco) { _, name in
          "{\"name\":\"\(name)\",\"trajectory\":[" + frames { "[\(triple(name, $0))]" } + "]}"
        } + "]}"
    ) { $0.fps = 25 },
    file(
      "JSON of a joint's frames: `{\"nose\": [{\"frame\", \"x\", \"y\", \"score\"}, …], …}`", "a.json",
      "{"
        + each(coco) { _, name in
          "\"\(name)\":[" + frames { "{\"frame\":\($0),\(spot(name, $0)),\"score\":0.9}" } + "]"
        } + "}"),
    file(
      "CSV with confidences from 0 to 255", "a.csv",
      wide(coco, { ["\($0)_x", "\($0)_y", "\($0)_conf"] }, confidence: "230")
    ) { $0.words = ["read as parts of 255"] },
    file(
      "CSV of all points in a field: `x,y,c;x,y,c;…`", "a.csv",
      "frame,keypoints\n" + frames("\n") { frame in "\(frame),\"" + each(coco, ";") { triple($1, frame) } + "\"" }),
    file(
      "CSV of all points in a field, as PyTorch prints them: `tensor([[x, y, c], …], device='cuda:0')`", "a.csv",
      "frame,keypoints\n"
        + frames("\n") { frame in
          "\(frame),\"tensor([" + each(coco) { "[\(triple($1, frame))]" } + "], device='cuda:0')\""
        }),
    file(
      "text of a line a point: `Frame 1`, below it `nose 540.0 384.5 0.9`", "a.txt",
      frames("\n") { frame in
        "Frame \(frame)\n" + each(coco, "\n") { "\($1) \(triple($1, frame).replacing(",", with: " "))" }
      }),
    file(
      "text of Kinovea's trajectories: `# Label : left_hip`, below it `0:00:00:04 518.4 787.2`", "a.txt",
      "#Kinovea Trajectory data export\n#T X Y\n"
        + each(coco, "\n") { _, name in
          "# Label : \(name)\n"
            + frames("\n") { frame in
              String(format: "0:00:%02d:%02d ", frame / 25, frame % 25 * 4)
                + xy(name, frame).replacing(",", with: " ")
            }
        }
    ) {
      $0.fps = 25
      $0.confidence = nil
    },
    file(
      "CSV with times as `time`: 12:00:00:040", "a.csv",
      "time," + header + "\n"
        + frames("\n") { frame in String(format: "12:00:%02d:%03d,", frame / 25, frame % 25 * 40) + row(frame) }
    ) { $0.fps = 25 },
    file(
      "CSV with times as `unix_ms`: 1741867200040", "a.csv",
      "unix_ms," + header + "\n" + frames("\n") { frame in "\(1_741_867_200_000 + frame * 40)," + row(frame) }
    ) { $0.fps = 25 },
    file(
      "CSV with names in French: `épaule_gauche_x`", "a.csv",
      wide(
        coco.filter { !$0.hasSuffix("eye") && !$0.hasSuffix("ear") && $0 != "nose" },
        { name in
          let words = name.split(separator: "_").map(String.init)
          let part = french[words[1]] ?? (words[1] == "wrist" ? "poignet" : "cheville")
          return ["x", "y", "c"].map { "\(part)_\(words[0] == "left" ? "gauche" : "droite")_\($0)" }
        })),
  ]

  /// A text in blocks that gzip stores as they are.
  private static func packed(_ name: String, _ file: String, _ text: String) -> EstimatorLayout {
    let bytes = Array(text.utf8)
    func little(_ number: UInt32, _ count: Int) -> [UInt8] { (0..<count).map { UInt8(number >> (8 * $0) & 0xFF) } }
    var packed: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3]
    for start in stride(from: 0, to: bytes.count, by: 0xFFFF) {
      let block = bytes[start..<min(start + 0xFFFF, bytes.count)]
      let size = UInt32(block.count)
      packed += [block.endIndex == bytes.count ? 1 : 0] + little(size, 2) + little(~size, 2) + block
    }
    var sum = UInt32.max
    for byte in bytes {
      sum ^= UInt32(byte)
      for _ in 0..<8 { sum = sum & 1 == 1 ? sum >> 1 ^ 0xEDB8_8320 : sum >> 1 }
    }
    packed += little(~sum, 4) + little(UInt32(bytes.count), 4)
    return EstimatorLayout(name: name, files: [(file, Data(packed))])
  }

  private static func integers(_ name: String) -> EstimatorLayout {
    let header = "{'descr': '>i4', 'fortran_order': True, 'shape': (\(Person.frames), 17, 2), }\n"
    var bytes: [UInt8] = [0x93] + Array("NUMPY".utf8) + [1, 0, UInt8(header.utf8.count), 0] + Array(header.utf8)
    for axis in 0..<2 {
      for name in coco {
        for frame in 0..<Person.frames {
          let place = pixels(name, frame)
          let number = UInt32((axis == 0 ? place.x : place.y).rounded())
          bytes += (0..<4).map { UInt8(number >> (24 - 8 * $0) & 0xFF) }
        }
      }
    }
    var layout = EstimatorLayout(name: name, files: [("a.npy", Data(bytes))])
    layout.confidence = nil
    return layout
  }

  /// x, y and z of joints: shins and thighs of 0.42, a trunk of 0.5, arms of 0.28 and 0.25, all towards or away from the
  /// camera.
  static let inSpace: String = {
    let joints = ["shoulder", "elbow", "wrist", "hip", "knee", "ankle"]
    let sides = [("left", 1.0), ("right", -1.0)]
    let header = sides.flatMap { side, _ in
      joints.flatMap { joint in ["x", "y", "z"].map { "\(side)_\(joint)_\($0)" } }
    }
    let rows = frames("\n") { frame in
      let lean = 0.5 - 0.4 * cos(2 * Double.pi * Double(frame) / 30)
      let knee = (y: 0.1 + 0.42 * cos(lean), z: 2 - 0.42 * sin(lean))
      let hip = (y: knee.y + 0.42 * cos(1.2 * lean), z: knee.z + 0.42 * sin(1.2 * lean))
      let shoulder = (y: hip.y + 0.5 * cos(lean), z: hip.z - 0.5 * sin(lean))
      let elbow = (y: shoulder.y - 0.28 * cos(lean), z: shoulder.z - 0.28 * sin(lean))
      let wrist = (y: elbow.y - 0.25 * cos(1.3 * lean), z: elbow.z - 0.25 * sin(1.3 * lean))
      return sides.map { _, side in
        [(0.17, shoulder), (0.2, elbow), (0.2, wrist), (0.1, hip), (0.1, knee), (0.1, (y: 0.1, z: 2.0))]
          .map { "\(text($0 * side)),\(text($1.y)),\(text($1.z))" }.joined(separator: ",")
      }.joined(separator: ",")
    }
    return header.joined(separator: ",") + "\n" + rows
  }()

  /// Frames 10 to 29 and 30 to 49 are in reps, and the first 30 are labelled down.
  static let labelled =
    "rep,phase," + each(coco) { "\($1)_x,\($1)_y,\($1)_c" } + "\n"
    + frames("\n") { frame in
      "\(frame < 10 || frame >= 50 ? 0 : frame < 30 ? 1 : 2),\(frame < 30 ? "down" : "up"),"
        + each(coco) { triple($1, frame) }
    }
}
