import Datasets
import Scoring

/// Scores of predictions that another system made, without a replay.
public struct ExternalScore: Sendable {
  public var metrics: [RunResults.MetricResult]
  public var clips: [ScoredClip]
  /// Clips whose truth the predictions' own file tells, since the dataset does not have them.
  public var clipsFromFile: Int
  /// Clips of the dataset that the file says nothing of; they are scored as zero reps.
  public var unpredicted: [String]

  /// - Parameters:
  ///   - dataset: whose labels are the truth; `nil` takes the truth from the file's `true_count`.
  /// - Throws: `DataError` for a clip that neither the dataset nor the file has a truth for, or for which they differ.
  public init(
    _ predictions: ExternalPredictions, dataset: (name: String, clips: [StoredClip])?, matching: RepMatching
  ) throws {
    let known = Dictionary(
      (dataset?.clips ?? []).map { ($0.info.name, $0) }, uniquingKeysWith: { first, _ in first })
    var scored: [ScoredClip] = []
    var fromFile = 0
    for row in predictions.rows {
      if let clip = known[row.clip] {
        let truth = Truth(clip.labels)
        if let told = row.trueCount, let count = truth.count, told != count {
          throw DataError(
            file: predictions.file, line: row.line, clip: row.clip,
            expected: "the true count \(count) of dataset \(dataset?.name ?? "")", found: "\(told)")
        }
        scored.append(
          ScoredClip(name: row.clip, subject: clip.info.subject, truth: truth, prediction: row.prediction))
      } else if let told = row.trueCount {
        fromFile += 1
        scored.append(
          ScoredClip(name: row.clip, subject: row.clip, truth: Truth(count: told), prediction: row.prediction))
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
      ScoredClip(
        name: clip.info.name, subject: clip.info.subject, truth: Truth(clip.labels),
        prediction: tellsTimes ? Prediction(reps: []) : Prediction(count: 0))
    }
    clips = scored.sorted { $0.name < $1.name }
    clipsFromFile = fromFile
    unpredicted = silent.map(\.info.name)
    var families: [any MetricFamily] = MetricFamilies.counting
    if tellsTimes { families.append(RepEventMetrics(matching: matching)) }
    metrics = []
    for family in families {
      metrics += RunResults.MetricResult.results(of: family, detector: predictions.file, clips: clips)
    }
  }
}
