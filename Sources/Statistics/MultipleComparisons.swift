/// P values adjusted to limit the probability of any false alarm among them to the level; in the given order.
///
/// Valid for any dependence. `nil` if a value is not in 0...1: an undefined value is not significant, and leaving it
/// out would understate the number of comparisons.
///
/// - Source: Holm, A Simple Sequentially Rejective Multiple Test Procedure, Scandinavian Journal of Statistics 6, 1979.
public func holm(_ pValues: [Double]) -> [Double]? {
  guard pValues.allSatisfy({ (0...1).contains($0) }) else { return nil }
  var adjusted = pValues
  var largest = 0.0
  for (rank, index) in pValues.indices.sorted(by: { pValues[$0] < pValues[$1] }).enumerated() {
    largest = max(largest, min(1, pValues[index] * Double(pValues.count - rank)))
    adjusted[index] = largest
  }
  return adjusted
}

/// P values adjusted to limit the expected share of false alarms among the alarms to the level; in the given order.
///
/// Valid for independent and for positively dependent tests. `nil` if a value is not in 0...1.
///
/// - Source: Benjamini and Hochberg, Controlling the False Discovery Rate, Journal of the Royal Statistical Society B
///   57, 1995.
public func benjaminiHochberg(_ pValues: [Double]) -> [Double]? {
  guard pValues.allSatisfy({ (0...1).contains($0) }) else { return nil }
  var adjusted = pValues
  var smallest = 1.0
  for (rank, index) in pValues.indices.sorted(by: { pValues[$0] < pValues[$1] }).enumerated().reversed() {
    // The quotient first: it is at least 1, and rounding cannot adjust a value downwards.
    smallest = min(smallest, pValues[index] * (Double(pValues.count) / Double(rank + 1)))
    adjusted[index] = smallest
  }
  return adjusted
}
