/// When subjects' gains let a metric pass, and when they are a regression.
///
/// The two error rates that it holds, measured by `bench selftest gate`: with a true mean gain of 0 and no accepted loss,
/// at most 2.5 % of comparisons are called a regression on any of their metrics; with a true loss of the margin, at most
/// 2.5 % pass. Passing takes all metrics, so passing needs no correction (Berger, Multiparameter Hypothesis Testing and
/// Acceptance Sampling, Technometrics 24, 1982).
///
/// Regressions are corrected by Holm over the metrics that gate. Holm's procedure requires of each metric a p value that is at most
/// α with a chance of at most α where there is no loss, at α, α / 2 and so on down to α / (number of metrics), and nothing
/// of how metrics are correlated. `SuperiorityTest.p(meanAbove:ceiling:)` is the largest of three tests' and so at most each: it is
/// such a p value wherever one of the three holds its level. Where nothing was lost at all, Holm raises the alarm exactly
/// where Bonferroni does, so it names more of the metrics that lost without holding one more release; that unharmed
/// metrics beside harmed ones are named no more often than the level allows, the self-test measures too.
public struct GateRule: Hashable, Sendable {
  public enum Decision: Hashable, Sendable {
    /// No subject's value changed: a fact about these subjects, which needs no inference.
    case unchanged
    case pass
    case regression
    /// Better by more than the margin.
    case improvement
    case inconclusive(Reason)
  }

  public enum Reason: Hashable, Sendable {
    /// Fewer subjects than a pass needs.
    case fewSubjects
    /// A loss beyond the margin is neither shown nor ruled out.
    case notShown
    /// The t interval alone would decide, the other tests do not confirm it.
    case unconfirmed
    /// A few subjects lose, or win, much more than the others.
    case skewed(Double)
  }

  /// With fewer subjects, a loss that falls on people unequally passes more often than the level allows.
  public static let fewestSubjects = 10
  /// One-sided: that of a two-sided 95 % interval's one end.
  public static let alpha = 0.025

  /// The loss that is accepted, in the metric's unit, from 0.
  public var margin: Double
  /// How many metrics may each raise the alarm. For a decision on one metric alone: as if no other had lost.
  public var gatingMetrics: Int

  public init(margin: Double, gatingMetrics: Int = 1) {
    self.margin = margin
    self.gatingMetrics = max(1, gatingMetrics)
  }

  /// The p values of a metric's two alarms.
  public struct Alarms: Hashable, Sendable {
    /// That a loss beyond the margin is but chance.
    public var regression: Double
    /// That a gain beyond the margin is.
    public var improvement: Double

    public init(regression: Double, improvement: Double) {
      self.regression = regression
      self.improvement = improvement
    }

    public static let none = Alarms(regression: 1, improvement: 1)
  }

  /// Corrected by Holm over the metrics that gate, for each alarm by itself; in the given order.
  public static func corrected(_ alarms: [Alarms]) -> [Alarms] {
    // P values are in 0...1, so that there is always a correction.
    let regressions = holm(alarms.map(\.regression)) ?? alarms.map { _ in 1 }
    let improvements = holm(alarms.map(\.improvement)) ?? alarms.map { _ in 1 }
    return zip(regressions, improvements).map { Alarms(regression: $0, improvement: $1) }
  }

  /// Uncorrected; what no correction could make an alarm is told by Student's t test alone.
  public func alarms(_ gains: [Double]) -> Alarms {
    guard gains.contains(where: { $0 != 0 }), let evidence = SuperiorityTest(gains),
      let opposite = SuperiorityTest(gains.map { -$0 })
    else { return .none }
    return Alarms(
      regression: opposite.p(meanAbove: margin, ceiling: Self.alpha),
      improvement: evidence.p(meanAbove: margin, ceiling: Self.alpha))
  }

  /// As if none of the other metrics that gate had lost or won: by Bonferroni, the first of Holm's steps.
  ///
  /// - Parameter gains: one a subject, in the metric's unit, below 0 for worse; finite.
  public func decide(_ gains: [Double]) -> Decision {
    let alarms = alarms(gains)
    let metrics = Double(gatingMetrics)
    return decide(
      gains, Alarms(regression: alarms.regression * metrics, improvement: alarms.improvement * metrics))
  }

  /// - Parameters:
  ///   - gains: one a subject, in the metric's unit, below 0 for worse; finite.
  ///   - alarms: corrected.
  public func decide(_ gains: [Double], _ alarms: Alarms) -> Decision {
    if !gains.isEmpty && gains.allSatisfy({ $0 == 0 }) { return .unchanged }
    guard let evidence = SuperiorityTest(gains), let opposite = SuperiorityTest(gains.map { -$0 }) else {
      return .inconclusive(.fewSubjects)
    }
    guard alarms.regression > Self.alpha else { return .regression }
    guard gains.count >= Self.fewestSubjects else { return .inconclusive(.fewSubjects) }
    if alarms.improvement <= Self.alpha { return .improvement }
    // What speaks against a regression, in words only: it is none.
    let regression = opposite.objection(toMeanAbove: margin, alpha: Self.alpha / Double(gatingMetrics))
    // Everyone's loss is the same and within the margin: there is nothing between people to be wrong about.
    if gains.allSatisfy({ $0 == gains[0] }) && gains[0] >= -margin { return .pass }
    switch (evidence.objection(toMeanAbove: -margin, alpha: Self.alpha), regression) {
    case (nil, _): return .pass
    case (.skewed(let skewness), _), (_, .skewed(let skewness)): return .inconclusive(.skewed(skewness))
    case (.unconfirmed, _), (_, .unconfirmed): return .inconclusive(.unconfirmed)
    default: return .inconclusive(.notShown)
    }
  }
}

extension GateRule.Decision {
  /// Whether a comparison passes on evidence or on the fact that nothing changed.
  public var passes: Bool {
    switch self {
    case .unchanged, .pass, .improvement: true
    case .regression, .inconclusive: false
    }
  }
}

extension GateRule {
  /// Whether `decide(_:)` says regression of the opposites of these gains: the same answer, without looking at the rest.
  fileprivate func isRegression(losses: [Double]) -> Bool {
    guard losses.contains(where: { $0 != 0 }), let evidence = SuperiorityTest(losses) else { return false }
    let metrics = Double(gatingMetrics)
    return evidence.p(meanAbove: margin, ceiling: Self.alpha / metrics) * metrics <= Self.alpha
  }

  /// Whether `decide(_:)` passes: the same answer, mostly without looking at the rest.
  fileprivate func passes(_ gains: [Double]) -> Bool {
    guard gains.count >= Self.fewestSubjects, let evidence = SuperiorityTest(gains) else { return decide(gains).passes }
    // A mean that is shown to be above the margin is no regression.
    if evidence.objection(toMeanAbove: -margin, alpha: Self.alpha) == nil { return true }
    let mayPassOtherwise = evidence.mean > margin || gains.allSatisfy { $0 == gains[0] }
    return mayPassOtherwise && decide(gains).passes
  }
}

// MARK: - How many subjects

extension GateRule {
  /// The fewest subjects with which a true loss of `loss` is called a regression in four of five comparisons; `nil` where
  /// the loss is within the margin, the gains can't be simulated, or more than `PowerStudy.mostSubjects` are needed.
  ///
  /// - Parameter gains: of other subjects, whose spread is taken for that of all people.
  public func fewestSubjects(toShow loss: Double, gains: [Double], seed: UInt64 = PowerStudy.seed) -> Int? {
    PowerStudy(sample: gains, rule: self)?.subjectsToShow(loss: loss, seed: seed)
  }

  /// The fewest subjects with which a change that loses nothing passes in four of five comparisons; `nil` as above.
  public func fewestSubjects(toPass gains: [Double], seed: UInt64 = PowerStudy.seed) -> Int? {
    PowerStudy(sample: gains, rule: self)?.subjectsToPass(loss: 0, seed: seed)
  }

  /// The fewest subjects with which this change would be decided, one way or the other, in four of five comparisons, if
  /// the mean and the spread of these gains were those of all people; `nil` as above.
  ///
  /// A plan and no promise: with few subjects, the mean that it rests on is itself uncertain.
  public func subjectsToDecide(gains: [Double]) -> Int? {
    guard let mean = mean(gains), let study = PowerStudy(sample: gains, rule: self) else { return nil }
    return -mean > margin ? study.subjectsToShow(loss: -mean) : study.subjectsToPass(loss: -mean)
  }

  /// The smallest true loss, in the metric's unit, that so many subjects with gains so spread call a regression in four of
  /// five comparisons; to 1 % of what it exceeds the margin by. `nil` where they do of no loss, however large.
  ///
  /// It says what these subjects can show, not what the change did: it depends on the spread of the gains, not their mean.
  public func smallestDetectableLoss(gains: [Double]) -> Double? {
    PowerStudy(sample: gains, rule: self)?.smallestDetectableLoss(subjects: gains.count)
  }
}

/// What the gate would say of a change of known size on so many subjects: by simulation from gains at hand.
///
/// A simulated subject's gain is that of a subject drawn from those seen, less the mean of all, less the loss; centred
/// gains are stretched by √(n / (n − 1)), since centring takes that much of their spread. Decided by the gate's own rule.
/// It knows no more spread than the subjects at hand show: from fewer than ten or so it is a rough guide.
///
/// Every number of subjects is simulated with the same seed. A search finds a number that suffices while one fewer does
/// not; with gains of few distinct values a smaller one may suffice as well, since power does not grow evenly then.
///
/// - Source: Davison and Hinkley, Bootstrap Methods and their Application, 1997, section 4.4.
public struct PowerStudy: Sendable {
  /// How often each answer came, 0…1.
  public struct Shares: Codable, Hashable, Sendable {
    public var subjects: Int
    public var pass: Double
    public var regression: Double
  }

  public static let simulations = 2000
  public static let seed: UInt64 = 1
  /// The share of comparisons that have to be decided for subjects to be enough.
  public static let power = 0.8
  /// Sample sizes are searched up to this many subjects.
  public static let mostSubjects = 1000

  public let rule: GateRule
  /// The standard deviation of the gains at hand.
  public let spread: Double
  private let centred: [Double]

  /// `nil` for fewer than two gains, one that is not finite, and gains that are all alike.
  public init?(gains: [Double], rule: GateRule) {
    self.init(sample: gains, rule: rule)
    guard spread > 0 else { return nil }
  }

  /// Gains that are all alike are simulated too: then one comparison is as the next.
  init?(sample gains: [Double], rule: GateRule) {
    guard gains.count >= 2, gains.allSatisfy(\.isFinite), let mean = mean(gains),
      let deviation = standardDeviation(gains)
    else { return nil }
    let stretch = (Double(gains.count) / Double(gains.count - 1)).squareRoot()
    centred = gains.map { ($0 - mean) * stretch }
    spread = deviation
    self.rule = rule
  }

  /// The answers to a true loss of `loss`, in the metric's unit.
  public func shares(loss: Double, subjects: Int, seed: UInt64) -> Shares {
    var random = SeededGenerator(seed: seed)
    var (passes, regressions) = (0, 0)
    for _ in 0..<Self.simulations {
      let decision = rule.decide(draw(subjects, loss: loss, &random))
      if decision.passes { passes += 1 }
      if decision == .regression { regressions += 1 }
    }
    let total = Double(Self.simulations)
    return Shares(subjects: subjects, pass: Double(passes) / total, regression: Double(regressions) / total)
  }

  /// The fewest subjects that call a loss a regression, as `GateRule.fewestSubjects(toShow:gains:seed:)` says.
  public func subjectsToShow(loss: Double, seed: UInt64 = Self.seed) -> Int? {
    guard loss > rule.margin, loss.isFinite else { return nil }
    let guess = guess(distance: loss - rule.margin, alpha: GateRule.alpha / Double(rule.gatingMetrics))
    return fewest(from: 2, near: guess) { isShown($0, loss: loss, seed: seed) }
  }

  /// The fewest subjects that pass a loss; `nil` for one of the margin or more.
  public func subjectsToPass(loss: Double, seed: UInt64 = Self.seed) -> Int? {
    guard loss < rule.margin, loss.isFinite else { return nil }
    let guess = guess(distance: rule.margin - loss, alpha: GateRule.alpha)
    return fewest(from: GateRule.fewestSubjects, near: guess) {
      suffices($0, seed: seed) { rule.passes(draw($0, loss: loss, &$1)) }
    }
  }

  /// As `GateRule.smallestDetectableLoss(gains:)` says.
  func smallestDetectableLoss(subjects: Int) -> Double? {
    func isShown(_ excess: Double) -> Bool { self.isShown(subjects, loss: rule.margin + excess, seed: Self.seed) }
    let alpha = GateRule.alpha / Double(rule.gatingMetrics)
    let noncentrality = NoncentralT.noncentrality(
      exceeding: StudentT(degreesOfFreedom: Double(subjects - 1)).quantile(1 - alpha), with: Self.power,
      degreesOfFreedom: Double(subjects - 1))
    // Where Student's t test alone would show it; the other tests want more.
    guard spread > 0 else { return isShown(max(rule.margin, 1)) ? rule.margin : nil }
    guard let noncentrality, noncentrality > 0 else { return nil }
    let plain = noncentrality * spread / Double(subjects).squareRoot()
    var (low, high) = (0.0, plain)
    while !isShown(high) {
      guard high < 16 * plain else { return nil }
      (low, high) = (high, high * 1.25)
    }
    if low == 0, isShown(0.8 * high) { high *= 0.8 } else { low = max(low, 0.8 * high) }
    while high - low > 0.01 * high {
      let middle = (low + high) / 2
      if isShown(middle) { high = middle } else { low = middle }
    }
    return rule.margin + high
  }

  private func draw(_ subjects: Int, loss: Double, _ random: inout SeededGenerator) -> [Double] {
    (0..<subjects).map { _ in centred[random.index(below: centred.count)] - loss }
  }

  private func isShown(_ subjects: Int, loss: Double, seed: UInt64) -> Bool {
    suffices(subjects, seed: seed) { subjects, random in
      rule.isRegression(losses: (0..<subjects).map { _ in loss - centred[random.index(below: centred.count)] })
    }
  }

  /// Whether the share of comparisons with this answer is at least `power`; stops once that is known.
  ///
  /// - Parameter isDecided: of a comparison of so many subjects that is drawn.
  private func suffices(
    _ subjects: Int, seed: UInt64, where isDecided: (Int, inout SeededGenerator) -> Bool
  ) -> Bool {
    let needed = Int((Self.power * Double(Self.simulations)).rounded(.up))
    var random = SeededGenerator(seed: seed)
    var (hits, misses) = (0, 0)
    while hits < needed, misses <= Self.simulations - needed {
      if isDecided(subjects, &random) { hits += 1 } else { misses += 1 }
    }
    return hits >= needed
  }

  /// How many subjects Student's t test alone would need: where the search begins.
  private func guess(distance: Double, alpha: Double) -> Int {
    guard spread > 0 else { return GateRule.fewestSubjects }
    return smallest(from: 2, through: Self.mostSubjects) { n in
      let freedom = Double(n - 1)
      return NoncentralT(degreesOfFreedom: freedom, noncentrality: distance / spread * Double(n).squareRoot())
        .upperTail(StudentT(degreesOfFreedom: freedom).quantile(1 - alpha)) >= Self.power
    } ?? Self.mostSubjects
  }

  /// A number that suffices while one fewer does not: by steps of 1, 2, 4 … away from `guess`, then by halving.
  private func fewest(from lowest: Int, near guess: Int, where suffices: (Int) -> Bool) -> Int? {
    var enough = min(max(guess, lowest), Self.mostSubjects)
    var tooFew: Int
    var step = 1
    if suffices(enough) {
      tooFew = lowest - 1
      while enough > lowest {
        let next = max(lowest, enough - step)
        guard suffices(next) else {
          tooFew = next
          break
        }
        enough = next
        step *= 2
      }
    } else {
      repeat {
        guard enough < Self.mostSubjects else { return nil }
        tooFew = enough
        enough = min(Self.mostSubjects, enough + step)
        step *= 2
      } while !suffices(enough)
    }
    while enough - tooFew > 1 {
      let middle = (tooFew + enough) / 2
      if suffices(middle) { enough = middle } else { tooFew = middle }
    }
    return enough
  }
}
