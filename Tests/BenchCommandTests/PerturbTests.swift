import Datasets
import Evaluation
import Foundation
import Pipeline
import Testing

/// Runs on poses with which something goes wrong on purpose.
@Suite struct PerturbTests {
  @Test func whatIsHiddenIsNotCountedAndNothingGates() throws {
    let workspace = try BaselineTests.accepted()
    let outcome = try workspace.run("run", "--suite", "squat", "--perturb", "occlude=knee", "--seed", "7")
    outcome.expectSuccess()
    #expect(outcome.output.contains("\nperturbed occlude=left_knee+right_knee, seed 7: "))
    #expect(outcome.output.contains("verdict  not compared: "))
    // A replay would show the recorded poses.
    #expect(outcome.output.contains("bench draw timeline --suite squat --clip "))
    #expect(!outcome.output.contains("bench replay"))
    let results = try workspace.results()
    #expect(results.perturbation?.text == "occlude=left_knee+right_knee" && results.perturbation?.seed == 7)
    #expect(results.clips.allSatisfy { $0.outcomes["squat-states"]?.count == 0 })
    // The truth is as it was.
    #expect(results.clips.compactMap(\.trueCount).reduce(0, +) > 0)
    let report = try workspace.text("reports/squat/latest/report.md")
    #expect(report.contains("> **Perturbed.** occlude=left_knee+right_knee, seed 7: "))
    #expect(report.contains("expected a run on the poses as they were recorded, found one perturbed by occlude="))
    try workspace.run("compare", "--suite", "squat", "--runs", "baseline", "latest").expectFailure(
      5, saying: ["expected a run on the poses as they were recorded", "occlude=left_knee+right_knee"])
    let gate = try workspace.run("gate", "--suite", "squat", "--perturb", "noise=2%")
    #expect(gate.code == 64 && gate.error.contains("--perturb"))
    // The hint is of its run, whichever was made since.
    try workspace.run("run", "--suite", "squat").expectSuccess()
    let hint = try #require(outcome.output.firstMatch(of: #/bench (draw timeline --suite squat --clip \S+ --run \S+)/#))
    let drawn = try workspace.run(hint.output.1.split(separator: " ").map(String.init))
    drawn.expectSuccess()
    #expect(drawn.text.contains(" not seen in the whole rep"), "\(drawn.output)")
  }

  @Test func helpSaysWhatEachDoes() throws {
    let help = try Workspace().run("run", "--help").output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(Perturbations.all.count == 7)
    for perturbation in Perturbations.all { #expect(help.contains(perturbation.profile.meaning)) }
  }

  /// Reports come 100 ms before the squats' marked ends: two tenths of a second later, 100 ms after them.
  @Test func latencyIsWhatWasAdded() throws {
    let workspace = try Workspace.withSquats()
    try workspace.run("run", "--suite", "squat", "--perturb", "latency=60ms,latency=0.14s").expectSuccess()
    let results = try workspace.results()
    #expect(abs(try #require(results.metric("squat-states", "latency.report")?.value) - 100) < 0.001)
    #expect(results.metric("squat-states", "latency.early")?.value == 0)
    #expect(results.metric("squat-states", "count.exact")?.value == 1)
  }

  /// A sweep's clips are prepared as a run's are: perturbed, smoothed, seen by the suite's camera.
  @Test func aSweepScoresWhatARunScores() async throws {
    let workspace = try Workspace.withSquats { $0.smoothing = "one-euro" }
    let project = Project(root: workspace.project)
    let run = try SuiteRun(
      project.suite(named: "squat", registry: .builtIn),
      perturbations: Perturbations("noise=10%,dropout=20%,latency=60ms", seed: 3), in: project,
      store: Store(at: project.storePath), registry: .builtIn)
    let results = try await run.results(version: "test", threads: 2)
    let detectors = run.settings.map(\.definition)
    let plan = try SweepPlan([SweepAxis("reps.squat-states.bottomAngle=80,100", of: detectors)])
    for metric in ["count.mae", "reps.timing-error", "latency.report", "latency.live", "latency.live-lost"] {
      let sweep = try await SweepRun(plan, metric: metric, on: run).results(version: "test", threads: 2)
      let own = try #require(results.metric("squat-states", metric))
      #expect(sweep.base.value == own.value && sweep.base.bySubject == own.bySubject, "\(metric)")
      #expect(sweep.base.undefinedClips == own.undefinedClips)
    }
    // Whole blocks of 64 frames are timed, after the replay.
    let blocks = results.clips.reduce(0) { $0 + $1.frames / 64 }
    #expect(results.measured["squat-states"]?.blocks == blocks && blocks > 0)
    #expect(try await run.replay(version: "test", threads: 2).results.measured.isEmpty)
  }

  /// Twelve people's 24 reps are enough for a median; with hidden knees there is none to report. In the ladder's runs
  /// there is no metric that only the results at hand have.
  @Test func whatAPerturbationLeavesUndefinedOrMissingIsSaid() async throws {
    let workspace = try Workspace.withSquats(SquatClip.twelve) {
      $0.metrics = [("squat-states", "latency.report.p50", nil), ("squat-states", "count.exact", nil)]
    }
    try workspace.run("run", "--suite", "squat").expectSuccess()
    #expect(try workspace.results().metric("squat-states", "latency.report.p50")?.value != nil)
    try workspace.run("run", "--suite", "squat", "--perturb", "occlude=knee").expectSuccess()
    let hidden = try #require(try workspace.results().metric("squat-states", "latency.report.p50"))
    #expect(hidden.isListed && hidden.value == nil && hidden.interval == nil)
    let project = Project(root: workspace.project)
    let run = try SuiteRun(
      project.suite(named: "squat", registry: .builtIn), in: project, store: Store(at: project.storePath),
      registry: .builtIn)
    var results = try await run.replay(version: "test", threads: 2).results
    var other = try #require(results.metrics.first)
    other.metric = "count.other"
    results.metrics.append(other)
    let robustness = try await run.robustness(beside: results, seed: 1, version: "test", threads: 2)
    let notes = try #require(robustness.notes)
    #expect(notes.contains("count.other of squat-states is missing under noise=1%, noise=2%, noise=5%, noise=10%"))
    #expect(!notes.contains { $0.contains("latency.report.p50") })
    let ladder = robustness.ladders.first { $0.perturbation == "dropout" && $0.metric == "latency.report.p50" }
    #expect(ladder?.steps.count == 4)
  }

  @Test func theSeedAndNotTheThreadsDecide() throws {
    let workspace = try Workspace.withSquats()
    func clips(_ arguments: String...) throws -> [ClipResult] {
      try workspace.run(["run", "--suite", "squat", "--perturb", "noise=10%,dropout=20%"] + arguments).expectSuccess()
      return try workspace.results().clips
    }
    let once = try clips("--jobs", "1")
    #expect(try clips("--jobs", "3") == once)
    #expect(try clips("--seed", "2") != once)
  }

  @Test func whatMakesNoSenseIsRefused() throws {
    let workspace = try Workspace.withSquats()
    func refused(_ code: Int32, _ parts: [String], _ arguments: String...) throws {
      try workspace.run(["run", "--suite", "squat"] + arguments).expectFailure(code, saying: parts)
    }
    try refused(64, ["--perturb: ", "found \"noize\", did you mean noise?"], "--perturb", "noize=2%")
    try refused(64, ["leave out --perturb"], "--perturb", "noise=2%", "--robustness")
    try refused(
      5, ["view=+80° of clip squats/", "expected depth (z) for a turn by more than 75°", "found none"], "--perturb",
      "view=+80°")
    #expect(workspace.names(in: "reports") == [])
  }

  @Test func theLadderIsDrawnAndTold() throws {
    let workspace = try Workspace.withSquats()
    let outcome = try workspace.run("run", "--suite", "squat", "--robustness")
    outcome.expectSuccess()
    #expect(outcome.output.contains(#/\nunder a perturbation +metric +recorded +perturbed +survives\n/#))
    #expect(
      outcome.output.contains(
        #/\nocclude=left_ankle\+left_knee\+left_hip\n  squat-states +exact counts +1\.000 +[0-9.]+ +[0-9]+ %\n/#))
    let flat = "view: without depth squats is turned as if it were flat: widths shrink by the cosine of the angle"
    #expect(outcome.output.replacing("\n         ", with: " ").contains(flat))
    #expect(outcome.output.contains(#/\nview=\+60°\n  squat-states +exact counts +1\.000 +[0-9.]+ +[0-9]+ %\n/#))
    let names = workspace.names(in: "reports/squat/latest")
    #expect(
      names.contains("robustness-noise-squat-states.png") && names.contains("robustness-latency-squat-states.png"))
    let robustness = try #require(try workspace.results().robustness)
    let ladder = try #require(
      robustness.ladders.first { $0.perturbation == "latency" && $0.metric == "latency.report" })
    // 50, 100, 200 and 400 ms later than 100 ms early: the first two are not late.
    let found = ladder.steps.compactMap(\.score.value)
    #expect(found.count == 4 && zip(found, [0, 0, 100, 300]).allSatisfy { abs($0 - $1) < 0.001 }, "\(found)")
    #expect(!robustness.ladders.contains { $0.perturbation == "latency" && $0.metric == "count.exact" })
    try workspace.run("draw", "robustness", "--suite", "squat", "--detector", "squat-states", "--out", "drawn/")
      .expectSuccess()
    #expect(
      Set(workspace.names(in: "drawn").map { "\($0.dropFirst("robustness-".count))" })
        == Set(
          names.filter { $0.hasSuffix("-squat-states.png") && $0.hasPrefix("robustness-") }
            .map { "\($0.dropFirst("robustness-".count))" }))
    let report = try workspace.text("reports/squat/latest/report.md")
    // A metric a row, a perturbation a column: hidden legs leave no rep to count.
    #expect(
      report.contains(
        #/\n## Robustness\n+\| metric \|.* occlude=left_ankle\+left_knee\+left_hip \|.*\n\|[-|]+\n\| exact counts \(count\.exact\) of squat-states \| -?[0-9]+ % \|/#
      ))
    #expect(report.contains("\n\(flat)"))
    #expect(report.contains("=\"robustness-occlude-squat-states-dark.png\""))
    let numbers = try ReportedNumbers(workspace.bytes("reports/squat/latest/results.json"))
    #expect(numbers.unexplained(in: report).wrong.map(\.text) == [])
  }
}
