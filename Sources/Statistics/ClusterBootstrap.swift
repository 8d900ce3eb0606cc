/// The bootstrap of a statistic of clips that come in clusters: whole clusters, such as subjects, are drawn again.
///
/// For statistics that have no value for each subject, as a correlation over all clips. Resampling clips would take the
/// clips of one subject for independent. The interval is bias-corrected and accelerated (BCa), with the acceleration
/// from leaving out a cluster at a time. With few clusters, ten or so, it is too narrow, as all bootstrap intervals
/// are: a t interval on the subjects' values is the better one where there are such values.
///
/// - Source: Efron, Better Bootstrap Confidence Intervals, JASA 82, 1987; DiCiccio and Efron, Bootstrap Confidence
///   Intervals, Statistical Science 11, 1996.
public struct ClusterBootstrap: Hashable, Sendable {
  /// How many times as many clusters as there are are drawn.
  public var resamples: Int
  /// 0.95 for a 95 % interval.
  public var level: Double
  /// An interval is refused where the statistic is undefined for a larger share of the resamples.
  public var largestUndefinedShare: Double

  public init(resamples: Int = 10_000, level: Double = 0.95, largestUndefinedShare: Double = 0.05) {
    self.resamples = resamples
    self.level = level
    self.largestUndefinedShare = largestUndefinedShare
  }

  /// Of a statistic that is a function of how often each cluster is drawn; `nil` where it is undefined for the sample.
  ///
  /// - Parameters:
  ///   - clusters: How many there are.
  ///   - generator: Gives one number, the seed of the resamples.
  ///   - statistic: Gets a count for each cluster, 1 for each in the sample itself; `nil` where it is undefined. It
  ///     must not keep the array, which is filled anew each time.
  public func estimate(
    clusters: Int, using generator: inout some RandomNumberGenerator, statistic: (_ counts: [Int]) -> Double?
  ) -> BootstrapEstimate? {
    let seed = generator.next()
    var counts = [Int](repeating: 1, count: clusters)
    guard let value = defined(statistic(counts)) else { return nil }
    var replicates = Replicates(value: value, resamples: resamples, clusters: clusters)
    for cluster in 0..<clusters where clusters > 1 {
      counts[cluster] = 0
      replicates.leaveOut(defined(statistic(counts)))
      counts[cluster] = 1
    }
    var random = SeededGenerator(seed: seed)
    for _ in 0..<resamples where clusters > 1 {
      for cluster in 0..<clusters { counts[cluster] = 0 }
      for _ in 0..<clusters { counts[random.index(below: clusters)] += 1 }
      replicates.resample(defined(statistic(counts)))
    }
    return replicates.estimate(level: level, largestUndefinedShare: largestUndefinedShare)
  }

  /// Of a statistic that is a function of sums over the clusters drawn, as every pooled tally is; `nil` where it is
  /// undefined for the sample.
  ///
  /// - Parameters:
  ///   - sums: What each cluster adds.
  ///   - generator: Gives one number, the seed of the resamples.
  ///   - statistic: Gets the sums; `nil` where it is undefined. It must not keep the array, which is filled anew.
  public func estimate(
    _ sums: ClusterSums, using generator: inout some RandomNumberGenerator, statistic: (_ sums: [Double]) -> Double?
  ) -> BootstrapEstimate? {
    withoutActuallyEscaping(statistic) { estimates(sums, using: &generator, statistics: [$0]).first ?? nil }
  }

  /// Of many statistics on the same resamples, for one draw and one sum each.
  public func estimates(
    _ sums: ClusterSums, using generator: inout some RandomNumberGenerator, statistics: [(_ sums: [Double]) -> Double?]
  ) -> [BootstrapEstimate?] {
    let seed = generator.next()
    let clusters = sums.clusters
    var total = sums.total
    var all = statistics.map { statistic in
      defined(statistic(total)).map { Replicates(value: $0, resamples: resamples, clusters: clusters) }
    }
    for left in 0..<clusters where clusters > 1 {
      // Summed anew: subtracting the cluster from the total would leave rounding where there should be 0.
      for column in 0..<sums.width { total[column] = 0 }
      for cluster in 0..<clusters where cluster != left { sums.accumulate(cluster, into: &total) }
      for (index, statistic) in statistics.enumerated() { all[index]?.leaveOut(defined(statistic(total))) }
    }
    var random = SeededGenerator(seed: seed)
    for _ in 0..<resamples where clusters > 1 {
      for column in 0..<sums.width { total[column] = 0 }
      for _ in 0..<clusters { sums.accumulate(random.index(below: clusters), into: &total) }
      for (index, statistic) in statistics.enumerated() { all[index]?.resample(defined(statistic(total))) }
    }
    return all.map { $0?.estimate(level: level, largestUndefinedShare: largestUndefinedShare) }
  }

  private func defined(_ value: Double?) -> Double? {
    guard let value, value.isFinite else { return nil }
    return value
  }
}
