/// How much two methods of measuring differ: the bias, and the limits that contain 95 % of the differences.
///
/// All values are in the unit of the measurements.
///
/// - Source: Bland and Altman, Statistical Methods for Assessing Agreement between Two Methods of Clinical Measurement,
///   1986.
public struct BlandAltman: Hashable, Sendable {
  /// Mean difference.
  public let bias: Double
  /// The standard deviation of the differences; `nil` with a single difference, or one subject.
  public let standardDeviation: Double?

  /// The bias minus 1.96 standard deviations.
  public var lower: Double? { standardDeviation.map { bias - 1.96 * $0 } }
  /// The bias plus 1.96 standard deviations.
  public var upper: Double? { standardDeviation.map { bias + 1.96 * $0 } }

  /// Independent differences `a - b`; `nil` without any, and if one is not finite.
  ///
  /// - Precondition: `a` and `b` have the same count.
  public init?(_ a: [Double], _ b: [Double]) {
    precondition(a.count == b.count)
    let differences = zip(a, b).map(-)
    guard let bias = mean(differences) else { return nil }
    self.bias = bias
    standardDeviation =
      differences.count > 1
      ? (squares(differences, about: bias) / Double(differences.count - 1)).squareRoot() : nil
  }

  /// Several differences per subject, at different true values.
  ///
  /// A subject's differences are alike; their variance is therefore the sum of the variances within and between
  /// subjects, the latter 0 if its estimate is negative. With one difference per subject these are the limits of
  /// independent differences. `nil` without differences, and if one is not finite; subjects without any do not count.
  ///
  /// - Source: Bland and Altman, Agreement between Methods of Measurement with Multiple Observations per Individual,
  ///   2007, §3, the method where the true value varies.
  public init?(differencesBySubject subjects: [[Double]]) {
    let subjects = subjects.filter { !$0.isEmpty }
    guard let bias = mean(subjects.flatMap(\.self)) else { return nil }
    self.init(subjects.compactMap { Subject($0) }, bias: bias)
  }

  /// As of the differences themselves; `nil` without subjects.
  public init?(_ subjects: [Subject]) {
    let count = subjects.reduce(0) { $0 + $1.count }
    guard count > 0 else { return nil }
    self.init(subjects, bias: subjects.reduce(0) { $0 + Double($1.count) * $1.mean } / Double(count))
  }

  /// The differences of one subject.
  public struct Subject: Hashable, Sendable {
    /// At least 1.
    var count: Int
    public var mean: Double
    /// The sum of the squared distances from the mean.
    var squares: Double

    init(count: Int, mean: Double, squares: Double) { (self.count, self.mean, self.squares) = (count, mean, squares) }

    /// `nil` without differences, and if one is not finite.
    public init?(_ differences: [Double]) {
      guard let center = Scoring.mean(differences) else { return nil }
      self.init(count: differences.count, mean: center, squares: Scoring.squares(differences, about: center))
    }
  }

  private init(_ subjects: [Subject], bias: Double) {
    self.bias = bias
    guard subjects.count > 1 else {
      standardDeviation = nil
      return
    }
    let counts = subjects.map { Double($0.count) }
    let (total, groups) = (counts.reduce(0, +), Double(subjects.count))
    let withinSquares = subjects.reduce(0) { $0 + $1.squares }
    let betweenSquares = subjects.reduce(0) { $0 + Double($1.count) * ($1.mean - bias) * ($1.mean - bias) }
    let within = total > groups ? withinSquares / (total - groups) : 0
    // The contribution of each subject's count, if counts differ.
    let count = (total - counts.reduce(0) { $0 + $1 * $1 } / total) / (groups - 1)
    let between = max((betweenSquares / (groups - 1) - within) / count, 0)
    standardDeviation = (within + between).squareRoot()
  }
}

extension BlandAltman: MetricGroup {
  public static let title = "grades"

  public static let plainNames = [
    "grades.bias": "grade bias",
    "grades.limit-lower": "lower limit of agreement",
    "grades.limit-upper": "upper limit of agreement",
  ]

  public static func metrics(for detector: ScoredDetector) -> [Metric] {
    [.blandAltmanBias, .blandAltmanLower, .blandAltmanUpper]
  }
}

extension Metric {
  public static let blandAltmanBias = Metric(
    "grades.bias", "Mean signed distance of the grades from the raters' mean: above 0 grades too high.", .zeroIsBest,
    unit: "points", range: -(.infinity)...(.infinity), undefined: "nothing is graded by both detector and raters",
    source: "Bland and Altman, 1986")

  public static let blandAltmanLower = Metric(
    "grades.limit-lower", "Lower limit of agreement: 2.5 % of the grade errors are below it.", .zeroIsBest,
    unit: "points", range: -(.infinity)...(.infinity),
    undefined: "fewer than two people have reps graded by both detector and raters",
    source: "Bland and Altman, Agreement between Methods with Multiple Observations per Individual, 2007, §3",
    aggregation: .pooled)

  public static let blandAltmanUpper = Metric(
    "grades.limit-upper", "Upper limit of agreement: 2.5 % of the grade errors are above it.", .zeroIsBest,
    unit: "points", range: -(.infinity)...(.infinity),
    undefined: "fewer than two people have reps graded by both detector and raters",
    source: "Bland and Altman, Agreement between Methods with Multiple Observations per Individual, 2007, §3",
    aggregation: .pooled)
}

/// `nil` without values, and if one is not finite.
private func mean(_ values: [Double]) -> Double? {
  guard !values.isEmpty, values.allSatisfy(\.isFinite) else { return nil }
  return values.reduce(0, +) / Double(values.count)
}

private func squares(_ values: [Double], about center: Double) -> Double {
  values.reduce(0) { $0 + ($1 - center) * ($1 - center) }
}
