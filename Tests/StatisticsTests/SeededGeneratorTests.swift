import Statistics
import Testing

struct SeededGeneratorTests {
  @Test func sameSeedSameNumbers() {
    var first = SeededGenerator(seed: 42)
    var second = SeededGenerator(seed: 42)
    var other = SeededGenerator(seed: 43)
    let numbers = (0..<100).map { _ in first.next() }
    #expect(numbers == (0..<100).map { _ in second.next() })
    #expect(Set(numbers).isDisjoint(with: (0..<100).map { _ in other.next() }))
  }

  /// SplitMix64 of seed 1234567 begins 6457827717110365317, 3203168211198807973, 9817491932198370423, the check values
  /// of its reference implementation; xoshiro256** of a state s gives first rotl(5 s₁, 7) · 9.
  @Test func firstNumberFollowsFromTheReferenceState() {
    var random = SeededGenerator(seed: 1_234_567)
    let product: UInt64 = 3_203_168_211_198_807_973 &* 5
    #expect(random.next() == ((product << 7) | (product >> 57)) &* 9)
  }

  @Test func unitIsUniform() {
    var random = SeededGenerator(seed: 1)
    let values = (0..<40_000).map { _ in random.unit() }
    #expect(values.allSatisfy { (0..<1).contains($0) })
    // Mean ½ and variance 1/12, each within four standard errors: √(1/12 / n), and √((1/80 - 1/144) / n).
    let meanError: Double = (1.0 / 12 / 40_000).squareRoot()
    let varianceError: Double = ((1.0 / 80 - 1.0 / 144) / 40_000).squareRoot()
    let variance: Double = standardDeviation(values).map { $0 * $0 } ?? .nan
    #expect(abs((mean(values) ?? .nan) - 0.5) < 4 * meanError)
    #expect(abs(variance - 1.0 / 12) < 4 * varianceError)
  }

  /// Each of seven values 10,000 times of 70,000, within five standard deviations √(70,000 · 6 / 49) = 93.
  @Test func indexIsUniform() {
    var random = SeededGenerator(seed: 2)
    var counts = [Int](repeating: 0, count: 7)
    for _ in 0..<70_000 { counts[random.index(below: 7)] += 1 }
    for count in counts { #expect(abs(count - 10_000) < 5 * 93) }
    #expect((0..<100).allSatisfy { _ in random.index(below: 1) == 0 })
    let half = (0..<1000).count { _ in random.index(below: .max) > .max / 2 }
    #expect((400...600).contains(half))
  }

  /// 68.27 %, 95.45 % and 99.73 % within one, two and three standard deviations.
  @Test func normalIsNormal() {
    var random = SeededGenerator(seed: 3)
    let values = (0..<40_000).map { _ in random.normal() }
    for (z, share) in [(1, 0.6827), (2, 0.9545), (3, 0.9973)] {
      let seen = Double(values.count { abs($0) < Double(z) }) / 40_000
      let error: Double = (share * (1 - share) / 40_000).squareRoot()
      #expect(abs(seen - share) < 4 * error)
    }
    #expect(abs(mean(values) ?? .nan) < 4 / 200)
  }

  /// SplitMix64 from 0 gives e220a8397b1dcdaf, 6e789e6aa1b965f4, 06c45d188009454f, f88bb8a8724c81ec; the first number of
  /// xoshiro256** is then rotl(6e789e6aa1b965f4 x 5, 7) x 9, worked out in Python's whole numbers.
  @Test func firstNumberFollowsFromSeed0() {
    var generator = SeededGenerator(seed: 0)
    #expect(generator.next() == 0x99EC_5F36_CB75_F2B4)
  }

  @Test func equalSeedsAndStreamsGiveEqualNumbers() {
    func numbers(_ seed: UInt64, _ stream: [Int]) -> [UInt64] {
      var generator = SeededGenerator(seed: seed, stream: stream)
      return (0..<8).map { _ in generator.next() }
    }
    #expect(numbers(7, [1, 2]) == numbers(7, [1, 2]))
    #expect(numbers(7, [1, 2]) != numbers(8, [1, 2]))
    #expect(numbers(7, [1, 2]) != numbers(7, [2, 1]))
    #expect(numbers(7, [1, 2]) != numbers(7, [1]))
  }

  /// The mean of n deviates has a standard error of sd / sqrt(n): five of them are allowed.
  @Test func deviatesHaveTheMomentsOfTheirDistributions() {
    var generator = SeededGenerator(seed: 3)
    let count = 40_000
    let normal = (0..<count).map { _ in generator.normal(2, sd: 3) }
    let mean = normal.reduce(0, +) / Double(count)
    let squares: [Double] = normal.map { ($0 - mean) * ($0 - mean) }
    let variance = squares.reduce(0, +) / Double(count)
    #expect(abs(mean - 2) < 0.075)
    let varianceError: Double = 2.0.squareRoot() / 200
    #expect(abs(variance / 9 - 1) < 5 * varianceError)
    let waits = (0..<count).map { _ in generator.exponential(mean: 4) }
    let wait = waits.reduce(0, +) / Double(count)
    #expect(abs(wait - 4) < 0.1)
    let dice = (0..<count).map { _ in generator.integer(1...6) }
    #expect(Set(dice) == Set(1...6))
    let sixes = Double(dice.count { $0 == 6 }) / Double(count)
    let sixError: Double = (5.0 / 36).squareRoot() / 200
    #expect(abs(sixes - 1.0 / 6) < 5 * sixError)
    #expect((0..<count).allSatisfy { _ in abs(generator.normal(0, sd: 1, limit: 1.5)) <= 1.5 })
  }
}
