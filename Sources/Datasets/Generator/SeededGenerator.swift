import RealModule

/// A seeded source of random numbers: xoshiro256**, its state filled by SplitMix64.
///
/// The same seed gives the same numbers on every machine. Deviates are made here and not by the standard library, whose
/// methods may change between versions. Not for cryptography.
///
/// Source: Blackman and Vigna, Scrambled Linear Pseudorandom Number Generators, 2018 (ACM TOMS 47, 2021); Steele, Lea
/// and Flood, Fast Splittable Pseudorandom Number Generators, 2014 (SplitMix64).
public struct SeededGenerator: RandomNumberGenerator, Sendable {
  private var state: SIMD4<UInt64>

  public init(seed: UInt64) {
    self.init(seed: seed, stream: [])
  }

  /// A generator whose numbers depend on the seed and on every number of `stream`, such as a subject and a clip.
  public init(seed: UInt64, stream: [Int]) {
    var mixed = seed
    for number in stream {
      var next = mixed ^ UInt64(bitPattern: Int64(number))
      mixed = Self.splitMix(&next)
    }
    state = SIMD4(
      Self.splitMix(&mixed), Self.splitMix(&mixed), Self.splitMix(&mixed), Self.splitMix(&mixed))
  }

  public mutating func next() -> UInt64 {
    let result = Self.rotate(state[1] &* 5, by: 7) &* 9
    let shifted = state[1] << 17
    state[2] ^= state[0]
    state[3] ^= state[1]
    state[1] ^= state[2]
    state[0] ^= state[3]
    state[2] ^= shifted
    state[3] = Self.rotate(state[3], by: 45)
    return result
  }

  /// Uniform in 0..<1, a multiple of 2^-53.
  public mutating func unit() -> Double { Double(next() >> 11) * 0x1p-53 }

  /// Uniform between two bounds, the upper one excluded but for rounding.
  public mutating func uniform(_ lower: Double, _ upper: Double) -> Double { lower + (upper - lower) * unit() }

  /// Uniform in a closed range of whole numbers.
  ///
  /// Multiplies instead of dividing, which favours some values by less than 2^-32 for the small ranges used here.
  public mutating func integer(_ range: ClosedRange<Int>) -> Int {
    range.lowerBound + Int((UInt64(range.count) &* (next() >> 32)) >> 32)
  }

  /// True with this probability.
  public mutating func chance(_ probability: Double) -> Bool { unit() < probability }

  /// A normal deviate by Marsaglia's polar method (Marsaglia and Bray 1964).
  public mutating func normal(_ mean: Double = 0, sd: Double = 1) -> Double {
    while true {
      let x = uniform(-1, 1)
      let y = uniform(-1, 1)
      let square = x * x + y * y
      if square > 0 && square < 1 { return mean + sd * x * (-2 * Double.log(square) / square).squareRoot() }
    }
  }

  /// A normal deviate held within `limit` standard deviations of the mean.
  public mutating func normal(_ mean: Double, sd: Double, limit: Double) -> Double {
    mean + sd * min(max(normal(), -limit), limit)
  }

  /// An exponential deviate: the wait until the next of events that come `1 / mean` a unit of time.
  public mutating func exponential(mean: Double) -> Double { -mean * Double.log(onePlus: -unit()) }

  private static func splitMix(_ state: inout UInt64) -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }

  private static func rotate(_ value: UInt64, by count: UInt64) -> UInt64 {
    (value << count) | (value >> (64 - count))
  }
}
