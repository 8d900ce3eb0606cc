import Statistics

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
