import Foundation
import Statistics

/// Comparisons whose truth is known, decided by the gate's own rule: how often it is wrong.
public struct GateSimulation: Sendable {
  /// Comparisons a setting: a rate of 0.05 is then known to ±0.0043.
  public static let trials = 10_000
  public static let subjects = [5, 8, 10, 15, 20, 40]
  public static let correlations = [0, 0.2, 0.5]
  /// How many metrics gate together.
  public static let gatingMetrics = [1, 5, 20]

  /// A way in which gains come about, and how many subjects there are.
  public struct Setting: Hashable, Codable, Sendable {
    /// The family, or the suite whose subjects' values are drawn.
    public var gains: String
    public var subjects: Int
    /// Of two reps of one subject; `nil` where gains have no reps.
    public var correlation: Double?
  }

  public struct Result: Codable, Sendable {
    public var setting: Setting
    /// The share of comparisons called a regression on any metric, by how many gate: the true difference is 0 and so is
    /// the margin. Empty where the setting is one of a loss.
    public var falseRegressions: [Int: Double]
    /// The share of comparisons in which one of ten unharmed metrics is called a regression beside ten that lost two
    /// standard deviations. `nil` where the setting is one of a loss, or of one suite's metrics.
    public var falseRegressionsBesideLosses: Double?
    /// The share that passes a true loss of exactly the margin.
    public var wrongPasses: Double
    /// The share of regressions, of one metric, when the true loss is a subject's standard deviation beyond the margin.
    public var shownLosses: Double
    /// Whether the gate passes no change here: there are too few subjects.
    public var isRefused: Bool

    public var worst: Double { max(wrongPasses, falseRegressionsBesideLosses ?? 0, falseRegressions.values.max() ?? 0) }
  }

  public let seed: UInt64
  public let trials: Int

  public init(seed: UInt64, trials: Int = Self.trials) {
    self.seed = seed
    self.trials = trials
  }

  /// All settings, in a fixed order.
  ///
  /// - Parameter real: the values of a suite's subjects; `nil` for none.
  public func results(real: SubjectValues?, threads: Int) async -> [Result] {
    var settings: [@Sendable () -> Result] = []
    for (index, family) in GainFamily.allCases.enumerated() {
      let pool = GainPool(family, seed: seed &+ UInt64(index) &* 0x9E37_79B9)
      for subjects in Self.subjects {
        for correlation in family.isDiscrete ? [nil] : Self.correlations.map(Optional.some) {
          let seed = seed &+ UInt64(settings.count + 1) &* 0x2545_F491_4F6C_DD1D
          settings.append { result(family, pool, subjects: subjects, correlation: correlation, seed: seed) }
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

  /// The highest rate that simulation error explains where the true one is the nominal: at 95 % for all rates together.
  public func limit(rates: Int) -> Double {
    let nominal = GateRule.alpha
    let z = Normal().quantile(1 - 0.05 / Double(max(1, rates)))
    return nominal + z * (nominal * (1 - nominal) / Double(trials)).squareRoot()
  }

  private func result(
    _ family: GainFamily, _ pool: GainPool, subjects: Int, correlation: Double?, seed: UInt64
  ) -> Result {
    var random = SeededGenerator(seed: seed)
    let rho = correlation ?? 0
    let spread = pool.spread(correlation: rho)
    var regressions = Self.gatingMetrics.map { _ in 0 }
    var (passes, shown, besideLosses) = (0, 0, 0)
    for _ in 0..<trials {
      // The same gains serve one, five and twenty metrics: each count is its own rate.
      let metrics = (0..<(family.isExchangeable ? 20 : 1)).map { _ in
        pool.gains(subjects: subjects, correlation: rho, &random)
      }
      if family.isExchangeable {
        let unharmed = metrics.map(alarms)
        for (index, count) in Self.gatingMetrics.enumerated() {
          if alarmed(Array(unharmed[..<count])).contains(true) { regressions[index] += 1 }
        }
        let harmed = metrics[10...].map { gains in alarms(gains.map { $0 - 2 * spread }) }
        if alarmed(unharmed[..<10] + harmed)[..<10].contains(true) { besideLosses += 1 }
      }
      let rule = GateRule(margin: spread)
      if rule.decide(metrics[0].map { $0 - spread }).passes { passes += 1 }
      if rule.decide(metrics[0].map { $0 - 2 * spread }) == .regression { shown += 1 }
    }
    return Result(
      setting: Setting(gains: family.rawValue, subjects: subjects, correlation: correlation),
      falseRegressions: family.isExchangeable
        ? Dictionary(uniqueKeysWithValues: zip(Self.gatingMetrics, regressions.map(share))) : [:],
      falseRegressionsBesideLosses: family.isExchangeable ? share(besideLosses) : nil,
      wrongPasses: share(passes), shownLosses: share(shown), isRefused: subjects < GateRule.fewestSubjects)
  }

  private func result(_ real: SubjectValues, subjects: Int, seed: UInt64) -> Result {
    var random = SeededGenerator(seed: seed)
    let rules = real.margins.map { GateRule(margin: $0, gatingMetrics: 1) }
    var regressions = 0
    var passes = real.margins.map { _ in 0 }
    var shown = 0
    for _ in 0..<trials {
      let metrics = real.gains(subjects: subjects, &random)
      if alarmed(metrics.map(alarms)).contains(true) { regressions += 1 }
      for (index, rule) in rules.enumerated()
      where rule.decide(metrics[index].map { $0 - rule.margin }).passes { passes[index] += 1 }
      let loss = rules[0].margin + real.spreads[0]
      if rules[0].decide(metrics[0].map { $0 - loss }) == .regression { shown += 1 }
    }
    return Result(
      setting: Setting(gains: "subjects of \(real.suite)", subjects: subjects, correlation: nil),
      falseRegressions: [real.margins.count: share(regressions)], wrongPasses: share(passes.max() ?? 0),
      shownLosses: share(shown), isRefused: subjects < GateRule.fewestSubjects)
  }

  /// With no accepted loss.
  private func alarms(_ gains: [Double]) -> GateRule.Alarms { GateRule(margin: 0).alarms(gains) }

  /// Which of the metrics that gate together are called a regression.
  private func alarmed(_ metrics: [GateRule.Alarms]) -> [Bool] {
    GateRule.corrected(metrics).map { $0.regression <= GateRule.alpha }
  }

  private func share(_ count: Int) -> Double { Double(count) / Double(trials) }

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
/// A simulated comparison takes two subjects drawn at random as before and after of one, on all metrics at once, so that
/// metrics hang together as they really do and no side is better. It is harsher than a detector's change, which leaves
/// most of what differs between two people as it is.
public struct SubjectValues: Sendable {
  public let suite: String
  /// Of the gating metrics.
  public let margins: [Double]
  /// The standard deviation of a simulated gain, a metric.
  public let spreads: [Double]
  /// By subject, then by metric.
  private let values: [[Double]]

  /// `nil` where fewer than two subjects have a value on every gating metric, or nothing gates.
  public init?(_ baseline: Baseline, suite: Suite) {
    let gating = suite.metrics.compactMap { choice -> (Double, [String: Double?])? in
      guard let margin = choice.margin, let value = baseline.metric(choice.detector, choice.metric) else { return nil }
      return (margin, value.bySubject)
    }
    let subjects = Set(gating.flatMap { $0.1.keys }).sorted()
    let values = subjects.compactMap { subject -> [Double]? in
      let known = gating.compactMap { $0.1[subject] ?? nil }
      return known.count == gating.count && known.allSatisfy(\.isFinite) ? known : nil
    }
    guard !gating.isEmpty, values.count >= 2 else { return nil }
    self.suite = suite.name
    self.values = values
    margins = gating.map(\.0)
    spreads = gating.indices.map { metric in (standardDeviation(values.map { $0[metric] }) ?? 0) * 2.squareRoot() }
  }

  /// By metric, then by subject.
  func gains(subjects: Int, _ random: inout SeededGenerator) -> [[Double]] {
    let pairs = (0..<subjects).map { _ in
      (values[random.index(below: values.count)], values[random.index(below: values.count)])
    }
    return margins.indices.map { metric in pairs.map { $0.1[metric] - $0.0[metric] } }
  }
}

/// How gains are spread over people in a simulation; each has mean 0.
public enum GainFamily: String, CaseIterable, Codable, Sendable {
  /// Normal differences.
  case normal
  /// Exponential values before and after.
  case exponential
  /// Log-normal values (σ = 1) before and after.
  case logNormal = "log-normal"
  /// Poisson counts (mean 1) before and after, on three clips a subject.
  case counts
  /// Shares of three clips that are right before and after; people's own rates are uniform on 0.2…0.8.
  case shares
  /// A loss that people suffer unequally: exponential.
  case exponentialLoss = "unequal loss, exponential"
  /// A loss that people suffer unequally: log-normal, σ = 0.5.
  case logNormalLoss = "unequal loss, log-normal"

  /// Whether before and after are alike, which makes differences symmetric: what nothing having changed means.
  public var isExchangeable: Bool { self != .exponentialLoss && self != .logNormalLoss }

  /// Whether a subject's value is made of few clips; such gains have no reps to correlate.
  public var isDiscrete: Bool { self == .counts || self == .shares }

  /// One difference.
  func difference(_ random: inout SeededGenerator) -> Double {
    switch self {
    case .normal: random.normal()
    case .exponential: Self.exponential(&random) - Self.exponential(&random)
    case .logNormal: exp(random.normal()) - exp(random.normal())
    case .counts: (0..<3).reduce(0) { sum, _ in sum + Self.poisson(&random) - Self.poisson(&random) } / 3
    case .shares:
      Self.shareDifference(rate: 0.2 + 0.6 * random.unit(), &random)
    case .exponentialLoss: 1 - Self.exponential(&random)
    case .logNormalLoss: exp(0.125) - exp(0.5 * random.normal())
    }
  }

  private static func exponential(_ random: inout SeededGenerator) -> Double { -log(1 - random.unit()) }

  /// Of mean 1, by the product of uniform numbers (Knuth, The Art of Computer Programming 2, section 3.4.1).
  private static func poisson(_ random: inout SeededGenerator) -> Double {
    var count = 0.0
    var product = random.unit()
    while product > exp(-1) {
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

/// Many draws of a family, of which simulated subjects' gains are made without drawing forty reps for each anew.
///
/// A subject's gain is √ρ · S + √(1 − ρ) · E: S is what a subject's reps share, E the mean of 40 reps' own differences,
/// both of the same distribution, and ρ the correlation of two reps of a subject. The pools are centred, so that the true
/// mean of a gain is 0 and not the pool's error.
struct GainPool: Sendable {
  static let size = 65_536
  static let reps = 40

  let standardDeviation: Double
  private let shared: [Double]
  private let own: [Double]

  init(_ family: GainFamily, seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let shared = (0..<Self.size).map { _ in family.difference(&random) }
    self.shared = family.isDiscrete ? shared : Self.centred(shared)
    own =
      family.isDiscrete
      ? []
      : Self.centred(
        (0..<Self.size).map { _ in
          (0..<Self.reps).reduce(0) { sum, _ in sum + family.difference(&random) } / Double(Self.reps)
        })
    standardDeviation = Statistics.standardDeviation(shared) ?? 1
  }

  /// Gains of so many subjects.
  func gains(subjects: Int, correlation: Double, _ random: inout SeededGenerator) -> [Double] {
    let (common, single) = (correlation.squareRoot(), (1 - correlation).squareRoot())
    return (0..<subjects).map { _ in
      let effect = shared[random.index(below: Self.size)]
      return own.isEmpty ? effect : common * effect + single * own[random.index(below: Self.size)]
    }
  }

  /// The standard deviation of one subject's gain.
  func spread(correlation: Double) -> Double {
    guard !own.isEmpty else { return standardDeviation }
    return standardDeviation * (correlation + (1 - correlation) / Double(Self.reps)).squareRoot()
  }

  private static func centred(_ values: [Double]) -> [Double] {
    let mean = Statistics.mean(values) ?? 0
    return values.map { $0 - mean }
  }
}
