import Statistics
import Testing

struct DescriptiveTests {
  @Test func meanOfValues() {
    #expect(mean([1, 2, 6]) == 9 / 3.0)
    #expect(mean([-1, 2]) == 1 / 2.0)
    #expect(mean([7]) == 7)
    #expect(mean([]) == nil)
  }

  /// 0.1 + 0.1 + 0.1 is 0.30000000000000004.
  @Test func meanOfEqualValuesIsTheValue() {
    #expect(mean([0.1, 0.1, 0.1]) == 0.1)
    #expect(standardDeviation([0.1, 0.1, 0.1]) == 0)
  }

  /// Mean 5, squares 9 + 1 + 1 + 1 + 0 + 0 + 4 + 16 = 32.
  @Test func standardDeviationDividesByOneLess() {
    #expect(standardDeviation([2, 4, 4, 4, 5, 5, 7, 9]) == (32.0 / 7.0).squareRoot())
    #expect(standardDeviation([1, 3]) == 2.0.squareRoot())
    #expect(standardDeviation([5]) == nil)
    #expect(standardDeviation([]) == nil)
  }

  /// Position p (n - 1) from the smallest: of four values 0.25 · 3 = ¾, 0.5 · 3 = 1½, 0.9 · 3 = 2.7.
  @Test func quantileIsInterpolatedBetweenTheNeighbours() throws {
    let values = [40.0, 10, 30, 20]
    #expect(quantile(0, of: values) == 10)
    #expect(quantile(0.25, of: values) == 17.5)
    #expect(quantile(0.5, of: values) == 25)
    #expect(abs(try #require(quantile(0.9, of: values)) - 37) < 1e-12)
    #expect(quantile(1, of: values) == 40)
  }

  @Test func quantileAtAValueIsTheValue() {
    let values = [3.0, 7, 1, 9, 4]
    for (index, value) in values.sorted().enumerated() { #expect(quantile(Double(index) / 4, of: values) == value) }
  }

  @Test func quantileOfFewValues() {
    #expect(quantile(0.5, of: []) == nil)
    #expect(quantile(0.3, of: [7]) == 7)
    #expect(quantile(1, of: [7]) == 7)
    #expect(quantile(0.75, of: [2, 6]) == 5)
  }

  @Test func quantileOfSortedValuesIsTheSame() {
    let values = [40.0, 10, 30, 20, 20]
    for p in [0, 0.1, 0.37, 0.5, 0.99, 1] {
      #expect(quantile(p, ofSorted: values.sorted()) == quantile(p, of: values))
    }
  }
}
