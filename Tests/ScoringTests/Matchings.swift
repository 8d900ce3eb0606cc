/// Positions that are matched with each other.
struct Pair: Hashable {
  var truth: Int
  var predicted: Int
}

/// The best of all matchings, by trying every one, also those that cross.
struct AllMatchings {
  private(set) var pairs = 0
  private(set) var distance: Int64 = 0
  /// Whether no other matching is as good.
  private(set) var isOnly = true

  init(_ truth: [Int64], _ predicted: [Int64], _ tolerance: Int64) {
    var free = [Bool](repeating: true, count: predicted.count)
    var isFirst = true
    func extend(from next: Int, pairs soFar: Int, distance: Int64) {
      guard next < truth.count else {
        if isFirst || soFar > pairs || (soFar == pairs && distance < self.distance) {
          (self.pairs, self.distance, isOnly, isFirst) = (soFar, distance, true, false)
        } else if soFar == pairs && distance == self.distance {
          isOnly = false
        }
        return
      }
      extend(from: next + 1, pairs: soFar, distance: distance)
      for other in predicted.indices where free[other] {
        let apart = abs(truth[next] - predicted[other])
        guard apart <= tolerance else { continue }
        free[other] = false
        extend(from: next + 1, pairs: soFar + 1, distance: distance + apart)
        free[other] = true
      }
    }
    extend(from: 0, pairs: 0, distance: 0)
  }
}

/// The best matching that does not cross, by a table over both sorted lists.
struct AlignmentTable {
  let pairs: Int
  let distance: Int64

  init(_ truth: [Int64], _ predicted: [Int64], _ tolerance: Int64) {
    struct Cell {
      var pairs = 0
      var distance: Int64 = 0

      func orBetter(_ other: Cell) -> Cell {
        (other.pairs, -other.distance) > (pairs, -distance) ? other : self
      }
    }
    let (truth, predicted) = (truth.sorted(), predicted.sorted())
    var above = [Cell](repeating: Cell(), count: predicted.count + 1)
    for instant in truth {
      var row = [Cell()]
      for (j, other) in predicted.enumerated() {
        var cell = above[j + 1].orBetter(row[j])
        let apart = abs(instant - other)
        if apart <= tolerance {
          cell = cell.orBetter(Cell(pairs: above[j].pairs + 1, distance: above[j].distance + apart))
        }
        row.append(cell)
      }
      above = row
    }
    let last = above.last ?? Cell()
    (pairs, distance) = (last.pairs, last.distance)
  }
}
