import Statistics
import Testing

@testable import Evaluation

/// "How many subjects?" has one answer, whoever asks.
@Suite struct SubjectsNeededTests {
  /// Changes that are inconclusive, with their margins and how many metrics gate: within the margin, one who loses much,
  /// beyond the margin, and near none.
  private static let changes: [(gains: [Double], margin: Double, metrics: Int)] = [
    ((0..<12).map { -0.1 - 0.1 * Double($0 % 3) }, 0.25, 1),
    ([-1] + [Double](repeating: 0, count: 11), 0.5, 1),
    ([-1.5, 0.5, -1, -0.2, 0.3, -1.2, -0.9, 0.6, -0.7, -0.4, 0.1, -1.6], 0.1, 3),
    ([0.3, -0.2, 0.1, 0.05, -0.3, 0.2, 0, -0.1, 0.1, -0.15], 0.01, 5),
  ]

  /// What a verdict says is what `bench power` says of a loss of this size, and that is what the rule says.
  @Test(arguments: changes.indices)
  func gateAndPower(_ index: Int) throws {
    let (gains, margin, metrics) = Self.changes[index]
    let verdict = try SampleResults.verdict(gains: gains, margin: margin, unchangedMetrics: metrics - 1).metrics[0]
    #expect(verdict.outcome == .inconclusive)
    let (detail, seen) = (try #require(verdict.detail), verdict.change.sortedGains)
    let loss = -(try #require(mean(seen)))
    let question = try #require(
      PowerQuestion(values: [], gains: seen, margin: margin, loss: loss, gatingMetrics: metrics))
    let needed = loss > margin ? question.subjectsToShow() : question.study.subjectsToPass(loss: loss)
    #expect(needed == GateRule(margin: margin, gatingMetrics: metrics).subjectsToDecide(gains: seen))
    switch needed {
    case nil: #expect(detail.hasSuffix(" More than 1000 subjects would be needed to decide."))
    case let needed? where needed > gains.count:
      #expect(detail.hasSuffix(" About \(needed) subjects would decide."), "\(detail)")
    default: #expect(detail.hasSuffix(" likely to be detected."), "\(detail)")
    }
  }

  /// `bench power` without a change asks what a dataset's check asks: of the differences between people.
  @Test func differencesBetweenPeople() throws {
    let values = [1.0, 2, 2, 3, 5, 8, 9, 9, 10, 12]
    let question = try #require(PowerQuestion(values: values, margin: 8, gatingMetrics: 3))
    let differences = values.indices.flatMap { one in
      values.indices.compactMap { other in one == other ? nil : values[other] - values[one] }
    }
    let rule = GateRule(margin: 8, gatingMetrics: 3)
    #expect(question.subjectsToShow() == rule.fewestSubjects(toShow: question.loss, gains: differences))
    #expect(question.subjectsToPass() == rule.fewestSubjects(toPass: differences))
    #expect(PowerQuestion(values: [1, 1, 1], margin: 0.5, gatingMetrics: 1) == nil)
  }
}
