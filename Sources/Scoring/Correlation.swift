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

/// `spearman` of the pairs of all groups but one, for each group.
///
/// Takes n log n for groups that do not grow with n: a pair that is left out lowers the ranks above its own by 1 and
/// those of its ties by a half, so that the sums over all pairs are corrected instead of made again. For groups of
/// hundreds of pairs, the pairs are ranked again without each.
///
/// - Parameters:
///   - groups: The group of each pair, from 0.
///   - count: The number of groups.
func spearman(_ a: [Double], _ b: [Double], withoutEachOf groups: [Int], count: Int) -> [Double?] {
  guard !a.contains(where: \.isNaN), !b.contains(where: \.isNaN) else { return [Double?](repeating: nil, count: count) }
  let (rankingA, rankingB) = (Ranking(a, groups), Ranking(b, groups))
  let all = spearman(a, b)
  var members = [[Int]](repeating: [], count: count)
  for (index, group) in groups.enumerated() { members[group].append(index) }
  let corrections = members.reduce(0) { $0 + $1.count * $1.count } * (Int.bitWidth - a.count.leadingZeroBitCount)
  if corrections < a.count * members.count(where: { !$0.isEmpty }) {
    let products = productSums(rankingA, rankingB, withoutEachOf: members)
    let (tiesA, tiesB) = (rankingA.ties(withoutEachOf: members), rankingB.ties(withoutEachOf: members))
    return members.indices.map { group in
      guard !members[group].isEmpty else { return all }
      let n = Double(a.count - members[group].count)
      let free = (n * n * n - n) / 12
      let scale = (free - tiesA[group]).squareRoot() * (free - tiesB[group]).squareRoot()
      guard scale > 0 else { return nil }
      return min(max((products[group] - n * (n + 1) * (n + 1) / 4) / scale, -1), 1)
    }
  }
  // Refilled for each group: pairs that are left out keep old ranks, which are never read.
  var (ranksA, ranksB) = ([Double](repeating: 0, count: a.count), [Double](repeating: 0, count: b.count))
  var (keptA, keptB) = ([Double](), [Double]())
  return members.indices.map { group in
    guard !members[group].isEmpty else { return all }
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

/// The sum of the products of both ranks of each pair, ranked without a group, for each group.
///
/// With a(i, j) for how much the first rank of j falls without i, and b(i, j) for the second, the ranks of j without the
/// group G are R(j) − Σ a(i, j) and S(j) − Σ b(i, j) over i in G. The product is multiplied out and summed over all j, and
/// what the members j of G add is taken off.
private func productSums(_ first: Ranking, _ second: Ranking, withoutEachOf members: [[Int]]) -> [Double] {
  let (ranksA, ranksB) = (first.ranks, second.ranks)
  let (runA, runB) = (first.runs, second.runs)
  let whole = zip(ranksA, ranksB).reduce(0) { $0 + $1.0 * $1.1 }
  let (aboveA, aboveB) = (first.sumsAbove(ranksB), second.sumsAbove(ranksA))
  // Σ over j of a(i, j) · b(k, j), for all i and k of a group: pairs are added by falling first value, half of their
  // weight before and half after those with the same value are looked up.
  var crossed = [Double](repeating: 0, count: members.count)
  var weights = RunWeights(count: second.ends.count)
  var end = first.order.count
  for start in first.ends.dropLast().reversed() + (first.ends.isEmpty ? [] : [0]) {
    for place in start..<end { weights.add(0.5, to: runB[first.order[place]]) }
    for place in start..<end {
      let group = first.groups[place]
      for other in members[group] { crossed[group] += weights.above(runB[other]) }
    }
    for place in start..<end { weights.add(0.5, to: runB[first.order[place]]) }
    end = start
  }
  return members.indices.map { group in
    var sum = whole + crossed[group]
    for j in members[group] {
      sum -= aboveA[runA[j]] + aboveB[runB[j]]
      // The ranks of a member without the group, which count in the sums over all.
      var (rankA, rankB) = (ranksA[j], ranksB[j])
      for i in members[group] {
        rankA -= runA[j] > runA[i] ? 1 : runA[j] == runA[i] ? 0.5 : 0
        rankB -= runB[j] > runB[i] ? 1 : runB[j] == runB[i] ? 0.5 : 0
      }
      sum -= rankA * rankB
    }
    return sum
  }
}

/// Weights of runs of equal values, with sums in log n (Fenwick, A New Data Structure for Cumulative Frequency Tables,
/// 1994).
private struct RunWeights {
  private var sums: [Double]
  private var own: [Double]
  private var total = 0.0

  init(count: Int) { (sums, own) = ([Double](repeating: 0, count: count + 1), [Double](repeating: 0, count: count)) }

  mutating func add(_ weight: Double, to run: Int) {
    own[run] += weight
    total += weight
    var place = run + 1
    while place < sums.count {
      sums[place] += weight
      place += place & -place
    }
  }

  /// The weight of all runs above one, and half of its own.
  func above(_ run: Int) -> Double {
    var (below, place) = (0.0, run + 1)
    while place > 0 {
      below += sums[place]
      place &= place - 1
    }
    return total - below + own[run] / 2
  }
}

/// Values in ascending order, sorted once to be ranked repeatedly without some of them.
private struct Ranking {
  let order: [Int]
  /// The group of each value, in that order.
  let groups: [Int]
  /// The ends of runs of equal values.
  let ends: [Int]

  init(_ values: [Double], _ groups: [Int]) {
    let order = values.indices.sorted { values[$0] < values[$1] }
    self.order = order
    self.groups = order.map { groups[$0] }
    ends = order.indices.filter { $0 + 1 == order.count || values[order[$0]] != values[order[$0 + 1]] }.map { $0 + 1 }
  }

  /// The rank of each value.
  var ranks: [Double] {
    var ranks = [Double](repeating: 0, count: order.count)
    rank(into: &ranks, without: -1)
    return ranks
  }

  /// The run of each value.
  var runs: [Int] {
    var runs = [Int](repeating: 0, count: order.count)
    var first = 0
    for (run, end) in ends.enumerated() {
      for place in first..<end { runs[order[place]] = run }
      first = end
    }
    return runs
  }

  /// For each run, the sum of numbers over the values above it, and half of the sum over its own.
  func sumsAbove(_ numbers: [Double]) -> [Double] {
    var (sums, above, end) = ([Double](repeating: 0, count: ends.count), 0.0, order.count)
    for run in ends.indices.reversed() {
      let first = run == 0 ? 0 : ends[run - 1]
      let own = order[first..<end].reduce(0) { $0 + numbers[$1] }
      sums[run] = above + own / 2
      above += own
      end = first
    }
    return sums
  }

  /// Σ (t³ − t) / 12 over runs of t equal values without a group, for each group: what ties take off the squared
  /// deviations of ranks.
  func ties(withoutEachOf members: [[Int]]) -> [Double] {
    let runs = runs
    var sizes = zip(ends, [0] + ends).map { Double($0 - $1) }
    let all = sizes.reduce(0) { $0 + ($1 * $1 * $1 - $1) / 12 }
    return members.map { group in
      var ties = all
      for index in group {
        ties -= sizes[runs[index]] * (sizes[runs[index]] - 1) / 4
        sizes[runs[index]] -= 1
      }
      for index in group { sizes[runs[index]] += 1 }
      return ties
    }
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
  Ranking(values, [Int](repeating: 0, count: values.count)).ranks
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

  public static let plainNames = [
    "grades.pearson": "linear agreement",
    "grades.kendall": "order agreement",
  ]

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
