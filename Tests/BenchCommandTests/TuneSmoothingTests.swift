import Evaluation
import Foundation
import Testing

/// What tuning chooses as the smoothing of the poses, and what reads it from the parameter file.
///
/// A jittery half squat reads 80° for one frame, below the 90° of a squat that counts. The mean of nine frames stays
/// above 110° there. It lifts the turn of a deep squat from 80.5° to 87.2°, which still counts, and that of the
/// shallowest one that counts from 86.5° to 93.2°, which does not.
@Suite struct TuneSmoothingTests {
  static let counter = ["--detector", "squat-states", "--metric", "count.mae"]
  static let choice = ["--tune", "smoothing=average:9"]

  /// Each counts one rep too many.
  static let jittery = [
    SquatClip(name: "anna_1", subject: "anna", squats: [SquatClip.half, SquatClip.deep], isJittery: true),
    SquatClip(name: "bert_1", subject: "bert", squats: [SquatClip.deep, SquatClip.half], isJittery: true),
    SquatClip(
      name: "cleo_1", subject: "cleo", squats: [SquatClip.half, SquatClip.deep, SquatClip.deep], isJittery: true),
  ]

  static let shallow = ["anna", "bert", "cleo"].map {
    SquatClip(name: "\($0)_1", subject: $0, squats: [SquatClip.justDeepEnough])
  }

  private func tuned(_ workspace: Workspace, _ arguments: [String]) throws -> TuneResults {
    let outcome = try workspace.run(["tune", "--suite", "squat", "--json", "--to", "tuned.yaml"] + arguments)
    outcome.expectSuccess(beside: "tune.md")
    return try JSONDecoder().decode(TuneResults.self, from: Data(outcome.output.utf8))
  }

  /// Counts are wrong by 2, 1 and 0 (anna, bert, cleo) without smoothing, and by 0, 0 and 1 with it. Without anna both
  /// have a mean of 1/2, and the suite's own stays; without bert it is 1 and 1/2, without cleo 3/2 and 0. So new people
  /// are expected to be wrong by (2 + 0 + 1)/3, as by default, and not by the 1/3 in sample.
  @Test(arguments: ["coordinate", "global", "both"]) func eachFoldChoosesAnew(method: String) throws {
    let workspace = try Workspace.withSquats([
      SquatClip(
        name: "anna_1", subject: "anna", squats: [SquatClip.half, SquatClip.deep, SquatClip.half], isJittery: true),
      SquatClip(name: "bert_1", subject: "bert", squats: [SquatClip.half, SquatClip.deep], isJittery: true),
      SquatClip(name: "cleo_1", subject: "cleo", squats: [SquatClip.justDeepEnough]),
    ])
    let results = try tuned(workspace, Self.counter + Self.choice + ["--search", method])
    #expect(results.axes.map(\.parameter) == ["smoothing"])
    #expect(results.axes[0].names == ["none", "average:9"])
    #expect(results.folds.map { $0.values["smoothing"] } == [0, 1, 1])
    let (scores, gains): ([Double?], [Double?]) = ([2, 0, 1], [0, 1, -1])
    #expect(results.folds.map(\.score) == scores)
    #expect(results.folds.map(\.gain) == gains)
    #expect(results.expected?.value == 1)
    #expect(results.expectedOfBase?.value == 1)
    #expect(results.inSample.value == 1.0 / 3)
    #expect(results.smoothing?.description == "average:9")
  }

  @Test func theSummaryTellsItAndItsDelay() throws {
    let workspace = try Workspace.withSquats(Self.jittery)
    let outcome = try workspace.run(["tune", "--suite", "squat"] + Self.counter + Self.choice)
    outcome.expectSuccess()
    #expect(outcome.output.contains(#/\nsmoothing +none +average:9 +average:9 × 3\n/#), "\(outcome.output)")
    #expect(outcome.output.contains("\ndelay    average:9 delays a steady movement by 4 frames\n"))
    let report = try workspace.text("reports/squat/\(workspace.names(in: "reports/squat")[0])/tune.md")
    #expect(report.contains("Smoothing: average:9 delays a steady movement by 4 frames."))
    #expect(report.contains("smoothing none or average:9"))
  }

  @Test func theFileSmoothsThePosesOfAllWhoReadIt() throws {
    let workspace = try Workspace.withSquats(Self.jittery)
    let results = try tuned(workspace, Self.counter + Self.choice)
    #expect(results.gain?.value == 1)
    #expect(try workspace.text("tuned.yaml").contains("\nsmoothing: average:9\ntuned_on:\n"))
    let file = ["--suite", "squat", "--parameters", "tuned.yaml"]
    try workspace.run("run", "--suite", "squat", "--smooth", "average:9").expectSuccess()
    let smoothed = try workspace.results()
    try workspace.run(["run"] + file).expectSuccess()
    let fromFile = try workspace.results()
    #expect(fromFile.smoothing == "average:9")
    #expect(fromFile.metrics == smoothed.metrics)
    #expect(fromFile.metric("squat-states", "count.mae")?.value == 0)
    try workspace.run(["tally"] + file + ["--to", "all.jsonl"]).expectSuccess()
    try workspace.run("merge", "all.jsonl").expectSuccess()
    #expect(try workspace.results().smoothing == "average:9")
    #expect(try workspace.results().metrics == smoothed.metrics)
    // What is given goes before the file.
    try workspace.run(["run"] + file + ["--smooth", "none"]).expectSuccess()
    #expect(try workspace.results().smoothing == nil)
    #expect(try workspace.results().metric("squat-states", "count.mae")?.value == 1)

    let compared = try workspace.run(["compare"] + file)
    #expect(compared.output.contains("changed  smoothing: none → average:9\n"))
    try workspace.run("baseline", "accept", "--suite", "squat").expectSuccess()
    try workspace.run(["gate", "--tallies", "all.jsonl"] + file).expectFailure(
      5, saying: ["tuned on"])
    let gated = try workspace.run(["gate", "--allow-tuned-subjects"] + file)
    #expect(gated.output.contains("changed  smoothing: none → average:9\n"))
    try workspace.run(["baseline", "accept", "--allow-tuned-subjects"] + file).expectSuccess()
    #expect(try Baseline(file: workspace.path("baselines/squat.json"), suite: "squat").smoothing == "average:9")
    let swept = try workspace.run(
      ["sweep", "--json", "--sweep", "reps.squat-states.bottomAngle=89,90", "--metric", "count.mae"] + file)
    #expect(try JSONDecoder().decode(SweepResults.self, from: Data(swept.output.utf8)).base.value == 0)
    let replayed = try workspace.run("replay", "anna_1", "--suite", "squat", "--parameters", "tuned.yaml")
    #expect(replayed.output.contains(", smoothing average:9\n"))
    let other = try workspace.run(
      "replay", "anna_1", "--suite", "squat", "--parameters", "tuned.yaml", "--smooth", "median:3")
    #expect(other.output.contains(", smoothing median:3\n"))
    // Tuned further, the file keeps it.
    try workspace.run(
      ["tune", "--tune", "reps.squat-states.bottomAngle=89,90", "--to", "again.yaml"] + Self.counter + file
    ).expectSuccess()
    #expect(try workspace.text("again.yaml").contains("\nsmoothing: average:9\n"))
  }

  /// Nobody's count depends on it: as one of all parameters it is not tuned, and chosen by name it stays.
  @Test func whatDoesNotMatterIsLeftAlone() throws {
    let workspace = try Workspace.withSquats(
      ["anna", "bert", "cleo"].map { SquatClip(name: "\($0)_1", subject: $0, squats: [SquatClip.deep]) })
    let whole = try tuned(workspace, Self.counter + ["--budget", "5"])
    #expect(whole.leftAlone?.contains("smoothing") == true)
    #expect(!whole.axes.contains { $0.parameter == "smoothing" })
    #expect(whole.smoothing == nil)
    #expect(try !workspace.text("tuned.yaml").contains("smoothing"))
    let named = try tuned(workspace, Self.counter + ["--tune", "smoothing"])
    #expect(
      named.axes.first?.names == ["none", "average:3", "median:3", "one-euro", "average:5", "median:5"])
    #expect(named.inSample.values == ["smoothing": 0] && named.folds.allSatisfy { $0.values == ["smoothing": 0] })
    #expect(try !workspace.text("tuned.yaml").contains("smoothing"))
  }

  @Test func theSuitesOwnIsTheDefault() throws {
    let workspace = try Workspace.withSquats(Self.shallow) { $0.smoothing = "average:9" }
    let results = try tuned(workspace, Self.counter + ["--tune", "smoothing=none"])
    #expect(results.axes.first?.names == ["none", "average:9"])
    #expect(results.axes.first?.baseValue == 1)
    #expect(results.base.value == 1)
    #expect(results.inSample.value == 0)
    #expect(try workspace.text("tuned.yaml").contains("\nsmoothing: none\n"))
    try workspace.run("run", "--suite", "squat", "--parameters", "tuned.yaml").expectSuccess()
    #expect(try workspace.results().smoothing == nil)
    #expect(try workspace.results().metric("squat-states", "count.mae")?.value == 0)
  }

  /// Raters graded 85 what the posture grades 100. Blurred, its squats are shallower and lose points, but the other
  /// detector of the suite no longer counts them.
  @Test func otherDetectorsThatGotWorseAreNamed() throws {
    let workspace = try Workspace.withSquats(Self.shallow)
    let arguments = ["--detector", "squat-posture", "--metric", "grades.mae"] + Self.choice
    let results = try tuned(workspace, arguments)
    #expect(results.inSample.values == ["smoothing": 1])
    let effect = try #require(results.sideEffects?.first { $0.metric == "count.exact" })
    #expect(effect.detector == "squat-states")
    #expect(effect.base == 1 && effect.tuned == 0 && effect.worse == 3)
    let text = try workspace.run(["tune", "--suite", "squat"] + arguments).output.replacing("\n         ", with: " ")
    #expect(text.contains("squat-states: count.exact 1.000 → 0.000 (worse for 3 people)"), "\(text)")
  }

  @Test func twoFilesSmoothTheSamePoses() throws {
    let workspace = try Workspace.withSquats(Self.jittery)
    _ = try tuned(workspace, Self.counter + Self.choice)
    let lines = try workspace.text("tuned.yaml").components(separatedBy: "\n")
    let tuning = try #require(lines.firstIndex(of: "tuned_on:"))
    let other = ["detector: squat-posture", "values: {}", "smoothing: median:5"] + lines[tuning...]
    try workspace.write(other.joined(separator: "\n"), to: "other.yaml")
    let files = ["run", "--suite", "squat", "--parameters", "tuned.yaml", "--parameters", "other.yaml"]
    try workspace.run(files).expectFailure(
      64, saying: ["other.yaml: expected the smoothing average:9 of tuned.yaml, found median:5", "--smooth"])
    try workspace.run(files + ["--smooth", "median:3"]).expectSuccess()
    #expect(try workspace.results().smoothing == "median:3")
    try workspace.replace("smoothing: median:5\n", with: "", in: "other.yaml")
    try workspace.run(files).expectSuccess()
    #expect(try workspace.results().smoothing == "average:9")
  }

  static let refusals: [([String], String)] = [
    (["--tune", "smoothing"], "choose one with --detector"),
    (["--tune", "smoothing", "--tune", "smoothing=median:3"] + counter, "expected each parameter once"),
    (["--tune", "smoothing=mean:3"] + counter, "smoothing=mean:3: expected none, average:"),
    (["--tune", "smoothing=median:3,5"] + counter, "found median:3,5"),
    (["--tune", "smoothing=none,none"] + counter, "expected each value once"),
    (["--tune", "smoothing="] + counter, "expected none, average:"),
  ]

  @Test(arguments: refusals) func refusesWhatIsNoSmoothing(arguments: [String], words: String) throws {
    let workspace = try Workspace.withSquats()
    try workspace.run(["tune", "--suite", "squat"] + arguments).expectFailure(64, saying: [words])
    #expect(workspace.names(in: "reports") == [])
  }
}
