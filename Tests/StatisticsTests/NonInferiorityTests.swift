import Statistics
import Testing

struct NonInferiorityTests {
  private func rule(_ margin: Double, comparisons: Int = 1) throws -> NonInferiorityRule {
    try #require(NonInferiorityRule(margin: margin, comparisons: comparisons))
  }

  /// Mean ±2, s = 1, t = 4.3027: the interval is ±2 ∓ 2.484, so from 2 it reaches down to -0.484 and from -2 up to
  /// 0.484.
  @Test func outcomes() throws {
    #expect(NonInferiority(gains: [1, 2, 3], rule: try rule(0.49))?.outcome == .pass)
    #expect(NonInferiority(gains: [1, 2, 3], rule: try rule(0.48))?.outcome == .inconclusive)
    #expect(NonInferiority(gains: [-1, -2, -3], rule: try rule(0.1))?.outcome == .inconclusive)
    #expect(NonInferiority(gains: [-11, -12, -13], rule: try rule(9.5))?.outcome == .regression)
    #expect(NonInferiority(gains: [-11, -12, -13], rule: try rule(9.52))?.outcome == .inconclusive)
    #expect(NonInferiority(gains: [-11, -12, -13], rule: try rule(14.49))?.outcome == .pass)
  }

  /// With ten comparisons at 99.5 % t with two degrees of freedom is 0.995 / √(2 · 0.9975 · 0.0025) = 14.089, and the
  /// interval -12 ± 8.134.
  @Test func comparisonsMakeRegressionsHarderAndPassesNot() throws {
    #expect(NonInferiority(gains: [-11, -12, -13], rule: try rule(3.86, comparisons: 10))?.outcome == .regression)
    #expect(NonInferiority(gains: [-11, -12, -13], rule: try rule(3.87, comparisons: 10))?.outcome == .inconclusive)
    #expect(NonInferiority(gains: [-11, -12, -13], rule: try rule(14.49, comparisons: 10))?.outcome == .pass)
  }

  @Test func nothingChangedPasses() throws {
    #expect(NonInferiority(gains: [0, 0, 0], rule: try rule(0))?.outcome == .pass)
    #expect(NonInferiority(gains: [0], rule: try rule(0))?.outcome == .pass)
  }

  @Test func oneSubjectDecidesNothing() throws {
    let one = try #require(NonInferiority(gains: [-5], rule: try rule(0)))
    #expect(one.outcome == .inconclusive)
    #expect(one.interval == nil && one.smallestDetectableLoss() == nil && one.subjectsToDecide() == nil)
  }

  @Test func whatIsMissingIsNoVerdict() throws {
    #expect(NonInferiority(gains: [], rule: try rule(0)) == nil)
    #expect(NonInferiority(gains: [1, .nan], rule: try rule(0)) == nil)
    #expect(NonInferiority(gains: [1, -.infinity], rule: try rule(0)) == nil)
    #expect(NonInferiorityRule(margin: -1) == nil)
    #expect(NonInferiorityRule(margin: .nan) == nil)
    #expect(NonInferiorityRule(margin: .infinity) == nil)
    #expect(NonInferiorityRule(margin: 1, level: 1) == nil)
    #expect(NonInferiorityRule(margin: 1, comparisons: 0) == nil)
  }

  @Test func equalGainsAreDecidedByThemselves() throws {
    let worse = try #require(NonInferiority(gains: [-2, -2, -2], rule: try rule(1)))
    #expect(worse.outcome == .regression)
    #expect(worse.smallestDetectableLoss() == 1)
    #expect(worse.subjectsToDecide() == 2)
    #expect(NonInferiority(gains: [-1, -1, -1], rule: try rule(1))?.outcome == .pass)
  }

  /// An effect of half a standard deviation is shown with 34 subjects at a power of 0.80 (Cohen 1988), so with 34 of
  /// standard deviation s the smallest loss that is shown lies a little under s / 2 beyond the margin, and with 33
  /// over.
  @Test func smallestDetectableLoss() throws {
    for (count, isBelow) in [(34, true), (33, false)] {
      var random = SeededGenerator(seed: 1)
      let verdict = try #require(
        NonInferiority(gains: (0..<count).map { _ in random.normal() }, rule: try rule(0.3)))
      let loss = try #require(verdict.smallestDetectableLoss())
      let effect = (loss - 0.3) / (verdict.standardDeviation ?? .nan)
      #expect((effect < 0.5) == isBelow && abs(effect - 0.5) < 0.01)
    }
  }

  /// Mean 0.5, s = 1, made of pairs: 34 subjects decide at 80 % to either side of the margin.
  @Test func subjectsToDecide() throws {
    let spread = (15.0 / 16).squareRoot()
    for sign in [1.0, -1] {
      let gains = (0..<16).map { sign * 0.5 + ($0.isMultiple(of: 2) ? spread : -spread) }
      let verdict = try #require(NonInferiority(gains: gains, rule: try rule(0)))
      #expect(abs((verdict.standardDeviation ?? 0) - 1) < 1e-12)
      #expect(verdict.outcome == .inconclusive)
      #expect(verdict.subjectsToDecide() == 34)
      #expect(try #require(verdict.subjectsToDecide(power: 0.9)) > 34)
    }
    #expect(NonInferiority(gains: [-1, 1], rule: try rule(0))?.subjectsToDecide() == nil)
    #expect(NonInferiority(gains: [-1, 1.0001], rule: try rule(0))?.subjectsToDecide() == nil)
  }

  @Test func moreComparisonsNeedMoreSubjectsForARegressionOnly() throws {
    let spread = (15.0 / 16).squareRoot()
    let gains = (0..<16).map { 0.5 + ($0.isMultiple(of: 2) ? spread : -spread) }
    #expect(NonInferiority(gains: gains, rule: try rule(0, comparisons: 9))?.subjectsToDecide() == 34)
    let losses = try #require(NonInferiority(gains: gains.map { -$0 }, rule: try rule(0, comparisons: 9)))
    #expect(try #require(losses.subjectsToDecide()) > 34)
  }
}
