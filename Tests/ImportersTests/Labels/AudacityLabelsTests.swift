import Importers
import PoseModel
import Testing

@Suite struct AudacityLabelsTests {
  let store: LabelStore

  init() throws { store = try LabelStore() }

  /// As the manual shows it, with the lines of frequencies.
  @Test func labelsAreWhatTheyAreCalled() throws {
    let text =
      "0.100000\t0.900000\trep\n\\\t-1.000000\t6334.588867\n1.000000\t1.800000\tRep\n0.500000\t0.500000\tturn\n"
      + "1.200000\t1.200000\tfault: shallow\n1.0\t1.8\tgrade: form=7.5\n1.5\t1.5\tcall\n0.2\t0.4\tdescent\n"
    let outcome = try store.label("ben 2.txt", text)
    #expect(outcome.format == "audacity")
    let labels = try store.labels("ben-2")
    #expect(labels.reps == [Rep(100, 900, turn: 500), Rep(1000, 1800)])
    #expect(labels.grades == [GroundTruth.Grade(rep: 1, rater: "annotator", criterion: "form", value: 7.5)])
    #expect(labels.faults.map(\.present) == [false, true])
    #expect(labels.events == [LabelledInstant(time: Microseconds(1_500_000), label: "call")])
    #expect(labels.intervals.map(\.label) == ["descent"])
  }

  @Test(arguments: ["0.1\t0.9\t1\n1.0\t1.8\t2\n", "0.1\t0.9\n1.0\t1.8\n"])
  func labelsWithoutWordsAreRepsOnRequest(_ text: String) throws {
    try store.label("anna.txt", text, areReps: true)
    #expect(try store.labels("anna").reps == [Rep(100, 900), Rep(1000, 1800)])
  }

  @Test func labelsWithoutWordsAreNoRepsByThemselves() throws {
    let outcome = try store.label("anna.txt", "0.1\t0.9\t1\n")
    #expect(outcome.counts == ["intervals": 1])
    #expect(
      try store.error("ben-2.txt", "0.1\t0.9\n")
        == "ben-2.txt:1: expected a label, or --as rep if all labels without a name are reps, found none")
  }

  /// Imported again as reps, the numbered labels are no intervals any more; what has words stays.
  @Test func labelsThatAreReadAgainAsRepsAreNoIntervals() throws {
    let text = "0.1\t0.9\t1\n1.0\t1.8\t2\n0.2\t0.5\tdescent\n"
    try store.label("anna.txt", text)
    #expect(try store.labels("anna").intervals.map(\.label) == ["1", "descent", "2"])
    let outcome = try store.label("anna.txt", "0.1\t0.9\t1\n1.0\t1.8\t2\n", areReps: true)
    #expect(outcome.replaced == 2)
    #expect(try store.labels("anna").reps == [Rep(100, 900), Rep(1000, 1800)])
    #expect(try store.labels("anna").intervals.map(\.label) == ["descent"])
    // Another label of the same name, at another time, is an interval still.
    try store.label("ben-2.txt", "0.1\t0.9\t1\n")
    try store.label("ben-2.txt", "1.0\t1.8\t1\n", areReps: true)
    #expect(try store.labels("ben-2").intervals.map(\.label) == ["1"])
  }

  @Test func aFilesNameAloneIsAClipThatEndsInIt() throws {
    let store = try LabelStore(clips: ["anna_front_03", "ben_front_04", "ben_side_04"])
    try store.label("03.txt", "0.1\t0.9\trep\n")
    #expect(try store.labels("anna_front_03").reps == [Rep(100, 900)])
    #expect(try store.error("04.txt", "0.1\t0.9\trep\n").contains("found \"04\""))
    // 103 is another number, not 03 in a folder called 1.
    let numbered = try LabelStore(clips: ["anna_03", "ben_103"])
    try numbered.label("03.txt", "0.1\t0.9\trep\n")
    #expect(try numbered.labels("anna_03").reps == [Rep(100, 900)])
  }

  @Test func aNULIsNoText() throws {
    #expect(
      try store.error("anna.txt", "0.1\t0.9\trep\n0.2\t0.3\tr\u{0}p\n")
        == "anna.txt:2: expected text, found a NUL character")
  }

  @Test func whatIsThereIsReplacedOnlyByWord() throws {
    try store.label("anna.txt", "0.1\t0.9\trep\n")
    let again = "0.2\t0.8\trep\n1.0\t1.5\trep\n"
    #expect(
      try store.error("anna.txt", again)
        == "anna.txt:1: clip anna: expected a clip without reps, found 1; to replace it, add --replace")
    let outcome = try store.label("anna.txt", again, replacing: true)
    #expect(outcome.replaced == 1)
    #expect(try store.labels("anna").reps == [Rep(200, 800), Rep(1000, 1500)])
    // Another kind is no replacement.
    #expect(try store.label("anna.txt", "0.5\t0.5\tcall\n").replaced == 0)
    #expect(try store.labels("anna").repCount == 2)
  }

  @Test func aMappingSaysWhatLabelsMean() throws {
    let mapping = """
      labels:
      - { label: down, kind: interval, name: descent }
      - { label: R, kind: rep }
      - { label: noise, kind: ignore }
      - { label: kv, kind: fault, name: knees_in }
      rater: anna
      clips: { take 7: ben-2 }
      """
    let text = "0.1\t0.9\tR\n0.1\t0.5\tDown\n0.3\t0.3\tnoise\n0.2\t0.4\tkv\n"
    try store.label("take 7.txt", text, mapping: mapping)
    let labels = try store.labels("ben-2")
    #expect(labels.intervals.map(\.label) == ["descent"])
    #expect(labels.faults == [GroundTruth.Fault(rep: 0, rater: "anna", name: "knees_in", present: true)])
    let unknown = try store.error("take 7.txt", "0.1\t0.9\tQ\n", mapping: mapping)
    #expect(unknown == "take 7.txt:1: expected a label that matches a rule of the mapping, found Q")
    let misspelt = try store.error("take 7.txt", text, mapping: mapping.replacing("labels:", with: "label:"))
    #expect(misspelt.hasPrefix("mapping.yaml:1: expected only the keys labels"), "\(misspelt)")
    let clip = try store.error("take 7.txt", text, mapping: mapping.replacing("ben-2", with: "ben-3"))
    #expect(
      clip.contains("expected a clip of the dataset for take 7: anna, ben-2, found \"ben-3\", did you mean ben-2?"),
      "\(clip)")
  }

  static let wrongFiles: [(text: String, words: String)] = [
    ("0.1\t0.9\n", "anna.txt:1: expected a label, or --as rep if all labels without a name are reps, found none"),
    ("0.9\t0.1\trep\n", "anna.txt:1: expected an end from 0.9 on, found 0.1"),
    ("0.1\t0.9\trep\n0.5\tnan\trep\n", "anna.txt:2: expected a time in seconds from 0, found \"nan\""),
    ("0.1\t0.9\trep\n-1\t0.5\trep\n", "anna.txt:2: expected a time in seconds from 0, found \"-1\""),
    ("0.5\t0.5\trep\n", "anna.txt:1: clip anna: expected a start and an end of the rep, found a point in time"),
    ("0.1\t1e300\trep\n", "expected labels of one of the formats"),
    ("0.1\t9\trep\n", "anna.txt:1: clip anna: expected a time up to 2.0 s, when the clip ends, found 9.0 s"),
    ("0.1\t0.9\tgrade: form=11\n", "anna.txt:1: clip anna: expected a grade on form from 0.0 to 10.0, found 11.0"),
    ("0.1\t0.9\tgrade: fun=1\n", "expected a criterion of the dataset or of the mapping's criteria, found \"fun\""),
    ("0.1\t0.9\tgrade: form=good\n", "expected a grade on form, found grade: form=good"),
    ("", "expected labels of one of the formats"),
  ]

  @Test(arguments: wrongFiles) func wrongFilesChangeNothing(_ text: String, _ words: String) throws {
    let error = try store.error("anna.txt", text)
    #expect(error.contains(words), "\(error)")
  }
}
