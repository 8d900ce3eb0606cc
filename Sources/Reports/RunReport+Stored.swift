import Coaching
import Datasets
import Evaluation
import Foundation

extension RunReport {
  /// The report of a stored run, held against the baseline of when it was made.
  ///
  /// - Throws: `EvaluationError.missing` where the run is of another format, `DataError` where it can't be read.
  public init(_ stored: StoredRun, in catalogue: DatasetCatalogue, registry: DetectorRegistry) throws {
    let store = catalogue.store
    let results = try store.results(of: stored)
    let kept = try HistoryRun(stored, in: store, tags: [:])
    try self.init(
      results,
      run: Run(
        name: String(stored.id.dropFirst(stored.suite.count + 1)), created: stored.created, origin: kept.origin),
      baseline: store.baseline(of: stored),
      reasonWithoutBaseline: "the run was not held against a baseline when it was made",
      trail: MetricTrail(of: results, keptAs: stored.id, in: store)
    ) { clip, detector in
      try ReplayedClip(clip, of: results, detector: detector, in: catalogue, registry: registry)
    }
  }
}
