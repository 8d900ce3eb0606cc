/// The outcomes of the gate for a change of known size and a number of subjects, simulated from known gains.
///
/// A simulated subject's gain is that of a random known subject, minus the mean of all, minus the loss; centred gains
/// are scaled by √(n / (n − 1)), as centring reduces their spread by that factor. The gate's own rule decides. The
/// simulation knows only the spread of the known subjects: with fewer than about ten it is a rough guide.
///
/// Every number of subjects is simulated with the same seed. A search finds a number that is enough while one fewer is
/// not. With few distinct gains a smaller number may be enough too, because power then does not grow evenly.
///
/// - Source: Davison and Hinkley, Bootstrap Methods and their Application, 1997, section 4.4.
public struct PowerStudy: Sendable {
  /// The share of each outcome, 0…1.
  public struct Shares: Codable, Hashable, Sendable {
    public var subjects: Int
    public var pass: Double
    public var regression: Double
    /// Regressions, and losses beyond the margin that are more likely than `GateRule.stopAt`.
    public var stopped: Double
  }

  public static let simulations = 2000
  public static let seed: UInt64 = 1
  /// The share of comparisons that must be decided with enough subjects.
  public static let power = 0.8
  /// The largest number of subjects in searches.
  public static let mostSubjects = 1000

  public let rule: GateRule
  /// The standard deviation of the known gains.
  public let spread: Double
  private let centred: [Double]

  /// `nil` with fewer than two gains, a gain that is not finite, or gains that are all equal.
  public init?(gains: [Double], rule: GateRule) {
    self.init(sample: gains, rule: rule)
    guard spread > 0 else { return nil }
  }

  /// Allows gains that are all equal: every comparison is then the same.
  init?(sample gains: [Double], rule: GateRule) {
    guard gains.count >= 2, gains.allSatisfy(\.isFinite), let mean = mean(gains),
      let deviation = standardDeviation(gains)
    else { return nil }
    let stretch = (Double(gains.count) / Double(gains.count - 1)).squareRoot()
    centred = gains.map { ($0 - mean) * stretch }
    spread = deviation
    self.rule = rule
  }

  /// The outcomes for a true loss of `loss`, in the metric's unit.
  public func shares(loss: Double, subjects: Int, seed: UInt64) -> Shares {
    var random = SeededGenerator(seed: seed)
    var (passes, regressions, stopped) = (0, 0, 0)
    let limits = rule.limits(subjects: subjects)
    for _ in 0..<Self.simulations {
      let decision = rule.decide(draw(subjects, loss: loss, &random), limits)
      if decision.passes { passes += 1 }
      if decision == .regression { regressions += 1 }
      if decision.stops(at: GateRule.stopAt) { stopped += 1 }
    }
    func share(_ count: Int) -> Double { Double(count) / Double(Self.simulations) }
    return Shares(
      subjects: subjects, pass: share(passes), regression: share(regressions), stopped: share(stopped))
  }

  /// The fewest subjects that detect a loss, see `GateRule.fewestSubjects(toShow:gains:seed:)`.
  public func subjectsToShow(loss: Double, seed: UInt64 = Self.seed) -> Int? {
    guard loss > rule.margin, loss.isFinite else { return nil }
    let guess = guess(distance: loss - rule.margin, alpha: rule.criticalP)
    return fewest(from: rule.fewestToCall, near: guess) { isShown($0, loss: loss, seed: seed) }
  }

  /// The fewest subjects that pass a loss; `nil` for one of the margin or more.
  public func subjectsToPass(loss: Double, seed: UInt64 = Self.seed) -> Int? {
    guard loss < rule.margin, loss.isFinite else { return nil }
    let guess = guess(distance: rule.margin - loss, alpha: GateRule.alpha)
    return fewest(from: GateRule.fewestSubjects, near: guess) {
      suffices($0, loss: loss, seed: seed) { rule.decide($0, $1).passes }
    }
  }

  /// The fewest subjects with which a change without loss stops a release in at most one of ten cases, with
  /// `GateRule.stopAt`; `nil` for more than `mostSubjects`.
  public func subjectsToSpare(seed: UInt64 = Self.seed) -> Int? {
    fewest(from: rule.fewestToCall, near: 2 * GateRule.fewestSubjects) {
      shares(loss: 0, subjects: $0, seed: seed).stopped <= 0.1
    }
  }

  /// The fewest subjects with which a loss stops a release in at least 19 of 20 cases; `nil` for more.
  public func subjectsToStop(loss: Double, seed: UInt64 = Self.seed) -> Int? {
    fewest(from: rule.fewestToCall, near: rule.fewestToCall) {
      shares(loss: loss, subjects: $0, seed: seed).stopped >= 0.95
    }
  }

  /// See `GateRule.smallestDetectableLoss(gains:)`.
  func smallestDetectableLoss(subjects: Int) -> Double? {
    guard subjects >= rule.fewestToCall else { return nil }
    func isShown(_ excess: Double) -> Bool { self.isShown(subjects, loss: rule.margin + excess, seed: Self.seed) }
    guard spread > 0 else { return isShown(max(rule.margin, 1)) ? rule.margin : nil }
    // Starts at the loss that Student's t test alone would detect.
    let freedom = Double(subjects - 1)
    let noncentrality = NoncentralT.noncentrality(
      exceeding: StudentT(degreesOfFreedom: freedom).quantile(1 - rule.criticalP), with: Self.power,
      degreesOfFreedom: freedom)
    guard let noncentrality, noncentrality > 0 else { return nil }
    let plain = noncentrality * spread / Double(subjects).squareRoot()
    var (low, high) = (0.0, plain)
    while !isShown(high) {
      guard high < 64 * plain else { return nil }
      (low, high) = (high, high * 1.25)
    }
    if low == 0 { while isShown(0.8 * high) && high > 0.01 * plain { high *= 0.8 } }
    low = max(low, 0.8 * high)
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
    suffices(subjects, loss: loss, seed: seed) { rule.isRegression($0, $1) }
  }

  /// Whether the share of comparisons with this outcome is at least `power`; stops as soon as that is known.
  ///
  /// - Parameter isDecided: Receives the gains of a simulated comparison.
  private func suffices(
    _ subjects: Int, loss: Double, seed: UInt64, where isDecided: ([Double], GateRule.Limits) -> Bool
  ) -> Bool {
    let needed = Int((Self.power * Double(Self.simulations)).rounded(.up))
    let limits = rule.limits(subjects: subjects)
    var random = SeededGenerator(seed: seed)
    var (hits, misses) = (0, 0)
    while hits < needed, misses <= Self.simulations - needed {
      if isDecided(draw(subjects, loss: loss, &random), limits) { hits += 1 } else { misses += 1 }
    }
    return hits >= needed
  }

  /// The number of subjects that Student's t test alone would need: the start of the search.
  private func guess(distance: Double, alpha: Double) -> Int {
    guard spread > 0 else { return GateRule.fewestSubjects }
    return smallest(from: 2, through: Self.mostSubjects) { n in
      let freedom = Double(n - 1)
      return NoncentralT(degreesOfFreedom: freedom, noncentrality: distance / spread * Double(n).squareRoot())
        .upperTail(StudentT(degreesOfFreedom: freedom).quantile(1 - alpha)) >= Self.power
    } ?? Self.mostSubjects
  }

  /// A number that is enough while one fewer is not: found by steps of 1, 2, 4 … away from `guess`, then by bisection.
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
