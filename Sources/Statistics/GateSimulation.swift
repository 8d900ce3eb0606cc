import RealModule

/// Comparisons with a known true change, decided by the gate's own rule and by others: their error rates, the losses that
/// they detect, and the harmless changes that they stop.
public struct GateSimulation: Sendable {
  /// The number of comparisons per setting: a rate of 0.05 is then known to ±0.0043.
  public static let trials = 10_000
  public static let subjects = [5, 6, 8, 10, 12, 20, 40, 100]
  /// The numbers of gating metrics.
  public static let gatingMetrics = [1, 8, 20]
  /// The true losses of harmless changes, in margins of one standard deviation.
  public static let harmlessLosses = [0, 0.25, 0.5]
  /// The other rules are tried on one in this many comparisons.
  static let candidateShare = 20

  /// The distribution of gains and the number of subjects.
  public struct Setting: Hashable, Codable, Sendable {
    /// The family of distributions, or the suite that subjects' values are drawn from.
    public var gains: String
    public var subjects: Int
    /// The correlation of two metrics' gains of one subject; `nil` for a suite's own metrics.
    public var correlation: Double?
  }

  /// Shares of the comparisons, 0…1.
  public struct Rates: Codable, Hashable, Sendable {
    /// The share called a regression on any metric, by the number of gating metrics: the true mean gain and the margin
    /// are 0. Empty if the setting has a true loss.
    public var falseRegressions: [Int: Double] = [:]
    /// The share that passed with a true loss of exactly the margin.
    public var wrongPasses = 0.0
    /// The share called a regression with a true loss of one standard deviation beyond the margin: on the only metric,
    /// and on any of eight that all have it. The second is `nil` for a suite's own subjects.
    public var shownLosses = 0.0
    public var shownOfEight: Double?
    /// The share of these losses on the only metric that stop a release: a regression, or a loss beyond the margin that
    /// is more likely than `GateRule.stopAt`. `nil` for another rule, which has no such probability.
    public var stoppedLosses: Double?
    /// The shares of harmless changes that stop a release, in the order of `GateSimulation.harmlessLosses`; empty for a
    /// suite's own subjects and for another rule.
    public var stoppedHarmless: [Double] = []

    public var worst: Double { max(wrongPasses, falseRegressions.values.max() ?? 0) }
  }

  public struct Result: Codable, Sendable {
    public var setting: Setting
    public var rates: Rates
    /// The results of the rules that the gate does not use, by name, on fewer comparisons.
    public var others: [String: Rates]
    /// Whether the gate passes no change because there are too few subjects.
    public var isRefused: Bool
    /// The reason for claiming no rate of false alarms, by number of metrics.
    public var outOfReach: [Int: String]
    /// The reason for claiming no rate of wrong passes; `nil` for a claim.
    public var passOutOfReach: String?
  }

  public let seed: UInt64
  public let trials: Int

  public init(seed: UInt64, trials: Int = Self.trials) {
    self.seed = seed
    self.trials = trials
  }

  /// All settings, in a fixed order.
  ///
  /// - Parameter real: The values of a suite's subjects; `nil` for none.
  public func results(real: SubjectValues?, threads: Int) async -> [Result] {
    var settings: [@Sendable () -> Result] = []
    for (index, family) in GainFamily.allCases.enumerated() {
      let pool = GainPool(family, seed: seed &+ UInt64(index) &* 0x9E37_79B9)
      for subjects in Self.subjects {
        for correlation in family.correlations {
          let seed = seed &+ UInt64(settings.count + 1) &* 0x2545_F491_4F6C_DD1D
          settings.append { result(pool, subjects: subjects, correlation: correlation, seed: seed) }
        }
      }
    }
    if let real {
      for subjects in Self.subjects {
        let seed = seed &+ UInt64(settings.count + 1) &* 0x2545_F491_4F6C_DD1D
        settings.append { result(real, subjects: subjects, seed: seed) }
      }
    }
    return await parallel(settings, threads: threads)
  }

  /// The highest rate within the claim: the nominal rate plus one point, or plus the 95 % simulation error over all
  /// rates together, whichever is more.
  public func limit(rates: Int) -> Double {
    let nominal = GateRule.alpha
    let z = Normal().quantile(1 - 0.05 / Double(max(1, rates)))
    return max(nominal + 0.01, nominal + z * (nominal * (1 - nominal) / Double(trials)).squareRoot())
  }

  private func result(_ pool: GainPool, subjects: Int, correlation: Double, seed: UInt64) -> Result {
    let family = pool.family
    var random = SeededGenerator(seed: seed)
    let joint = JointTest(subjects: subjects)
    var tallies = GateCandidate.allCases.filter { $0.takes(family) }.map { Tally($0) }
    for trial in 0..<trials {
      let metrics = pool.gains(subjects: subjects, metrics: 20, correlation: correlation, &random)
      let count = trial % Self.candidateShare == 0 ? tallies.count : 1
      for index in 0..<count { tallies[index].add(metrics, pool, joint) }
    }
    let rates = tallies.map(\.rates)
    return Result(
      setting: Setting(gains: family.rawValue, subjects: subjects, correlation: correlation), rates: rates[0],
      others: Dictionary(uniqueKeysWithValues: zip(tallies, rates).dropFirst().map { ($0.candidate.rawValue, $1) }),
      isRefused: subjects < GateRule.fewestSubjects, outOfReach: family.outOfReach(subjects: subjects),
      passOutOfReach: family.passOutOfReach(subjects: subjects))
  }

  /// A rule's decisions on the same comparisons.
  private struct Tally {
    let candidate: GateCandidate
    private var comparisons = 0.0
    private var regressions = GateSimulation.gatingMetrics.map { _ in 0.0 }
    private var (passes, shown, shownOfEight, stopped) = (0.0, 0.0, 0.0, 0.0)
    private var harmless = GateSimulation.harmlessLosses.map { _ in 0.0 }
    private var hasTrueLoss = false

    init(_ candidate: GateCandidate) { self.candidate = candidate }

    mutating func add(_ metrics: [[Double]], _ pool: GainPool, _ joint: JointTest) {
      let spread = pool.standardDeviation
      func isCalled(_ metrics: [[Double]], _ margin: Double) -> Bool {
        candidate.isAnyRegression(metrics, margin: margin, joint)
      }
      comparisons += 1
      hasTrueLoss = pool.family.isLoss
      if !hasTrueLoss {
        for (index, count) in GateSimulation.gatingMetrics.enumerated() where isCalled(Array(metrics[..<count]), 0) {
          regressions[index] += 1
        }
      }
      let margin = pool.family.margin * spread
      if candidate.passes(metrics[0].map { $0 - margin }, margin: margin, joint) { passes += 1 }
      let lost = metrics[..<8].map { gains in gains.map { $0 - 2 * spread } }
      if isCalled([lost[0]], spread) { shown += 1 }
      if isCalled(lost, spread) { shownOfEight += 1 }
      guard candidate == .rule else { return }
      let rule = GateRule(margin: spread)
      func isStopped(_ loss: Double) -> Bool {
        rule.decide(metrics[0].map { $0 - loss * spread }, joint.limits).stops(at: GateRule.stopAt)
      }
      if isStopped(2) { stopped += 1 }
      for (index, loss) in GateSimulation.harmlessLosses.enumerated() where isStopped(loss) { harmless[index] += 1 }
    }

    var rates: Rates {
      Rates(
        falseRegressions: hasTrueLoss
          ? [:]
          : Dictionary(uniqueKeysWithValues: zip(GateSimulation.gatingMetrics, regressions.map { $0 / comparisons })),
        wrongPasses: passes / comparisons, shownLosses: shown / comparisons, shownOfEight: shownOfEight / comparisons,
        stoppedLosses: candidate == .rule ? stopped / comparisons : nil,
        stoppedHarmless: candidate == .rule ? harmless.map { $0 / comparisons } : [])
    }
  }

  private func result(_ real: SubjectValues, subjects: Int, seed: UInt64) -> Result {
    var random = SeededGenerator(seed: seed)
    let joint = JointTest(subjects: subjects)
    let rules = real.margins.map { GateRule(margin: $0) }
    var (regressions, shown, stopped) = (0, 0, 0)
    var passes = real.margins.map { _ in 0 }
    for _ in 0..<trials {
      let metrics = real.gains(subjects: subjects, &random)
      if joint.isAnyRegression(metrics, margins: metrics.map { _ in 0 }) { regressions += 1 }
      for (index, rule) in rules.enumerated()
      where rule.decide(metrics[index].map { $0 - rule.margin }, joint.limits).passes { passes[index] += 1 }
      let loss = rules[0].margin + real.spreads[0]
      let decision = rules[0].decide(metrics[0].map { $0 - loss }, joint.limits)
      if decision == .regression { shown += 1 }
      if decision.stops(at: GateRule.stopAt) { stopped += 1 }
    }
    func share(_ count: Int) -> Double { Double(count) / Double(trials) }
    return Result(
      setting: Setting(gains: "people of \(real.suite)", subjects: subjects, correlation: nil),
      rates: Rates(
        falseRegressions: [real.margins.count: share(regressions)], wrongPasses: share(passes.max() ?? 0),
        shownLosses: share(shown), stoppedLosses: share(stopped)),
      others: [:], isRefused: subjects < GateRule.fewestSubjects, outOfReach: [:])
  }

  private func parallel(_ work: [@Sendable () -> Result], threads: Int) async -> [Result] {
    await withTaskGroup(of: (Int, Result).self) { group in
      var results = [Result?](repeating: nil, count: work.count)
      var next = 0
      func start() {
        guard next < work.count else { return }
        let index = next
        next += 1
        group.addTask { (index, work[index]()) }
      }
      for _ in 0..<max(1, threads) { start() }
      for await (index, result) in group {
        results[index] = result
        start()
      }
      return results.compactMap { $0 }
    }
  }
}

/// The values of a suite's subjects on its gating metrics, as its baseline keeps them: real variation between people.
///
/// A simulated comparison takes two random subjects as the before and after of one, on all metrics at once: metrics
/// keep their real correlation, and no side is better. It is harsher than a detector's change, which leaves most
/// differences between people unchanged.
public struct SubjectValues: Sendable {
  public let suite: String
  /// The gating metrics that differ between people.
  public let margins: [Double]
  /// The standard deviation of a simulated gain, per metric.
  public let spreads: [Double]
  /// The values by subject, then by metric.
  private let values: [[Double]]

  /// - Parameter gating: The margin of each gating metric, and its values by subject. A metric with a value on
  ///   fewer than half of the subjects of the metric with most is left out: phantoms may be counted on other people.
  ///
  /// - Returns: `nil` if fewer than two subjects have a value on every metric, or no metric differs between them.
  public init?(suite: String, gating all: [(margin: Double, values: [String: Double?])]) {
    let known = all.map { gate in Set(gate.values.filter { $0.value != nil }.keys) }
    let most = known.max { $0.count < $1.count } ?? []
    let gating = zip(all, known).filter { 2 * $1.intersection(most).count >= most.count }.map(\.0)
    let subjects = Set(gating.flatMap(\.values.keys)).sorted()
    let values = subjects.compactMap { subject -> [Double]? in
      let known = gating.compactMap { $0.values[subject] ?? nil }
      return known.count == gating.count && known.allSatisfy(\.isFinite) ? known : nil
    }
    let spreads = gating.indices.map { metric in standardDeviation(values.map { $0[metric] }) ?? 0 }
    // A metric that is equal for all people cannot vary.
    let varying = gating.indices.filter { spreads[$0] > 0 }
    guard !varying.isEmpty, values.count >= 2 else { return nil }
    self.suite = suite
    self.values = values.map { value in varying.map { value[$0] } }
    margins = varying.map { gating[$0].margin }
    self.spreads = varying.map { spreads[$0] * 2.squareRoot() }
  }

  /// By metric, then by subject.
  func gains(subjects: Int, _ random: inout SeededGenerator) -> [[Double]] {
    let pairs = (0..<subjects).map { _ in
      (values[random.index(below: values.count)], values[random.index(below: values.count)])
    }
    return margins.indices.map { metric in pairs.map { $0.1[metric] - $0.0[metric] } }
  }
}

/// Distributions of gains over people in a simulation; each has mean 0.
public enum GainFamily: String, CaseIterable, Codable, Sendable {
  /// Normal differences.
  case normal
  /// Exponential values before and after.
  case exponential
  /// Log-normal values (σ = 1) before and after.
  case logNormal = "log-normal"
  /// Poisson counts (mean 1) before and after, on three clips per subject.
  case counts
  /// Shares of three clips that are correct before and after; people's own rates are uniform on 0.2…0.8.
  case shares
  /// A share of three clips that is unchanged for 17 of 20 people; the others gain or lose one clip.
  case fewChange = "three in twenty change"
  /// One person in five gains much and the others lose, with noise of a quarter of the spread.
  case oneWinner = "one winner in five"
  /// One person in five loses much and the others lose nothing, if the loss equals the margin, with the same noise.
  case oneLoser = "one loser in five"
  /// An unequal loss: exponential.
  case exponentialLoss = "unequal loss, exponential"
  /// An unequal loss: log-normal, σ = 0.5.
  case logNormalLoss = "unequal loss, log-normal"
  /// An unequal gain: exponential.
  case exponentialGain = "unequal gain, exponential"

  /// Whether the family is a loss, on which no regression is a false alarm.
  var isLoss: Bool { self == .exponentialLoss || self == .logNormalLoss || self == .oneLoser }

  /// The margin that the loss just reaches, in standard deviations of a subject's gain.
  var margin: Double {
    // A loss of five margins for one in five has a standard deviation of two margins, besides the noise.
    self == .oneLoser ? 0.5 / (1 + Self.noise * Self.noise).squareRoot() : 1
  }

  /// The correlations of two metrics' gains.
  var correlations: [Double] { self == .normal || self == .counts ? [0, 0.5, 0.8] : isLoss ? [0] : [0, 0.8] }

  /// The reason for claiming no rate of false alarms, by number of gating metrics.
  func outOfReach(subjects: Int) -> [Int: String] {
    guard self == .oneWinner || self == .exponentialGain else { return [:] }
    let reasons = GateSimulation.gatingMetrics.compactMap { metrics -> (Int, String)? in
      if self == .exponentialGain {
        let fewest = metrics == 1 ? 15 : metrics <= 8 ? 40 : 100
        return subjects < fewest
          ? (metrics, "the greatest winners are seldom among so few people: \(fewest) are needed") : nil
      }
      // The probability that no winner is among the subjects, on any metric.
      return Self.missed(0.2, subjects: subjects, metrics: metrics).map {
        (metrics, "\($0) % of samples have no winner: everyone in them loses")
      }
    }
    return Dictionary(uniqueKeysWithValues: reasons)
  }

  /// The reason for claiming no rate of wrong passes; `nil` for a claim.
  func passOutOfReach(subjects: Int) -> String? {
    switch self {
    case .oneLoser:
      Self.missed(0.2, subjects: subjects, metrics: 1).map { "\($0) % of samples have no loser: nobody in them loses" }
    case .fewChange:
      Self.missed(0.15, subjects: subjects, metrics: 1).map {
        "in \($0) % of samples all lose just the margin, which is accepted"
      }
    default: nil
    }
  }

  /// The percentage of samples that have none of a share of people, on any metric; `nil` if it is within the level.
  private static func missed(_ share: Double, subjects: Int, metrics: Int) -> Int? {
    let share = 1 - Double.pow(1 - Double.pow(1 - share, Double(subjects)), Double(metrics))
    return share > GateRule.alpha + 0.005 ? Int((100 * share).rounded()) : nil
  }

  private static let noise = 0.25

  /// One difference.
  func difference(_ random: inout SeededGenerator) -> Double {
    switch self {
    case .normal: random.normal()
    case .exponential: random.exponential(mean: 1) - random.exponential(mean: 1)
    case .logNormal: .exp(random.normal()) - .exp(random.normal())
    case .counts: (0..<3).reduce(0) { sum, _ in sum + Self.poisson(&random) - Self.poisson(&random) } / 3
    case .shares: Self.shareDifference(rate: 0.2 + 0.6 * random.unit(), &random)
    case .fewChange: random.chance(0.15) ? (random.chance(0.5) ? 1.0 : -1.0) / 3 : 0
    case .oneWinner: Self.oneInFive(&random)
    case .oneLoser: -Self.oneInFive(&random)
    case .exponentialLoss: 1 - random.exponential(mean: 1)
    case .exponentialGain: random.exponential(mean: 1) - 1
    case .logNormalLoss: .exp(0.125) - .exp(0.5 * random.normal())
    }
  }

  /// 2 with a chance of one in five, else −0.5: a standard deviation of 1, besides the noise.
  private static func oneInFive(_ random: inout SeededGenerator) -> Double {
    (random.chance(0.2) ? 2 : -0.5) + random.normal(sd: noise)
  }

  /// A Poisson deviate with mean 1, by the product of uniform numbers (Knuth, The Art of Computer Programming 2,
  /// section 3.4.1).
  private static func poisson(_ random: inout SeededGenerator) -> Double {
    var count = 0.0
    var product = random.unit()
    while product > .exp(-1) {
      count += 1
      product *= random.unit()
    }
    return count
  }

  private static func shareDifference(rate: Double, _ random: inout SeededGenerator) -> Double {
    var difference = 0.0
    for _ in 0..<3 {
      if random.unit() < rate { difference += 1 }
      if random.unit() < rate { difference -= 1 }
    }
    return difference / 3
  }
}

/// Many draws from a family, which simulated subjects' gains are taken from.
///
/// Two metrics of one subject share a draw with probability ρ: their gains then have that correlation, and each has the
/// family's distribution. Draws of continuous families are centred: the true mean of a gain is then exactly 0.
struct GainPool: Sendable {
  static let size = 65_536

  let family: GainFamily
  let standardDeviation: Double
  private let draws: [Double]

  init(_ family: GainFamily, seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let draws = (0..<Self.size).map { _ in family.difference(&random) }
    let isDiscrete = family == .counts || family == .shares || family == .fewChange
    let mean = isDiscrete ? 0 : Statistics.mean(draws) ?? 0
    self.family = family
    self.draws = draws.map { $0 - mean }
    standardDeviation = Statistics.standardDeviation(draws) ?? 1
  }

  /// By metric, then by subject.
  func gains(subjects: Int, metrics: Int, correlation: Double, _ random: inout SeededGenerator) -> [[Double]] {
    let share = correlation.squareRoot()
    let common = (0..<subjects).map { _ in draws[random.index(below: Self.size)] }
    return (0..<metrics).map { _ in
      common.map { share > 0 && random.chance(share) ? $0 : draws[random.index(below: Self.size)] }
    }
  }
}
