import Coaching
import Datasets
import Files
import Pipeline
import PoseModel
import Scoring

extension PredictionFiles {
  /// The detectors that the files are about, joined with the clips of a suite's exercises.
  ///
  /// Entries without a detector are about the suite's only detector whose predictions come from files, or else about one
  /// that the suite does not know.
  ///
  /// - Throws: `DataError` with file and line for entries that cannot be joined; `EvaluationError.missing` for a detector
  ///   of another name than the suite's.
  func detectors(
    of suite: Suite, on datasets: [StoredDataset], in store: Store, registry: DetectorRegistry
  ) throws -> [PredictedDetector] {
    var targets: [(dataset: String, target: PredictionJoin.Target)] = []
    for dataset in datasets {
      let (name, ends) = (dataset.manifest.name, try store.lastFrames(of: dataset))
      for clip in try store.clips(of: dataset) {
        targets.append(
          (name, PredictionJoin.Target(clip, of: name, last: ends[clip.info.name], labels: suite.labels)))
      }
    }
    /// With the clips of a detector of the suite, or of all its exercises.
    func join(_ name: String) -> PredictionJoin {
      let choice = suite.detectors.first { $0.name == name }
      func takes(_ target: PredictionJoin.Target) -> Bool {
        suite.isNegative(target.info.exercise)
          || suite.exercises.contains(target.info.exercise) && choice?.takes(target.info.exercise) ?? true
      }
      return PredictionJoin(
        targets.map(\.target).filter(takes),
        others: targets.filter { !takes($0.target) }.map { ($0.dataset, $0.target.info.name) },
        datasets: datasets.map(\.manifest.name))
    }
    let waiting = try suite.detectors.map(\.name).filter { name in
      try DetectorSetting(registry.detector(named: name)).outside is UnpredictedObserver
    }
    let own = try suite.detectors.compactMap { try registry.detector(named: $0.name).profile.tasks.criterion }
    let criteria = own + datasets.flatMap { $0.manifest.criteria.map(\.name) }
    let byName = Dictionary(grouping: entries) { $0.detector ?? (waiting.count == 1 ? waiting[0] : "") }
    return try byName.sorted { $0.key < $1.key }.map { name, entries in
      if name.isEmpty, let first = entries.first, waiting.count > 1 {
        throw first.failure(
          expected: "a column detector, as the suite has several without a replay: \(waiting.joined(separator: ", "))",
          found: "none")
      }
      let isKnown = suite.detectors.contains { $0.name == name }
      if !name.isEmpty, !isKnown, let first = entries.first {
        let known = suite.detectors.map(\.name)
        throw first.failure(
          expected: "one of the suite's detectors \(known.joined(separator: ", ")), or no detector",
          found: NearNames.question(name, in: known))
      }
      return try join(name).detector(
        entries, of: self, called: name.isEmpty ? PredictedDetector.usualName : name,
        declared: isKnown ? registry.detector(named: name).profile : nil, criteria: criteria,
        scales: datasets.scales)
    }
  }
}

extension PredictionJoin.Target {
  /// - Parameters:
  ///   - last: The time of the clip's last frame; `nil` for labels only.
  ///   - labels: The suite's new names for labels.
  init(_ clip: StoredClip, of dataset: String, last: Microseconds?, labels: [String: String]) {
    self.init(
      id: ClipID(dataset: dataset, clip: clip.info.name).description, info: clip.info,
      labels: clip.labels.renamed(labels),
      end: last.map { $0 + Microseconds(frame: 1, rate: clip.info.fps) })
  }
}

extension Suite {
  /// The suite with the detector of some predictions: itself if it has the detector, or else that detector alone, on
  /// every metric of the suite that the predictions can be scored on.
  ///
  /// - Throws: `EvaluationError.missing` if there is no such metric.
  func judging(_ predicted: PredictedDetector) throws -> Suite {
    guard !detectors.contains(where: { $0.name == predicted.name }) else { return self }
    let known = Set(predicted.metrics(matching: matching).map(\.name))
    var seen: Set<String> = []
    let asked = metrics.filter { seen.insert($0.metric).inserted }
    let shared = asked.filter { known.contains($0.metric) }
    guard !shared.isEmpty else {
      throw EvaluationError.missing(
        what: "suite \(name)",
        expected: "a metric that the predictions can be scored on, such as "
          + known.sorted().prefix(3).joined(separator: ", "),
        found: "only \(asked.map(\.metric).joined(separator: ", "))")
    }
    var suite = self
    suite.detectors = [DetectorChoice(name: predicted.name, parameters: [:])]
    suite.metrics = shared.map {
      MetricChoice(detector: predicted.name, metric: $0.metric, margin: $0.margin, floor: $0.floor)
    }
    (suite.costs, suite.percentiles) = ([], [])
    return suite
  }
}
