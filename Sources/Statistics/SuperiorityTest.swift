/// A sample of gains, and the distance of its mean from a bound, in standard errors: Student's one-sided t test.
public struct SuperiorityTest: Hashable, Sendable {
  public let count: Int
  public let mean: Double
  /// The sum of the squared distances from the mean.
  private let squares: Double

  /// `nil` with fewer than two gains or one that is not finite.
  public init?(_ gains: [Double]) {
    guard gains.allSatisfy(\.isFinite), let mean = Statistics.mean(gains), gains.count >= 2 else { return nil }
    self.init(gains.count, mean, squares: gains.reduce(0) { $0 + ($1 - mean) * ($1 - mean) })
  }

  private init(_ count: Int, _ mean: Double, squares: Double) {
    (self.count, self.mean, self.squares) = (count, mean, squares)
  }

  /// The standard error of the mean; 0 if all gains are equal.
  public var standardError: Double { (squares / Double(count - 1) / Double(count)).squareRoot() }

  /// The sample with one more gain, which is finite.
  ///
  /// - Source: Welford, Note on a Method for Calculating Corrected Sums of Squares and Products, Technometrics 4, 1962.
  public func adding(_ gain: Double) -> SuperiorityTest {
    let distance = gain - mean
    let newMean = mean + distance / Double(count + 1)
    return SuperiorityTest(count + 1, newMean, squares: squares + distance * (gain - newMean))
  }

  /// Student's t of the mean above `bound`; infinite, or 0 at the bound, if all gains are equal.
  public func t(above bound: Double) -> Double {
    let (excess, error) = (mean - bound, standardError)
    guard error > 0 else { return excess == 0 ? 0 : excess > 0 ? .infinity : -.infinity }
    return excess / error
  }

  /// The p value of Student's t test of the claim that the mean is above `bound`.
  public func p(meanAbove bound: Double) -> Double {
    Self.upperTail(t(above: bound), subjects: count)
  }

  static func upperTail(_ t: Double, subjects: Int) -> Double {
    let tail = StudentT(degreesOfFreedom: Double(subjects - 1)).twoSidedTail(t) / 2
    return t > 0 ? tail : 1 - tail
  }
}
