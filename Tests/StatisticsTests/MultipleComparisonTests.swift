import Statistics
import Testing

struct MultipleComparisonTests {
  private func expect(_ values: [Double]?, _ expected: [Double]) {
    #expect(values?.count == expected.count)
    for (value, expected) in zip(values ?? [], expected) { #expect(abs(value - expected) < 1e-15) }
  }

  /// Ranked 0.01, 0.02, 0.03, 0.04: Holm 4 · 0.01, 3 · 0.02, 2 · 0.03, then 0.04 held up at 0.06; Benjamini and
  /// Hochberg 4 · 0.01, 4 · 0.02 / 2, 4 · 0.03 / 3, 0.04, all 0.04.
  @Test func fourValues() {
    expect(holm([0.04, 0.01, 0.03, 0.02]), [0.06, 0.04, 0.06, 0.06])
    expect(benjaminiHochberg([0.04, 0.01, 0.03, 0.02]), [0.04, 0.04, 0.04, 0.04])
  }

  /// The fifteen of Benjamini and Hochberg's own example (1995, section 3.2): at 5 % their method rejects four, the
  /// first of them 0.0001, 0.0004, 0.0019 and 0.0095; Holm's three.
  @Test func exampleOfThePaper() throws {
    let values = [
      0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344, 0.0459, 0.3240, 0.4262, 0.5719, 0.6528, 0.7590,
      1,
    ]
    #expect(try #require(benjaminiHochberg(values)).count { $0 <= 0.05 } == 4)
    #expect(try #require(holm(values)).count { $0 <= 0.05 } == 3)
  }

  @Test func edges() {
    #expect(holm([]) == [])
    #expect(benjaminiHochberg([]) == [])
    #expect(holm([0.3]) == [0.3])
    #expect(benjaminiHochberg([0.3]) == [0.3])
    #expect(holm([0.6, 0.7]) == [1, 1])
    for wrong in [-0.1, 1.1, .nan] {
      #expect(holm([0.1, wrong]) == nil)
      #expect(benjaminiHochberg([0.1, wrong]) == nil)
    }
  }

  /// Never below the value itself, never above Holm's, in the order of the values, and the same however they are
  /// ordered.
  @Test(arguments: 1...30 as ClosedRange<UInt64>)
  func properties(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let values = (0..<random.index(below: 12) + 1).map { _ in Double(random.index(below: 21)) / 20 }
    let family = try #require(holm(values))
    let rate = try #require(benjaminiHochberg(values))
    for (i, value) in values.enumerated() {
      #expect(value <= rate[i] && rate[i] <= family[i] + 1e-15 && family[i] <= 1)
      for (j, other) in values.enumerated() where value <= other {
        #expect(rate[i] <= rate[j] && family[i] <= family[j])
      }
    }
    #expect(holm(values.reversed()) == family.reversed())
    #expect(benjaminiHochberg(values.reversed()) == rate.reversed())
  }
}
