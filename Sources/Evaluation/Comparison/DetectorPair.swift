import Coaching
import Pipeline
import Scoring

/// Two detectors with the same kind of prediction, compared metric by metric, each in its own suite on the same clips.
public struct DetectorPair: Sendable {
  /// `squat-states → my-counter`: the name that both have in the comparison.
  public let name: String
  /// The suite with the first detector alone, and with the second alone.
  public let before: Suite
  public let after: Suite
  /// Metrics of the suite that only one of the two detectors has.
  public let leftOut: [String]

  /// - Throws: `EvaluationError.missing` for an unknown detector, or if the suite has no metric for them;
  ///   `EvaluationError.usage` for detectors that cannot be compared.
  public init(_ names: [String], in suite: Suite, registry: DetectorRegistry) throws {
    guard names.count == 2, names[0] != names[1] else {
      throw EvaluationError.usage(
        "--detectors takes two detectors such as squat-states,my-counter, found \(names.joined(separator: ","))")
    }
    let profiles = try names.map { try registry.detector(named: $0).profile }
    name = names.joined(separator: " → ")
    let known = profiles.map { profile in
      Set(MetricFamilies.families(for: profile, matching: suite.matching).flatMap(\.metrics).map(\.name))
    }
    // Grades on two criteria are not comparable.
    let both = known[0].intersection(known[1]).filter {
      profiles[0].tasks.criterion == profiles[1].tasks.criterion || Metric.Topic(of: $0) != .grades
    }
    guard !both.isEmpty else {
      throw EvaluationError.usage(
        "--detectors takes two that produce the same kind of prediction, found "
          + profiles.map { "\($0.name) of kind \($0.kind.rawValue)" }.joined(separator: " and "))
    }
    // The suite's metrics for one of the two detectors, or else for another one with metrics that both have.
    let asked =
      (names + suite.detectors.map(\.name)).lazy.map { name in suite.metrics.filter { $0.detector == name } }
      .first { $0.contains { both.contains($0.metric) } } ?? []
    let shared = asked.filter { both.contains($0.metric) }
    leftOut = asked.map(\.metric).filter { name in !shared.contains { $0.metric == name } }
    guard !shared.isEmpty else {
      throw EvaluationError.missing(
        what: "suite \(suite.name)",
        expected: "a metric that both have, such as \(both.sorted().prefix(3).joined(separator: ", "))",
        found: "none")
    }
    func alone(_ name: String) -> Suite {
      var own = suite
      own.detectors = [
        suite.detectors.first { $0.name == name } ?? Suite.DetectorChoice(name: name, parameters: [:])
      ]
      own.metrics = shared.map { Suite.MetricChoice(detector: name, metric: $0.metric, margin: $0.margin) }
      return own
    }
    before = alone(names[0])
    after = alone(names[1])
  }

  /// Both replays under the pair's name, with the metrics that both have.
  public func sides(
    _ before: ReplayedSuite, _ after: ReplayedSuite
  ) -> (before: ComparisonSide, after: ComparisonSide) {
    let shared = Set(before.results.metrics.map(\.metric)).intersection(after.results.metrics.map(\.metric))
    return (
      .replayed(before.naming(name, keeping: shared)), .replayed(after.naming(name, keeping: shared))
    )
  }
}

extension ReplayedSuite {
  /// With another name for its only detector.
  fileprivate func naming(_ name: String, keeping metrics: Set<String>) -> ReplayedSuite {
    var suite = self
    for index in suite.results.detectors.indices {
      suite.results.detectors[index].name = name
      // The parameters of two detectors are not comparable.
      (suite.results.detectors[index].parameters, suite.results.detectors[index].changed) = ([:], [])
    }
    suite.results.metrics = results.metrics.filter { metrics.contains($0.metric) }.map { metric in
      var metric = metric
      metric.detector = name
      return metric
    }
    suite.results.clips = results.clips.map { clip in
      var clip = clip
      clip.outcomes = Dictionary(uniqueKeysWithValues: clip.outcomes.values.prefix(1).map { (name, $0) })
      return clip
    }
    return suite
  }
}
