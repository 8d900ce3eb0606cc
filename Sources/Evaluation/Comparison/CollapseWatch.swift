import Scoring
import Statistics

/// Watches the detectors that no metric gates: each by the first metric of the suite where higher is better.
///
/// A detector collapsed if people like these are shown to lose more than half of the baseline's value: by the gate's
/// rule with that as the margin, corrected for the number of watched detectors. A value that fell as far without being
/// shown is a finding, and so is a smaller loss that is shown. The loss since the best baseline is judged alike, if the
/// change adds to it.
struct CollapseWatch {
  /// The detectors that collapsed.
  private(set) var collapsed: [Verdict.MetricVerdict] = []
  /// The detectors that may have collapsed or are worse, one sentence each.
  private(set) var findings: [String] = []

  init(_ comparison: Comparison) {
    let watched = comparison.watched
    for change in watched {
      if judge(change, of: watched.count, in: comparison) { continue }
      if (change.gain ?? 0) < 0, var sum = comparison.drifts.first(of: change.metricID), let best = sum.before {
        sum.margin = best / 2
        if judge(sum, of: watched.count, in: comparison, MetricChange.sinceBest) { continue }
      }
      guard change.shown == .worse, let before = change.before else { continue }
      findings.append("\(change.detector) is worse: \(Self.words(change, before)). Give a metric of it a margin")
    }
  }

  /// Whether there is something to say of it.
  private mutating func judge(
    _ change: MetricChange, of count: Int, in comparison: Comparison, _ since: String = ""
  ) -> Bool {
    guard let margin = change.margin, let before = change.before else { return false }
    let words = Self.words(change, before, since)
    let rule = GateRule(margin: margin, gatingMetrics: count, looks: comparison.results.looks ?? .one)
    if rule.decide(change.sortedGatedGains) == .regression {
      var verdict = Verdict.MetricVerdict(change, .regression, reason: "\(change.detector) collapsed: \(words)")
      verdict.saysItself = true
      collapsed.append(verdict)
    } else if change.after.map({ before - $0 >= margin }) ?? true {
      findings.append("\(change.detector) may have collapsed: \(words). Give a metric of it a margin")
    } else {
      return false
    }
    return true
  }

  private static func words(_ change: MetricChange, _ before: Double, _ since: String = "") -> String {
    change.valuesWords(of: " of \(change.detector)", from: before, to: change.after)
      + "\(since)\(change.worseForWords), and no metric of \(change.detector) gates"
  }
}

extension RunResults {
  /// The metric that each detector without a gating metric is watched by.
  var watched: Set<MetricID> {
    let gated = Set(metrics.filter { $0.margin != nil }.map(\.detector))
    return Set(
      detectors.map(\.name).filter { !gated.contains($0) }.compactMap { name in
        metrics.first { $0.detector == name && $0.isListed && $0.direction == .higherIsBetter }?.metricID
      })
  }
}

extension Comparison {
  /// The watched metric of each detector without a gating metric; its margin is half of the baseline's value.
  var watched: [MetricChange] {
    let gated = Set(metrics.filter { $0.margin != nil }.map(\.detector))
    return results.detectors.map(\.name).filter { !gated.contains($0) }.compactMap { detector in
      guard
        var change = metrics.first(where: {
          $0.detector == detector && $0.isListed && $0.direction == .higherIsBetter
        }), let before = change.before, before > 0
      else { return nil }
      change.margin = before / 2
      return change
    }
  }
}
