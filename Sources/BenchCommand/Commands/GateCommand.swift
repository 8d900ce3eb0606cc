import ArgumentParser
import Checks
import Datasets
import Evaluation
import Files
import Foundation
import Pipeline
import Reports
import Scoring
import Statistics

struct GateCommand: AsyncParsableCommand, SuiteCommand, RereadingCommand {
  static let configuration = CommandConfiguration(
    commandName: "gate",
    abstract: "Run a suite and block a release that is worse than the committed baseline.",
    discussion: """
      Exit codes: 0 pass, 2 regression, 3 a loss beyond a margin is more likely than the suite's stop_at, 5 something \
      needed is missing: a dataset, clip, metric or baseline, or a dataset whose content has changed.

      In GitHub Actions it also annotates the step and adds to its summary.

      With --against, it compares with the suite, margins, floors and baseline of the commit where the change began. A \
      loss that the change accepts with bench baseline accept --because passes as ACCEPTED LOSS. A suite that gates \
      less than at that commit exits with 5.

      It refuses to judge parameters, of the run or of the baseline, on people that they were tuned on.

      It reads every file of the datasets, as bench baseline accept does. Other commands read those again whose size \
      or times have changed.

      Examples:
        bench gate --suite squat
        bench gate --suite squat --against origin/main
        bench gate --suite squat --junit gate.xml --strict-improvements
        bench gate --suite squat --smooth one-euro
        bench gate --suite our-app --predictions predictions.csv
        bench gate --suite squat --tallies tallies/*.jsonl
      """)

  @OptionGroup var suite: SuiteOptions

  @OptionGroup var predictions: PredictionOptions

  @OptionGroup var tallied: TalliedOptions

  @OptionGroup var against: AgainstOptions

  @Flag(help: "With --against: use the changed suite, even if it drops or loosens something.")
  var acceptSuiteChange = false

  @Flag(help: "Also exit with 2 if a metric improved by more than its margin, to accept a new baseline.")
  var strictImprovements = false

  @OptionGroup var smoothing: SmoothingOptions

  @OptionGroup var tunedSubjects: TunedSubjectsOptions

  @OptionGroup var outputs: GateOutputOptions

  @Flag(help: "Print the verdict as JSON.")
  var json = false

  @Flag(help: "Show every metric and every changed clip.")
  var all = false

  func run() async throws {
    Interruption.watch()
    defer { Interruption.unwatch() }
    let judged: Judged
    do {
      judged = try await judge()
    } catch let error as EvaluationError {
      if case .usage = error { throw error }
      if json { try print(GateRecord(missing: "\(error)")) }
      try outputs.write(GateReport(suite: suite.suite, .missing("\(error)")))
      throw error
    } catch let error where error is DataError || error is StoreError {
      if json { try print(GateRecord(failed: "\(error)")) }
      try outputs.write(GateReport(suite: suite.suite, .failed("\(error)")))
      throw error
    }
    let (run, verdict, comparison) = (judged.executed, judged.verdict, judged.comparison)
    let limit = run.suite.stopAt
    let code = verdict.exitCode(stopAt: limit)
    let why = run.why(verdict, comparison)
    if json {
      try print(GateRecord(verdict, comparison, base: judged.base, stopAt: limit, exitCode: code))
    } else {
      let screen = GateScreen(
        verdict, comparison, of: run.results, against: judged.base, own: judged.own, stopAt: limit, why: why,
        showsAll: all)
      Terminal.out(screen.blocks)
    }
    try outputs.write(
      GateReport(suite: run.suite.name, .decided(verdict, run.results), stopAt: limit, why: why))
    if code != 0 { throw ExitCode(code) }
  }

  /// A run, compared and judged.
  private struct Judged {
    let executed: ExecutedRun
    let comparison: Comparison
    let verdict: Verdict
    /// `nil` for the baseline in the work tree.
    let base: BaseSuite?
    /// The baseline in the work tree; `nil` if the base's was enough.
    let own: Baseline?
  }

  /// Runs the suite, compares it, looks for objections, and keeps the verdict in the history.
  private func judge() async throws -> Judged {
    let commit = try against.commit(in: suite.storage.project)
    if !hasChangesOfItsOwn { try commit?.requireOther() }
    let base = try commit.map(suite.base)
    let (own, ownError) = try ownBaseline(beside: base)
    for baseline in [base?.baseline, own].compactMap(\.self) { try tunedSubjects.require(baseline) }
    let executed = try await suite.execute(
      smoothing: smoothing.smoothing, from: ClipSource(predictions.files(), or: tallied.files()),
      beside: base?.baseline ?? own
    ) { run in
      try tunedSubjects.require(run)
      try PredictionOptions.requireAll(run)
    }
    // Tallied clips' subjects are known only now.
    if !tallied.tallies.isEmpty { try tunedSubjects.require(Baseline(executed.results)) }
    var comparison: Comparison
    if let base {
      let grown = try await GrownData(
        since: base, executed.run, executed.results, in: executed.project, threads: suite.threads)
      comparison = try Comparison(
        executed.results, of: executed.suite, against: base.judging(executed.run), own: own, ownError: ownError,
        acceptsSuiteChange: acceptSuiteChange, grown: grown)
    } else {
      comparison = try Comparison(executed.results, with: own ?? suite.baseline())
    }
    comparison.add(executed.results.objectionsToPeople)
    comparison.add(executed.results.objectionsToPredictions)
    comparison.add(try await ProgramCheck(executed.run, executed.results, threads: suite.threads).objections)
    if let base {
      let project = suite.storage.project
      let programs = try OldPrograms(
        executed.run, tallies: tallied.tallies, commands: project.commands(), in: project, since: base.commit,
        changing: comparison)
      comparison.add(programs.objections)
      comparison.add(ChangedWorkflows(in: project, since: base.commit).objections)
      let known = Set((base.baseline?.clips ?? [:]).keys)
      comparison.add(
        try CopiedMovements(executed.results, besides: known, in: executed.project, store: executed.store).objections)
    }
    if let history = try? RunHistory(in: executed.store, HistoryFilter(suite: executed.suite.name)) {
      comparison.add(TestSetWear(history.runs, asking: executed.results).objections)
    }
    // Always shows the cause of a blocked release.
    let now = Date().formatted(.iso8601)
    let verdict = Verdict(comparison, strictImprovements: strictImprovements)
    var origin = try executed.origin(against: base?.commit)
    origin.decision = GateDecision(verdict, comparison, finding: verdict.finding, stopAt: executed.suite.stopAt)
    try Interruption.check()
    try executed.keep(
      executed.results.json, as: "gate-\(now.replacing(":", with: "-"))", at: now, by: origin,
      heldAgainst: base?.baseline ?? own, isNumbered: true)
    return Judged(executed: executed, comparison: comparison, verdict: verdict, base: base, own: own)
  }

  private func print(_ record: GateRecord) throws {
    Terminal.out(String(decoding: try stableJSON(record), as: UTF8.self))
  }

  /// Whether the options change what the checked-out files say.
  private var hasChangesOfItsOwn: Bool {
    !suite.assignments.isEmpty || !suite.parameterFiles.paths.isEmpty || smoothing.smooth != nil
      || !predictions.predictions.isEmpty || !tallied.tallies.isEmpty
  }

  /// The baseline in the work tree, or the reason why it is missing if a base provides one.
  private func ownBaseline(beside base: BaseSuite?) throws -> (baseline: Baseline?, error: String?) {
    do {
      return (try suite.baseline(), nil)
    } catch let error as EvaluationError {
      guard let base, base.isKnown, case .missing = error else { throw error }
      return (nil, "\(error)")
    }
  }
}

/// A gate's verdict for machines.
struct GateRecord: Encodable {
  /// The version of the record, docs/verdict.schema.json.
  var format = 1
  var verdict: String
  var reason: String
  var detail: String?
  /// See `Suite.stopAt`; `nil` if the suite was not run.
  var stopAt: Double?
  var exitCode: Int32
  /// The commit of the comparison; `nil` for the baseline in the work tree.
  var against: Against?
  /// Missing parts other than metrics, one sentence each.
  var missing: [String]
  /// Besides the outcome, one sentence each: detectors that may have collapsed without gating, a stale baseline.
  var findings: [String] = []
  /// How the data only grew since that commit, one sentence each.
  var growth: [String] = []
  /// Accepted ways in which the suite gates less than at that commit.
  var acceptedSuiteChanges: [String] = []
  /// Not compared, as their clips differ from the baseline's.
  var subjectsLeftOut: [String] = []
  var metrics: [Verdict.MetricVerdict] = []
  var changedParameters: [String] = []
  var changedCounts: [String] = []
  /// Other changed predictions of the detectors.
  var changedAnswers: [String] = []

  struct Against: Encodable {
    var ref: String
    var commit: String
    var notes: [String]
  }

  /// The record of a gate that could not judge.
  init(missing reason: String) {
    (verdict, self.reason, exitCode, missing) = (Verdict.Outcome.missing.rawValue, reason, 5, [reason])
  }

  /// The record of a gate that failed: a file or a program is wrong.
  init(failed reason: String) { (verdict, self.reason, exitCode, missing) = ("error", reason, 1, []) }

  init(_ verdict: Verdict, _ comparison: Comparison, base: BaseSuite?, stopAt: Double, exitCode: Int32) {
    against = base.map { Against(ref: $0.commit.ref, commit: $0.commit.hash, notes: $0.notes) }
    missing = verdict.missing.lines
    findings = verdict.findings
    growth = comparison.growth
    acceptedSuiteChanges = comparison.acceptedSuiteChanges
    subjectsLeftOut = comparison.subjectsLeftOut
    self.verdict = verdict.outcome.rawValue
    reason = verdict.reason
    detail = verdict.detail
    (self.stopAt, self.exitCode) = (stopAt, exitCode)
    metrics = verdict.metrics
    changedParameters = comparison.changedParameters
    changedCounts = comparison.changedCounts.map(\.line)
    changedAnswers = comparison.changedAnswers.map(\.line)
  }
}

/// The formats in which a gate's verdict is written besides its output.
struct GateOutputOptions: ParsableArguments {
  @Option(help: ArgumentHelp("Write the verdict as JUnit XML.", valueName: "file"))
  var junit: String?

  @Option(help: ArgumentHelp("Write the values in Bencher Metric Format.", valueName: "file"))
  var bencher: String?

  @Option(
    help: ArgumentHelp(
      "Write values for github-action-benchmark's customSmallerIsBetter, from 0; 1 − value where higher is better.",
      valueName: "file"))
  var githubBenchmark: String?

  /// Writes the requested files, and those that GitHub Actions requests through its environment.
  func write(_ report: GateReport) throws {
    if let junit { try writeWhole(Data(JUnitReport(report).xml.utf8), to: junit) }
    if let bencher { try writeWhole(try stableJSON(BencherReport(report)), to: bencher) }
    if let githubBenchmark { try writeWhole(try stableJSON(GitHubBenchmarkReport(report)), to: githubBenchmark) }
    let environment = ProcessInfo.processInfo.environment
    if let path = environment["GITHUB_STEP_SUMMARY"], !path.isEmpty {
      // The file is the runner's, who may be another user, and contains other steps' summaries.
      try append(Data(GitHubSummary(report).markdown.utf8), toFile: path)
    }
    // Standard error, to keep --json valid JSON: the runner reads commands from both.
    if environment["GITHUB_ACTIONS"] == "true" {
      for command in GitHubAnnotations(report).commands { Terminal.runner(command) }
    }
  }
}
