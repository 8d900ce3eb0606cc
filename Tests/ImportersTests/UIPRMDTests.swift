import Datasets
import Importers
import PoseModel
import TestSupport
import Testing

@Suite struct UIPRMDTests {
  let folder: ImportFolder

  init() throws { folder = try ImportFolder() }

  static let names =
    """
    LFHD RFHD LBHD RBHD C7 T10 CLAV STRN RBAK LSHO LUPA LELB LFRM LWRA LWRB LFIN RSHO RUPA RELB RFRM RWRA RWRB RFIN LASI \
    RASI LPSI RPSI LTHI LKNE LTIB LANK LHEE LTOE RTHI RKNE RTIB RANK RHEE RTOE
    """.split(separator: " ").map(String.init)

  /// Somebody who looks along x, left being y, in millimetres.
  static let body: [String: [Double]] = [
    "LASI": [100, 120, 1000], "RASI": [100, -120, 1000], "LPSI": [-100, 50, 1000], "RPSI": [-100, -50, 1000],
    "C7": [-50, 0, 1500], "CLAV": [50, 0, 1500], "T10": [-50, 0, 1300], "STRN": [50, 0, 1300],
    "LSHO": [0, 200, 1500], "RSHO": [0, -200, 1500], "LTHI": [42.1, 230, 700], "LKNE": [60, 150, 500],
    "LTIB": [60, 200, 300], "LANK": [50, 130, 90], "LWRA": [300, 250, 1100], "LWRB": [300, 210, 1140],
  ]

  static func line(_ markers: [String: [Double]]) -> String {
    names.map { (markers[$0] ?? [1, 2, 3]).map { "\($0)" }.joined(separator: ",") }.joined(separator: ",") + "\n"
  }

  func source(_ text: String, file: String = "m01_s02_e03_positions.txt") throws -> any Importer {
    try folder.write(text, to: "Segmented Movements/Vicon/Positions/" + file)
    return try #require(try UIPRMD.datasets(from: folder.path, options: ImportOptions()).first)
  }

  /// A joint's place in a frame: forwards, up, left, in metres.
  func place(_ joint: String, _ keypoints: Keypoints, frame: Int = 0) throws -> SIMD3<Double> {
    let index = try #require(Skeleton.motionCapture.keypoints.firstIndex(of: joint))
    let values = [Channel.x, .y, .z].map { Double(keypoints.values(index, $0)[frame]) }
    return SIMD3(values[0], values[1], values[2])
  }

  func distance(_ a: SIMD3<Double>, _ b: SIMD3<Double>) -> Double {
    let square = (a - b) * (a - b)
    return (square.x + square.y + square.z).squareRoot()
  }

  /// Pelvis 240 mm wide and 200 deep: the hips lie 0.24 x 200 + 9.9 behind, 0.30 x 240 + 10.9 below and 0.33 x 240 + 7.3
  /// beside the middle of the ASIS. Shoulders 400 mm apart lie 0.17 x 400 below their markers.
  @Test func jointCentresFollowTheirRules() throws {
    let keypoints = try #require(try source(Self.line(Self.body) + Self.line(Self.body)).clip(0).keypoints)
    let hip = SIMD3(0.1 - 0.0579, 1 - 0.0829, 0.0865)
    #expect(try distance(place("left_hip", keypoints), hip) < 1e-6)
    #expect(try distance(place("right_hip", keypoints), hip * SIMD3(1, 1, -1)) < 1e-6)
    #expect(try distance(place("left_shoulder", keypoints), SIMD3(0, 1.5 - 0.068, 0.2)) < 1e-6)
    #expect(try distance(place("left_wrist", keypoints), SIMD3(0.3, 1.12, 0.23)) < 1e-6)
    // The knee lies half of 95 mm and 7 mm from its marker, at a right angle to the thigh, on the inner side of it.
    let knee = try place("left_knee", keypoints)
    let marker = SIMD3(0.06, 0.5, 0.15)
    #expect(abs(distance(knee, marker) - 0.0545) < 1e-6)
    let cosine = (hip - knee) * (marker - knee)
    #expect(abs(cosine.x + cosine.y + cosine.z) < 1e-6)
    #expect(knee.z < marker.z)
    let ankle = try place("left_ankle", keypoints)
    #expect(abs(distance(ankle, SIMD3(0.05, 0.09, 0.13)) - 0.042) < 1e-6)
  }

  @Test func aLostMarkerTakesWhatNeedsItAlong() throws {
    var second = Self.body
    second["LASI"] = [0, 0, 0]
    var third = Self.body
    third["LKNE"] = [.nan, 1, 2]
    let keypoints = try #require(try source([Self.body, second, third].map(Self.line).joined()).clip(0).keypoints)
    #expect(try place("left_hip", keypoints, frame: 1).x.isNaN)
    #expect(try place("right_hip", keypoints, frame: 1).x.isNaN)
    #expect(try place("left_knee", keypoints, frame: 1).x.isNaN)
    #expect(try !place("left_shoulder", keypoints, frame: 1).x.isNaN)
    #expect(try place("left_knee", keypoints, frame: 2).x.isNaN)
    #expect(try place("left_ankle", keypoints, frame: 2).x.isNaN)
    #expect(try !place("left_hip", keypoints, frame: 2).x.isNaN)
  }

  /// A person who moves sideways by as many millimetres from frame to frame.
  private func frames(_ count: Int, from start: Double, step: Double = 1) -> String {
    (0..<count).map { frame in
      Self.line(Self.body.mapValues { [$0[0], $0[1] + start + Double(frame) * step, $0[2]] })
    }.joined()
  }

  private func writeSets() throws {
    let folder = "Segmented Movements/Vicon/Positions/"
    try self.folder.write(frames(4, from: 0), to: folder + "m01_s02_e01_positions.txt")
    try self.folder.write(frames(3, from: 4), to: folder + "m01_s02_e02_positions.txt")
    // 3 m away: another recording.
    try self.folder.write(frames(5, from: 3000), to: folder + "m01_s02_e03_positions.txt")
    try self.folder.write(
      frames(4, from: 7), to: "Incorrect " + folder + "m01_s02_e03_positions_inc.txt")
  }

  @Test func consecutiveCutsAreJoinedIntoSets() throws {
    try writeSets()
    let source = try #require(try UIPRMD.datasets(from: folder.path, options: ImportOptions()).first)
    let clips = try source.clips()
    #expect(clips.map(\.info.name) == ["m01_s02_e01-e02", "m01_s02_e03", "m01_s02_e03_inc"])
    // Frames at 0, 10 … 60 ms; the second repetition begins with the fifth frame, where the first ends.
    #expect(
      clips[0].labels.reps == [
        Rep(start: .zero, end: Microseconds(40_000)), Rep(start: Microseconds(40_000), end: Microseconds(60_000)),
      ])
    #expect(clips[0].keypoints?.frameCount == 7)
    #expect(clips[0].labels.faults.map(\.rep) == [0, 1])
    #expect(clips[0].labels.faults.map(\.present) == [false, false])
    #expect(clips[2].labels.faults.map(\.present) == [true])
    #expect(
      source.remarks == [
        "1 of 2 boundaries between repetitions are continuous: joined into 3 sets",
        "Segmented Movements/Vicon/Positions/m01_s02_e02_positions.txt and "
          + "Segmented Movements/Vicon/Positions/m01_s02_e03_positions.txt are not joined: the markers do not go on from "
          + "one to the other",
      ])
  }

  @Test func singleKeepsEachRepetition() throws {
    try writeSets()
    var options = ImportOptions()
    options.isSingle = true
    let source = try #require(try UIPRMD.datasets(from: folder.path, options: options).first)
    #expect(try source.clips().map(\.info.name) == ["m01_s02_e01", "m01_s02_e02", "m01_s02_e03", "m01_s02_e03_inc"])
    #expect(source.remarks.isEmpty)
  }

  /// Of ten continuous repetitions every set has two to four, no repetition is lost, and the cuts are the same each time.
  @Test func setsAreCutAtTheirBoundaries() throws {
    for number in 1...10 {
      let name = "m03_s01_e\(number < 10 ? "0" : "")\(number)_positions.txt"
      try folder.write(frames(3, from: Double(3 * number)), to: "Segmented Movements/Vicon/Positions/" + name)
    }
    var options = ImportOptions()
    options.sets = 2...4
    func sets() throws -> [Clip] {
      try #require(try UIPRMD.datasets(from: folder.path, options: options).first).clips()
    }
    let clips = try sets()
    let lengths = clips.map { $0.labels.reps?.count ?? 0 }
    #expect(lengths.reduce(0, +) == 10)
    #expect(lengths.allSatisfy { (2...4).contains($0) }, "\(lengths)")
    #expect(clips.allSatisfy { $0.keypoints?.frameCount == 3 * ($0.labels.reps?.count ?? 0) })
    #expect(try sets().map(\.info.name) == clips.map(\.info.name))
  }

  @Test func onlyTheChosenMovementsAreImported() throws {
    try writeSets()
    try folder.write(frames(3, from: 0), to: "Segmented Movements/Vicon/Positions/m04_s02_e01_positions.txt")
    var options = ImportOptions()
    options.exercise = "side-lunge"
    let source = try #require(try UIPRMD.datasets(from: folder.path, options: options).first)
    #expect(try source.clips().map(\.info.exercise) == ["side-lunge"])
    options.exercise = "squat,jump"
    let error = folder.error { _ = try UIPRMD.datasets(from: folder.path, options: options) }
    #expect(error.contains("expected one of the movements squat, hurdle-step,"), "\(error)")
    #expect(error.contains("found \"jump\""), "\(error)")
  }

  @Test func aFileIsARepetition() throws {
    let text = [Self.body, Self.body, Self.body].map(Self.line).joined()
    _ = try source(text, file: "m03_s10_e01_positions.txt")
    try folder.write(text, to: "Segmented Movements/Kinect/Positions/m03_s10_e01_positions.txt")
    try folder.write(text, to: "Incorrect Segmented Movements/Vicon/Positions/m03_s10_e01_positions_inc.txt")
    #expect(UIPRMD.recognises(folder.path))
    #expect(UIPRMD.recognises(folder.path + "/Segmented Movements/Vicon/Positions"))
    let source = try #require(try UIPRMD.datasets(from: folder.path, options: ImportOptions(name: "mine")).first)
    #expect(source.manifest.name == "mine")
    let clips = try source.clips()
    #expect(clips.map(\.info.name) == ["m03_s10_e01", "m03_s10_e01_inc"])
    #expect(
      clips[0].info == Clip.Info(name: "m03_s10_e01", subject: "s10", exercise: "lunge", view: "", fps: 100, split: ""))
    #expect(clips[0].labels.reps == [Rep(start: .zero, end: Microseconds(20_000))])
    #expect(clips.map { $0.labels.faults.map(\.present) } == [[false], [true]])
    #expect(clips[0].keypoints?.times.last == Microseconds(20_000))
  }

  static let wrongFiles: [(text: String, words: String)] = [
    (line(body) + "1,2,3\n", "m01_s02_e03_positions.txt:2: expected 117 numbers, found 3"),
    (line(body).replacing("1500", with: "high"), ":1: expected a number in column 15, found \"high.0\""),
    ("", "m01_s02_e03_positions.txt:1: expected 117 numbers per line, found an empty file"),
    (line(body), "m01_s02_e03_positions.txt: clip m01_s02_e03: expected at least two frames, found 1"),
  ]

  @Test(arguments: wrongFiles) func wrongFilesAreNamed(_ text: String, _ words: String) throws {
    let source = try source(text)
    let error = folder.error { _ = try source.clip(0) }
    #expect(error.hasSuffix(words), "\(error)")
  }

  @Test func anUnknownMovementIsNamed() throws {
    let error = folder.error { _ = try source(Self.line(Self.body), file: "m11_s01_e01_positions.txt") }
    #expect(error.hasSuffix("clip m11_s01_e01: expected a movement from m01 to m10, found m11"), "\(error)")
  }

  /// Limbs of the recordings keep their lengths, and everybody's squats go from a straight leg to a bent one.
  @Test func theRecordings() throws {
    guard let path = Shared.recordings("ui-prmd") else { return }
    let source = try #require(try UIPRMD.datasets(from: path, options: ImportOptions()).first)
    // Two recordings of ten people in three movements, one person's lunges without a pair of correct and incorrect.
    #expect(source.clipCount == 58)
    #expect(source.remarks == ["522 of 522 boundaries between repetitions are continuous: joined into 58 sets"])
    let squats = try (0..<source.clipCount).filter { $0.isMultiple(of: 7) }.map { try source.clip($0) }
      .filter { $0.info.exercise == "squat" }
    #expect(!squats.isEmpty)
    for squat in squats {
      let keypoints = try #require(squat.keypoints)
      var thighs: [Double] = []
      var angles: [Double] = []
      for frame in 0..<keypoints.frameCount {
        let (hip, knee, ankle) = (
          try place("right_hip", keypoints, frame: frame), try place("right_knee", keypoints, frame: frame),
          try place("right_ankle", keypoints, frame: frame)
        )
        let (thigh, shank) = (distance(hip, knee), distance(knee, ankle))
        let span = distance(hip, ankle)
        thighs.append(thigh)
        // The law of cosines: the squared span of a right-angled leg is the sum of the squares.
        angles.append((thigh * thigh + shank * shank - span * span) / (2 * thigh * shank))
      }
      let mean = thighs.reduce(0, +) / Double(thighs.count)
      let deviation = (thighs.map { ($0 - mean) * ($0 - mean) }.reduce(0, +) / Double(thighs.count)).squareRoot()
      #expect(deviation / mean < 0.07, "\(squat.info.name)")
      // Cosines of 150 and 120 degrees.
      #expect(try #require(angles.min()) < -0.866, "\(squat.info.name)")
      #expect(try #require(angles.max()) > -0.5, "\(squat.info.name)")
    }
  }
}
