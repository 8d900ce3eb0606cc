import Datasets
import Files
import Foundation
import Pipeline
import Statistics

/// The runs that the store keeps, the oldest first.
public struct RunHistory: Sendable {
  public let runs: [HistoryRun]
  private let store: Store

  /// - Parameter tags: The tags at each commit, which mark its runs as releases.
  /// - Throws: `EvaluationError.missing` if no run matches the filter, `DataError` if one cannot be read.
  public init(in store: Store, _ filter: HistoryFilter = HistoryFilter(), tags: [String: [String]] = [:]) throws {
    self.store = store
    // Most runs have the same suite and the same parameters.
    var heads: [String: RunResults] = [:]
    let all = try store.runHeads(ofSuite: filter.suite).map { run in
      let known = heads[run.results]
      let kept = try HistoryRun(run, head: known, in: store, tags: tags)
      if known == nil { heads[run.results] = kept.head }
      return kept
    }
    let wanted = all.filter(filter.admits)
    let releases = Set(all.flatMap(\.releases))
    if let release = filter.release, release != HistoryFilter.anyRelease, !all.isEmpty, !releases.contains(release) {
      throw EvaluationError.missing(
        what: "history", expected: "a run of release \(release) in \(store.path)",
        found: releases.isEmpty
          ? "none; mark one with: bench run --release NAME, or with a git tag at a run's commit"
          : NearNames.question(release, in: releases.sorted()))
    }
    guard !wanted.isEmpty else {
      let others = try all.isEmpty ? Set(store.runHeads(ofSuite: nil).map(\.suite)).sorted() : []
      let suite = filter.suite.map { " of suite \($0)" } ?? ""
      let known = others.isEmpty ? "" : ", only of \(others.prefix(3).joined(separator: ", "))"
      throw EvaluationError.missing(
        what: "history", expected: "a run that matches the filter in \(store.path)",
        found: all.isEmpty
          ? "no runs\(suite)\(known); make one with: bench run"
          : "\(NumberText.count(all.count, "run")), none that matches; the newest is \(all[0].id)")
    }
    runs = filter.last.map { Array(wanted.prefix($0)) }.map { $0.reversed() } ?? wanted.reversed()
  }

  /// A metric over these runs.
  ///
  /// - Parameter detector: Needed if several detectors have a metric of this name, unless the newest run's suite names
  ///   it for one of them only.
  /// - Throws: `EvaluationError.missing` if no run has it, `EvaluationError.usage` if several detectors or suites have
  ///   it.
  public func trend(of metric: String, detector: String? = nil) throws -> MetricTrend {
    let found = try store.results(ofMetric: metric, detector: detector, inRuns: runs.map(\.id))
    var points = try runs.flatMap { run in
      try (found[run.id] ?? []).map { MetricTrend.Point(run: run, result: try Self.metric($0, of: run, in: store)) }
    }
    let suites = Set(points.map(\.run.suite)).sorted()
    let newest = points.last?.run.id
    let listed = Set(points.filter { $0.run.id == newest && $0.result.isListed }.map(\.result.detector))
    if listed.count == 1 { points.removeAll { !listed.contains($0.result.detector) } }
    let detectors = Set(points.map(\.result.detector)).sorted()
    guard suites.count <= 1 else {
      throw EvaluationError.usage("several suites have \(metric): give --suite \(suites.joined(separator: " or "))")
    }
    guard detectors.count <= 1 else {
      throw EvaluationError.usage(
        "several detectors have \(metric): give --detector \(detectors.joined(separator: " or "))")
    }
    guard let first = points.first else {
      let owner = detector.map { " of \($0)" } ?? ""
      throw EvaluationError.missing(
        what: "metric \(metric)\(owner)", expected: "a run in the history that has it",
        found: "none called \(NearNames.question(metric, in: try metricNames()))")
    }
    return MetricTrend(detector: first.result.detector, metric: metric, points: points)
  }

  /// The newest run, compared with the newest one before it that is of another release, or else with the one before it.
  public struct Step: Sendable {
    /// `nil` if no earlier run is of the same suite, on the same data and under the same conditions.
    public let before: HistoryRun?
    public let after: HistoryRun
    /// `nil` without an earlier run.
    public let comparison: Comparison?
  }

  /// - Parameter results: Of the newest run.
  /// - Returns: `nil` without runs.
  /// - Throws: As `Comparison`, and as `Store.results(of:)` of the run before.
  public func newestStep(_ results: RunResults) throws -> Step? {
    guard let after = runs.last else { return nil }
    let alike = runs.dropLast().filter { $0.conditions == after.conditions }
    let released = alike.last { !$0.releases.isEmpty && Set($0.releases).isDisjoint(with: after.releases) }
    guard let before = released ?? alike.last else { return Step(before: nil, after: after, comparison: nil) }
    let old = try store.run(named: before.id, ofSuite: before.suite).results
    return Step(
      before: before, after: after,
      comparison: try Comparison(from: .run(old, id: before.id), to: .run(results, id: after.id)))
  }

  /// Every metric of a run, in the order of its results.
  func metrics(of run: HistoryRun) throws -> [Store.KeptMetric] { try store.metrics(ofRun: run.id) }

  /// Each subject's value of every metric of a run; `nil` if undefined.
  func subjectValues(of run: HistoryRun) throws -> [(metric: Store.KeptMetric, subject: String, value: Double?)] {
    try store.subjectValues(ofRun: run.id)
  }

  /// The count of each detector on each clip of a run.
  func counts(of run: HistoryRun) throws -> [Store.KeptCount] { try store.counts(ofRun: run.id) }

  private func metricNames() throws -> [String] {
    Set(try runs.suffix(20).flatMap { try metrics(of: $0).map(\.metric) }).sorted()
  }

  private static func metric(_ json: String, of run: HistoryRun, in store: Store) throws -> RunResults.MetricResult {
    try store.decoded(RunResults.MetricResult.self, json, "the metrics of run \(run.id)")
  }
}

extension HistoryRun {
  /// - Parameters:
  ///   - head: the run's results, if they were read before.
  ///   - tags: the tags at each commit.
  /// - Throws: as `Store.results(of:)`.
  public init(_ run: StoredRun, head: RunResults? = nil, in store: Store, tags: [String: [String]]) throws {
    let origin = try run.origin.map { try store.decoded(RunOrigin.self, $0, "the origin of run \(run.id)") }
    let isTagged = origin.map { $0.hasChanges == false && $0.isOfSuiteAlone } ?? false
    let tagged = isTagged ? origin?.revision.flatMap { tags[$0] } ?? [] : []
    self.init(
      id: run.id, created: run.created,
      head: try head ?? store.results(of: run),
      origin: origin, releases: (run.release.map { [$0] } ?? []) + tagged.filter { $0 != run.release })
  }
}

/// A run of the history: its time, suite, settings and origin, without clips and metrics.
public struct HistoryRun: Sendable {
  /// `squat/2026-03-01T10-00-00Z`
  public var id: String
  /// ISO 8601, UTC.
  public var created: String
  /// Without metrics, clips and measurements.
  public var head: RunResults
  /// `nil` for a run from before origins were kept.
  public var origin: RunOrigin?
  /// The run's releases: those it was marked with, then the tags at its commit.
  public var releases: [String]

  public var suite: String { head.suite }

  /// The data that was replayed: `squat-sample sha256:9c50…`, one after the other if there are several. Runs with the
  /// same data have the same poses and labels.
  public var data: String {
    head.datasets.map { "\($0.name) \($0.content)" }.sorted().joined(separator: ", ")
  }

  /// The same for people: `squat-sample 9c50f74`.
  public var shortData: String {
    head.datasets.map { "\($0.name) \($0.content.replacing("sha256:", with: "").prefix(7))" }.sorted()
      .joined(separator: ", ")
  }

  /// The conditions of a value other than the detector: runs with other conditions are not compared.
  var conditions: Conditions {
    Conditions(
      suite: suite, data: data, matching: head.matching, camera: head.camera, perturbation: head.perturbation)
  }

  struct Conditions: Hashable {
    var suite: String
    var data: String
    var matching: RunResults.Matching
    var camera: LiveCamera
    var perturbation: RunResults.Perturbation?
  }

  /// Parameters that differ from their defaults, perturbation and smoothing: `squat-states.bottomAngle=100
  /// perturbed=noise=2% smoothing=median:5`.
  public var changedSettings: [String] {
    head.detectors.flatMap { detector in
      detector.changed.sorted().compactMap { name in
        detector.parameters[name].map { "\(detector.name).\(name)=\($0.plainText)" }
      }
    } + (head.perturbation.map { ["perturbed=\($0.text)"] } ?? []) + (head.smoothing.map { ["smoothing=\($0)"] } ?? [])
  }
}

extension Double {
  /// Without needless decimals.
  fileprivate var plainText: String { self == rounded() && abs(self) < 1e15 ? "\(Int(self))" : "\(self)" }
}

/// Selects runs of the history.
public struct HistoryFilter: Hashable, Sendable {
  public var suite: String?
  public var detector: String?
  public var dataset: String?
  /// The beginning of a commit's hash.
  public var revision: String?
  /// A release of the run: `v1.0`; `anyRelease` for any.
  public var release: String?
  /// ISO 8601: `2026-03-01`, or with the time behind it.
  public var since: String?
  /// The maximum number of runs, the newest first.
  public var last: Int?

  public init(
    suite: String? = nil, detector: String? = nil, dataset: String? = nil, revision: String? = nil,
    release: String? = nil, since: String? = nil, last: Int? = nil
  ) {
    self.suite = suite
    self.detector = detector
    self.dataset = dataset
    self.revision = revision
    self.release = release
    self.since = since
    self.last = last
  }

  /// Matches every run of a release.
  public static let anyRelease = "any"

  func admits(_ run: HistoryRun) -> Bool {
    if let detector, !run.head.detectors.contains(where: { $0.name == detector }) { return false }
    if let dataset, !run.head.datasets.contains(where: { $0.name == dataset }) { return false }
    if let revision, run.origin?.revision?.hasPrefix(revision.lowercased()) != true { return false }
    if let release, release == Self.anyRelease ? run.releases.isEmpty : !run.releases.contains(release) { return false }
    // Times of the same form sort as text.
    if let since, run.created < since { return false }
    return true
  }
}
