/// The sign-flip test of paired differences: whether their mean is further from 0 than with signs drawn by coin.
///
/// Under the hypothesis that nothing differs, each subject's difference is as likely with the other sign, so all 2ⁿ
/// ways of setting the signs are equally likely, and the p value is the share of them whose mean is as far out as the
/// one seen. Exact at any n and for any distribution that is symmetric about 0. Sums that differ by less than 1e-9 of
/// the sum of all absolute differences are equal, so that rounding does not break ties.
///
/// - Source: Fisher, The Design of Experiments, 1935, section 21; Pitman, Significance Tests Which May be Applied to
///   Samples From any Populations, Supplement to the Journal of the Royal Statistical Society 4, 1937.
public struct SignFlip: Hashable, Sendable {
  /// The p value against the alternative that the mean is above 0.
  public var greater: Double
  /// Against the mean being below 0.
  public var less: Double
  /// Against the mean not being 0.
  public var twoSided: Double
  /// How many ways of setting the signs were looked at.
  public var flips: Int
  /// Whether these were all there are.
  public var isExact: Bool

  /// So many differences other than 0 are flipped in all ways, more by sampling.
  public static let exactLimit = 20

  /// Of the sum of all absolute differences.
  static let tolerance = 1e-9

  /// By all 2ⁿ flips; `nil` of no differences, of one that is not finite, and of more than `exactLimit` other than 0.
  public init?(_ differences: [Double]) {
    guard !differences.isEmpty, differences.allSatisfy(\.isFinite) else { return nil }
    // A difference of 0 is the same with either sign: leaving it out divides every count by two.
    let sizes = differences.filter { $0 != 0 }.map(abs)
    guard sizes.count <= Self.exactLimit else { return nil }
    let total = sizes.reduce(0, +)
    let positive = differences.reduce(0) { $0 + max($1, 0) }
    let slack = total * Self.tolerance
    // Setting the signs is choosing which differences are positive: the sum is twice the chosen ones' less the total.
    let sums = SubsetSums(sizes)
    let all = 1 << sizes.count
    let atLeast = sums.count(atLeast: positive - slack)
    let atMost = all - sums.count(atLeast: positive + slack, strictly: true)
    // The distribution is symmetric about half the total, and below the middle the two tails meet.
    let farther = max(positive, total - positive)
    let outside = 2 * farther - total <= 2 * slack ? all : min(all, 2 * sums.count(atLeast: farther - slack))
    self.init(atLeast: atLeast, atMost: atMost, outside: outside, flips: all, isExact: true)
  }

  /// By all flips where there are at most `exactLimit` differences other than 0, otherwise by so many drawn at random.
  ///
  /// A sampled p value is (b + 1) / (m + 1), of b flips as far out among m: the flip that was seen counts as one of
  /// them, without which the test would not hold its level. `nil` of no differences or of one that is not finite.
  ///
  /// - Parameters:
  ///   - flips: Above 0.
  ///   - generator: Gives one number, the seed of the flips.
  /// - Source: Phipson and Smyth, Permutation P-values Should Never Be Zero, Statistical Applications in Genetics and
  ///   Molecular Biology 9, 2010.
  public init?(_ differences: [Double], flips: Int = 99_999, using generator: inout some RandomNumberGenerator) {
    let sizes = differences.filter { $0 != 0 }.map(abs)
    guard sizes.count > Self.exactLimit else {
      self.init(differences)
      return
    }
    guard flips > 0, differences.allSatisfy(\.isFinite) else { return nil }
    let total = sizes.reduce(0, +)
    let positive = differences.reduce(0) { $0 + max($1, 0) }
    let slack = total * Self.tolerance
    let farther = max(positive, total - positive) - slack
    let nearer = min(positive, total - positive) + slack
    var (atLeast, atMost, outside) = (1, 1, 1)
    var random = SeededGenerator(seed: generator.next())
    let sums = RandomSubsetSums(sizes)
    for _ in 0..<flips {
      let sum = sums.next(using: &random)
      if sum >= positive - slack { atLeast += 1 }
      if sum <= positive + slack { atMost += 1 }
      if sum >= farther || sum <= nearer { outside += 1 }
    }
    self.init(atLeast: atLeast, atMost: atMost, outside: outside, flips: flips + 1, isExact: false)
    self.flips = flips
  }

  private init(atLeast: Int, atMost: Int, outside: Int, flips: Int, isExact: Bool) {
    greater = Double(atLeast) / Double(flips)
    less = Double(atMost) / Double(flips)
    twoSided = Double(outside) / Double(flips)
    self.flips = flips
    self.isExact = isExact
  }
}
