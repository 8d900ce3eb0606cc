import Scoring
import Statistics

/// A run beside the baseline, metric by metric, on the same subjects.
public struct Comparison: Hashable, Sendable {
  public struct Change: Hashable, Sendable {
    public var detector: String
    public var metric: String
    public var unit: String
    /// `nil` for a cost.
    public var direction: Metric.Direction?
    public var before: Double?
    public var after: Double?
    /// By how much each subject got better, in the metric's unit and direction: below 0 is worse. Subjects with a value
    /// on both sides.
    public var gains: [String: Double]
    /// Subjects with a value on one side only.
    public var oneSided: [String]
    public var margin: Double?
    /// The value that the metric must not be worse than, whatever the baseline was; `nil` for none.
    public var floor: Double?
    /// Whether the value is worse than the floor.
    public var isBelowFloor: Bool
    /// Whether the value is that of all clips together: then there are no gains of subjects, and nothing to decide by.
    public var isPooled = false
    /// By how much such a value got better; `nil` where a side has none, or has the mean of its subjects.
    public var pooledGain: Double?
    /// Of an update's cost, which has no subjects: what was measured.
    public var cost: CostChange?

    /// The subjects' mean gain; of a pooled value, its own; of a cost, the share of the time that is saved.
    public var gain: Double? {
      if isPooled { return pooledGain }
      return cost.map { 1 - $0.ratio } ?? mean(gains.sorted { $0.key < $1.key }.map(\.value))
    }

    /// Whether no subject's value changed.
    public var isUnchanged: Bool { cost == nil && !isPooled && oneSided.isEmpty && gains.values.allSatisfy { $0 == 0 } }

    /// The t interval on the subjects' gains; of a cost, its own.
    public func interval(level: Double) -> Interval? {
      if let cost { return cost.interval.map { Interval(low: 1 - $0.high, high: 1 - $0.low, level: $0.level) } }
      return .studentT(gains.sorted { $0.key < $1.key }.map(\.value), level: level)
    }
  }

  /// A clip whose count is another than it was.
  public struct ChangedCount: Hashable, Sendable {
    public var clip: String
    public var detector: String
    public var before: Int
    public var after: Int
    public var truth: Int?
  }

  /// What a run is compared with, in the words of an error.
  struct Reference {
    /// `baseline of suite squat`
    var title: String
    /// `the baseline`
    var name: String
    /// The run that it is compared with: `this run`.
    var other = "this run"
    /// What to do where the two do not fit: `; accept a new baseline`.
    var remedy = ""

    static func baseline(ofSuite suite: String) -> Reference {
      Reference(title: "baseline of suite \(suite)", name: "the baseline", remedy: "; accept a new baseline")
    }
  }

  public var changes: [Change]
  /// Of the update costs that gate.
  public var costs: [Change]
  public var changedCounts: [ChangedCount]
  /// Of what else the detectors said of a clip.
  public var changedAnswers: [ClipChange]
  /// `squat-states.bottomAngle: 90 → 95`, `smoothing: none → median:5`
  public var changedParameters: [String]

  /// - Throws: `EvaluationError.missing` where the two can't be compared: another suite or version, other datasets or
  ///   content, other clips, subjects, matching or camera, or a metric that the baseline does not have.
  public init(_ results: RunResults, with baseline: Baseline) throws {
    try self.init(results, with: baseline, called: .baseline(ofSuite: results.suite))
  }

  /// The same with anything that has a baseline's values in the place of the baseline.
  init(_ results: RunResults, with baseline: Baseline, called reference: Reference) throws {
    // What a baseline of this run would hold.
    let values = Baseline(results)
    try values.requireRecorded(reference.title)
    try Self.requireComparable(results, baseline, reference)
    changes = try results.metrics.map { metric in
      guard let before = baseline.metric(metric.detector, metric.metric) else {
        throw EvaluationError.missing(
          what: reference.title, expected: "metric \(metric.metric) of \(metric.detector)",
          found: "none\(reference.remedy)")
      }
      return try Change(metric, before: before, in: reference.name)
    }
    costs = try Change.costs(results, with: baseline, called: reference)
    changedCounts = Self.changedCounts(results, with: baseline)
    changedAnswers = Self.changedAnswers(results, values, with: baseline)
    changedParameters = Self.changedParameters(from: baseline, to: values)
  }

  /// All that changed of clips, the worse first.
  public var changedClips: [ClipChange] {
    (changedCounts.map { ClipChange($0) } + changedAnswers).sorted(by: ClipChange.worseFirst)
  }

  static func changedCounts(_ results: RunResults, with baseline: Baseline) -> [ChangedCount] {
    results.clips.flatMap { clip in
      clip.outcomes.sorted { $0.key < $1.key }.compactMap { detector, outcome in
        guard let after = outcome.count, let before = baseline.clips[clip.id]?[detector], before != after else {
          return nil
        }
        return ChangedCount(clip: clip.id, detector: detector, before: before, after: after, truth: clip.trueCount)
      }
    }
  }

  /// None where the baseline keeps no more than counts.
  ///
  /// - Parameter values: the baseline that the run would be.
  static func changedAnswers(_ results: RunResults, _ values: Baseline, with baseline: Baseline) -> [ClipChange] {
    guard let old = baseline.answers, let new = values.answers else { return [] }
    return results.clips.flatMap { clip in
      clip.outcomes.sorted { $0.key < $1.key }.flatMap { detector, outcome in
        ClipChange.changes(
          clip, detector: detector, from: old[clip.id]?[detector] ?? ClipAnswer(),
          to: new[clip.id]?[detector] ?? ClipAnswer(),
          hasOtherCount: baseline.clips[clip.id]?[detector] != outcome.count)
      }
    }
  }

  /// What the poses go through and the detectors' parameters, where they are others than before.
  static func changedParameters(from before: Baseline, to after: Baseline) -> [String] {
    let smoothing = [before, after].map { $0.smoothing ?? "none" }
    let poses = smoothing[0] == smoothing[1] ? [] : ["smoothing: \(smoothing[0]) → \(smoothing[1])"]
    return poses
      + after.detectors.flatMap { detector -> [String] in
        let before = before.detectors.first { $0.name == detector.name }?.parameters ?? [:]
        return Set(before.keys).union(detector.parameters.keys).sorted().compactMap { name in
          let (old, new) = (before[name], detector.parameters[name])
          guard old != new else { return nil }
          return "\(detector.name).\(name): \(old.map { "\($0)" } ?? "none") → \(new.map { "\($0)" } ?? "none")"
        }
      }
  }

  private static func requireComparable(
    _ results: RunResults, _ baseline: Baseline, _ reference: Reference
  ) throws {
    try baseline.requireRecorded(reference.title)
    func require(_ what: String, _ expected: String, _ found: String) throws {
      guard expected == found else {
        throw EvaluationError.missing(
          what: reference.title, expected: "\(what) \(expected), as in \(reference.other)", found: found)
      }
    }
    try require("suite version", "\(results.suiteVersion)", "\(baseline.suiteVersion)")
    let datasets = Dictionary(results.datasets.map { ($0.name, $0.content) }, uniquingKeysWith: { first, _ in first })
    try require(
      "datasets", datasets.keys.sorted().joined(separator: ", "),
      baseline.datasets.keys.sorted().joined(separator: ", "))
    for (name, content) in datasets.sorted(by: { $0.key < $1.key }) {
      try require("dataset \(name) with content", content, baseline.datasets[name] ?? "none")
    }
    try require(
      "detectors", results.detectors.map(\.name).joined(separator: ", "),
      baseline.detectors.map(\.name).joined(separator: ", "))
    try require(
      "matching", "\(results.matching.instant) within \(results.matching.toleranceSeconds) s",
      "\(baseline.matching.instant) within \(baseline.matching.toleranceSeconds) s")
    try require(
      "camera", "\(results.camera.fps) fps and \(results.camera.estimator.milliseconds) ms",
      "\(baseline.camera.fps) fps and \(baseline.camera.estimator.milliseconds) ms")
    let clips = Set(results.clips.map(\.id))
    let before = Set(baseline.clips.keys)
    if let lost = before.subtracting(clips).sorted().first {
      throw EvaluationError.missing(
        what: "clip \(lost)", expected: "it in \(reference.other), as in \(reference.name)", found: "no such clip")
    }
    if let new = clips.subtracting(before).sorted().first {
      throw EvaluationError.missing(
        what: "clip \(new)", expected: "it in \(reference.name), as in \(reference.other)",
        found: "no such clip\(reference.remedy)")
    }
    for metric in baseline.metrics where results.metric(metric.detector, metric.metric) == nil {
      throw EvaluationError.missing(
        what: "metric \(metric.metric) of \(metric.detector)",
        expected: "it in \(reference.other), as in \(reference.name)",
        found: "the suite no longer has it\(reference.remedy)")
    }
  }
}

extension Comparison.Change {
  /// - Parameter reference: where `before` is from: `the baseline`.
  init(_ metric: RunResults.MetricResult, before: Baseline.Value, in reference: String) throws {
    guard Set(metric.bySubject.keys) == Set(before.bySubject.keys) else {
      throw EvaluationError.missing(
        what: "metric \(metric.metric) of \(metric.detector)", expected: "the same subjects as in \(reference)",
        found: "others")
    }
    var gains: [String: Double] = [:]
    var oneSided: [String] = []
    let pooled = [before.isPooled ?? false, metric.isPooled ?? false]
    let isPooled = pooled.contains(true)
    for (subject, after) in metric.bySubject where !isPooled {
      switch (before.bySubject[subject] ?? nil, after) {
      case (let old?, let new?): gains[subject] = -metric.direction.loss(from: old, to: new)
      case (nil, nil): break
      default: oneSided.append(subject)
      }
    }
    self.init(
      detector: metric.detector, metric: metric.metric, unit: metric.unit, direction: metric.direction,
      before: before.value, after: metric.value,
      gains: gains, oneSided: oneSided.sorted(), margin: metric.margin, floor: metric.floor,
      isBelowFloor: metric.isBelowFloor, isPooled: isPooled)
    if pooled == [true, true], let old = before.value, let new = metric.value {
      pooledGain = -metric.direction.loss(from: old, to: new) + 0
    }
  }
}
