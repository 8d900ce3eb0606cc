/// A sequence of points that fills the unit cube evenly however early it is cut off, made random by a seed.
///
/// Coordinate j of point i is i written in the j-th prime's base, each digit replaced by a random permutation for its
/// place, and mirrored at the point. The permutations break up the stripes that large bases otherwise draw.
///
/// - Source: Halton, On the efficiency of certain quasi-random sequences, Numerische Mathematik 2, 1960; Owen, A
///   randomized Halton algorithm in R, arXiv:1706.02808, 2017.
struct Halton: Sendable {
  private struct Coordinate: Sendable {
    var base: Int
    /// For each digit, the smallest place first, what stands for it.
    var permutations: [[Int]]
  }

  private let coordinates: [Coordinate]

  /// - Parameter dimensions: from 0.
  init(dimensions: Int, using generator: inout some RandomNumberGenerator) {
    var coordinates: [Coordinate] = []
    for base in Self.primes(dimensions) {
      // As many digits as a double's 53 bits tell apart.
      var permutations: [[Int]] = []
      var weight = 1.0
      while weight > 0x1p-53 {
        permutations.append(Self.permutation(of: base, using: &generator))
        weight /= Double(base)
      }
      coordinates.append(Coordinate(base: base, permutations: permutations))
    }
    self.coordinates = coordinates
  }

  /// The coordinates of a point, each from 0 to below 1.
  ///
  /// - Parameter index: from 0.
  func point(_ index: Int) -> [Double] {
    coordinates.map { coordinate in
      var rest = index
      var weight = 1.0
      var sum = 0.0
      for permutation in coordinate.permutations {
        weight /= Double(coordinate.base)
        sum += Double(permutation[rest % coordinate.base]) * weight
        rest /= coordinate.base
      }
      return min(sum, 1 - 0x1p-53)
    }
  }

  static func primes(_ count: Int) -> [Int] {
    var primes: [Int] = []
    var candidate = 2
    while primes.count < count {
      if primes.allSatisfy({ candidate % $0 != 0 }) { primes.append(candidate) }
      candidate += 1
    }
    return primes
  }

  /// Made here and not by the standard library, whose shuffle may change between versions.
  private static func permutation(of count: Int, using generator: inout some RandomNumberGenerator) -> [Int] {
    var order = Array(0..<count)
    for last in stride(from: count - 1, to: 0, by: -1) {
      order.swapAt(last, Int(generator.next() % UInt64(last + 1)))
    }
    return order
  }
}
