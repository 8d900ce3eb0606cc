/// What a rule would say of a change of known size on other subjects: by simulation from the differences seen.
///
/// A simulated subject's gain is that of a subject drawn from those seen, less the mean of all, less the loss. The
/// centred gains are stretched by √(n / (n − 1)), since centring takes that much of their spread. It knows no more
/// spread than the subjects at hand show: from fewer than ten or so it is a rough guide.
///
/// - Source: Davison and Hinkley, Bootstrap Methods and their Application, 1997, section 4.4.
public struct Power: Hashable, Sendable {
  /// How often each outcome came.
  public struct Shares: Hashable, Sendable {
    public var simulations: Int
    public var pass: Double
    public var regression: Double
    public var inconclusive: Double
    /// Wilson's 95 % interval on the share of regressions: the simulation's own error.
    public var regressionInterval: Interval?
  }

  public let rule: NonInferiorityRule
  private let centred: [Double]

  /// `nil` for fewer than two gains or one that is not finite.
  ///
  /// - Parameter gains: One for each subject, by how much it got better: of a change, or of one run over another.
  public init?(gains: [Double], rule: NonInferiorityRule) {
    guard gains.count >= 2, gains.allSatisfy(\.isFinite), let mean = mean(gains) else { return nil }
    self.rule = rule
    let stretch = (Double(gains.count) / Double(gains.count - 1)).squareRoot()
    centred = gains.map { ($0 - mean) * stretch }
  }

  /// How often each outcome comes with so many subjects when the true mean gain is −`loss`.
  ///
  /// The share of regressions is the rule's power where the loss is above the margin, and its rate of false alarms
  /// where the loss is at most the margin. The share of passes at a loss equal to the margin is its rate of missed
  /// losses. `nil` for fewer than two subjects or no simulations.
  ///
  /// - Parameter generator: Gives one number, the seed of the simulation.
  public func outcomes(
    loss: Double, subjects: Int, simulations: Int = 10_000, using generator: inout some RandomNumberGenerator
  ) -> Shares? {
    outcomes(loss: loss, subjects: subjects, simulations: simulations, seed: generator.next())
  }

  /// The fewest subjects with which a true loss is shown to be a regression with the given probability.
  ///
  /// Exact to the error of the simulation, which has the same seed for every number of subjects. `nil` where the loss
  /// is not above the margin, and beyond `most` subjects.
  public func subjectsNeeded(
    loss: Double, power: Double = 0.8, most: Int = 10_000, simulations: Int = 10_000,
    using generator: inout some RandomNumberGenerator
  ) -> Int? {
    let seed = generator.next()
    guard loss > rule.margin, loss.isFinite else { return nil }
    return smallest(from: 2, through: most) { n in
      let shares = outcomes(loss: loss, subjects: n, simulations: simulations, seed: seed)
      return shares.map { $0.regression >= power } ?? false
    }
  }

  private func outcomes(loss: Double, subjects: Int, simulations: Int, seed: UInt64) -> Shares? {
    guard subjects >= 2, simulations >= 1, loss.isFinite else { return nil }
    var random = SeededGenerator(seed: seed)
    let bounds = rule.bounds(subjects: subjects)
    let n = Double(subjects)
    var passes = 0
    var regressions = 0
    for _ in 0..<simulations {
      var sum = 0.0
      var squares = 0.0
      for _ in 0..<subjects {
        let value = centred[random.index(below: centred.count)]
        sum += value
        squares += value * value
      }
      // The values are centred, so that subtracting the square of the sum loses no digits that matter.
      let variance = max(0, squares - sum * sum / n) / (n - 1)
      let outcome = bounds.outcome(
        mean: sum / n - loss, standardError: (variance / n).squareRoot(), margin: rule.margin)
      if outcome == .pass { passes += 1 }
      if outcome == .regression { regressions += 1 }
    }
    let total = Double(simulations)
    return Shares(
      simulations: simulations, pass: Double(passes) / total, regression: Double(regressions) / total,
      inconclusive: Double(simulations - passes - regressions) / total,
      regressionInterval: .wilson(successes: regressions, of: simulations))
  }
}
