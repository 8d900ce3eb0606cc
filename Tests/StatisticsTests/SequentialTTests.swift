import Testing

@testable import Statistics

/// Evidence at any number of looks. Reference values from the same series in NumPy, and from the noncentral t
/// distribution's likelihood ratio.
@Suite struct SequentialTTests {
  @Test(
    arguments: [(8, 3.0, 13.257857), (10, 2, 5.197514), (20, 2.5, 12.649742), (60, 3.2, 48.725997)]
      as [(Int, Double, Double)])
  func itsEvidence(subjects: Int, t: Double, evidence: Double) {
    #expect(abs(SequentialT.evidence(t: t, subjects: subjects) - evidence) < 1e-6 * evidence)
  }

  @Test(
    arguments: [(14, 8, 3.071), (14, 10, 2.760), (14, 20, 2.547), (14, 60, 2.840), (20, 12, 2.892), (20, 40, 2.809)]
      as [(Double, Int, Double)])
  func itsCriticalT(evidence: Double, subjects: Int, t: Double) {
    #expect(abs(SequentialT.critical(evidence, subjects: subjects) - t) < 5e-4)
  }

  /// The evidence of equal values grows with their number only.
  @Test func allAlike() {
    #expect(SequentialT.t([1, 1, 1]) == .infinity && SequentialT.t([0, 0]) == 0 && SequentialT.t([1]) == nil)
    #expect(abs(SequentialT.evidence(t: .infinity, subjects: 8) - 93.46) < 0.01)
    #expect(SequentialT.evidence(t: -1, subjects: 8) == 0)
    // Two people can never give enough.
    #expect(SequentialT.critical(14, subjects: 2) == .infinity)
  }

  /// Of 10,000 people neither the terms nor the factor before them can be held in a number.
  @Test func manySubjects() {
    let (some, more) = (SequentialT.evidence(t: 4, subjects: 10_000), SequentialT.evidence(t: 60, subjects: 10_000))
    #expect(some >= 0 && some < 1e-6 && more > 1e200)
  }

  /// −1, 0 and 4: the mean is 1, the second moment 14/3, the third 6: t = √(2 / (14/3)) = 0.6546537. A long tail of gains
  /// makes Johnson's t larger, so the plain one holds; mirrored it is smaller:
  /// t + γ (1 + 2 t²) / (6 √3) with γ = −6 / (14/3)^1.5 = −0.5951775, less 0.1064.
  @Test func skewnessNeverFlatters() throws {
    #expect(abs(try #require(SequentialT.t([-1, 0, 4])) - 0.6546537) < 1e-6)
    let mirrored = try #require(SequentialT.t([3, 2, -2]))
    #expect(abs(mirrored - (0.6546537 - 0.5951775 * (1 + 2 * 3.0 / 7) / (6 * 3.0.squareRoot()))) < 1e-5)
  }
}

/// The gate's rule with any number of looks.
@Suite struct AnyLooksRuleTests {
  /// Everyone loses 1, with a margin of 0: five people are a regression at one look, eight at any.
  @Test func aRegressionNeedsEightPeople() {
    let lost = [-1, -1.1, -0.9, -1, -1.05, -0.95, -1, -1.0]
    let any = GateRule(margin: 0, atAnyLookOf: 1)
    #expect(GateRule(margin: 0).decide(Array(lost.prefix(5))) == .regression)
    #expect(any.decide(Array(lost.prefix(7))) != .regression)
    #expect(any.decide(lost) == .regression)
  }

  /// A t of 2.6 with ten people is a regression at one look (1.83 is enough) and not at any (2.76).
  @Test func aRegressionNeedsMoreEvidence() {
    let pattern = [-1.5, -0.5, -1.2, -0.8, -1.4, -0.6, -1.3, -0.7, -1.1, -0.9]
    // The mean of the pattern is −1 and its t 9.95 at a margin of 0; each margin gives another t.
    let t = SuperiorityTest(pattern.map { -$0 })
    let margin = 1 - 2.6 * (t?.standardError ?? 0)
    #expect(GateRule(margin: margin).decide(pattern) == .regression)
    #expect(GateRule(margin: margin, atAnyLookOf: 1).decide(pattern) != .regression)
    let wider = 1 - 3.2 * (t?.standardError ?? 0)
    #expect(GateRule(margin: wider, atAnyLookOf: 1).decide(pattern) == .regression)
    // One of eight metrics needs evidence of 112.
    #expect(GateRule(margin: wider, atAnyLookOf: 8).decide(pattern) != .regression)
  }

  /// Nobody loses as much as the margin: ten people are enough at one look, twenty at any.
  @Test func thatNobodyLostNeedsTwentyPeople() {
    let few = [Double](repeating: -0.3, count: 9) + [0.1]
    let (one, any) = (GateRule(margin: 0.31), GateRule(margin: 0.31, atAnyLookOf: 1))
    #expect(one.decide(few).passes)
    #expect(!any.decide(few).passes && any.decide(few + few).passes)
  }
}
