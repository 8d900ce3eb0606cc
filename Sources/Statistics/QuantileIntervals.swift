import RealModule

extension Interval {
  /// Woodruff's interval on the quantile `p` of samples in clusters with similar members, such as one person's reps or
  /// the blocks of one clip.
  ///
  /// The share of samples up to the estimated quantile is a ratio of two sums over clusters; its t interval, with one
  /// degree of freedom less than the number of clusters, is mapped back through the samples' own distribution. The
  /// share's standard error is at least that of independent samples: if few lie beyond the quantile, they may be spread
  /// evenly over the clusters by chance. A cluster without a sample does not count.
  ///
  /// `nil` with fewer than two clusters, for a sample that is not finite, for a `p` that is not between 0 and 1, and if
  /// the share's interval exceeds 0 to 1: no sample is then far enough out.
  ///
  /// - Parameter level: 0..<1.
  /// - Source: Woodruff, Confidence Intervals for Medians and Other Position Measures, JASA 47, 1952; as in the SURVEYMEANS
  ///   procedure of SAS, "Quantiles", and `svyquantile(interval.type = "mean")` of R's survey package.
  public static func quantile(_ p: Double, ofClusters clusters: [[Double]], level: Double = 0.95) -> Interval? {
    let sampled = clusters.filter { !$0.isEmpty }
    let sorted = sampled.flatMap(\.self).sorted()
    guard p > 0, p < 1, sampled.count >= 2, sorted.allSatisfy(\.isFinite),
      let estimate = Statistics.quantile(p, ofSorted: sorted)
    else { return nil }
    let (samples, groups) = (Double(sorted.count), Double(sampled.count))
    let below = sampled.map { cluster in Double(cluster.count { $0 <= estimate }) }
    let share = below.reduce(0, +) / samples
    let squares = zip(sampled, below).reduce(0.0) { sum, cluster in
      let residual = (cluster.1 - share * Double(cluster.0.count)) / samples
      return sum + residual * residual
    }
    let variance = max(squares * groups / (groups - 1), p * (1 - p) / samples)
    let half = StudentT(degreesOfFreedom: groups - 1).quantile(0.5 + level / 2) * variance.squareRoot()
    guard p - half > 0, p + half < 1, let low = Statistics.quantile(p - half, ofSorted: sorted),
      let high = Statistics.quantile(p + half, ofSorted: sorted)
    else { return nil }
    return Interval(low: low, high: high, level: level)
  }

  /// The interval on the quantile `p` whose ends are samples, valid for any continuous distribution.
  ///
  /// Each end is exceeded with at most half of the remaining probability. `nil` without samples, if no sample is far
  /// enough out, for a sample that is NaN, and for a `p` that is not between 0 and 1.
  ///
  /// - Parameter level: 0..<1.
  /// - Source: David and Nagaraja, Order Statistics, 3rd edition, 2003, section 7.1; Hahn and Meeker, Statistical
  ///   Intervals, 1991, section 5.2.
  public static func quantile(_ p: Double, of values: [Double], level: Double = 0.95) -> Interval? {
    guard p > 0, p < 1, !values.isEmpty, !values.contains(where: \.isNaN) else { return nil }
    let n = values.count
    let tail = (1 - level) / 2
    // The number of samples below the quantile is binomial. The r-th sample is above it if fewer than r are below.
    func below(_ r: Int) -> Double { binomialCumulative(r - 1, of: n, probability: p) }
    guard below(1) <= tail, below(n) >= 1 - tail,
      let first = smallest(from: 1, through: n, where: { below($0) > tail }),
      let last = smallest(from: 1, through: n, where: { below($0) >= 1 - tail })
    else { return nil }
    let sorted = values.sorted()
    return Interval(low: sorted[first - 2], high: sorted[last - 1], level: level)
  }
}

/// The smallest number of samples that supports the quantile `p`: that many, and with this confidence at least two of
/// them lie beyond the true quantile. `nil` for a `p` or a confidence that is not between 0 and 1.
///
/// With two beyond, the quantile is bounded by a sample other than the extreme one, which may be a single outlier. The
/// condition is 1 - n pⁿ⁻¹ + (n - 1) pⁿ ≥ confidence, which is also Wilks' for the smallest and the largest sample to
/// enclose the share `p` of the population: either way two of the n + 1 gaps that n samples leave stay outside, and a
/// share between ordered samples has a distribution that depends on the number of gaps only. At 99 % confidence the
/// median needs 11 samples, p90 64, p95 130, p99 662 and p99.9 6,636. For independent samples of any continuous
/// distribution.
///
/// - Parameter p: Quantiles below a half need as many as their mirror image above it.
/// - Source: Wilks, Determination of Sample Sizes for Setting Tolerance Limits, Annals of Mathematical Statistics 12,
///   1941; David and Nagaraja, Order Statistics, 3rd edition, 2003, section 7.2.
public func samplesNeeded(forQuantile p: Double, confidence: Double = 0.99) -> Int? {
  guard p > 0, p < 1, confidence > 0, confidence < 1 else { return nil }
  let share = max(p, 1 - p)
  return smallest(from: 2, through: 1 << 40) { n in
    // The probability that fewer than two of n lie beyond.
    let n = Double(n)
    let fewer = .exp((n - 1) * .log(share)) * (n - (n - 1) * share)
    return fewer <= 1 - confidence
  }
}
