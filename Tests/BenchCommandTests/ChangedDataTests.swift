import Foundation
import Testing

/// What a change did to its clips and people, beside the branch that it began at.
@Suite(.enabled(if: GitProject.isThere, "no git on the PATH")) struct ChangedDataTests {
  /// A person who is recorded and labelled in a pull request changes nothing that was compared.
  @Test func dataThatOnlyGrows() throws {
    let project = try GitProject()
    let new = SquatClip(name: "clip_new", subject: "newcomer", squats: [SquatClip.deep])
    let more = SquatClip(name: "clip_1b", subject: "subject_1", squats: [SquatClip.deep])
    try project.replaceDataset(GitProject.clips + [new, more])
    let unaccepted = try project.gate("--against", "main")
    #expect(unaccepted.code == 5)
    #expect(unaccepted.output.contains("bench baseline accept --suite squat --against main"))
    try project.accept()
    let outcome = try project.gate("--against", "main", "--json")
    #expect(outcome.code == 0, "\(outcome.output)\(outcome.error)")
    let json = try JSONText(outcome.output)
    #expect(
      json["growth"] as? [String] == [
        "dataset squats has 2 clips more, of newcomer, subject_1: compared on the clips that were there"
      ])
    #expect(json["missing"] as? [String] == [])
    #expect(json["subjectsLeftOut"] as? [String] == [])
    // All of them do the same squat, which no two people do.
    let findings = try #require(json["findings"] as? [String])
    #expect(
      findings.contains {
        $0.hasPrefix("New clips of newcomer, subject_1 are nearly copies of another person's, such as squats/clip_")
          && $0.contains("one person under two names counts as two")
      }, "\(findings)")
    let comment = try project.workspace.run("report", "--suite", "squat", "--pr").output
    #expect(comment.hasPrefix("### squat: PASS: ") && !comment.contains("Not compared"), "\(comment)")
    // Nor does it where the clips are tallied before.
    try project.workspace.run("tally", "--suite", "squat", "--shard", "1/1", "--to", "all.jsonl").expectSuccess()
    let tallied = try project.gate("--against", "main", "--tallies", "all.jsonl", "--json")
    #expect(tallied.code == 0, "\(tallied.output)\(tallied.error)")
    #expect(try JSONText(tallied.output)["growth"] as? [String] == json["growth"] as? [String])
  }

  /// The suite's pin follows data that only grow, and no other change.
  @Test func acceptingGrowthRenewsThePin() throws {
    let project = try GitProject()
    func replace(_ clips: [SquatClip]) throws {
      try project.workspace.remove("datasets/squats")
      _ = try project.workspace.add(SquatClip.dataset("squats", clips))
    }
    let new = SquatClip(name: "clip_new", subject: "newcomer", squats: [SquatClip.deep])
    let suite = try project.workspace.text(GitProject.suite)
    var changed = GitProject.clips
    changed[0].squats.append(SquatClip.deep)
    try replace(changed + [new])
    let refused = try project.workspace.run("baseline", "accept", "--suite", "squat", "--against", "main")
    #expect(refused.code == 5)
    #expect(try project.workspace.text(GitProject.suite) == suite)
    try replace(GitProject.clips + [new])
    let gate = try project.gate("--against", "main")
    #expect(gate.code == 5)
    let refusal = gate.error.replacing(#/\s+/#, with: " ")
    #expect(refusal.contains("bench baseline accept --suite squat --against origin/main"), "\(refusal)")
    let unknown = try project.workspace.run(
      "baseline", "accept", "--suite", "squat", "--against", "main", "--set", "reps.squat-states.bottomAngle=-5")
    #expect(unknown.code != 0)
    #expect(try project.workspace.text(GitProject.suite) == suite)
    let accepted = try project.accept("--against", "main").text
    #expect(accepted.contains("dataset squats has 1 clip more than main ("), "\(accepted)")
    #expect(accepted.contains("pinned its new content in datasets/suites/squat.yaml"), "\(accepted)")
    try project.gate("--against", "main").expectSuccess()
  }

  /// A loss on the old clips is one, whatever is new.
  @Test func growthHidesNoLoss() throws {
    let project = try GitProject()
    let new = SquatClip(name: "clip_new", subject: "newcomer", squats: [SquatClip.deep])
    try project.replaceDataset(GitProject.clips + [new])
    try project.set(bottomAngle: 75)
    try project.accept()
    let outcome = try project.gate("--against", "main")
    #expect(outcome.code == 2, "\(outcome.output)")
  }

  /// More clips of the same people from another dataset leave nobody out: the clips that were there are compared.
  @Test func peopleWithClipsInAnotherDataset() throws {
    let project = try GitProject()
    var more = SquatClip.dataset(
      "more",
      (1...11).map { SquatClip(name: "more_\($0)", subject: "subject_\($0)", squats: [SquatClip.deep]) })
    more.manifest.people = "squats"
    let content = try project.workspace.add(more)
    try project.workspace.replace(
      "detectors:\n", with: "- name: more\n  content: \(content)\ndetectors:\n", in: GitProject.suite)
    try project.accept()
    try project.gate("--against", "main").expectSuccess()
    try project.set(bottomAngle: 75)
    try project.accept()
    let outcome = try project.gate("--against", "main", "--json")
    #expect(outcome.code == 2)
    let json = try JSONText(outcome.output)
    #expect(json["subjectsLeftOut"] as? [String] == [])
    #expect((json["metrics"] as? [[String: Any]])?.first?["worse"] as? Int == 12)
    let growth = try #require(json["growth"] as? [String])
    #expect(growth.count == 1 && growth[0].hasPrefix("dataset more has 11 clips more, of subject_1, "), "\(growth)")
  }

  /// A label that changed is no growth.
  @Test func growthWithAChangedLabelIsAnotherDataset() throws {
    let project = try GitProject()
    let new = SquatClip(name: "clip_new", subject: "newcomer", squats: [SquatClip.deep])
    var clips = GitProject.clips
    clips[0] = SquatClip(name: clips[0].name, subject: clips[0].subject, squats: clips[0].squats + [SquatClip.deep])
    try project.replaceDataset(clips + [new])
    try project.accept()
    let outcome = try project.gate("--against", "main")
    #expect(outcome.code == 5)
    #expect(outcome.output.contains("missing  dataset squats has different content: "))
  }

  /// Tables with as many rows as before are no growth if a label, a person or a pose in them is another.
  @Test(arguments: ["a time", "a person", "a pose"])
  func growthWithAChangedFieldIsAnotherDataset(change: String) throws {
    let project = try GitProject()
    var clips = GitProject.clips
    switch change {
    // Both squats still count; they end sooner.
    case "a time": clips[0].squats = [SquatClip.justDeepEnough, SquatClip.justDeepEnough]
    case "a person": clips[0].subject = "subject_20"
    default: clips[0].shift = 300
    }
    try project.replaceDataset(clips)
    try project.accept()
    let outcome = try project.gate("--against", "main", "--accept-suite-change", "--json")
    let json = try JSONText(outcome.output)
    #expect(json["growth"] as? [String] == [], "\(outcome.output)")
    let changes = try #require(json["acceptedSuiteChanges"] as? [String])
    #expect(changes.contains { $0.hasPrefix("dataset squats has different content: ") }, "\(changes)")
  }

  /// A pose file that was a link stays the same link, whatever it leads to.
  @Test func growthWithAnExchangedLinkIsAnotherDataset() throws {
    let project = try GitProject()
    let folder = project.workspace.path("datasets/squats")
    let clips = try project.workspace.text("datasets/squats/clips.csv")
    let file = try #require(clips.firstMatch(of: #/clip_1\.\w+/#)).output
    func link() throws {
      try FileManager.default.createDirectory(atPath: "\(folder)/raw", withIntermediateDirectories: true)
      try FileManager.default.moveItem(atPath: "\(folder)/poses/\(file)", toPath: "\(folder)/raw/\(file)")
      try FileManager.default.createSymbolicLink(
        atPath: "\(folder)/poses/\(file)", withDestinationPath: "../raw/\(file)")
    }
    try link()
    try project.commit()
    try project.git("branch", "-f", "main")
    try project.gate("--against", "main").expectSuccess()
    var clipsNow = GitProject.clips
    clipsNow[0].shift = 300
    let new = SquatClip(name: "clip_new", subject: "newcomer", squats: [SquatClip.deep])
    try project.replaceDataset(clipsNow + [new])
    try link()
    try project.accept()
    let outcome = try project.gate("--against", "main")
    #expect(outcome.code == 5)
    #expect(outcome.text.contains("MISSING: dataset squats has different content: "), "\(outcome.text)")
  }

  /// The subject of the deleted clip is left out, the others are compared.
  @Test func aClipThatIsDeleted() throws {
    let extra = SquatClip(name: "clip_1b", subject: "subject_1", squats: [SquatClip.deep])
    let project = try GitProject(GitProject.clips + [extra])
    try project.replaceDataset(GitProject.clips)
    try project.accept()
    let outcome = try project.gate("--against", "main", "--json")
    #expect(outcome.code == 5)
    let json = try JSONText(outcome.output)
    let missing = try #require(json["missing"] as? [String])
    #expect(missing.contains("clip squats/clip_1b is gone"))
    #expect(missing.contains { $0.hasPrefix("dataset squats has different content: ") })
    #expect((json["metrics"] as? [[String: Any]])?.first?["subjects"] as? Int == 11)
    #expect(json["subjectsLeftOut"] as? [String] == ["squats/subject_1"])
    let text = try project.gate("--against", "main").output
    #expect(text.contains("left out squats/subject_1: other clips than the baseline's\n"))
    try project.gate("--against", "main", "--accept-suite-change").expectSuccess()
    try project.set(bottomAngle: 75)
    try project.accept()
    #expect(try project.gate("--against", "main").code == 2)
    #expect(try project.gate("--against", "main", "--accept-suite-change").code == 2)
  }

  @Test func aDatasetThatIsRenamed() throws {
    let project = try GitProject()
    try project.replaceDataset(GitProject.clips, called: "others")
    try project.accept()
    let outcome = try project.gate("--against", "main")
    #expect(outcome.code == 5)
    #expect(outcome.output.contains("missing  dataset squats is now called others\n"))
    try project.gate("--against", "main", "--accept-suite-change").expectSuccess()
    try project.set(bottomAngle: 75)
    try project.accept()
    #expect(try project.gate("--against", "main").code == 2)
  }

  /// With other people there is nobody to compare: the change is named, and its own baseline is all there is.
  @Test func otherPeople() throws {
    let project = try GitProject()
    try project.replaceDataset(SquatClip.three, called: "others")
    try project.accept()
    let outcome = try project.gate("--against", "main")
    #expect(outcome.code == 5)
    #expect(outcome.output.contains("missing  dataset squats is no longer in the suite\n"))
    try project.gate("--against", "main", "--accept-suite-change").expectSuccess()
  }

  /// A loss of people who have another name than their dataset is a loss all the same.
  @Test(arguments: [("people: shared\n", nil), ("people: separate\n", nil), ("", "team")] as [(String, String?)])
  func peopleWithANameOfTheirOwn(line: String, team: String?) throws {
    let project = try GitProject(people: line, named: team)
    try project.set(bottomAngle: 75)
    try project.accept()
    try project.gate().expectSuccess()
    let outcome = try project.gate("--against", "main")
    #expect(outcome.code == 2)
    #expect(outcome.output.contains("verdict  REGRESSION: exact counts of squat-states are worse by 1.000"))
    #expect(!outcome.output.contains("missing"))
  }

  /// Who counts as one person is the suite's to say: another word is named, and hides no loss.
  @Test func peopleWithAnotherName() throws {
    let project = try GitProject()
    try project.workspace.replace("detectors:\n", with: "people: shared\ndetectors:\n", in: GitProject.suite)
    try project.accept()
    let named = try project.gate("--against", "main")
    #expect(named.code == 5)
    #expect(
      named.output.replacing(#/\n +/#, with: " ").contains(
        "missing  the people of dataset squats have another name: shared, squats at main ("))
    try project.gate("--against", "main", "--accept-suite-change").expectSuccess()
    try project.set(bottomAngle: 75)
    try project.accept()
    #expect(try project.gate("--against", "main").code == 2)
    #expect(try project.gate("--against", "main", "--accept-suite-change").code == 2)
  }

  /// Where nobody is on both sides, the change's own baseline is no reference: it is of the change.
  @Test func nobodyInCommonIsMissing() throws {
    let project = try GitProject()
    try project.replaceDataset(
      GitProject.clips.map { SquatClip(name: "new_\($0.name)", subject: $0.subject, squats: $0.squats) })
    try project.set(bottomAngle: 75)
    try project.accept()
    let outcome = try project.gate("--against", "main", "--json")
    #expect(outcome.code == 5)
    let json = try JSONText(outcome.output)
    #expect(json["verdict"] as? String == "missing" && (json["metrics"] as? [[String: Any]])?.isEmpty == true)
    let missing = try #require(json["missing"] as? [String])
    #expect(missing.contains { $0.hasPrefix("no person has the same clips in this run and at main (") }, "\(missing)")
    // Only a person who accepts the other clips accepts their baseline.
    let accepted = try project.gate("--against", "main", "--accept-suite-change")
    accepted.expectSuccess()
    #expect(
      accepted.output.replacing(#/\n +/#, with: " ").contains(
        "accepted no person has the same clips in this run and at main ("))
  }

  /// A correlation over all clips is another one on other clips.
  @Test func aMetricOverOtherClipsIsNotCompared() throws {
    let extra = SquatClip(name: "clip_1b", subject: "subject_1", squats: [SquatClip.deep])
    let project = try GitProject(GitProject.clips + [extra])
    try project.gateFoundReps()
    try project.gate("--against", "main").expectSuccess()
    try project.replaceDataset(GitProject.clips)
    try project.accept()
    let outcome = try project.gate("--against", "main", "--json")
    #expect(outcome.code == 5)
    let missing = try #require(try JSONText(outcome.output)["missing"] as? [String])
    #expect(
      missing.contains {
        $0.hasPrefix("reps.f1 of squat-states covers all clips together, and they are others at main (")
      }, "\(missing)")
    try project.gate("--against", "main", "--accept-suite-change").expectSuccess()
  }
}
