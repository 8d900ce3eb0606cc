import Testing

@testable import Statistics

struct SignFlipTests {
  /// Of the eight sums ±1 ±2 ±3, 6 alone is as large as 6; -6 alone as far on the other side.
  @Test func threeDifferencesOfOneSign() throws {
    let test = try #require(SignFlip([1, 2, 3]))
    #expect(test.greater == 1 / 8.0)
    #expect(test.less == 1)
    #expect(test.twoSided == 2 / 8.0)
    #expect(test.flips == 8)
    #expect(test.isExact)
  }

  /// 1 + 2 - 3 = 0: at least 0 are 6, 4, 2, 0 and 0; the eight sums are ±6, ±4, ±2, 0, 0.
  @Test func sumOfNothing() throws {
    let test = try #require(SignFlip([1, 2, -3]))
    #expect(test.greater == 5 / 8.0)
    #expect(test.less == 5 / 8.0)
    #expect(test.twoSided == 1)
  }

  /// 0.1 + 0.2 - 0.3 is 5.6e-17 in doubles and 0 on paper.
  @Test func roundingBreaksNoTie() throws {
    #expect(try #require(SignFlip([0.1, 0.2, -0.3])).greater == 5 / 8.0)
    #expect(try #require(SignFlip([-0.1, -0.2, 0.3])).greater == 5 / 8.0)
    #expect(try #require(SignFlip([0.1, 0.2, -0.3])).twoSided == 1)
  }

  /// Fisher's reading of Darwin's maize, 15 pairs of heights in eighths of an inch: 863 of 32,768 flips sum to at least
  /// 314 and as many to at most -314 (The Design of Experiments, 1935, section 21).
  @Test func darwinsMaize() throws {
    let maize: [Double] = [49, -67, 8, 16, 6, 23, 28, 41, 14, 29, 56, 24, 75, 60, -48]
    let test = try #require(SignFlip(maize))
    #expect(test.greater == 863 / 32768.0)
    #expect(test.twoSided == 1726 / 32768.0)
  }

  /// Ten ±1 with a sum of 6 or more have at most two -1: 1 + 10 + 45 ways.
  @Test func discreteDifferencesAreBinomial() throws {
    let test = try #require(SignFlip([1, 1, 1, -1, 1, 1, 1, 1, -1, 1]))
    #expect(test.greater == 56 / 1024.0)
    #expect(test.twoSided == 112 / 1024.0)
  }

  @Test func zeroesChangeNothing() throws {
    let zeroes = [Double](repeating: 0, count: 30)
    let test = try #require(SignFlip(zeroes + [1, 2, 3]))
    #expect(test.greater == 1 / 8.0)
    #expect(test.isExact)
    #expect(SignFlip(zeroes)?.twoSided == 1)
    #expect(SignFlip(zeroes)?.greater == 1)
  }

  @Test func undefined() {
    var random = SeededGenerator(seed: 1)
    #expect(SignFlip([]) == nil)
    #expect(SignFlip([1, .nan]) == nil)
    #expect(SignFlip([Double](repeating: 1, count: 21)) == nil)
    #expect(SignFlip([], using: &random) == nil)
    #expect(SignFlip([Double](repeating: 1, count: 30) + [.infinity], using: &random) == nil)
    #expect(SignFlip([Double](repeating: 1, count: 30), flips: 0, using: &random) == nil)
  }

  @Test(arguments: 1...40 as ClosedRange<UInt64>)
  func mirroringSwapsTheSides(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let differences = (0..<Int(seed) % 20 + 1).map { _ in random.normal() }
    let test = try #require(SignFlip(differences))
    let mirrored = try #require(SignFlip(differences.map { -$0 }))
    #expect(test.greater == mirrored.less && test.less == mirrored.greater && test.twoSided == mirrored.twoSided)
    #expect(test.greater + test.less >= 1)
    #expect(SignFlip(differences.reversed()) == test)
    let scaled = try #require(SignFlip(differences.map { $0 * 1024 }))
    #expect(scaled == test)
  }

  /// Every flip by itself, on up to ten whole numbers, of which many sums are equal.
  @Test(arguments: 1...30 as ClosedRange<UInt64>)
  func countsWhatListingAllFlipsCounts(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let differences = (0..<random.index(below: 10) + 1).map { _ in Double(random.index(below: 9) - 4) }
    let sum = differences.reduce(0, +)
    let sums = (0..<1 << differences.count).map { signs in
      differences.enumerated().reduce(0) { $0 + ((signs >> $1.offset) & 1 == 0 ? $1.element : -$1.element) }
    }
    func share(_ isFarther: (Double) -> Bool) -> Double { Double(sums.count(where: isFarther)) / Double(sums.count) }
    let test = try #require(SignFlip(differences))
    #expect(test.greater == share { $0 >= sum }, "\(differences)")
    #expect(test.less == share { $0 <= sum }, "\(differences)")
    #expect(test.twoSided == share { abs($0) >= abs(sum) }, "\(differences)")
  }

  /// 30 ones of which 20 are positive: at least 20 heads of 30 coins, 0.0493685730 by the binomial distribution; within
  /// four standard errors of 200,000 flips.
  @Test func samplingComesNear() throws {
    var random = SeededGenerator(seed: 4)
    let differences = (0..<30).map { $0 < 20 ? 1.0 : -1 }
    let test = try #require(SignFlip(differences, flips: 200_000, using: &random))
    let exact = 53_009_102.0 / 1_073_741_824
    #expect(!test.isExact)
    #expect(test.flips == 200_000)
    #expect(abs(test.greater - exact) < 4 * (exact / 200_000).squareRoot())
    #expect(abs(test.twoSided - 2 * exact) < 4 * (2 * exact / 200_000).squareRoot())
    #expect(test.less > 0.97)
  }

  /// No flip of 64 large differences of one sign is as far out but the one seen: (0 + 1) / (m + 1), never 0.
  @Test func sampledValueIsNeverZero() throws {
    var random = SeededGenerator(seed: 4)
    let test = try #require(SignFlip([Double](repeating: 3, count: 64), flips: 999, using: &random))
    #expect(test.greater == 1 / 1000.0)
    #expect(test.twoSided == 1 / 1000.0)
    #expect(test.less == 1)
  }

  @Test func sameSeedSameValue() {
    let differences = (0..<25).map { Double($0 * 7 % 11) - 4 }
    var first = SeededGenerator(seed: 9)
    var second = SeededGenerator(seed: 9)
    #expect(SignFlip(differences, using: &first) == SignFlip(differences, using: &second))
  }

  /// Of twenty differences 2 · 2^10 sums are listed, not 2^20.
  @Test func twentyDifferencesTakeFewSums() {
    let sums = SubsetSums((0..<20).map { Double($0) })
    #expect(sums.first.count == 1024 && sums.second.count == 1024)
  }
}
