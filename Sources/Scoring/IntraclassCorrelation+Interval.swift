extension IntraclassCorrelation {
  /// The interval in which the correlation lies with a confidence of `level`, if ratings are normally distributed.
  ///
  /// `nil` where the value is undefined, and where raters agree fully, so that there is no error to judge it by.
  ///
  /// - Parameters:
  ///   - level: above 0, below 1.
  ///   - fQuantile: the quantile at a probability of the F distribution with so many degrees of freedom above and below
  ///     the line. They may be fractions.
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

  /// From ratios of the mean square between rows to that of the error.
  private func bounds(_ low: Double, _ high: Double) -> (low: Double, high: Double) {
    ((low - 1) / (low + k - 1), (high - 1) / (high + k - 1))
  }

  private func agreementBounds(
    _ value: Double, _ upper: Double, _ fQuantile: (Double, Double, Double) -> Double
  ) -> (low: Double, high: Double) {
    // Degrees of freedom of the error, which mixes two mean squares.
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
