/// The direction of a change that is shown for people like these subjects, corrected for the other metrics.
public enum ShownChange: String, Hashable, Codable, Sendable {
  case better, worse
}

extension JointTest {
  /// Which of several metrics changed, and in which direction: each metric is tested for a loss and for a gain, all in
  /// one family. Without a true change the probability of any claim is at most `GateRule.alpha`.
  ///
  /// - Parameters:
  ///   - gains: By metric, the gains by subject in the order of all subjects, `nil` for a missing one.
  ///   - looks: With any number of them, a claim needs evidence that holds at each.
  /// - Returns: By metric; `nil` where chance can explain the change, and with fewer subjects than
  ///   `GateRule.fewestToCall`.
  public func changes(_ gains: [[Double?]], looks: GateRule.Looks = .one) -> [ShownChange?] {
    let both = gains + gains.map { own in own.map { gain in gain.map { -$0 } } }
    let rules =
      looks == .one
      ? rules(both.map { .gains($0, margin: 0) }) : both.map { _ in GateRule(margin: 0, atAnyLookOf: both.count) }
    let isLoss = zip(both, rules).map { own, rule in rule.decide(own.compactMap(\.self)) == .regression }
    return gains.indices.map { isLoss[$0] ? .worse : isLoss[$0 + gains.count] ? .better : nil }
  }
}
