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
    let caveats = report.comparison.results.datasets.caveats
    try study.finish(
      report.study, in: project, of: report.comparison.results.suite, store: suite.storage.open(),
      table: table.format.map { report.table.written(as: $0, below: caveats) }
    ) { ComparisonScreen(report, in: $0, showsAll: all).blocks }
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
    if !isAfter { options.parameterFiles.paths = [] }
    return try options.suiteRun(
      suite, smoothing: isAfter ? smoothing.smoothing : own, from: ClipSource(predictions.files()),
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
