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

extension GateRule.Decision {
  /// Whether a comparison passes on evidence or on the fact that nothing changed.
  var passes: Bool {
    switch self {
    case .unchanged, .pass, .improvement: true
    case .regression, .inconclusive: false
    }
  }
}
