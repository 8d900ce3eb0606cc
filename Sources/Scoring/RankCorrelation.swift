/// Spearman's ρ: Pearson's correlation of the ranks, ties sharing the mean of theirs.
///
/// −1...1; `nil` for fewer than two pairs, where one side does not vary, and for NaN, which has no rank.
///
/// - Precondition: as many of `a` as of `b`.
/// - Source: Spearman, The Proof and Measurement of Association between Two Things, 1904.
public func spearman(_ a: [Double], _ b: [Double]) -> Double? {
  guard !a.contains(where: \.isNaN), !b.contains(where: \.isNaN) else { return nil }
  return pearson(ranks(a), ranks(b))
}

/// Pearson's product-moment correlation.
///
/// −1...1; `nil` for fewer than two pairs, where one side does not vary, and where its variation is no finite number.
///
/// - Precondition: as many of `a` as of `b`.
/// - Source: Pearson, Note on Regression and Inheritance in the Case of Two Parents, 1895.
public func pearson(_ a: [Double], _ b: [Double]) -> Double? {
  precondition(a.count == b.count)
  // Asked of the values themselves: the mean of equal values may differ from them in the last bit.
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
  let order = values.indices.sorted { values[$0] < values[$1] }
  var ranks = [Double](repeating: 0, count: values.count)
  var first = 0
  while first < order.count {
    var next = first + 1
    while next < order.count && values[order[next]] == values[order[first]] { next += 1 }
    // They are the ranks first + 1 through next.
    for index in order[first..<next] { ranks[index] = Double(first + 1 + next) / 2 }
    first = next
  }
  return ranks
}
