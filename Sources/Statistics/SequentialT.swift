import RealModule

/// Evidence that a mean is above 0 which holds however often one looks: Rushton's sequential t test.
///
/// The evidence is a likelihood ratio of Student's t: that the mean is 0.5 or 0.8 standard deviations, half and half,
/// against that it is 0. For normal values whose mean is 0 or less, it ever reaches K, with any number of subjects, with
/// a probability of at most 1/K (Ville's inequality). Where the values' skewness flatters t, Johnson's correction takes
/// its place.
///
/// - Source: Rushton, On a Sequential t-test, Biometrika 37, 1950; Grünwald, de Heide and Koolen, Safe Testing, Journal
///   of the Royal Statistical Society B 86, 2024, for the evidence as an e-value; Pérez-Ortiz, Lardy, de Heide and
///   Grünwald, E-statistics, Group Invariance and Anytime-valid Testing, Annals of Statistics 52, 2024, for any number of
///   looks; Johnson, Modified t Tests and Confidence Intervals for Asymmetrical Populations, JASA 73, 1978.
struct SequentialT: Sendable {
  private static let effects = [0.5, 0.8]

  /// Student's t of a mean above 0, at most Johnson's modified one; infinite, or 0 at 0, if all values are equal.
  /// `nil` with fewer than two values.
  static func t(_ values: [Double]) -> Double? {
    guard values.count >= 2, let mean = mean(values) else { return nil }
    let n = Double(values.count)
    var (second, third) = (0.0, 0.0)
    for value in values {
      let distance = value - mean
      second += distance * distance
      third += distance * distance * distance
    }
    return t(mean: mean, second: second / n, third: third / n, n)
  }

  /// - Parameters:
  ///   - second: The mean of the squared distances from the mean.
  ///   - third: That of their third powers.
  static func t(mean: Double, second: Double, third: Double, _ n: Double) -> Double {
    guard second > 0 else { return mean == 0 ? 0 : mean > 0 ? .infinity : -.infinity }
    let t = mean * ((n - 1) / second).squareRoot()
    let skewness = third / (second * second.squareRoot())
    return min(t, t + skewness * (1 + 2 * t * t) / (6 * n.squareRoot()))
  }

  /// The evidence, 0 or more; 0 for a t of 0 or less.
  ///
  /// - Parameter subjects: At least two.
  static func evidence(t: Double, subjects: Int) -> Double {
    guard t > 0 else { return 0 }
    return effects.reduce(0) { $0 + evidence(t: t, subjects: Double(subjects), of: $1) } / Double(effects.count)
  }

  /// The t from which on the evidence is at least as much; infinite if it never is.
  static func critical(_ evidence: Double, subjects: Int) -> Double {
    func suffices(_ t: Double) -> Bool { self.evidence(t: t, subjects: subjects) >= evidence }
    guard suffices(.infinity) else { return .infinity }
    var (low, high) = (0.0, 1.0)
    while !suffices(high) {
      low = high
      high *= 2
      guard high < 1e9 else { return .infinity }
    }
    for _ in 0..<60 {
      let middle = (low + high) / 2
      if suffices(middle) { high = middle } else { low = middle }
    }
    return high
  }

  /// The likelihood ratio of one effect: exp(−nδ²/2) times a series of positive terms.
  private static func evidence(t: Double, subjects n: Double, of effect: Double) -> Double {
    let share = t == .infinity ? 1 : t / (t * t + n - 1).squareRoot()
    let b = effect * n.squareRoot() * share
    var even = 1.0
    var odd = b * 2.0.squareRoot() * .exp(.logGamma((n + 1) / 2) - .logGamma(n / 2))
    var sum = even + odd
    // Of many subjects the terms exceed any number, and the factor before them falls below any.
    var scale = -n * effect * effect / 2
    var term = 0.0
    while even + odd > 1e-14 * sum {
      even *= b * b * (n + term) / ((term + 1) * (term + 2))
      odd *= b * b * (n + term + 1) / ((term + 2) * (term + 3))
      term += 2
      sum += even + odd
      if sum > 1e200 {
        (even, odd, sum) = (even * 1e-200, odd * 1e-200, sum * 1e-200)
        scale += 200 * .log(10)
      }
    }
    return .exp(scale + .log(sum))
  }
}
