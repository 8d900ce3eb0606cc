import ArgumentParser
import Datasets
import Evaluation
import Files
import Foundation
import Pipeline
import PoseModel
import Reports
import Scoring
import Statistics

struct RunCommand: AsyncParsableCommand, SuiteCommand {
  static let configuration = CommandConfiguration(
    commandName: "run",
    abstract: "Run a suite: replay its clips, score its detectors, and write a report.",
    discussion: """
      Exits with 0 when the run is done, even if it is worse. To block a release, use bench gate.

      Perturbations:
      \(PerturbOptions.meanings)

      Examples:
        bench run --suite squat
        bench run --suite squat --set reps.squat-states.bottomAngle=100
        bench run --suite squat --smooth one-euro
        bench run --suite squat --dataset repcount-pose --json
        bench run --suite squat --perturb noise=2%,dropout=20%,fps=10
        bench run --suite squat --robustness
      """)

  @OptionGroup var suite: SuiteOptions

  @Flag(help: "Print results.json instead of the summary.")
  var json = false

  @Flag(help: "Show every metric of the suite and every count, not only gating and changed ones.")
  var all = false

  @Option(help: "Mark the run as this release in the history; a git tag at its commit does so too.")
  var release: String?

  @OptionGroup var smoothing: SmoothingOptions
  @OptionGroup var perturbation: PerturbationOptions

  func run() async throws {
    Interruption.watch()
    defer { Interruption.unwatch() }
    let project = suite.storage.project
    // Reported before minutes of replay.
    _ = try project.within(project.baselineFile(suite.suite))
    let reports = try project.within(project.reportFolder(suite.suite))
    var executed = try await suite.execute(
      smoothing: smoothing.smoothing, perturbations: perturbation.perturbations)
    if perturbation.robustness { try await climb(&executed) }
    executed.results.repeatNote = try await ProgramCheck.repeatNote(
      executed.run, executed.results, threads: suite.threads)
    try executed.finish(in: reports, release: release, json: json, showsAll: all)
  }
}

extension ExecutedRun {
  /// Writes the report, keeps the run, and prints its summary.
  ///
  /// - Parameters:
  ///   - reports: The folder of the suite's reports.
  ///   - json: Whether to print the numbers instead of the summary.
  ///   - showsAll: Whether the summary has every metric.
  func finish(in reports: String, release: String?, json: Bool, showsAll: Bool) throws {
    let now = Date().formatted(.iso8601)
    let report = try report(at: now)
    let folder = try report.write(to: reports) { folder in
      if !json { Terminal.out(RunSummary(report: report, folder: folder, showsAll: showsAll).text) }
    } keep: { name, results in
      try Interruption.check()
      try keep(results, as: name, at: now, by: report.run.origin, heldAgainst: report.baseline, release: release)
    }
    if json { Terminal.out(String(decoding: try InputFile("\(folder)/\(RunReport.numbersFile)").bytes, as: UTF8.self)) }
  }
}

extension RunCommand {
  /// Replays the run under every perturbation.
  private func climb(_ executed: inout ExecutedRun) async throws {
    let bar = ProgressBar("climbing", total: SuiteRun.robustnessReplays)
    defer { bar.finish() }
    executed.results.robustness = try await executed.run.robustness(
      beside: executed.results, seed: perturbation.seed, version: Bench.version, threads: suite.threads
    ) { try bar.update($0) }
  }
}

/// The options for perturbations of the poses.
struct PerturbOptions: ParsableArguments {
  /// One line per perturbation, for help.
  static let meanings = Perturbations.all.map {
    "  \($0.profile.name)=\($0.profile.example): \($0.profile.meaning)"
  }.joined(separator: "\n")

  @Option(
    help: ArgumentHelp(
      "Corrupt the poses before detection, in the order written: "
        + Perturbations.all.map { "\($0.profile.name)=\($0.profile.example)" }.joined(separator: ",")
        + ". The ground truth stays; the result never gates.",
      valueName: "list"))
  var perturb: String?

  /// `nil` for none.
  func perturbations(seed: UInt64) throws -> Perturbations? { try perturb.map { try Perturbations($0, seed: seed) } }

  func validate() throws {
    // The seed does not affect the parsing.
    do { _ = try perturbations(seed: 1) } catch let error as PerturbationError {
      throw ValidationError("--perturb: \(error)")
    }
  }
}

/// Perturbations to run a suite with, besides the recorded poses.
struct PerturbationOptions: ParsableArguments {
  @OptionGroup var options: PerturbOptions

  @Flag(
    help: "Also replay the suite under each perturbation alone, from mild to strong, and chart the scores.")
  var robustness = false

  @Option(help: "The seed of --perturb and --robustness.")
  var seed: UInt64 = 1

  /// `nil` for none.
  var perturbations: Perturbations? {
    get throws { try options.perturbations(seed: seed) }
  }

  func validate() throws {
    guard options.perturb == nil || !robustness else {
      throw ValidationError("--robustness starts from the recorded poses: leave out --perturb")
    }
  }
}

/// A run on one screen.
struct RunSummary {
  var report: RunReport
  /// The folder of the report.
  var folder: String
  /// Whether to show metrics that neither gate nor changed, and all counts.
  var showsAll = false

  private var results: RunResults { report.results }

  var text: String {
    let head =
      [header] + results.datasets.lines + perturbation + smoothing + detectors
      + results.predictionLines + results.tuningLines + results.peopleLines
    return
      (Terminal.opening(report.conclusion) + [verdict, ""] + head + [""] + metrics + trivial + sample + costs + counts
      + worst + robustness + ["", "report   \(folder)/report.md"])
      .joined(separator: "\n")
  }

  private var header: String { "\(Terminal.bold("suite \(results.suite)")) version \(results.suiteVersion)" }

  /// The filter before the detectors, and its delay.
  private var smoothing: [String] {
    guard let text = results.smoothing, let smoothing = try? Smoothing(text) else { return [] }
    return ["smoothing \(Terminal.bold(text)), \(smoothing.delayText)"]
  }

  private var perturbation: [String] {
    results.perturbation?.lines ?? []
  }

  /// The remaining share of each metric under its worst perturbation.
  private var robustness: [String] {
    guard let robustness = results.robustness else { return [] }
    // The perturbation is a heading of its own: its name may be as long as half a line.
    let rows = RobustnessText.rows(robustness)
    let cells = rows.map { ["  \($0[1])", Metric.plainName(of: $0[2])] + $0.dropFirst(3) }
    let header = ["under a perturbation", "metric"] + RobustnessText.header.dropFirst(3)
    let lines = Terminal.table([header] + cells, right: [2, 3, 4], indent: 0)
    let body = rows.indices.flatMap { row in
      (row == 0 || rows[row - 1][0] != rows[row][0] ? [Terminal.bold(rows[row][0])] : []) + [lines[row + 1]]
    }
    let notes = "seed     \(robustness.seed)\((robustness.notes ?? []).map { "; \($0)" }.joined())"
    return ["", Terminal.dim(lines[0])] + body + [Terminal.dim(Terminal.wrap(notes, indent: 9))]
  }

  /// The changed parameters of each detector; bench detector show and the report list the defaults.
  private var detectors: [String] {
    let changed = results.detectors.filter { !$0.changed.isEmpty }.map { detector in
      let values = detector.parameters.filter { detector.changed.contains($0.key) }.sorted { $0.key < $1.key }
        .map { "\($0.key)=\(NumberText.plain($0.value))" }.joined(separator: " ")
      return "detector " + Terminal.bold(detector.name) + " "
        + Terminal.dim(Terminal.wrap(values + ", else at its defaults", indent: 9 + detector.name.count + 1))
    }
    let others = results.detectors.filter { $0.changed.isEmpty && !results.isPredicted($0.name) }.map(\.name)
    guard !others.isEmpty else { return changed }
    let words = others.joined(separator: ", ") + (others.count == 1 ? " at its defaults" : " at their defaults")
    return changed + ["detector " + Terminal.wrap(words, indent: 9)]
  }

  /// Metrics that gate or changed, by detector; the suite's other metrics by number. Metrics without a value are one
  /// line.
  private var metrics: [String] {
    let listed = results.metrics.filter(\.isListed)
    let known = listed.filter { $0.value != nil || change(of: $0)?.before != nil }
    let chosen = known.filter { $0.margin != nil || change(of: $0)?.isUnchanged == false }
    let shown = showsAll || chosen.isEmpty ? known : chosen
    let allGate = shown.allSatisfy { $0.margin != nil }
    let header = ["metric", "", "value", "95 % interval", "gain", "trivial", ""]
    let rows = shown.map { metric in
      [
        "  \(Metric.plainName(of: metric.metric))", metric.metric,
        NumberText.quantity(metric.value, unit: metric.unit), NumberText.interval(metric), gain(metric),
        metric.trivial.map { NumberText.value($0.value, unit: metric.unit) } ?? "", notes(metric, marksGates: !allGate),
      ]
    }
    let lines = Terminal.table([header] + rows, right: [2, 3, 4, 5], indent: 0)
    var text = shown.isEmpty ? [] : [Terminal.dim(lines[0])]
    for (index, metric) in shown.enumerated() {
      if index == 0 || shown[index - 1].detector != metric.detector { text.append(Terminal.bold(metric.detector)) }
      let gain = change(of: metric)?.gain ?? 0
      let line = lines[index + 1]
      text.append(gain > 0 ? Terminal.good(line) : gain < 0 ? Terminal.bad(line) : line)
    }
    let unknown = listed.filter { !known.contains($0.metricID) }
    if !unknown.isEmpty {
      let names = Set(unknown.map(\.metric)).sorted().map { Metric.plainName(of: $0) }.joined(separator: ", ")
      let reason =
        unknown.contains { results.isPredicted($0.detector) }
        ? "the predictions or these clips' labels lack what they need, such as times"
        : "these clips have no labels for them"
      text.append("n/a      " + Terminal.wrap("\(names): \(reason)", indent: 9))
    }
    let others = known.count - shown.count
    if others > 0 {
      text.append(
        "more     \(Terminal.count(others, "metric")) \(others == 1 ? "does" : "do") not gate and did not change: --all"
      )
    }
    return text
  }

  private func gain(_ metric: RunResults.MetricResult) -> String {
    guard report.comparison != nil else { return "" }
    return change(of: metric).map { $0.isUnchanged ? "0" : NumberText.signed($0.gain, unit: metric.unit) } ?? "n/a"
  }

  private func notes(_ metric: RunResults.MetricResult, marksGates: Bool) -> String {
    var notes: [String] = []
    if marksGates, metric.margin != nil { notes.append("gates") }
    if showsAll {
      if metric.isPooled == true { notes.append("pooled") }
      if let human = metric.humanCeiling { notes.append("human \(NumberText.value(human, unit: metric.unit))") }
      if let method = metric.interval?.method, metric.isPooled != true { notes.append(method) }
      if let count = metric.unanswered { notes.append("\(count) without a prediction") }
    }
    if metric.definedSubjects == 1 { notes.append("no interval from one person") }
    if metric.definedSubjects < metric.bySubject.count {
      notes.append(undefined(metric.bySubject.count - metric.definedSubjects, "person"))
    } else if showsAll, metric.undefinedClips > 0, metric.isPooled != true {
      notes.append(undefined(metric.undefinedClips, "clip"))
    }
    return notes.joined(separator: ", ")
  }

  /// Metrics in which ignoring the recording scores better.
  private var trivial: [String] {
    results.metrics.filter { $0.isListed && $0.isWorseThanTrivial }.map { metric in
      let (name, answer) = (metric.trivial?.answer.rawValue ?? "", metric.trivial?.value)
      return Terminal.unsure("trivial ") + " "
        + Terminal.wrap(
          "\(metric.detector): \(metric.metric) \(NumberText.quantity(metric.value, unit: metric.unit)) is worse than always "
            + "predicting “\(name)” (\(NumberText.quantity(answer, unit: metric.unit))).", indent: 9)
    }
  }

  private func change(of metric: RunResults.MetricResult) -> MetricChange? {
    report.comparison?.metrics.first(of: metric.metricID)
  }

  /// The data behind the values.
  private var sample: [String] {
    let subjects = Set(results.clips.map(\.person)).count
    return [
      Terminal.dim(
        "over     \(NumberText.count(subjects, "person")), "
          + "\(Terminal.count(results.clips.count, "clip")); ranges are 95 % intervals")
    ] + cases
  }

  /// The cases of a gain, if the two sides found different ones.
  private var cases: [String] {
    results.metrics.filter(\.isListed).compactMap { metric in
      change(of: metric)?.casesWords.map { "cases    " + Terminal.wrap("gain of \(metric.metric) \($0)", indent: 9) }
    }
  }

  /// The counts on clips without a labelled count.
  private var counts: [String] {
    guard let detector = results.counter else { return [] }
    let clips = results.clips.filter {
      $0.trueCount == nil && !results.isNegative($0) && $0.outcomes[detector]?.count != nil
    }
    guard !clips.isEmpty else { return [] }
    let shown = showsAll ? clips : Array(clips.prefix(10))
    let words = shown.map { "\($0.name) \($0.outcomes[detector]?.count ?? 0)" }.joined(separator: ", ")
    let others = clips.count - shown.count
    return [
      "",
      "counted  "
        + Terminal.wrap(
          "by \(detector) on unlabelled clips: \(words)" + (others > 0 ? "; \(others) more: --all" : ""), indent: 9),
    ]
  }

  private var costs: [String] { results.costLines.map { "cost     " + Terminal.wrap($0, indent: 9) } }

  private func undefined(_ count: Int, _ what: String) -> String { "\(NumberText.count(count, what)) n/a" }

  /// The clips to look at, their errors, and why reps were missed.
  private var worst: [String] {
    guard let detector = results.shownDetector else { return [] }
    let words = ClipMistakeWords(kind: results.detectors.first { $0.name == detector }?.kind ?? "")
    let clips = results.worstClips(detector).prefix(3)
    guard !clips.isEmpty else {
      return words.allRight(results, detector).map { ["", "worst    " + Terminal.wrap($0, indent: 9)] } ?? []
    }
    let rows = clips.map { [$0.name, words.sentence(results.mistakes(detector, on: $0))] }
    let table = Terminal.table(rows, indent: 0)
    var lines = ["", "worst    clips of \(detector):"]
    for (line, clip) in zip(table, clips) {
      lines.append("  " + line.replacing("\n", with: "\n  "))
      if let reasons = results.reasonWords(detector, on: clip) {
        lines.append(Terminal.dim("    " + Terminal.wrap(reasons, indent: 4)))
      }
    }
    return lines
  }

  private var verdict: String {
    guard let verdict = report.verdict else {
      return "verdict  \(Terminal.unsure("not compared")): "
        + Terminal.wrap(report.reasonWithoutVerdict ?? "no baseline", indent: 9, from: 23)
    }
    return VerdictText(verdict).line
  }
}

/// A verdict in words.
struct VerdictText {
  var verdict: Verdict
  /// The suite's limit; `nil` where nothing is gated.
  var stopAt: Double?

  init(_ verdict: Verdict, stopAt: Double? = nil) { (self.verdict, self.stopAt) = (verdict, stopAt) }

  var line: String {
    let name = verdict.title
    let colored = Self.colored(name, verdict.outcome)
    let reason = verdict.reason + (stopAt.map(verdict.limitWords(stopAt:)) ?? "")
    return "verdict  \(Terminal.bold(colored)): \(Terminal.wrap(reason, indent: 9, from: 11 + name.count))"
      + (verdict.detail.map { "\n         " + Terminal.wrap($0, indent: 9) } ?? "")
      + verdict.findings.map { "\nfinding  " + Terminal.unsure(Terminal.wrap($0, indent: 9)) }.joined()
  }

  /// In the outcome's colour.
  static func colored(_ text: String, _ outcome: Verdict.Outcome) -> String {
    if outcome == .pass { return Terminal.good(text) }
    return outcome <= .missing ? Terminal.bad(text) : Terminal.unsure(text)
  }
}

extension RunResults {
  /// A warning for each tuned detector; empty if none was tuned.
  var tuningLines: [String] {
    tuningSentences.map { "tuned    " + Terminal.unsure(Terminal.wrap($0, indent: 9)) }
  }

  /// The files of predictions, and the clips that they lack.
  var predictionLines: [String] {
    (predicted ?? []).map { "detector " + Terminal.wrap("\(Terminal.bold($0.name)), from \($0.files)", indent: 9) }
      + predictionLimits.map { "         " + Terminal.unsure(Terminal.wrap($0, indent: 9)) }
  }

  /// Doubts about who is the same person, and another matching than the suite's.
  var peopleLines: [String] {
    Self.lines("people", copyNote) + Self.lines("people", peopleNote) + matchingLines + Self.lines("drafts", draftNote)
      + repeatLines
  }

  /// That a program answers by chance.
  var repeatLines: [String] { Self.lines("random", repeatNote) }

  var matchingLines: [String] { Self.lines("matching", matchingNote) }

  private static func lines(_ name: String, _ note: String?) -> [String] {
    note.map {
      [name.padding(toLength: 9, withPad: " ", startingAt: 0) + Terminal.unsure(Terminal.wrap($0, indent: 9))]
    } ?? []
  }
}

extension RunResults.Perturbation {
  /// A warning.
  var lines: [String] { ["\(Terminal.unsure("perturbed")) " + Terminal.wrap(words, indent: 10)] }
}

extension [RunResults.DatasetCard] {
  /// The data behind a result, and its caveats, each below the last dataset that has it.
  var lines: [String] {
    indices.flatMap { index in
      let caveat = self[index].caveat
      let isRepeated = self[(index + 1)...].contains { $0.caveat == caveat }
      return [self[index].line]
        + (isRepeated ? [] : caveat.map { ["         " + Terminal.dim(Terminal.wrap($0, indent: 9))] } ?? [])
    }
  }
}

extension RunResults.DatasetCard {
  fileprivate var line: String {
    let words = origin == .synthetic ? Terminal.unsure("SYNTHETIC") : "recorded"
    return
      "dataset  \(name) \(version), \(words), \(Terminal.count(clips, "clip")) of "
      + "\(NumberText.count(subjects, "person")), \(content.prefix(19))"
  }
}
