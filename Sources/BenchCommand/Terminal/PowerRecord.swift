import Evaluation
import Plots
import Reports

/// A power study as it is printed, drawn and written as JSON.
struct PowerRecord: Encodable {
  var suite: String
  var detector: String
  var metric: String
  var margin: Double
  var loss: Double
  var gatingMetrics: Int
  var subjectsAtHand: Int
  /// The standard deviation of the gains drawn from.
  var spread: Double
  /// Whether the gains are those of a change, or differences between people.
  var isChange: Bool
  var seed: UInt64
  var whenLost: [PowerStudy.Shares]
  var whenUnharmed: [PowerStudy.Shares]

  private var origin: String {
    (isChange ? "gains of this change" : "differences between subjects")
      + ", standard deviation \(spread.rounded(to: 4)), \(subjectsAtHand) subjects at hand"
  }

  var text: String {
    let rows = zip(whenLost, whenUnharmed).map { lost, unharmed in
      [
        "\(lost.subjects)", percent(lost.regression), percent(lost.pass), percent(unharmed.pass),
        percent(unharmed.regression),
      ]
    }
    let header = ["subjects", "loss shown", "loss passed", "no loss passes", "false alarm"]
    return
      ([
        "\(metric) of \(detector): margin \(NumberText.plain(margin)), loss \(loss.rounded(to: 4)), "
          + "\(gatingMetrics) gating metrics, seed \(seed)",
        "from     \(origin)", "",
      ] + Terminal.table([header] + rows, right: [0, 1, 2, 3, 4], indent: 0) + [
        "",
        "needed   \(needed(whenLost, \.regression)) to show the loss 4 times in 5, "
          + "\(needed(whenUnharmed, \.pass)) to pass a change that loses nothing 4 times in 5",
      ]).joined(separator: "\n")
  }

  var curve: PowerCurve {
    PowerCurve(
      title: "Power of \(metric): a loss of \(loss.rounded(to: 4)) at margin \(NumberText.plain(margin))",
      source: "suite \(suite) · \(detector) · \(origin)", subjects: whenLost.map(\.subjects),
      series: [
        PowerCurve.Series("the loss is shown", .worse, chances: whenLost.map(\.regression)),
        PowerCurve.Series("a change that loses nothing passes", .better, chances: whenUnharmed.map(\.pass)),
      ])
  }

  private func needed(_ shares: [PowerStudy.Shares], _ share: KeyPath<PowerStudy.Shares, Double>) -> String {
    PowerStudy.fewest(shares, share).map { "\($0) subjects" }
      ?? "more than \(shares.map(\.subjects).max() ?? 0) subjects"
  }

  private func percent(_ share: Double) -> String { NumberText.fixed(share * 100, decimals: 1) + " %" }
}
