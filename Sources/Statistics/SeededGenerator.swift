/// A seeded source of random numbers: xoshiro256**, its state filled by SplitMix64.
///
/// The same seed gives the same numbers on every machine. Not for cryptography.
///
/// - Source: Blackman and Vigna, Scrambled Linear Pseudorandom Number Generators, ACM Transactions on Mathematical
///   Software 47, 2021; Steele, Lea and Flood, Fast Splittable Pseudorandom Number Generators, OOPSLA 2014
///   (SplitMix64).
public struct SeededGenerator: RandomNumberGenerator, Sendable {
  private var state: (UInt64, UInt64, UInt64, UInt64)

  public init(seed: UInt64) {
    var counter = seed
    func splitMix() -> UInt64 {
      counter &+= 0x9E37_79B9_7F4A_7C15
      var bits = counter
      bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
      bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
      return bits ^ (bits >> 31)
    }
    state = (splitMix(), splitMix(), splitMix(), splitMix())
  }

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

  private static func rotate(_ value: UInt64, by count: UInt64) -> UInt64 {
    (value << count) | (value >> (64 - count))
  }
}
