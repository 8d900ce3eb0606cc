import RealModule

/// The rule for a regression and for a pass, from the subjects' gains.
///
/// Pass and regression are two questions, each at a one-sided level of 5 %: with a true loss of at most the margin, at
/// most 5 % of comparisons are called a regression on any of their metrics; with a true loss of the margin, at most 5 %
/// pass. `bench selftest gate` measures both.
///
/// **Regression**, with five subjects or more, if one of these holds:
/// - Student's t test shows a mean loss beyond the margin. Its critical p value is corrected over the gating metrics by
///   their joint distribution: see `JointTest`. Skewness does not prevent it, with one exception: if a few subjects
///   gain much more than the others lose, t raises far too many false alarms, and Hall's t must show the loss too.
/// - Every subject lost more than the margin. By chance that happens once in 2ⁿ comparisons, which must be at most one
///   in sixty over all metrics.
///
/// **Pass**, with ten subjects or more, if one of these holds:
/// - The t test and Hall's show a mean loss within the margin, and no long tail of losers contradicts it: if the tail
///   has few or none of these subjects, every test of a mean fails.
/// - Both show it clearly, at a level of 0.05 %, whatever the tail.
/// - No subject lost as much as the margin, or all lost the same and no more than it.
///
/// A mean that is worse needs more: fourteen subjects, or twelve that show it clearly, or no subject with a loss of a
/// third of the margin. The reason: if a loss affects one person in five, none of ten subjects is affected in 11 % of
/// samples, none of twelve in 7 %. Passing requires all metrics, so it needs no correction (Berger, Multiparameter
/// Hypothesis Testing and Acceptance Sampling, Technometrics 24, 1982).
///
/// No rule that calls a loss of all subjects a regression can know that other people would gain: if a fifth of people
/// gain much and the mean gain is 0, all of ten subjects lose in 11 % of samples, all of thirteen in 5 %. With fewer
/// subjects, that error cannot be avoided.
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

  /// The direction of the mean of an inconclusive result.
  public enum Lean: Hashable, Sendable {
    case worse
    /// Worse, or unchanged on average.
    case better
  }

  public enum Reason: Hashable, Sendable {
    /// Fewer subjects than a regression needs.
    case tooFewToCall
    /// Fewer subjects than a pass needs; `isWithin` says whether these show a loss within the margin.
    case tooFewToPass(isWithin: Bool)
    /// A loss beyond the margin could be real or chance.
    case notShown
    /// The loss is within the margin, but with so few subjects a pass needs a mean that is not worse.
    case lossOfFew
    /// A few subjects lose much more than the others, with this skewness.
    case fewLoseMuch(Double)
    /// A few subjects gain much more than the others lose, with this skewness.
    case fewGainMuch(Double)
  }

  /// The one-sided level for each of the two questions.
  public static let alpha = 0.05
  /// The fewest subjects for a regression.
  public static let fewestToCall = 5
  /// The fewest subjects for a pass.
  public static let fewestSubjects = 10
  /// The fewest subjects for which a change that is worse on average passes without being clear or small.
  public static let fewestToPassALoss = 14
  /// The fewest subjects for which such a change passes without being small.
  private static let fewestToPassClearly = 12
  /// The level of a clear test result.
  private static let clearAlpha = 0.0005
  /// A change is small if no subject loses this share of the margin.
  private static let smallShare = 1.0 / 3
  /// The largest share of comparisons in which all subjects may lose by chance, on any metric.
  static let unanimity = 1.0 / 60
  /// More skewness towards winners than this causes too many false alarms of t, if there are enough subjects to detect
  /// it.
  private static let winnersSkewness = 2.0
  private static let winnersSubjects = 12

  /// The accepted loss, in the metric's unit, 0 or more.
  public var margin: Double
  /// The largest significant p value of a t test, corrected for the other gating metrics: at most `alpha`.
  public var criticalP: Double
  /// The number of different ways in which all subjects could lose by chance over the gating metrics, 1 or more.
  public var unanimousWays: Int

  public init(margin: Double, criticalP: Double = Self.alpha, unanimousWays: Int = 1) {
    (self.margin, self.criticalP, self.unanimousWays) = (margin, criticalP, max(1, unanimousWays))
  }

  /// The rule for one metric among others without known results: they are treated as independent and at the edge of a
  /// loss.
  public init(margin: Double, gatingMetrics: Int) {
    let metrics = max(1, gatingMetrics)
    self.init(margin: margin, criticalP: Self.alpha / Double(metrics), unanimousWays: metrics)
  }

  /// - Parameter gains: One per subject, in the metric's unit, negative for worse; finite.
  public func decide(_ gains: [Double]) -> Decision { decide(gains, limits(subjects: gains.count)) }

  /// With five subjects the t test errs slightly too often on values with few distinct levels, such as counts and
  /// shares.
  static func strictness(subjects: Int) -> Double { subjects == fewestToCall ? 0.9 : 1 }

  /// The largest skewness towards losers with which a change can pass.
  static func skewnessLimit(subjects: Int) -> Double { 0.25 * Double(subjects).squareRoot() - 0.3 }
}

extension GateRule.Decision {
  /// Whether a comparison passes, by evidence or because nothing changed.
  public var passes: Bool {
    switch self {
    case .unchanged, .pass, .improvement: true
    case .regression, .inconclusive: false
    }
  }
}

extension GateRule {
  /// The rule's limits for a number of subjects: computed once for many comparisons.
  package struct Limits: Sendable {
    var regression: Double
    var pass: Double
    var clear: Double
    /// Above this t, a loss is so clearly within the margin that the metric is left out of the correction of others.
    var within: Double
    var skewness: Double
    /// Whether a loss of every subject is enough for a regression.
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
    // Equal losses have no standard error: only their number counts.
    return t == .infinity ? Double.pow(0.5, Double(gains.count)) <= criticalP : t >= limits.regression
  }

  private func isTailOfWinners(_ sample: SuperiorityTest) -> Bool {
    sample.count >= Self.winnersSubjects && sample.skewness > Self.winnersSkewness
  }

  /// Hall's t of a loss beyond the margin: the cubic is odd, so its value changes sign with the gains.
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

  /// Whether a gain is a loss beyond the margin; a difference by rounding alone does not count.
  static func isBeyond(_ margin: Double, _ gain: Double) -> Bool { -gain - margin > 1e-9 * max(1, abs(margin)) }

  /// Whether a gain is not a loss, or a loss below `bound` by more than rounding.
  private static func isLoss(of gain: Double, below bound: Double) -> Bool { gain >= 0 || isBeyond(-bound, -gain) }

  /// The t of a loss beyond the margin; Hall's if a few subjects gain much; infinite for an equal loss of all subjects.
  /// `nil` with fewer subjects than a regression needs.
  func t(ofLossIn sample: SuperiorityTest) -> Double? {
    guard sample.count >= Self.fewestToCall else { return nil }
    guard sample.standardError > 0 else { return Self.isBeyond(margin, sample.mean) ? .infinity : -.infinity }
    let t = -sample.t(above: -margin)
    return isTailOfWinners(sample) ? min(t, hallsLoss(sample)) : t
  }

  /// The p value that `criticalP` limits; for an equal loss of all subjects 2⁻ⁿ.
  func p(ofLossIn sample: SuperiorityTest) -> Double? {
    t(ofLossIn: sample).map { t in
      t == .infinity
        ? Double.pow(0.5, Double(sample.count))
        : SuperiorityTest.upperTail(t, subjects: sample.count) / Self.strictness(subjects: sample.count)
    }
  }
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

  /// The fewest subjects for which this change would be decided, one way or the other, in four of five comparisons, if
  /// the mean and the spread of these gains were those of all people; `nil` as above.
  ///
  /// An estimate for planning: with few subjects, its mean is uncertain.
  public func subjectsToDecide(gains: [Double]) -> Int? {
    guard let mean = mean(gains), let study = PowerStudy(sample: gains, rule: self) else { return nil }
    return -mean > margin ? study.subjectsToShow(loss: -mean) : study.subjectsToPass(loss: -mean)
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
