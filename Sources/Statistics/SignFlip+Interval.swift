extension SignFlip {
  /// The interval on the centre of symmetry of the differences: every value that the exact two-sided test keeps.
  ///
  /// Its ends are the k-th smallest and k-th largest of the means of all 2ⁿ - 1 subsets, with k the level's tail times
  /// 2ⁿ, rounded down, so that it holds at least its level. `nil` where k is 0, as with fewer than six differences at
  /// 95 %, with more than `exactLimit` of them, and with one that is not finite.
  ///
  /// - Parameter level: 0..<1.
  /// - Source: Hartigan, Using Subsample Values as Typical Values, JASA 64, 1969.
  public static func interval(_ differences: [Double], level: Double = 0.95) -> Interval? {
    guard !differences.isEmpty, differences.count <= exactLimit, differences.allSatisfy(\.isFinite),
      let lowest = differences.min(), let highest = differences.max()
    else { return nil }
    // 0.05 / 2 in doubles is above or below it; a k that is whole on paper stays so.
    let tail = (1 - level) / 2 * Double(1 << differences.count)
    let k = Int((tail * (1 + 1e-12)).rounded(.down))
    guard k >= 1 else { return nil }
    guard lowest < highest else { return Interval(low: lowest, high: lowest, level: level) }
    let mirrored = differences.map { -$0 }
    return Interval(
      low: subsetMean(k, of: differences, between: lowest, and: highest),
      high: -subsetMean(k, of: mirrored, between: -highest, and: -lowest), level: level)
  }

  /// The k-th smallest of the means of all subsets but the empty one.
  private static func subsetMean(_ k: Int, of values: [Double], between low: Double, and high: Double) -> Double {
    // A subset's mean is at most m where the sum of its values less m is at most 0; of rounding's size counts as 0.
    func holds(_ m: Double) -> Bool {
      let slack = values.reduce(0) { $0 + abs($1 - m) } * 1e-15
      let above = SubsetSums(values.map { $0 - m }).count(atLeast: slack, strictly: true)
      // The empty subset is among those not above.
      return (1 << values.count) - above - 1 >= k
    }
    return holds(low) ? low : bisect(low, high, where: holds)
  }
}
