/// Intraclass correlations: the share of the variance of ratings that lies between items, not between raters.
///
/// - Source: Shrout and Fleiss, Intraclass Correlations: Uses in Assessing Rater Reliability, 1979; McGraw and Wong,
///   Forming Inferences about Some Intraclass Correlation Coefficients, 1996, tables 4 and 7, whose names are used.
public struct IntraclassCorrelation: Hashable, Sendable {
  /// The model of the raters, and whether one rating or the mean of all is judged.
  public enum Form: String, CaseIterable, Hashable, Sendable {
    /// Each item has its own raters.
    case oneWaySingle = "ICC(1,1)"
    /// The same raters rate everything; a rater who always rates higher is a disagreement.
    case agreementSingle = "ICC(A,1)"
    /// The same raters rate everything; a rater who always rates higher does not matter.
    case consistencySingle = "ICC(C,1)"
    case oneWayMean = "ICC(1,k)"
    case agreementMean = "ICC(A,k)"
    case consistencyMean = "ICC(C,k)"
  }

  /// The numbers of items and raters.
  let n: Double
  let k: Double
  /// Mean squares of the analysis of variance: between rows, within rows, between columns, residual.
  let rows: Double
  let within: Double
  let columns: Double
  let residual: Double

  /// From the mean squares themselves.
  init(n: Double, k: Double, rows: Double, within: Double, columns: Double, residual: Double) {
    (self.n, self.k) = (n, k)
    (self.rows, self.within, self.columns, self.residual) = (rows, within, columns, residual)
  }

  /// `nil` with fewer than two rows or raters, rows of different lengths, or a rating that is not finite.
  ///
  /// - Parameter ratings: One row per item, with one rating of each rater.
  public init?(_ ratings: [[Double]]) {
    guard ratings.count > 1, let raters = ratings.first?.count, raters > 1,
      ratings.allSatisfy({ $0.count == raters && $0.allSatisfy(\.isFinite) })
    else { return nil }
    (n, k) = (Double(ratings.count), Double(raters))
    let (n, k) = (n, k)
    // About the grand mean, to keep the digits of large grades that differ little.
    let grandMean = ratings.reduce(0) { $0 + $1.reduce(0, +) } / (n * k)
    let rowMeans = ratings.map { $0.reduce(0) { $0 + ($1 - grandMean) } / k }
    let columnMeans = (0..<raters).map { column in ratings.reduce(0) { $0 + ($1[column] - grandMean) } / n }
    var (withinSquares, residualSquares) = (0.0, 0.0)
    for (row, mean) in zip(ratings, rowMeans) {
      for (rating, columnMean) in zip(row, columnMeans) {
        let deviation = rating - grandMean - mean
        withinSquares += deviation * deviation
        residualSquares += (deviation - columnMean) * (deviation - columnMean)
      }
    }
    rows = k * rowMeans.reduce(0) { $0 + $1 * $1 } / (n - 1)
    columns = n * columnMeans.reduce(0) { $0 + $1 * $1 } / (k - 1)
    within = withinSquares / (n * (k - 1))
    residual = residualSquares / ((n - 1) * (k - 1))
  }

  /// At most 1; negative if ratings of the same item differ more than those of different items.
  ///
  /// `nil` if there is no variance.
  public func value(_ form: Form) -> Double? {
    switch form {
    case .oneWaySingle: ratio(rows - within, rows + (k - 1) * within)
    case .agreementSingle: ratio(rows - residual, rows + (k - 1) * residual + k * (columns - residual) / n)
    case .consistencySingle: ratio(rows - residual, rows + (k - 1) * residual)
    case .oneWayMean: ratio(rows - within, rows)
    case .agreementMean: ratio(rows - residual, rows + (columns - residual) / n)
    case .consistencyMean: ratio(rows - residual, rows)
    }
  }

  private func ratio(_ numerator: Double, _ denominator: Double) -> Double? {
    // What rounding leaves of no variance is none.
    denominator > 1e-12 * abs(numerator) ? min(numerator / denominator, 1) : nil
  }
}

extension IntraclassCorrelation {
  /// The interval in which the correlation lies with a confidence of `level`, if ratings are normally distributed.
  ///
  /// `nil` if the value is undefined, and if raters agree fully, because there is then no error to estimate it from.
  ///
  /// - Parameters:
  ///   - level: Above 0, below 1.
  ///   - fQuantile: The quantile at a probability of the F distribution with these degrees of freedom of numerator and
  ///     denominator. They may be fractions.
  /// - Source: McGraw and Wong, 1996, table 7; those of means follow from those of one rating by the formula of Spearman
  ///   and Brown, 1910. For agreement, Satterthwaite's approximation, 1946.
  public func interval(
    _ form: Form, level: Double = 0.95,
    fQuantile: (_ probability: Double, _ numerator: Double, _ denominator: Double) -> Double
  ) -> (low: Double, high: Double)? {
    let upper = 1 - (1 - level) / 2
    let single: (low: Double, high: Double)
    switch form {
    case .oneWaySingle, .oneWayMean:
      guard within > 0 else { return nil }
      let degrees = (n - 1, n * (k - 1))
      single = bounds(
        rows / within / fQuantile(upper, degrees.0, degrees.1), rows / within * fQuantile(upper, degrees.1, degrees.0))
    case .consistencySingle, .consistencyMean:
      guard residual > 0 else { return nil }
      let degrees = (n - 1, (n - 1) * (k - 1))
      single = bounds(
        rows / residual / fQuantile(upper, degrees.0, degrees.1),
        rows / residual * fQuantile(upper, degrees.1, degrees.0))
    case .agreementSingle, .agreementMean:
      guard residual > 0, let value = value(.agreementSingle), value < 1 else { return nil }
      single = agreementBounds(value, upper, fQuantile)
    }
    switch form {
    case .oneWaySingle, .agreementSingle, .consistencySingle: return single
    case .oneWayMean, .agreementMean, .consistencyMean: return (ofMean(single.low), ofMean(single.high))
    }
  }

  /// Bounds from the ratios of the mean square between rows to that of the error.
  private func bounds(_ low: Double, _ high: Double) -> (low: Double, high: Double) {
    ((low - 1) / (low + k - 1), (high - 1) / (high + k - 1))
  }

  private func agreementBounds(
    _ value: Double, _ upper: Double, _ fQuantile: (Double, Double, Double) -> Double
  ) -> (low: Double, high: Double) {
    // Degrees of freedom of the error, which is a mixture of two mean squares.
    let a = k * value / (n * (1 - value)) * columns
    let b = (1 + k * value * (n - 1) / (n * (1 - value))) * residual
    let degrees = (a + b) * (a + b) / (a * a / (k - 1) + b * b / ((n - 1) * (k - 1)))
    let error = k * columns + (k * n - k - n) * residual
    let low = fQuantile(upper, n - 1, degrees)
    let high = fQuantile(upper, degrees, n - 1)
    return (
      n * (rows - low * residual) / (low * error + n * rows), n * (high * rows - residual) / (error + n * high * rows)
    )
  }

  /// The reliability of the mean of k ratings, each as reliable as this.
  private func ofMean(_ single: Double) -> Double { k * single / (1 + (k - 1) * single) }
}

extension IntraclassCorrelation: MetricGroup {
  public static let title = "grades"

  public static let plainNames = [
    "grades.icc-1-1": "one rating, changing raters (ICC)",
    "grades.icc-a-1": "one rating, absolute (ICC)",
    "grades.icc-c-1": "one rating, consistent (ICC)",
    "grades.icc-1-k": "mean rating, changing raters (ICC)",
    "grades.icc-a-k": "mean rating, absolute (ICC)",
    "grades.icc-c-k": "mean rating, consistent (ICC)",
  ]

  public static func metrics(for detector: ScoredDetector) -> [Metric] {
    Metric.intraclassCorrelation
  }
}

extension Metric {
  /// All six.
  public static let intraclassCorrelation = IntraclassCorrelation.Form.allCases.map { intraclassCorrelation($0) }

  public static func intraclassCorrelation(_ form: IntraclassCorrelation.Form) -> Metric {
    let of =
      switch form {
      case .oneWaySingle: "one rating, different raters per item"
      case .agreementSingle: "one rating, absolute agreement"
      case .consistencySingle: "one rating, consistency"
      case .oneWayMean: "the mean rating, different raters per item"
      case .agreementMean: "the mean rating, absolute agreement"
      case .consistencyMean: "the mean rating, consistency"
      }
    let suffix = form.rawValue.lowercased().filter { $0.isLetter || $0.isNumber || $0 == "," }
      .replacing(",", with: "-").replacing("icc", with: "icc-")
    // An agreement falls below -1 with few rows and raters with the same mean, and a mean's reliability always can.
    let lowest = form == .oneWaySingle || form == .consistencySingle ? -1 : -Double.infinity
    return Metric(
      "grades.\(suffix)", "Share of the variance of grades that is between items, for \(of): \(form.rawValue).",
      .higherIsBetter, range: lowest...1,
      undefined: "fewer than two reps or raters, a rating missing, or no variance",
      source: "Shrout and Fleiss, 1979; McGraw and Wong, 1996, table 4", aggregation: .pooled)
  }
}
