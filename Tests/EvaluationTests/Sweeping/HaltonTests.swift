import Datasets
import Statistics
import Testing
@testable import Evaluation

@Suite struct HaltonTests {
  @Test func basesArePrimes() {
    #expect(Halton.primes(8) == [2, 3, 5, 7, 11, 13, 17, 19])
    #expect(Halton.primes(0) == [])
  }

  /// What a Halton sequence is, whatever its permutations: of any b^k points in a row from a multiple of b^k on, one lies
  /// in each of the b^k equal parts.
  @Test(arguments: 0..<5 as Range<UInt64>) func eachPartHasItsPoint(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let sequence = Halton(dimensions: 4, using: &generator)
    for (dimension, size) in [(0, 64), (1, 81), (2, 125), (3, 49)] {
      for start in [0, size, 7 * size] {
        let parts = (start..<start + size).map { Int(sequence.point($0)[dimension] * Double(size) + 1e-9) }
        #expect(Set(parts).count == size, "seed \(seed), dimension \(dimension), from \(start)")
      }
    }
  }

  @Test func coordinatesAreBelowOne() {
    var generator = SeededGenerator(seed: 3)
    let sequence = Halton(dimensions: 12, using: &generator)
    for index in 0..<2000 { #expect(sequence.point(index).allSatisfy { (0..<1).contains($0) }) }
  }
}
