import Importers
import PoseModel
import Testing

@Suite struct LabelTableTests {
  let store: LabelStore

  init() throws { store = try LabelStore() }

  @Test(arguments: ["clip,rep_count", "video,count", "name,reps"]) func aTableOfCountsAlone(_ header: String) throws {
    let store = try LabelStore()
    let outcome = try store.label("counts.csv", "\(header)\nanna.mp4,3\nben-2,0\n")
    #expect(outcome.counts == ["counts": 2])
    #expect(try store.labels("anna").repCount == 3)
    #expect(try store.labels("anna").reps == nil)
    #expect(try store.labels("ben-2").repCount == 0)
    #expect(
      try store.error("counts.csv", "\(header)\nanna,4\n")
        == "counts.csv:2: clip anna: expected a clip without reps, found 3; to replace them, add --replace")
  }

  /// A count that agrees with the marked reps says nothing new; two counts of a clip must agree.
  @Test func countsThatAgree() throws {
    try store.label("reps.csv", "clip,start_s,end_s\nanna,0.1,0.9\nanna,1,1.8\n")
    try store.label("counts.csv", "clip,rep_count\nanna,2\nanna.mp4,2\n")
    #expect(try store.labels("anna").reps == [Rep(100, 900), Rep(1000, 1800)])
    #expect(
      try store.error("counts.csv", "clip,rep_count\nanna,2\nanna.mp4,3\n")
        == "counts.csv:3: clip anna: expected one count of reps, found 2 and 3")
  }

  @Test func tablesOfADatasetFolderNeedNoMapping() throws {
    try store.label("reps.csv", "clip,rep,start_s,end_s,turn_s\nanna,1,0.1,0.9,0.5\nben-2,1,0,1,\n")
    try store.label("grades.csv", "clip,rep,rater,criterion,grade\nanna,1,vera,form,8\nanna,,vera,form,7\n")
    try store.label("faults.csv", "clip,rep,rater,fault,present\nanna,1,vera,shallow,0\n")
    try store.label("events.csv", "clip,time_s,label\nanna,0.25,call\n")
    try store.label("intervals.csv", "clip,start_s,end_s,label\nanna,0,0.5,down\n")
    let labels = try store.labels("anna")
    #expect(labels.reps == [Rep(100, 900, turn: 500)])
    #expect(labels.grades.map(\.rep) == [0, nil])
    #expect(labels.faults == [GroundTruth.Fault(rep: 0, rater: "vera", name: "shallow", present: false)])
    #expect(labels.events.map(\.time) == [Microseconds(250_000)])
    #expect(labels.intervals.count == 1)
    #expect(try store.labels("ben-2").repCount == 1)
  }

  @Test func columnsAreNamedInAMapping() throws {
    let mapping = """
      table: reps
      columns: { clip: Video, start_s: From, end_s: To }
      times: frames
      """
    try store.label("sheet.csv", "Video,Note,From,To\nanna.MOV,\"a, b\",3,27\nanna.MOV,,30,60\n", mapping: mapping)
    #expect(try store.labels("anna").reps == [Rep(100, 900), Rep(1000, 2000)])
    let milliseconds = mapping.replacing("frames", with: "milliseconds")
    try store.label("sheet.csv", "Video,From,To\nben-2,100,900\n", mapping: milliseconds)
    #expect(try store.labels("ben-2").reps == [Rep(100, 900)])
  }

  /// A second rater's grades stand beside the first one's.
  @Test func ratersAreAddedUp() throws {
    let header = "clip,rater,criterion,grade\n"
    try store.label("a.csv", header + "anna,vera,form,8\n")
    try store.label("b.csv", header + "anna,wim,form,6\n")
    #expect(try store.labels("anna").grades.map(\.value) == [8, 6])
    let error = try store.error("c.csv", header + "anna,wim,form,5\n")
    #expect(
      error
        == "c.csv:2: clip anna: expected a clip without grades on form by wim, found 1; to replace it, add --replace")
  }

  /// Nobody writes in every line what the whole sheet is about.
  @Test func theOnlyCriterionNeedsNoColumn() throws {
    let mapping = """
      table: grades
      columns: { clip: Video, rater: Who, grade: Score }
      criteria: [{ name: depth, minimum: 0, maximum: 100 }]
      """
    let text = "Video,Who,Score\nanna,vera,80\nanna,wim,75\n"
    try store.label("a.csv", text, mapping: mapping)
    let grades = try store.labels("anna").grades
    #expect(grades.map(\.criterion) == ["depth", "depth"])
    #expect(grades.map(\.value) == [80, 75])
    let two = mapping.replacing("criteria: [", with: "criteria: [{ name: speed, minimum: 0, maximum: 1 }, ")
    let error = try store.error("a.csv", text, mapping: two)
    #expect(error.contains("a.csv:1: expected column criterion"), "\(error)")
  }

  @Test func criteriaMayBeBroughtAlong() throws {
    let mapping = "criteria: [{ name: depth, minimum: 1, maximum: 5 }]\nrater: vera\n"
    try store.label("a.csv", "clip,criterion,grade\nanna,depth,4\n", mapping: mapping)
    #expect(try store.dataset().manifest.criteria.map(\.name) == ["form", "depth"])
    let error = try store.error(
      "a.csv", "clip,criterion,grade\nben-2,depth,4\n", mapping: mapping.replacing("maximum: 5", with: "maximum: 6"))
    #expect(error == "mine: expected depth on its scale from 1.0 to 5.0, found a mapping with 1.0 to 6.0")
  }

  @Test func moreLabelsThanMemoryHoldsAreRefused() throws {
    let error = try store.error("x.csv", "clip,time_s,label\n" + String(repeating: "anna,0,a\n", count: 300_001))
    #expect(error.hasSuffix("split them between two clips, and import the parts one by one, found 300001"), "\(error)")
  }

  static let wrongTables: [(text: String, words: String)] = [
    ("clip,start_s,end_s\nanna,0.5,0.1\n", "x.csv:2: clip anna: expected an end of the rep after 0.5 s, found 0.1 s"),
    ("clip,start_s,end_s\nanna,0,1\ncarl,0,1\n", "x.csv:3: expected a recording that is a clip of the dataset"),
    ("clip,start_s,end_s\nanna,0,nan\n", "x.csv:2: expected a time in seconds from 0 in column end_s, found \"nan\""),
    ("clip,start_s,end_s\nanna,0\n", "x.csv:2: expected 3 fields, found 2"),
    ("clip,rep,fault,present\nanna,1,shallow,1\n", "x.csv:2: clip anna: expected a rep from 1 to 0, found 1"),
    (
      "clip,fault,present\nanna,shallow,yes\n", "x.csv:2: expected 1, 0, true or false in column present, found \"yes\""
    ),
    (
      "clip,fault,present\nanna,shallow,1\nanna,shallow,0\n",
      "x.csv:3: clip anna: expected one label for shallow per rep and rater, found another by annotator"
    ),
    ("clip,start_s,end_s\n", "expected at least one label, found none"),
    ("a,b\n1,2\n", "expected labels of one of the formats"),
    ("clip,start_s,end_s\nan\u{0}na,0,1\n", "x.csv:2: expected text, found a NUL character"),
  ]

  @Test(arguments: wrongTables) func wrongTablesChangeNothing(_ text: String, _ words: String) throws {
    let error = try store.error("x.csv", text)
    #expect(error.contains(words), "\(error)")
  }
}
