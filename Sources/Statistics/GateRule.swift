import RealModule

/// The rule for a regression, for a pass, and for what lies between, from the subjects' gains.
///
/// Each answer is Student's t test of the subjects and of one more person, who stands for those that were not recorded:
///
/// - **Regression**, with five subjects or more: the mean loss is beyond the margin at a one-sided level of 5 %,
///   corrected over the gating metrics by their joint distribution (see `JointTest`), although one more person gains
///   1.5 times as much as the best winner. If nobody won, nobody is added.
/// - **Pass**, with ten subjects or more: the mean loss is within the margin at 5 %, although one more person loses 1.5
///   times as much as the worst loser. Or nobody lost as much as the margin, or all lost the same and no more than it.
///   Passing requires all metrics, so it needs no correction (Berger, Multiparameter Hypothesis Testing and Acceptance
///   Sampling, Technometrics 24, 1982).
/// - **Otherwise** the probability of a loss beyond the margin, with one more person who did not change, because most
///   changes change little: the tail of Student's distribution, which is the posterior probability without prior
///   knowledge of the mean and the spread.
///
/// With the one more person, t tests keep their level where a few people gain or lose much more than the others. No rule
/// can know of winners or losers of whom none is among the subjects: of a share q of people, none is among n subjects
/// with probability (1 − q)ⁿ, 11 % for one in five and ten subjects.
///
/// With `Looks.any`, a regression and a pass need evidence that holds at any number of looks besides (`SequentialT`):
/// from eight subjects on, 14 times as likely as not for each gating metric, and from ten on, 20 times as likely, although
/// one more person loses twice as much as the worst loser, or from twenty on, nobody lost as much as the margin. The 14 is
/// chosen by simulation.
///
/// `bench selftest gate` measures the error rates.
///
/// - Source: Student, The Probable Error of a Mean, Biometrika 6, 1908; Box and Tiao, Bayesian Inference in Statistical
///   Analysis, 1973, section 2.4, for the probability.
public struct GateRule: Hashable, Sendable {
  public enum Decision: Hashable, Sendable {
    /// No subject's value changed: a fact about these subjects, which needs no inference.
    case unchanged
    case pass
    case regression
    /// Better by more than the margin.
    case improvement
    /// Neither is shown: the probability of a loss beyond the margin, see `probabilityOfLoss(_:)`.
    case maybeWorse(Double)
  }

  /// How often a gate is asked while people are being recorded.
  public enum Looks: String, CaseIterable, Hashable, Codable, Sendable {
    /// Once, with all of them.
    case one
    /// Again with more of them, as often as one likes, until it decides.
    case any
  }

  /// The one-sided level for a regression and for a pass.
  public static let alpha = 0.05
  /// The fewest subjects for a regression, with one look.
  public static let fewestToCall = 5
  /// The fewest subjects for a pass.
  public static let fewestSubjects = 10
  /// With any number of looks: the fewest subjects for a regression and for a pass because nobody lost the margin, and
  /// the evidence for a regression, of one gating metric, and for a pass.
  static let fewestToCallAtAnyLook = 8
  private static let fewestWithoutLosers = 20
  static let evidenceToCall = 14.0
  static let evidenceToPass = 20.0
  /// The usual probability of a loss beyond the margin above which a release stops.
  public static let stopAt = 0.2
  /// The one more person's gain as a multiple of the best winner's, or the loss as one of the worst loser's.
  private static let extremity = 1.5
  /// With any number of looks, of the worst loser's.
  private static let extremityAtAnyLook = 2.0

  /// The accepted loss, in the metric's unit, 0 or more.
  public var margin: Double
  /// The largest significant p value of a regression, corrected for the other gating metrics: at most `alpha`.
  public var criticalP: Double
  public var looks = Looks.one
  /// With any number of looks, the number of metrics that can be a regression.
  var metrics = 1

  public init(margin: Double, criticalP: Double = Self.alpha) {
    (self.margin, self.criticalP) = (margin, criticalP)
  }

  /// The rule for any number of looks, corrected for other gating metrics by Bonferroni's inequality.
  public init(margin: Double, atAnyLookOf metrics: Int) {
    self.init(margin: margin)
    (looks, self.metrics) = (.any, max(1, metrics))
  }

  /// The rule for one metric among others without known results: they are treated as independent and at the edge of a
  /// loss.
  public init(margin: Double, gatingMetrics: Int, looks: Looks = .one) {
    switch looks {
    case .one: self.init(margin: margin, criticalP: Self.alpha / Double(max(1, gatingMetrics)))
    case .any: self.init(margin: margin, atAnyLookOf: gatingMetrics)
    }
  }

  /// The fewest subjects for a regression.
  public var fewestToCall: Int { looks == .one ? Self.fewestToCall : Self.fewestToCallAtAnyLook }

  /// - Parameter gains: One per subject, in the metric's unit, negative for worse; finite.
  public func decide(_ gains: [Double]) -> Decision { decide(gains, limits(subjects: gains.count)) }

  /// The probability of a loss beyond the margin, with one more subject who did not change; 0.5 without gains.
  ///
  /// In whole percent, 0.01…0.99: sentences, limits and exit codes then agree.
  public func probabilityOfLoss(_ gains: [Double]) -> Double {
    Self.wholePercent(SuperiorityTest(gains + [0])?.p(meanAbove: -margin) ?? 0.5)
  }

  /// A probability in whole percent, 0.01…0.99.
  public static func wholePercent(_ probability: Double) -> Double {
    min(max((100 * probability).rounded(), 1), 99) / 100
  }

  /// With five subjects the t test errs slightly too often on values with few distinct levels, such as counts and
  /// shares.
  static func strictness(subjects: Int) -> Double { subjects == fewestToCall ? 0.9 : 1 }
}

extension GateRule.Decision {
  /// Whether a comparison passes, by evidence or because nothing changed.
  public var passes: Bool {
    switch self {
    case .unchanged, .pass, .improvement: true
    case .regression, .maybeWorse: false
    }
  }

  /// Whether a release stops: at a regression, and at a loss beyond the margin that is more likely than `limit`.
  public func stops(at limit: Double) -> Bool {
    switch self {
    case .regression: true
    case .maybeWorse(let probability): probability > limit
    case .unchanged, .pass, .improvement: false
    }
  }
}

extension GateRule {
  /// The rule's limits for a number of subjects: computed once for many comparisons.
  package struct Limits: Sendable {
    fileprivate var regression: CriticalT
    fileprivate var pass: CriticalT
    /// With any number of looks, the sequential t from which on there is enough evidence.
    fileprivate var evidence: (regression: Double, pass: Double)?
    /// Above this t, a loss is so clearly within the margin that the metric is left out of the correction of others.
    private var within: CriticalT

    fileprivate init(_ rule: GateRule, subjects: Int) {
      regression = CriticalT(GateRule.strictness(subjects: subjects) * rule.criticalP, subjects: subjects)
      pass = CriticalT(GateRule.alpha, subjects: subjects)
      within = CriticalT(JointTest.withinP, subjects: subjects)
      guard rule.looks == .any else { return }
      evidence = (
        SequentialT.critical(GateRule.evidenceToCall * Double(rule.metrics), subjects: subjects),
        SequentialT.critical(GateRule.evidenceToPass, subjects: subjects)
      )
    }

    /// Whether a loss beyond the margin is significant.
    func isSignificant(_ loss: Loss) -> Bool { loss.t >= regression[loss.count] }

    /// Whether a loss within the margin is proven.
    func isWithin(_ loss: Loss) -> Bool { loss.t <= -within[loss.count] }
  }

  /// The t that is exceeded by chance with a given probability: of the subjects alone, and of one more.
  fileprivate struct CriticalT: Sendable {
    private let subjects: Int
    private let alone: Double
    private let withOneMore: Double

    init(_ p: Double, subjects: Int) {
      self.subjects = subjects
      alone = StudentT(degreesOfFreedom: Double(max(1, subjects - 1))).quantile(1 - p)
      withOneMore = StudentT(degreesOfFreedom: Double(max(1, subjects))).quantile(1 - p)
    }

    /// - Parameter count: Of the tested sample.
    subscript(count: Int) -> Double { count > subjects ? withOneMore : alone }
  }

  /// Student's t of a loss beyond the margin, and the number of people that it is of; infinite if all lost the same.
  struct Loss {
    let t: Double
    let count: Int
    private let subjects: Int

    fileprivate init(t: Double, count: Int, subjects: Int) {
      (self.t, self.count, self.subjects) = (t, count, subjects)
    }

    /// The p value that `criticalP` limits. If all lost the same, only their number counts: they have no standard error,
    /// and all lose by chance in one of 2ⁿ samples.
    var p: Double {
      t == .infinity
        ? Double.pow(0.5, Double(subjects))
        : SuperiorityTest.upperTail(t, subjects: count) / GateRule.strictness(subjects: subjects)
    }
  }

  package func limits(subjects: Int) -> Limits { Limits(self, subjects: subjects) }

  package func decide(_ gains: [Double], _ limits: Limits) -> Decision {
    if !gains.isEmpty && gains.allSatisfy({ $0 == 0 }) { return .unchanged }
    if isRegression(gains, limits) { return .regression }
    if gains.count >= Self.fewestSubjects, let sample = SuperiorityTest(gains) {
      let worst = gains.min() ?? 0
      let extremity = looks == .one ? Self.extremity : Self.extremityAtAnyLook
      let pessimistic = worst < 0 ? sample.adding(extremity * worst) : sample
      func isShown(above bound: Double) -> Bool {
        pessimistic.t(above: bound) >= limits.pass[pessimistic.count]
          && hasEvidence(gains.map { $0 - bound }, limits.evidence?.pass)
      }
      let isEnough = looks == .one || gains.count >= Self.fewestWithoutLosers
      if isShown(above: -margin) || isEnough && isNobodysLossTheMargin(gains, sample) {
        return isShown(above: margin) ? .improvement : .pass
      }
    }
    return .maybeWorse(probabilityOfLoss(gains))
  }

  func isRegression(_ gains: [Double], _ limits: Limits) -> Bool {
    guard hasEvidence(gains.map { -$0 - margin }, limits.evidence?.regression), let loss = self.loss(gains) else {
      return false
    }
    // All lost the same.
    return loss.t == .infinity ? loss.p <= criticalP : limits.isSignificant(loss)
  }

  /// Whether the values' mean is shown to be above 0 at any number of looks; true with one look.
  private func hasEvidence(_ values: [Double], _ critical: Double?) -> Bool {
    guard let critical else { return true }
    return SequentialT.t(values).map { $0 >= critical } ?? false
  }

  /// A loss beyond the margin, with one more person who gains more than all; `nil` with fewer subjects than a regression
  /// needs.
  func loss(_ gains: [Double]) -> Loss? {
    guard gains.count >= fewestToCall, let sample = SuperiorityTest(gains) else { return nil }
    guard sample.standardError > 0 else {
      let t: Double = Self.isBeyond(margin, sample.mean) ? .infinity : -.infinity
      return Loss(t: t, count: sample.count, subjects: sample.count)
    }
    let best = gains.max() ?? 0
    let optimistic = best > 0 ? sample.adding(Self.extremity * best) : sample
    return Loss(t: -optimistic.t(above: -margin), count: optimistic.count, subjects: sample.count)
  }

  private func isNobodysLossTheMargin(_ gains: [Double], _ sample: SuperiorityTest) -> Bool {
    if sample.standardError == 0 { return !Self.isBeyond(margin, sample.mean) }
    return gains.allSatisfy { $0 >= 0 || Self.isBeyond(-margin, -$0) }
  }

  /// Whether a gain is a loss beyond the margin; a difference by rounding alone does not count.
  static func isBeyond(_ margin: Double, _ gain: Double) -> Bool { -gain - margin > 1e-9 * max(1, abs(margin)) }
}

// MARK: - Number of subjects

extension GateRule {
  /// The fewest subjects for which a true loss of `loss` is called a regression in four of five comparisons; `nil` if
  /// the loss is within the margin, the gains cannot be simulated, or more than `PowerStudy.mostSubjects` are needed.
  ///
  /// - Parameter gains: The gains of other subjects, whose spread stands for that of all people.
  public func fewestSubjects(toShow loss: Double, gains: [Double], seed: UInt64 = PowerStudy.seed) -> Int? {
    PowerStudy(sample: gains, rule: self)?.subjectsToShow(loss: loss, seed: seed)
  }

  /// The fewest subjects for which a change without loss passes in four of five comparisons; `nil` as above.
  public func fewestSubjects(toPass gains: [Double], seed: UInt64 = PowerStudy.seed) -> Int? {
    PowerStudy(sample: gains, rule: self)?.subjectsToPass(loss: 0, seed: seed)
  }

  /// The smallest true loss, in the metric's unit, that this many subjects with gains of this spread detect in four of
  /// five comparisons; to 1 % of its excess over the margin. `nil` with fewer subjects than a regression needs.
  ///
  /// It describes what these subjects can show, not what the change did: it depends on the spread of the gains, not
  /// their mean.
  public func smallestDetectableLoss(gains: [Double]) -> Double? {
    PowerStudy(sample: gains, rule: self)?.smallestDetectableLoss(subjects: gains.count)
  }
}
