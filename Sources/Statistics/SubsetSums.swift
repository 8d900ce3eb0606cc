/// How many of the sums over all 2ⁿ subsets lie above a bound, in about 2^(n/2) steps.
///
/// Each half's sums are listed in order; for each sum of the one, those of the other that lift it above the bound are
/// a tail, whose start only moves down.
///
/// - Source: Horowitz and Sahni, Computing Partitions with Applications to the Knapsack Problem, Journal of the ACM 21,
///   1974.
struct SubsetSums {
  private var first: [Double]
  private var second: [Double]

  init(_ values: [Double]) {
    let half = values.count / 2
    first = Self.sorted(values[..<half])
    second = Self.sorted(values[half...])
  }

  func count(atLeast bound: Double, strictly: Bool = false) -> Int {
    var count = 0
    var start = second.count
    for sum in first {
      while start > 0, strictly ? sum + second[start - 1] > bound : sum + second[start - 1] >= bound { start -= 1 }
      count += second.count - start
    }
    return count
  }

  /// The sums without a value and those with it are both in order: merging them keeps all in order in as many steps as
  /// there are sums.
  private static func sorted(_ values: ArraySlice<Double>) -> [Double] {
    var sums = [0.0]
    for value in values {
      let count = sums.count
      let merged = [Double](unsafeUninitializedCapacity: 2 * count) { merged, initialized in
        var (without, with) = (0, 0)
        for place in 0..<2 * count {
          let isWithout = with == count || without < count && sums[without] <= sums[with] + value
          merged.initializeElement(at: place, to: isWithout ? sums[without] : sums[with] + value)
          if isWithout { without += 1 } else { with += 1 }
        }
        initialized = 2 * count
      }
      sums = merged
    }
    return sums
  }
}
