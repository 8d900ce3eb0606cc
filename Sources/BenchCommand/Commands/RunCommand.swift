import ArgumentParser
import Datasets
import Evaluation
import Files
import Foundation
import PoseModel
import Reports
import Statistics

struct RunCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "run",
    abstract: "Run a suite: replay its clips, score its detectors, and write a report.",
    discussion: """
      Exits with 0 when the run is done, whatever its verdict. To hold a release on a verdict, use bench gate.

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

  @Option(help: "Mark the run as this release in the history; a git tag at its commit does so too.")
  var release: String?

  @OptionGroup var smoothing: SmoothingOptions
  @OptionGroup var perturbation: PerturbationOptions

  func run() async throws {
    Interruption.watch()
    defer { Interruption.unwatch() }
    var executed = try await suite.execute(
      smoothing: smoothing.smoothing, perturbations: perturbation.perturbations)
    if perturbation.robustness { try await climb(&executed) }
    let now = Date().formatted(.iso8601)
    let report = try executed.report(at: now)
    let folder = try report.write(to: executed.project.reportFolder(executed.suite.name)) { name in
      try Interruption.check()
      try executed.keep(
        as: name, at: now, by: report.run.origin, heldAgainst: report.baseline, release: release)
    }
    if json {
      Terminal.out(String(decoding: try report.numbers(), as: UTF8.self))
    } else {
      Terminal.out(RunSummary(report: report, folder: folder).text)
    }
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

/// How to corrupt the poses on purpose.
struct PerturbOptions: ParsableArguments {
  /// A line for each, for help.
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
    // Which seed it is makes no sense of a text.
    do { _ = try perturbations(seed: 1) } catch let error as PerturbationError {
      throw ValidationError("--perturb: \(error)")
    }
  }
}

/// What to run a suite under, beside the poses as they were recorded.
struct PerturbationOptions: ParsableArguments {
  @OptionGroup var options: PerturbOptions

  @Flag(help: "Also replay the suite under each perturbation by itself, mild to strong, and draw what scores remain.")
  var robustness = false

  @Option(help: "The seed of --perturb and --robustness.")
  var seed: UInt64 = 1

  /// `nil` for none.
  var perturbations: Perturbations? {
    get throws { try options.perturbations(seed: seed) }
  }

  func validate() throws {
    guard options.perturb == nil || !robustness else {
      throw ValidationError("--robustness climbs from the poses as they were recorded: leave out --perturb")
    }
  }
}

/// A run on one screen.
struct RunSummary {
  var report: RunReport
  /// Where the report is.
  var folder: String

  private var results: RunResults { report.results }

  var text: String {
    let head =
      [header] + results.datasets.flatMap(\.lines) + perturbation + smoothing + detectors
      + results.tuningLines
    return
      (head + [""] + metrics + sample + costs + worst + robustness + [
        "", "report   \(folder)/report.md", verdict,
      ])
      .joined(separator: "\n")
  }

  private var header: String { "\(Terminal.bold("suite \(results.suite)")) version \(results.suiteVersion)" }

  /// The filter before the detectors, and what it costs in time.
  private var smoothing: [String] {
    guard let text = results.smoothing, let smoothing = try? Smoothing(text) else { return [] }
    return ["smoothing \(Terminal.bold(text)), \(smoothing.delayText)"]
  }

  private var perturbation: [String] {
    results.perturbation?.lines ?? []
  }

  /// What is left of each metric where it is worst.
  private var robustness: [String] {
    guard let robustness = results.robustness else { return [] }
    let lines = Terminal.table([RobustnessText.header] + RobustnessText.rows(robustness), right: [3, 4, 5], indent: 0)
    return ["", Terminal.dim(lines[0])] + lines.dropFirst()
      + [Terminal.dim("seed     \(robustness.seed)\((robustness.notes ?? []).map { "; \($0)" }.joined())")]
  }

  /// What was set of each detector; the defaults are what bench detector show and the report say.
  private var detectors: [String] {
    let changed = results.detectors.filter { !$0.changed.isEmpty }.map { detector in
      let values = detector.parameters.filter { detector.changed.contains($0.key) }.sorted { $0.key < $1.key }
        .map { "\($0.key)=\(NumberText.plain($0.value))" }.joined(separator: " ")
      return "detector " + Terminal.bold(detector.name) + " "
        + Terminal.dim(Terminal.wrap(values + ", else at its defaults", indent: 9 + detector.name.count + 1))
    }
    let others = results.detectors.filter(\.changed.isEmpty).map(\.name)
    guard !others.isEmpty else { return changed }
    let words = others.joined(separator: ", ") + (others.count == 1 ? " at its defaults" : " at their defaults")
    return changed + ["detector " + Terminal.wrap(words, indent: 9)]
  }

  private var metrics: [String] {
    let listed = results.metrics.filter(\.isListed)
    let header = ["detector", "metric", "value", "95 % interval", "gain", ""]
    let rows = listed.map { metric -> [String] in
      let change = change(of: metric)
      let gain =
        change.map { $0.isUnchanged ? "=" : NumberText.signed($0.gain, unit: metric.unit) } ?? "no baseline"
      var notes = [metric.unit]
      if metric.margin != nil { notes.append("gates") }
      if metric.isPooled == true { notes.append("pooled") }
      if let method = metric.interval?.method, method != "t on subject means" { notes.append(method) }
      if metric.definedSubjects == 1 { notes.append("no interval from one subject") }
      if metric.definedSubjects < metric.bySubject.count {
        notes.append(undefined(metric.bySubject.count - metric.definedSubjects, "subject"))
      } else if metric.undefinedClips > 0 {
        notes.append(undefined(metric.undefinedClips, "clip"))
      }
      return [
        metric.detector, metric.metric, NumberText.value(metric.value, unit: metric.unit), NumberText.interval(metric),
        gain, notes.filter { !$0.isEmpty }.joined(separator: ", "),
      ]
    }
    let lines = Terminal.table([header] + rows, right: [2, 3, 4], indent: 0)
    return zip(lines, [nil] + listed).map { line, metric in
      guard let metric else { return Terminal.dim(line) }
      let change = change(of: metric)
      guard let gain = change?.gain, gain != 0 else { return line }
      return gain > 0 ? Terminal.good(line) : Terminal.bad(line)
    }
  }

  private func change(of metric: RunResults.MetricResult) -> MetricChange? {
    report.comparison?.metrics.first { $0.detector == metric.detector && $0.metric == metric.metric }
  }

  /// What the values are of, where a row says nothing else.
  private var sample: [String] {
    let subjects = Set(results.clips.map { "\($0.dataset)/\($0.subject)" }).count
    return [
      Terminal.dim(
        "over     \(Terminal.count(subjects, "subject")), \(Terminal.count(results.clips.count, "clip")); "
          + "t intervals where no other is named")
    ]
  }

  private var costs: [String] { results.costLines.map { "cost     " + Terminal.wrap($0, indent: 9) } }

  private func undefined(_ count: Int, _ what: String) -> String { "\(Terminal.count(count, what)) n/a" }

  /// The clips to look at, what is wrong with them, and the command that draws the first.
  private var worst: [String] {
    guard let detector = results.shownDetector else { return [] }
    let words = ClipMistakeWords(kind: results.detectors.first { $0.name == detector }?.kind ?? "")
    let clips = results.worstClips(detector).prefix(3)
    guard let first = clips.first else {
      return ["", "worst    \(words.allRight.prefix(1).lowercased())\(words.allRight.dropFirst().dropLast())"]
    }
    let rows = clips.map { [$0.name, words.sentence(results.mistakes(detector, on: $0))] }
    let lines = [""] + zip(Terminal.table(rows, indent: 0), 0...).map { ($1 == 0 ? "worst    " : "         ") + $0 }
    let isNamed = results.clips.count { $0.name == first.name } == 1
    let of = detector == results.detectors.first?.name || detector == results.counter ? "" : " --detector \(detector)"
    return lines + [
      Terminal.dim("         of \(detector); drawn by: ")
        + "bench draw timeline --suite \(results.suite) --clip \(RunOrigin.quoted(isNamed ? first.name : first.id))\(of)"
    ]
  }

  private var verdict: String {
    guard let verdict = report.verdict else {
      return "verdict  \(Terminal.unsure("none")): "
        + Terminal.wrap(report.reasonWithoutVerdict ?? "no baseline", indent: 9, from: 15)
    }
    return VerdictText(verdict).line
  }
}

/// A verdict in words.
struct VerdictText {
  var verdict: Verdict

  init(_ verdict: Verdict) { self.verdict = verdict }

  var line: String {
    let name = verdict.outcome.rawValue.uppercased()
    let colored =
      switch verdict.outcome {
      case .pass: Terminal.good(name)
      case .regression, .missing: Terminal.bad(name)
      case .inconclusive, .improvement: Terminal.unsure(name)
      }
    return "verdict  \(Terminal.bold(colored)): \(Terminal.wrap(verdict.reason, indent: 9, from: 11 + name.count))"
      + (verdict.detail.map { "\n         " + Terminal.wrap($0, indent: 9) } ?? "")
  }
}

extension RunResults {
  /// A warning for each detector that was tuned; none where none was.
  var tuningLines: [String] {
    tuningSentences.map { "tuned    " + Terminal.unsure(Terminal.wrap($0, indent: 9)) }
  }
}

extension RunResults.Perturbation {
  /// A warning.
  var lines: [String] { ["\(Terminal.unsure("perturbed")) " + Terminal.wrap(words, indent: 10)] }
}

extension RunResults.DatasetCard {
  /// What a result rests on, and its caveat.
  var lines: [String] {
    let words = origin == .synthetic ? Terminal.unsure("SYNTHETIC") : "recorded"
    let line =
      "dataset  \(name) \(version), \(words), \(Terminal.count(clips, "clip")) of "
      + "\(Terminal.count(subjects, "subject")), \(content.prefix(19))"
    return [line] + (caveat.map { ["         " + Terminal.dim(Terminal.wrap($0, indent: 9))] } ?? [])
  }
}
