import Datasets
import Files
import Pipeline
import PoseModel
import Scoring

/// Scores of predictions that another system made, without a replay.
public struct ExternalScore: Sendable {
  public var metrics: [RunResults.MetricResult]
  public var clips: [LabelledPrediction]
  /// Clips whose true count comes from the predictions' file, as the dataset does not have them.
  public var clipsFromFile: Int
  /// Clips of the dataset that are not in the file; they are scored as zero reps.
  public var unpredicted: [String]
  /// Labelled reps without a matching prediction, and how close the nearest one came; empty if the predictions have no
  /// times.
  public var missed: [(clip: String, rep: MissedRep)]

  /// - Parameters:
  ///   - dataset: The ground truth and the time of each clip's last frame; `nil` takes the true counts from the file's
  ///     `true_count`.
  /// - Throws: `DataError` for a clip that neither the dataset nor the file has labels for, or for which they differ, and for
  ///   a rep that ends more than a frame after its clip.
  public init(
    _ predictions: ExternalPredictions,
    dataset: (name: String, clips: [StoredClip], lastFrames: [String: Microseconds])?, matching: RepMatching
  ) throws {
    let known = Dictionary(
      (dataset?.clips ?? []).map { ($0.info.name, $0) }, uniquingKeysWith: { first, _ in first })
    var scored: [LabelledPrediction] = []
    var fromFile = 0
    for row in predictions.rows {
      if let clip = known[row.clip] {
        let truth = clip.labels
        if let last = dataset?.lastFrames[row.clip], let rep = row.lastRep {
          let end = last + Microseconds(frame: 1, rate: clip.info.fps)
          guard rep.end <= end else {
            throw DataError(
              file: predictions.file, line: rep.line, clip: row.clip,
              expected: "a rep that ends by \(end.seconds) s, when the clip ends", found: "\(rep.end.seconds) s")
          }
        }
        if let told = row.trueCount, let count = truth.repCount, told != count {
          throw DataError(
            file: predictions.file, line: row.line, clip: row.clip,
            expected: "the true count \(count) of dataset \(dataset?.name ?? "")", found: "\(told)")
        }
        scored.append(
          LabelledPrediction(name: row.clip, subject: clip.info.subject, groundTruth: truth, prediction: row.prediction)
        )
      } else if let told = row.trueCount {
        fromFile += 1
        scored.append(
          LabelledPrediction(
            name: row.clip, subject: row.clip, groundTruth: GroundTruth(repCount: told), prediction: row.prediction))
      } else {
        throw DataError(
          file: predictions.file, line: row.line, clip: row.clip,
          expected: dataset.map { "a clip of dataset \($0.name)" } ?? "a column true_count, or --dataset",
          found: "none called " + NearNames.question(row.clip, in: known.keys))
      }
    }
    let predicted = Set(predictions.rows.map(\.clip))
    let tellsTimes = predictions.rows.contains { $0.prediction.reps != nil }
    let silent = (dataset?.clips ?? []).filter { !predicted.contains($0.info.name) && $0.labels.repCount != nil }
    scored += silent.map { clip in
      LabelledPrediction(
        name: clip.info.name, subject: clip.info.subject, groundTruth: clip.labels,
        prediction: tellsTimes ? Prediction(reps: []) : Prediction(count: 0))
    }
    clips = scored.sorted { $0.name < $1.name }
    clipsFromFile = fromFile
    unpredicted = silent.map(\.info.name)
    var families: [any MetricFamily] = [CountMetrics()]
    if tellsTimes { families.append(RepEventMetrics(matching: matching)) }
    metrics = RunResults.MetricResult.results(of: families, detector: predictions.file, clips: clips)
    missed =
      tellsTimes
      ? clips.flatMap { clip -> [(clip: String, rep: MissedRep)] in
        guard let truth = clip.groundTruth.reps, let predicted = clip.prediction.reps?.map(\.rep) else { return [] }
        let pairs = matching.pairs(truth: truth, predicted: predicted)
        let reasons = RepReasons(truth: truth, predicted: predicted, pairs: pairs, matching: matching) { nil }
        return (reasons.missedReps ?? []).map { (clip.name, $0) }
      } : []
  }
}

/// The predictions of another system from a CSV file: one count per clip, or one row per rep.
///
/// Columns: `clip` and either `count`, or `start_s` and `end_s` (one row per rep; a clip without reps has one row with
/// both empty). A file may contain true counts as `true_count`. Other columns are ignored. Other names are accepted for
/// these: `video_id`, `pred_count`, and those that the caller gives.
public struct ExternalPredictions: Sendable {
  public struct Row: Sendable {
    public var clip: String
    public var prediction: Prediction
    /// The true count, if the file has it.
    public var trueCount: Int?
    public var line: Int
    /// The rep that ends last; `nil` without times.
    public var lastRep: (end: Microseconds, line: Int)?
  }

  public let file: String
  public let rows: [Row]

  /// Other names of a column, used if the column itself is absent.
  static let otherNames = ["clip": ["video_id", "video", "name"], "count": ["pred_count", "predicted_count"]]

  /// - Parameter columns: The file's own names, by column: `["clip": "id"]`.
  /// - Throws: `DataError` with file and line.
  public init(_ file: InputFile, columns: [String: String] = [:]) throws {
    self.file = file.name
    let header = try CSVTable(file, required: [], ignoringOthers: true).columns
    func column(_ name: String) -> String? {
      let candidates = columns[name].map { [$0] } ?? [name] + (Self.otherNames[name] ?? [])
      return candidates.first(where: header.contains)
    }
    let found = Excerpt.list(header.map { Excerpt.of($0) })
    guard let clip = column("clip") else {
      throw DataError(file: file.name, line: 1, expected: "a column clip", found: "only \(found)")
    }
    let times = ["count", "start_s", "end_s"].compactMap(column)
    if let count = column("count") {
      guard times == [count] else {
        throw DataError(
          file: file.name, line: 1, expected: "a column count, or start_s and end_s",
          found: times.joined(separator: ", "))
      }
      rows = try Self.counts(file, clip: clip, count: count, trueCount: column("true_count"))
    } else if let start = column("start_s"), let end = column("end_s") {
      rows = try Self.reps(file, clip: clip, start: start, end: end, trueCount: column("true_count"))
    } else {
      throw DataError(
        file: file.name, line: 1, expected: "a column count, or start_s and end_s", found: "only \(found)")
    }
    guard !rows.isEmpty else {
      throw DataError(file: file.name, expected: "at least one prediction", found: "none")
    }
  }

  private static func counts(
    _ file: InputFile, clip: String, count: String, trueCount: String?
  ) throws -> [Row] {
    let table = try CSVTable(
      file, required: [clip, count] + (trueCount.map { [$0] } ?? []), ignoringOthers: true)
    var lines: [String: Int] = [:]
    return try table.rows.map { row in
      let name = try row.text(clip)
      if let line = lines.updateValue(row.line, forKey: name) {
        throw row.failure(clip: name, expected: "one count per clip", found: "another on line \(line)")
      }
      return Row(
        clip: name, prediction: Prediction(count: try number(row, count)),
        trueCount: try trueCount.map { try number(row, $0) }, line: row.line)
    }
  }

  private static func number(_ row: CSVRow, _ column: String) throws -> Int {
    let value = try row.integer(column)
    guard value >= 0 else { throw row.failure(column, expected: "a count of 0 or more") }
    return value
  }

  private static func reps(
    _ file: InputFile, clip: String, start: String, end: String, trueCount: String?
  ) throws -> [Row] {
    let table = try CSVTable(
      file, required: [clip, start, end] + (trueCount.map { [$0] } ?? []), ignoringOthers: true)
    var order: [String] = []
    var found: [String: (first: CSVRow, reps: [(rep: Rep, line: Int)])] = [:]
    for row in table.rows {
      let name = try row.text(clip)
      let rep = try rep(row, name, start, end).map { [(rep: $0, line: row.line)] } ?? []
      guard let before = found[name] else {
        order.append(name)
        found[name] = (row, rep)
        continue
      }
      guard !rep.isEmpty, !before.reps.isEmpty else {
        throw row.failure(
          clip: name, expected: "a row for each rep of the clip, or a single one without times",
          found: "another on line "
            + "\(before.first.line)")
      }
      found[name]?.reps += rep
      if let trueCount {
        let (count, other) = (try number(row, trueCount), try number(before.first, trueCount))
        guard count == other else {
          throw row.failure(
            clip: name, expected: "the true count \(other) of line \(before.first.line)", found: "\(count)")
        }
      }
    }
    return try order.compactMap { name in
      guard let (first, reps) = found[name] else { return nil }
      let sorted = reps.sorted { ($0.rep.end, $0.rep.start) < ($1.rep.end, $1.rep.start) }
      let counted = sorted.map { Prediction.CountedRep(rep: $0.rep, reported: $0.rep.end) }
      return Row(
        clip: name, prediction: Prediction(reps: counted), trueCount: try trueCount.map { try number(first, $0) },
        line: first.line, lastRep: sorted.last.map { ($0.rep.end, $0.line) })
    }
  }

  /// `nil` for a row without times.
  private static func rep(_ row: CSVRow, _ clip: String, _ start: String, _ end: String) throws -> Rep? {
    guard let from = try row.timeIfPresent(start) else {
      guard try row.timeIfPresent(end) == nil else { throw row.failure(start, clip: clip, expected: "a start") }
      return nil
    }
    let to = try row.time(end)
    guard to > from else {
      throw row.failure(clip: clip, expected: "an end after the start \(from.seconds) s", found: "\(to.seconds) s")
    }
    return Rep(start: from, end: to)
  }
}
