import Charts
import TestSupport
import Testing

struct ScaleTests {
  @Test func ticksStandAtRoundNumbers() {
    #expect(LinearScale(0...10).ticks(atMost: 6).map(\.label) == ["0", "2", "4", "6", "8", "10"])
    #expect(LinearScale(0...1).ticks(atMost: 5).map(\.label) == ["0.0", "0.5", "1.0"])
    #expect(
      LinearScale(-0.3...0.3).ticks(atMost: 7).map(\.label) == ["−0.3", "−0.2", "−0.1", "0.0", "0.1", "0.2", "0.3"])
    #expect(LinearScale(0...2, isWhole: true).ticks(atMost: 20).map(\.label) == ["0", "1", "2"])
    #expect(LinearScale(73...161).ticks(atMost: 5).map(\.value) == [80, 100, 120, 140, 160])
  }

  @Test func aDomainGrowsToRoundNumbers() {
    #expect(LinearScale(covering: [3.2, 17.9], count: 4).domain == 0...20)
    #expect(LinearScale(covering: [-12, 41], count: 6).domain == -20...50)
    #expect(LinearScale(covering: [], count: 6).domain == 0...1)
    #expect(LinearScale(covering: [.nan, 2, .infinity, 6], count: 4).domain == 2...6)
    // Half of a unit to either side of 1 is 0.5 to 1.5, in steps of a fifth 0.4 to 1.6; no share is above 1.
    #expect(LinearScale(covering: [1]).domain == 0.4...1.6)
    #expect(LinearScale(covering: [1], within: 0...1).domain == 0.4...1)
    #expect(LinearScale(covering: [-0.5, 0.5], within: 0...1).domain == 0...0.5)
  }

  @Test func aValueLiesWhereItsShareOfTheDomainIs() {
    let linear = LinearScale(10...20)
    #expect(linear.fraction(of: 10) == 0 && linear.fraction(of: 15) == 0.5 && linear.fraction(of: 25) == 1.5)
    #expect(linear.fraction(of: .nan) == nil && linear.fraction(of: .infinity) == nil)
    let logarithmic = LogScale(covering: [1, 100])
    #expect(logarithmic.fraction(of: 10) == 0.5)
    #expect(logarithmic.fraction(of: 0) == nil && logarithmic.fraction(of: -1) == nil)
    let categories = CategoryScale(["a", "b"])
    #expect(categories.fraction(of: 0) == 0.25 && categories.fraction(of: 1) == 0.75)
    #expect(categories.fraction(of: 2) == nil)
  }

  @Test func logTicksAreDecadesAndTheirFivesWhereThereIsRoom() {
    let scale = LogScale(covering: [2, 700])
    #expect(scale.domain == 1...1000)
    #expect(scale.ticks(atMost: 4).map(\.value) == [1, 10, 100, 1000])
    #expect(scale.ticks(atMost: 2).map(\.value) == [1, 100])
    #expect(LogScale(covering: [1, 10]).ticks(atMost: 4).map(\.value) == [1, 2, 5, 10])
  }

  @Test func categoriesAreThinnedEvenly() {
    let scale = CategoryScale(["a", "b", "c", "d", "e"])
    #expect(scale.ticks(atMost: 5).map(\.label) == ["a", "b", "c", "d", "e"])
    #expect(scale.ticks(atMost: 3).map(\.label) == ["a", "c", "e"])
    #expect(CategoryScale([]).ticks(atMost: 3).isEmpty)
  }

  @Test func durationsUseTheUnitThatKeepsThemShort() {
    let expected: [(Double, String)] = [
      (0.11, "0.11 ns"), (8.6, "8.6 ns"), (999.7, "1 µs"), (20_000, "20 µs"), (1_500_000, "1.5 ms"), (2e9, "2 s"),
      (.nan, "n/a"),
    ]
    for (nanoseconds, text) in expected { #expect(LogScale.duration(nanoseconds: nanoseconds) == text) }
  }

  @Test func anyDomainHasOrderedTicksInsideItAndNoMoreThanAskedFor() {
    var random = TestGenerator(seed: 5)
    for _ in 0..<2000 {
      let scale = LinearScale(
        covering: [random.number(-1e3...1e3), random.number(-1e-3...1e3)], isWhole: Bool.random(using: &random))
      let limit = Int.random(in: 1...20, using: &random)
      let ticks = scale.ticks(atMost: limit).map(\.value)
      let reach = 1e-6 * (scale.domain.upperBound - scale.domain.lowerBound)
      #expect(ticks.count <= limit, "\(scale)")
      #expect(zip(ticks, ticks.dropFirst()).allSatisfy { $0 < $1 }, "\(scale)")
      #expect(
        ticks.allSatisfy { $0 >= scale.domain.lowerBound - reach && $0 <= scale.domain.upperBound + reach }, "\(scale)")
    }
  }
}
