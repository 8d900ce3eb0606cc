/// How many of the sums over all 2ⁿ subsets lie above a bound, in about 2^(n/2) steps.
///
/// Each half's sums are listed and sorted; for each sum of the one, those of the other that lift it above the bound are
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

  private static func sorted(_ values: ArraySlice<Double>) -> [Double] {
    var sums = [0.0]
    sums.reserveCapacity(1 << values.count)
    for value in values {
      for index in sums.indices { sums.append(sums[index] + value) }
    }
    return sums.sorted()
  }
}
