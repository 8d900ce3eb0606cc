import Foundation
import Testing

/// What `bench dataset check` says, and with which exit code.
@Suite struct DatasetCheckTests {
  @Test func clipsThatAreHardToCoachOnAreNoted() throws {
    let workspace = try Workspace()
    // 30 frames at 30 a second: one second in which nobody squats.
    let short = SquatClip(name: "dora_1", subject: "dora", squats: [])
    try workspace.add(SquatClip.dataset("mine", SquatClip.three + [short]))
    let outcome = try workspace.run("dataset", "check", "mine", "--only", "fitness", "--strict")
    outcome.expectSuccess()
    #expect(outcome.output.contains("datasets/mine: 4 clips of 4 people, nothing wrong, 1 note\n"))
    #expect(outcome.output.contains("note  fitness  recording quality too low for coaching: 1 of 4 clips\n"))
    #expect(outcome.output.contains("  dora_1: duration 1 s, at least 2\n"))
  }

  @Test func whatAllClipsLackIsSaidOnce() throws {
    let workspace = try Workspace()
    let short = (0..<12).map { SquatClip(name: "dora_\($0)", subject: "dora", squats: []) }
    try workspace.add(SquatClip.dataset("mine", short))
    let outcome = try workspace.run("dataset", "check", "mine", "--only", "fitness", "--json")
    outcome.expectSuccess()
    let findings = try JSONText(outcome.output).object["findings"] as? [[String: Any]] ?? []
    #expect(
      findings.compactMap { $0["found"] as? String } == ["12 of 12 clips, such as dora_0: duration 1 s, at least 2"])
  }

  /// The three are the same skeleton that moves by the same rule, so that two with a squat in common are one recording.
  @Test func theSameMovementUnderTwoNamesIsFound() throws {
    let workspace = try Workspace()
    try workspace.add(SquatClip.dataset("mine", SquatClip.three))
    let outcome = try workspace.run("dataset", "check", "datasets/mine", "--strict")
    #expect(outcome.code == 5)
    let first = try #require(outcome.output.components(separatedBy: "\n").first)
    #expect(first.hasPrefix("datasets/mine: 3 clips of 3 people, ") && first.contains("; first: "), "\(first)")
    #expect(outcome.output.contains("warning  near-duplicates  the same recording under two people or in two splits"))
    #expect(
      outcome.output.contains("remedy: leave one of the two out, or give both the same subject and split in clips.csv"))
    #expect(!outcome.output.contains("threshold: "))
    try workspace.run("dataset", "check", "datasets/mine").expectSuccess()
    let explained = try workspace.run("dataset", "check", "datasets/mine", "--explain")
    #expect(explained.output.contains("threshold: over at least half of the shorter clip"))
  }

  @Test func anImportedDatasetIsCheckedToo() throws {
    let workspace = try ImportTests.imported()
    let outcome = try workspace.run("dataset", "check", "mine", "--only", "frame-rate", "--json")
    outcome.expectSuccess()
    let record = try JSONText(outcome.output).object
    #expect(record["dataset"] as? String == "mine")
    #expect(record["clips"] as? Int == 3)
    #expect((record["findings"] as? [Any])?.isEmpty == true)
  }

  @Test func tooFewSubjectsForASuiteAreAProblem() throws {
    let workspace = try Workspace.withSquats()
    let outcome = try workspace.run("dataset", "check", "squats", "--only", "subjects")
    outcome.expectSuccess()
    #expect(outcome.output.contains("suite squat: 3 people, and with fewer than 10 no change passes"))
  }

  /// In a run a line says so too: the person counts twice.
  @Test func aPersonUnderTwoNamesIsNoticed() throws {
    let again = SquatClip(name: "anna_2", subject: "Anna", squats: [SquatClip.deep])
    let workspace = try Workspace.withSquats(SquatClip.three + [again])
    let outcome = try workspace.run("dataset", "check", "squats", "--only", "similar-subjects")
    #expect(outcome.output.contains("Anna and anna may be one person, who then counts as 2"), "\(outcome.output)")
    let run = try workspace.run("run", "--suite", "squat")
    run.expectSuccess()
    #expect(run.output.contains("people   Anna and anna may be one person under several names"))
  }

  @Test func anUnknownCheckIsWrongUsage() throws {
    let workspace = try Workspace()
    try workspace.run("dataset", "check", "mine", "--only", "side-swap").expectFailure(
      64, saying: ["--only takes one of unreadable, ", "did you mean side-swaps?"])
  }

  /// Import and run stop at the first label that can't be; the check says all of them at once.
  @Test func allThatIsWrongWithLabelsIsSaidAtOnce() throws {
    let workspace = try Workspace()
    try workspace.add(SquatClip.dataset("mine", SquatClip.three))
    // anna's reps are 1 to 3 s and 6.33 s on; cleo's clip ends at 3.87 s.
    try workspace.replace("\nanna_1,2,6.333333,", with: "\nanna_1,2,2.5,", in: "datasets/mine/reps.csv")
    try workspace.replace("\ncleo_1,1,1,2.866667,", with: "\ncleo_1,1,1,60,", in: "datasets/mine/reps.csv")
    try workspace.replace("\nanna_1,1,dora,form,90", with: "\nanna_1,9,dora,form,90", in: "datasets/mine/grades.csv")
    try workspace.write("clip,time_s,label\nbert_1,80,stroke\nbert_1,x,stroke\n", to: "datasets/mine/events.csv")
    try workspace.write("clip,start_s,end_s,label\nbert_1,1,1,set\n", to: "datasets/mine/intervals.csv")

    let outcome = try workspace.run("dataset", "check", "mine", "--strict", "--json")
    #expect(outcome.code == 5)
    let findings = try JSONText(outcome.output).object["findings"] as? [[String: Any]] ?? []
    let told = findings.filter { $0["file"] != nil }.map { finding in
      "\(finding["check"] ?? "") \(finding["file"] ?? ""):\(finding["line"] ?? "") \(finding["clip"] ?? "-"): "
        + "\(finding["found"] ?? "")"
    }
    let expected = [
      "unreadable datasets/mine/events.csv:3 -: expected a time in seconds from 0 in column time_s, found \"x\"",
      "rep-times datasets/mine/reps.csv:3 anna_1: rep 2 starts before rep 1 ends, at 3.0 s",
      "label-bounds datasets/mine/reps.csv:7 cleo_1: rep 1 is 56.13 s outside 0.0…3.83 s",
      "label-bounds datasets/mine/grades.csv:2 anna_1: rep 9 is rated, but the clip has 2",
      "label-bounds datasets/mine/intervals.csv:2 bert_1: interval set is empty",
    ]
    for text in expected { #expect(told.contains(text), "\(text) of \(told)") }
    #expect(told.contains { $0.hasPrefix("label-bounds datasets/mine/events.csv:2 bert_1: event stroke is ") })
    #expect(findings.allSatisfy { !($0["remedy"] as? String ?? "").isEmpty })

    let text = try workspace.run("dataset", "check", "mine").output
    #expect(text.contains("\n  datasets/mine/reps.csv:3: anna_1 at 2.5 s to 8.333 s: rep 2 starts before"), "\(text)")
    try workspace.run("dataset", "import", "folder", "--from", "datasets/mine").expectFailure(
      1, saying: ["reps.csv:3: "])
  }

  @Test func everyThresholdIsExplained() throws {
    let workspace = try Workspace.withSquats()
    let outcome = try workspace.run("dataset", "check", "squats", "--only", "rep-times", "--explain")
    #expect(outcome.output.contains("nothing  rep-times  "))
    #expect(outcome.output.contains("threshold: any: a rep must end after it starts"))
  }
}
