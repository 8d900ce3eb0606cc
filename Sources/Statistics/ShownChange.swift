/// The direction of a change that is shown for people like these subjects, corrected for the other metrics.
public enum ShownChange: String, Hashable, Codable, Sendable {
  case better, worse

  /// The fewest subjects for a claim with one look: of five, all change alike by chance in 2 of 2⁵ cases, more than 5 %.
  public static let fewestSubjects = 6

  /// Which of several metrics changed, and in which direction. Without a true change the probability of any claim is at
  /// most `GateRule.alpha`: losses and gains are two families, each tested at half of it. What the sign-flip test of a
  /// metric alone explains by chance is never claimed: with few people of whom few changed, t tests err.
  ///
  /// - Parameters:
  ///   - gains: By metric, the gains by subject in the order of all subjects, `nil` for a missing one.
  ///   - looks: With any number of them, a claim needs evidence that holds at each.
  /// - Returns: By metric; `nil` where chance can explain the change, and with fewer subjects than
  ///   `fewestSubjects`.
  public static func of(_ gains: [[Double?]], looks: GateRule.Looks = .one) -> [ShownChange?] {
    let test = JointTest(subjects: gains.map(\.count).max() ?? 0, level: GateRule.alpha / 2)
    func losses(_ gains: [[Double?]]) -> [Bool] {
      let rules =
        looks == .one
        ? test.rules(gains.map { .gains($0, margin: 0) })
        : gains.map { _ in GateRule(margin: 0, atAnyLookOf: 2 * gains.count) }
      return zip(gains, rules).map { $1.decide($0.compactMap(\.self)) == .regression }
    }
    let worse = losses(gains)
    let better = losses(gains.map { own in own.map { gain in gain.map { -$0 } } })
    return gains.indices.map { index in
      guard worse[index] || better[index] else { return nil }
      var random = SeededGenerator(seed: JointTest.seed)
      let flip = SignFlip(gains[index].compactMap(\.self), flips: 9_999, using: &random)
      guard let flip, flip.twoSided <= GateRule.alpha else { return nil }
      return worse[index] ? .worse : .better
    }
  }
}
