import Datasets
import Files
import Pipeline
import PoseModel
import Scoring

extension [StoredDataset] {
  /// The criteria with their scales, by dataset.
  var scales: [String: [Manifest.Criterion]] {
    Dictionary(map { ($0.manifest.name, $0.manifest.criteria) }, uniquingKeysWith: { first, _ in first })
  }
}

/// Scores of predictions from files on datasets, without a suite: nothing is replayed or kept.
public struct ExternalScore: Sendable {
  public let metrics: [RunResults.MetricResult]
  public let clips: [LabelledPrediction]
  public let detector: PredictedDetector
  /// Clips whose true count comes from the predictions' file, as the datasets do not have them.
  public let clipsFromFile: Int
  /// Clips of the datasets that are not in the files.
  public let unpredicted: [String]
  /// That reps are matched by another rule than was asked for, and why; `nil` if they are not.
  public let matchingNote: String?
  /// Labelled reps without a matching prediction, and how close the nearest one came; empty if the predictions have no
  /// times.
  public let missed: [(clip: String, rep: MissedRep)]

  /// - Parameters:
  ///   - datasets: The ground truth; none takes the true counts from the files' `true_count`.
  ///   - store: Has the datasets; `nil` without any.
  ///   - isFitted: Whether another rule may be taken that fits the datasets better; not for strokes.
  /// - Throws: `DataError` for a clip that neither the datasets nor the files have labels for, or for which they differ,
  ///   and for predictions that contradict each other or the clip.
  public init(
    _ files: PredictionFiles, datasets: [StoredDataset], in store: Store?, matching plain: RepMatching,
    isFitted: Bool = false
  ) throws {
    var stored: [String: (clip: StoredClip, dataset: StoredDataset)] = [:]
    var targets: [PredictionJoin.Target] = []
    for dataset in datasets {
      guard let store else { break }
      let (name, ends) = (dataset.manifest.name, try store.lastFrames(of: dataset))
      for clip in try store.clips(of: dataset) {
        let target = PredictionJoin.Target(clip, of: name, last: ends[clip.info.name], labels: [:])
        targets.append(target)
        stored[target.id] = (clip, dataset)
      }
    }
    let names = datasets.map(\.manifest.name)
    let fromFile = try Self.fromFile(files, besides: targets, of: names)
    let join = PredictionJoin(targets + fromFile, others: [], datasets: names)
    let predicted = try join.detector(
      files.entries, of: files, called: PredictedDetector.usualName, declared: nil,
      criteria: datasets.flatMap { $0.manifest.criteria.map(\.name) }, scales: datasets.scales)
    var (matching, note): (RepMatching, String?) = (plain, nil)
    if isFitted, predicted.strokes == nil, let store {
      (matching, note) = try plain.fitting(stored.values.map { ($0.dataset, $0.clip) }, in: store)
    }
    matchingNote = note
    let families = predicted.families(matching: matching)
    // Only these compare frames; to decode a clip's poses takes longer than all else.
    let needsFrames = predicted.strokes != nil || !predicted.postures.isEmpty
    let conditions = ReplayConditions(needsPoses: false)
    clips = try (targets + fromFile).map { target in
      let prediction = predicted.clips[target.id] ?? Prediction()
      let dataset = datasets.count > 1 ? stored[target.id]?.dataset.manifest : nil
      let person = dataset.map { PersonID(people: $0.ownPeople, subject: target.info.subject).description }
      var frames: [Microseconds] = []
      if needsFrames, let store, let (clip, dataset) = stored[target.id] {
        frames = try PreparedClip(clip, of: dataset, in: store, under: conditions).poses.times
      }
      return LabelledPrediction(
        name: dataset == nil ? target.info.name : target.id, subject: person ?? target.info.subject, frames: frames,
        groundTruth: target.labels, prediction: prediction)
    }.sorted { $0.name < $1.name }
    detector = predicted
    clipsFromFile = fromFile.count
    unpredicted = predicted.unpredicted.map { names.count > 1 ? $0 : stored[$0]?.clip.info.name ?? $0 }
    metrics = RunResults.MetricResult.results(of: families, detector: predicted.name, clips: clips)
    missed =
      predicted.tellsReps
      ? clips.flatMap { clip -> [(clip: String, rep: MissedRep)] in
        guard let truth = clip.groundTruth.reps, let predicted = clip.prediction.reps?.map(\.rep) else { return [] }
        let pairs = matching.pairs(truth: truth, predicted: predicted)
        let reasons = RepReasons(truth: truth, predicted: predicted, pairs: pairs, matching: matching) { nil }
        return (reasons.missedReps ?? []).map { (clip.name, $0) }
      } : []
  }

  /// The clips that only the files contain, with their true counts.
  private static func fromFile(
    _ files: PredictionFiles, besides targets: [PredictionJoin.Target], of datasets: [String]
  ) throws -> [PredictionJoin.Target] {
    let known = Dictionary(
      targets.flatMap { [($0.info.name, $0), ($0.id, $0)] }, uniquingKeysWith: { first, _ in first })
    var found: [String: (count: Int, entry: PredictionFiles.Entry)] = [:]
    for entry in files.entries {
      guard let told = entry.trueCount else {
        if datasets.isEmpty {
          throw entry.failure(expected: "a column true_count, or --dataset", found: "neither")
        }
        continue
      }
      if let other = found[entry.clip], other.count != told {
        throw entry.failure(
          expected: "the true count \(other.count) of line \(other.entry.location.line)", found: "\(told)")
      }
      if let target = known[entry.clip] {
        if let count = target.labels.repCount, told != count {
          throw entry.failure(
            expected: "the true count \(count) of dataset \(datasets.joined(separator: ", "))", found: "\(told)")
        }
      } else {
        found[entry.clip] = found[entry.clip] ?? (told, entry)
      }
    }
    return found.sorted { $0.key < $1.key }.map { name, told in
      PredictionJoin.Target(
        id: name, info: Clip.Info(name: name, subject: name, exercise: "", view: "", fps: 30, split: ""),
        labels: GroundTruth(repCount: told.count), end: nil)
    }
  }
}
