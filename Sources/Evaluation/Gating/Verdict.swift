import Statistics

/// Whether a run is good enough to release.
///
/// A metric gates with a margin: the loss in its own unit that is accepted. Its subjects' gains over the baseline are
/// the sample, and it
/// - passes when the 95 % t interval on their mean lies at or above −margin, or nothing changed at all;
/// - regresses when the interval lies below −margin. Since one false alarm among many metrics is likely, this interval
///   is that of level 1 − 0.05 / (number of gating metrics) (Bonferroni);
/// - is inconclusive otherwise, and where there are fewer than two subjects.
///
/// A gating metric that has no value, or that has lost or won a subject's value, is missing: never a pass.
/// Passing takes all metrics, so passing needs no correction (Berger, Multiparameter Hypothesis Testing and Acceptance
/// Sampling, Technometrics 24, 1982).
public struct Verdict: Hashable, Sendable {
  public enum Outcome: String, Codable, Hashable, Sendable {
    case pass, regression, inconclusive, missing
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

  public init(_ comparison: Comparison) {
    let gating = comparison.changes.filter { $0.margin != nil }
    let metrics = gating.map { MetricVerdict($0, gatingMetrics: gating.count) }
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

  /// 0 pass, 2 regression, 3 inconclusive where the policy asks for it, 5 something is missing.
  public func exitCode(_ policy: Suite.InconclusivePolicy) -> Int32 {
    switch outcome {
    case .pass: 0
    case .regression: 2
    case .inconclusive: policy == .fail ? 3 : 0
    case .missing: 5
    }
  }
}

extension Verdict.MetricVerdict {
  init(_ change: Comparison.Change, gatingMetrics: Int) {
    let margin = change.margin ?? 0
    let name = "\(change.metric) of \(change.detector)"
    self.init(change: change, outcome: .missing, interval: change.interval(level: Verdict.level), reason: "")
    guard let gain = change.gain, change.after?.isFinite == true, gain.isFinite else {
      reason = "\(name) has no value on any subject"
      return
    }
    guard change.oneSided.isEmpty else {
      reason =
        "\(name) is defined for \(change.oneSided.joined(separator: ", ")) only before or only after the change"
      return
    }
    let text = "\(name) changed by \(gain.rounded(to: 4)) \(change.unit)".trimmed
    if change.isUnchanged {
      outcome = .pass
      reason = "\(name) is unchanged for every subject"
      return
    }
    guard let interval,
      let strict = change.interval(level: 1 - (1 - Verdict.level) / Double(max(1, gatingMetrics)))
    else {
      outcome = .inconclusive
      reason = "\(text), on one subject only, which says nothing of others"
      return
    }
    let bounds = "\(interval.low.rounded(to: 4)) to \(interval.high.rounded(to: 4))"
    if strict.high < -margin {
      outcome = .regression
      reason = "\(text) (95 % interval \(bounds)), more than the accepted loss of \(margin)"
    } else if interval.low >= -margin {
      outcome = .pass
      reason = "\(text) (95 % interval \(bounds)), within the accepted loss of \(margin)"
    } else {
      outcome = .inconclusive
      reason = "\(text) (95 % interval \(bounds)): a loss of more than \(margin) is neither shown nor ruled out"
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

extension String {
  fileprivate var trimmed: String { hasSuffix(" ") ? String(dropLast()) : self }
}
