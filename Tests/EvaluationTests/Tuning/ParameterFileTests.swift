import Coaching
import Datasets
import Files
import Foundation
import Testing
@testable import Evaluation

/// Parameter files as they are written and read.
@Suite struct ParameterFileTests {
  static let content = "sha256:" + String(repeating: "0f", count: 32)

  static let yaml = """
    detector: squat-states
    values:
      bottomAngle: 118.5
      usesDepth: on
    tuned_on:
      suite: squat
      suite_version: 2
      metric: count.mae
      datasets:
      - name: squats
        content: \(content)
        subjects: [bert, anna]
    search: { method: global, budget: 40, seed: 7 }
    expected_on_new_people: { value: 2.25, low: -1, high: 5, subjects: 3 }
    in_sample_optimistic: { value: n/a, subjects: 0 }
    """

  private func read(_ yaml: String) throws -> ParameterFile {
    try ParameterFile(
      yaml: InputFile(name: "tuned.yaml", bytes: Data(yaml.utf8)),
      of: [DetectorDefinition(SquatStates.self), DetectorDefinition(SquatPosture.self)])
  }

  @Test func everyKeyIsRead() throws {
    let file = try read(Self.yaml)
    #expect(file.tuning.detector == "squat-states")
    #expect(file.values == ["bottomAngle": 118.5, "usesDepth": 1])
    let dataset = Tuning.Dataset(name: "squats", content: Self.content, subjects: ["anna", "bert"])
    #expect(
      file.tuning
        == Tuning(detector: "squat-states", suite: "squat", suiteVersion: 2, metric: "count.mae", datasets: [dataset]))
    #expect(file.search == TuneSearch(method: .global, budget: 40, seed: 7))
    #expect(file.expected == .init(value: 2.25, low: -1, high: 5, subjects: 3))
    #expect(file.inSample == .init(value: nil, low: nil, high: nil, subjects: 0))
  }

  @Test func whatIsWrittenIsReadAgain() throws {
    var file = try read(Self.yaml)
    file.tuning.datasets[0].subjects = ["#1", "1: a", "007", "Zoë", "back\\slash", "null", "qu\"ote"].sorted()
    file.values["cooldown"] = 0.1 + 0.2
    file.search.seed = .max
    #expect(try read(file.yaml) == file)
    #expect(file.yaml == (try read(file.yaml)).yaml)
    // The two numbers are named for what they are.
    #expect(file.yaml.contains("\nexpected_on_new_people: { value: 2.25, low: -1, high: 5, subjects: 3 }\n"))
    #expect(file.yaml.contains("\nin_sample_optimistic: { value: n/a, subjects: 0 }\n"))
  }

  @Test(arguments: ["none", "average:5", "one-euro:1.0,7.0,2.0"]) func theSmoothingIsReadAgain(text: String) throws {
    #expect(try read(Self.yaml).smoothing == nil)
    let file = try read(Self.yaml.replacing("tuned_on:", with: "smoothing: \(text)\ntuned_on:"))
    #expect(file.smoothing == (try SmoothingChoice(text)))
    #expect(file.yaml.contains("\nsmoothing: \(text)\n"))
    #expect(try read(file.yaml) == file)
  }

  @Test(arguments: [
    ("tuned_on:", "smoothing: mean:5\ntuned_on:", 5, "expected none, average:"),
    ("tuned_on:", "smoothng: median:5\ntuned_on:", 5, "did you mean smoothing?"),
    ("detector: squat-states", "detector: squat-statse", 1, "did you mean squat-states?"),
    ("  bottomAngle: 118.5", "  botomAngle: 118.5", 3, "did you mean bottomAngle?"),
    ("  bottomAngle: 118.5", "  bottomAngle: 190", 3, "20.0 to 170.0 degrees for values.bottomAngle"),
    ("  usesDepth: on", "  usesDepth: 2", 4, "on or off for values.usesDepth"),
    ("  metric: count.mae\n", "", 6, "key tuned_on.metric"),
    ("content: sha256:", "content: md5:", 11, "sha256: and 64 hexadecimal digits"),
    ("[bert, anna]", "[]", 12, "at least one subject"),
    ("method: global", "method: best", 13, "coordinate or global or both for search.method"),
    ("seed: 7", "seed: -7", 13, "a whole number of 0 or more for search.seed"),
    ("value: 2.25", "value: good", 14, "a number for expected_on_new_people.value"),
    ("in_sample_optimistic", "in_sample", 15, "found \"in_sample\""),
  ])
  func aWrongFileIsToldWithLineAndKey(old: String, new: String, line: Int, words: String) throws {
    let error = try #require(throws: DataError.self) { try read(Self.yaml.replacing(old, with: new)) }
    #expect(error.line == line)
    #expect("\(error)".contains("tuned.yaml"))
    #expect("\(error)".contains(words), "\(error)")
  }

  @Test func ofWhomWasTunedOn() {
    let tuning = Tuning(
      detector: "d", suite: "s", suiteVersion: 1, metric: "m",
      datasets: [Tuning.Dataset(name: "mine", content: "h1", subjects: ["anna", "bert"])])
    func seen(_ judged: [String], _ contents: [String: String]) -> [String] {
      tuning.subjects(among: judged, contents: contents)
    }
    // A new version of the dataset is of the same people; a copy under another name too.
    #expect(seen(["mine/cleo", "mine/bert", "mine/anna"], ["mine": "h2"]) == ["mine/anna", "mine/bert"])
    #expect(seen(["copy/anna", "copy/cleo"], ["copy": "h1"]) == ["copy/anna"])
    // Another dataset's anna is another person.
    #expect(seen(["others/anna"], ["others": "h3"]) == [])
  }
}
