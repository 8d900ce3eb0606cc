import Statistics

/// Whether a run is good enough to release.
///
/// A metric gates with a margin: the loss in its own unit that is accepted. Its subjects' gains over the baseline are
/// the sample, and `GateRule` says whether they pass, are a regression, or prove neither. A value worse than the
/// metric's floor is a regression whatever the baseline was. Improvements pass, unless the caller wants them accepted on
/// purpose.
///
/// A gating metric that has no value, or that has lost or won a subject's value, is missing: never a pass.
public struct Verdict: Hashable, Sendable {
  public enum Outcome: String, Codable, Hashable, Sendable {
    case pass, regression, inconclusive, missing, improvement
  }

  public struct MetricVerdict: Hashable, Sendable {
    public var change: Comparison.Change
    public var outcome: Outcome
    /// The 95 % interval on the mean gain.
    public var interval: Interval?
    /// One sentence.
    public var reason: String
  }

  public static let level = 0.95

  public var outcome: Outcome
  /// One sentence.
  public var reason: String
  /// Of the gating metrics.
  public var metrics: [MetricVerdict]

  /// - Parameter strictImprovements: whether a metric that got better by more than its margin holds the release until a
  ///   new baseline is accepted.
  public init(_ comparison: Comparison, strictImprovements: Bool = false) {
    let gating = (comparison.changes + comparison.costs).filter { $0.margin != nil }
    let alarms = GateRule.corrected(gating.map(\.alarms))
    let metrics = zip(gating, alarms).map {
      MetricVerdict($0, $1, gatingMetrics: gating.count, strictImprovements: strictImprovements)
    }
    self.metrics = metrics
    func first(_ outcome: Outcome) -> MetricVerdict? { metrics.first { $0.outcome == outcome } }
    if gating.isEmpty {
      outcome = .missing
      reason = "the suite has no metric that gates"
    } else if let regression = first(.regression) {
      outcome = .regression
      reason = regression.reason
    } else if let missing = first(.missing) {
      outcome = .missing
      reason = missing.reason
    } else if let improvement = first(.improvement) {
      outcome = .improvement
      reason = improvement.reason
    } else if let inconclusive = first(.inconclusive) {
      outcome = .inconclusive
      reason = inconclusive.reason
    } else {
      outcome = .pass
      reason =
        metrics.allSatisfy(\.change.isUnchanged)
        ? "nothing changed on any gating metric" : "no gating metric lost more than its margin"
    }
  }

  /// 0 pass, 2 regression or an improvement to be accepted, 3 inconclusive where the policy asks for it, 5 something is missing.
  public func exitCode(_ policy: Suite.InconclusivePolicy) -> Int32 {
    switch outcome {
    case .pass: 0
    case .regression, .improvement: 2
    case .inconclusive: policy == .fail ? 3 : 0
    case .missing: 5
    }
  }
}

extension Double {
  /// For sentences: so many decimals, trailing zeros left out.
  public func rounded(to decimals: Int) -> Double {
    var scale = 1.0
    for _ in 0..<decimals { scale *= 10 }
    return (self * scale).rounded() / scale + 0
  }
}
