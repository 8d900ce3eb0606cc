import Statistics

/// When subjects' gains let a metric pass, and when they are a regression.
///
/// The two error rates that it holds, measured by `bench selftest gate`: with a true mean gain of 0 and no accepted loss,
/// at most 2.5 % of comparisons are called a regression on any of their metrics (Bonferroni over the metrics); with a
/// true loss of the margin, at most 2.5 % pass. Passing takes all metrics, so passing needs no correction (Berger,
/// Multiparameter Hypothesis Testing and Acceptance Sampling, Technometrics 24, 1982).
public struct GateRule: Hashable, Sendable {
  public enum Decision: Hashable, Sendable {
    /// No subject's value changed: a fact about these subjects, which needs no inference.
    case unchanged
    case pass
    case regression
    /// Better by more than the margin.
    case improvement
    case inconclusive(Reason)
  }

  public enum Reason: Hashable, Sendable {
    /// Fewer subjects than a pass needs.
    case fewSubjects
    /// A loss beyond the margin is neither shown nor ruled out.
    case notShown
    /// The t interval alone would decide, the other tests do not confirm it.
    case unconfirmed
    /// A few subjects lose, or win, much more than the others.
    case skewed(Double)
  }

  /// With fewer subjects, a loss that falls on people unequally passes more often than the level allows.
  public static let fewestSubjects = 10
  /// One-sided: that of a two-sided 95 % interval's one end.
  public static let alpha = 0.025

  /// The loss that is accepted, in the metric's unit, from 0.
  public var margin: Double
  /// How many metrics may each raise the alarm.
  public var gatingMetrics: Int

  public init(margin: Double, gatingMetrics: Int = 1) {
    self.margin = margin
    self.gatingMetrics = max(1, gatingMetrics)
  }

  /// - Parameter gains: one a subject, in the metric's unit, below 0 for worse; finite.
  public func decide(_ gains: [Double]) -> Decision {
    if !gains.isEmpty && gains.allSatisfy({ $0 == 0 }) { return .unchanged }
    guard let evidence = MeanGain(gains), let opposite = MeanGain(gains.map { -$0 }) else {
      return .inconclusive(.fewSubjects)
    }
    let strict = Self.alpha / Double(gatingMetrics)
    let regression = opposite.objection(toMeanAbove: margin, alpha: strict)
    guard let regression else { return .regression }
    guard gains.count >= Self.fewestSubjects else { return .inconclusive(.fewSubjects) }
    if evidence.objection(toMeanAbove: margin, alpha: strict) == nil { return .improvement }
    // Everyone's loss is the same and within the margin: there is nothing between people to be wrong about.
    if gains.allSatisfy({ $0 == gains[0] }) && gains[0] >= -margin { return .pass }
    switch (evidence.objection(toMeanAbove: -margin, alpha: Self.alpha), regression) {
    case (nil, _): return .pass
    case (.skewed(let skewness), _), (_, .skewed(let skewness)): return .inconclusive(.skewed(skewness))
    case (.unconfirmed, _), (_, .unconfirmed): return .inconclusive(.unconfirmed)
    default: return .inconclusive(.notShown)
    }
  }
}
