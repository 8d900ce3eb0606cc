import Datasets
import Foundation
import Testing

/// Datasets of the same people: one person is one subject.
@Suite struct SharedPeopleTests {
  /// Two datasets in which anna, bert and cleo do the same again, in one suite.
  private func workspace(people: String? = nil, suite line: String? = nil) throws -> Workspace {
    let workspace = try Workspace()
    func add(_ name: String) throws -> String {
      let clips = SquatClip.three.map { clip in
        var clip = clip
        clip.shift = name == "again" ? 100 : 0
        return clip
      }
      var dataset = SquatClip.dataset(name, clips)
      dataset.manifest.people = people
      return try workspace.add(dataset)
    }
    var suite = SquatSuite(content: try add("squats"))
    suite.metrics = [("squat-states", "count.mae", 0.2)]
    let others = "- name: again\n  content: \(try add("again"))\n" + (line.map { "\($0)\n" } ?? "")
    try workspace.write(
      suite.yaml.replacing("detectors:\n", with: others + "detectors:\n"), to: "datasets/suites/squat.yaml")
    return workspace
  }

  private static let note = "3 names of people recur in again and squats (anna, bert, cleo)."

  @Test func withoutAWordEachDatasetHasItsOwnAndItIsSaid() throws {
    let workspace = try workspace()
    let outcome = try workspace.run("run", "--suite", "squat")
    outcome.expectSuccess()
    try expectOneName("squats", each: 6, in: workspace)
    let results = try workspace.results()
    #expect(results.metric("squat-states", "count.mae")?.bySubject.count == 6)
    #expect(results.peopleNote?.hasPrefix(Self.note) == true)
    let words = outcome.output.replacing(/\s+/, with: " ")
    #expect(words.contains("over 6 people, 6 clips;") && words.contains("people \(Self.note)"))
    try workspace.run("baseline", "accept", "--suite", "squat").expectSuccess()
    let gate = try workspace.run("gate", "--suite", "squat")
    #expect(gate.text.contains("finding \(Self.note)"))
    let check = try workspace.run("dataset", "check", "squats", "--only", "subjects-across-datasets")
    let found = check.output.replacing(/\s+/, with: " ")
    #expect(found.contains("warning subjects-across-datasets"))
    #expect(found.contains("suite squat: 3 names of people recur in again and squats (anna, bert, cleo)"))
  }

  @Test(
    arguments: [("team", nil, "team/anna"), (nil, "people: shared", "shared/anna"), ("squats", nil, "squats/anna")]
      as [(String?, String?, String)])
  func theSamePeopleCountOnce(people: String?, line: String?, anna: String) throws {
    let workspace = try workspace(people: people, suite: line)
    let outcome = try workspace.run("run", "--suite", "squat")
    outcome.expectSuccess()
    let results = try workspace.results()
    let metric = try #require(results.metric("squat-states", "count.mae"))
    #expect(metric.bySubject.count == 3 && metric.bySubject.keys.contains(anna))
    #expect(metric.clips == 6 && results.peopleNote == nil)
    #expect(outcome.output.contains("over     3 people, 6 clips;"))
    try expectOneName(String(anna.prefix { $0 != "/" }), each: 3, in: workspace)
    let check = try workspace.run("dataset", "check", "squats", "--only", "subjects-across-datasets")
    #expect(check.output.contains("nothing wrong"))
    // A baseline of it gates: the same subjects on both sides.
    try workspace.run("baseline", "accept", "--suite", "squat").expectSuccess()
    #expect(try workspace.run("gate", "--suite", "squat").code == 0)
  }

  /// A person's values and counts in the history can be joined.
  private func expectOneName(_ prefix: String, each count: Int, in workspace: Workspace) throws {
    func subjects(_ grain: String) throws -> Set<String> {
      let outcome = try workspace.run(
        "history", "export", "--json", "--by", grain, "--detector", "squat-states")
      let rows = try #require(try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [[String: Any]])
      return Set(rows.compactMap { $0["subject"] as? String })
    }
    let all = ["anna", "bert", "cleo"].map { "\(prefix)/\($0)" }
    let (clips, values) = (try subjects("clip"), try subjects("subject"))
    #expect(clips == values && clips.isSuperset(of: all) && clips.count == count)
  }

  /// Two datasets' people who are one now have no value of before: nobody can be compared.
  @Test(.enabled(if: GitProject.isThere, "no git on the PATH")) func peopleThatAreJoinedAreOthers() throws {
    let workspace = try workspace()
    try workspace.run("baseline", "accept", "--suite", "squat").expectSuccess()
    let project = try GitProject(in: workspace)
    try workspace.replace("detectors:\n", with: "people: shared\ndetectors:\n", in: GitProject.suite)
    try project.accept()
    let outcome = try project.gate("--against", "main", "--json")
    #expect(outcome.code == 5)
    let json = try JSONText(outcome.output)
    let missing = try #require(json["missing"] as? [String])
    for dataset in ["again", "squats"] {
      #expect(
        missing.contains {
          $0.hasPrefix("the people of dataset \(dataset) have another name: shared, \(dataset) at main (")
        }, "\(missing)")
    }
    #expect(missing.contains { $0.hasPrefix("no person has the same clips in this run and at main (") })
    #expect((json["metrics"] as? [[String: Any]])?.isEmpty == true)
  }

  @Test func otherPeopleOfTheSameNamesAreSaidToBe() throws {
    let workspace = try workspace(suite: "people: separate")
    try workspace.run("run", "--suite", "squat").expectSuccess()
    let results = try workspace.results()
    #expect(results.metric("squat-states", "count.mae")?.bySubject.count == 6 && results.peopleNote == nil)
  }
}
