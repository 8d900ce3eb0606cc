import Datasets
import Evaluation
import Foundation
import PoseModel
import Testing

/// Predictions that another system wrote to files, as runs of a suite.
@Suite struct PredictionTests {
  private static let yaml = """
    detector: our-app
    predictions: file
    kind: reps
    exercise: squat

    """

  /// A project whose suite has a detector that is never replayed.
  private func project(_ clips: [SquatClip] = SquatClip.twelve) throws -> Workspace {
    let workspace = try Workspace.withSquats(clips) {
      $0.detectors = ["- name: our-app"]
      $0.metrics = [("our-app", "count.exact", 0.05), ("our-app", "reps.f1", nil)]
    }
    try workspace.write(Self.yaml, to: "detectors/our-app.yaml")
    return workspace
  }

  /// The reps of clips, each of which may leave some out.
  private func csv(_ clips: [SquatClip], header: String = "clip,start_s,end_s", leavingOut: Int = 0) -> String {
    header + "\n"
      + clips.flatMap { clip in
        clip.reps.dropLast(leavingOut).map { "\(clip.name),\($0.start.seconds),\($0.end.seconds)\n" }
      }.joined()
  }

  /// Everything that knows a run knows it, without the file.
  @Test func aRunLikeAnyOther() throws {
    let workspace = try Workspace.withSquats()
    // anna's second rep is missing, bert's are all there, cleo does nothing.
    try workspace.write(
      "clip,start_s,end_s\nanna_1,1,3\nbert_1,1,3\nbert_1,4,6\nbert_1,7,9\ncleo_1,,\n", to: "mine.csv")
    let outcome = try workspace.run("score", "--suite", "squat", "--predictions", "mine.csv")
    outcome.expectSuccess()
    #expect(outcome.output.hasPrefix("Counts right on 1 of 3 clips.\n"))
    #expect(outcome.output.contains("detector predictions, from mine.csv\n"))
    let results = try workspace.results()
    #expect(results.detectors.map(\.name) == ["predictions"])
    #expect(results.metric("predictions", "count.exact")?.value == 1.0 / 3)
    #expect(results.metric("predictions", "count.bias")?.value == -2.0 / 3)
    // The suite's metric for grades is of its other detector, and the predictions say no grades.
    #expect(
      results.metrics.filter(\.isListed).map(\.metric) == [
        "count.exact", "count.mae", "count.bias", "reps.timing-error",
      ])
    // No file said when a rep was reported, or what would have been before a camera.
    #expect(!results.metrics.contains { $0.metric.hasPrefix("latency.") })
    try workspace.remove("mine.csv")
    let history = try workspace.run("history", "list")
    #expect(history.code == 0 && history.output.contains("squat/"))
    try workspace.run("report", "--html").expectSuccess()
    try workspace.run("draw", "timeline", "--suite", "squat", "--clip", "anna_1", "--output", "t.png").expectSuccess()
    #expect(try workspace.bytes("t.png").starts(with: [0x89, 0x50, 0x4E, 0x47]))
  }

  /// What a team does whose pipeline is in another language: write a file, then gate.
  @Test func theGateOfADetectorThatIsNeverReplayed() throws {
    let workspace = try project()
    let clips = SquatClip.twelve
    try workspace.run("run", "--suite", "squat").expectFailure(
      5,
      "detector our-app: expected its predictions, which come from files (detectors/our-app.yaml): "
        + "give --predictions FILE; in place of bench run, use bench score, found none")
    try workspace.write(csv(clips), to: "predictions.csv")
    try workspace.run("score", "--suite", "squat", "--predictions", "predictions.csv").expectSuccess()
    try workspace.run("baseline", "accept", "--suite", "squat", "--predictions", "predictions.csv").expectSuccess()
    let same = try workspace.run("gate", "--suite", "squat", "--predictions", "predictions.csv")
    same.expectSuccess()
    #expect(same.output.contains("PASS"))
    // These are the labels themselves.
    let text = same.output.replacing(#/\n +/#, with: " ")
    #expect(text.contains("Each matched rep of our-app begins and ends at the very time of its label"), "\(text)")
    // And these are labels that were moved.
    let moved = clips.flatMap { clip in
      clip.reps.map { "\(clip.name),\($0.start.seconds + 0.1),\($0.end.seconds + 0.05)\n" }
    }
    try workspace.write("clip,start_s,end_s\n" + moved.joined(), to: "predictions.csv")
    let shifted = try workspace.run("gate", "--suite", "squat", "--predictions", "predictions.csv").text
    #expect(
      shifted.contains("our-app begins and ends at the same distance from its label (100 and 50 ms)"), "\(shifted)")
    // Or labels that were moved by −15, 0 and 15 ms.
    let jittered = clips.enumerated().flatMap { index, clip in
      let jitter = 0.015 * Double(index % 3 - 1)
      return clip.reps.map { "\(clip.name),\($0.start.seconds + jitter),\($0.end.seconds + jitter)\n" }
    }
    try workspace.write("clip,start_s,end_s\n" + jittered.joined(), to: "predictions.csv")
    let near = try workspace.run("gate", "--suite", "squat", "--predictions", "predictions.csv").text
    #expect(
      near.contains("Half of the matched reps of our-app begin and end within 15 ms of the same distance"), "\(near)")
    try workspace.write(csv(clips, leavingOut: 1), to: "predictions.csv")
    let worse = try workspace.run("gate", "--suite", "squat", "--predictions", "predictions.csv")
    #expect(worse.code == 2)
    #expect(worse.output.contains("exact counts of our-app are worse by 1.000"))
    #expect(worse.output.contains("bench draw timeline --suite squat --clip "))
    // The history finds the run.
    #expect(try workspace.run("history", "list", "--suite", "squat").output.contains("squat/gate-"))
    try workspace.write(csv(Array(clips.dropFirst(2))), to: "predictions.csv")
    try workspace.run("gate", "--suite", "squat", "--predictions", "predictions.csv").expectFailure(
      5,
      "predictions.csv: expected a prediction for each of the 12 clips; a row with only a clip means that "
        + "nothing was found in it, found none for squats/clip_1, squats/clip_2")
    // A score shows what there is.
    let lacking = try workspace.run("score", "--suite", "squat", "--predictions", "predictions.csv")
    lacking.expectSuccess()
    #expect(lacking.output.contains("2 clips without a prediction in predictions.csv"))
  }

  /// A baseline is of all clips, or it stays as it was; a difference from it is shown without a verdict's exit code.
  @Test func aBaselineOfPredictions() throws {
    let workspace = try project()
    let clips = SquatClip.twelve
    let predictions = ["--suite", "squat", "--predictions", "predictions.csv"]
    try workspace.write(csv(clips), to: "predictions.csv")
    try workspace.run(["baseline", "accept"] + predictions).expectSuccess()
    let before = try workspace.bytes(BaselineTests.file)
    try workspace.write(csv(Array(clips.dropFirst(2))), to: "predictions.csv")
    try workspace.run(["baseline", "accept"] + predictions).expectFailure(
      5, saying: ["expected a prediction for each of the 12 clips", "found none for squats/clip_1, squats/clip_2"])
    #expect(try workspace.bytes(BaselineTests.file) == before)
    try workspace.write(csv(clips, leavingOut: 1), to: "predictions.csv")
    let different = try workspace.run(["baseline", "diff"] + predictions)
    different.expectSuccess()
    #expect(different.output.contains("verdict  REGRESSION: exact counts of our-app are worse by 1.000"))
    // The files are the detector's.
    #expect(different.output.contains("\nchanged  our-app.files: "))
    try workspace.write(csv(clips), to: "moved.csv")
    let moved = try workspace.run("baseline", "diff", "--suite", "squat", "--predictions", "moved.csv")
    #expect(moved.code == 0 && !moved.output.contains("our-app.files"), "\(moved.output)")
  }

  /// Of two detectors that are never replayed, a file must say which it is about.
  @Test func severalDetectorsThatAreNeverReplayed() throws {
    let workspace = try Workspace.withSquats {
      $0.detectors = ["- name: our-app", "- name: their-app"]
      $0.metrics = [("our-app", "count.exact", 0.05), ("their-app", "count.exact", nil)]
    }
    try workspace.write(Self.yaml, to: "detectors/our-app.yaml")
    try workspace.write(Self.yaml.replacing("our-app", with: "their-app"), to: "detectors/their-app.yaml")
    try workspace.write(csv(SquatClip.three), to: "p.csv")
    try workspace.run("score", "--suite", "squat", "--predictions", "p.csv").expectFailure(
      1,
      "p.csv:2: clip anna_1: expected a column detector, as the suite has several without a replay: our-app, their-app, "
        + "found none")
  }

  /// A file may be about all recordings, of which a suite takes some exercises.
  @Test func clipsOfOtherExercises() throws {
    let workspace = try Workspace()
    var dataset = SquatClip.dataset("squats", SquatClip.three)
    dataset.clips[2].info.exercise = "lunge"
    try workspace.write(SquatSuite(content: workspace.add(dataset)).yaml, to: "datasets/suites/squat.yaml")
    try workspace.write("clip,count\nanna_1,2\nbert_1,2\ncleo_1,1\n", to: "p.csv")
    let outcome = try workspace.run("score", "--suite", "squat", "--predictions", "p.csv")
    outcome.expectSuccess()
    #expect(outcome.output.hasPrefix("Counts right on 1 of 2 clips.\n"))
    #expect(outcome.output.contains("1 clip in p.csv left out: the suite lacks their exercises.\n"))
  }

  @Test func twoFilesAreCompared() throws {
    let workspace = try project()
    try workspace.write(csv(SquatClip.twelve), to: "a.csv")
    try workspace.write(csv(SquatClip.twelve, leavingOut: 1), to: "b.csv")
    let both = try workspace.run(
      "compare", "--suite", "squat", "--from-predictions", "a.csv", "--predictions", "b.csv")
    both.expectSuccess()
    #expect(both.output.hasPrefix("B is worse: exact counts on 0 instead of 12 of 12 clips, worse for 12 of 12"))
    // Both are scored again on slices, which stored runs can't be.
    #expect(!both.output.contains("need both sides replayed"))
    try workspace.run("score", "--suite", "squat", "--predictions", "a.csv").expectSuccess()
    let stored = try workspace.run("compare", "--suite", "squat", "--runs", "latest", "--predictions", "b.csv")
    stored.expectSuccess()
    #expect(stored.output.hasPrefix("B is worse: exact counts on 0 instead of 12 of 12 clips"))
  }

  /// The predictions of a detector that the suite also replays take the place of its replay, and of no other's.
  @Test func aColumnNamesTheDetector() throws {
    let workspace = try Workspace.withSquats()
    try workspace.write(
      "clip,count,detector\nanna_1,9,squat-states\nbert_1,9,squat-states\ncleo_1,9,squat-states\n", to: "p.csv")
    try workspace.run("score", "--suite", "squat", "--predictions", "p.csv").expectSuccess()
    let results = try workspace.results()
    #expect(results.detectors.map(\.name) == ["squat-states", "squat-posture"])
    #expect(results.metric("squat-states", "count.exact")?.value == 0)
    #expect(results.metric("squat-posture", "grades.mae")?.value != nil)
    try workspace.write("clip,count,detector\nanna_1,9,squat-state\n", to: "p.csv")
    try workspace.run("score", "--suite", "squat", "--predictions", "p.csv").expectFailure(
      1,
      "p.csv:2: clip anna_1: expected one of the suite's detectors squat-states, squat-posture, or no detector, "
        + "found \"squat-state\", did you mean squat-states?")
  }

  /// The same in the words of the detector protocol.
  @Test func linesOfJSON() throws {
    let workspace = try project(SquatClip.three)
    try workspace.write(
      """
      {"clip":"anna_1","type":"rep","start":1,"end":3,"reported":3.2}
      {"clip":"squats/anna_1","type":"rep","start":6.333333,"end":8.333333,"reported":8.533333}
      {"clip":"bert_1","events":[{"type":"rep","start":1,"end":3},{"type":"rep","start":4,"end":6}]}
      {"clip":"cleo_1"}

      """, to: "p.jsonl")
    try workspace.run("score", "--suite", "squat", "--predictions", "p.jsonl").expectSuccess()
    let results = try workspace.results()
    // anna is right, bert has 2 of 3, cleo 0 of 1.
    #expect(results.metric("our-app", "count.exact")?.value == 1.0 / 3)
    // 4 found of 6, none invented: 2 · 1 · (2 / 3) / (1 + 2 / 3).
    #expect(abs((results.metric("our-app", "reps.f1")?.value ?? 0) - 0.8) < 1e-9)
    // Only anna's reps say when they were reported, 200 ms after their ends.
    #expect(abs((results.metric("our-app", "latency.report")?.value ?? 0) - 200) < 0.01)
    try workspace.write("\n{\"clip\":\"anna_1\",\"type\":\"rep\",\"strat\":1,\"end\":3}\n", to: "p.jsonl")
    try workspace.run("score", "--suite", "squat", "--predictions", "p.jsonl").expectFailure(
      1, saying: ["p.jsonl:2: ", "\"strat\", did you mean start?"])
    try workspace.write("{\"clip\":\"anna_1\",\"type\":\"rip\"}\n", to: "p.jsonl")
    try workspace.run("score", "--suite", "squat", "--predictions", "p.jsonl").expectFailure(
      1, saying: ["p.jsonl:1: clip anna_1: expected an event whose type is one of rep, phase", "did you mean rep?"])
  }

  /// Grades and faults by a rep's number, in files of their own.
  @Test func gradesAndFaultsOfReps() throws {
    let workspace = try Workspace.withSquats()
    try workspace.write(csv(SquatClip.three), to: "reps.csv")
    // The raters' mean is 85 for every rep.
    try workspace.write("clip,rep,grade\nanna_1,1,80\nanna_1,2,90\nbert_1,1,85\ncleo_1,1,65\n", to: "grades.csv")
    try workspace.run("score", "--suite", "squat", "--predictions", "reps.csv", "grades.csv").expectSuccess()
    let results = try workspace.results()
    // anna errs by 5 and 5, bert by 0 and cleo by 20: (5 + 0 + 20) / 3.
    #expect(abs((results.metric("predictions", "grades.mae")?.value ?? 0) - 25.0 / 3) < 1e-9)
    #expect(results.metric("predictions", "grades.coverage")?.value == 4.0 / 6)
    try workspace.write("clip,rep,grade\nanna_1,3,80\n", to: "grades.csv")
    try workspace.run("score", "--suite", "squat", "--predictions", "reps.csv", "grades.csv").expectFailure(
      1, "grades.csv:2: clip anna_1: expected a predicted rep with this number, found rep 3 of 2")
    try workspace.write("clip,rep,grade\nanna_1,1,80\nanna_1,2,150\n", to: "grades.csv")
    try workspace.run("score", "--suite", "squat", "--predictions", "reps.csv", "grades.csv").expectFailure(
      1, "grades.csv:3: clip anna_1: expected a grade on form from 0 to 100, found 150")
  }

  /// The error of grades is that of the reps that are graded, so a detector that grades half of them may seem unchanged.
  @Test func gradesThatAreNoLongerGivenAreAFinding() throws {
    let workspace = try Workspace.withSquats(SquatClip.three) {
      $0.detectors = ["- name: our-app"]
      $0.metrics = [("our-app", "grades.mae", 5)]
    }
    try workspace.write(
      "detector: our-app\npredictions: file\nkind: form\ncounts: on\ncriterion: form\n", to: "detectors/our-app.yaml")
    try workspace.write(csv(SquatClip.three), to: "reps.csv")
    let grades = "clip,rep,grade\nanna_1,1,85\nbert_1,1,85\ncleo_1,1,85\n"
    try workspace.write(grades + "anna_1,2,85\nbert_1,2,85\nbert_1,3,85\n", to: "grades.csv")
    let predictions = ["--predictions", "reps.csv", "grades.csv"]
    try workspace.run(["baseline", "accept", "--suite", "squat"] + predictions).expectSuccess()
    let gate = ["gate", "--suite", "squat"] + predictions
    #expect(!(try workspace.run(gate).output.contains("finding")))
    try workspace.write(grades, to: "grades.csv")
    let fewer = try workspace.run(gate)
    #expect(
      fewer.text.contains(
        "our-app predicts less: no prediction for 3 labelled cases, 0 in the baseline (grade error)"),
      "\(fewer.text)")
    // An older baseline has no such numbers.
    try workspace.edit(BaselineTests.file) { $0["countsUnanswered"] = nil }
    let unknown = try workspace.run(gate).text
    #expect(
      unknown.contains(
        "finding our-app predicts nothing in 3 labelled cases (grade error). The baseline does not say in how many"),
      "\(unknown)")
  }

  /// anna is right and sure, bert wrong and not, cleo right without a word: of the surest 2.4 clips 1.4 are right.
  @Test(arguments: [
    ["clip,count,count_confidence\nanna_1,2,0.9\nbert_1,1,0.2\ncleo_1,1,\n"],
    ["clip,count\nanna_1,2\nbert_1,1\ncleo_1,1\n", "clip,count_confidence\nanna_1,0.9\nbert_1,0.2\n"],
    [
      """
      {"clip":"anna_1","count":2,"count_confidence":0.9}
      {"clip":"bert_1","count":1,"count_confidence":0.2}
      {"clip":"cleo_1","count":1}

      """
    ],
  ])
  func confidencesOfCounts(_ files: [String]) throws {
    let workspace = try Workspace.withSquats()
    for (index, file) in files.enumerated() { try workspace.write(file, to: "p\(index)") }
    try workspace.run(["score", "--suite", "squat", "--predictions"] + files.indices.map { "p\($0)" }).expectSuccess()
    let results = try workspace.results()
    func value(_ name: String) -> Double? { results.metric("predictions", "count.\(name)")?.value ?? nil }
    #expect(value("coverage") == 1.0 / 3 && value("off-by-one-covered") == 1)
    #expect(abs((value("off-by-one-80") ?? 0) - 1.4 / 2.4) < 1e-9)
    #expect(results.metric("predictions", "count.coverage")?.unanswered == 1)
    #expect(results.clips.map { $0.outcomes["predictions"]?.countConfidence } == [0.9, 0.2, nil])
  }

  @Test func aConfidenceNeedsACount() throws {
    let workspace = try Workspace.withSquats()
    try workspace.write("clip,count_confidence\nanna_1,0.9\n", to: "p.csv")
    try workspace.run("score", "--suite", "squat", "--predictions", "p.csv").expectFailure(
      1, "p.csv:2: clip anna_1: expected a count or reps beside a confidence, found neither in these files")
  }

  /// A clip with labels only needs no poses, as nothing is replayed.
  @Test func clipsWithLabelsOnly() throws {
    let workspace = try project(SquatClip.three)
    var dataset = SquatClip.dataset("squats", SquatClip.three)
    for index in dataset.clips.indices { dataset.clips[index].keypoints = nil }
    try workspace.remove("datasets/squats")
    let content = try workspace.add(dataset)
    let old = try #require(
      try workspace.text("datasets/suites/squat.yaml").split(separator: "\n").first { $0.contains("content:") })
    try workspace.replace(String(old), with: "  content: \(content)", in: "datasets/suites/squat.yaml")
    try workspace.write(csv(SquatClip.three), to: "p.csv")
    try workspace.run("score", "--suite", "squat", "--predictions", "p.csv").expectSuccess()
    #expect(try workspace.results().metric("our-app", "reps.f1")?.value == 1)
  }

  /// Clips of the same name in two datasets.
  @Test func severalDatasets() throws {
    let workspace = try Workspace.withSquats()
    try workspace.add(SquatClip.dataset("more", SquatClip.three))
    let both = ["--dataset", "squats", "--dataset", "more"]
    try workspace.write("clip,count\nanna_1,2\n", to: "p.csv")
    try workspace.run(["score", "--suite", "squat", "--predictions", "p.csv"] + both).expectFailure(
      1,
      "p.csv:2: clip anna_1: expected a clip of one dataset, squats/anna_1 or more/anna_1, found a name in several datasets"
    )
    try workspace.write(
      "dataset,clip,count\nsquats,anna_1,2\nsquats,bert_1,3\nsquats,cleo_1,1\nmore,anna_1,0\nmore,bert_1,0\nmore,cleo_1,0\n",
      to: "p.csv")
    try workspace.run(["score", "--suite", "squat", "--predictions", "p.csv"] + both).expectSuccess()
    #expect(try workspace.results().metric("predictions", "count.exact")?.value == 0.5)
    let alone = try workspace.run(["score", "--predictions", "p.csv"] + both)
    alone.expectSuccess()
    #expect(alone.output.hasPrefix("Counts right on 3 of 6 clips.\n"))
  }

  /// 30 frames a second, 45 from address to impact: 45 / 30 is rounded to the even 2 frames. Two frames late is right,
  /// three are not.
  @Test func golfsEventsByPCE() throws {
    let workspace = try Workspace()
    var dataset = SquatClip.dataset("swings", [SquatClip.three[0]])
    func time(_ frame: Int) -> Microseconds { Microseconds(frame: frame, rate: 30) }
    dataset.clips[0].labels = GroundTruth(
      events: [("address", 30), ("top", 60), ("impact", 75)].map { LabelledInstant(time: time($0.1), label: $0.0) })
    try workspace.add(dataset)
    try workspace.write(
      "clip,time_s,label,score\nanna_1,\(time(32).seconds),address,0.9\nanna_1,\(time(63).seconds),top,0.8\n"
        + "anna_1,\(time(75).seconds),impact,0.7\n", to: "golf.csv")
    let outcome = try workspace.run("score", "--dataset", "swings", "--predictions", "golf.csv")
    outcome.expectSuccess()
    #expect(outcome.output.contains(#/\nevents\.pce +0\.6667 /#))
    // All three are within half a second.
    #expect(outcome.output.contains(#/\nevents\.map +1\.0000 /#))
    #expect(outcome.output.contains(#/\nstrokes\.recall +1\.0000 /#))
  }

  /// Half of the labelled time is named right, and of two intervals one overlaps enough.
  @Test func intervals() throws {
    let workspace = try Workspace()
    var dataset = SquatClip.dataset("phases", [SquatClip.three[0]])
    func segment(_ start: Int, _ end: Int, _ label: String) -> Segment {
      Segment(start: Microseconds(frame: start, rate: 30), end: Microseconds(frame: end, rate: 30), label: label)
    }
    dataset.clips[0].labels = GroundTruth(intervals: [segment(0, 30, "down"), segment(30, 60, "up")])
    try workspace.add(dataset)
    try workspace.write("clip,start_s,end_s,label\nanna_1,0,1,down\n", to: "p.csv")
    let outcome = try workspace.run("score", "--dataset", "phases", "--predictions", "p.csv")
    outcome.expectSuccess()
    #expect(outcome.output.contains(#/\nclasses\.accuracy +0\.5000 /#))
    #expect(outcome.output.contains(#/\nsegments\.map +0\.5000 /#))
    try workspace.write("clip,start_s,end_s,label\nanna_1,0,1,down\nanna_1,0.5,2,up\n", to: "p.csv")
    try workspace.run("score", "--dataset", "phases", "--predictions", "p.csv").expectFailure(
      1,
      "p.csv:3: clip anna_1: expected intervals without overlap, or with scores, found an interval that begins before the end of "
        + "line 2")
  }

  /// A phase with only a time lasts until the next, and the last one until the end of the clip.
  @Test func phasesWithOnlyATime() throws {
    let workspace = try Workspace()
    var dataset = SquatClip.dataset("phases", [SquatClip.three[0]])
    func time(_ frame: Int) -> Microseconds { Microseconds(frame: frame, rate: 30) }
    dataset.clips[0].labels = GroundTruth(intervals: [
      Segment(start: time(0), end: time(30), label: "down"), Segment(start: time(30), end: time(270), label: "up"),
    ])
    try workspace.add(dataset)
    try workspace.write(
      "{\"clip\":\"anna_1\",\"events\":[{\"type\":\"phase\",\"phase\":\"up\",\"time\":1},"
        + "{\"type\":\"phase\",\"phase\":\"down\",\"time\":0}]}\n", to: "p.jsonl")
    let outcome = try workspace.run("score", "--dataset", "phases", "--predictions", "p.jsonl")
    outcome.expectSuccess()
    #expect(outcome.output.contains(#/\nclasses\.accuracy +1\.0000 /#), "\(outcome.output)")
    #expect(outcome.output.contains(#/\nsegments\.map +1\.0000 /#), "\(outcome.output)")
  }

  @Test(arguments: [
    (
      "clip,count\nana_1,2\n",
      "p.csv:2: clip ana_1: expected a clip of dataset squats, found none called \"ana_1\", did you mean anna_1?"
    ),
    (
      "clip,count\nana_1,2\nbret_1,2\n",
      "p.csv:2: clip ana_1: expected a clip of dataset squats, found none called \"ana_1\", did you mean anna_1?; and 1 "
        + "more such clip"
    ),
    (
      "clip,start_s,end_s\nanna_1,1,3\nanna_1,1,3\n",
      "p.csv:3: clip anna_1: expected each rep once, found the same on line 2"
    ),
    (
      "clip,start_s,end_s,reported_s\nanna_1,1,3,2\n",
      "p.csv:2: clip anna_1: expected a report no earlier than the end 3.0 s, found 2.0 s"
    ),
    (
      "clip,strat_s,end_s\nanna_1,1,3\n",
      "p.csv:1: expected a column count, count_confidence, time_s, grade or fault, or start_s and end_s, found only "
        + "\"clip\", \"strat_s\", \"end_s\"; rename \"strat_s\" to start_s"
    ),
    (
      "clip,start_s,end_s,reportd_s\nanna_1,1,3,3\n",
      "p.csv:1: expected known columns, without misspelt ones, found \"reportd_s\", did you mean reported_s?"
    ),
    (
      "clip,count,count_confidence\nanna_1,2,0.9\n",
      "p.csv:2: clip anna_1: expected confidence: on in detectors/our-app.yaml, found a confidence without it"
    ),
    (
      "clip,count,count_confidence\nanna_1,2,90\n",
      "p.csv:2: expected a probability from 0 to 1 in column count_confidence, found \"90\""
    ),
    (
      "clip,time_s,label\nanna_1,1,serve\n",
      "p.csv: expected reps or counts of our-app, which detectors/our-app.yaml declares as a counter, found neither in these files"
    ),
  ])
  func predictionsThatCannotBeJoined(csv: String, message: String) throws {
    let workspace = try project(SquatClip.three)
    try workspace.write(csv, to: "p.csv")
    try workspace.run("score", "--suite", "squat", "--predictions", "p.csv").expectFailure(1, message)
  }

  /// The clip has 280 frames: it ends 280 / 30 s after its start.
  @Test(arguments: [
    ("clip,time_s,label\nanna_1,1,hit\nanna_1,1,hit\n", 3, "each stroke once, found the same on line 2"),
    (
      "clip,start_s,end_s,grade\nanna_1,1,3,80\nanna_1,1,3,90\n", 3,
      "each grade on form of a rep once, found another on line 2"
    ),
    (
      "clip,start_s,end_s,fault\nanna_1,1,3,shallow\nanna_1,1,3,shallow\n", 3,
      "each fault shallow of a rep once, found another on line 2"
    ),
    (
      "clip,time_s,label\nanna_1,9.333,hit\nanna_1,9.34,hit\n", 3,
      "the contact no later than the end of the clip, 9.333333 s of a stroke, found 9.34 s"
    ),
    (
      "clip,start_s,end_s,label\nanna_1,9,9.34,down\n", 2,
      "the end no later than the end of the clip, 9.333333 s of a phase, found 9.34 s"
    ),
    (
      "{\"clip\":\"anna_1\",\"type\":\"cue\",\"time\":9.34,\"text\":\"Lower\"}\n", 1,
      "the time no later than the end of the clip, 9.333333 s of a cue, found 9.34 s"
    ),
  ])
  func whatIsSaidTwiceOrTooLate(file: String, line: Int, message: String) throws {
    let workspace = try Workspace()
    try workspace.add(SquatClip.dataset("squats", [SquatClip.three[0]]))
    try workspace.write(file, to: "p.csv")
    try workspace.run("score", "--dataset", "squats", "--predictions", "p.csv").expectFailure(
      1, "p.csv:\(line): clip anna_1: expected \(message)")
  }

  /// Names as other languages write them.
  @Test func columnsInOtherSpellings() throws {
    let workspace = try project(SquatClip.three)
    try workspace.write(csv(SquatClip.three, header: "videoId,StartTime,end-s"), to: "p.csv")
    try workspace.run("score", "--suite", "squat", "--predictions", "p.csv").expectSuccess()
    #expect(try workspace.results().metric("our-app", "count.exact")?.value == 1)
  }
}
