/// The numbers of a recording's frames, each once.
///
/// Files mostly have frames in order, which then takes no hashing; those that come late are kept apart.
struct FrameNumbers {
  private var growing: [Int] = []
  private var late: Set<Int> = []

  /// Says whether the number is new.
  @discardableResult
  mutating func insert(_ number: Int) -> Bool {
    guard let last = growing.last, number <= last else {
      growing.append(number)
      return true
    }
    guard number < last, !contains(number) else { return false }
    return late.insert(number).inserted
  }

  /// Whether it is among those that came in order.
  private func contains(_ number: Int) -> Bool {
    var below = 0
    var above = growing.count
    while below < above {
      let middle = (below + above) / 2
      if growing[middle] < number { below = middle + 1 } else { above = middle }
    }
    return below < growing.count && growing[below] == number
  }

  var isEmpty: Bool { growing.isEmpty }

  var count: Int { growing.count + late.count }

  var sorted: [Int] { late.isEmpty ? growing : (growing + late).sorted() }
}
