import Testing

@testable import Statistics

/// How much one metric corrects another.
@Suite struct JointTestTests {
  private func criticals(_ gains: [[Double?]], margin: Double = 0) -> [Double] {
    JointTest(subjects: gains[0].count).rules(gains.map { .gains($0, margin: margin) }).map(\.criticalP)
  }

  /// Two orthogonal contrasts of eight subjects, lifted a little so that neither is shown to be within the margin.
  private static let one: [Double] = [1, 1, 1, 1, -1, -1, -1, -1].map { $0 - 0.1 }
  private static let other: [Double] = [1, 1, -1, -1, 1, 1, -1, -1].map { $0 - 0.1 }

  @Test func aMetricAloneNeedsNoCorrection() {
    #expect(criticals([Self.one]) == [0.05])
  }

  /// Unrelated: 1 − (1 − p)² = 0.05 at p = 0.0253. Within simulation error, four times √(0.05 · 0.95 / 999) of the 5 %.
  @Test func unrelatedMetricsAreCorrectedAsMany() {
    for critical in criticals([Self.one, Self.other]) { #expect(abs(critical - 0.0253) < 0.0253 * 0.55) }
  }

  /// The same metric twice is one.
  @Test func metricsThatMoveTogetherAreOne() {
    for critical in criticals([Self.one, Self.one.map { 3 * $0 }]) { #expect(abs(critical - 0.05) < 0.05 * 0.55) }
  }

  /// A regression is compared first; what remains is alone.
  @Test func afterARegressionTheRestIsCorrectedForLess() {
    let lost = Self.other.map { $0 - 20 }
    let criticals = criticals([Self.one, lost])
    #expect(criticals[0] == 0.05 && criticals[1] < 0.05)
  }

  /// A metric that is shown to be within its margin, or unchanged, corrects nothing.
  @Test func whatCannotBeARegressionDoesNotCount() {
    #expect(criticals([Self.one, Self.other.map { $0 + 20 }])[0] == 0.05)
    #expect(criticals([Self.one, [Double](repeating: 0, count: 8)])[0] == 0.05)
  }

  /// A subject without a value on one metric is left out of that one only.
  @Test func metricsMayLackSubjects() {
    let some: [Double?] = [nil, nil] + Self.other.dropFirst(2).map(Optional.some)
    let criticals = criticals([Self.one.map(Optional.some), some])
    for critical in criticals { #expect(critical >= 0.025 && critical <= 0.05) }
  }

  /// A test of something else than these subjects is independent: as two unrelated metrics.
  @Test func independentTestsCountFully() {
    let rules = JointTest(subjects: 8).rules([
      .gains(Self.one.map(Optional.some), margin: 0), .independent(p: 0.5, pWithin: 0.5),
    ])
    for rule in rules { #expect(abs(rule.criticalP - 0.0253) < 0.0253 * 0.55) }
  }

  /// The short way says what the rules say.
  @Test func theShortWayIsTheSame() {
    var random = SeededGenerator(seed: 5)
    var called = 0
    let joints = [5, 6, 8, 12, 20].map { ($0, JointTest(subjects: $0)) }
    for trial in 0..<120 {
      let (subjects, joint) = joints[trial % 5]
      let common = (0..<subjects).map { _ in random.normal() }
      let gains = (0..<4).map { metric in
        common.map { shared in
          let gain = -0.35 + 0.6 * shared + 0.8 * random.normal()
          return trial % 3 == 0 ? (3 * gain).rounded() / 3 : gain
        }
      }
      let rules = joint.rules(gains.map { .gains($0.map(Optional.some), margin: 0) })
      let any = zip(rules, gains).contains { $0.decide($1) == .regression }
      #expect(joint.isAnyRegression(gains, margins: [0, 0, 0, 0]) == any, "\(gains)")
      if any { called += 1 }
    }
    #expect((12...108).contains(called), "both answers are met: \(called)")
  }
}
