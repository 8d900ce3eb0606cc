import RealModule

/// The gate with any number of looks, simulated with a look after each person: its errors and the people that it needs.
public struct SequentialSimulation: Sendable {
  /// The number of sequences per setting.
  public static let trials = 20_000
  /// People are recorded up to this number.
  public static let mostSubjects = 60
  /// The losses beyond the margin, and the margins without a loss, for which people are counted: in standard deviations.
  public static let effects = [0.5, 0.75, 1]
  /// The claimed average number of people, as a share of those that one look needs for the same power, for the smallest
  /// effect.
  public static let largestShare = 0.7

  /// The errors on a family of gains.
  public struct Errors: Codable, Hashable, Sendable {
    public var gains: String
    /// The share of sequences in which a regression is ever called with a true loss of the margin, which is 0; `nil` for
    /// a family of losses.
    public var falseRegressions: Double?
    /// The share that ever pass with a true loss of the margin, of one standard deviation.
    public var wrongPasses: Double
    /// Why no such rate is claimed; `nil` for a claim.
    public var regressionsOutOfReach: String?
    public var passesOutOfReach: String?
  }

  /// The people that decisions need, with normal gains.
  public struct People: Codable, Hashable, Sendable {
    public var effect: Double
    /// With one look, for a power of `PowerStudy.power`: to show the loss, and to pass without one.
    public var oneLookToShow: Int
    public var oneLookToPass: Int
    /// On average with any number of looks, until as many sequences are decided.
    public var averageToShow: Double
    public var averageToPass: Double

    /// The larger of the averages as a share of those of one look.
    public var largestShare: Double {
      max(averageToShow / Double(oneLookToShow), averageToPass / Double(oneLookToPass))
    }
  }

  public struct Result: Codable, Sendable {
    public var errors: [Errors]
    public var people: [People]
  }

  public let seed: UInt64
  public let trials: Int

  public init(seed: UInt64, trials: Int = Self.trials) {
    (self.seed, self.trials) = (seed, trials)
  }

  public func result(threads: Int) async -> Result {
    async let people = parallel(Self.effects, threads: max(1, threads / 2), people)
    let errors = await parallel(GainFamily.allCases, threads: max(1, threads / 2), errors)
    return Result(errors: errors, people: await people)
  }

  /// In the order of the settings.
  private func parallel<Setting: Sendable, Value: Sendable>(
    _ settings: [Setting], threads: Int, _ value: @escaping @Sendable (Setting) -> Value
  ) async -> [Value] {
    await withTaskGroup(of: [(Int, Value)].self) { group in
      for first in 0..<threads {
        group.addTask {
          stride(from: first, to: settings.count, by: threads).map { ($0, value(settings[$0])) }
        }
      }
      var all: [(Int, Value)] = []
      for await part in group { all += part }
      return all.sorted { $0.0 < $1.0 }.map(\.1)
    }
  }

  /// The highest rate within the claim: the level, and the simulation's error over all rates together.
  public func limit(rates: Int) -> Double {
    let level = GateRule.alpha
    return level
      + Normal().quantile(1 - 0.05 / Double(max(1, rates))) * (level * (1 - level) / Double(trials)).squareRoot()
  }

  private func errors(_ family: GainFamily) -> Errors {
    let pool = GainPool(family, seed: seed)
    let spread = pool.standardDeviation
    let margin = family.margin * spread
    let (toCall, toPass) = (rule(margin: 0), rule(margin: margin))
    let (callLimits, passLimits) = (limits(toCall), limits(toPass))
    var random = SeededGenerator(seed: seed, stream: [GainFamily.allCases.firstIndex(of: family) ?? 0])
    var (regressions, passes) = (0, 0)
    for _ in 0..<trials {
      let gains = pool.gains(subjects: Self.mostSubjects, metrics: 1, correlation: 0, &random)[0]
      let lost = gains.map { $0 - margin }
      if !family.isLoss, (first(gains) { toCall.isRegression($0, callLimits[$1]) }) != nil { regressions += 1 }
      if (first(lost) { toPass.decide($0, passLimits[$1]).passes }) != nil { passes += 1 }
    }
    let few = "the greatest winners are seldom among the first people"
    let none = "of the first \(GateRule.fewestToCallAtAnyLook) people, 17 % of samples have no winner"
    let loserless = "of the first \(GateRule.fewestSubjects) people, 11 % of samples have no loser"
    return Errors(
      gains: family.rawValue, falseRegressions: family.isLoss ? nil : Double(regressions) / Double(trials),
      wrongPasses: Double(passes) / Double(trials),
      regressionsOutOfReach: family == .oneWinner ? none : family == .exponentialGain ? few : nil,
      passesOutOfReach: family == .oneLoser ? loserless : nil)
  }

  private func people(_ effect: Double) -> People {
    let pool = GainPool(.normal, seed: seed)
    let (toCall, toPass) = (rule(margin: 0), rule(margin: effect))
    let (callLimits, passLimits) = (limits(toCall), limits(toPass))
    var random = SeededGenerator(seed: seed, stream: [Int(effect * 100)])
    // An undecided sequence has needed more than all.
    var (shown, passed): ([Int], [Int]) = ([], [])
    for _ in 0..<trials {
      let gains = pool.gains(subjects: Self.mostSubjects, metrics: 1, correlation: 0, &random)[0]
      let toShow = first(gains.map { $0 - effect }) { toCall.isRegression($0, callLimits[$1]) }
      shown.append(toShow ?? Self.mostSubjects + 1)
      passed.append(first(gains) { toPass.decide($0, passLimits[$1]).passes } ?? Self.mostSubjects + 1)
    }
    func average(_ needed: [Int]) -> Double {
      let horizon = needed.sorted()[Int(PowerStudy.power * Double(needed.count)) - 1]
      return Double(needed.reduce(0) { $0 + min($1, horizon) }) / Double(needed.count)
    }
    let draws = pool.gains(subjects: 2000, metrics: 1, correlation: 0, &random)[0]
    func oneLook(_ margin: Double, loss: Double) -> Int {
      let study = PowerStudy(gains: draws, rule: GateRule(margin: margin))
      return (loss > margin ? study?.subjectsToShow(loss: loss) : study?.subjectsToPass(loss: loss)) ?? 0
    }
    return People(
      effect: effect, oneLookToShow: oneLook(0, loss: effect), oneLookToPass: oneLook(effect, loss: 0),
      averageToShow: average(shown), averageToPass: average(passed))
  }

  private func rule(margin: Double) -> GateRule { GateRule(margin: margin, atAnyLookOf: 1) }

  /// By number of people.
  private func limits(_ rule: GateRule) -> [GateRule.Limits] {
    (0...Self.mostSubjects).map { rule.limits(subjects: max(2, $0)) }
  }

  /// The first number of people that decides; `nil` for none.
  private func first(_ gains: [Double], decides: ([Double], Int) -> Bool) -> Int? {
    (GateRule.fewestToCallAtAnyLook...gains.count).first { decides(Array(gains.prefix($0)), $0) }
  }
}
