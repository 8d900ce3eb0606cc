/// P values adjusted so that the chance of a single false alarm among them all stays at the level; in the given order.
///
/// Valid whatever their dependence. `nil` where a value is not in 0...1: what is undefined is neither significant nor
/// one comparison less.
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
