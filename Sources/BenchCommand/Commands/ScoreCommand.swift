import ArgumentParser
import Datasets
import Evaluation
import Files
import Pipeline
import PoseModel
import Reports
import Scoring
import Statistics

struct ScoreCommand: AsyncParsableCommand, ReplayingCommand {
  static let configuration = CommandConfiguration(
    commandName: "score",
    abstract: "Score predictions from files of any other system.",
    discussion: """
      With --suite the result is stored as a run, for bench report, compare, draw and history; bench baseline accept \
      and bench gate take the same --predictions. With --dataset it only prints the metrics.

      Files are CSV with a column clip (anna_1, or squats/anna_1) and one of these:
        count, perhaps count_confidence                    reps of a clip, and how likely that is right
        count_confidence                                   how likely a count in other files is right
        start_s, end_s, perhaps turn_s, reported_s, rep    a rep
        time_s, label, perhaps score, start_s, end_s       a stroke, or an instant such as golf's address
        start_s, end_s, label, perhaps score               a posture or phase
        grade, perhaps criterion, with start_s and end_s, rep or neither    the grade of a rep or clip
        fault, perhaps present, score, with start_s and end_s, rep or neither    a fault of a rep or clip
      A row with only a clip means that nothing was found in it. A column detector names the suite's detector that \
      made the predictions. Lines of JSON have clip and an event as in docs/detector-protocol.md.

      Examples:
        bench score --suite our-app --predictions predictions.csv
        bench score --suite our-app --predictions reps.csv grades.csv faults.csv
        bench score --dataset squat-sample --predictions mine.csv
        bench score --predictions counts.csv --columns clip=video,count=reps
      """)

  @Option(help: "The suite to run with the predictions: datasets/suites/<suite>.yaml.")
  var suite: String?

  @Option(
    parsing: .singleValue,
    help: "The dataset with the ground truth; with --suite, instead of the suite's. May be repeated.")
  var dataset: [String] = []

  @Option(parsing: .upToNextOption, help: ArgumentHelp("CSV or JSON Lines files.", valueName: "file"))
  var predictions: [String]

  @Option(help: ArgumentHelp("Column names in the files, if different.", valueName: "column=name,…"))
  var columns: String?

  @Option(
    help: ArgumentHelp(
      "Matching tolerance of a rep's end or a stroke, without a suite. (default: 0.5)", valueName: "seconds"
    ))
  var tolerance: Double?

  @Flag(help: "Print the metrics as JSON; with --suite, results.json.")
  var json = false

  @Flag(help: "With --suite: show every metric and every count.")
  var all = false

  @Option(help: "With --suite: mark the run as this release in the history.")
  var release: String?

  @OptionGroup var work: JobOptions
  @OptionGroup var consent: ConsentOptions
  @OptionGroup var storage: StoreOptions

  func validate() throws {
    if suite != nil, tolerance != nil { throw ValidationError("the suite sets the tolerance: leave out --tolerance") }
    if suite == nil, all || release != nil { throw ValidationError("--all and --release need --suite") }
  }

  func run() async throws {
    let files = try PredictionFiles(predictions.map { try InputFile($0) }, columns: Self.columnNames(columns))
    defer {
      Terminal.wrote(.lines(files.remarks.map { "note: \($0.visible)" }), beside: json)
    }
    guard let suite else { return try score(files) }
    Interruption.watch()
    defer { Interruption.unwatch() }
    let project = storage.project
    let options = try suiteOptions(suite)
    _ = try project.within(project.baselineFile(suite))
    let reports = try project.within(project.reportFolder(suite))
    try await options.execute(from: .predictions(files)).finish(
      in: reports, release: release, json: json, showsAll: all)
  }

  /// The options of a suite's commands that this one has.
  private func suiteOptions(_ suite: String) throws -> SuiteOptions {
    try SuiteOptions.parse(
      ["--suite=\(suite)"] + dataset.map { "--dataset=\($0)" } + (work.jobs.map { ["--jobs=\($0)"] } ?? [])
        + (storage.store.map { ["--store=\($0)"] } ?? []))
  }

  /// Scores without a suite.
  private func score(_ files: PredictionFiles) throws {
    let matching = RepMatching(instant: .end, tolerance: try toleranceTime())
    let store = dataset.isEmpty ? nil : try storage.open()
    let catalogue = store.map { DatasetCatalogue(project: storage.project, store: $0) }
    let score = try ExternalScore(
      files, datasets: dataset.compactMap { try catalogue?.dataset(named: $0) }, in: store, matching: matching,
      isFitted: tolerance == nil)
    if json {
      Terminal.out(String(decoding: try stableJSON(score.metrics), as: UTF8.self))
      return
    }
    guard score.metrics.contains(where: { $0.value != nil }) else {
      throw EvaluationError.missing(
        what: predictions.joined(separator: ", "), expected: "predictions that the clips' labels can score",
        found: "none of \(NumberText.count(score.clips.count, "clip")) has a label for them")
    }
    Terminal.out(score.screen(of: predictions))
  }

  private func toleranceTime() throws -> Microseconds {
    let tolerance = tolerance ?? 0.5
    guard tolerance >= 0, let time = Microseconds(seconds: tolerance) else {
      throw EvaluationError.usage("--tolerance takes seconds from 0, found \(tolerance)")
    }
    return time
  }

  /// The names of `clip=video,count=reps`.
  ///
  /// - Parameter others: Columns that a command reads besides predictions.
  static func columnNames(_ columns: String?, besides others: [String] = []) throws -> [String: String] {
    let known = PredictionFiles.columns + others
    var names: [String: String] = [:]
    for pair in (columns ?? "").split(separator: ",") {
      let sides = pair.split(separator: "=", maxSplits: 1).map(String.init)
      guard sides.count == 2, known.contains(sides[0]) else {
        throw EvaluationError.usage(
          "--columns takes pairs such as clip=video,count=reps with the columns \(known.joined(separator: ", ")), found \(pair)"
        )
      }
      names[sides[0]] = sides[1]
    }
    return names
  }
}
