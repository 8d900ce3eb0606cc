import Importers
import PoseModel
import Simulation
import TestSupport
import Testing

@Suite struct GradedSquatsTests {
  let folder: ImportFolder

  init() throws { folder = try ImportFolder() }

  static let header =
    "Filename Side,Filename Front,Squat Score,Knee Stability,Core Strength,Asymmetry Score,Description\n"

  func source(_ rows: String) throws -> any Importer {
    try folder.write(Self.header + rows, to: "grades.csv")
    return try #require(try GradedSquats.datasets(from: folder.path, options: ImportOptions()).first)
  }

  @Test func severalGradingsOfOneVideoAreRepeated() throws {
    try folder.write("", to: "angles.csv")
    let source = try source(
      "static/A.mov,static/B.mov,50,40,30,20,\"falls, \"\nstatic/C.mov,static/D.mov,1,2,3,4,\nstatic/A.mov,static/B.mov,100,0,5.5,7,x\n"
    )
    #expect(GradedSquats.recognises(folder.path))
    #expect(
      source.remarks == [
        "A_B: graded 2 times, counted as repeated gradings by grading-1 to 2",
        "left out angles.csv: series of joint angles, which give no poses",
      ])
    let clips = try source.clips()
    #expect(clips.map(\.info.name) == ["A_B", "C_D"])
    #expect(clips.allSatisfy { $0.keypoints == nil && $0.labels.repCount == nil })
    let grades = clips[0].labels.grades
    #expect(
      grades.map(\.rater) == ["grading-1", "grading-1", "grading-1", "grading-1"]
        + [String](repeating: "grading-2", count: 4))
    #expect(grades.map(\.value) == [50, 40, 30, 20, 100, 0, 5.5, 7])
    #expect(grades.prefix(4).map(\.criterion) == ["squat", "knee_stability", "core_strength", "asymmetry"])
  }

  static let wrongRows: [(text: String, words: String)] = [
    ("a.mov,b.mov,101,1,1,1,\n", ":2: clip a_b: expected a grade from 0 to 100 in column Squat Score, found \"101\""),
    ("a.mov,b.mov,1,1,1,1,\na.mov,b.mov,1,bad,1,1,\n", ":3: expected a number in column Knee Stability"),
    ("a.mov,b.mov,1\n", ":2: expected 7 fields, found 3"),
    ("", ":2: expected at least one grading, found none"),
  ]

  @Test(arguments: wrongRows) func wrongRowsAreNamed(_ rows: String, _ words: String) throws {
    let error = folder.error { _ = try source(rows) }
    #expect(error.hasPrefix("grades.csv" + words), "\(error)")
  }

  @Test func theRecordings() throws {
    guard let path = Shared.recordings("graded-squats") else { return }
    let source = try #require(try GradedSquats.datasets(from: path, options: ImportOptions()).first)
    #expect(source.clipCount == 18)
    #expect(try source.clips().map(\.labels.grades.count).reduce(0, +) == 20 * 4)
  }
}
