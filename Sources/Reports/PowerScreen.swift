import Charts
import Evaluation
import Statistics

extension PowerReport {
  /// The power study on one screen.
  public var screen: [TextBlock] {
    let header = [
      "people", "loss stops", "loss detected", "loss missed", "harmless change passes", "stops", "false alarm",
    ]
    let rows = zip(whenLost, whenUnharmed).map { lost, unharmed -> [String] in
      let shares = [
        lost.stopped, lost.regression, lost.pass, unharmed.pass, unharmed.stopped, unharmed.regression,
      ]
      return ["\(lost.subjects)"] + shares.map { NumberText.fixed($0 * 100, decimals: 1) + " %" }
    }
    let parts: [[TextBlock]] = [
      conclusion.blocks, [.gap, .words("\(title), \(gatingMetrics) gating metrics, seed \(seed)")],
      [.fact("from", "\(source): \(origin)"), .gap, .columns(TextTable([header] + rows, right: Set(0...6))), .gap],
      [
        Self.needed("needed", subjectsToSpare, "until a change without loss stops in at most 1 of 10 cases"),
        Self.needed("", subjectsToPass, "until it passes in 4 of 5"),
        Self.needed("", subjectsToStop, "until the loss stops in 19 of 20"),
        Self.needed("", subjectsToShow, "until it is called a regression in 4 of 5"),
      ],
    ]
    return parts.flatMap(\.self)
  }

  private static func needed(_ label: String, _ subjects: Int?, _ until: String) -> TextBlock {
    .unbroken(label, (subjects.map { "\($0) people" } ?? "more than \(PowerStudy.mostSubjects) people") + " \(until)")
  }
}
