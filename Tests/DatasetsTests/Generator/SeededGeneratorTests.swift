import Datasets
import Testing

struct SeededGeneratorTests {
  /// SplitMix64 from 0 gives e220a8397b1dcdaf, 6e789e6aa1b965f4, 06c45d188009454f, f88bb8a8724c81ec; the first number of
  /// xoshiro256** is then rotl(6e789e6aa1b965f4 x 5, 7) x 9, worked out in Python's whole numbers.
  @Test func firstNumberIsThatOfThePublishedAlgorithm() {
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
    let variance = normal.map { ($0 - mean) * ($0 - mean) }.reduce(0, +) / Double(count)
    #expect(abs(mean - 2) < 5 * 3 / 200)
    #expect(abs(variance / 9 - 1) < 5 * 2.0.squareRoot() / 200)
    let waits = (0..<count).map { _ in generator.exponential(mean: 4) }
    #expect(abs(waits.reduce(0, +) / Double(count) - 4) < 5 * 4 / 200)
    let dice = (0..<count).map { _ in generator.integer(1...6) }
    #expect(Set(dice) == Set(1...6))
    #expect(abs(Double(dice.count { $0 == 6 }) / Double(count) - 1 / 6) < 5 * (5.0 / 36).squareRoot() / 200)
    #expect((0..<count).allSatisfy { _ in abs(generator.normal(0, sd: 1, limit: 1.5)) <= 1.5 })
  }
}
