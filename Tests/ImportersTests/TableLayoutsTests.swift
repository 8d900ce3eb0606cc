import Datasets
import Files
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
  @Test(arguments: [("True", "False"), ("true", "false"), ("TRUE", "FALSE"), ("yes", "no")])
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

  /// Two people take turns.
  @Test func aRecordingOfSeveralSubjectsIsNobodys() throws {
    try folder.write(
      "video,subject,frame,\(Self.header)\n" + Self.rows("v.mp4,anna,") + Self.rows("v.mp4,ben,", from: 3), to: "a.csv")
    let source = try source()
    #expect(try names(source) == ["a of a"])
    #expect(source.remarks.joined().contains("not used: subject"))
    #expect(source.manifest.caveat == "The subjects were not specified: every clip counts as a subject of its own.")
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
