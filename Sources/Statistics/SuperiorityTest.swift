/// Whether the mean gain of people like these subjects is above a bound.
///
/// That the mean lies above a bound is taken as shown, at a one-sided level, when all of these say so:
/// - Student's t test;
/// - where at most 20 gains differ from the bound, the exact sign-flip test: it holds its level for gains as discrete as
///   they like, where t does not, and proves nothing with fewer than six subjects at 2.5 %;
/// - Hall's t test, which corrects for the skewness seen;
/// - the gains' skewness, which must not be below 0.15 − 0.1 √n: a tail on the side that speaks against the bound is met
///   by few subjects or by none, and then every test above errs. Cochran bears up to 0.2 √n where a mean's interval is
///   to be trusted; a gate bears less, since it must also hold where a sample shows less of the tail than there is.
///
/// `bench selftest gate` measures what this holds for, and on what kinds of gains.
///
/// - Source: Hall, On the Removal of Skewness by Transformation, Journal of the Royal Statistical Society B 54, 1992,
///   the monotone cubic; Cochran, Sampling Techniques, 3rd edition, 1977, section 2.15; `SignFlip` and `StudentT` for
///   theirs.
public struct SuperiorityTest: Hashable, Sendable {
  /// Why a bound is not shown.
  public enum Objection: Hashable, Sendable {
    /// Student's t test does not exclude the bound.
    case notShown
    /// It does, but the sign-flip test or Hall's does not confirm it.
    case unconfirmed
    /// It does, but this much skewness (a tail towards the bound) makes it err.
    case skewed(Double)
  }

  private let gains: [Double]
  let mean: Double
  private let standardError: Double
  /// The third central moment over the cube of the standard deviation, both with n; 0 where all gains are equal.
  public let skewness: Double

  /// `nil` for fewer than two gains or one that is not finite.
  public init?(_ gains: [Double]) {
    guard gains.allSatisfy(\.isFinite), let mean = Statistics.mean(gains), let deviation = standardDeviation(gains)
    else { return nil }
    self.gains = gains
    self.mean = mean
    let n = Double(gains.count)
    standardError = deviation / n.squareRoot()
    let spread = deviation * ((n - 1) / n).squareRoot()
    let cubes = gains.reduce(0) { $0 + ($1 - mean) * ($1 - mean) * ($1 - mean) }
    skewness = spread > 0 ? cubes / n / (spread * spread * spread) : 0
  }

  /// Whether the mean is shown to be above `bound`: `nil` for yes, otherwise what speaks against it.
  ///
  /// - Parameter alpha: the one-sided level, such as 0.025.
  public func objection(toMeanAbove bound: Double, alpha: Double) -> Objection? {
    let excess = mean - bound
    guard excess > 0 else { return .notShown }
    // Cheapest first: most comparisons end here.
    guard isShown(excess / standardError, alpha) else { return .notShown }
    guard skewness >= -Self.skewnessLimit(subjects: gains.count) else { return .skewed(skewness) }
    guard isShown(skewnessCorrected(excess / standardError), alpha) else { return .unconfirmed }
    if let flip = signFlip(above: bound, ceiling: alpha), flip > alpha { return .unconfirmed }
    return nil
  }

  /// The p value of the claim that the mean is above `bound`: the largest of the tests', and 1 where the skewness
  /// forbids the claim. At most α exactly where `objection(toMeanAbove:alpha:)` at α has none.
  ///
  /// Each test's p value is at most α with a chance of at most α where its assumptions hold and the claim is false; the
  /// largest is at most α more seldom still, so that it is a p value wherever one of the tests holds its level (the
  /// intersection-union principle: Berger, Technometrics 24, 1982).
  ///
  /// - Parameter ceiling: where a test's p value is above it, that is returned and the tests that take longer are not
  ///   looked at.
  public func p(meanAbove bound: Double, ceiling: Double = 1) -> Double {
    let excess = mean - bound
    guard excess > 0 else { return 1 }
    let student = upperTail(excess / standardError)
    guard student <= ceiling else { return student }
    guard skewness >= -Self.skewnessLimit(subjects: gains.count) else { return 1 }
    let corrected = upperTail(skewnessCorrected(excess / standardError))
    guard corrected <= ceiling else { return corrected }
    return max(student, corrected, signFlip(above: bound, ceiling: ceiling) ?? 0)
  }

  /// The p value of the exact sign-flip test, or where that is above `ceiling` something above it; `nil` where more gains
  /// differ from the bound than it takes.
  ///
  /// The same as `SignFlip.greater`, with less work where it is small: the flips whose sum is no less than the one seen are
  /// those that turn gains of no greater sum than what lies below the bound, and only these are gone through.
  func signFlip(above bound: Double, ceiling: Double = 1) -> Double? {
    var sizes: [Double] = []
    var (total, below) = (0.0, 0.0)
    for gain in gains where gain != bound {
      sizes.append(abs(gain - bound))
      total += abs(gain - bound)
      if gain < bound { below += bound - gain }
    }
    guard sizes.count <= SignFlip.exactLimit else { return nil }
    sizes.sort()
    let all = Double(1 << sizes.count)
    let limit = Int(ceiling * all)
    var count = 0
    func add(from first: Int, within rest: Double) {
      count += 1
      for index in first..<sizes.count where count <= limit {
        guard sizes[index] <= rest else { return }
        add(from: index + 1, within: rest - sizes[index])
      }
    }
    add(from: 0, within: below + total * SignFlip.tolerance)
    return Double(count) / all
  }

  private func upperTail(_ t: Double) -> Double {
    if standardError == 0 { return 0 }
    return t > 0 ? StudentT(degreesOfFreedom: Double(gains.count - 1)).twoSidedTail(t) / 2 : 1
  }

  private func isShown(_ t: Double, _ alpha: Double) -> Bool {
    standardError == 0
      || t > 0 && StudentT(degreesOfFreedom: Double(gains.count - 1)).twoSidedTail(t) <= 2 * alpha
  }

  /// How much skewness is borne.
  static func skewnessLimit(subjects: Int) -> Double { max(0, 0.1 * Double(subjects).squareRoot() - 0.15) }

  /// Hall's t.
  private func skewnessCorrected(_ t: Double) -> Double {
    let root = Double(gains.count).squareRoot()
    let s = t / root
    return root
      * (s + skewness * s * s / 3 + skewness * skewness * s * s * s / 27 + skewness / (6 * root * root))
  }
}
