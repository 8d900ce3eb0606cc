import Statistics

/// Watches the losses that several changes add up to: a gating metric's change since its best baseline.
///
/// The gate's rule judges it like the change itself if that adds to the loss. If it does not, the sum is a finding. A
/// loss that a person accepted in writing begins a new best, and the sum until then is a finding.
struct DriftWatch {
  /// Of the metrics whose sum is a regression, or more likely beyond the margin than usual suites allow.
  private(set) var verdicts: [Verdict.MetricVerdict] = []
  /// One sentence each.
  private(set) var findings: [String] = []

  /// - Parameters:
  ///   - metrics: The verdicts on the change itself.
  ///   - rules: For each of the comparison's drifts that gate, corrected over all of them.
  init(_ comparison: Comparison, _ metrics: [Verdict.MetricVerdict], _ rules: [GateRule]) {
    for (change, rule) in zip(comparison.gatedDrifts, rules) {
      guard let gain = change.gain, gain < 0,
        let own = metrics.first(where: { $0.change.metricID == change.metricID }), own.outcome != .regression
      else { continue }
      let margin = NumberText.quantity(change.margin ?? 0, unit: change.unit)
      let sum =
        change.valuesWords(of: " of \(change.detector)", from: change.pairedBefore, to: change.pairedAfter)
        + MetricChange.sinceBest + change.worseForWords
      if let accepted = comparison.acceptedLosses.total(of: own.change) {
        findings.append("\(sum): forgotten, as the last one is accepted because \"\(accepted.because)\"")
        continue
      }
      var verdict: Verdict.MetricVerdict
      switch rule.decide(change.sortedGatedGains) {
      case .regression:
        verdict = Verdict.MetricVerdict(change, .regression, reason: "\(sum): more than the margin of \(margin)")
      case .maybeWorse(let probability) where probability > GateRule.stopAt:
        let likely = NumberText.plain(100 * probability, decimals: 0)
        verdict = Verdict.MetricVerdict(
          change, .maybeWorse, probability: probability,
          reason: "\(sum): \(likely) % likely to be worse by more than \(margin)")
      default: continue
      }
      verdict.saysItself = true
      if (own.change.gain ?? 0) < 0 { verdicts.append(verdict) } else { findings.append(verdict.reason) }
    }
  }
}

extension Comparison {
  /// The drifts of metrics that gate.
  var gatedDrifts: [MetricChange] { drifts.filter { $0.margin != nil } }
}
