import Datasets
import Evaluation
import Statistics

/// Finds suites with fewer subjects than their margins need: their gates can rarely decide.
struct SubjectCount: DatasetCheck {
  let name = "subjects"
  let title = "too few people for a gate, or for a suite's margins"
  let threshold = """
    ten people, the fewest for which a gate passes a change; and power 0.8 to show a loss of one margin when gains \
    vary as much as the baseline's people differ (one standard deviation), simulated with the gate's own rule as in \
    bench power
    """
  let remedy = "record more people (bench power says how many), or accept a wider margin"

  func findings(across dataset: CheckedDataset) -> [Finding] {
    if dataset.suites.isEmpty {
      let subjects = Set(dataset.members.map(\.info.subject)).count
      guard subjects < GateRule.fewestSubjects else { return [] }
      return [
        finding(
          .note, weight: Double(GateRule.fewestSubjects - subjects),
          "\(NumberText.count(subjects, "person")); a gate passes no change with fewer than "
            + "\(GateRule.fewestSubjects)")
      ]
    }
    return dataset.suites.flatMap { suite, baseline -> [Finding] in
      let isOfExercise = dataset.members.contains { suite.exercises.contains($0.info.exercise) }
      // Clips in which nobody does the exercises are of people besides those who do.
      guard isOfExercise || suite.exercises.isEmpty || suite.negatives == .none else { return [] }
      let taken = dataset.members.filter { suite.exercises.isEmpty || suite.exercises.contains($0.info.exercise) }
      let subjects = Set(taken.map(\.info.subject)).count
      guard subjects >= GateRule.fewestSubjects else {
        return [
          finding(
            .problem, weight: Double(GateRule.fewestSubjects - subjects),
            "suite \(suite.name): \(NumberText.count(subjects, "person")), and with fewer than \(GateRule.fewestSubjects) no change passes"
          )
        ]
      }
      let needs = baseline.map { lacking(suite, $0, subjects: subjects) } ?? []
      guard let worst = needs.max(by: { $0.needed < $1.needed }) else { return [] }
      let others = needs.count > 1 ? "; \(needs.count) gating metrics need more" : ""
      let needed = worst.needed == .max ? "more than \(PowerStudy.mostSubjects)" : "\(worst.needed)"
      return [
        finding(
          .warning, weight: Double(min(worst.needed, PowerStudy.mostSubjects)) / Double(subjects),
          "suite \(suite.name): \(subjects) people; \(worst.metric) of \(worst.detector) at margin \(worst.margin) needs "
            + needed + others)
      ]
    }
  }

  /// The gating metrics that need more subjects than the dataset has.
  private func lacking(
    _ suite: Suite, _ baseline: Baseline, subjects: Int
  ) -> [(metric: String, detector: String, margin: Double, needed: Int)] {
    let gating = suite.metrics.count { $0.margin != nil }
    return suite.metrics.compactMap { choice in
      guard let margin = choice.margin, let value = baseline.metric(choice.detector, choice.metric) else { return nil }
      guard let question = PowerQuestion(values: value.sample, margin: margin, gatingMetrics: gating) else {
        return nil
      }
      let needed = question.subjectsToShow() ?? .max
      return needed > subjects ? (choice.metric, choice.detector, margin, needed) : nil
    }
  }
}
