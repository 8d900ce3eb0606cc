import PoseModel
import Scoring

/// A family whose tests tell when each of its metrics is undefined, as its `undefined` says it.
///
/// Every family of `MetricFamilies.all` conforms in its own test file; the properties of all families then follow.
protocol CheckedFamily: MetricFamily {
  /// `nil` for a metric that is not known here.
  static func isUndefined(_ metric: String, in cases: UndefinedCases) -> Bool?
}

/// Metrics that are functions, with what computes each of them from clips.
///
/// Every group of `MetricFamilies.all` that is not a family conforms in its own test file; the properties of all of its
/// metrics then follow.
protocol CheckedFunctions: MetricGroup {
  static var measures: [Measure] { get }
}

extension UndefinedCases {
  /// `nil` for a metric that no family's tests know.
  func isUndefined(_ metric: String, of family: any MetricFamily) -> Bool? {
    (type(of: family) as? any CheckedFamily.Type)?.isUndefined(metric, in: self)
  }
}

/// A metric with what computes it from clips.
struct Measure: Sendable {
  var metric: Metric
  /// Whether truth and prediction may change places.
  var isSymmetric: Bool
  /// Whether a perfect prediction is known to have the best value.
  var hasBest = true
  var value: @Sendable ([MeasuredClip]) -> Double?

  init(
    _ metric: Metric, isSymmetric: Bool = false, hasBest: Bool = true,
    _ value: @escaping @Sendable ([MeasuredClip]) -> Double?
  ) {
    self.metric = metric
    self.isSymmetric = isSymmetric
    self.hasBest = hasBest
    self.value = value
  }
}

extension Measure {
  /// Of all groups, in the order of the list.
  static let all = MetricFamilies.all.flatMap { ($0 as? any CheckedFunctions.Type)?.measures ?? [] }
}
