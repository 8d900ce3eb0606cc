import ArgumentParser
import Datasets
import Evaluation
import Files
import Pipeline
import PoseModel
import Reports
import Scoring
import Statistics

struct ScoreCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "score",
    abstract: "Score predictions that any other system made, without a replay.",
    discussion: """
      The CSV has a column clip and either count (one row per clip) or start_s and end_s (one row per rep; both empty for a clip without reps). video_id and pred_count are understood too. The ground truth is the dataset's; a column true_count \
      replaces it for clips that the dataset does not have, or for all of them without --dataset.

      Examples:
        bench score --dataset squat-sample --predictions mine.csv
        bench score --predictions counts.csv --columns clip=video,count=reps
      """)

  @Option(help: "The dataset with the ground truth.")
  var dataset: String?

  @Option(help: "A CSV file.")
  var predictions: String

  @Option(help: ArgumentHelp("The file's own names of columns.", valueName: "column=name,…"))
  var columns: String?

  @Option(help: ArgumentHelp("How far a rep's end may be from the true one.", valueName: "seconds"))
  var tolerance = 0.5

  @Flag(help: "Print the metrics as JSON.")
  var json = false

  @OptionGroup var storage: StoreOptions

  /// The most missed reps that are shown.
  private static let shownReps = 10

  func run() throws {
    let matching = RepMatching(instant: .end, tolerance: try toleranceTime())
    let file = try ExternalPredictions(InputFile(predictions), columns: try columnNames())
    var truth: (name: String, clips: [StoredClip], lastFrames: [String: Microseconds])?
    if let dataset {
      let store = try storage.open()
      let found = try DatasetCatalogue(project: storage.project, store: store).dataset(named: dataset)
      truth = (dataset, try store.clips(of: found), try store.lastFrames(of: found))
    }
    let score = try ExternalScore(file, dataset: truth, matching: matching)
    if json {
      Terminal.out(String(decoding: try stableJSON(score.metrics), as: UTF8.self))
      return
    }
    let subjects = Set(score.clips.map(\.subject)).count
    let labelled = score.clips.filter { $0.groundTruth.repCount != nil }
    let right = labelled.count { $0.prediction.count == $0.groundTruth.repCount }
    var lines =
      Terminal.opening(Conclusion("Counts right on \(right) of \(Terminal.count(labelled.count, "clip")).")) + [
        "", "\(predictions): \(Terminal.count(score.clips.count, "clip")) of \(Terminal.count(subjects, "subject"))",
      ]
    if score.clipsFromFile > 0 {
      lines.append("true counts of \(score.clipsFromFile) clips from the file's own true_count")
    }
    if !score.unpredicted.isEmpty {
      let names = score.unpredicted.prefix(5).joined(separator: ", ")
      lines.append(
        "\(score.unpredicted.count) clips without a prediction are scored as zero reps: \(names)"
          + (score.unpredicted.count > 5 ? ", …" : ""))
    }
    let rows = score.metrics.map { metric in
      [
        metric.metric, metric.value.map { NumberText.fixed($0, decimals: 4) } ?? "n/a", NumberText.interval(metric),
        [Metric.plainName(of: metric.metric), metric.unit].filter { !$0.isEmpty }.joined(separator: ", ")
          + (metric.undefinedClips > 0
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

  private func toleranceTime() throws -> Microseconds {
    guard tolerance >= 0, let time = Microseconds(seconds: tolerance) else {
      throw EvaluationError.usage("--tolerance takes seconds from 0, found \(tolerance)")
    }
    return time
  }

  private func columnNames() throws -> [String: String] {
    let known = ["clip", "count", "true_count", "start_s", "end_s"]
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
