import Evaluation
import Reports

/// A power study as it is printed.
struct PowerText {
  var report: PowerReport

  var text: String {
    let rows = zip(report.whenLost, report.whenUnharmed).map { lost, unharmed in
      [
        "\(lost.subjects)", percent(lost.regression), percent(lost.pass), percent(unharmed.pass),
        percent(unharmed.regression),
      ]
    }
    let header = ["subjects", "loss shown", "loss passed", "no loss passes", "false alarm"]
    return
      ([
        Terminal.wrap("\(report.title), \(report.gatingMetrics) gating metrics, seed \(report.seed)", indent: 0),
        "from     " + Terminal.wrap("\(report.source): \(report.origin)", indent: 9), "",
      ] + Terminal.table([header] + rows, right: [0, 1, 2, 3, 4], indent: 0) + [
        "",
        "needed   "
          + Terminal.wrap(
            "\(needed(report.whenLost, \.regression)) to show the loss 4 times in 5, "
              + "\(needed(report.whenUnharmed, \.pass)) to pass a change that loses nothing 4 times in 5", indent: 9),
      ]).joined(separator: "\n")
  }

  private func needed(_ shares: [PowerStudy.Shares], _ share: KeyPath<PowerStudy.Shares, Double>) -> String {
    PowerStudy.fewest(shares, share).map { "\($0) subjects" }
      ?? "more than \(shares.map(\.subjects).max() ?? 0) subjects"
  }

  private func percent(_ share: Double) -> String { NumberText.fixed(share * 100, decimals: 1) + " %" }
}
