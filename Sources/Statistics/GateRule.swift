import RealModule

/// When subjects' gains are a regression, and when they let a metric pass.
///
/// Pass and regression are two questions, each at a one-sided level of 5 %: with a true loss of at most the margin, at most
/// 5 % of comparisons are called a regression on any of their metrics; with a true loss of the margin, at most 5 % pass.
/// `bench selftest gate` measures both.
///
/// **Regression**, from five subjects on, where one of these holds:
/// - Student's t test shows a mean loss beyond the margin. Its critical p value is corrected over the metrics that gate by
///   their joint distribution: see `JointTest`. Skewness does not stop it, with one exception: where a few subjects gain
///   much more than the others lose, t calls a loss that is none far too often, and Hall's t must show it too.
/// - Every subject lost more than the margin. By chance that happens once in 2ⁿ comparisons, and it must happen in at most
///   a sixtieth of them, whatever metric it concerns.
///
/// **Pass**, from ten subjects on, where one of these holds:
/// - The t test and Hall's show a mean above the margin's loss, and no long tail of losers contradicts it: with a tail that
///   few or none of these subjects show, every test of a mean errs.
/// - Both show it clearly, at 0.05 %, whatever the tail.
/// - No subject lost as much as the margin, or all lost the same and no more than it.
///
/// A mean that is worse needs more than these: fourteen subjects, or twelve that show it clearly, or that no subject lost a
/// third of the margin. For a loss that falls on one person in five misses all of ten subjects in 11 % of samples, all of
/// twelve in 7 %. Passing takes all metrics, so it needs no correction (Berger, Multiparameter Hypothesis Testing and
/// Acceptance Sampling, Technometrics 24, 1982).
///
/// No rule that calls a loss of all subjects can know that others would gain: if a fifth of people gain much and the mean
/// gain is 0, all of ten subjects lose in 11 % of samples, of thirteen in 5 %. With fewer, that error is out of reach.
///
/// - Source: Cochran, Sampling Techniques, 3rd edition, 1977, section 2.15, on how many subjects a skewed mean needs;
///   `SuperiorityTest` for Hall's t.
public struct GateRule: Hashable, Sendable {
  public enum Decision: Hashable, Sendable {
    /// No subject's value changed: a fact about these subjects, which needs no inference.
    case unchanged
    case pass
    case regression
    /// Better by more than the margin.
    case improvement
    case inconclusive(Reason, Lean)
  }

  /// Which way an inconclusive mean points.
  public enum Lean: Hashable, Sendable {
    case worse
    /// Or on average unchanged.
    case better
  }

  public enum Reason: Hashable, Sendable {
    /// Fewer subjects than a regression needs.
    case tooFewToCall
    /// There are fewer subjects than a pass needs; whether these show a loss within the margin.
    case tooFewToPass(isWithin: Bool)
    /// A loss beyond the margin could be real or chance.
    case notShown
    /// The loss is within the margin, but with so few subjects a pass needs a mean that is not worse.
    case lossOfFew
    /// A few subjects lose much more than the others: this much skewness.
    case fewLoseMuch(Double)
    /// A few subjects gain much more than the others lose: this much skewness.
    case fewGainMuch(Double)
  }

  /// One-sided, of each of the two questions.
  public static let alpha = 0.05
  /// With fewer subjects nothing is called a regression.
  public static let fewestToCall = 5
  /// With fewer subjects nothing passes.
  public static let fewestSubjects = 10
  /// With fewer subjects a change that is worse on average passes only where it is clear or small.
  public static let fewestToPassALoss = 14
  /// With fewer subjects such a change passes only where it is small.
  private static let fewestToPassClearly = 12
  /// The level at which tests are clear.
  private static let clearAlpha = 0.0005
  /// A change is small where no subject loses this share of the margin.
  private static let smallShare = 1.0 / 3
  /// The share of comparisons in which all subjects may lose by chance, on any metric.
  static let unanimity = 1.0 / 60
  /// A tail of winners with more skewness than this raises t's false alarms, where there are enough subjects to see it.
  private static let winnersSkewness = 2.0
  private static let winnersSubjects = 12

  /// The loss that is accepted, in the metric's unit, from 0.
  public var margin: Double
  /// The p value up to which a t test is significant, corrected for the other metrics that gate: at most `alpha`.
  public var criticalP: Double
  /// In how many different ways a chance loss of all subjects could come about over the metrics that gate, from 1.
  public var unanimousWays: Int

  public init(margin: Double, criticalP: Double = Self.alpha, unanimousWays: Int = 1) {
    (self.margin, self.criticalP, self.unanimousWays) = (margin, criticalP, max(1, unanimousWays))
  }

  /// A metric that gates beside others of which nothing is known: as if they were unrelated and at the edge of a loss.
  public init(margin: Double, gatingMetrics: Int) {
    let metrics = max(1, gatingMetrics)
    self.init(margin: margin, criticalP: Self.alpha / Double(metrics), unanimousWays: metrics)
  }

  /// - Parameter gains: one a subject, in the metric's unit, below 0 for worse; finite.
  public func decide(_ gains: [Double]) -> Decision { decide(gains, limits(subjects: gains.count)) }

  /// With five subjects the t test errs a little too often on values that come in few steps, as counts and shares do.
  static func strictness(subjects: Int) -> Double { subjects == fewestToCall ? 0.9 : 1 }

  /// How much skewness towards losers a pass bears.
  static func skewnessLimit(subjects: Int) -> Double { 0.25 * Double(subjects).squareRoot() - 0.3 }
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
  /// What the rule compares with at a number of subjects: worked out once for many comparisons.
  package struct Limits: Sendable {
    var regression: Double
    var pass: Double
    var clear: Double
    /// The t above which a loss is shown to be within the margin so surely that the metric corrects no other.
    var within: Double
    var skewness: Double
    /// Whether a loss of every subject is enough.
    var unanimous: Bool
  }

  package func limits(subjects: Int) -> Limits {
    let t = StudentT(degreesOfFreedom: Double(max(1, subjects - 1)))
    let chance = Double(unanimousWays) * Double.pow(0.5, Double(subjects))
    return Limits(
      regression: t.quantile(1 - Self.strictness(subjects: subjects) * criticalP), pass: t.quantile(1 - Self.alpha),
      clear: t.quantile(1 - Self.clearAlpha),
      within: t.quantile(1 - JointTest.withinP),
      skewness: -Self.skewnessLimit(subjects: subjects), unanimous: chance <= Self.unanimity)
  }

  package func decide(_ gains: [Double], _ limits: Limits) -> Decision {
    if !gains.isEmpty && gains.allSatisfy({ $0 == 0 }) { return .unchanged }
    guard let sample = SuperiorityTest(gains) else {
      return .inconclusive(.tooFewToCall, (gains.first ?? 0) < 0 ? .worse : .better)
    }
    if isRegression(gains, sample, limits) { return .regression }
    let lean: Lean = sample.mean < 0 ? .worse : .better
    if gains.count < Self.fewestToCall { return .inconclusive(.tooFewToCall, lean) }
    let isClear = isClear(sample, above: -margin, limits)
    let isWithin = isClear || isShown(sample, above: -margin, limits) || isNobodysLossTheMargin(gains, sample)
    if gains.count < Self.fewestSubjects { return .inconclusive(.tooFewToPass(isWithin: isWithin), lean) }
    let mayBeWorse =
      gains.count >= (isClear ? Self.fewestToPassClearly : Self.fewestToPassALoss)
      || gains.allSatisfy { Self.isLoss(of: $0, below: Self.smallShare * margin) }
    if isWithin && (lean == .better || mayBeWorse) {
      return isShown(sample, above: margin, limits) ? .improvement : .pass
    }
    return .inconclusive(reason(sample, isWithin, limits), lean)
  }

  func isRegression(_ gains: [Double], _ sample: SuperiorityTest, _ limits: Limits) -> Bool {
    guard let t = t(ofLossIn: sample) else { return false }
    if limits.unanimous, gains.allSatisfy({ Self.isBeyond(margin, $0) }) { return true }
    // Equal losses have no standard error: only how many there are speaks.
    return t == .infinity ? Double.pow(0.5, Double(gains.count)) <= criticalP : t >= limits.regression
  }

  private func isTailOfWinners(_ sample: SuperiorityTest) -> Bool {
    sample.count >= Self.winnersSubjects && sample.skewness > Self.winnersSkewness
  }

  /// Hall's t of a loss beyond the margin: the cubic is odd, so that it is that of the gains with the other sign.
  private func hallsLoss(_ sample: SuperiorityTest) -> Double { -sample.skewnessCorrectedT(above: -margin) }

  private func isShown(_ sample: SuperiorityTest, above bound: Double, _ limits: Limits) -> Bool {
    sample.t(above: bound) >= limits.pass && sample.skewnessCorrectedT(above: bound) >= limits.pass
      && sample.skewness >= limits.skewness
  }

  private func isClear(_ sample: SuperiorityTest, above bound: Double, _ limits: Limits) -> Bool {
    min(sample.t(above: bound), sample.skewnessCorrectedT(above: bound)) >= limits.clear
  }

  private func isNobodysLossTheMargin(_ gains: [Double], _ sample: SuperiorityTest) -> Bool {
    if sample.standardError == 0 { return !Self.isBeyond(margin, sample.mean) }
    return gains.allSatisfy { Self.isLoss(of: $0, below: margin) }
  }

  private func reason(_ sample: SuperiorityTest, _ isWithin: Bool, _ limits: Limits) -> Reason {
    if isWithin { return .lossOfFew }
    if sample.t(above: -margin) >= limits.pass { return .fewLoseMuch(sample.skewness) }
    let wouldBeCalled = -sample.t(above: -margin) >= limits.regression
    return wouldBeCalled && isTailOfWinners(sample) ? .fewGainMuch(sample.skewness) : .notShown
  }

  /// Whether a gain is a loss beyond the margin; one that differs from it by rounding alone is not.
  static func isBeyond(_ margin: Double, _ gain: Double) -> Bool { -gain - margin > 1e-9 * max(1, abs(margin)) }

  /// Whether a gain is none, or a loss that is less than `bound` by more than rounding.
  private static func isLoss(of gain: Double, below bound: Double) -> Bool { gain >= 0 || isBeyond(-bound, -gain) }

  /// The t of a loss beyond the margin, Hall's where a few subjects gain much; infinite for a loss that all subjects share
  /// alike. `nil` for fewer subjects than a regression needs.
  func t(ofLossIn sample: SuperiorityTest) -> Double? {
    guard sample.count >= Self.fewestToCall else { return nil }
    guard sample.standardError > 0 else { return Self.isBeyond(margin, sample.mean) ? .infinity : -.infinity }
    let t = -sample.t(above: -margin)
    return isTailOfWinners(sample) ? min(t, hallsLoss(sample)) : t
  }

  /// The p value of that, of which `criticalP` is the limit: of a loss that all subjects share alike 2⁻ⁿ.
  func p(ofLossIn sample: SuperiorityTest) -> Double? {
    t(ofLossIn: sample).map { t in
      t == .infinity
        ? Double.pow(0.5, Double(sample.count))
        : SuperiorityTest.upperTail(t, subjects: sample.count) / Self.strictness(subjects: sample.count)
    }
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
  /// five comparisons; to 1 % of what it exceeds the margin by. `nil` for fewer subjects than a regression needs.
  ///
  /// It says what these subjects can show, not what the change did: it depends on the spread of the gains, not their mean.
  public func smallestDetectableLoss(gains: [Double]) -> Double? {
    PowerStudy(sample: gains, rule: self)?.smallestDetectableLoss(subjects: gains.count)
  }
}
