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
    /// What these subjects could have shown and how many would decide, in sentences; `nil` where it is decided.
    public var detail: String?
  }

  public static let level = 0.95

  public var outcome: Outcome
  /// One sentence: of the first metric that has this outcome, and how many others do.
  public var reason: String
  /// What that metric's subjects could have shown, in sentences.
  public var detail: String?
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
    guard !gating.isEmpty else {
      outcome = .missing
      reason = "the suite has no metric that gates"
      return
    }
    let gravest: [Outcome] = [.regression, .missing, .improvement, .inconclusive]
    outcome = gravest.first { outcome in metrics.contains { $0.outcome == outcome } } ?? .pass
    guard outcome != .pass else {
      reason =
        metrics.allSatisfy(\.change.isUnchanged)
        ? "nothing changed on any gating metric" : "no gating metric lost more than its margin"
      return
    }
    let alike = metrics.filter { [outcome] in $0.outcome == outcome }
    let others = alike.count - 1
    let more = others == 0 ? "" : "; \(others) other metric\(others == 1 ? "" : "s") likewise"
    reason = (alike.first?.reason ?? "") + more
    detail = alike.first?.detail
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
