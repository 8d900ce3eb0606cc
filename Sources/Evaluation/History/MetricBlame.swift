import Datasets
import Statistics

/// Shows where a metric changed: each run is compared with the previous one on the same data, subject by subject.
///
/// A replay is exact: a value differs only because of the detector, its parameters or the program. It is uncertain
/// whether the change holds for similar people. A step is shown if both Student's t test and the sign-flip test of the
/// subjects' paired gains, two-sided, reject a mean of 0 at 5 %, after Holm's correction over the steps in which any
/// subject's value changed. Steps without a change need no test.
public struct MetricBlame: Sendable {
  /// From one run to the next.
  public struct Step: Sendable {
    public var before: MetricTrend.Point
    public var after: MetricTrend.Point
    /// Its p value is the larger of the two tests', `nil` if subjects cannot be paired or are fewer than two; the
    /// adjusted one is also `nil` if nothing changed.
    public internal(set) var change: MetricChange
    /// `squat-states.bottomAngle: 90 → 95`
    public var changedParameters: [String]

    /// Whether any subject's value, or a pooled value, changed.
    public var isChanged: Bool {
      change.isPooled ? change.before != change.after : !change.isUnchanged
    }
    /// Whether the change is more than noise between people.
    public var isShown: Bool { (change.adjustedP ?? 1) <= MetricBlame.alpha }
  }

  /// Two-sided.
  public static let alpha = 0.05

  public let trend: MetricTrend
  /// The runs that are compared, the oldest first: those on the data of the newest run.
  public let points: [MetricTrend.Point]
  /// One fewer than points.
  public let steps: [Step]
  /// From the first to the last run; `nil` for a single one.
  public let overall: Step?

  /// - Throws: `EvaluationError.missing` if runs on the same data have different subjects.
  public init(_ trend: MetricTrend) throws {
    self.trend = trend
    let points = trend.groups.first ?? []
    self.points = points
    var steps = try zip(points, points.dropFirst()).map { try Step(from: $0, to: $1) }
    let family = steps.indices.filter { steps[$0].isChanged }
    let adjusted = holm(family.map { steps[$0].change.p ?? 1 }) ?? []
    for (index, p) in zip(family, adjusted) { steps[index].change.test?.adjustedP = p }
    self.steps = steps
    guard points.count > 1, let first = points.first, let last = points.last else {
      overall = nil
      return
    }
    var overall = try Step(from: first, to: last)
    let p = overall.isChanged ? overall.change.p : nil
    overall.change.test?.adjustedP = p
    self.overall = overall
  }

  /// The steps that are more than noise, the greatest change of the mean first.
  public var shown: [Step] { ranked(steps.filter(\.isShown)) }

  /// The other steps with a change, the greatest first.
  public var unshown: [Step] { ranked(steps.filter { $0.isChanged && !$0.isShown }) }

  private func ranked(_ steps: [Step]) -> [Step] {
    func size(_ step: Step) -> Double { abs(step.change.gain ?? 0) }
    // Equal ones in the order of their runs.
    return steps.enumerated().sorted {
      (size($1.element), $0.offset) < (size($0.element), $1.offset)
    }.map(\.element)
  }
}

extension MetricBlame.Step {
  init(from before: MetricTrend.Point, to after: MetricTrend.Point) throws {
    self.before = before
    self.after = after
    var change = try MetricChange(
      after.result, from: Baseline.Value(before.result), to: Baseline.Value(after.result), in: "run \(before.run.id)")
    change.runTest()
    // If all gains are equal there is no t.
    let student = PairedDifference(change.sortedGains)?.pTwoSided ?? 0
    if let p = change.p { change.test?.p = max(p, student) }
    self.change = change
    changedParameters = Comparison.changedParameters(
      from: Baseline(allOf: before.run.head), to: Baseline(allOf: after.run.head)
    ).filter { $0.hasPrefix("\(before.result.detector).") || $0.hasPrefix("smoothing:") }
  }

  /// The clips on which the detector's predictions changed, the worst first.
  ///
  /// - Throws: `DataError` if a run cannot be read.
  public func clips(in store: Store) throws -> [ClipChange] {
    let (old, new) = (
      try store.results(of: store.storedRun(named: before.run.id, ofSuite: before.run.suite)),
      try store.results(of: store.storedRun(named: after.run.id, ofSuite: after.run.suite))
    )
    return ClipChange.changes(from: old, to: new, detector: change.detector)
  }

  /// The reason for a missing p-value; `nil` if there is one or nothing changed.
  public var reasonWithoutTest: String? {
    guard isChanged, change.adjustedP == nil else { return nil }
    return change.isPooled
      ? "the value covers all clips together, and there are no people to pair"
      : "\(change.gains.count == 1 ? "one person is" : "\(change.gains.count) people are") too few to generalise"
  }
}
