import Datasets
import Files

/// A machine-readable comparison, written as `compare.json`.
public struct ComparisonRecord: Codable, Sendable {
  /// The version of this layout.
  public static let currentFormat = 2

  public let format: Int
  public let bench: String
  public let suite: String
  public let suiteVersion: Int
  public let datasets: [RunResults.DatasetCard]
  /// The kind of each detector, by name.
  public let detectors: [String: String]
  public let clips: Int
  public let subjects: Int
  /// The sides in words: `the suite without changes`.
  public let before: String
  public let after: String
  /// Further notes for the reader, one sentence each.
  public let notes: [String]
  public let changedParameters: [String]
  public let clipChanges: [ClipChange]
  /// The method of the p-values.
  public let method: String
  public let metrics: [MetricChange]
  /// Metrics in one side's suite that the other side lacks; `nil` for none.
  public let missingMetrics: [MissingMetric]?
  /// `nil` if a side was not replayed for the comparison.
  public let slices: [SliceChange]?

  public init(
    _ comparison: Comparison, before: String, after: String, notes: [String] = [], method: String = "", bench: String
  ) {
    format = Self.currentFormat
    self.bench = bench
    suite = comparison.results.suite
    suiteVersion = comparison.results.suiteVersion
    datasets = comparison.results.datasets
    detectors = comparison.results.detectorKinds
    (clips, subjects) = (comparison.clips, comparison.subjects)
    (self.before, self.after, self.notes, self.method) = (before, after, notes, method)
    changedParameters = comparison.changedParameters
    clipChanges = comparison.clipChanges
    metrics = comparison.metrics
    missingMetrics = comparison.missingMetrics.isEmpty ? nil : comparison.missingMetrics
    slices = comparison.slices
  }

  /// Reads a `compare.json`.
  ///
  /// - Throws: `DataError` if it cannot be read, `EvaluationError.missing` for another format.
  public init(file path: String) throws {
    self = try StudyFile(path).read("a comparison", format: Self.currentFormat)
  }

  public var names: ComparisonNames { ComparisonNames(datasets: datasets.count, kinds: detectors) }
}

extension ComparisonRecord: StudyContent {
  func check() throws {
    try StudyFault.require(count: clips, "clips")
    try StudyFault.require(count: subjects, "subjects")
    for (index, metric) in metrics.enumerated() { try metric.check("metrics[\(index)]") }
    for (index, slice) in (slices ?? []).enumerated() { try slice.metric.check("slices[\(index)].metric") }
  }
}

extension MetricChange {
  /// - Parameter key: Its place in the file.
  /// - Throws: `StudyFault` for values that no comparison writes.
  fileprivate func check(_ key: String) throws {
    try StudyFault.require(share: interval?.level, "\(key).level")
    try StudyFault.require(share: p, "\(key).p")
    try StudyFault.require(share: adjustedP, "\(key).adjustedP")
    let counts: [(String, Int?)] = [
      ("subjects", subjects), ("better", people?.better), ("worse", people?.worse),
      ("same", people?.same), ("oneSided", oneSided),
      ("casesBefore", cases?.before), ("casesAfter", cases?.after), ("casesOnBoth", cases?.onBoth),
      ("undefinedBefore", undefinedBefore), ("undefinedAfter", undefinedAfter), ("clips", clips),
    ]
    for (name, count) in counts { try StudyFault.require(count: count, "\(key).\(name)") }
  }
}

/// The names of clips, subjects and metrics in a comparison, with the dataset and the detector only if there are
/// several.
public struct ComparisonNames: Sendable {
  /// The count.
  let datasets: Int
  /// By detector.
  let kinds: [String: String]

  public init(_ results: RunResults) { self.init(datasets: results.datasets.count, kinds: results.detectorKinds) }

  init(datasets: Int, kinds: [String: String]) { (self.datasets, self.kinds) = (datasets, kinds) }

  /// `s04_side_2`
  public func clip(_ change: ClipChange) -> String {
    let name = withoutDataset(change.clip)
    return isOnlyOne(change.detector) ? name : "\(name) \(change.detector)"
  }

  /// `count.mae`
  public func metric(_ change: MetricChange) -> String {
    isOnlyOne(change.detector) ? change.metric : change.metricID.description
  }

  public func withoutDataset(_ name: String) -> String {
    SlashedName.name(of: name, amongDatasets: datasets)
  }

  /// Whether a detector is the only one of its kind.
  private func isOnlyOne(_ detector: String) -> Bool { kinds.values.count { $0 == kinds[detector] } == 1 }
}

extension RunResults {
  /// The kind of each detector, by name.
  var detectorKinds: [String: String] {
    Dictionary(detectors.map { ($0.name, $0.kind) }, uniquingKeysWith: { first, _ in first })
  }
}
