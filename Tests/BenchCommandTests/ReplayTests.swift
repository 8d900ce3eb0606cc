import Evaluation
import Foundation
import PoseModel
import Testing

/// One clip through one detector.
@Suite struct ReplayTests {
  /// anna stands for a second, goes below 155° 6 frames later, below 90° with frame 27, above 95° 5 frames after the
  /// turn at frame 30, and above 160° with frame 57. Her second squat turns at 110.5° and counts nothing.
  @Test func eventsComeInOrder() throws {
    let workspace = try Workspace.withSquats()
    let outcome = try workspace.run("replay", "anna_1")
    outcome.expectSuccess()
    let lines = outcome.output.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
    #expect(lines.first == "squat-states finds 2 of 2 labelled reps in anna_1.")
    #expect(lines.dropFirst().first == "squats/anna_1: SYNTHETIC, squat, 280 frames at 30 fps, true count 2")
    #expect(lines.dropFirst(2).first == "suite squat: reps match within 0.5 s of their end")
    let said = lines.dropFirst(3).map { $0.split(separator: " ").joined(separator: " ") }
    let (reps, events) = (said.prefix { !$0.hasPrefix("events") }, said.drop { !$0.hasPrefix("events") }.dropFirst())
    #expect(reps.first == "reps: matched 2, missed 0, invented 0")
    #expect(reps.count { $0.hasPrefix("true ") && $0.hasSuffix(" s matched") } == 2)
    #expect(reps.suffix(2) == ["predicted 1.20 to 2.90 s matched", "predicted 6.53 to 8.23 s matched"])
    #expect(
      Array(events) == [
        "1.20 s phase descending", "1.90 s phase bottom", "2.17 s phase ascending",
        "2.90 s rep from 1.20 to 2.90 s", "2.90 s phase standing",
        // Half a squat from 4 s on: 155° after 6 of its 40 frames, 160° after 37.
        "4.20 s phase descending", "5.23 s phase standing",
        // From 6.33 s on.
        "6.53 s phase descending", "7.23 s phase bottom", "7.50 s phase ascending",
        "8.23 s rep from 6.53 to 8.23 s", "8.23 s phase standing",
      ])
  }

  /// Nobody labelled a stroke in it: nothing that the detector reports is right or wrong.
  @Test func aClipWithoutStrokeLabelsIsNotJudged() throws {
    let workspace = try Workspace.withSquats()
    let outcome = try workspace.run("replay", "anna_1", "--detector", "swing-peaks")
    outcome.expectSuccess()
    #expect(outcome.output.contains(#/^swing-peaks reports \d+ events? in anna_1; this clip has no labels for them\./#))
    #expect(outcome.output.contains("strokes: not compared, as they are not labelled"))
    #expect(!outcome.output.contains("invented"))
  }

  /// anna's whole squats go to about 80°, where a knee angle up to 90° is deep: whoever calls them shallow differs from the
  /// detector.
  @Test func aJudgeThatDiffersFromPeopleNamesItsMeasure() throws {
    let workspace = try Workspace.withSquats()
    try workspace.write(
      "clip,rep,rater,fault,present\nanna_1,1,dora,shallow,1\nanna_1,2,dora,shallow,0\n",
      to: "datasets/squats/faults.csv")
    let outcome = try workspace.run("replay", "anna_1", "--dataset", "squats", "--detector", "squat-posture")
    outcome.expectSuccess()
    let said =
      #/wrong rep 1: labelled faulty, no fault reported, graded [0-9.]+; most faulty measure: .+ [0-9.]+°?, sound [0-9.]+.* \(\w+\)/#
    #expect(outcome.text.contains(said), "\(outcome.output)")
    #expect(!outcome.text.contains("wrong rep 2"))
  }

  /// cleo's only squat goes to 86.5°, anna's half one to 110.5°: a lower limit counts cleo's right, a much lower one counts
  /// anna's wrong.
  @Test func theSmallestFixIsNamedWithWhatItBreaks() throws {
    let workspace = try Workspace.withSquats()
    func fix(_ clip: String, at angle: Int) throws -> String {
      let outcome = try workspace.run("replay", clip, "--set", "reps.squat-states.bottomAngle=\(angle)", "--fix")
      outcome.expectSuccess()
      return outcome.output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }
    let near = try fix("cleo_1", at: 84)
    #expect(
      near.contains(#/fix bottomAngle 84 → 86\.[56] counts 1; of 2 other clips none changes next/#),
      "\(near)")
    #expect(near.contains(#/bench compare --suite squat --set reps\.squat-states\.bottomAngle=86\.[56]/#))
    #expect(try fix("cleo_1", at: 90).contains("fix none needed: the count is right"))
    // Above 110.5° anna's half squat counts too; back down it does not.
    let far = try fix("anna_1", at: 120)
    #expect(
      far.contains(#/fix bottomAngle 120 → 110(\.\d)? counts 2; of 2 other clips none changes/#), "\(far)")
    try workspace.run("replay", "cleo_1", "--fix", "--json").expectFailure(64, saying: ["give --json or --fix"])
  }

  /// cleo's only squat goes to 86.5°.
  @Test func aMissedRepSaysWhy() throws {
    let workspace = try Workspace.withSquats()
    let set = ["replay", "cleo_1", "--set", "reps.squat-states.bottomAngle=84"]
    let outcome = try workspace.run(set)
    outcome.expectSuccess()
    let why = "knee angle bottomed at 87°, needs < 84° (bottomAngle)"
    #expect(
      outcome.output.hasPrefix("squat-states finds 0 of 1 labelled rep in cleo_1.\nmissed   rep 1: \(why)\n"))
    let json = try workspace.run(set + ["--json"])
    let reps = try #require(try JSONText(json.output)["reps"] as? [String: Any])
    let marked = try #require(reps["true"] as? [[String: Any]])
    let reason = try #require(marked[0]["reason"] as? [String: Any])
    #expect(reason["words"] as? String == why && reason["cause"] as? String == "threshold")
    #expect(reason["limit"] as? Double == 84 && reason["parameter"] as? String == "bottomAngle")
  }

  /// Of a count of three, anna's half squat to 110.5° is what nearly counted; of a count of one, either of her two deep
  /// ones to 80.5° is what only just did.
  @Test(arguments: [
    (3, #"near turn at 4.67 s: knee angle bottomed at 11[01]°, needs < 90° \(bottomAngle\) squats/anna_1"#),
    (1, #"narrow detection \d: knee angle bottomed at 8[01]°, counts < 90° \(bottomAngle\) narrow detection \d: "#),
    (2, #"in anna_1, as labelled\. squats/anna_1: "#),
  ]) func aCountWithoutTimesSaysWhatNearlyCounted(_ count: Int, _ words: String) throws {
    var dataset = SquatClip.dataset("squats", SquatClip.three)
    dataset.clips[0].labels = GroundTruth(repCount: count)
    let workspace = try Workspace()
    try workspace.write(SquatSuite(content: try workspace.add(dataset)).yaml, to: "datasets/suites/squat.yaml")
    let outcome = try workspace.run("replay", "anna_1", "--suite", "squat", "--html", "clip.html")
    outcome.expectSuccess()
    // The player says of each counted rep how far it went.
    #expect(try workspace.text("clip.html").contains(#/"why":"knee angle bottomed at 8[01]°, counts \S+ 90° /#))
    let said = try Regex(words)
    #expect(outcome.text.contains(said), "\(outcome.output)")
    let counted = #/as their times are not labelled counted detection 1: knee angle bottomed at 8[01]°, counts < 90° /#
    #expect(outcome.text.contains(counted), "\(outcome.output)")
    let nearCounted = #/"nearly":\[\{[^\]]*bottomed at 11[01]°, needs \S+ 90° /#
    #expect(try workspace.text("clip.html").contains(nearCounted) == (count == 3))
    guard count == 3 else { return }
    // The picture has the turn in a lane of its own, and the JSON how much it lacked.
    let json = try workspace.run(
      "replay", "anna_1", "--suite", "squat", "--json", "--chart", "--output", "clip.svg")
    let record = try JSONText(json.output)
    #expect(record["trueCount"] as? Int == 3)
    let reps = try #require(record["reps"] as? [String: Any])
    let nearly = try #require(reps["nearly"] as? [[String: Any]])
    let reason = try #require(nearly.first?["reason"] as? [String: Any])
    #expect(nearly.count == 1 && abs((nearly[0]["turn"] as? Double ?? 0) - 4.67) < 0.01)
    #expect(reason["limit"] as? Double == 90 && reason["parameter"] as? String == "bottomAngle")
    #expect(abs((reason["value"] as? Double ?? 0) - 110.5) < 1)
    let drawn = try workspace.text("clip.svg")
    #expect(drawn.contains(">nearly (1)<"))
    try workspace.run("run", "--suite", "squat").expectSuccess()
    let why =
      #/Worst clip: anna_1 \(squat-states counted 2, true 3\)\. Why: turn at 4\.67 s: knee angle bottomed at 11/#
    #expect(try workspace.text("reports/squat/latest/report.md").contains(why))
    #expect(drawn.contains(#/<title>Counted 2 reps, true 3; turn at 4\.67 s: knee angle bottomed at 11[01]°, needs /#))
  }

  @Test func aParameterMayBeSet() throws {
    let workspace = try Workspace.withSquats()
    let outcome = try workspace.run("replay", "squats/anna_1", "--set", "reps.squat-states.bottomAngle=120")
    outcome.expectSuccess()
    // The half squat to 110.5° is one now.
    #expect(outcome.output.matches(of: #/ rep +from /#).count == 3)
    try workspace.run("replay", "anna_1", "--set", "form.squat-posture.goodScore=50").expectFailure(
      64, saying: ["expected one of the detectors reps.squat-states"])
  }

  @Test func aFormScorerGradesAndSpeaks() throws {
    let workspace = try Workspace.withSquats()
    let outcome = try workspace.run("replay", "anna_1", "--detector", "squat-posture")
    outcome.expectSuccess()
    #expect(outcome.output.contains("form 100.0 for the rep from 1.20 to 2.90 s"))
    #expect(outcome.output.contains("shallow in the rep from 4.20 to 5.23 s"))
    #expect(outcome.output.contains("cue"))
  }

  @Test func eventsAreJSONWhereAsked() throws {
    let workspace = try Workspace.withSquats()
    let outcome = try workspace.run("replay", "anna_1", "--detector", "squat-posture", "--json")
    outcome.expectSuccess()
    let object = try JSONSerialization.jsonObject(with: Data(outcome.output.utf8))
    let record = try #require(object as? [String: Any])
    #expect(record["clip"] as? String == "anna_1")
    #expect(record["isSynthetic"] as? Bool == true)
    let events = try #require(record["events"] as? [[String: Any]])
    let grade = try #require(events.first { $0["kind"] as? String == "grade" })
    #expect(grade["name"] as? String == "form")
    #expect(grade["value"] as? Double == 100)
    #expect(grade["start"] as? Double == 1.2)
    #expect(grade["end"] as? Double == 2.9)
    let kinds = Set(events.compactMap { $0["kind"] as? String })
    #expect(kinds == ["grade", "fault", "cue"])
  }

  @Test func aChartIsDrawnWhereAsked() throws {
    let workspace = try Workspace.withSquats()
    let usual = try workspace.run("replay", "anna_1", "--chart")
    usual.expectSuccess()
    #expect(usual.output.hasSuffix("drew anna_1-squat-states.png\n"))
    #expect(try workspace.bytes("anna_1-squat-states.png").starts(with: PNGSignature.bytes))
    let other = try workspace.run("replay", "anna_1", "--chart", "--output", "charts/anna.png")
    other.expectSuccess()
    #expect(try workspace.bytes("charts/anna.png") == workspace.bytes("anna_1-squat-states.png"))
    try workspace.run("replay", "anna_1", "--chart", "--output", "folder").expectSuccess()
    #expect(workspace.exists("folder/anna_1-squat-states.png"))
    for part in ["Clip\0squats/anna_1", "Detector\0reps.squat-states", "Content\0squats sha256:"] {
      #expect(try workspace.holds(part, in: "charts/anna.png"), "\(part)")
    }
    try workspace.run("replay", "anna_1", "--output", "nothing.png").expectFailure(
      64, saying: ["--output takes --chart, --frames or both"])
  }

  @Test func aClipThatIsNotThere() throws {
    let workspace = try Workspace.withSquats()
    try workspace.run("replay", "ana_1").expectFailure(
      5, "clip ana_1: expected a clip of squats, found none called \"ana_1\", did you mean anna_1?")
    try workspace.run("replay", "squat/anna_1").expectFailure(5, saying: ["dataset squat: expected "])
    try workspace.run("replay", "anna").expectFailure(
      5, "clip anna: expected a clip of squats, found none called \"anna\"; there are anna_1")
    // Of clips with equally near names those of the suite are meant.
    var lunges = SquatClip.dataset("lunges", [SquatClip(name: "ana_2", subject: "ana", squats: [SquatClip.deep])])
    lunges.clips[0].info.exercise = "lunge"
    try workspace.add(lunges)
    try workspace.run("replay", "ana_1", "--suite", "squat").expectFailure(
      5, "clip ana_1: expected a clip of squats, lunges, found none called \"ana_1\", did you mean anna_1?")
  }

  /// The suite's own datasets are looked at first; a detector of no suite may mean either.
  @Test func aClipOfTwoDatasets() throws {
    let workspace = try Workspace.withSquats()
    try workspace.add(SquatClip.dataset("others", [SquatClip.three[0]]))
    let own = [["anna_1"], ["anna_1", "--suite", "squat"], ["squats/anna_1"], ["anna_1", "--dataset", "squats"]]
    for outcome in try workspace.runEach(own.map { ["replay"] + $0 }) {
      outcome.expectSuccess()
      #expect(outcome.output.contains("\nsquats/anna_1: "))
    }
    let others = [["others/anna_1"], ["anna_1", "--dataset", "others"]]
    for outcome in try workspace.runEach(others.map { ["replay"] + $0 }) {
      outcome.expectSuccess()
      #expect(outcome.output.contains("\nothers/anna_1: "))
    }
    try workspace.run("replay", "anna_1", "--detector", "coach-squat").expectFailure(
      64, "anna_1 is in several datasets: write others/anna_1 or squats/anna_1")
    try workspace.run("replay", "others/anna_1", "--dataset", "squats").expectFailure(
      64, "--dataset squats and the clip others/anna_1 name different datasets: give one of them")
    try workspace.run("replay", "anna_1", "--dataset", "nobodys").expectFailure(
      5, saying: ["dataset nobodys: expected "])
  }

  /// Of datasets other than its own a suite says in which clips nobody does the exercise only where it is named.
  @Test func aClipOfAnotherDatasetIsNoNegativeOfASuiteThatIsNotNamed() throws {
    let workspace = try Workspace.withSquats()
    let suite = try workspace.text("datasets/suites/squat.yaml")
      .replacing("\nexercises:", with: "\nnegatives: others\nexercises:")
    try workspace.write(suite, to: "datasets/suites/squat.yaml")
    var others = SquatClip.dataset("others", [SquatClip(name: "dora_1", subject: "dora", squats: [SquatClip.deep])])
    others.clips[0].info.exercise = "sit-up"
    try workspace.add(others)
    let alone = try workspace.run("replay", "dora_1")
    alone.expectSuccess()
    #expect(alone.output.contains("true count 1") && !alone.output.contains("nobody does the exercise"))
    let named = try workspace.run("replay", "dora_1", "--suite", "squat", "--dataset", "others")
    #expect(named.output.contains("invents 1 rep in dora_1 while nobody does the exercise."), "\(named.output)")
  }

  /// Of two suites with the detector neither is meant.
  @Test func whichMatchingWasUsedIsSaid() throws {
    let workspace = try Workspace.withSquats { $0.matching = "{ instant: start, tolerance_s: 0.25 }" }
    #expect(
      try workspace.run("replay", "anna_1").output.contains("\nsuite squat: reps match within 0.25 s of their start\n"))
    let suite = try workspace.text("datasets/suites/squat.yaml").replacing("suite: squat", with: "suite: strict")
      .replacing("tolerance_s: 0.25 }", with: "tolerance_s: 0.1 }\nsmoothing: median:5")
    try workspace.write(suite, to: "datasets/suites/strict.yaml")
    #expect(
      try workspace.run("replay", "anna_1").output.contains("\nno suite: reps match by a turning point inside them\n"))
    #expect(
      try workspace.run("replay", "anna_1", "--suite", "strict").output.contains(
        "\nsuite strict: reps match within 0.1 s of their start, smoothing median:5\n"))
    try workspace.run("replay", "anna_1", "--suite", "strikt").expectFailure(
      5, saying: ["suite strikt: expected", "did you mean strict?"])
  }

  /// Of a suite that is asked for the recordings are those that it is pinned to, as in a run; named by hand they may be others.
  @Test func theSuitesPinIsHeld() throws {
    let pin = "sha256:" + String(repeating: "0", count: 64)
    let workspace = try Workspace.withSquats { $0.content = pin }
    let words = ["dataset squats: expected the content that the suite pins, \(pin), found sha256:"]
    try workspace.run("run", "--suite", "squat").expectFailure(5, saying: words)
    try workspace.run("replay", "anna_1", "--suite", "squat").expectFailure(5, saying: words)
    try workspace.run("replay", "squats/anna_1", "--suite", "squat").expectFailure(5, saying: words)
    try workspace.run("replay", "anna_1", "--suite", "squat", "--dataset", "squats").expectSuccess()
    try workspace.run("replay", "anna_1").expectSuccess()
  }

  /// Parameters are the suite's, `--set` overrides them.
  @Test func theSuitesParametersAreTaken() throws {
    let workspace = try Workspace.withSquats {
      $0.detectors[0] += "\n  parameters: { bottomAngle: 120 }"
    }
    #expect(try workspace.run("replay", "anna_1").output.contains("\nreps: matched 2, missed 0, invented 1\n"))
    let set = try workspace.run("replay", "anna_1", "--set", "reps.squat-states.bottomAngle=90")
    #expect(set.output.contains("\nreps: matched 2, missed 0, invented 0\n"))
  }

  /// What `bench replay --json` says of a clip.
  private struct Replayed: Decodable {
    struct Item: Decodable { var matched: Bool? }
    struct Found: Decodable {
      var matched: Int?
      var missed: Int?
      var `false`: Int?
      var `true`: [Item]?
      var predicted: [Item]
    }
    var suite: String?
    var matching: RunResults.Matching
    var reps: Found?
    var strokes: Found?
  }

  /// Replays every clip of a run to each of its detectors, and holds what is found against the run's results.
  ///
  /// - Returns: how many reps and strokes were matched, and how many not.
  private func compareReplays(
    _ workspace: Workspace, with results: RunResults
  ) throws -> (right: Int, wrong: Int) {
    var (right, wrong) = (0, 0)
    for clip in results.clips {
      let commands = results.detectors.map {
        ["replay", clip.id, "--suite", results.suite, "--detector", $0.name, "--json"]
      }
      for (detector, outcome) in zip(results.detectors, try workspace.runEach(commands)) {
        outcome.expectSuccess()
        let record = try JSONDecoder().decode(Replayed.self, from: Data(outcome.output.utf8))
        #expect(record.suite == results.suite && record.matching == results.matching)
        let kept = try #require(clip.outcomes[detector.name])
        #expect((record.reps == nil) == (kept.reps == nil))
        if let found = record.reps, let reps = kept.reps, let truth = clip.trueReps {
          let matched = Set(reps.compactMap(\.matches))
          #expect(found.predicted.map(\.matched) == reps.map { $0.matches != nil }, "\(clip.id)")
          #expect(found.true?.map(\.matched) == truth.indices.map { matched.contains($0) }, "\(clip.id)")
          #expect(found.matched == matched.count)
          #expect(found.missed == truth.count - matched.count)
          #expect(found.false == reps.count - matched.count)
          #expect((found.missed ?? 0) + (found.false ?? 0) == clip.wrongReps(detector.name))
          (right, wrong) = (right + matched.count, wrong + clip.wrongReps(detector.name))
        }
        #expect((record.strokes != nil) == (detector.kind == "swing"))
        if let found = record.strokes {
          let mistakes = results.mistakes(detector.name, on: clip)
          let missed = try #require(mistakes.missedStrokes)
          let strokes = try #require(mistakes.strokes)
          #expect(found.missed == missed && found.false == mistakes.falseStrokes, "\(clip.id)")
          #expect(found.matched == strokes - missed && found.true?.count == strokes)
          #expect(found.true?.count { $0.matched == true } == found.matched)
          #expect(found.predicted.count { $0.matched == true } == found.matched)
          #expect(found.predicted.count { $0.matched == false } == found.false)
          (right, wrong) = (right + strokes - missed, wrong + missed + (mistakes.falseStrokes ?? 0))
        }
      }
    }
    return (right, wrong)
  }

  /// The suites' tolerances and smoothing decide, whatever they are.
  @Test(
    arguments: [
      ("{ instant: end, tolerance_s: 0.5 }", nil), ("{ instant: end, tolerance_s: 0.05 }", nil),
      ("{ instant: turn, tolerance_s: 0.1 }", "average:31"), ("{ instant: start, tolerance_s: 0.2 }", "one-euro"),
    ] as [(String, String?)])
  func aClipIsMatchedAsItsRunMatchesIt(_ matching: String, _ smoothing: String?) throws {
    let workspace = try Workspace.withSquats { suite in
      suite.matching = matching
      suite.smoothing = smoothing
    }
    try workspace.run("run", "--suite", "squat").expectSuccess()
    let found = try compareReplays(workspace, with: workspace.results())
    // Reports come 0.1 s before the marked ends.
    if matching.contains("0.05") { #expect(found.right == 0 && found.wrong > 0) }
    if matching.contains("0.5 ") { #expect(found.right > 0 && found.wrong == 0) }
  }

  /// Strokes too, and labels by the suite's names.
  @Test func aStrokeIsMatchedAsItsRunMatchesIt() throws {
    let workspace = try Workspace()
    try workspace.write(
      "exercise: tennis\nseed: 5\nsubjects: 2\nclips_per_subject: 1\n", to: "datasets/rallies/recipe.yaml")
    try workspace.run("dataset", "show", "rallies").expectSuccess()
    let content = try #require(
      try workspace.store().datasets().first { $0.manifest.name == "rallies" }?.content?.description)
    try workspace.write(
      """
      suite: tennis
      version: 1
      datasets:
      - { name: rallies, content: "\(content)" }
      exercises: [tennis]
      labels: { foreslice: forehand, backslice: backhand, serve: forehand }
      detectors:
      - name: swing-states
      - name: swing-peaks
      matching: { instant: turn, tolerance_s: 0.06 }
      smoothing: average:9
      camera: { fps: 30, estimator_ms: 30 }
      metrics:
      - { detector: swing-states, metric: strokes.f1 }
      stop_at: 0.2

      """, to: "datasets/suites/tennis.yaml")
    try workspace.run("run", "--suite", "tennis").expectSuccess()
    let results = try workspace.results("tennis")
    #expect(results.labels == ["foreslice": "forehand", "backslice": "backhand", "serve": "forehand"])
    let found = try compareReplays(workspace, with: results)
    #expect(found.right > 0 && found.wrong > 0)
    let misnamed = results.clips.map {
      (clip: $0, count: results.mistakes("swing-states", on: $0).misnamedStrokes ?? 0)
    }
    let worst = try #require(misnamed.max { $0.count < $1.count })
    let lines = try workspace.run("replay", worst.clip.id, "--suite", "tennis").output.split(separator: "\n")
    #expect(worst.count > 0 && lines.count { $0.hasPrefix("misnamed stroke ") } == worst.count)
    #expect(lines.prefix(2).joined(separator: " ").contains(", names \(worst.count) wrong"))
  }

  @Test func recipesOfOtherExercisesAreLeftUnmadeUntilNoneElseHoldsTheClip() throws {
    let workspace = try Workspace.withSquats()
    let recipe = "exercise: push-up\nseed: 4\nsubjects: 1\nclips_per_subject: 1\n"
    try workspace.write(recipe, to: "datasets/pushes/recipe.yaml")
    func made() throws -> Set<String> { Set(try workspace.store().datasets().map(\.manifest.name)) }
    try workspace.run("replay", "anna_1").expectSuccess()
    #expect(try made() == ["squats"])
    try workspace.run("replay", "s01_side_1").expectSuccess()
    #expect(try made() == ["squats", "pushes"])
  }

  @Test func aClipWithoutPoses() throws {
    let workspace = try Workspace.withSquats()
    try workspace.replace(",poses/cleo_1.npy,", with: ",,", in: "datasets/squats/clips.csv")
    try workspace.run("replay", "cleo_1").expectFailure(5, "clip cleo_1: expected poses, found labels only")
  }
}
