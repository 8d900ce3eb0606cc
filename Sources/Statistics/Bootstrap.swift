import RealModule

/// The bootstrap of a statistic over clustered clips: resamples whole clusters, such as subjects.
///
/// For statistics without a value per subject, such as a correlation over all clips. Resampling clips would treat a
/// subject's clips as independent. The interval is bias-corrected and accelerated (BCa), with the acceleration from
/// leaving out one cluster at a time. With few clusters, ten or so, it is too narrow, like all bootstrap intervals: if
/// each subject has a value, a t interval on the values is better.
///
/// - Source: Efron, Better Bootstrap Confidence Intervals, JASA 82, 1987; DiCiccio and Efron, Bootstrap Confidence
///   Intervals, Statistical Science 11, 1996.
public struct ClusterBootstrap: Hashable, Sendable {
  /// The number of resamples.
  public var resamples: Int
  /// The confidence level: 0.95 for a 95 % interval.
  public var level: Double
  /// No interval is given if the statistic is undefined for a larger share of the resamples.
  public var largestUndefinedShare: Double

  public init(resamples: Int = 10_000, level: Double = 0.95, largestUndefinedShare: Double = 0.05) {
    self.resamples = resamples
    self.level = level
    self.largestUndefinedShare = largestUndefinedShare
  }

  /// The interval of a statistic that depends on how often each cluster is drawn; `nil` if it is undefined for the
  /// sample.
  ///
  /// - Parameters:
  ///   - clusters: The number of clusters.
  ///   - generator: Supplies one number, the seed of the resamples.
  ///   - statistic: Receives a count for each cluster, 1 for each in the sample itself; returns `nil` if undefined. It
  ///     must not keep the array, which is reused.
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

  /// The interval of a statistic that depends on sums over the drawn clusters, as every pooled tally does; `nil` if it
  /// is undefined for the sample.
  ///
  /// - Parameters:
  ///   - sums: The contribution of each cluster.
  ///   - generator: Supplies one number, the seed of the resamples.
  ///   - statistic: Receives the sums; returns `nil` if undefined. It must not keep the array, which is reused.
  public func estimate(
    _ sums: ClusterSums, using generator: inout some RandomNumberGenerator, statistic: (_ sums: [Double]) -> Double?
  ) -> BootstrapEstimate? {
    withoutActuallyEscaping(statistic) { estimates(sums, using: &generator, statistics: [$0]).first ?? nil }
  }

  /// The intervals of many statistics on the same resamples, with one draw and one sum for each resample.
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
      // Summed again: subtracting the cluster from the total would leave rounding errors instead of 0.
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

/// A statistic's value with its bootstrap interval.
public struct BootstrapEstimate: Hashable, Sendable {
  /// The reason for a missing interval.
  public enum Refusal: Hashable, Sendable {
    /// There are fewer than two clusters.
    case tooFewClusters
    /// The statistic is undefined for a larger share of the resamples than is allowed.
    case undefined(share: Double)
    /// The statistic depends on one of the clusters and is undefined without it.
    case restsOnOneCluster
    /// The value is at the edge of the resampled values or beyond: its bias cannot be corrected.
    case biased
  }

  /// The statistic of the sample itself.
  public var value: Double
  public var interval: Interval?
  public var refusal: Refusal?
  public var clusters: Int
  public var resamples: Int
  /// Resamples for which the statistic is undefined or not finite; the interval leaves them out.
  public var undefined: Int
}

/// The contribution of each cluster to a statistic: a row of numbers that pool by adding, such as a subject's tallies.
public struct ClusterSums: Hashable, Sendable {
  public let clusters: Int
  /// The numbers per row.
  public let width: Int
  /// Row by row.
  public private(set) var values: [Double]

  /// Rows of zeros.
  ///
  /// - Precondition: Neither is negative.
  public init(clusters: Int, width: Int) {
    precondition(clusters >= 0 && width >= 0)
    self.clusters = clusters
    self.width = width
    values = [Double](repeating: 0, count: clusters * width)
  }

  /// Adds a clip's row to the row of its cluster.
  ///
  /// - Precondition: The row has `width` numbers, and there is such a cluster.
  public mutating func add(_ row: some Collection<Double>, to cluster: Int) {
    precondition(row.count == width && (0..<clusters).contains(cluster))
    for (column, value) in row.enumerated() { values[cluster * width + column] += value }
  }

  /// The sums over all clusters.
  public var total: [Double] {
    var total = [Double](repeating: 0, count: width)
    for cluster in 0..<clusters { accumulate(cluster, into: &total) }
    return total
  }

  func accumulate(_ cluster: Int, into sum: inout [Double]) {
    let start = cluster * width
    for column in 0..<width { sum[column] += values[start + column] }
  }
}

/// The values of a statistic over resamples, which give its interval.
struct Replicates {
  var value: Double
  var clusters: Int
  /// The values of the resamples with a defined statistic.
  private var values: [Double] = []
  private var undefined = 0
  /// The values with one cluster left out at a time.
  private var leftOut: [Double] = []
  private var undefinedLeftOut = 0

  init(value: Double, resamples: Int, clusters: Int) {
    self.value = value
    self.clusters = clusters
    values.reserveCapacity(resamples)
    leftOut.reserveCapacity(clusters)
  }

  mutating func resample(_ value: Double?) {
    if let value { values.append(value) } else { undefined += 1 }
  }

  mutating func leaveOut(_ value: Double?) {
    if let value { leftOut.append(value) } else { undefinedLeftOut += 1 }
  }

  func estimate(level: Double, largestUndefinedShare: Double) -> BootstrapEstimate {
    let resamples = values.count + undefined
    var estimate = BootstrapEstimate(value: value, clusters: clusters, resamples: resamples, undefined: undefined)
    let share = Double(undefined) / Double(max(1, resamples))
    if clusters < 2 || resamples == 0 {
      estimate.refusal = .tooFewClusters
    } else if share > largestUndefinedShare || values.isEmpty {
      estimate.refusal = .undefined(share: share)
    } else if undefinedLeftOut > 0 {
      estimate.refusal = .restsOnOneCluster
    } else if let interval = interval(level: level) {
      estimate.interval = interval
    } else {
      estimate.refusal = .biased
    }
    return estimate
  }

  /// - Source: Efron, Better Bootstrap Confidence Intervals, JASA 82, 1987, equations 2.3, 4.1 and 6.6 to 6.8.
  private func interval(level: Double) -> Interval? {
    let sorted = values.sorted()
    guard let smallest = sorted.first, let largest = sorted.last else { return nil }
    if smallest == value && largest == value { return Interval(low: value, high: value, level: level) }
    // Of values equal to the sample's, half count as below: a statistic with few distinct values has many of them.
    let below = Double(sorted.count { $0 < value }) + 0.5 * Double(sorted.count { $0 == value })
    let bias = Normal().quantile(below / Double(sorted.count))
    guard bias.isFinite else { return nil }
    func end(_ p: Double) -> Double? {
      let shifted = bias + Normal().quantile(p)
      let stretch = 1 - acceleration * shifted
      guard stretch > 0 else { return nil }
      return quantile(Normal().cumulative(bias + shifted / stretch), ofSorted: sorted)
    }
    guard let low = end(0.5 - level / 2), let high = end(0.5 + level / 2) else { return nil }
    return Interval(low: low, high: high, level: level)
  }

  /// A sixth of the skewness of the values with one cluster left out at a time; 0 if they are all equal.
  private var acceleration: Double {
    guard let centre = mean(leftOut) else { return 0 }
    var squares = 0.0
    var cubes = 0.0
    for value in leftOut {
      let distance = centre - value
      squares += distance * distance
      cubes += distance * distance * distance
    }
    return squares > 0 ? cubes / (6 * squares * squares.squareRoot()) : 0
  }
}
