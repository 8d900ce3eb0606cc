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

  /// The most missed reps that are shown.
  private static let shownReps = 10

  func validate() throws {
    if suite != nil, tolerance != nil { throw ValidationError("the suite sets the tolerance: leave out --tolerance") }
    if suite == nil, all || release != nil { throw ValidationError("--all and --release need --suite") }
  }

  func run() async throws {
    let files = try PredictionFiles(predictions.map { try InputFile($0) }, columns: Self.columnNames(columns))
    defer {
      for remark in files.remarks { Terminal.wrote("note: \(remark.visible)", beside: json) }
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
        found: "none of \(Terminal.count(score.clips.count, "clip")) has a label for them")
    }
    let subjects = Set(score.clips.map(\.subject)).count
    var lines =
      Terminal.opening(Conclusion(finding(score))) + [
        "",
        "\(predictions.joined(separator: ", ")): \(Terminal.count(score.clips.count, "clip")) of "
          + NumberText.count(subjects, "person"),
      ]
    if score.clipsFromFile > 0 {
      lines.append("true counts of \(score.clipsFromFile) clips from the file's own true_count")
    }
    if !score.unpredicted.isEmpty {
      let names = score.unpredicted.prefix(5).joined(separator: ", ")
      lines.append(
        "\(Terminal.count(score.unpredicted.count, "clip")) without a prediction "
          + (score.unpredicted.count == 1 ? "is" : "are") + " scored as "
          + (score.detector.counts ? "zero reps" : "if nothing was found") + ": \(names)"
          + (score.unpredicted.count > 5 ? ", …" : ""))
    }
    if let note = score.matchingNote { lines.append(Terminal.wrap(note, indent: 0)) }
    let rows = score.metrics.map { metric in
      [
        metric.metric, metric.value.map { NumberText.fixed($0, decimals: 4) } ?? "n/a", NumberText.interval(metric),
        [Metric.plainName(of: metric.metric), metric.unit].filter { !$0.isEmpty }.joined(separator: ", ")
          // A value over all clips together uses clips without a value of their own.
          + (metric.undefinedClips > 0 && metric.isPooled != true
            ? " (\(metric.undefinedClips) clip\(metric.undefinedClips == 1 ? "" : "s") n/a)" : ""),
      ]
    }
    lines += [""] + Terminal.table([["metric", "value", "95 % interval", ""]] + rows, right: [1, 2], indent: 0)
    let byReason = score.missed.sorted {
      ($0.rep.reason.cause == .offset ? 0 : 1) < ($1.rep.reason.cause == .offset ? 0 : 1)
    }
    if !byReason.isEmpty {
      lines +=
        [""]
        + byReason.prefix(Self.shownReps).map {
          "missed   " + Terminal.wrap("\($0.clip), rep \($0.rep.rep + 1): \($0.rep.reason.words)", indent: 9)
        }
      if byReason.count > Self.shownReps { lines.append("         and \(byReason.count - Self.shownReps) more") }
    }
    Terminal.out(lines.joined(separator: "\n"))
  }

  private func finding(_ score: ExternalScore) -> String {
    let labelled = score.clips.filter { $0.groundTruth.repCount != nil }
    guard score.detector.counts, !labelled.isEmpty else {
      let pce = score.metrics.first { $0.metric == Metric.percentageOfCorrectEvents.name && $0.value != nil }
      let clips = Terminal.count(score.clips.count, "clip")
      guard let known = pce ?? score.metrics.first(where: { $0.value != nil }) else {
        return "\(clips) predicted, none scored: no clip has a label for these predictions."
      }
      let name = Metric.plainName(of: known.metric)
      return "\(name.prefix(1).uppercased())\(name.dropFirst()): \(NumberText.quantity(known.value, unit: known.unit)) "
        + "on \(clips)."
    }
    let right = labelled.count { $0.prediction.count == $0.groundTruth.repCount }
    return "Counts right on \(right) of \(Terminal.count(labelled.count, "clip"))."
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
