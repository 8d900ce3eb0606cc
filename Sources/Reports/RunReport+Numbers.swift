import Evaluation
import Foundation

extension RunReport {
  /// Every number of the report, as `results.json` holds it: the run's results and, beside a baseline, what changed.
  public func numbers() throws -> Data { try stableJSON(RunNumbers(results: results, comparison: changeNumbers)) }

  private var changeNumbers: ChangeNumbers? {
    guard let comparison, let verdict else { return nil }
    return ChangeNumbers(
      verdict: ChangeNumbers.Answer(
        outcome: verdict.outcome.rawValue, reason: verdict.reason, detail: verdict.detail),
      metrics: (comparison.changes + comparison.costs).map { change in
        let gate = verdict.metrics.first {
          $0.change.detector == change.detector && $0.change.metric == change.metric
        }
        let interval = change.isPooled ? nil : change.interval(level: Verdict.level)
        return ChangeNumbers.Metric(
          detector: change.detector, metric: change.metric, baseline: change.before, gain: change.gain,
          gains: change.gains, low: interval?.low, high: interval?.high, margin: change.margin,
          outcome: gate?.outcome.rawValue)
      },
      slices: (slices ?? []).map { sliced in
        let change = sliced.metric.change
        return ChangeNumbers.Slice(
          dimension: sliced.slice.dimension.rawValue, slice: sliced.slice.value, detector: change.detector,
          metric: change.metric, baseline: change.before, value: change.after, gain: change.gain,
          low: sliced.metric.interval?.low, high: sliced.metric.interval?.high, adjustedP: sliced.metric.adjustedP,
          subjects: sliced.metric.pairs, clips: sliced.metric.clips)
      },
      parameters: comparison.changedParameters,
      counts: comparison.changedCounts.map {
        ChangeNumbers.Count(
          clip: $0.clip, detector: $0.detector, baseline: $0.before, count: $0.after, truth: $0.truth)
      })
  }
}

/// A run's results with what changed since the baseline as one more key of theirs, `comparison`.
private struct RunNumbers: Encodable {
  let results: RunResults
  let comparison: ChangeNumbers?

  private enum Key: CodingKey { case comparison }

  func encode(to encoder: any Encoder) throws {
    try results.encode(to: encoder)
    var container = encoder.container(keyedBy: Key.self)
    try container.encodeIfPresent(comparison, forKey: .comparison)
  }
}

/// What changed since the baseline. A gain is above 0 for better, in the metric's unit; `low` and `high` are its 95 %
/// interval.
private struct ChangeNumbers: Encodable {
  struct Answer: Encodable {
    var outcome: String
    var reason: String
    var detail: String?
  }

  struct Metric: Encodable {
    var detector: String
    var metric: String
    var baseline: Double?
    var gain: Double?
    /// By subject.
    var gains: [String: Double]
    var low: Double?
    var high: Double?
    var margin: Double?
    /// The verdict on a metric that gates.
    var outcome: String?
  }

  struct Slice: Encodable {
    var dimension: String
    var slice: String
    var detector: String
    var metric: String
    var baseline: Double?
    var value: Double?
    var gain: Double?
    var low: Double?
    var high: Double?
    /// Over all slices, after Benjamini and Hochberg.
    var adjustedP: Double?
    /// With a value on both sides.
    var subjects: Int
    var clips: Int
  }

  struct Count: Encodable {
    var clip: String
    var detector: String
    var baseline: Int
    var count: Int
    var truth: Int?
  }

  var format = 1
  var verdict: Answer
  var metrics: [Metric]
  var slices: [Slice]
  /// `squat-states.bottomAngle: 90.0 → 95.0`
  var parameters: [String]
  /// Counts that are others than at the baseline.
  var counts: [Count]
}
