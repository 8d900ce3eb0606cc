import Evaluation
import Scoring

/// A comparison for machines, as `compare.json` holds it.
public struct ComparisonRecord: Codable, Sendable {
  /// The version of this layout.
  public static let currentFormat = 2

  struct Subject: Codable {
    var before: Double?
    var after: Double?
    var gain: Double?
  }

  struct Metric: Codable {
    var detector: String
    var metric: String
    var unit: String
    /// Absent for a cost, and in files from before it was kept.
    var direction: Scoring.Metric.Direction?
    var before: Double?
    var after: Double?
    /// Above 0 is better.
    var gain: Double?
    var low: Double?
    var high: Double?
    var level: Double
    /// Whether the value is that of all clips together, with a bootstrap interval: `true`, or absent.
    var isPooled: Bool?
    var p: Double?
    /// Whether all flips were looked at.
    var pIsExact: Bool?
    var adjustedP: Double?
    var margin: Double?
    /// With a value on both sides.
    var subjects: Int
    var undefinedBefore: Int
    var undefinedAfter: Int
    var clips: Int
    /// Whether the suite names it.
    var isListed: Bool
    /// Whether no subject's value is another.
    var isUnchanged: Bool
    /// Left out of slices, of which there are many.
    var bySubject: [String: Subject]?

    init(_ metric: PairedMetric, tellsSubjects: Bool) {
      detector = metric.change.detector
      self.metric = metric.change.metric
      unit = metric.change.unit
      direction = metric.change.direction
      before = metric.change.before
      after = metric.change.after
      gain = metric.change.gain
      low = metric.interval?.low
      high = metric.interval?.high
      level = PairedComparison.level
      isPooled = metric.change.isPooled ? true : nil
      p = metric.signFlip?.twoSided
      pIsExact = metric.signFlip?.isExact
      adjustedP = metric.adjustedP
      margin = metric.change.margin
      subjects = metric.pairs
      undefinedBefore = metric.undefinedBefore
      undefinedAfter = metric.undefinedAfter
      clips = metric.clips
      isListed = metric.isListed
      isUnchanged = metric.change.isUnchanged
      guard tellsSubjects else { return }
      bySubject = Dictionary(
        metric.subjects.map { ($0.name, Subject(before: $0.before, after: $0.after, gain: $0.gain)) },
        uniquingKeysWith: { first, _ in first })
    }
  }

  struct Slice: Codable {
    var dimension: String
    var value: String
    var metric: Metric
  }

  let format: Int
  let bench: String
  let suite: String
  let suiteVersion: Int
  let datasets: [RunResults.DatasetCard]
  /// By name, what kind each is.
  let detectors: [String: String]
  let clips: Int
  let subjects: Int
  let before: String
  let after: String
  let notes: [String]
  let changedParameters: [String]
  let clipChanges: [ClipChange]
  let method: String
  let metrics: [Metric]
  let slices: [Slice]?

  init(_ report: ComparisonReport) {
    let comparison = report.comparison
    format = Self.currentFormat
    bench = report.bench
    suite = comparison.results.suite
    suiteVersion = comparison.results.suiteVersion
    datasets = comparison.results.datasets
    detectors = Dictionary(
      comparison.results.detectors.map { ($0.name, $0.kind) }, uniquingKeysWith: { first, _ in first })
    (clips, subjects) = (comparison.clips, comparison.subjects)
    before = report.before
    after = report.after
    notes = report.notes
    changedParameters = comparison.changedParameters
    clipChanges = comparison.clipChanges
    method = report.method
    metrics = comparison.metrics.map { Metric($0, tellsSubjects: true) }
    slices = comparison.slices?.map {
      Slice(
        dimension: $0.slice.dimension.rawValue, value: $0.slice.value,
        metric: Metric($0.metric, tellsSubjects: false))
    }
  }
}

extension ComparisonRecord {
  /// Reads a `compare.json`.
  ///
  /// - Throws: `DataError` where it can't be read, `EvaluationError.missing` for another format.
  init(file path: String) throws { self = try StudyFile(path).read("a comparison", format: Self.currentFormat) }
}
