import Statistics
import Testing

@testable import Evaluation

/// "How many subjects?" has one answer, whoever asks.
@Suite struct SubjectsNeededTests {
  /// Changes that may be worse, with their margins: within the margin, one who loses much, beyond the margin, near none.
  private static let changes: [(gains: [Double], margin: Double)] = [
    ((0..<12).map { -0.1 - 0.1 * Double($0 % 3) }, 0.25),
    ([-1] + [Double](repeating: 0, count: 11), 0.42),
    ([-1.5, 0.5, -1, -0.2, 0.3, -1.2, -0.9, 0.6, -0.7, -0.4, 0.1, -1.6], 0.3),
    ([0.3, -0.2, 0.1, 0.05, -0.3, 0.2, 0, -0.1, 0.1, -0.15], 0.01),
  ]

  /// What a verdict says of harmless changes is what `bench power` says, and that is what the rule says.
  @Test(arguments: changes.indices)
  func gateAndPower(_ index: Int) throws {
    let (gains, margin) = Self.changes[index]
    let verdict = try SampleResults.verdict(gains: gains, margin: margin, unchangedMetrics: 2).metrics[0]
    #expect(verdict.outcome == .maybeWorse)
    let seen = verdict.change.sortedGains
    guard (verdict.probabilityOfLoss ?? 1) > GateRule.stopAt else {
      #expect(verdict.detail == nil)
      return
    }
    let detail = try #require(verdict.detail)
    let question = try #require(PowerQuestion(values: [], gains: seen, margin: margin, gatingMetrics: 1))
    let needed = question.subjectsToPass()
    #expect(needed == GateRule(margin: margin).fewestSubjects(toPass: seen))
    switch needed {
    case nil:
      #expect(
        detail.hasSuffix(" If others vary as much, more than 1000 people are needed to let a harmless change pass."))
    case let needed? where needed > gains.count:
      #expect(
        detail.hasSuffix(" With \(needed) people a harmless change would pass, if the others vary as much."),
        "\(detail)")
    default: #expect(detail.hasSuffix(" can stay unproven."), "\(detail)")
    }
  }

  /// "A loss of up to X can stay unproven": one above is in four of five comparisons, one below is not.
  @Test(arguments: changes.indices)
  func theDetectableLossIsDetected(_ index: Int) throws {
    let (gains, margin) = Self.changes[index]
    let rule = GateRule(margin: margin)
    let study = try #require(PowerStudy(gains: gains, rule: rule))
    let loss = try #require(rule.smallestDetectableLoss(gains: gains))
    let (above, below) = (margin + (loss - margin) * 1.05, margin + (loss - margin) * 0.8)
    #expect(study.shares(loss: above, subjects: gains.count, seed: 77).regression > 0.76)
    #expect(study.shares(loss: below, subjects: gains.count, seed: 77).regression < 0.84)
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
