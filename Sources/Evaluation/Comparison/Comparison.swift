import Datasets
import Files
import Pipeline
import Scoring
import Statistics

/// Two results on the same clips, compared by metric, subject and clip.
///
/// Changes of predictions are exact facts: the same detector with the same parameters predicts the same on the same
/// clip. The inference is on subjects, each paired with itself. The gate's decision uses the same numbers for every
/// caller. A study of two sides also tests each metric by the exact sign-flip test, with Holm's correction over the
/// gating metrics and Benjamini and Hochberg's over slices. If a metric's value is computed over all clips together, a
/// subject's gain is its share in the metric's gain: see `Jackknife`.
public struct Comparison: Sendable {
  /// The result that a run is compared with, named for error messages.
  struct Reference {
    /// `baseline of suite squat`
    var title: String
    /// `the baseline`
    var name: String
    /// The name of the run that is compared with it: `this run`.
    var other = "this run"
    /// The next step if the two do not match: `; accept a new baseline with: bench baseline accept --suite squat`.
    var remedy = ""

    static func baseline(ofSuite suite: String) -> Reference {
      Reference(
        title: "baseline of suite \(suite)", name: "the baseline",
        remedy: "; accept a new baseline with: bench baseline accept --suite \(suite)")
    }
  }

  /// The run that defines clips, datasets and units, with the later values if both sides are runs.
  public let results: RunResults
  /// Of the metrics that both sides have, those of the suite first.
  public private(set) var metrics: [MetricChange]
  /// The metrics in one side's suite that the other side lacks and that are not compared; empty in a gate.
  public private(set) var missingMetrics: [MissingMetric] = []
  /// Of the metrics whose best baseline was better than the one compared with, the change since that; empty in a study.
  public private(set) var drifts: [MetricChange] = []
  /// The update costs that gate; empty in a study.
  public private(set) var costs: [MetricChange] = []
  /// Losses first, then by kind.
  public private(set) var clipChanges: [ClipChange]
  /// The same in the order of the clips, counts before the rest.
  private var clipFacts: [ClipChange]
  /// Whether a side is an older baseline that kept only counts.
  public let knowsCountsOnly: Bool
  /// Whether both sides keep predictions of the same detectors; if not, no changed clip is no proof of no change.
  public let comparesPredictions: Bool
  /// `squat-states.bottomAngle: 90 → 95`, `smoothing: none → median:5`; empty where two detectors are compared.
  public let changedParameters: [String]
  /// `nil` if a side was not replayed for the comparison.
  public private(set) var slices: [SliceChange]?
  /// Missing parts that the baseline has: gating metrics, margins, clips.
  public internal(set) var missing = MissingParts()
  /// What the reader must know besides the metrics, one sentence each.
  public private(set) var findings: [String] = []
  /// What gates in the run and the baseline lacks, one sentence each, with the next step; part of `missing`.
  private(set) var uncompared: [String] = []
  /// The losses that the change accepts on purpose.
  public internal(set) var acceptedLosses: [AcceptedLoss] = []
  /// How the change's suite gates less than the one before, if that was accepted on purpose; one sentence each.
  public internal(set) var acceptedSuiteChanges: [String] = []
  /// How the data only grew since the base, one sentence each.
  public internal(set) var growth: [String] = []
  /// Whether the change commits a baseline of its own.
  public internal(set) var isBaselineRenewed = false
  /// Subjects that are not compared because their clips differ from the baseline's, by name.
  public internal(set) var subjectsLeftOut: [String] = []

  /// Compares a run with its baseline for the gate.
  ///
  /// Only gating metrics are needed on both sides; other metrics that one side lacks are not compared. A metric that
  /// gated when the baseline was accepted still gates, with the margin and floor of that time if the suite now has
  /// looser ones; `missing` then reports it.
  ///
  /// - Throws: `EvaluationError.incomparable` or `.missing` if the two cannot be compared: another suite or version,
  ///   other datasets or content, other clips, subjects, matching or camera.
  public init(_ results: RunResults, with baseline: Baseline) throws {
    let reference = Reference.baseline(ofSuite: results.suite)
    guard baseline.format > 1 else {
      throw EvaluationError.missing(
        what: reference.title, expected: "format \(Baseline.currentFormat), which lists the gating metrics",
        found: "format \(baseline.format)\(reference.remedy)")
    }
    let known = baseline.gated.filter { $0.margin != nil }
    let run = results.gated(by: results.gated.stricter(known, in: results))
    let values = Baseline(allOf: run)
    try self.init(run, values, beside: baseline, from: baseline, to: values, called: reference)
    // A baseline has only what its suite named: that counts, even if this suite names it no longer.
    for index in metrics.indices { metrics[index].isListed = true }
    let measured = Set(results.measured.filter { $0.value.ratios != nil }.keys)
    let unmeasured = (baseline.costs ?? [:]).keys.filter { !measured.contains($0) && baseline.costMargins?[$0] == nil }
    missing.add(
      results.gated.loosenings(of: baseline.gated, "in the baseline", in: results)
        + unmeasured.sorted().map { "\(CostRatio.metric) of \($0) is no longer measured; in the baseline it is" },
      remedy:
        "Put it back in the suite, or accept the change with: bench baseline accept --suite \(results.suite)\(results.predictionOptions)"
    )
    drifts = try run.metrics.compactMap { metric in
      guard let best = (baseline.best ?? []).first(of: metric.metricID),
        let now = values.metric(metric.detector, metric.metric)
      else { return nil }
      return try MetricChange(metric, from: best, to: now, in: "the best baseline")
    }
    findings = Self.predictingLess(run, than: baseline)
    missing.add(
      baseline.lookedAt(butNotIn: results),
      remedy: "Put them back, or begin anew with the people of now as the first look: remove the baseline and accept it"
    )
    // The remedy is given once for all of them.
    var plain = reference
    plain.remedy = ""
    let (costs, uncompared) = CostChange.changes(run, with: baseline, called: plain)
    self.costs = costs
    self.uncompared = (Self.lackingMetrics(run, baseline, plain) + uncompared).map(\.description)
    missing.add(
      self.uncompared,
      remedy: "Accept a new baseline with: bench baseline accept --suite \(results.suite)\(results.predictionOptions)")
  }

  /// The detectors that predict nothing in more labelled cases of a gating metric, or in some where the baseline does not
  /// say in how many, one sentence each: a metric over what is predicted does not show it.
  private static func predictingLess(_ run: RunResults, than baseline: Baseline) -> [String] {
    let isKnown = baseline.countsUnanswered
    let less = run.metrics.compactMap { metric -> (cases: String, metric: String)? in
      let before = baseline.metrics.first(of: metric.metricID)?.unanswered ?? 0
      guard metric.margin != nil, let now = metric.unanswered, now > (isKnown ? before : 0) else { return nil }
      let cases = NumberText.count(now, "labelled case")
      return (
        isKnown
          ? "\(metric.detector) predicts less: no prediction for \(cases), \(before) in the baseline"
          : "\(metric.detector) predicts nothing in \(cases)",
        Metric.plainName(of: metric.metric)
      )
    }
    let end = isKnown ? "" : ". The baseline does not say in how many it did: accept it again, to compare them"
    return Dictionary(grouping: less, by: \.cases).sorted { $0.key < $1.key }.map { cases, metrics in
      "\(cases) (\(metrics.map(\.metric).joined(separator: ", ")))\(end)"
    }
  }

  /// A study of two sides.
  ///
  /// - Throws: as `init(_:with:)`, and `EvaluationError.usage` if both are the baseline.
  public init(from before: ComparisonSide, to after: ComparisonSide) throws {
    let (old, new) = (before.values, after.values)
    if let results = after.results {
      try self.init(results, new, beside: old, from: old, to: new, called: before.reference(beside: after))
    } else if let results = before.results {
      // A baseline has no units and directions, so the run's are used.
      try self.init(results, old, beside: new, from: old, to: new, called: after.reference(beside: before))
    } else {
      throw EvaluationError.usage("expected a run beside the baseline, found the baseline twice")
    }
    let (other, reference) =
      after.results == nil ? (new, after.reference(beside: before)) : (old, before.reference(beside: after))
    if let lacking = Self.lackingMetrics(results, other, reference).first { throw lacking }
    missingMetrics = after.listed(missingFrom: old, .before) + before.listed(missingFrom: new, .after)
    let replays = before.replayed.flatMap { before in after.replayed.map { (before, $0) } }
    if let before = before.results, let after = after.results {
      clipChanges += ClipChange.moved(from: before, to: after, besides: clipChanges)
      clipChanges.sort(by: ClipChange.worseFirst)
    }
    for index in metrics.indices { metrics[index].runTest() }
    metrics.adjust(by: holm) { $0.margin != nil }
    decideAsTheGate()
    guard let replays else { return }
    slices = try SliceChange.all(from: replays.0, to: replays.1)
  }

  /// - Parameters:
  ///   - results: One of the two sides, which gives units and directions.
  ///   - own: Its values.
  ///   - other: The values of the other side.
  private init(
    _ results: RunResults, _ own: Baseline, beside other: Baseline, from before: Baseline, to after: Baseline,
    called reference: Reference
  ) throws {
    try own.requireRecorded(reference.title)
    try other.requireRecorded(reference.title)
    try Self.requireSameGround(results, other, reference)
    self.results = results
    metrics = try results.metrics.compactMap { metric in
      guard let old = before.metric(metric.detector, metric.metric),
        let new = after.metric(metric.detector, metric.metric)
      else { return nil }
      let cases = FoundCases(metric, of: results.clips, from: before, to: after)
      var change = try MetricChange(metric, from: old, to: new, cases: cases, in: reference.name)
      change.rightClips = RightClips(
        metric.metric, of: metric.detector, on: results.clips, from: before, to: after)
      return change
    }
    clipFacts =
      ClipChange.counts(of: results, from: before, to: after)
      + ClipChange.predictions(results.clips, from: before, to: after)
    clipChanges = clipFacts.sorted(by: ClipChange.worseFirst)
    knowsCountsOnly = before.knowsCountsOnly || after.knowsCountsOnly
    let (old, new) = (before.predictedDetectors, after.predictedDetectors)
    let isSame = results.detectors.allSatisfy { old.contains($0.name) == new.contains($0.name) }
    comparesPredictions = isSame && !before.knowsCountsOnly && !after.knowsCountsOnly
    changedParameters = Self.changedParameters(from: before, to: after)
    metrics.decideShown(looks: results.looks ?? .one)
  }

  /// Takes over what the gate shows of gating metrics, and how likely a loss is where it does not decide.
  private mutating func decideAsTheGate() {
    let verdict = Verdict(self)
    for index in metrics.indices where metrics[index].margin != nil {
      let decided = verdict.decided(metrics[index])
      (metrics[index].shown, metrics[index].probabilityOfLoss) = (decided.shown, decided.probabilityOfLoss)
    }
  }

  /// Adds what was found besides the metrics.
  public mutating func add(_ objections: Objections) {
    missing.add(objections.faults, remedy: objections.remedy)
    findings += objections.findings.filter { !findings.contains($0) }
  }

  /// Drops every change, as nothing can be compared.
  mutating func compareNothing() {
    (metrics, drifts, missingMetrics, costs, clipChanges, clipFacts) = ([], [], [], [], [], [])
    slices = nil
  }

  public var clips: Int { results.clips.count }
  public var subjects: Int { Set(results.clips.map(\.person)).count }

  /// Clips with another count, in their order.
  public var changedCounts: [ClipChange] { clipFacts.filter { $0.kind == .count } }
  /// The other changes of predictions, in the order of the clips.
  public var changedAnswers: [ClipChange] { clipFacts.filter { $0.kind != .count } }

  /// Changed smoothing and detector parameters.
  static func changedParameters(from before: Baseline, to after: Baseline) -> [String] {
    let smoothing = [before, after].map { $0.smoothing ?? "none" }
    let poses = smoothing[0] == smoothing[1] ? [] : ["smoothing: \(smoothing[0]) → \(smoothing[1])"]
    return poses
      + after.detectors.flatMap { detector -> [String] in
        let known = before.detectors.first { $0.name == detector.name }
        let before = known?.parameters ?? [:]
        func short(_ hash: String?) -> String { hash.flatMap { ContentHash($0)?.short } ?? "none" }
        let files =
          known == nil || known?.files == detector.files
          ? [] : ["\(detector.name).files: \(short(known?.files)) → \(short(detector.files))"]
        return files
          + Set(before.keys).union(detector.parameters.keys).sorted().compactMap { name in
            let (old, new) = (before[name], detector.parameters[name])
            guard old != new else { return nil }
            return "\(detector.name).\(name): \(old.map { "\($0)" } ?? "none") → \(new.map { "\($0)" } ?? "none")"
          }
      }
  }

  private static func requireSameGround(
    _ results: RunResults, _ other: Baseline, _ reference: Reference
  ) throws {
    func require(_ what: String, _ own: String, _ other: String, remedy: String) throws {
      guard own == other else {
        throw EvaluationError.incomparable(
          "\(reference.name) used \(what) \(other), \(reference.other) used \(own)\(remedy)")
      }
    }
    let remedy = reference.remedy
    try require("suite version", "\(results.suiteVersion)", "\(other.suiteVersion)", remedy: remedy)
    let datasets = results.datasets.contentByName
    // A run on a dataset of its own needs no new baseline.
    try require(
      "datasets", datasets.keys.sorted().joined(separator: ", "),
      other.datasets.keys.sorted().joined(separator: ", "), remedy: "")
    for (name, content) in datasets.sorted(by: { $0.key < $1.key }) {
      try require("dataset \(name) with content", content, other.datasets[name] ?? "none", remedy: remedy)
    }
    try require(
      "detectors", results.detectors.map(\.name).joined(separator: ", "),
      other.detectors.map(\.name).joined(separator: ", "), remedy: remedy)
    try require("matching", results.matching.words, other.matching.words, remedy: remedy)
    try require(
      "camera", "\(results.camera.fps) fps and \(results.camera.estimator.milliseconds) ms",
      "\(other.camera.fps) fps and \(other.camera.estimator.milliseconds) ms", remedy: remedy)
    let clips = Set(results.clips.map(\.id))
    let before = Set(other.clips.keys)
    if let lost = before.subtracting(clips).sorted().first {
      throw EvaluationError.missing(
        what: "clip \(lost)", expected: "a clip of both sides",
        found: "it is missing from \(reference.other) and present in \(reference.name)")
    }
    if let new = clips.subtracting(before).sorted().first {
      throw EvaluationError.missing(
        what: "clip \(new)", expected: "a clip of both sides",
        found: "it is missing from \(reference.name) and present in \(reference.other)\(reference.remedy)")
    }
  }

  /// The run's gating metrics that the other side lacks.
  private static func lackingMetrics(
    _ results: RunResults, _ other: Baseline, _ reference: Reference
  ) -> [EvaluationError] {
    results.metrics.filter { $0.margin != nil && other.metric($0.detector, $0.metric) == nil }.map { metric in
      .missing(
        what: reference.title, expected: "metric \(metric.metric) of \(metric.detector)",
        found: "none\(reference.remedy)")
    }
  }
}

/// A metric that only one of two compared results has.
public struct MissingMetric: Codable, Hashable, Sendable {
  public enum Side: String, Codable, Sendable { case before, after }

  public let detector: String
  public let metric: String
  public let missingFrom: Side
}

/// One of the two results that are compared.
public enum ComparisonSide: Sendable {
  /// Replayed for the comparison, with predictions: its clips can be scored again per slice.
  case replayed(ReplayedSuite)
  /// A stored run, with its name: scores, but not the predictions behind them.
  case run(RunResults, id: String)
  /// Values by subject, and the predictions of the gating detectors per clip.
  case baseline(Baseline)

  /// The name in errors.
  var name: String {
    switch self {
    case .replayed: "the replay"
    case .run(_, let id): "run \(id)"
    case .baseline: "the baseline"
    }
  }

  /// `nil` for a baseline.
  public var results: RunResults? {
    switch self {
    case .replayed(let suite): suite.results
    case .run(let results, _): results
    case .baseline: nil
    }
  }

  var replayed: ReplayedSuite? {
    if case .replayed(let suite) = self { suite } else { nil }
  }

  /// The values that can be compared; for a run, all of them.
  var values: Baseline {
    switch self {
    case .replayed(let suite): Baseline(allOf: suite.results)
    case .run(let results, _): Baseline(allOf: results)
    case .baseline(let baseline): baseline
    }
  }

  /// The metrics in this side's suite (in a baseline, all) that the other side lacks.
  ///
  /// - Parameters:
  ///   - other: The values of the other side.
  ///   - side: The side of the comparison.
  fileprivate func listed(missingFrom other: Baseline, _ side: MissingMetric.Side) -> [MissingMetric] {
    let listed = results?.metrics.filter(\.isListed).map(Baseline.Value.init) ?? values.metrics
    return listed.filter { other.metric($0.detector, $0.metric) == nil }.map {
      MissingMetric(detector: $0.detector, metric: $0.metric, missingFrom: side)
    }
  }

  /// This side as a reference, named for error messages.
  func reference(beside other: ComparisonSide) -> Comparison.Reference {
    switch self {
    case .baseline(let baseline):
      var reference = Comparison.Reference.baseline(ofSuite: baseline.suite)
      reference.other = other.name
      return reference
    case .replayed, .run: return Comparison.Reference(title: name, name: name, other: other.name)
    }
  }
}
