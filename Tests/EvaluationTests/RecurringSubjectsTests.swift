import Datasets
import Files
import Foundation
import PoseModel
import Testing

@testable import Evaluation

/// Names of subjects in several datasets, and whose they are.
@Suite struct RecurringSubjectsTests {
  private func dataset(_ name: String, people: String? = nil, _ subjects: Set<String>) -> RecurringSubjects.Dataset {
    RecurringSubjects.Dataset(manifest(name, people: people), subjects: subjects)
  }

  private func manifest(_ name: String, people: String? = nil) -> Manifest {
    Manifest(
      name: name, version: "1", licence: "CC0-1.0", source: "none", origin: .synthetic, skeleton: "coco-17",
      coordinates: CoordinateSystem(unit: .pixel(height: 1000), yAxis: .down), channels: [.x, .y], people: people)
  }

  @Test func namesThatRecurAreTold() throws {
    let found = try #require(
      RecurringSubjects([
        dataset("b", ["s1", "s2", "s3", "s4", "s9"]), dataset("a", ["s1", "s2", "s3", "s4"]), dataset("c", ["s7"]),
      ]))
    #expect(found.words == "4 names of people recur in a and b (s1, s2, s3 and 1 more)")
    #expect(found.note.contains("people: shared") && found.note.contains("people: separate"))
  }

  /// The full-width A of some keyboards is an A.
  @Test func namesThatDifferByNextToNothingAreTold() throws {
    let found = try #require(SimilarSubjects(["Anna", "anna", "Bert", "s 1", "s1", "\u{FF21}nna"]))
    #expect(found.groups == [["Anna", "anna", "\u{FF21}nna"], ["s 1", "s1"]])
    #expect(found.note.hasPrefix("Anna and anna and \u{FF21}nna, s 1 and s1 may be one person under several names"))
    #expect(SimilarSubjects(["Anna", "Anna B", "s1", "s2", ""]) == nil)
  }

  @Test func theSamePeopleAndOtherNamesAreNot() {
    #expect(RecurringSubjects([dataset("a", people: "team", ["s1"]), dataset("b", people: "team", ["s1"])]) == nil)
    // The people of b are those of a.
    #expect(RecurringSubjects([dataset("a", ["s1"]), dataset("b", people: "a", ["s1"])]) == nil)
    #expect(RecurringSubjects([dataset("a", ["s1"]), dataset("b", ["s2"])]) == nil)
    // Nobody knows who they are.
    #expect(RecurringSubjects([dataset("a", [""]), dataset("b", [""])]) == nil)
    #expect(RecurringSubjects([dataset("a", people: "one", ["s1"]), dataset("b", people: "two", ["s1"])]) != nil)
  }

  @Test func theManifestIsReadAndWrittenWithItsPeople() throws {
    let own = manifest("a", people: "team")
    let text = try own.yamlText()
    #expect(text.contains("\npeople: team\n"))
    #expect(try Manifest(yaml: InputFile(name: "dataset.yaml", bytes: Data(text.utf8))) == own)
    #expect(try !manifest("a").yamlText().contains("people"))
    #expect(throws: DataError.self) {
      try Manifest(
        yaml: InputFile(name: "dataset.yaml", bytes: Data(text.replacing("people: team", with: "people: a/b").utf8)))
    }
  }

  /// Tuned on anna of `mine`: anna of a dataset of the same people was seen, whatever both are called.
  @Test func whoWasTunedOnIsKnownAcrossDatasets() {
    func seen(_ judged: String, _ contents: [String: String], people: String? = nil) -> Bool {
      let tuning = Tuning(
        detector: "d", suite: "s", suiteVersion: 1, metric: "m",
        datasets: [Tuning.Dataset(name: "mine", content: "h1", subjects: ["anna"], people: people)])
      return !tuning.subjects(among: [judged], contents: contents).isEmpty
    }
    #expect(seen("team/anna", ["other": "h2"], people: "team"))
    #expect(seen("team/anna", ["mine": "h3"]))
    #expect(seen("shared/anna", ["copy": "h1", "other": "h2"]))
    #expect(seen("mine/anna", ["other": "h2"]))
    #expect(!seen("team/anna", ["other": "h2"]))
    #expect(!seen("other/anna", ["other": "h2", "mine": "h1"]))
    #expect(!seen("team/bert", ["mine": "h1"], people: "team"))
  }
}
