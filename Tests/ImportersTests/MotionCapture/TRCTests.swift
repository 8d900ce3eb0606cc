import Datasets
import Importers
import PoseModel
import TestSupport
import Testing

@Suite struct TRCTests {
  let folder: ImportFolder

  init() throws { folder = try ImportFolder() }

  /// A file of the body, y up as OpenSim has it: x forwards, z to the right.
  static func text(
    frames: Int = 2, rate: String = "100", unit: String = "mm", factor: Double = 1, saidFrames: String? = nil,
    saidMarkers: String? = nil, times: [String]? = nil, edit: (Int, String) -> String? = { _, _ in nil }
  ) -> String {
    let names = MarkerBody.markers.map(\.name)
    var lines = [
      "PathFileType\t4\t(X/Y/Z)\tsquat.trc",
      "DataRate\tCameraRate\tNumFrames\tNumMarkers\tUnits\tOrigDataRate\tOrigDataStartFrame\tOrigNumFrames",
      "\(rate)\t100\t\(saidFrames ?? "\(frames)")\t\(saidMarkers ?? "\(names.count)")\t\(unit)\t100\t1\t\(frames)",
      "Frame#\tTime\t" + names.joined(separator: "\t\t\t") + "\t\t",
      "\t\t" + names.indices.map { "X\($0 + 1)\tY\($0 + 1)\tZ\($0 + 1)" }.joined(separator: "\t"), "",
    ]
    for frame in 0..<frames {
      let fields = MarkerBody.markers.map { name, place in
        edit(frame, name) ?? "\(place.x * factor)\t\(place.z * factor)\t\(-place.y * factor)"
      }
      lines.append("\(frame + 1)\t\(times?[frame] ?? "\(Double(frame) / 100)")\t" + fields.joined(separator: "\t"))
    }
    return lines.joined(separator: "\r\n") + "\r\n"
  }

  func source(_ text: String, _ options: ImportOptions = .capture()) throws -> any Importer {
    try folder.write(text, to: "anna/squat 1.trc")
    return try #require(try TRC.datasets(from: folder.path, options: options).first)
  }

  @Test func aNULIsNoText() throws {
    let text = Self.text()
    #expect(
      folder.error { _ = try source(text + "\u{0}\r\n") }
        == "anna/squat 1.trc:9: expected text, found a NUL character")
  }

  /// What is wrong is the mapping, and not the recording that it was given with.
  @Test func aMarkerSetWithoutMarkers() throws {
    try folder.write("marker_set: mine\nsource: nobody\nmarkers: {}\n", to: "mine.yaml")
    #expect(
      folder.error { _ = try source(Self.text(), .capture(mapping: "\(folder.path)/mine.yaml")) }
        == "mine.yaml:3: expected a marker of at least one place of the body for markers, found none")
  }

  @Test(arguments: [("mm", 1.0), ("m", 0.001), ("cm", 0.1)])
  func markersBecomeJointCentres(_ unit: String, _ factor: Double) throws {
    let source = try source(Self.text(unit: unit, factor: factor))
    let clip = try source.clip(0)
    try MarkerBody.expectJoints(clip, frame: 1)
    #expect(
      clip.info == Clip.Info(name: "anna_squat-1", subject: "anna", exercise: "squat", view: "", fps: 100, split: ""))
    #expect(clip.keypoints?.times == [.zero, Microseconds(10_000)])
    #expect(source.remarks == [])
  }

  /// As pose tools' recordings are, so that a second folder of the same format is another dataset.
  @Test func theDatasetIsCalledLikeItsFolderOrFile() throws {
    try folder.write(Self.text(), to: "our squats/anna/squat 1.trc")
    for (path, name) in [("our squats", "our-squats"), ("our squats/anna/squat 1.trc", "squat-1")] {
      let source = try #require(try TRC.datasets(from: "\(folder.path)/\(path)", options: .capture()).first)
      #expect(source.manifest.name == name)
    }
  }

  @Test func aLostMarkerTakesWhatNeedsItAlong() throws {
    let lost = ["\t\t", "0\t0\t0", "NaN\t1\t2"]
    for (frame, text) in lost.enumerated() {
      let clip = try source(
        Self.text(frames: 3) { $0 == frame && $1 == "LASI" ? text : nil }
      ).clip(0)
      #expect(try clip.place("left_hip", frame: frame).x.isNaN)
      #expect(try clip.place("left_knee", frame: frame).x.isNaN)
      #expect(try !clip.place("left_shoulder", frame: frame).x.isNaN)
      #expect(try !clip.place("left_hip", frame: (frame + 1) % 3).x.isNaN)
    }
  }

  /// Rounded times follow the frame rate; a frame that is left out does not.
  @Test func timesAreTheFilesWhereFramesAreLeftOut() throws {
    let rounded = try source(Self.text(frames: 3, times: ["5.0", "5.012", "5.019"])).clip(0)
    #expect(rounded.keypoints?.times.map(\.count) == [0, 10_000, 20_000])
    let gap = try source(Self.text(frames: 3, times: ["5.0", "5.01", "5.05"])).clip(0)
    #expect(gap.keypoints?.times.map(\.count) == [0, 10_000, 50_000])
  }

  /// Swapping y and x lays the body along x.
  static let lying = text { _, name in
    MarkerBody.markers.first { $0.name == name }.map { "\($0.place.z)\t\($0.place.x)\t\($0.place.y)" }
  }

  @Test func someoneWhoLiesAmongPeopleWhoStand() throws {
    try folder.write(Self.lying, to: "anna/plank.trc")
    try folder.write(Self.text(), to: "anna/squat 1.trc")
    try folder.write(Self.lying, to: "ben/plank.trc")
    let source = try #require(try TRC.datasets(from: folder.path, options: .capture()).first)
    #expect(source.clipCount == 3)
    #expect(try (source.clip(0).place("left_wrist") - SIMD3(1.12, 0.3, -0.23)).length < 1e-6)
    #expect(source.remarks == ["anna/plank.trc: the person lies; y points up, as in most files of the folder"])
    // Nobody else in the folder shows what is up.
    #expect(folder.error { _ = try source.clip(2) }.contains("--up sets another axis, also if people lie down"))
  }

  @Test func foldersAndATableDescribeTheClips() throws {
    try folder.write(Self.text(), to: "anna/squat/1.trc")
    try folder.write(Self.text(), to: "anna/squat/2.trc")
    var options = ImportOptions()
    #expect(folder.error { _ = try TRC.datasets(from: folder.path, options: options) }.contains("--exercise NAME"))
    options.folders = [.subject, .exercise]
    try folder.write("clip,exercise,subject,view\nanna_squat_2,lunge,ben,front\n", to: "clips.csv")
    let clips = try #require(try Importers.datasets(TRC.self, from: folder.path, options: options).first).clips()
    #expect(
      clips.map(\.info) == [
        Clip.Info(name: "anna_squat_1", subject: "anna", exercise: "squat", view: "", fps: 100, split: ""),
        Clip.Info(name: "anna_squat_2", subject: "ben", exercise: "lunge", view: "front", fps: 100, split: ""),
      ])
    options.folders = [.any, .exercise, .subject]
    #expect(
      folder.error { _ = try TRC.datasets(from: folder.path, options: options) }.contains(
        "clip anna_squat_1: expected 3 folders between"))
  }

  @Test func someoneWhoLiesNeedsAWord() throws {
    let lying = Self.lying
    let error = folder.error { _ = try source(lying) }
    #expect(
      error.hasSuffix(
        "expected ankles below shoulders along y, the up axis of the file or its format; --up sets another axis, also if people lie down, found that along x"
      ), "\(error)")
    let clip = try source(lying, .capture(up: .y)).clip(0)
    #expect(try (clip.place("left_wrist") - SIMD3(1.12, 0.3, -0.23)).length < 1e-6)
  }

  @Test func unknownMarkersAreListed() throws {
    let error = folder.error { _ = try source(Self.text().replacing("LKNE", with: "KNEE_L")) }
    // Without the left knee there are still both arms.
    #expect(error == "no error")
    let none = folder.error {
      _ = try source(Self.text().replacing("LKNE", with: "KNEE_L").replacing("LWRA", with: "WR_L"))
    }
    #expect(
      none.contains(
        "squat 1.trc: clip anna_squat-1: expected markers of both legs or both arms of one of the sets acclaim,"),
      "\(none)")
    #expect(none.contains("found C7, CLAV, T10, STRN, LANK, RANK,"), "\(none)")
    #expect(
      none.contains(
        "from which left_wrist, left_knee, left_ankle can't be computed by plug-in-gait's rules; --mapping takes"),
      "\(none)")
    try folder.write(
      """
      marker_set: mine
      source: our own
      markers: { left_knee: KNEE_L, left_ankle: LANK, left_hip: LASI, right_knee: RKNE, right_hip: RASI, right_ankle: RANK }
      """, to: "mine.yaml")
    let mine = try source(
      Self.text().replacing("LKNE", with: "KNEE_L").replacing("LWRA", with: "WR_L"),
      .capture(mapping: folder.path + "/mine.yaml"))
    #expect(try (mine.clip(0).place("left_knee") - SIMD3(0.06, 0.5, 0.15)).length < 1e-6)
    #expect(try mine.clip(0).place("left_heel").x.isNaN)
    #expect(mine.remarks.first?.contains("no head, left_shoulder") == true)
  }

  static let wrongFiles: [(text: String, words: String)] = [
    ("", "squat 1.trc:1: expected PathFileType, found another word or nothing"),
    (text(unit: "furlong"), ":3: expected Units of m, mm, cm, in, found \"furlong\""),
    (text(unit: "m"), "expected a leg of 0.25 to 1.6 m in the file's unit; --unit sets another, found"),
    (text(saidFrames: "1099511627776"), ":3: expected as many frames as NumFrames says, 1099511627776, found 2"),
    (text(saidMarkers: "40"), ":4: expected 40 names of markers, as NumMarkers says, found 32"),
    (text(rate: "nan"), ":3: expected a number for DataRate, found \"nan\""),
    (text(rate: "0"), ":3: expected a DataRate above 0, found 0.0"),
    (text(rate: "1e9"), "expected 0.01 to 1000 frames a second, found 1000000000.0"),
    (text(times: ["0.5", "0.4"]), ":8: expected a time after 0.5, found 0.4"),
    (text { $0 == 1 && $1 == "C7" ? "1\tfar\t3" : nil }, ":8: expected a number for C7, found \"far\""),
    (text { $0 == 1 && $1 == "C7" ? "1e999\t2\t3" : nil }, ":8: expected a number for C7, found \"1e999\""),
    (text { $0 == 1 && $1 == "RWRB" ? "1e200\t2\t3" : nil }, "expected joints within 1,000 km of the origin"),
    (text { $0 == 1 && $1 == "RWRB" ? "1" : nil }, ":8: expected 98 fields, found 96"),
    (String(text().prefix(1200)), "expected"),
  ]

  @Test(arguments: wrongFiles) func wrongFilesAreNamed(_ text: String, _ words: String) throws {
    let error = folder.error { _ = try source(text).clip(0) }
    #expect(error.contains(words), "\(error)")
  }

  /// Positions and angles by an independent reading of the files with numpy.
  @Test func theRecordings() throws {
    guard let path = Shared.recordings("formats/trc") else { return }
    let source = try #require(try TRC.datasets(from: path, options: .capture()).first)
    let clips = try source.clips()
    #expect(clips.map(\.info.name) == ["data_grf_Subject4_MarkerData_squats1", "data_osim_DetectMarkerFlip_squats1"])
    #expect(clips.map { $0.keypoints?.frameCount } == [1346, 1623])
    let expected: [(clip: Int, frame: Int, joint: String, x: Double, y: Double, z: Double)] = [
      (0, 0, "left_hip", -0.199293, 0.882551, -0.696904), (0, 600, "right_elbow", 0.02795, 1.01474, -0.359575),
      (0, 1345, "left_heel", -0.330817, 0.055092, -0.765671), (0, 600, "left_wrist", 0.257618, 1.12018, -0.747022),
      (0, 0, "right_knee", -0.206402, 0.497607, -0.467031), (1, 600, "left_hip", -0.286039, 0.936519, -0.751451),
      (1, 1622, "right_elbow", -0.320552, 1.220005, -0.441257), (1, 0, "left_knee", -0.252602, 0.538632, -0.796256),
    ]
    for (clip, frame, joint, x, y, z) in expected {
      let place = try clips[clip].place(joint, frame: frame)
      #expect((place - SIMD3(x, y, -z)).length < 2e-5, "\(joint) \(place)")
    }
    // Somebody squats: the left knee goes from 176 to 85 and from 179 to 79 degrees.
    for (clip, range) in zip(clips, [85.06...176.18, 79.33...179.39]) {
      let angles = try (0..<(clip.keypoints?.frameCount ?? 0)).map {
        try clip.angle("left_hip", "left_knee", "left_ankle", frame: $0)
      }
      #expect(abs(try #require(angles.min()) - range.lowerBound) < 0.05)
      #expect(abs(try #require(angles.max()) - range.upperBound) < 0.05)
    }
  }
}
