/// A sample of gains, and the distance of its mean from a bound, in standard errors.
///
/// - Source: Hall, On the Removal of Skewness by Transformation, Journal of the Royal Statistical Society B 54, 1992,
///   the monotone cubic.
public struct SuperiorityTest: Hashable, Sendable {
  public let count: Int
  public let mean: Double
  /// The standard error of the mean; 0 if all gains are equal.
  public let standardError: Double
  /// The third central moment over the cube of the standard deviation, both with n; 0 if all gains are equal.
  public let skewness: Double

  /// `nil` with fewer than two gains or one that is not finite.
  public init?(_ gains: [Double]) {
    guard gains.allSatisfy(\.isFinite), let mean = Statistics.mean(gains), gains.count >= 2 else { return nil }
    var (squares, cubes) = (0.0, 0.0)
    for gain in gains {
      let distance = gain - mean
      squares += distance * distance
      cubes += distance * distance * distance
    }
    let n = Double(gains.count)
    count = gains.count
    self.mean = mean
    standardError = (squares / (n - 1) / n).squareRoot()
    let spread = (squares / n).squareRoot()
    skewness = spread > 0 ? cubes / n / (spread * spread * spread) : 0
  }

  /// Student's t of the mean above `bound`; infinite, or 0 at the bound, if all gains are equal.
  public func t(above bound: Double) -> Double {
    let excess = mean - bound
    guard standardError > 0 else { return excess == 0 ? 0 : excess > 0 ? .infinity : -.infinity }
    return excess / standardError
  }

  /// Hall's t: `t(above:)` with a correction for the skewness of the sample. A tail of gains towards the bound lowers
  /// it, a tail away from it raises it.
  public func skewnessCorrectedT(above bound: Double) -> Double {
    let t = t(above: bound)
    guard t.isFinite else { return t }
    let root = Double(count).squareRoot()
    let s = t / root
    return root
      * (s + skewness * s * s / 3 + skewness * skewness * s * s * s / 27 + skewness / (6 * root * root))
  }

  /// The p value of Student's t test of the claim that the mean is above `bound`.
  public func p(meanAbove bound: Double) -> Double {
    Self.upperTail(t(above: bound), subjects: count)
  }

  /// The p value by Hall's t.
  package func skewnessCorrectedP(meanAbove bound: Double) -> Double {
    Self.upperTail(skewnessCorrectedT(above: bound), subjects: count)
  }

  static func upperTail(_ t: Double, subjects: Int) -> Double {
    let tail = StudentT(degreesOfFreedom: Double(subjects - 1)).twoSidedTail(t) / 2
    return t > 0 ? tail : 1 - tail
  }
}
