import Statistics

extension Verdict.MetricVerdict {
  init(_ change: Comparison.Change, gatingMetrics: Int, strictImprovements: Bool = false) {
    let name = "\(change.metric) of \(change.detector)"
    self.init(change: change, outcome: .missing, interval: change.interval(level: Verdict.level), reason: "")
    let gains = change.gains.sorted { $0.key < $1.key }.map(\.value)
    guard let gain = change.gain, let after = change.after, after.isFinite, gains.allSatisfy(\.isFinite) else {
      reason = "\(name) has no value on any subject"
      return
    }
    guard change.oneSided.isEmpty else {
      reason = "\(name) is defined for \(change.oneSided.joined(separator: ", ")) only before or only after the change"
      return
    }
    let rule = GateRule(margin: change.margin ?? 0, gatingMetrics: gatingMetrics)
    let decision = rule.decide(gains)
    if change.isBelowFloor, let floor = change.floor {
      outcome = .regression
      reason = "\(name) is \(amount(after)), worse than its floor of \(amount(floor))"
      return
    }
    let bounds = interval.map { " (95 % interval \($0.low.rounded(to: 4)) to \($0.high.rounded(to: 4)))" } ?? ""
    let text = "\(name) changed by \(amount(gain))\(bounds)"
    switch decision {
    case .unchanged:
      outcome = .pass
      reason = "\(name) is unchanged for every subject"
    case .regression:
      outcome = .regression
      reason = "\(text), more than the accepted loss of \(rule.margin)"
    case .improvement where strictImprovements:
      outcome = .improvement
      reason = "\(text), better by more than \(rule.margin): accept it on purpose with bench baseline accept"
    case .pass, .improvement:
      outcome = .pass
      reason = "\(text), within the accepted loss of \(rule.margin)"
    case .inconclusive(let why):
      outcome = .inconclusive
      reason = "\(text): \(words(why, gains, rule))"
    }
  }

  private func amount(_ value: Double) -> String {
    "\(value.rounded(to: 4))" + (change.unit.isEmpty ? "" : " \(change.unit)")
  }

  private func words(_ why: GateRule.Reason, _ gains: [Double], _ rule: GateRule) -> String {
    switch why {
    case .fewSubjects where gains.count == 1: "one subject only, which says nothing of others"
    case .fewSubjects:
      "\(gains.count) subjects are too few to rule a loss out for others; a pass needs \(GateRule.fewestSubjects)"
    case .notShown:
      "a loss of more than \(rule.margin) is neither shown nor ruled out" + foresight(gains, rule)
    case .unconfirmed:
      "the interval alone would decide, but with \(gains.count) subjects the sign-flip test or the one that corrects for "
        + "skewness does not confirm it" + foresight(gains, rule)
    case .skewed(let skewness):
      "a few subjects \(skewness < 0 ? "lose" : "change") much more than the others (skewness "
        + "\(skewness.rounded(to: 2))), too few to say what others would" + foresight(gains, rule)
    }
  }

  /// What these subjects could have shown and how many would decide.
  private func foresight(_ gains: [Double], _ rule: GateRule) -> String {
    guard
      let plain = NonInferiorityRule(
        margin: rule.margin, level: Verdict.level, comparisons: rule.gatingMetrics),
      let study = NonInferiority(gains: gains, rule: plain)
    else { return "" }
    let effect = study.smallestDetectableLoss().map {
      "; the smallest loss that these \(gains.count) subjects show 4 times in 5 is \(amount($0))"
    }
    // By t alone fewer may do; that the other tests want more is what was just said.
    let subjects = study.subjectsToDecide().map { max($0, GateRule.fewestSubjects) }
    guard let subjects else { return (effect ?? "") + "; no number of subjects within a million would decide" }
    return (effect ?? "") + (subjects > gains.count ? "; about \(subjects) subjects would decide" : "")
  }
}
