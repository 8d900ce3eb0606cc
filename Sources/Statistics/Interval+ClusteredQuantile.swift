import RealModule

extension Interval {
  /// The interval on the quantile `p` of samples that come in clusters whose members are alike, as one person's reps or the
  /// blocks of one clip: Woodruff's.
  ///
  /// The share of samples up to the estimated quantile is a ratio of two sums over clusters; its t interval, with one
  /// degree of freedom less than there are clusters, is read back through the samples' own distribution. The share's
  /// standard error is never taken for less than that of independent samples: where few lie beyond the quantile, those
  /// that do may fall on the clusters evenly by chance. A cluster without a sample counts as none.
  ///
  /// `nil` for fewer than two clusters, for a sample that is not finite, for a `p` that is not between 0 and 1, and where
  /// the share's interval leaves 0 to 1: then no sample is far enough out.
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
}
