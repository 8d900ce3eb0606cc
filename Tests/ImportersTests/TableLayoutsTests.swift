import Datasets
import Foundation
import Importers
import PoseModel
import Testing

/// Tables of keypoints of which other columns and rows than those of points say something.
@Suite struct TableLayoutsTests {
  private let folder: ImportFolder
  private var options = ImportOptions()

  init() throws {
    folder = try ImportFolder()
    options.exercise = "squat"
    options.fps = 10
    options.size = ImageSize("1000x500")
  }

  private static let header = "nose_x,nose_y,left_hip_x,left_hip_y,left_knee_x,left_knee_y"

  /// Pixels, the nose at 100, 110, 120 …
  private static func row(_ frame: Int) -> String { "\(100 + frame * 10),50,100,250,100,350" }

  /// Three frames, each after these fields.
  private static func rows(_ lead: String = "", from first: Int = 0) -> String {
    (first..<first + 3).map { "\(lead)\($0),\(row($0))\n" }.joined()
  }

  private func source(_ options: ImportOptions? = nil) throws -> any Importer {
    try #require(try KeypointFiles.datasets(from: folder.path, options: options ?? self.options).first)
  }

  private func names(_ source: any Importer) throws -> [String] {
    try (0..<source.clipCount).map { index in
      let info = try source.clip(index).info
      return "\(info.name) of \(info.subject)"
    }
  }

  // MARK: Words and commas

  /// The hip is hidden.
  @Test(arguments: [("True", "False"), ("true", "false"), ("TRUE", "FALSE"), ("yes", "no"), ("WAHR", "FALSCH")])
  func confidencesAreWords(seen: String, hidden: String) throws {
    let rows = (0..<3).map { "\($0),\(100 + $0 * 10),50,\(seen),100,250,\(hidden),100,350,\(seen)\n" }
    try folder.write(
      "frame,nose_x,nose_y,nose_visible,left_hip_x,left_hip_y,left_hip_visible,left_knee_x,left_knee_y,left_knee_visible\n"
        + rows.joined(), to: "a.csv")
    try expectHiddenHip()
  }

  @Test func confidencesAreWordsInOtherLayouts() throws {
    let points = [("nose", 50, true), ("left_hip", 250, false), ("left_knee", 350, true)]
    let lines = (0..<3).flatMap { frame in
      points.map { "\(frame),\($0.0),\($0.0 == "nose" ? 100 + frame * 10 : 100),\($0.1),\($0.2 ? "Yes" : "No")\n" }
    }
    try folder.write("frame,joint,x,y,detected\n" + lines.joined(), to: "a.csv")
    try expectHiddenHip()
    let frames = (0..<3).map { frame in
      let list = points.map {
        "{\"name\":\"\($0.0)\",\"x\":\($0.0 == "nose" ? 100 + frame * 10 : 100),\"y\":\($0.1),\"isVisible\":\($0.2)}"
      }
      return "{\"keypoints\":[\(list.joined(separator: ","))]}"
    }
    try FileManager.default.removeItem(atPath: "\(folder.path)/a.csv")
    try folder.write("[\(frames.joined(separator: ","))]", to: "a.json")
    try expectHiddenHip()
    // A table by its columns, which shows itself by four points.
    let columns = (points + [("left_ankle", 450, true)]).map { name, y, isSeen in
      "\"\(name)_x\":[\(name == "nose" ? "100,110,120" : "100,100,100")],\"\(name)_y\":[\(y),\(y),\(y)],"
        + "\"\(name)_visible\":[\(isSeen),\(isSeen),\(isSeen)]"
    }
    try folder.write("{\(columns.joined(separator: ","))}", to: "a.json")
    try expectHiddenHip()
  }

  private func expectHiddenHip(sourceLocation: SourceLocation = #_sourceLocation) throws {
    let keypoints = try #require(try source().clip(0).keypoints, sourceLocation: sourceLocation)
    #expect(keypoints.values(0, .x) == [100, 110, 120], sourceLocation: sourceLocation)
    #expect(keypoints.values(0, .confidence) == [1, 1, 1], sourceLocation: sourceLocation)
    #expect(keypoints.values(11, .y) == [250, 250, 250], sourceLocation: sourceLocation)
    #expect(keypoints.values(11, .confidence) == [0, 0, 0], sourceLocation: sourceLocation)
  }

  @Test func anUnknownWordIsNoConfidence() throws {
    try folder.write("nose_x,nose_y,nose_visible\n100,50,True\n110,50,maybe\n", to: "a.csv")
    #expect(
      folder.error { _ = try source().clip(0) } == "a.csv:3: expected a number in column 3, found \"maybe\"")
  }

  /// A spreadsheet of a country with decimal commas that separates fields by commas.
  @Test func decimalCommasStandWithinQuotationMarks() throws {
    let rows = (0..<3).map { frame in
      "\"0,\(frame)\"," + Self.row(frame).split(separator: ",").map { "\"\($0),25\"" }.joined(separator: ",") + "\n"
    }
    try folder.write("time,\(Self.header)\n" + rows.joined(), to: "a.csv")
    let keypoints = try #require(try source().clip(0).keypoints)
    #expect(keypoints.times.map(\.count) == [0, 100_000, 200_000])
    #expect(keypoints.values(0, .x) == [100.25, 110.25, 120.25])
    #expect(keypoints.values(13, .y) == [350.25, 350.25, 350.25])
  }

  @Test func commasOfThousandsAreNoDecimalCommas() throws {
    let rows = (0..<3).map { "\"1,\(100 + $0)\",\"1,050\",\"1,100\",\"1,250\",\"1,100\",\"1,350\"\n" }
    try folder.write(Self.header + "\n" + rows.joined(), to: "a.csv")
    #expect(folder.error { _ = try source() }.contains("expected a number in column 1, found \"1,10"))
  }

  // MARK: Files that were joined

  @Test func aHeaderWhereFramesBeginAgainBeginsARecording() throws {
    let header = "frame,\(Self.header)\n"
    try folder.write(header + Self.rows() + header + Self.rows() + header + Self.rows(from: 1), to: "a.csv")
    let source = try source()
    #expect(try names(source) == ["a_1 of a_1", "a_2 of a_2", "a_3 of a_3"])
    #expect(
      source.remarks.contains(
        "a table's header comes again where its frames begin again: another recording begins there"))
    #expect(try source.clip(2).keypoints?.values(0, .x) == [110, 120, 130])
  }

  @Test func aHeaderWhereFramesGoOnIsLeftOut() throws {
    let header = "frame,\(Self.header)\n"
    try folder.write(header + Self.rows() + header + Self.rows(from: 3), to: "a.csv")
    let (clip, remarks) = try source().read(0)
    #expect(clip.keypoints?.values(0, .x) == [100, 110, 120, 130, 140, 150])
    #expect(
      remarks == ["a: the header comes again once and is left out; if a recording begins there, split the file"])
  }

  @Test func aHeaderAboveEachFrameIsLeftOut() throws {
    let rows = (0..<3).map { "\(Self.header)\n\(Self.row($0))\n" }
    try folder.write(rows.joined(), to: "a.csv")
    let (clip, remarks) = try source().read(0)
    #expect(clip.keypoints?.values(0, .x) == [100, 110, 120])
    #expect(remarks.joined().contains("the header comes again 2 times and is left out"))
  }

  /// A column tells recordings apart already.
  @Test func aHeaderAboveEachVideoIsLeftOut() throws {
    let header = "video,frame,\(Self.header)\n"
    try folder.write(header + Self.rows("v1.mp4,") + header + Self.rows("v2.mp4,"), to: "a.csv")
    let source = try source()
    #expect(try names(source) == ["v1 of v1", "v2 of v2"])
    #expect(try source.read(1).remarks == [])
  }

  // MARK: A line a number

  private static let pairs = [
    "nose_x", "nose_y", "nose_conf", "left_hip_x", "left_hip_y", "left_knee_x", "left_knee_y",
  ]

  private static func pair(_ name: String, _ frame: Int) -> String {
    let values = row(frame).split(separator: ",").map(String.init)
    let fields = Dictionary(uniqueKeysWithValues: zip(header.split(separator: ",").map(String.init), values))
    return fields[name] ?? "0.5"
  }

  private func expectPairs(_ text: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
    try folder.write(text, to: "a.csv")
    let keypoints = try #require(try source().clip(0).keypoints, sourceLocation: sourceLocation)
    #expect(keypoints.times.map(\.count) == [0, 100_000, 200_000], sourceLocation: sourceLocation)
    #expect(keypoints.values(0, .x) == [100, 110, 120], sourceLocation: sourceLocation)
    #expect(keypoints.values(0, .confidence) == [0.5, 0.5, 0.5], sourceLocation: sourceLocation)
    #expect(keypoints.values(13, .y) == [350, 350, 350], sourceLocation: sourceLocation)
  }

  @Test func aLineANumber() throws {
    let lines = (0..<3).flatMap { frame in Self.pairs.map { "\(frame),\($0),\(Self.pair($0, frame))\n" } }
    try expectPairs("frame,variable,value\n" + lines.joined())
    #expect(try source().account.contains("variable: the point, and which of its numbers"))
    // An angle beside the points.
    let angles = (0..<3).map { "\($0),knee_angle,90\n" }
    try expectPairs("frame,variable,value\n" + lines.joined() + angles.joined())
    #expect(try source().remarks.joined().contains("points that are not joints of the body are not used: knee_angle"))
  }

  @Test func aLineANumberByVariableOrAxis() throws {
    let melted = Self.pairs.flatMap { name in (0..<3).map { "\($0),\(name),\(Self.pair(name, $0))\n" } }
    try expectPairs("frame,variable,value\n" + melted.joined())
    let axes = (0..<3).flatMap { frame in
      Self.pairs.map { name in
        let words = name.split(separator: "_")
        let joint = words.dropLast().joined(separator: "_")
        return "\(frame),\(joint),\(words[words.count - 1]),\(Self.pair(name, frame))\n"
      }
    }
    try expectPairs("frame,joint,axis,value\n" + axes.joined())
    // A frame begins where a variable comes again.
    let lines = (0..<3).flatMap { frame in Self.pairs.map { "\($0),\(Self.pair($0, frame))\n" } }
    try expectPairs("name,value\n" + lines.joined())
  }

  /// Two recordings one after the other, which no column tells apart.
  @Test func aNumberThatComesAgainIsRefused() throws {
    let lines = [0, 1, 0].map { frame in Self.pairs.map { "\(frame),\($0),\(Self.pair($0, frame))\n" }.joined() }
    try folder.write("frame,variable,value\n" + lines.joined() + "1,nose_x,500\n", to: "a.csv")
    #expect(
      folder.error { _ = try source().clip(0) }.hasPrefix(
        "a.csv:23: expected each number of a frame once, or a column such as video, camera or person"))
  }

  @Test func aLineANumberWithoutFramesIsRefused() throws {
    let melted = Self.pairs.flatMap { name in (0..<3).map { "\(name),\(Self.pair(name, $0))\n" } }
    try folder.write("variable,value\n" + melted.joined(), to: "a.csv")
    #expect(Importers.recognising(folder.path).isEmpty)
  }

  // MARK: A file a frame

  /// COCO's 17 points, the nose at 100, 110, 120 …
  private static func coco(_ frame: Int) -> [String] {
    (0..<17).map { "\($0 == 0 ? 100 + frame * 10 : 200),\(50 + $0 * 20),0.9" }
  }

  @Test(arguments: ["txt", "csv"]) func aFileAFrameOfNumbers(_ ending: String) throws {
    for frame in 0..<3 {
      try folder.write(Self.coco(frame).joined(separator: ",") + "\n", to: "anna/\(1000 + frame).\(ending)")
    }
    let source = try source()
    #expect(source.clipCount == 1)
    let clip = try source.clip(0)
    #expect(clip.info.name == "anna")
    #expect(clip.keypoints?.values(0, .x) == [100, 110, 120])
    #expect(clip.keypoints?.values(16, .y) == [370, 370, 370])
    #expect(clip.keypoints?.values(16, .confidence).allSatisfy { abs($0 - 0.9) < 1e-6 } == true)
  }

  @Test func aFileAFrameWithSpacesOrAHeader() throws {
    for frame in 0..<3 {
      let numbers = Self.coco(frame).joined(separator: " ").replacing(",", with: " ")
      try folder.write(numbers + "\n", to: "anna/frame_\(frame).txt")
    }
    #expect(try source().clip(0).keypoints?.values(0, .x) == [100, 110, 120])
    try FileManager.default.removeItem(atPath: "\(folder.path)/anna")
    for frame in 0..<3 { try folder.write("\(Self.header)\n\(Self.row(frame))\n", to: "ben/frame_\(frame).csv") }
    let source = try source()
    #expect(try names(source) == ["ben of ben"])
    #expect(try source.clip(0).keypoints?.values(0, .x) == [100, 110, 120])
  }

  /// A list of the only detection in each file, as Ultralytics writes it.
  @Test func aFileAFrameOfOneDetection() throws {
    for frame in 0..<3 {
      let points = Self.coco(frame).map { "[\($0)]" }.joined(separator: ",")
      try folder.write("[{\"name\":\"person\",\"keypoints\":[\(points)]}]", to: "anna/frame_\(frame).json")
    }
    let source = try source()
    #expect(try names(source) == ["anna of anna"])
    #expect(try source.clip(0).keypoints?.values(0, .x) == [100, 110, 120])
  }

  // MARK: Recordings in one file

  @Test func objectsNameRecordingsByTwoKeys() throws {
    func frames(_ start: Int) -> String {
      "["
        + (0..<3).map { frame in
          "{\"nose\":[\(100 + (start + frame) * 10),50],\"left_hip\":[100,250],\"left_knee\":[100,350],\"left_ankle\":[100,450]}"
        }.joined(separator: ",") + "]"
    }
    try folder.write(
      "{\"fps\":10,\"anna\":{\"set1\":\(frames(0)),\"set2\":\(frames(10))},\"ben\":{\"set1\":\(frames(20))}}",
      to: "a.json")
    let source = try source()
    #expect(try (0..<source.clipCount).map { try source.clip($0).info.name } == ["anna_set1", "anna_set2", "ben_set1"])
    #expect(try source.clip(1).keypoints?.values(0, .x) == [200, 210, 220])
    #expect(try source.clip(2).keypoints?.values(0, .x) == [300, 310, 320])
  }

  /// A rate before the name, recordings that are called alike, and those that a subject and a trial name.
  @Test func objectsInAListNameRecordings() throws {
    let frames =
      "[" + (0..<3).map { "{\"frame\":\($0),\"keypoints\":[\(numbers(figure(Double($0))))]}" }.joined(separator: ",")
      + "]"
    func list(_ headings: String...) throws -> [String] {
      try folder.write("[" + headings.map { "{\($0),\"frames\":\(frames)}" }.joined(separator: ",") + "]", to: "a.json")
      return try names(source())
    }
    var options = options
    options.fps = nil
    #expect(
      try list(#""fps":25,"name":"first""#, #""fps":50,"name":"second""#) == ["first of first", "second of second"])
    #expect(try (0..<2).map { try source(options).clip($0).info.fps } == [25, 50])
    #expect(
      try list(#""subject":"anna","name":"set1""#, #""subject":"ben","name":"set1""#)
        == ["anna_set1 of anna", "ben_set1 of ben"])
    #expect(
      try list(#""participant":"anna","trial":1"#, #""participant":"anna","trial":2"#) == [
        "anna_1 of anna", "anna_2 of anna",
      ])
  }

  // MARK: Times

  /// Tenths of a second in 2019 by .NET's clock, and in 2025 by that of Windows.
  @Test(arguments: [637_000_000_000_000_000, 133_863_408_000_000_000]) func timesAreTicks(start: Int) throws {
    let rows = (0..<3).map { "\(start + $0 * 1_000_000),\(Self.row($0))\n" }
    try folder.write("timestamp,\(Self.header)\n" + rows.joined(), to: "a.csv")
    var options = options
    options.fps = nil
    let times = try #require(try source(options).clip(0).keypoints).times.map(\.seconds)
    #expect(times.count == 3)
    #expect(zip(times, [0, 0.1, 0.2]).allSatisfy { abs($0 - $1) < 0.001 })
  }

  @Test(arguments: [("Zeit", 0.04), ("Zeit (s)", 0.04), ("Zeit [ms]", 40)]) func timesHaveGermanNames(
    name: String, step: Double
  ) throws {
    let rows = (0..<3).map {
      "\(Double($0) * step);\(Self.row($0))\n".replacing(",", with: ";").replacing(".", with: ",")
    }
    try folder.write("\(name);\(Self.header.replacing(",", with: ";"))\n" + rows.joined(), to: "a.csv")
    var options = options
    options.fps = nil
    #expect(try source(options).clip(0).keypoints?.times.map(\.count) == [0, 40_000, 80_000])
  }

  // MARK: Points by sides

  @Test func objectsOfEachSideArePoints() throws {
    let frames = (0..<3).map { frame in
      #"{"nose":{"x":\#(100 + frame * 10),"y":50},"left":{"hip":{"x":100,"y":250},"knee":{"x":110,"y":350}},"#
        + #""right":{"hip":{"x":60,"y":251},"knee":{"x":70,"y":351}}}"#
    }
    try folder.write("[" + frames.joined(separator: ",") + "]", to: "a.json")
    let keypoints = try #require(try source().clip(0).keypoints)
    // In COCO's order, the shortest that has them.
    #expect([0, 11, 12, 13, 14].map { keypoints.values($0, .y).first } == [50, 250, 251, 350, 351])
    #expect(keypoints.values(0, .x) == [100, 110, 120])
  }

  // MARK: Points without names

  /// Too few frames show whose order it is.
  @Test func fifteenPointsHaveNoUsualOrder() throws {
    let rows = (0..<3).map { frame in
      (0..<15).map { "\($0 == 2 ? 100 + frame * 10 : 200),\(50 + $0 * 20)" }.joined(separator: ",") + "\n"
    }
    try folder.write((0..<15).map { "x\($0),y\($0)" }.joined(separator: ",") + "\n" + rows.joined(), to: "a.csv")
    #expect(
      folder.error { _ = try source() }
        == "a.csv: expected 15 points whose body clearly fits one of openpose-15, body-15, panoptic-15, jhmdb-15, or "
        + "--skeleton NAME, found a body that may be several in 3 frames")
    var options = options
    options.skeleton = "openpose-15"
    #expect(try source(options).clip(0).keypoints?.values(Joint.rightShoulder.index, .x) == [100, 110, 120])
    options.skeleton = "panoptic-15"
    #expect(try source(options).clip(0).keypoints?.values(Joint.root.index, .x) == [100, 110, 120])
  }

  // MARK: Subjects

  @Test func aColumnNamesTheSubjectsOfRecordings() throws {
    try folder.write(
      "subject,trial,frame,\(Self.header)\n" + Self.rows("anna,1,") + Self.rows("anna,2,") + Self.rows("ben,1,"),
      to: "a.csv")
    let source = try source()
    #expect(try names(source) == ["anna_1 of anna", "anna_2 of anna", "ben_1 of ben"])
    #expect(source.manifest.caveat == nil)
    #expect(source.account.contains("subject: the recording and its subject"))
    #expect(source.account.contains("trial: the recording"))
  }

  @Test func videosHaveSubjects() throws {
    try folder.write(
      "video,participant_id,frame,\(Self.header)\n" + Self.rows("v1.mp4,7,") + Self.rows("v2.mp4,7,")
        + Self.rows("v3.mp4,8,"), to: "a.csv")
    #expect(try names(source()) == ["v1 of 7", "v2 of 7", "v3 of 8"])
  }

  @Test func aFileOfOneRecordingNamesItsSubject() throws {
    try folder.write("athlete,frame,\(Self.header)\n" + Self.rows("anna,"), to: "a.csv")
    try folder.write("athlete,frame,\(Self.header)\n" + Self.rows("ben,"), to: "b.csv")
    let source = try source()
    #expect(try names(source) == ["a of anna", "b of ben"])
    #expect(!source.remarks.joined().contains("not used"))
  }

  /// Two people in each frame, by name.
  @Test func namesOfPeopleAreSubjects() throws {
    let rows = (0..<3).map { "anna,\($0),\(Self.row($0))\nben,\($0),\(Self.row(10 + $0))\n" }
    try folder.write("person_name,frame,\(Self.header)\n" + rows.joined(), to: "a.csv")
    let source = try source()
    #expect(try names(source) == ["anna of anna", "ben of ben"])
    #expect(try source.clip(1).keypoints?.values(0, .x) == [200, 210, 220])
  }

  @Test func subjectsThatTheUserNamesCount() throws {
    try folder.write("subject,frame,\(Self.header)\n" + Self.rows("p1,"), to: "anna/a.csv")
    try folder.write("subject,frame,\(Self.header)\n" + Self.rows("p2,"), to: "ben/b.csv")
    var options = options
    options.folders = [.subject]
    let named = try source(options)
    #expect(try names(named) == ["anna_a of anna", "ben_b of ben"])
    #expect(named.remarks.contains("the names of people in the files are not used: --folders gives them"))
    options.folders = nil
    options.subject = "carl"
    #expect(try names(source(options)) == ["anna_a of carl", "ben_b of carl"])
  }

  @Test func objectsNameSubjects() throws {
    func frames(_ lead: String) -> String {
      (0..<3).map { frame in
        "{\(lead)\"frame\":\(frame),\"keypoints\":{\"nose\":{\"x\":\(100 + frame * 10),\"y\":50},"
          + "\"left_hip\":{\"x\":100,\"y\":250},\"left_knee\":{\"x\":100,\"y\":350}}}"
      }.joined(separator: ",")
    }
    try folder.write(
      "[\(frames("\"subject\":\"anna\",\"trial\":1,")),\(frames("\"subject\":\"anna\",\"trial\":2,")),"
        + "\(frames("\"subject\":\"ben\",\"trial\":1,"))]", to: "a.json")
    #expect(try names(source()) == ["anna_1 of anna", "anna_2 of anna", "ben_1 of ben"])
    try folder.write("{\"info\":{\"participant\":7},\"frames\":[\(frames(""))]}", to: "a.json")
    #expect(try names(source()) == ["a of 7"])
    try folder.write(
      "[{\"video\":\"v1\",\"athlete\":\"anna\",\"frames\":[\(frames(""))]},"
        + "{\"video\":\"v2\",\"athlete\":\"ben\",\"frames\":[\(frames(""))]}]", to: "a.json")
    #expect(try names(source()) == ["v1 of anna", "v2 of ben"])
  }

  /// Two people take turns.
  @Test func aRecordingOfSeveralSubjectsIsNobodys() throws {
    try folder.write(
      "video,subject,frame,\(Self.header)\n" + Self.rows("v.mp4,anna,") + Self.rows("v.mp4,ben,", from: 3), to: "a.csv")
    let source = try source()
    #expect(try names(source) == ["a of a"])
    #expect(source.remarks.joined().contains("not used: subject"))
    #expect(source.manifest.caveat == "The subjects were not specified: every clip counts as a subject of its own.")
  }

  /// Each of two people has a v1 and a v2, with or without numbers of frames.
  @Test(arguments: [true, false]) func recordingsOfOneNameHaveASubjectEach(areNumbered: Bool) throws {
    let rows = ["anna", "ben"].flatMap { person in
      ["v1.mp4", "v2.mp4"].flatMap { video in
        (0..<3).map { frame in
          "\(person),\(video),\(areNumbered ? "\(frame)," : "")\(Self.row(frame + (person == "ben" ? 10 : 0)))\n"
        }
      }
    }
    try folder.write("subject,video,\(areNumbered ? "frame," : "")\(Self.header)\n" + rows.joined(), to: "a.csv")
    let source = try source()
    #expect(try names(source) == ["anna_v1 of anna", "ben_v1 of ben", "anna_v2 of anna", "ben_v2 of ben"])
    #expect(try source.clip(0).keypoints?.values(0, .x) == [100, 110, 120])
    #expect(try source.clip(1).keypoints?.values(0, .x) == [200, 210, 220])
  }

  @Test func namesOfSubjectsStayDifferent() throws {
    func write(_ first: String, _ second: String) throws {
      try folder.write(
        "subject,trial,frame,\(Self.header)\n" + Self.rows("\(first),1,") + Self.rows("\(second),2,"), to: "a.csv")
    }
    try write("Zoë", "Ben")
    let source = try source()
    #expect(try names(source) == ["Zoe_1 of Zoe", "Ben_2 of Ben"])
    #expect(source.remarks.contains("the subject Zoë is called Zoe"))
    try write("Zoë", "Zoe")
    #expect(
      folder.error { _ = try self.source() }
        == "a.csv: expected people whose names differ in letters from A to Z and digits, found Zoë and Zoe, both Zoe; "
        + "rename one of them")
    try write("李", "Zoe")
    #expect(
      folder.error { _ = try self.source() }
        == "a.csv: expected names of people with letters from A to Z or digits, or one name for all (--subject NAME), "
        + "found 李")
  }
}
