import Statistics

extension Comparison.Change {
  /// The p values of the alarms that the metric may raise, uncorrected.
  var alarms: GateRule.Alarms {
    // That an update became faster by the margin is no alarm.
    if let cost { return GateRule.Alarms(regression: cost.pSlower, improvement: 1) }
    let gains = gains.values.sorted()
    guard oneSided.isEmpty, gains.allSatisfy(\.isFinite) else { return .none }
    return GateRule(margin: margin ?? 0).alarms(gains)
  }
}

extension Verdict.MetricVerdict {
  /// - Parameter alarms: corrected over the metrics that gate.
  init(_ change: Comparison.Change, _ alarms: GateRule.Alarms, gatingMetrics: Int, strictImprovements: Bool) {
    let name = "\(change.metric) of \(change.detector)"
    self.init(change: change, outcome: .missing, interval: change.interval(level: Verdict.level), reason: "")
    if let cost = change.cost {
      decide(cost, alarms)
      return
    }
    guard !change.isPooled else {
      reason = "\(name) is the value of all clips together, most subjects having none of their own: it cannot gate"
      return
    }
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
    let margin = NumberText.plain(rule.margin)
    let decision = rule.decide(gains, alarms)
    if change.isBelowFloor, let floor = change.floor {
      outcome = .regression
      reason = "\(name) is \(amount(after)), worse than its floor of \(amount(floor))"
      return
    }
    // The sign of a gain may be the opposite of that of the metric's change: words say which way it went.
    let signed = NumberText.signed(gain, unit: change.unit)
    let way =
      ["0", "±0"].contains(signed)
      ? "on average what it was" : "\(gain < 0 ? "worse" : "better") by \(amount(abs(gain)))"
    let bounds = NumberText.interval(interval, unit: change.unit).map { ", 95 % \($0)" } ?? ""
    let text = "\(name) is \(way) (gain \(signed)\(bounds))"
    switch decision {
    case .unchanged:
      outcome = .pass
      reason = "\(name) is unchanged for every subject"
    case .regression:
      outcome = .regression
      reason = "\(text), more than the accepted loss of \(margin)"
    case .improvement where strictImprovements:
      outcome = .improvement
      reason = "\(text), more than \(margin): accept it on purpose with bench baseline accept"
    case .pass, .improvement:
      outcome = .pass
      reason = "\(text), within the accepted loss of \(margin)"
    case .inconclusive(let why):
      outcome = .inconclusive
      reason = "\(text): \(words(why, gains, margin))"
      detail = foresight(why, gains, rule)
    }
  }

  /// An update's cost: clips are the sample, and the margin is a ratio.
  private mutating func decide(_ cost: CostChange, _ alarms: GateRule.Alarms) {
    let margin = change.margin ?? 1
    let bounds = cost.interval.map { " (95 % interval \($0.low.rounded(to: 3)) to \($0.high.rounded(to: 3)))" } ?? ""
    let text =
      "an update of \(change.detector) takes \(cost.ratio.rounded(to: 3)) times as long as \(cost.referenceWords)"
      + bounds
    if alarms.regression <= GateRule.alpha {
      outcome = .regression
      reason = "\(text), more than the accepted \(margin)"
    } else if cost.pWithin <= GateRule.alpha {
      outcome = .pass
      reason = "\(text), within the accepted \(margin)"
    } else {
      outcome = .inconclusive
      reason =
        "\(text): "
        + (cost.clips < 6
          ? "\(cost.clips) clips are too few, six decide" : "neither more nor less than \(margin) is shown")
    }
  }

  private func amount(_ value: Double) -> String {
    NumberText.quantity(value, unit: change.unit)
  }

  private func words(_ why: GateRule.Reason, _ gains: [Double], _ margin: String) -> String {
    switch why {
    case .fewSubjects where gains.count == 1: "one subject only, which says nothing of others"
    case .fewSubjects:
      "\(gains.count) subjects are too few to rule a loss out for others; a pass needs \(GateRule.fewestSubjects)"
    case .notShown: "a loss of more than \(margin) is neither shown nor ruled out"
    case .unconfirmed:
      "the interval alone would decide, but with \(gains.count) subjects the sign-flip test or the one that corrects for "
        + "skewness does not confirm it"
    case .skewed(let skewness):
      "a few subjects \(skewness < 0 ? "lose" : "change") much more than the others (skewness "
        + "\(NumberText.fixed(skewness, decimals: 2))), too few to say what others would"
    }
  }

  /// What these subjects could have shown and how many would decide; `nil` where they are too few to tell.
  private func foresight(_ why: GateRule.Reason, _ gains: [Double], _ rule: GateRule) -> String? {
    guard why != .fewSubjects,
      let plain = NonInferiorityRule(
        margin: rule.margin, level: Verdict.level, comparisons: rule.gatingMetrics),
      let study = NonInferiority(gains: gains, rule: plain)
    else { return nil }
    // By t alone fewer may do; that the other tests want more is what was just said.
    let subjects = study.subjectsToDecide().map { max($0, GateRule.fewestSubjects) }
    let effect = study.smallestDetectableLoss().map {
      "These \(gains.count) subjects show, four times in five, a loss of \(amount($0)), and no smaller one."
    }
    let need: String? =
      switch subjects {
      case nil: "No number of subjects within a million would decide."
      case let subjects? where subjects > gains.count: "About \(subjects) subjects would decide."
      default: nil
      }
    let sentences = [effect, need].compactMap(\.self)
    return sentences.isEmpty ? nil : sentences.joined(separator: " ")
  }
}
