/// Sums over subsets drawn at random, each value in or out by coin.
///
/// The sums of all subsets of eight values are tabulated, so that eight coins cost one addition.
struct RandomSubsetSums {
  private var tables: [Double]
  private let count: Int

  init(_ values: [Double]) {
    count = (values.count + 7) / 8
    tables = [Double](repeating: 0, count: count * 256)
    for (index, value) in values.enumerated() {
      let start = index / 8 * 256
      let bit = 1 << (index % 8)
      for subset in 0..<256 where subset & bit != 0 { tables[start + subset] += value }
    }
  }

  func next(using random: inout SeededGenerator) -> Double {
    var sum = 0.0
    var coins: UInt64 = 0
    for table in 0..<count {
      if table % 8 == 0 { coins = random.next() }
      sum += tables[table * 256 + Int(coins & 255)]
      coins >>= 8
    }
    return sum
  }
}
