import RealModule

/// The values of a statistic over resamples, from which its interval is read.
struct Replicates {
  var value: Double
  var clusters: Int
  /// Of the resamples for which it is defined.
  private var values: [Double] = []
  private var undefined = 0
  /// With a cluster left out at a time.
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
    // Of values equal to the sample's, half count as below: a metric of few values has many of them.
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

  /// A sixth of the skewness of the values with a cluster left out at a time; 0 where they are all equal.
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
