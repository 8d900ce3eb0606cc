import ArgumentParser
import Coaching
import Evaluation
import Foundation
import Reports
import Scoring
import Statistics

struct CompareCommand: AsyncParsableCommand, SuiteCommand {
  static let configuration = CommandConfiguration(
    commandName: "compare",
    abstract: "Compare two settings, detectors or runs on the same clips, person by person.",
    discussion: """
      Prints which side is better, then which clips changed, then each metric's gain with a 95 % interval and an exact p \
      value over people, then the slices. Writes compare.md, compare.json and charts to \
      reports/<suite>/compare-<time>/. Like --set, --smooth changes the second side, B; with --detectors it changes \
      both. Exits with 0 when done. To block a release, use bench gate.

      Examples:
        bench compare --suite squat --set reps.squat-states.bottomAngle=100
        bench compare --suite squat --smooth one-euro
        bench compare --suite squat --detectors squat-states,my-counter
        bench compare --suite squat --runs baseline latest
        bench compare --suite our-app --from-predictions before.csv --predictions after.csv
      """)

  @OptionGroup var suite: SuiteOptions

  @Option(
    name: .customLong("from-set"), parsing: .singleValue,
    help: ArgumentHelp(
      "Set a parameter of the first side, A; --set is for B. May be repeated.",
      valueName: "kind.detector.parameter=value"))
  var fromAssignments: [String] = []

  /// For side B, like `--set`.
  @OptionGroup var predictions: PredictionOptions

  @Option(
    parsing: .upToNextOption,
    help: ArgumentHelp("The predictions of the first side, A; --predictions is for B.", valueName: "file"))
  var fromPredictions: [String] = []

  /// For side B, like `--set`; of two detectors, both see the same poses.
  @OptionGroup var smoothing: SmoothingOptions

  @Option(help: ArgumentHelp("Compare two detectors on the metrics that both have.", valueName: "a,b"))
  var detectors: String?

  @Option(
    parsing: .upToNextOption,
    help: ArgumentHelp(
      "Compare stored runs: a name, latest or baseline. With a single run, B is the suite replayed with --set.",
      valueName: "run"))
  var runs: [String] = []

  @Flag(help: "Show every metric of the suite, every changed clip and all columns.")
  var all = false

  @OptionGroup var table: TableOptions
  @OptionGroup var study: StudyOptions

  func validate() throws {
    try table.validate(beside: study.json || study.terminal, "--json or --terminal")
    guard runs.count <= 2 else { throw ValidationError("--runs takes one or two, found \(runs.count)") }
    if runs.isEmpty {
      guard
        !suite.assignments.isEmpty || !suite.parameterFiles.paths.isEmpty || !fromAssignments.isEmpty
          || smoothing.smooth != nil || detectors != nil || !predictions.predictions.isEmpty
          || !fromPredictions.isEmpty
      else {
        throw ValidationError(
          "nothing to compare: give --set, --from-set, --parameters, --smooth, --predictions, --detectors or --runs")
      }
      return
    }
    let given: [(option: String, isGiven: Bool, isOfTheReplay: Bool)] = [
      ("--from-set", !fromAssignments.isEmpty, false), ("--detectors", detectors != nil, false),
      ("--from-predictions", !fromPredictions.isEmpty, false),
      ("--predictions", !predictions.predictions.isEmpty, true),
      ("--set", !suite.assignments.isEmpty, true), ("--parameters", !suite.parameterFiles.paths.isEmpty, true),
      ("--dataset", !suite.datasets.isEmpty, true), ("--smooth", smoothing.smooth != nil, true),
    ]
    // A single stored run is compared with a replay of the suite.
    let excluded = given.filter { $0.isGiven && (runs.count == 2 || !$0.isOfTheReplay) }.map(\.option)
    guard excluded.isEmpty else {
      throw ValidationError("a stored run cannot be changed: leave out \(excluded.joined(separator: ", "))")
    }
  }

  func run() async throws {
    let project = suite.storage.project
    let report = try await report()
    try study.finish(
      report.study, in: project, of: report.comparison.results.suite, store: suite.storage.open(),
      table: table.format.map(report.table.written)
    ) { ComparisonSummary(report: report, folder: $0, showsAll: all).text }
  }
}

extension CompareCommand {
  /// Finds or replays both sides and compares them.
  func report() async throws -> ComparisonReport {
    let suite = try self.suite.storage.project.suite(named: self.suite.suite, registry: Bench.registry)
    if let detectors { return try await report(of: detectors, in: suite) }
    let changes = self.suite.assignments
    guard !runs.isEmpty else {
      let before = try plan(suite, fromAssignments, isAfter: false)
      let after = try await replay(try plan(suite, changes), "B")
      return try report(
        from: .replayed(try await replay(before, "A")), to: .replayed(after),
        before: words(fromAssignments + predicted(fromPredictions)), after: afterWords,
        notes: after.results.tuningSentences)
    }
    let stored = try runs.map { try side(called: $0, of: suite) }
    let after = stored.count == 2 ? stored[1] : nil
    let last: ComparisonSide
    var notes: [String] = []
    if let after {
      last = after.side
    } else {
      let replayed = try await replay(try plan(suite, changes), "B")
      notes = replayed.results.tuningSentences
      last = .replayed(replayed)
    }
    return try report(
      from: stored[0].side, to: last, before: stored[0].words, after: after?.words ?? afterWords, notes: notes)
  }

  private func report(
    from first: ComparisonSide, to last: ComparisonSide, before: String, after: String, notes: [String]
  ) throws -> ComparisonReport {
    let comparison = try Comparison(from: first, to: last)
    return ComparisonReport(
      comparison, before: before, after: after, notes: notes,
      played: try played(comparison, from: first.results, to: last.results), bench: Bench.version)
  }

  /// The clips that changed, for a page.
  private func played(
    _ comparison: Comparison, from before: RunResults?, to after: RunResults?,
    detectors: (before: String, after: String)? = nil
  ) throws -> [Player.Entry] {
    guard study.html, let after else { return [] }
    let storage = self.suite.storage
    return try Player.changed(
      comparison, from: before, to: after, detectors: detectors,
      in: DatasetCatalogue(project: storage.project, store: storage.open()), registry: Bench.registry)
  }

  private func report(of detectors: String, in suite: Suite) async throws -> ComparisonReport {
    let names = detectors.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    let pair = try DetectorPair(names, in: suite, registry: Bench.registry)
    let after = try plan(pair.after, self.suite.assignments)
    // Both see the same poses.
    let poses = SmoothingChoice(after.suite.smoothing)
    let before = try plan(pair.before, fromAssignments, isAfter: false, smoothedBy: poses)
    let replayed = (before: try await replay(before, "A"), after: try await replay(after, "B"))
    let sides = pair.sides(replayed.before, replayed.after)
    let settings = zip(["A", "B"], [before, after]).flatMap { side, run in
      run.settings.map { setting in
        "\(side) is \(setting.name) with "
          + setting.values.values.sorted { $0.key < $1.key }
          .map { "\($0.key)=\(NumberText.plain($0.value, decimals: 6))" }
          .joined(separator: " ")
      }
    }
    let leftOut =
      pair.leftOut.isEmpty ? [] : ["left out, on one side only: \(pair.leftOut.joined(separator: ", "))"]
    let comparison = try Comparison(from: sides.before, to: sides.after)
    return ComparisonReport(
      comparison, before: names[0], after: names[1],
      notes: settings + leftOut + replayed.after.results.tuningSentences, pair: replayed.after.results,
      played: try played(
        comparison, from: replayed.before.results, to: replayed.after.results, detectors: (names[0], names[1])),
      bench: Bench.version)
  }

  /// - Parameters:
  ///   - isAfter: Whether it is side B, whose parameters may come from files and whose smoothing from the options.
  ///   - own: The smoothing of side A; `nil` for the suite's.
  private func plan(
    _ suite: Suite, _ assignments: [String], isAfter: Bool = true, smoothedBy own: SmoothingChoice? = nil
  ) throws -> SuiteRun {
    var (options, predictions) = (self.suite, predictions)
    if !isAfter { predictions.predictions = fromPredictions }
    options.assignments = assignments
    if !isAfter { options.parameterPaths = [] }
    return try options.suiteRun(
      suite, smoothing: isAfter ? smoothing.smoothing : own, predictions: predictions.files(),
      store: try options.storage.open())
  }

  private func replay(_ run: SuiteRun, _ side: String) async throws -> ReplayedSuite {
    try await suite.replay(run, titled: "replaying \(side)")
  }

  private func side(called name: String, of suite: Suite) throws -> (side: ComparisonSide, words: String) {
    if name == "baseline" {
      return (.baseline(try self.suite.storage.project.baseline(ofSuite: suite.name)), "the baseline")
    }
    let run = try self.suite.storage.open().run(named: name, ofSuite: suite.name)
    return (.run(run.results, id: run.id), "run \(run.id)")
  }

  private var afterWords: String {
    words(
      suite.parameterFiles.paths + suite.assignments + (smoothing.smooth.map { ["--smooth \($0)"] } ?? [])
        + predicted(predictions.predictions))
  }

  private func predicted(_ files: [String]) -> [String] {
    files.isEmpty ? [] : ["the predictions of \(files.joined(separator: ", "))"]
  }

  private func words(_ assignments: [String]) -> String {
    assignments.isEmpty ? "the suite without changes" : "the suite with \(assignments.joined(separator: ", "))"
  }
}

/// A comparison on one screen.
struct ComparisonSummary {
  var report: ComparisonReport
  /// The folder of the report.
  var folder: String
  /// Whether to show metrics that neither gate nor changed, all clips and all columns.
  var showsAll = false

  /// The most changed clips, and the most slices shown; the report has all.
  private static let limit = 12

  private var comparison: Comparison { report.comparison }

  var text: String {
    (Terminal.opening(report.conclusion) + [""] + [header] + datasets + sides + [""] + clips + [""] + metrics + [""]
      + slices + ["", "report   \(folder)/compare.md"])
      .joined(separator: "\n")
  }

  private var header: String {
    "\(Terminal.bold("suite \(comparison.results.suite)")) version \(comparison.results.suiteVersion)"
  }

  private var datasets: [String] { comparison.results.datasets.lines }

  private var sides: [String] {
    ["A        " + Terminal.wrap(report.before, indent: 9), "B        " + Terminal.wrap(report.after, indent: 9)]
      + report.notes.map { "         " + Terminal.dim(Terminal.wrap($0, indent: 9)) }
      + comparison.changedParameters.map { "changed  \($0)" }
  }

  private var clips: [String] {
    let all = comparison.clipChanges
    let shown = showsAll ? all : Array(all.prefix(Self.limit))
    let rows = shown.map { $0.marked(report.words($0)) }
    let others = all.dropFirst(shown.count)
    let head = "clips    " + Terminal.wrap(report.changedClips, indent: 9)
    guard !others.isEmpty else { return [head] + rows }
    let counts = [
      (others.count { ($0.gain ?? 0) < 0 }, "↓"), (others.count { ($0.gain ?? 0) > 0 }, "↑"),
      (others.count { ($0.gain ?? 0) == 0 }, "no change"),
    ].filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
    return [head] + rows + ["  and \(others.count) more: \(counts.joined(separator: ", ")); --all"]
  }

  /// Metrics that gate or changed, by detector; with `--all` every metric and column.
  private var metrics: [String] {
    let listed = comparison.metrics.filter(\.isListed)
    let known = listed.filter { $0.before != nil || $0.after != nil }
    let chosen = known.filter { $0.margin != nil || !$0.isUnchanged }
    let shown = showsAll || chosen.isEmpty ? known : chosen
    guard !shown.isEmpty else { return ["metrics  none has a value: these clips have no labels for them"] }
    let allGate = shown.allSatisfy { $0.margin != nil }
    let header =
      ["metric", "A", "B", "gain", "95 % interval", "p"] + (showsAll ? ["adjusted", "subjects", "clips"] : []) + [""]
    let rows = shown.map { metric in
      ["  \(Metric.plainName(of: metric.metric)) (\(metric.metric))"] + cells(metric)
        + (showsAll
          ? [
            metric.adjustedP.map { NumberText.probability($0) } ?? "", "\(metric.subjects)", "\(metric.clips)",
          ] : [])
        + [notes(metric, marksGates: !allGate)]
    }
    let lines = Terminal.table([header] + rows, right: Set(1..<header.count - 1), indent: 0)
    var text = [Terminal.dim(lines[0])]
    for (index, metric) in shown.enumerated() {
      if index == 0 || shown[index - 1].detector != metric.detector { text.append(Terminal.bold(metric.detector)) }
      text.append(colored(lines[index + 1], metric))
    }
    let unknown = listed.filter { $0.before == nil && $0.after == nil }
    if !unknown.isEmpty {
      let names = Set(unknown.map(\.metric)).sorted().map { Metric.plainName(of: $0) }.joined(separator: ", ")
      text.append(
        "n/a      " + Terminal.wrap("\(names): the clips' labels or the predictions lack what they need", indent: 9))
    }
    let others = known.count - shown.count
    if others > 0 {
      text.append(
        "more     \(Terminal.count(others, "metric")) \(others == 1 ? "does" : "do") not gate and did not change: --all"
      )
    }
    return text + ["p        " + Terminal.dim(Terminal.wrap(report.method, indent: 9))]
  }

  /// From the value on A to the p value.
  private func cells(_ metric: MetricChange) -> [String] {
    let unit = metric.unit
    return [
      NumberText.value(metric.before, unit: unit), NumberText.value(metric.after, unit: unit),
      metric.isUnchanged && metric.subjects > 0 ? "0" : NumberText.signed(metric.gain, unit: unit),
      NumberText.interval(metric.interval, unit: unit) ?? "n/a", NumberText.probability(metric.p),
    ]
  }

  private func notes(_ metric: MetricChange, marksGates: Bool) -> String {
    var notes = [metric.unit]
    if marksGates, metric.margin != nil { notes.append("gates") }
    if metric.isPooled {
      notes.append("pooled")
    } else if showsAll {
      let undefined = [("A", metric.undefinedBefore), ("B", metric.undefinedAfter)].filter { $0.1 > 0 }
      if !undefined.isEmpty { notes.append("n/a on " + undefined.map { "\($0.0) \($0.1)" }.joined(separator: ", ")) }
    }
    if let words = metric.casesWords { notes.append(words) }
    return notes.filter { !$0.isEmpty }.joined(separator: ", ")
  }

  private func colored(_ line: String, _ metric: MetricChange?) -> String {
    guard let metric else { return Terminal.dim(line) }
    guard let gain = metric.gain, gain != 0 else { return line }
    return gain > 0 ? Terminal.good(line) : Terminal.bad(line)
  }

  /// Slices of several subjects with a change, the most certain first.
  private var slices: [String] {
    guard let all = comparison.slices else {
      return [
        "slices   "
          + Terminal.wrap(
            "n/a: a stored run or a baseline keeps no predictions; replay both sides to compare slices", indent: 9)
      ]
    }
    let tested = all.filter { $0.metric.p != nil }
    let changed = tested.filter { !$0.metric.isUnchanged }.enumerated().sorted { a, b in
      let (p, q) = (a.element.metric.p ?? 1, b.element.metric.p ?? 1)
      return p != q ? p < q : a.offset < b.offset
    }.map(\.element)
    guard !changed.isEmpty else { return ["slices   no change in any slice of several people"] }
    let shown = showsAll ? changed : Array(changed.prefix(Self.limit))
    let header = ["slice", "metric", "A", "B", "gain", "95 % interval", "adjusted p"]
    let rows = shown.map { sliced in
      [
        "\(sliced.slice.dimension.rawValue) \(sliced.slice.value)", report.name(sliced.metric),
      ] + cells(sliced.metric).dropLast() + [NumberText.probability(sliced.metric.adjustedP)]
    }
    let lines = Terminal.table([header] + rows, right: [2, 3, 4, 5, 6], indent: 0)
    let others = changed.count > shown.count ? "; \(changed.count - shown.count) more changed: --all" : ""
    return zip(lines, [nil] + shown.map(\.metric)).map { colored($0, $1) } + [
      "p        "
        + Terminal.dim(
          Terminal.wrap(
            "Benjamini and Hochberg's correction over all \(tested.count) tests on slices\(others); the report has all "
              + "slices and people", indent: 9))
    ]
  }
}
