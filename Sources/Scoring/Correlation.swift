/// Spearman's ρ: Pearson's correlation of the ranks, ties sharing the mean of theirs.
///
/// −1...1; `nil` with fewer than two pairs, if one side does not vary, and for NaN, which has no rank.
///
/// - Precondition: `a` and `b` have the same count.
/// - Source: Spearman, The Proof and Measurement of Association between Two Things, 1904.
public func spearman(_ a: [Double], _ b: [Double]) -> Double? {
  guard !a.contains(where: \.isNaN), !b.contains(where: \.isNaN) else { return nil }
  return pearson(ranks(a), ranks(b))
}

/// `spearman` of the pairs of all groups but one, for each group: sorts once.
///
/// - Parameters:
///   - groups: The group of each pair, from 0.
///   - count: The number of groups.
func spearman(_ a: [Double], _ b: [Double], withoutEachOf groups: [Int], count: Int) -> [Double?] {
  guard !a.contains(where: \.isNaN), !b.contains(where: \.isNaN) else { return [Double?](repeating: nil, count: count) }
  let (rankingA, rankingB) = (Ranking(a, groups), Ranking(b, groups))
  let all = spearman(a, b)
  var isPresent = [Bool](repeating: false, count: count)
  for group in groups { isPresent[group] = true }
  // Refilled for each group: pairs that are left out keep old ranks, which are never read.
  var (ranksA, ranksB) = ([Double](repeating: 0, count: a.count), [Double](repeating: 0, count: b.count))
  var (keptA, keptB) = ([Double](), [Double]())
  return (0..<count).map { group in
    guard isPresent[group] else { return all }
    rankingA.rank(into: &ranksA, without: group)
    rankingB.rank(into: &ranksB, without: group)
    keptA.removeAll(keepingCapacity: true)
    keptB.removeAll(keepingCapacity: true)
    for index in groups.indices where groups[index] != group {
      keptA.append(ranksA[index])
      keptB.append(ranksB[index])
    }
    return pearson(keptA, keptB)
  }
}

/// Values in ascending order, sorted once to be ranked repeatedly without some of them.
private struct Ranking {
  private let order: [Int]
  /// The group of each value, in that order.
  private let groups: [Int]
  /// The ends of runs of equal values.
  private let ends: [Int]

  init(_ values: [Double], _ groups: [Int]) {
    let order = values.indices.sorted { values[$0] < values[$1] }
    self.order = order
    self.groups = order.map { groups[$0] }
    ends = order.indices.filter { $0 + 1 == order.count || values[order[$0]] != values[order[$0 + 1]] }.map { $0 + 1 }
  }

  func rank(into ranks: inout [Double], without group: Int) {
    var (first, ranked) = (0, 0)
    for end in ends {
      var ties = 0
      for place in first..<end where groups[place] != group { ties += 1 }
      // They are the ranks ranked + 1 through ranked + ties.
      let rank = Double(2 * ranked + 1 + ties) / 2
      for place in first..<end where groups[place] != group { ranks[order[place]] = rank }
      ranked += ties
      first = end
    }
  }
}

/// Pearson's product-moment correlation.
///
/// −1...1; `nil` with fewer than two pairs, if one side does not vary, and if its variation is not finite.
///
/// - Precondition: `a` and `b` have the same count.
/// - Source: Pearson, Note on Regression and Inheritance in the Case of Two Parents, 1895.
public func pearson(_ a: [Double], _ b: [Double]) -> Double? {
  precondition(a.count == b.count)
  // Checked on the values themselves: the mean of equal values may differ from them in the last bit.
  guard varies(a) && varies(b) else { return nil }
  let n = Double(a.count)
  let meanA = a.reduce(0, +) / n
  let meanB = b.reduce(0, +) / n
  var (ab, aa, bb) = (0.0, 0.0, 0.0)
  for (x, y) in zip(a, b) {
    ab += (x - meanA) * (y - meanB)
    aa += (x - meanA) * (x - meanA)
    bb += (y - meanB) * (y - meanB)
  }
  let scale = aa.squareRoot() * bb.squareRoot()
  guard scale > 0 && scale.isFinite else { return nil }
  return min(max(ab / scale, -1), 1)
}

private func varies(_ values: [Double]) -> Bool { values.contains { $0 != values[0] } }

/// The rank of each value, 1 for the smallest; equal values share the mean of their ranks.
public func ranks(_ values: [Double]) -> [Double] {
  var ranks = [Double](repeating: 0, count: values.count)
  Ranking(values, [Int](repeating: 0, count: values.count)).rank(into: &ranks, without: -1)
  return ranks
}

/// Kendall's τ-b: how many more pairs agree in order than disagree, corrected for ties on either side.
///
/// −1...1, symmetric; `nil` with fewer than two pairs, if one side does not vary, and for NaN, which has no rank. Takes
/// n log n comparisons.
///
/// - Precondition: `a` and `b` have the same count.
/// - Source: Kendall, The Treatment of Ties in Ranking Problems, 1945; counted as in Knight, A Computer Method for
///   Calculating Kendall's Tau with Ungrouped Data, 1966.
public func kendallTauB(_ a: [Double], _ b: [Double]) -> Double? {
  precondition(a.count == b.count)
  guard !a.contains(where: \.isNaN), !b.contains(where: \.isNaN) else { return nil }
  let order = a.indices.sorted { a[$0] != a[$1] ? a[$0] < a[$1] : b[$0] < b[$1] }
  let tiedInA = tiedPairs(order) { a[$0] == a[$1] }
  let tiedInBoth = tiedPairs(order) { a[$0] == a[$1] && b[$0] == b[$1] }
  var sorted = order.map { b[$0] }
  var buffer = sorted
  let discordant = sortCountingInversions(&sorted, &buffer, 0..<sorted.count)
  let tiedInB = tiedPairs(sorted) { $0 == $1 }

  let pairs = a.count * (a.count - 1) / 2
  let (untiedInA, untiedInB) = (pairs - tiedInA, pairs - tiedInB)
  guard untiedInA > 0 && untiedInB > 0 else { return nil }
  let concordant = pairs - tiedInA - tiedInB + tiedInBoth - discordant
  let tau = Double(concordant - discordant) / (Double(untiedInA) * Double(untiedInB)).squareRoot()
  return min(max(tau, -1), 1)
}

/// Correlations of two lists of numbers: `spearman`, `pearson` and `kendallTauB`.
public enum Correlation: MetricGroup {
  public static let title = "grades"

  public static func metrics(for detector: ScoredDetector) -> [Metric] {
    [.pearson, .kendallTauB]
  }
}

extension Metric {
  public static let pearson = Metric(
    "grades.pearson", "Linear correlation of the grades with the raters' mean.", .higherIsBetter, range: -1...1,
    undefined: "fewer than two reps are graded by both detector and raters, or no variation",
    source: "Pearson, Note on Regression and Inheritance in the Case of Two Parents, 1895", aggregation: .pooled)

  public static let kendallTauB = Metric(
    "grades.kendall", "Agreement of the order of grades with the raters' order, corrected for ties (Kendall's τ-b).",
    .higherIsBetter, range: -1...1,
    undefined: "fewer than two reps are graded by both detector and raters, or no variation",
    source: "Kendall, The Treatment of Ties in Ranking Problems, 1945; Knight, 1966", aggregation: .pooled)
}

/// Number of pairs within runs of equal neighbours.
private func tiedPairs<Value>(_ values: [Value], _ areEqual: (Value, Value) -> Bool) -> Int {
  var pairs = 0
  var run = 0
  for (previous, next) in zip(values, values.dropFirst()) {
    run = areEqual(previous, next) ? run + 1 : 0
    pairs += run
  }
  return pairs
}

/// Sorts the values in `range` and returns how many pairs of them were in the wrong order.
private func sortCountingInversions(_ values: inout [Double], _ buffer: inout [Double], _ range: Range<Int>) -> Int {
  guard range.count > 1 else { return 0 }
  let middle = range.lowerBound + range.count / 2
  var inversions =
    sortCountingInversions(&values, &buffer, range.lowerBound..<middle)
    + sortCountingInversions(&values, &buffer, middle..<range.upperBound)
  var (left, right) = (range.lowerBound, middle)
  for position in range {
    if right == range.upperBound || (left < middle && values[left] <= values[right]) {
      buffer[position] = values[left]
      left += 1
    } else {
      buffer[position] = values[right]
      right += 1
      inversions += middle - left
    }
  }
  for position in range { values[position] = buffer[position] }
  return inversions
}
