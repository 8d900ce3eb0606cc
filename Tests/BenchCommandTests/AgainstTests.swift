import Foundation
import Testing

/// A change beside the branch that it began at: what it lost, what it did to its suite, and what it accepted on purpose.
@Suite(.enabled(if: GitProject.isThere, "no git on the PATH")) struct AgainstTests {
  private static let reason = "Half squats no longer count"

  @Test func aLossThatTheChangeAcceptsIsARegression() throws {
    let project = try GitProject.accepted(bottomAngle: 75)
    // Beside its own baseline nothing has changed.
    try project.gate().expectSuccess()
    let outcome = try project.gate("--against", "main")
    #expect(outcome.code == 2)
    #expect(outcome.output.contains(#/^against  the merge base with main \([0-9a-f]{7}\)\n/#))
    #expect(outcome.output.contains("verdict  REGRESSION: exact counts of squat-states are worse by 1.000"))
    #expect(outcome.output.contains("changed  squat-states.bottomAngle: 90.0 → 75.0\n"))
    #expect(
      outcome.output.contains("If the loss is intended: bench baseline accept --suite squat --against main --because …")
    )
    // The comment on a pull request gives the same advice.
    let comment = try project.workspace.run("report", "--suite", "squat", "--pr").output
    #expect(comment.contains("say why: bench baseline accept --suite squat --against main --because …"))
  }

  @Test func aLossWithAReasonIsAnAcceptedLoss() throws {
    let project = try GitProject()
    try project.set(bottomAngle: 75)
    let accepted = try project.accept("--because", Self.reason)
    #expect(
      accepted.output.contains(
        "accepted exact counts of squat-states 1.000 → 0.000, a loss of 1.000: \"\(Self.reason)\"\n"))
    let outcome = try project.gate("--against", "main", "--junit", "j.xml", "--json")
    outcome.expectSuccess()
    let json = try JSONText(outcome.output)
    #expect(json["verdict"] as? String == "accepted-loss" && json["exitCode"] as? Int == 0)
    let metrics = try #require(json["metrics"] as? [[String: Any]])
    #expect(metrics.compactMap { $0["outcome"] as? String } == ["accepted-loss", "accepted-loss", "pass"])
    let xml = try project.workspace.text("j.xml")
    #expect(xml.contains("failures=\"0\" errors=\"0\" skipped=\"0\"") && xml.contains(Self.reason))
    // The comment says what the gate decided, which the baseline alone does not tell.
    let comment = try project.workspace.run("report", "--suite", "squat", "--pr").output
    #expect(comment.hasPrefix("### squat: ACCEPTED LOSS: ") && !comment.contains("Hold the release"), "\(comment)")
    let text = try project.gate("--against", "main")
    #expect(
      text.output.replacing(#/\n +/#, with: " ").contains(
        "verdict  ACCEPTED LOSS: exact counts of squat-states are worse by 1.000, accepted because \"\(Self.reason)\"; and 1 more\n"
      ))
    let shown = try project.workspace.run("baseline", "show", "--suite", "squat").output
    #expect(shown.contains("accepted count error of squat-"))
  }

  /// What was accepted is a step from one value by so much.
  @Test func aLargerLossThanWasAcceptedIsARegression() throws {
    let project = try GitProject()
    // Of two squats the one that goes to 86.5° is lost: off by one.
    try project.set(bottomAngle: 84)
    try project.accept("--because", Self.reason)
    try project.gate("--against", "main").expectSuccess()
    try project.set(bottomAngle: 75)
    try project.accept()
    let outcome = try project.gate("--against", "main")
    #expect(outcome.code == 2)
    #expect(outcome.output.contains("REGRESSION: count error of squat-states is worse by 2.000 reps"))
    // The second step has a reason too, whether it is told from the first or from the base.
    try project.set(bottomAngle: 84)
    try project.accept("--because", Self.reason, "--against", "main")
    try project.set(bottomAngle: 75)
    try project.accept("--because", "And no deep ones")
    let both = try project.gate("--against", "main")
    both.expectSuccess()
    #expect(
      both.output.contains(
        "\naccepted loss  count error (count.mae of squat-states) 0.000 → 2.000 reps, margin 0.2\n"))
    let record = try JSONText(try project.gate("--against", "main", "--json").output)
    let reasons = (record["metrics"] as? [[String: Any]])?.compactMap { $0["reason"] as? String } ?? []
    #expect(reasons[1].hasSuffix("is worse by 2.000 reps, accepted because \"\(Self.reason); And no deep ones\""))
  }

  /// A value below its floor is no loss that a reason lets through: the floor is the suite's to set.
  @Test func aReasonIsNoWayBelowAFloor() throws {
    let project = try GitProject(floor: 0.5)
    try project.set(bottomAngle: 75)
    try project.accept("--because", Self.reason)
    let outcome = try project.gate("--against", "main")
    #expect(outcome.code == 2)
    #expect(
      outcome.output.contains("REGRESSION: exact counts of squat-states are 0.000, worse than its floor of 0.500"))
    try project.workspace.replace(", floor: 0.5", with: "", in: GitProject.suite)
    try project.accept("--because", Self.reason, "--against", "main")
    try project.gate("--against", "main", "--accept-suite-change").expectSuccess()
  }

  /// A baseline that was accepted without a reason, and is given one later.
  @Test func aReasonThatIsGivenLater() throws {
    let project = try GitProject.accepted(bottomAngle: 75)
    let nothing = try project.accept("--because", Self.reason)
    #expect(nothing.output.contains("no gating metric is worse: the reason was not recorded\n"))
    #expect(try project.gate("--against", "main").code == 2)
    try project.accept("--because", Self.reason, "--against", "main")
    try project.gate("--against", "main").expectSuccess()
  }

  /// A loss that is accepted in the baseline is that of its run: a larger one would let a later loss through.
  @Test func aLossThatWasAcceptedAndIsSmallerNow() throws {
    let project = try GitProject()
    func acceptedLosses() throws -> Bool { try project.workspace.text(BaselineTests.file).contains("acceptedLosses") }
    try project.set(bottomAngle: 75)
    try project.accept("--because", Self.reason)
    try project.set(bottomAngle: 84)
    try project.accept("--against", "main")
    let larger = try project.gate("--against", "main")
    #expect(larger.code == 5)
    #expect(
      larger.text.contains(
        "MISSING: the baseline accepts a loss of 2.000 for count.mae of squat-states, this run shows 1.000. Accept the "
          + "baseline again with: bench baseline accept --suite squat --against main --because …"), "\(larger.text)")
    try project.accept("--because", Self.reason, "--against", "main")
    try project.gate("--against", "main").expectSuccess()
    #expect(try acceptedLosses())
    // Without a loss nothing is accepted any more.
    try project.set(bottomAngle: 90)
    try project.accept("--because", Self.reason, "--against", "main")
    #expect(try !acceptedLosses())
    try project.gate("--against", "main").expectSuccess()
  }

  /// What is accepted without a reason is listed, and is no way past the gate.
  @Test func aLossThatIsAcceptedWithoutAReasonIsSaid() throws {
    let project = try GitProject()
    try project.set(bottomAngle: 75)
    for (options, ref) in [([], "origin/main"), (["--against", "main"], "main")] as [([String], String)] {
      try project.git("checkout", "-q", "main", "--", "baselines")
      let outcome = try project.workspace.run(["baseline", "accept", "--suite", "squat"] + options)
      outcome.expectSuccess()
      let text = outcome.text
      #expect(text.contains("worse exact counts of squat-states are worse by 1.000: "), "\(text)")
      #expect(text.contains("worse for 12 of 12 people"), "\(text)")
      #expect(
        text.contains(" bench gate --suite squat --against \(ref) stops this. If the loss is intended: "), "\(text)")
    }
    // What was not lost is not listed.
    try project.set(bottomAngle: 90)
    let back = try project.accept("--against", "main")
    #expect(!back.output.contains("worse"), "\(back.output)")
  }

  /// On the branch that it was merged into, an accepted loss is the past: it lets no other one through.
  @Test func anOldReasonHoldsForNothingNew() throws {
    let project = try GitProject()
    try project.set(bottomAngle: 84)
    try project.accept("--because", Self.reason)
    try project.commit()
    try project.git("branch", "-f", "main")
    try project.gate("--against", "main").expectSuccess()
    try project.set(bottomAngle: 75)
    try project.accept()
    let outcome = try project.gate("--against", "main")
    #expect(outcome.code == 2)
    #expect(outcome.output.contains("REGRESSION: count error of squat-states is worse by 1.000 reps"))
  }

  @Test func aReasonIsOneShortLine() throws {
    let project = try GitProject()
    for reason in ["", "two\nlines", String(repeating: "a", count: 301)] {
      try project.workspace.run("baseline", "accept", "--suite", "squat", "--because", reason).expectFailure(
        64, saying: ["--because: expected one line of 1 to 300 characters"])
    }
  }

  /// What a suite says less is named, does not hide a loss, and is let through only on purpose.
  @Test(
    arguments: [
      [
        (
          "- { detector: squat-states, metric: count.exact, margin: 0.05, floor: 0.5 }\n", "",
          "count.exact of squat-states no longer gates; at main"
        )
      ],
      [
        (
          "count.exact, margin: 0.05", "count.exact, margin: 5",
          "the margin of count.exact of squat-states is wider: 5 now, 0.05"
        ),
        ("floor: 0.5", "floor: 0.4", "the floor of count.exact of squat-states is looser: 0.4 now, 0.5 at main"),
        ("tolerance_s: 0.5", "tolerance_s: 2", "other matching: end within 2.0 s, end within 0.5 s at main"),
      ],
      [
        (", floor: 0.5", "", "the floor of count.exact of squat-states is looser: none now, 0.5 at main"),
        ("stop_at: 0.2", "stop_at: 1", "stop_at is higher: 1 now, 0.2 at main"),
        ("camera: ", "smoothing: median:5\ncamera: ", "other smoothing: median:5, none at main"),
      ],
    ] as [[(String, String, String)]])
  func aSuiteThatGatesLess(changes: [(String, String, String)]) throws {
    let project = try GitProject(floor: 0.5)
    for (before, after, _) in changes { try project.workspace.replace(before, with: after, in: GitProject.suite) }
    try project.accept()
    try project.gate().expectSuccess()
    let missing = try project.gate("--against", "main")
    #expect(missing.code == 5)
    #expect(missing.output.contains("Accept a change of the suite on purpose with --accept-suite-change."))
    let accepted = try project.gate("--against", "main", "--accept-suite-change")
    accepted.expectSuccess()
    // Together with a loss the loss comes first.
    try project.set(bottomAngle: 75)
    try project.accept()
    let worse = try project.gate("--against", "main")
    #expect(worse.code == 2)
    #expect(worse.output.contains("verdict  REGRESSION: exact counts of squat-states are "))
    for (_, _, line) in changes {
      let found = [missing, accepted, worse].map { $0.output.replacing(#/\n +/#, with: " ") }
      #expect(found[0].contains("missing  \(line)"), "\(found[0])")
      #expect(found[1].contains("accepted \(line)"), "\(found[1])")
      #expect(found[2].contains("missing  \(line)"), "\(found[2])")
    }
  }

  @Test func aDetectorThatIsGone() throws {
    let project = try GitProject()
    try project.workspace.replace("- name: squat-posture\n", with: "", in: GitProject.suite)
    try project.workspace.replace(
      "- { detector: squat-posture, metric: grades.mae, margin: 3.0 }\n", with: "", in: GitProject.suite)
    try project.workspace.replace(
      "- { detector: squat-posture, metric: grades.human-mae }\n", with: "", in: GitProject.suite)
    try project.accept()
    let outcome = try project.gate("--against", "main")
    #expect(outcome.code == 5)
    #expect(outcome.output.contains("missing  detector squat-posture is no longer in the suite; at main ("))
    let accepted = try project.gate("--against", "main", "--accept-suite-change")
    accepted.expectSuccess()
    #expect(
      accepted.text.contains(
        #/ finding Nothing stops a loss of squat-posture any more in grade error \([0-9.]+\), which gated at main \(/#),
      "\(accepted.text)")
  }

  /// Grades on another criterion are others, also under the detector's old name.
  @Test func aDetectorThatGradesOnAnotherCriterion() throws {
    let workspace = try Workspace.withSquats(SquatClip.twelve) {
      $0.detectors = ["- name: our-app"]
      $0.metrics = [("our-app", "count.exact", 0.05)]
    }
    let rows = SquatClip.twelve.map { "\($0.name),\($0.squats.count)\n" }
    try workspace.write("clip,count\n" + rows.joined(), to: "p.csv")
    func declare(_ criterion: String) throws {
      let text = "detector: our-app\npredictions: file\nkind: form\ncounts: on\ncriterion: \(criterion)\n"
      try workspace.write(text, to: "detectors/our-app.yaml")
    }
    try declare("form")
    try workspace.run("baseline", "accept", "--suite", "squat", "--predictions", "p.csv").expectSuccess()
    let project = try GitProject(in: workspace)
    try project.git("add", "detectors")
    try project.git("commit", "-q", "-m", "detectors")
    try project.git("branch", "-f", "main")
    try declare("depth")
    let outcome = try project.gate("--predictions", "p.csv", "--against", "main")
    #expect(outcome.code == 5)
    #expect(
      outcome.text.contains("MISSING: our-app grades on another criterion: depth, form at main ("), "\(outcome.text)")
  }

  /// A counter that was in the suite takes another one's place: its own values do not say what that was.
  @Test func aDetectorWhoseMetricOnlyAnotherOneHas() throws {
    let workspace = try Workspace.withSquats(SquatClip.twelve) {
      $0.detectors = ["- name: squat-states", "- name: reps-any", "- name: squat-posture"]
      $0.metrics = [("squat-states", "count.exact", 0.05), ("reps-any", "count.exact", 0.05)]
    }
    try workspace.run("baseline", "accept", "--suite", "squat").expectSuccess()
    let project = try GitProject(in: workspace)
    for line in ["squat-states", "squat-posture"] {
      try workspace.replace("- name: \(line)\n", with: "", in: GitProject.suite)
    }
    try workspace.replace(
      "- { detector: squat-states, metric: count.exact, margin: 0.05 }\n", with: "", in: GitProject.suite)
    try project.accept()
    let accepted = try project.gate("--against", "main", "--accept-suite-change")
    accepted.expectSuccess()
    #expect(
      accepted.text.contains(
        #/ finding Nothing stops a loss of squat-states any more in exact counts \(1\.000; [01]\.[0-9]{3} now of reps-any\), /#
      ), "\(accepted.text)")
    #expect(
      accepted.text.contains(
        "finding squat-posture is no longer in the suite: nothing shows whether it collapses"), "\(accepted.text)")
  }

  /// Main's suite has a fault: the change's own baseline is all there is, and says nothing of a loss.
  @Test func aSuiteThatNobodyCanReadIsAFinding() throws {
    let project = try GitProject()
    let suite = try project.workspace.text(GitProject.suite)
    try project.workspace.write(suite.replacing("matching: ", with: "matchin: "), to: GitProject.suite)
    try project.commit()
    try project.git("branch", "-f", "main")
    try project.workspace.write(suite, to: GitProject.suite)
    try project.set(bottomAngle: 75)
    try project.accept()
    #expect(try project.gate("--against", "main").code == 5)
    let accepted = try project.gate("--against", "main", "--accept-suite-change")
    accepted.expectSuccess()
    #expect(accepted.text.contains(#/ finding Nothing is compared with main \([0-9a-f]{7}\): /#), "\(accepted.text)")
    #expect(accepted.text.contains("The change's own baseline hides every loss since then"), "\(accepted.text)")
  }

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
    let comment = try project.workspace.run("report", "--suite", "squat", "--pr").output
    #expect(comment.hasPrefix("### squat: PASS: ") && !comment.contains("Not compared"), "\(comment)")
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

  /// A metric that gates from now on and is in no baseline is not compared, and does not pass.
  @Test func aNewMetricNeedsABaseline() throws {
    let project = try GitProject()
    try project.workspace.replace(
      "metrics:\n", with: "metrics:\n- { detector: squat-states, metric: count.off-by-one, margin: 0.1 }\n",
      in: GitProject.suite)
    let outcome = try project.gate("--against", "main")
    #expect(outcome.code == 5)
    #expect(
      outcome.output.replacing(#/\n +/#, with: " ").contains(
        "expected metric count.off-by-one of squat-states, found none"))
    try project.accept()
    try project.gate("--against", "main").expectSuccess()
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

  @Test func aSuiteThatIsNewHasItsOwnBaseline() throws {
    let project = try GitProject()
    let text = try project.workspace.text(GitProject.suite)
    try project.workspace.write(
      text.replacing("suite: squat\n", with: "suite: deep\n"), to: "datasets/suites/deep.yaml")
    try project.workspace.run("baseline", "accept", "--suite", "deep").expectSuccess()
    let new = try project.workspace.run("gate", "--suite", "deep", "--against", "main")
    new.expectSuccess()
    #expect(new.output.contains(#/\n +The suite is new: main \(.{7}\) has none of that name\./#))
    // A new name for an old suite is no way round it.
    try project.workspace.remove(GitProject.suite)
    let renamed = try project.workspace.run("gate", "--suite", "deep", "--against", "main")
    #expect(renamed.code == 5)
    #expect(renamed.output.contains("missing  suite squat is gone; it is at main ("))
    try project.workspace.run("gate", "--suite", "deep", "--against", "main", "--accept-suite-change").expectSuccess()
  }

  /// The gates of the suites that stay name one that is gone.
  @Test func anotherSuiteThatIsGone() throws {
    let project = try GitProject()
    let text = try project.workspace.text(GitProject.suite)
    try project.workspace.write(
      text.replacing("suite: squat\n", with: "suite: deep\n"), to: "datasets/suites/deep.yaml")
    try project.commit()
    try project.git("branch", "-f", "main")
    try project.workspace.remove("datasets/suites/deep.yaml")
    let outcome = try project.gate("--against", "main")
    outcome.expectSuccess()
    #expect(
      outcome.text.contains(#/finding suite deep is gone; it is at main \(.{7}\): nothing gates by it any more/#),
      "\(outcome.text)")
  }

  /// Git has no content of a link: the next change could be compared with nothing.
  @Test func aBaselineBehindALink() throws {
    let project = try GitProject()
    let kept = project.workspace.path("baselines/kept")
    try FileManager.default.moveItem(atPath: project.workspace.path(BaselineTests.file), toPath: kept)
    try FileManager.default.createSymbolicLink(
      atPath: project.workspace.path(BaselineTests.file), withDestinationPath: "kept")
    let outcome = try project.gate("--against", "main")
    outcome.expectSuccess()
    #expect(
      outcome.text.contains("finding baselines/squat.json is a link, of which git keeps no content"), "\(outcome.text)")
  }

  /// The step names the base, once.
  @Test func aBaselineThatDoesNotFitIsAcceptedAgainstTheBase() throws {
    let project = try GitProject()
    try project.workspace.replace("version: 1\n", with: "version: 2\n", in: GitProject.suite)
    let outcome = try project.gate("--against", "main", "--accept-suite-change", "--json")
    #expect(outcome.code == 5)
    let json = try JSONText(outcome.output)
    #expect(json["missing"] as? [String] == ["the baseline used suite version 1, this run used 2"])
    try project.accept("--against", "main")
    try project.gate("--against", "main", "--accept-suite-change").expectSuccess()
  }

  /// A baseline that the change accepted is that of its run, to the clip; one that it left alone is the base's.
  @Test func anAcceptedBaselineIsThatOfTheRun() throws {
    let project = try GitProject()
    try project.set(bottomAngle: 88)
    try project.gate("--against", "main").expectSuccess()
    try project.accept()
    try project.gate("--against", "main").expectSuccess()
    try project.set(bottomAngle: 89)
    let parameters = try project.gate("--against", "main")
    #expect(parameters.code == 5)
    #expect(parameters.output.contains("the baseline has other parameters: squat-states.bottomAngle: 88.0 → 89.0"))
    #expect(
      parameters.output.replacing(#/\n +/#, with: " ").contains(
        "Accept the baseline again with: bench baseline accept --suite squat --against main."))
    try project.set(bottomAngle: 88)
    try project.workspace.edit(BaselineTests.file) { baseline in
      var clips = try #require(baseline["clips"] as? [String: [String: [String: Any]]])
      clips["squats/clip_3"]?["squat-states"]?["count"] = 7
      baseline["clips"] = clips
      var metrics = try #require(baseline["metrics"] as? [[String: Any]])
      metrics[0]["value"] = 0.25
      baseline["metrics"] = metrics
    }
    let edited = try project.gate("--against", "main")
    #expect(edited.code == 5)
    #expect(edited.output.contains("count.exact of squat-states is 0.250 in the baseline, 1.000 in this run"))
    #expect(edited.output.contains("predictions on squats/clip_3 differ from the baseline"))
    try project.workspace.remove(BaselineTests.file)
    let none = try project.gate("--against", "main")
    #expect(none.code == 5)
    #expect(none.output.contains("baseline of suite squat: expected the file baselines/squat.json, found no such"))
  }

  /// A later comparison reads each person's share in a pooled value, and the cases without a prediction.
  @Test(
    arguments: [
      ("without", nil, "each person's share in reps.f1 of squat-states differs between the baseline and this run"),
      (
        "unanswered", 4,
        "reps.f1 of squat-states has 4 cases without a prediction in the baseline, 0 in this run"
      ),
    ] as [(String, Int?, String)])
  func aBaselineThatWasEditedWhereItsValuesStayed(key: String, value: Int?, line: String) throws {
    let project = try GitProject()
    try project.gateFoundReps()
    func edit(_ key: String, to value: Int?) throws {
      try project.workspace.edit(BaselineTests.file) { baseline in
        var metrics = try #require(baseline["metrics"] as? [[String: Any]])
        let place = try #require(metrics.firstIndex { $0["metric"] as? String == "reps.f1" })
        metrics[place][key] = value.map { $0 as Any }
        baseline["metrics"] = metrics
      }
    }
    // Another layout of the same content.
    try edit("note", to: nil)
    try project.gate("--against", "main").expectSuccess()
    try edit(key, to: value)
    let outcome = try project.gate("--against", "main")
    #expect(outcome.code == 5)
    #expect(outcome.text.contains("MISSING: \(line)"), "\(outcome.text)")
  }

  /// Who chose a detector's values stays known, unless they are others.
  @Test func aBaselineThatForgetsATuning() throws {
    let project = try GitProject()
    let others: [String: Any] = ["name": "others", "content": "sha256:1", "subjects": ["x", "y"]]
    let tuning: [String: Any] = [
      "detector": "squat-states", "suite": "squat", "suiteVersion": 1, "metric": "count.mae", "datasets": [others],
    ]
    try project.workspace.edit(BaselineTests.file) { $0["tunings"] = [tuning] }
    try project.commit()
    try project.git("branch", "-f", "main")
    try project.gate("--against", "main").expectSuccess()
    try project.workspace.edit(BaselineTests.file) { $0["tunings"] = nil }
    let outcome = try project.gate("--against", "main")
    #expect(outcome.code == 5)
    let words = "squat-states was tuned for count.mae on 2 people of others"
    #expect(outcome.text.contains("MISSING: the baseline forgets that \(words). Accept"), "\(outcome.text)")
    try project.accept("--against", "main")
    #expect(try project.workspace.text(BaselineTests.file).contains("\"tunings\""))
    try project.gate("--against", "main").expectSuccess()
    try project.set(bottomAngle: 88)
    try project.accept("--against", "main")
    let retuned = try project.gate("--against", "main")
    retuned.expectSuccess()
    #expect(retuned.text.contains("finding \(words), and has other parameters now"), "\(retuned.text)")
  }

  /// Predictions of a detector that no suite declares are compared with those that the base's baseline was accepted on.
  @Test func predictionsOfADetectorThatIsNotInTheSuite() throws {
    let workspace = try Workspace.withSquats(SquatClip.twelve)
    func write(reps: Int) throws {
      let rows = SquatClip.twelve.flatMap { clip in
        clip.reps.prefix(reps).map { "\(clip.name),\($0.start.seconds),\($0.end.seconds)\n" }
      }
      try workspace.write("clip,start_s,end_s\n" + rows.joined(), to: "p.csv")
    }
    try write(reps: 2)
    try workspace.run("baseline", "accept", "--suite", "squat", "--predictions", "p.csv").expectSuccess()
    let project = try GitProject(in: workspace)
    let same = try project.gate("--predictions", "p.csv", "--against", "main")
    same.expectSuccess()
    #expect(same.output.hasPrefix("against  the merge base with main ("))
    try write(reps: 1)
    let worse = try project.gate("--predictions", "p.csv", "--against", "main")
    #expect(worse.code == 2)
    #expect(worse.output.contains("exact counts of predictions are worse by 1.000"))
    // The step names the files.
    try project.accept("--predictions", "p.csv")
    try write(reps: 2)
    let renewed = try project.gate("--predictions", "p.csv", "--against", "main")
    #expect(renewed.code == 5)
    #expect(
      renewed.output.replacing(#/\n +/#, with: " ").contains(
        "with: bench baseline accept --suite squat --predictions p.csv --against main"))
  }

  /// Main changed its parameters and kept its baseline: a change back is none to the baseline.
  @Test func aBaselineThatMainDidNotRenew() throws {
    let project = try GitProject()
    try project.set(bottomAngle: 95)
    try project.commit()
    try project.git("branch", "-f", "main")
    try project.set(bottomAngle: 90)
    let outcome = try project.gate("--against", "main", "--json")
    outcome.expectSuccess()
    let findings = try #require(try JSONText(outcome.output)["findings"] as? [String])
    #expect(findings.contains { $0.contains("(squat-states.bottomAngle: 90 → 95)") }, "\(findings)")
  }

  /// Main's suite sets a parameter no longer, and its baseline was made with it: the default is not the baseline's value.
  @Test func aBaselineWithAParameterThatMainNoLongerSets() throws {
    let project = try GitProject()
    try project.set(bottomAngle: 95)
    try project.accept()
    let setting = "\n  parameters: { bottomAngle: 95 }"
    try project.workspace.replace(setting, with: "", in: GitProject.suite)
    try project.commit()
    try project.git("branch", "-f", "main")
    func finds() throws -> Bool {
      let outcome = try project.gate("--against", "main", "--json")
      outcome.expectSuccess()
      let findings = try #require(try JSONText(outcome.output)["findings"] as? [String])
      return findings.contains { $0.contains("(squat-states.bottomAngle: 95 → 90)") }
    }
    #expect(try finds())
    // A change of code may have changed the default.
    try project.workspace.write("// 1\n", to: "coach.swift")
    try project.git("add", "coach.swift")
    try project.git("commit", "-q", "-m", "code")
    #expect(try !finds())
    // The change back is none to the baseline.
    try project.workspace.replace("- name: squat-states", with: "- name: squat-states\(setting)", in: GitProject.suite)
    #expect(try finds())
  }

  /// The base's suite is read with the detectors of its commit. Under another name a detector is judged as the former one.
  @Test func aDetectorOfTheAppThatIsRenamed() throws {
    let workspace = try Workspace.withSquats(SquatClip.twelve) {
      $0.detectors = ["- name: our-app"]
      $0.metrics = [("our-app", "count.exact", 0.05)]
    }
    func predict(missing: Int = 0) throws {
      let rows = SquatClip.twelve.map { "\($0.name),\($0.squats.count - missing)\n" }
      try workspace.write("clip,count\n" + rows.joined(), to: "p.csv")
      try workspace.run("baseline", "accept", "--suite", "squat", "--predictions", "p.csv").expectSuccess()
    }
    func declare(_ name: String) throws {
      let text = "detector: \(name)\npredictions: file\nkind: reps\nexercise: squat\n"
      try workspace.write(text, to: "detectors/\(name).yaml")
    }
    try declare("our-app")
    try predict()
    let project = try GitProject(in: workspace)
    try project.git("add", "detectors")
    try project.git("commit", "-q", "-m", "detectors")
    try project.git("branch", "-f", "main")
    try workspace.remove("detectors/our-app.yaml")
    try workspace.write(
      workspace.text(GitProject.suite).replacing("our-app", with: "our-counter"), to: GitProject.suite)
    try declare("our-counter")
    try predict()
    let outcome = try project.gate("--predictions", "p.csv", "--against", "main", "--json")
    #expect(outcome.code == 5)
    let json = try JSONText(outcome.output)
    #expect(json["missing"] as? [String] == ["detector our-app is replaced by our-counter"])
    let findings = try #require(json["findings"] as? [String])
    #expect(
      findings.contains { $0.hasPrefix("our-counter is judged as the former our-app, on its values at main (") },
      "\(findings)")
    try project.gate("--predictions", "p.csv", "--against", "main", "--accept-suite-change").expectSuccess()
    try predict(missing: 1)
    let worse = try project.gate("--predictions", "p.csv", "--against", "main", "--accept-suite-change")
    #expect(worse.code == 2)
    #expect(worse.output.contains("REGRESSION: exact counts of our-counter are worse by 1.000"), "\(worse.output)")
  }

  /// A detector in code that the program no longer has under its name: its suite is read with the new one.
  @Test func aDetectorInCodeThatIsRenamed() throws {
    let project = try GitProject()
    func rename(_ old: String, _ new: String) throws {
      for file in [GitProject.suite, BaselineTests.file] {
        let text = try project.workspace.text(file)
        try project.workspace.write(text.replacing(old, with: new), to: file)
      }
    }
    try rename("squat-states", "our-states")
    try project.commit()
    try project.git("branch", "-f", "main")
    try rename("our-states", "squat-states")
    try project.set(bottomAngle: 75)
    try project.accept()
    for outcome in [
      try project.gate("--against", "main"), try project.gate("--against", "main", "--accept-suite-change"),
    ] {
      #expect(outcome.code == 2)
      let text = outcome.output.replacing(#/\n +/#, with: " ")
      #expect(text.contains("REGRESSION: exact counts of squat-states are worse by 1.000"), "\(text)")
      #expect(text.contains("squat-states is judged as the former our-states, on its values at main ("), "\(text)")
      #expect(text.contains("detector our-states is replaced by squat-states"), "\(text)")
    }
    // A reason accepts the loss of the new name.
    try project.accept("--because", Self.reason, "--against", "main")
    try project.gate("--against", "main", "--accept-suite-change").expectSuccess()
  }

  /// A program with a built-in detector's name is what the suite runs: the detector itself is gated by nothing.
  @Test func aDetectorInCodeThatAProgramReplaces() throws {
    let workspace = try Workspace.withSquats(SquatClip.twelve) {
      $0.detectors = ["- name: squat-states"]
      $0.metrics = [("squat-states", "count.exact", 0.05)]
    }
    try workspace.run("baseline", "accept", "--suite", "squat").expectSuccess()
    let project = try GitProject(in: workspace)
    try workspace.write(
      "detector: squat-states\npredictions: file\nkind: reps\nexercise: squat\n", to: "detectors/squat-states.yaml")
    let rows = SquatClip.twelve.map { "\($0.name),\($0.squats.count)\n" }
    try workspace.write("clip,count\n" + rows.joined(), to: "p.csv")
    let outcome = try project.gate("--predictions", "p.csv", "--against", "main")
    #expect(
      outcome.text.contains(
        #/finding squat-states is read from prediction files now and built-in at main \(.{7}\): another detector has its name/#
      ),
      "\(outcome.text)")
  }

  /// Better than the base by more than the margins: stale until the change, or a later one, accepts it.
  @Test func aGainThatNobodyAcceptedIsSaid() throws {
    let project = try GitProject.accepted(bottomAngle: 75)
    try project.commit()
    try project.git("branch", "-f", "main")
    try project.set(bottomAngle: 90)
    let stale = try project.gate("--against", "main").output.replacing(#/\n +/#, with: " ")
    #expect(
      stale.contains(
        "finding  The baseline is stale: exact counts of squat-states on 12 instead of 0 of 12 clips (and 1 other "
          + "metric), better beyond its margin. Accept it, or the gain can be lost unseen: bench baseline accept"),
      "\(stale)")
    // Accepting would accept what is lost beside the gain.
    let lost = try project.gate("--against", "main", "--set", "form.squat-posture.minimumConfidence=1")
    #expect(lost.code != 0)
    #expect(!lost.output.contains("stale"))
    try project.accept()
    let renewed = try project.gate("--against", "main")
    renewed.expectSuccess()
    #expect(!renewed.output.contains("stale"))
  }

  // MARK: - Git

  /// A commit is not compared with itself; its changed files are, and so is a branch that it is the tip of.
  @Test func aChangeIsNotComparedWithItself() throws {
    let project = try GitProject()
    let words = "is the checked-out commit itself, and no tracked file differs from it"
    try project.gate("--against", "HEAD").expectFailure(64, saying: ["HEAD \(words)", "origin/main", "HEAD~1"])
    let named = try project.workspace.run(["gate", "--suite", "squat"], environment: ["BENCH_BASE_REF": "HEAD"])
    named.expectFailure(64, saying: [words])
    let branch = try project.gate("--against", "main")
    branch.expectSuccess()
    #expect(
      branch.output.contains("\n         It is the checked-out commit itself, and no tracked file differs from it."))
    try project.gate("--against", "HEAD", "--set", "reps.squat-states.bottomAngle=90").expectSuccess()
    try project.set(bottomAngle: 75)
    #expect(try project.gate("--against", "HEAD").code == 2)
  }

  @Test func theRefComesFromTheOptionOrTheEnvironment() throws {
    let project = try GitProject.accepted(bottomAngle: 75)
    try project.commit()
    func code(_ environment: [String: String]) throws -> Int32 {
      try project.workspace.run(["gate", "--suite", "squat"], environment: environment).code
    }
    #expect(try code(["BENCH_BASE_REF": "main"]) == 2)
    #expect(try code(["CI": "true", "GITHUB_BASE_REF": "main"]) == 2)
    #expect(try code(["CI": "true", "GITHUB_BASE_REF": "main", "BENCH_BASE_REF": "change"]) == 0)
    // Outside of CI nobody asks for GitHub's; an empty one is that of a push.
    #expect(try code(["GITHUB_BASE_REF": "main"]) == 0)
    #expect(try code(["CI": "true", "GITHUB_BASE_REF": ""]) == 0)
    // A clone has the branch as its remote's only.
    try project.git("update-ref", "refs/remotes/origin/main", "main")
    try project.git("branch", "-D", "main")
    #expect(try code(["CI": "true", "GITHUB_BASE_REF": "main"]) == 2)
    try project.gate("--against", "main").expectFailure(
      5, saying: ["git ref main: expected a branch, a tag or a commit of this clone", "there is origin/main"])
    // A tag does not take the place of the branch of its name, as git would have it.
    for name in ["main", "origin/main"] { try project.git("tag", name) }
    #expect(try code(["CI": "true", "GITHUB_BASE_REF": "main"]) == 2)
  }

  @Test func whatIsNoRefOrNoCheckout() throws {
    let project = try GitProject()
    try project.gate("--against", "mian").expectFailure(
      5, saying: ["git ref mian: expected a branch, a tag or a commit"])
    try project.gate("--against=--output=x").expectFailure(64, saying: ["is not a git ref"])
    try project.git("checkout", "-q", "--orphan", "alone")
    try project.git("commit", "-q", "-m", "no parent")
    try project.gate("--against", "main").expectFailure(
      5, saying: ["merge base of HEAD and main", "no history in common"])
    let plain = try BaselineTests.accepted()
    let outcome = try plain.run("gate", "--suite", "squat", "--against", "main", "--junit", "j.xml")
    outcome.expectFailure(5, saying: ["git ref main: expected a git checkout around ., found none"])
    #expect(try plain.text("j.xml").contains("errors=\"1\""))
  }

  @Test func aShallowCloneIsToldToFetch() throws {
    let project = try GitProject()
    try project.git("checkout", "-q", "main")
    try project.git("commit", "-q", "--allow-empty", "-m", "more")
    try project.git("checkout", "-q", "change")
    try project.git("commit", "-q", "--allow-empty", "-m", "change")
    let clone = try Workspace()
    try clone.remove("datasets")
    let fetched = try clone.shell(
      """
      git clone -q --depth 1 --no-single-branch --branch change file://\(project.workspace.project) .
      """)
    #expect(fetched.code == 0, "\(fetched.error)")
    let outcome = try clone.run("gate", "--suite", "squat", "--against", "origin/main")
    outcome.expectFailure(
      5, saying: ["merge base of HEAD and origin/main", "git fetch --unshallow", "fetch-depth: 0"])
  }

  /// Another commit is read without a word of this process's secrets, and nothing of the repository runs.
  @Test func gitIsAskedWithoutSecretsAndHooks() throws {
    let project = try GitProject()
    try project.workspace.write(
      """
      #!/bin/sh
      printf '%s|%s\\n' "$*" "$BENCH_PASSPHRASE$HOME" >> "\(project.workspace.outside)/calls"
      exec \(try #require(GitProject.path)) "$@"
      """, to: "../bin/git")
    try project.workspace.write("#!/bin/sh\ntouch \(project.workspace.outside)/ran\n", to: "../bin/monitor")
    #expect(try project.workspace.shell("chmod +x ../bin/*").code == 0)
    try project.git("config", "core.fsmonitor", "\(project.workspace.outside)/bin/monitor")
    let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
    try project.workspace.run(
      ["gate", "--suite", "squat", "--against", "main"],
      environment: ["PATH": "\(project.workspace.outside)/bin:\(path)", "BENCH_PASSPHRASE": "secret"]
    ).expectSuccess()
    let calls = try project.workspace.text("../calls").split(separator: "\n")
      .filter { $0.contains(#/ (merge-base|cat-file|ls-tree) /#) }
    #expect(calls.count >= 6)
    #expect(calls.allSatisfy { $0.hasSuffix("|") && $0.contains("core.hooksPath=/dev/null") }, "\(calls)")
    #expect(!project.workspace.exists("../ran"))
  }
}

/// A project in a git checkout: the branch `main` has its suite and baseline, and the branch `change` is checked out.
struct GitProject {
  static let suite = "datasets/suites/squat.yaml"
  /// Twelve subjects who do a deep squat and one that goes to 86.5°.
  static let clips = (1...12).map { number in
    SquatClip(
      name: "clip_\(number)", subject: "subject_\(number)", squats: [SquatClip.deep, SquatClip.justDeepEnough])
  }

  /// Of git; `nil` where it is not there.
  static let path: String? = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
    .map { "\($0)/git" }.first { FileManager.default.isExecutableFile(atPath: $0) }
  static var isThere: Bool { path != nil }

  let workspace: Workspace

  /// - Parameters:
  ///   - floor: of `count.exact`, which is 1.
  ///   - people: the suite's line about people.
  ///   - team: what the dataset calls them.
  init(_ clips: [SquatClip] = clips, floor: Double? = nil, people: String = "", named team: String? = nil) throws {
    workspace = try Workspace.shared("git \(clips) \(floor ?? -1) \(people) \(team ?? "")") {
      let workspace = try Workspace()
      var dataset = SquatClip.dataset("squats", clips)
      dataset.manifest.people = team
      let suite = SquatSuite(content: try workspace.add(dataset))
      try workspace.write(suite.yaml.replacing("detectors:\n", with: "\(people)detectors:\n"), to: Self.suite)
      if let floor {
        let margin = "count.exact, margin: 0.05"
        try workspace.replace(margin, with: "\(margin), floor: \(floor)", in: Self.suite)
      }
      // Room for the detector's parameters.
      try workspace.replace(
        "- name: squat-states", with: "- name: squat-states\n  parameters: { bottomAngle: 90 }", in: Self.suite)
      try workspace.run("baseline", "accept", "--suite", "squat").expectSuccess()
      return try GitProject(in: workspace).workspace
    }
  }

  /// The project in which the change has set the angle and accepted its own baseline.
  static func accepted(bottomAngle: Int) throws -> GitProject {
    GitProject(
      of: try Workspace.shared("git at \(bottomAngle)") {
        let project = try GitProject()
        try project.set(bottomAngle: bottomAngle)
        try project.accept()
        return project.workspace
      })
  }

  /// A project that has its suite and its baseline.
  init(in workspace: Workspace) throws {
    self.workspace = workspace
    try git("init", "-q")
    try commit()
    try git("branch", "-M", "main")
    try git("checkout", "-q", "-b", "change")
  }

  /// A project that is in git.
  init(of workspace: Workspace) { self.workspace = workspace }

  func git(_ arguments: String...) throws { try git(arguments) }

  private func git(_ arguments: [String]) throws {
    let settings = ["user.name=a", "user.email=a@example.org", "commit.gpgsign=false"].flatMap { ["-c", $0] }
    let outcome = try Outcome(
      of: [try #require(Self.path)] + settings + arguments, in: workspace.project, environment: [:],
      scratch: workspace.outside)
    try #require(outcome.code == 0, "git \(arguments): \(outcome.error)")
  }

  func commit() throws {
    try git(["add", "-A"] + ["datasets", "baselines"].filter(workspace.exists))
    try git("commit", "-q", "--allow-empty", "-m", "as it is")
  }

  /// Changes the counter in the suite's file.
  func set(bottomAngle: Int) throws {
    let text = try workspace.text(Self.suite)
    try workspace.write(text.replacing(#/bottomAngle: \d+/#, with: "bottomAngle: \(bottomAngle)"), to: Self.suite)
  }

  /// Puts a dataset of these clips in the place of the suite's.
  func replaceDataset(_ clips: [SquatClip], called name: String = "squats") throws {
    try workspace.remove("datasets/squats")
    let content = try workspace.add(SquatClip.dataset(name, clips))
    let text = try workspace.text(Self.suite).replacing(#/content: \S+/#, with: "content: \(content)")
    try workspace.write(text.replacing("name: squats\n", with: "name: \(name)\n"), to: Self.suite)
  }

  @discardableResult
  func accept(_ more: String...) throws -> Outcome {
    let outcome = try workspace.run(["baseline", "accept", "--suite", "squat"] + more)
    outcome.expectSuccess()
    return outcome
  }

  func gate(_ more: String...) throws -> Outcome { try workspace.run(["gate", "--suite", "squat"] + more) }

  /// Gates the F1 of reps too, on main as well.
  func gateFoundReps() throws {
    try workspace.replace(
      "metrics:\n", with: "metrics:\n- { detector: squat-states, metric: reps.f1, margin: 0.1 }\n", in: Self.suite)
    try accept()
    try commit()
    try git("branch", "-f", "main")
  }
}
