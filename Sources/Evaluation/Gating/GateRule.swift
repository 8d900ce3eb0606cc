import Statistics

/// When subjects' gains let a metric pass, and when they are a regression.
///
/// The two error rates that it holds, measured by `bench selftest gate`: with a true mean gain of 0 and no accepted loss,
/// at most 2.5 % of comparisons are called a regression on any of their metrics; with a true loss of the margin, at most
/// 2.5 % pass. Passing takes all metrics, so passing needs no correction (Berger, Multiparameter Hypothesis Testing and
/// Acceptance Sampling, Technometrics 24, 1982).
///
/// Regressions are corrected by Holm over the metrics that gate. He needs of each metric a p value that is at most α with
/// a chance of at most α where there is no loss, at α, α / 2 and so on down to α / (number of metrics), and nothing of how
/// metrics hang together. `MeanGain.p(meanAbove:ceiling:)` is the largest of three tests' and so at most each: it is
/// such a p value wherever one of the three holds its level. Where nothing was lost at all, Holm raises the alarm exactly
/// where Bonferroni does, so he names more of the metrics that lost without holding one more release; that unharmed
/// metrics beside harmed ones are named no more often than the level allows, the self-test measures too.
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
  /// How many metrics may each raise the alarm. For a decision on one metric alone: as if no other had lost.
  public var gatingMetrics: Int

  public init(margin: Double, gatingMetrics: Int = 1) {
    self.margin = margin
    self.gatingMetrics = max(1, gatingMetrics)
  }

  /// The p values of a metric's two alarms.
  public struct Alarms: Hashable, Sendable {
    /// That a loss beyond the margin is but chance.
    public var regression: Double
    /// That a gain beyond the margin is.
    public var improvement: Double

    public init(regression: Double, improvement: Double) {
      self.regression = regression
      self.improvement = improvement
    }

    static let none = Alarms(regression: 1, improvement: 1)
  }

  /// Corrected by Holm over the metrics that gate, for each alarm by itself; in the given order.
  public static func corrected(_ alarms: [Alarms]) -> [Alarms] {
    // P values are in 0...1, so that there is always a correction.
    let regressions = holm(alarms.map(\.regression)) ?? alarms.map { _ in 1 }
    let improvements = holm(alarms.map(\.improvement)) ?? alarms.map { _ in 1 }
    return zip(regressions, improvements).map { Alarms(regression: $0, improvement: $1) }
  }

  /// Uncorrected; what no correction could make an alarm is told by Student's t test alone.
  public func alarms(_ gains: [Double]) -> Alarms {
    guard gains.contains(where: { $0 != 0 }), let evidence = MeanGain(gains),
      let opposite = MeanGain(gains.map { -$0 })
    else { return .none }
    return Alarms(
      regression: opposite.p(meanAbove: margin, ceiling: Self.alpha),
      improvement: evidence.p(meanAbove: margin, ceiling: Self.alpha))
  }

  /// As if none of the other metrics that gate had lost or won: by Bonferroni, the first of Holm's steps.
  ///
  /// - Parameter gains: one a subject, in the metric's unit, below 0 for worse; finite.
  public func decide(_ gains: [Double]) -> Decision {
    let alarms = alarms(gains)
    let metrics = Double(gatingMetrics)
    return decide(
      gains, Alarms(regression: alarms.regression * metrics, improvement: alarms.improvement * metrics))
  }

  /// - Parameters:
  ///   - gains: one a subject, in the metric's unit, below 0 for worse; finite.
  ///   - alarms: corrected.
  public func decide(_ gains: [Double], _ alarms: Alarms) -> Decision {
    if !gains.isEmpty && gains.allSatisfy({ $0 == 0 }) { return .unchanged }
    guard let evidence = MeanGain(gains), let opposite = MeanGain(gains.map { -$0 }) else {
      return .inconclusive(.fewSubjects)
    }
    guard alarms.regression > Self.alpha else { return .regression }
    guard gains.count >= Self.fewestSubjects else { return .inconclusive(.fewSubjects) }
    if alarms.improvement <= Self.alpha { return .improvement }
    // What speaks against a regression, in words only: it is none.
    let regression = opposite.objection(toMeanAbove: margin, alpha: Self.alpha / Double(gatingMetrics))
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
