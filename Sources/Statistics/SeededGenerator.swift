import RealModule

/// A seeded source of random numbers: xoshiro256**, its state filled by SplitMix64.
///
/// The same seed gives the same numbers on every machine. Not for cryptography.
///
/// - Source: Blackman and Vigna, Scrambled Linear Pseudorandom Number Generators, ACM Transactions on Mathematical
///   Software 47, 2021; Steele, Lea and Flood, Fast Splittable Pseudorandom Number Generators, OOPSLA 2014
///   (SplitMix64).
public struct SeededGenerator: RandomNumberGenerator, Sendable {
  @usableFromInline var state: (UInt64, UInt64, UInt64, UInt64)

  public init(seed: UInt64) { self.init(seed: seed, stream: []) }

  /// A generator whose numbers depend on the seed and on every number of `stream`, such as a subject's and a clip's.
  public init(seed: UInt64, stream: [Int]) {
    var counter = seed
    for number in stream {
      var mixed = counter ^ UInt64(bitPattern: Int64(number))
      counter = Self.splitMix(&mixed)
    }
    state = (
      Self.splitMix(&counter), Self.splitMix(&counter), Self.splitMix(&counter), Self.splitMix(&counter)
    )
  }

  @inlinable
  public mutating func next() -> UInt64 {
    let result = Self.rotate(state.1 &* 5, by: 7) &* 9
    let shifted = state.1 << 17
    state.2 ^= state.0
    state.3 ^= state.1
    state.1 ^= state.2
    state.0 ^= state.3
    state.2 ^= shifted
    state.3 = Self.rotate(state.3, by: 45)
    return result
  }

  private static func splitMix(_ counter: inout UInt64) -> UInt64 {
    counter &+= 0x9E37_79B9_7F4A_7C15
    var bits = counter
    bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
    bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
    return bits ^ (bits >> 31)
  }

  @inlinable
  static func rotate(_ value: UInt64, by count: UInt64) -> UInt64 {
    (value << count) | (value >> (64 - count))
  }
}

/// Random deviates, implemented here because the standard library's methods may change between versions.
extension RandomNumberGenerator {
  /// Uniform in 0..<1, a multiple of 2⁻⁵³.
  @inlinable
  public mutating func unit() -> Double { Double(next() >> 11) * 0x1p-53 }

  /// Uniform between two bounds, the upper one excluded except for rounding.
  @inlinable
  public mutating func uniform(_ lower: Double, _ upper: Double) -> Double { lower + (upper - lower) * unit() }

  /// Uniform in 0..<count, without bias.
  ///
  /// - Parameter count: Above 0.
  /// - Source: Lemire, Fast Random Integer Generation in an Interval, ACM Transactions on Modeling and Computer
  ///   Simulation 29, 2019.
  @inlinable
  @inline(__always)
  public mutating func index(below count: Int) -> Int {
    let bound = UInt64(count)
    var product = next().multipliedFullWidth(by: bound)
    if product.low < bound {
      let threshold = (0 &- bound) % bound
      while product.low < threshold { product = next().multipliedFullWidth(by: bound) }
    }
    return Int(product.high)
  }

  /// A uniform whole number in a closed range.
  ///
  /// Multiplies instead of dividing, which favours some values by less than 2⁻³² for small ranges. Generated datasets depend
  /// on it: `index(below:)`, which has no bias, gives other numbers.
  @inlinable
  public mutating func integer(_ range: ClosedRange<Int>) -> Int {
    range.lowerBound + Int((UInt64(range.count) &* (next() >> 32)) >> 32)
  }

  /// True with this probability.
  @inlinable
  public mutating func chance(_ probability: Double) -> Bool { unit() < probability }

  /// A normal deviate by the polar method.
  ///
  /// - Source: Marsaglia and Bray, A Convenient Method for Generating Normal Variables, SIAM Review 6, 1964.
  @inlinable
  public mutating func normal(_ mean: Double = 0, sd: Double = 1) -> Double {
    while true {
      let x = 2 * unit() - 1
      let y = 2 * unit() - 1
      let square = x * x + y * y
      if square > 0 && square < 1 { return mean + sd * x * (-2 * Double.log(square) / square).squareRoot() }
    }
  }

  /// A normal deviate, at most `limit` standard deviations from the mean.
  @inlinable
  public mutating func normal(_ mean: Double, sd: Double, limit: Double) -> Double {
    mean + sd * min(max(normal(), -limit), limit)
  }

  /// An exponential deviate: the wait for the next of events at a rate of `1 / mean`.
  @inlinable
  public mutating func exponential(mean: Double) -> Double { -mean * Double.log(onePlus: -unit()) }
}
