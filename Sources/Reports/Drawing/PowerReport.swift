import Evaluation
import Plots

/// How many subjects a gate on a metric would need: what it would say of a loss, and of none, on more or fewer of them.
///
/// It says and draws the same whether `bench power` or `bench draw power` asks.
public struct PowerReport: Encodable, Sendable {
  public static let subjects = [5, 6, 8, 10, 12, 15, 20, 25, 30, 40, 50, 60, 80, 100, 150, 200]

  public var suite: String
  /// What the values are of: `SYNTHETIC squat-sample`.
  public var source: String
  public var detector: String
  public var metric: String
  public var unit: String
  /// The loss that is accepted, in the metric's unit.
  public var margin: Double
  /// The true loss that is to be shown.
  public var loss: Double
  public var gatingMetrics: Int
  public var subjectsAtHand: Int
  /// The standard deviation of the gains drawn from.
  public var spread: Double
  /// Whether the gains are those of a change, or differences between people.
  public var isChange: Bool
  public var seed: UInt64
  public var whenLost: [PowerStudy.Shares]
  public var whenUnharmed: [PowerStudy.Shares]

  /// - Parameters:
  ///   - source: what the values are of: `SYNTHETIC squat-sample`.
  ///   - gains: of a change, by subject; `nil` for the differences between any two of the values at hand.
  ///   - loss: `nil` for the margin and one standard deviation of the gains.
  /// - Throws: `EvaluationError.missing` where the gains are all alike, `EvaluationError.usage` for a loss within the
  ///   margin.
  public init(
    suite: String, source: String, metric: Metric, values: [Double], gains: [Double]? = nil, margin: Double,
    loss: Double? = nil, gatingMetrics: Int, seed: UInt64 = 1
  ) throws {
    let sample =
      gains
      ?? values.indices.flatMap { one in
        values.indices.compactMap { other in one == other ? nil : values[other] - values[one] }
      }
    guard let study = PowerStudy(gains: sample, rule: GateRule(margin: margin, gatingMetrics: gatingMetrics)) else {
      throw EvaluationError.missing(
        what: "metric \(metric.name) of \(metric.detector)",
        expected: gains == nil ? "values that differ between subjects" : "gains that differ between subjects",
        found: "\((gains ?? values).count) subjects, all alike")
    }
    let loss = loss ?? margin + study.spread
    guard loss > margin else {
      throw EvaluationError.usage("--loss \(loss): expected more than the margin of \(margin), which is accepted")
    }
    (self.suite, self.source) = (suite, source)
    (detector, self.metric, unit) = (metric.detector, metric.name, metric.unit)
    (self.margin, self.loss, self.gatingMetrics, self.seed) = (margin, loss, gatingMetrics, seed)
    (subjectsAtHand, spread, isChange) = (values.count, study.spread, gains != nil)
    whenLost = Self.subjects.map { study.shares(loss: loss, subjects: $0, seed: seed) }
    whenUnharmed = Self.subjects.map { study.shares(loss: 0, subjects: $0, seed: seed) }
  }

  public struct Metric: Sendable {
    public var detector: String
    public var name: String
    public var unit: String

    public init(detector: String, name: String, unit: String) {
      (self.detector, self.name, self.unit) = (detector, name, unit)
    }
  }

  /// `count.mae of squat-states: a loss of 1.186 reps at margin 0.2`
  public var title: String {
    "\(metric) of \(detector): a loss of \(NumberText.quantity(loss, unit: unit)) at margin \(NumberText.plain(margin))"
  }

  /// What is drawn from.
  public var origin: String {
    (isChange ? "gains of this change" : "differences between subjects")
      + ", standard deviation \(NumberText.value(spread, unit: unit)), \(subjectsAtHand) subjects at hand"
  }

  public var chart: any Chart {
    func estimates(_ shares: [PowerStudy.Shares], _ share: KeyPath<PowerStudy.Shares, Double>) -> [Estimate] {
      shares.map { Estimate(SimulatedShare($0[keyPath: share], of: PowerStudy.simulations)) }
    }
    return PowerCurve(
      title: "Power of \(title)",
      source: "\(source) · \(origin) · \(PowerStudy.simulations) simulated releases each",
      subjects: whenLost.map(\.subjects),
      series: [
        PowerCurve.Series("the loss is shown", .worse, chances: estimates(whenLost, \.regression)),
        PowerCurve.Series("a change that loses nothing passes", .better, chances: estimates(whenUnharmed, \.pass)),
      ])
  }
}
