import Datasets
import Statistics

/// Fewer subjects than the margins of the suites need: their gates can only say that they do not know.
struct SubjectCount: DatasetCheck {
  let name = "subjects"
  let title = "too few subjects for a gate, or for a suite's margins"
  let threshold = """
    ten subjects, below which no gate passes a change; and power 0.8 to show a loss of the margin and one standard deviation of \
    the differences between the baseline's subjects, by the t interval (bench power simulates the gate itself)
    """
  let remedy = "record more people; bench power says how many; or accept a wider margin"

  static let power = 0.8
  private static let seed: UInt64 = 1

  func findings(across dataset: CheckedDataset) -> [Finding] {
    if dataset.suites.isEmpty {
      let subjects = Set(dataset.members.map(\.info.subject)).count
      guard subjects < GateRule.fewestSubjects else { return [] }
      return [
        finding(
          .note, weight: Double(GateRule.fewestSubjects - subjects),
          "\(subjects) subject\(subjects == 1 ? "" : "s"); a gate passes no change with fewer than "
            + "\(GateRule.fewestSubjects)")
      ]
    }
    return dataset.suites.flatMap { suite, baseline -> [Finding] in
      let taken = dataset.members.filter { suite.exercises.isEmpty || suite.exercises.contains($0.info.exercise) }
      let subjects = Set(taken.map(\.info.subject)).count
      guard subjects >= GateRule.fewestSubjects else {
        return [
          finding(
            .problem, weight: Double(GateRule.fewestSubjects - subjects),
            "suite \(suite.name): \(subjects) subjects, and with fewer than \(GateRule.fewestSubjects) no change passes"
          )
        ]
      }
      let needs = baseline.map { lacking(suite, $0, subjects: subjects) } ?? []
      guard let worst = needs.max(by: { $0.needed < $1.needed }) else { return [] }
      let others = needs.count > 1 ? "; \(needs.count) gating metrics need more than there are" : ""
      let needed = worst.needed == .max ? "more than \(Self.most)" : "\(worst.needed)"
      return [
        finding(
          .warning, weight: Double(min(worst.needed, Self.most)) / Double(subjects),
          "suite \(suite.name): \(subjects) subjects; \(worst.metric) of \(worst.detector) at margin \(worst.margin) needs "
            + needed + others)
      ]
    }
  }

  private static let most = 1000

  /// The gating metrics that need more subjects than there are.
  private func lacking(
    _ suite: Suite, _ baseline: Baseline, subjects: Int
  ) -> [(metric: String, detector: String, margin: Double, needed: Int)] {
    let gating = suite.metrics.count { $0.margin != nil }
    return suite.metrics.compactMap { choice in
      guard let margin = choice.margin,
        let value = baseline.metrics.first(where: { $0.metric == choice.metric && $0.detector == choice.detector }),
        let rule = NonInferiorityRule(margin: margin, comparisons: max(1, gating))
      else { return nil }
      let values = value.bySubject.sorted { $0.key < $1.key }.compactMap(\.value)
      let gains = values.indices.flatMap { one in
        values.indices.compactMap { other in one == other ? nil : values[other] - values[one] }
      }
      guard let spread = standardDeviation(gains), spread > 0, let study = Power(gains: gains, rule: rule) else {
        return nil
      }
      var random = Statistics.SeededGenerator(seed: Self.seed)
      let needed =
        study.subjectsNeeded(
          loss: margin + spread, power: Self.power, most: Self.most, simulations: 1000, using: &random) ?? .max
      return needed > subjects ? (choice.metric, choice.detector, margin, needed) : nil
    }
  }
}
