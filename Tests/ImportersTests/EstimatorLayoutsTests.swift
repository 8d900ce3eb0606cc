import Datasets
import Files
import Foundation
import Importers
import PoseModel
import Testing

/// The ways in which people write the keypoints of other estimators than MediaPipe, each imported with no option but
/// `--exercise`; what is stored is compared with the truth. `docs/importing.md` has the table.
@Suite struct EstimatorLayoutsTests {
  /// In parts, which run side by side.
  @Test(arguments: 0..<8) func noLayoutIsSilentlyWrong(_ part: Int) throws {
    for (index, layout) in EstimatorLayout.all.enumerated() where index % 8 == part {
      let fault = try fault(of: layout)
      #expect(fault == nil, "\(layout.name): \(fault ?? "")")
    }
  }

  @Test func theTableHasAllLayouts() throws {
    let rows = EstimatorLayout.all.map { "| \($0.name) | \($0.isTold) |\n" }
    let table = "| layout | what import says |\n|---|---|\n" + rows.joined()
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

  /// Places of the same person in a Kinect's order, each line with a place in the picture and a turn behind.
  @Test func bodiesOfNTUAreMetres() throws {
    let folder = try ImportFolder()
    let table = EstimatorLayout.inSpace.split(separator: "\n").map { $0.split(separator: ",").map(String.init) }
    let arms = ["left", "right"].map { side in ["shoulder", "elbow", "wrist", "wrist"].map { "\(side)_\($0)" } }
    let legs = ["left", "right"].map { side in ["hip", "knee", "ankle", "ankle"].map { "\(side)_\($0)" } }
    let joints =
      ["left_hip", "left_shoulder", "left_shoulder", "left_shoulder"] + (arms + legs).flatMap(\.self)
      + ["left_shoulder", "left_wrist", "left_wrist", "right_wrist", "right_wrist"]
    let frames = table.dropFirst().map { row -> String in
      let lines = joints.map { joint -> String in
        let first = table[0].firstIndex(of: "\(joint)_x") ?? 0
        return row[first..<first + 3].joined(separator: " ") + " 255 200 1000 500 0 0 0 1 2"
      }
      return "1\n72057594037931101 0 1 1 1 1 0 0.02 -0.26 2\n25\n" + lines.joined(separator: "\n")
    }
    try folder.write("\(frames.count)\n" + frames.joined(separator: "\n"), to: "S001C001P001R001A001.skeleton")
    var options = ImportOptions()
    options.exercise = "squat"
    let source = try #require(try KeypointFiles.datasets(from: folder.path, options: options).first)
    #expect(source.manifest.coordinates == CoordinateSystem(unit: .metre, yAxis: .up))
    let (clip, remarks) = try source.read(0)
    #expect(!remarks.joined().contains("the frame rate is unknown"))
    let keypoints = try #require(clip.keypoints)
    #expect(keypoints.frameCount == LayoutPerson.frames && keypoints.times[30].seconds == 1)
    let skeleton = try #require(Skeleton.named(source.manifest.skeleton))
    let poses = PoseSequence(keypoints, skeleton: skeleton, coordinates: source.manifest.coordinates)
    // The shin is as long as the thigh, and the arm 0.28 of 0.42 of it.
    func length(_ one: Joint, _ other: Joint) -> Float {
      let apart = SIMD3(
        poses[one, .x, 5] - poses[other, .x, 5], poses[one, .y, 5] - poses[other, .y, 5],
        poses[one, .z, 5] - poses[other, .z, 5])
      return (apart * apart).sum().squareRoot()
    }
    #expect(abs(length(.rightShoulder, .rightElbow) / length(.rightHip, .rightKnee) - 0.28 / 0.42) < 0.06)
    #expect(abs(length(.leftKnee, .leftAnkle) / length(.leftHip, .leftKnee) - 1) < 0.01)
  }

  /// Markers of Plug-in Gait, whose names of knees are cut names of joints.
  @Test func markersOnTheSkinAreNamed() throws {
    let folder = try ImportFolder()
    let names = ["LSHO", "RSHO", "LASI", "RASI", "LKNE", "RKNE", "LANK", "RANK"]
    let header = names.map { "\($0)_x,\($0)_y,\($0)_z" }.joined(separator: ",")
    let row = names.indices.map { "\(100 + $0),\(200 * $0),50" }.joined(separator: ",")
    try folder.write([header, row, row, row].joined(separator: "\n"), to: "a.csv")
    var options = ImportOptions()
    options.exercise = "squat"
    #expect(
      folder.error { _ = try KeypointFiles.datasets(from: folder.path, options: options) }
        == "a.csv: expected joints of the body; markers on the skin are read from .trc and .c3d, or as --mapping FILE names "
        + "them, found the marker LASI")
  }

  /// x and y swapped, as of a film that was turned.
  @Test func someoneWhoLiesInAStandingExerciseIsSaid() throws {
    let folder = try ImportFolder()
    let names = EstimatorLayout.coco
    let header = names.map { "\($0)_y,\($0)_x" }.joined(separator: ",")
    let rows = (0..<LayoutPerson.frames).map { frame in
      names.map { EstimatorLayout.xy($0, frame) }.joined(separator: ",")
    }
    try folder.write(([header] + rows).joined(separator: "\n"), to: "a.csv")
    var options = ImportOptions()
    options.exercise = "squat"
    func remarks() throws -> String {
      try #require(try KeypointFiles.datasets(from: folder.path, options: options).first).remarks.joined()
    }
    #expect(try remarks().contains("the person lies across the image in 100 % of"))
    options.exercise = "push-up"
    #expect(try !remarks().contains("lies across"))
  }

  @Test func framesBeforeSomebodyComesAreOfTheRecording() throws {
    let folder = try ImportFolder()
    for frame in 0..<20 {
      let points = EstimatorLayout.each(EstimatorLayout.coco) { "[\(EstimatorLayout.xy($1, frame)),0.9]" }
      let people = frame < 3 ? "" : "{\"keypoints\":[\(points)]}"
      try folder.write("{\"persons\":[\(people)]}", to: String(format: "a_%03d.json", frame))
    }
    var options = ImportOptions()
    options.exercise = "squat"
    let source = try #require(try KeypointFiles.datasets(from: folder.path, options: options).first)
    #expect(source.clipCount == 1)
    #expect(try source.read(0).0.keypoints?.frameCount == 20)
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
    let truth = share { joint in LayoutPerson.place(joint, 5).y }
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

  /// A folder of one recording in whole seconds, 15 frames each, and one at 25 frames a second.
  @Test(arguments: [true, false]) func eachFileHasItsOwnClock(isCoarseFirst: Bool) throws {
    let folder = try ImportFolder()
    let header = "time," + EstimatorLayout.header + "\n"
    let coarse = EstimatorLayout.frames("\n") { frame in "\(frame / 15)," + EstimatorLayout.row(frame) }
    let fine = EstimatorLayout.frames("\n") { frame in "\(Double(frame) / 25)," + EstimatorLayout.row(frame) }
    try folder.write(header + (isCoarseFirst ? coarse : fine), to: "a.csv")
    try folder.write(header + (isCoarseFirst ? fine : coarse), to: "b.csv")
    var options = ImportOptions()
    options.exercise = "squat"
    let source = try #require(try KeypointFiles.datasets(from: folder.path, options: options).first)
    for (index, isCoarse) in [isCoarseFirst, !isCoarseFirst].enumerated() {
      let (clip, remarks) = try source.read(index)
      let keypoints = try #require(clip.keypoints)
      #expect(keypoints.times.count == LayoutPerson.frames)
      #expect(abs(keypoints.times[1].seconds - (isCoarse ? 1.0 / 15 : 0.04)) < 1e-6)
      #expect(clip.info.fps == (isCoarse ? 15 : 25))
      // The first recording's clock is said of the whole folder, another's of the recording.
      let words = isCoarse ? "frames are spread evenly, 15 a second" : "each frame has its own time, which is used"
      #expect(remarks.joined().contains(words) == (index == 1))
    }
  }

  /// The note on whole seconds names --fps to change the rate.
  @Test func framesOfOneTimeHaveTheRateThatIsGiven() throws {
    let folder = try ImportFolder()
    let rows = EstimatorLayout.frames("\n") { frame in "\(frame / 15)," + EstimatorLayout.row(frame) }
    try folder.write("time," + EstimatorLayout.header + "\n" + rows, to: "a.csv")
    var options = ImportOptions()
    options.exercise = "squat"
    options.fps = 10
    let source = try #require(try KeypointFiles.datasets(from: folder.path, options: options).first)
    let (clip, remarks) = try source.read(0)
    #expect(clip.info.fps == 10)
    #expect(try #require(clip.keypoints).times[1].seconds == 0.1)
    #expect(!remarks.joined().contains("--fps is not used"))
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

  /// One hip has a name that nobody knows, or no column at all.
  @Test func halfAPairAmongWholeOnesIsRefused() throws {
    let folder = try ImportFolder()
    let header = EstimatorLayout.header.replacing("left_hip", with: "coxa_sinistra")
    try folder.write(header + "\n" + EstimatorLayout.frames("\n", EstimatorLayout.row), to: "a.csv")
    var options = ImportOptions()
    options.exercise = "squat"
    #expect(
      folder.error { _ = try KeypointFiles.datasets(from: folder.path, options: options) }
        == "a.csv: expected both points of a pair by names that are known, as right_hip is; a mapping gives others a "
        + "meaning (--mapping FILE), found coxa_sinistra")
    let names = EstimatorLayout.coco.filter { $0 != "left_hip" }
    let rows = EstimatorLayout.frames("\n") { frame in
      EstimatorLayout.each(names) { EstimatorLayout.triple($1, frame) }
    }
    let columns = EstimatorLayout.each(names) { "\($1)_x,\($1)_y,\($1)_c" }
    try folder.write(columns + "\n" + rows, to: "a.csv")
    let source = try #require(try KeypointFiles.datasets(from: folder.path, options: options).first)
    #expect(source.remarks.joined().contains("there is right_hip, but no left_hip"))
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
    // Scripts write the end of the header's line into its last name.
    let header = "rep,\"phase_label \n\","
    try folder.write(EstimatorLayout.labelled.replacing("rep,phase,", with: header), to: "a.csv")
    options.labels = ["phase_label"]
    let other = try #require(try KeypointFiles.datasets(from: folder.path, options: options).first)
    #expect(try other.read(0).0.labels.intervals == clip.labels.intervals)
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
      let (trueRoot, trueNeck) = (
        LayoutPerson.place(.root, frame, clip: index), LayoutPerson.place(.neck, frame, clip: index)
      )
      let trueTrunk = ((trueNeck - trueRoot) * (trueNeck - trueRoot)).sum().squareRoot()
      for joint in EstimatorLayout.compared {
        let found = (place(joint, frame) - root) / trunk
        let truth = (LayoutPerson.place(joint, frame, clip: index) - trueRoot) / trueTrunk
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
