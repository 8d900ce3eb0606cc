/// The `rank`th smallest of some values, from 0, without sorting them all; none may be NaN.
package func value(ofRank rank: Int, in values: consuming [Float]) -> Float {
  values.withUnsafeMutableBufferPointer { value(ofRank: rank, reordering: $0) }
}

/// The same without a copy: the values are reordered.
///
/// Hoare's selection with the median of three as pivot: on average in time proportional to their number.
package func value(ofRank rank: Int, reordering values: UnsafeMutableBufferPointer<Float>) -> Float {
  var (low, high) = (0, values.count - 1)
  while low < high {
    let (a, b, c) = (values[low], values[(low + high) / 2], values[high])
    let pivot = max(min(a, b), min(max(a, b), c))
    var (left, right) = (low, high)
    while left <= right {
      while values[left] < pivot { left += 1 }
      while values[right] > pivot { right -= 1 }
      if left <= right {
        values.swapAt(left, right)
        left += 1
        right -= 1
      }
    }
    if rank <= right { high = right } else if rank >= left { low = left } else { break }
  }
  return values[rank]
}

/// The upper median of the finite ones of a few values, without allocation; `nil` if fewer than `fewest` are finite.
@inlinable
package func median(of count: Int, fewest: Int = 1, _ value: (Int) -> Float) -> Float? {
  withUnsafeTemporaryAllocation(of: Float.self, capacity: count) { sorted in
    var known = 0
    for index in 0..<count {
      let value = value(index)
      guard value.isFinite else { continue }
      var place = known
      while place > 0, sorted[place - 1] > value {
        sorted[place] = sorted[place - 1]
        place -= 1
      }
      sorted[place] = value
      known += 1
    }
    return known >= max(1, fewest) ? sorted[known / 2] : nil
  }
}
