/// The sign-flip test of paired differences: whether their mean is further from 0 than with random signs.
///
/// Without a true difference, each subject's difference has either sign with equal probability: all 2ⁿ combinations of
/// signs are equally likely, and the p value is the share of them whose mean is at least as far out as the observed
/// one. Exact for any n and any distribution that is symmetric about 0. Sums that differ by less than 1e-9 of the sum
/// of all absolute differences count as equal, to keep rounding from breaking ties.
///
/// - Source: Fisher, The Design of Experiments, 1935, section 21; Pitman, Significance Tests Which May be Applied to
///   Samples From any Populations, Supplement to the Journal of the Royal Statistical Society 4, 1937.
public struct SignFlip: Hashable, Sendable {
  /// The p value against the alternative that the mean is above 0.
  public var greater: Double
  /// The p value against the alternative that the mean is below 0.
  public var less: Double
  /// The p value against the alternative that the mean is not 0.
  public var twoSided: Double
  /// The number of combinations of signs that were tried.
  public var flips: Int
  /// Whether these were all combinations.
  public var isExact: Bool

  /// Up to this many nonzero differences all combinations are tried, beyond it a sample.
  public static let exactLimit = 20

  /// The tolerance of equal sums, as a share of the sum of all absolute differences.
  static let tolerance = 1e-9

  /// The smallest two-sided p value of so many differences by all flips, of which two are the farthest out.
  public static func smallestP(of differences: Int) -> Double { 2 / Double(1 << differences) }

  /// The test by all 2ⁿ flips; `nil` without differences, for one that is not finite, and for more than `exactLimit`
  /// nonzero ones.
  public init?(_ differences: [Double]) {
    guard !differences.isEmpty, differences.allSatisfy(\.isFinite) else { return nil }
    // A difference of 0 is the same with either sign: leaving it out divides every count by two.
    let sizes = differences.filter { $0 != 0 }.map(abs)
    guard sizes.count <= Self.exactLimit else { return nil }
    let total = sizes.reduce(0, +)
    let positive = differences.reduce(0) { $0 + max($1, 0) }
    let slack = total * Self.tolerance
    // Setting the signs means choosing the positive differences: the sum is twice that of the chosen ones minus the
    // total.
    let sums = SubsetSums(sizes)
    let all = 1 << sizes.count
    let atLeast = sums.count(atLeast: positive - slack)
    let atMost = all - sums.count(atLeast: positive + slack, strictly: true)
    // The distribution is symmetric about half the total, and below the middle the two tails meet.
    let farther = max(positive, total - positive)
    let outside = 2 * farther - total <= 2 * slack ? all : min(all, 2 * sums.count(atLeast: farther - slack))
    self.init(atLeast: atLeast, atMost: atMost, outside: outside, flips: all, isExact: true)
  }

  /// The test by all flips with at most `exactLimit` nonzero differences, otherwise by this many random ones.
  ///
  /// A sampled p value is (b + 1) / (m + 1), of b flips as far out among m: the observed one counts as one of them,
  /// otherwise the test would not hold its level. `nil` without differences or for one that is not finite.
  ///
  /// - Parameters:
  ///   - flips: Above 0.
  ///   - generator: Supplies one number, the seed of the flips.
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

extension SignFlip {
  /// The interval on the centre of symmetry of the differences: every value that the exact two-sided test does not
  /// reject.
  ///
  /// Its ends are the k-th smallest and k-th largest of the means of all 2ⁿ - 1 subsets, with k the level's tail times
  /// 2ⁿ, rounded down, to keep at least its level. `nil` if k is 0, as with fewer than six differences at 95 %, with
  /// more than `exactLimit` of them, and for one that is not finite.
  ///
  /// - Parameter level: 0..<1.
  /// - Source: Hartigan, Using Subsample Values as Typical Values, JASA 64, 1969.
  public static func interval(_ differences: [Double], level: Double = 0.95) -> Interval? {
    guard !differences.isEmpty, differences.count <= exactLimit, differences.allSatisfy(\.isFinite),
      let lowest = differences.min(), let highest = differences.max()
    else { return nil }
    // 0.05 / 2 is inexact in binary; a k that is mathematically whole stays whole.
    let tail = (1 - level) / 2 * Double(1 << differences.count)
    let k = Int((tail * (1 + 1e-12)).rounded(.down))
    guard k >= 1 else { return nil }
    guard lowest < highest else { return Interval(low: lowest, high: lowest, level: level) }
    let mirrored = differences.map { -$0 }
    return Interval(
      low: subsetMean(k, of: differences, between: lowest, and: highest),
      high: -subsetMean(k, of: mirrored, between: -highest, and: -lowest), level: level)
  }

  /// The k-th smallest of the means of all nonempty subsets.
  private static func subsetMean(_ k: Int, of values: [Double], between low: Double, and high: Double) -> Double {
    // A subset's mean is at most m if the sum of its values minus m is at most 0; a difference within rounding counts
    // as 0.
    func holds(_ m: Double) -> Bool {
      let slack = values.reduce(0) { $0 + abs($1 - m) } * 1e-15
      let above = SubsetSums(values.map { $0 - m }).count(atLeast: slack, strictly: true)
      // The empty subset is not above the bound.
      return (1 << values.count) - above - 1 >= k
    }
    return holds(low) ? low : bisect(low, high, where: holds)
  }
}

/// How many of the sums over all 2ⁿ subsets exceed a bound, in about 2^(n/2) steps.
///
/// Each half's sums are listed in order; for each sum of one half, the sums of the other that lift it above the bound
/// are a tail, whose start only moves down.
///
/// - Source: Horowitz and Sahni, Computing Partitions with Applications to the Knapsack Problem, Journal of the ACM 21,
///   1974.
struct SubsetSums {
  /// The sums of each half, in order.
  let first: [Double]
  let second: [Double]

  init(_ values: [Double]) {
    let half = values.count / 2
    first = Self.sorted(values[..<half])
    second = Self.sorted(values[half...])
  }

  func count(atLeast bound: Double, strictly: Bool = false) -> Int {
    var count = 0
    var start = second.count
    for sum in first {
      while start > 0, strictly ? sum + second[start - 1] > bound : sum + second[start - 1] >= bound { start -= 1 }
      count += second.count - start
    }
    return count
  }

  /// The sums without a value and those with it are both in order: merging them keeps all in order in linear time.
  private static func sorted(_ values: ArraySlice<Double>) -> [Double] {
    var sums = [0.0]
    for value in values {
      let count = sums.count
      let merged = [Double](unsafeUninitializedCapacity: 2 * count) { merged, initialized in
        var (without, with) = (0, 0)
        for place in 0..<2 * count {
          let isWithout = with == count || without < count && sums[without] <= sums[with] + value
          merged.initializeElement(at: place, to: isWithout ? sums[without] : sums[with] + value)
          if isWithout { without += 1 } else { with += 1 }
        }
        initialized = 2 * count
      }
      sums = merged
    }
    return sums
  }
}

/// Sums over random subsets, each value in or out with probability ½.
///
/// The sums of all subsets of eight values are tabulated: eight coin flips then cost one addition.
struct RandomSubsetSums {
  private var tables: [Double]
  private let count: Int

  init(_ values: [Double]) {
    count = (values.count + 7) / 8
    tables = [Double](repeating: 0, count: count * 256)
    for (index, value) in values.enumerated() {
      let start = index / 8 * 256
      let bit = 1 << (index % 8)
      for subset in 0..<256 where subset & bit != 0 { tables[start + subset] += value }
    }
  }

  func next(using random: inout SeededGenerator) -> Double {
    var sum = 0.0
    var coins: UInt64 = 0
    for table in 0..<count {
      if table % 8 == 0 { coins = random.next() }
      sum += tables[table * 256 + Int(coins & 255)]
      coins >>= 8
    }
    return sum
  }
}
