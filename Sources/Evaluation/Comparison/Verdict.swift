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
    /// With the outcome.
    public private(set) var change: MetricChange
    /// One sentence.
    public var reason: String
    /// By what a decision was looked for in vain.
    private var undecided: GateRule?

    public private(set) var outcome: Outcome {
      get { change.outcome ?? .missing }
      set { change.outcome = newValue }
    }
  }

  public static let level = MetricChange.level

  public var outcome: Outcome
  /// One sentence: of the first metric that has this outcome, and how many others do.
  public var reason: String
  /// What that metric's subjects could have shown, in sentences.
  public var detail: String? { outcome == .pass ? nil : metrics.first { $0.outcome == outcome }?.detail }
  /// Of the gating metrics.
  public var metrics: [MetricVerdict]

  /// - Parameter strictImprovements: whether a metric that got better by more than its margin holds the release until a
  ///   new baseline is accepted.
  public init(_ comparison: Comparison, strictImprovements: Bool = false) {
    let gating = (comparison.metrics + comparison.costs).filter { $0.margin != nil }
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
  }

  /// The change with what the gate says of it, where it gates.
  public func decided(_ change: MetricChange) -> MetricChange {
    metrics.first { $0.change.detector == change.detector && $0.change.metric == change.metric }?.change ?? change
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

extension MetricChange {
  /// The p values of the alarms that the metric may raise, uncorrected.
  var alarms: GateRule.Alarms {
    // That an update became faster by the margin is no alarm.
    if let cost { return GateRule.Alarms(regression: cost.pSlower, improvement: 1) }
    let gains = gains.values.sorted()
    guard oneSidedSubjects.isEmpty, gains.allSatisfy(\.isFinite) else { return .none }
    return GateRule(margin: margin ?? 0).alarms(gains)
  }
}

extension Verdict.MetricVerdict {
  package init(_ change: MetricChange, _ outcome: Verdict.Outcome, reason: String) {
    (self.change, self.reason) = (change, reason)
    self.outcome = outcome
  }

  /// - Parameter alarms: corrected over the metrics that gate.
  init(_ change: MetricChange, _ alarms: GateRule.Alarms, gatingMetrics: Int, strictImprovements: Bool) {
    let name = "\(change.metric) of \(change.detector)"
    self.init(change, .missing, reason: "")
    if let cost = change.cost {
      decide(cost, alarms)
      return
    }
    guard change.isPooled != true else {
      reason = "\(name) is the value of all clips together, most subjects having none of their own: it cannot gate"
      return
    }
    let gains = change.sortedGains
    guard let gain = change.gain, let after = change.after, after.isFinite, gains.allSatisfy(\.isFinite) else {
      reason = "\(name) has no value on any subject"
      return
    }
    guard change.oneSidedSubjects.isEmpty else {
      reason =
        "\(name) is defined for \(change.oneSidedSubjects.joined(separator: ", ")) only before or only after the change"
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
    let bounds = NumberText.interval(change.interval, unit: change.unit).map { ", 95 % \($0)" } ?? ""
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
      undecided = why == .fewSubjects ? nil : rule
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

  /// What these subjects can show and how many would decide, in sentences, by the rule that did not decide: simulated when
  /// it is asked for. `nil` where it is decided, and for too few subjects to tell.
  public var detail: String? {
    guard let rule = undecided else { return nil }
    let gains = change.sortedGains
    let people = "With \(gains.count) subjects"
    let effect =
      rule.smallestDetectableLoss(gains: gains).map {
        "\(people) only a loss above \(amount($0)) is likely to be detected."
      } ?? "\(people) no loss, however large, is likely to be detected."
    let need: String? =
      switch rule.subjectsToDecide(gains: gains) {
      case nil: "More than \(PowerStudy.mostSubjects) subjects would be needed to decide."
      case let subjects? where subjects > gains.count: "About \(subjects) subjects would decide."
      default: nil
      }
    return [effect, need].compactMap(\.self).joined(separator: " ")
  }
}

extension Verdict.MetricVerdict: Encodable {
  private enum Key: String, CodingKey { case reason, detail }

  /// The change without its subjects' values, and what is said of it beside.
  public func encode(to encoder: any Encoder) throws {
    try change.summary.encode(to: encoder)
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(reason, forKey: .reason)
    try container.encodeIfPresent(detail, forKey: .detail)
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
