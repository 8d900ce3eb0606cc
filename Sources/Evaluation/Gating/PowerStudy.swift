import Statistics

/// What the gate would say of a change of known size on so many subjects: by simulation from gains at hand.
///
/// A simulated subject's gain is that of a subject drawn from those seen, less the mean of all, less the loss; centred
/// gains are stretched by √(n / (n − 1)), since centring takes that much of their spread. Decided by the gate's own rule.
/// It knows no more spread than the subjects at hand show: from fewer than ten or so it is a rough guide.
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

  public let rule: GateRule
  /// The standard deviation of the gains at hand.
  public let spread: Double
  private let centred: [Double]

  /// `nil` for fewer than two gains, one that is not finite, and gains that are all alike.
  public init?(gains: [Double], rule: GateRule) {
    guard gains.count >= 2, gains.allSatisfy(\.isFinite), let mean = mean(gains),
      let deviation = standardDeviation(gains), deviation > 0
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
      let decision = rule.decide((0..<subjects).map { _ in centred[random.index(below: centred.count)] - loss })
      if decision.passes { passes += 1 }
      if decision == .regression { regressions += 1 }
    }
    let total = Double(Self.simulations)
    return Shares(subjects: subjects, pass: Double(passes) / total, regression: Double(regressions) / total)
  }

  /// The fewest of `candidates` with which the share is at least `power`; `nil` for none of them.
  public static func fewest(_ shares: [Shares], _ share: KeyPath<Shares, Double>, power: Double = 0.8) -> Int? {
    shares.sorted { $0.subjects < $1.subjects }.first { $0[keyPath: share] >= power }?.subjects
  }
}
