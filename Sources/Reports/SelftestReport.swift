import Charts
import Evaluation
import Files
import Foundation
import Statistics

/// The report of a self-test of the gate.
public struct GateSelftestReport: Sendable {
  public let selftest: GateSelftest

  public init(_ selftest: GateSelftest) { self.selftest = selftest }

  /// How many settings, how often, and what is claimed.
  public var headline: String { selftest.headline }

  /// A row for each kind of gains and number of subjects, its worst correlation; the first row names the columns.
  public var table: [[String]] {
    let header =
      ["gains", "subjects", "false alarm: 1 metric"] + GateSimulation.gatingMetrics.dropFirst().map { "\($0)" }
      + ["10 beside 10 lost", "wrong pass at the margin", "loss of 1 SD shown", ""]
    return [header] + selftest.groups.map(row)
  }

  private func row(_ group: GateSelftest.Group) -> [String] {
    func cell(_ rate: Double?) -> String { rate.map(GateSelftest.percent) ?? "" }
    var alarms = GateSimulation.gatingMetrics.map { cell(group.falseAlarm(metrics: $0)) }
    // A suite's own subjects gate by as many metrics as the suite does.
    if let own = group.results.first?.falseRegressions.keys.first(where: { !GateSimulation.gatingMetrics.contains($0) })
    {
      alarms[0] = "\(cell(group.falseAlarm(metrics: own))) with \(own)"
    }
    return [group.gains, "\(group.subjects)"] + alarms + [
      cell(group.besideLosses), group.isRefused ? "refused" : cell(group.wrongPass), cell(group.shownLoss),
      group.worst <= selftest.limit ? "" : "TOO HIGH",
    ]
  }

  /// What the self-test comes to.
  public var verdict: String {
    selftest.holds
      ? "the gate holds both error rates in every setting, and nothing missing passes"
      : "the gate's claims do not hold"
  }
}

extension GateSelftestReport {
  public var study: StudyReport {
    get throws {
      StudyReport(
        kind: "selftest", suite: selftest.suite, version: selftest.bench, datasets: [], content: content,
        pictures: selftest.pictures, json: try stableJSON(selftest),
        marks: (selftest.datasets ?? [:]).isEmpty ? [] : [("Content", contentWords)])
    }
  }

  /// `squat-sample sha256:…`, as in the pictures of runs.
  private var contentWords: String {
    (selftest.datasets ?? [:]).sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: ", ")
  }

  private var content: StudyModel {
    var model = StudyModel()
    model.title = "self-test of the gate"
    model.summary = ["\(verdict.prefix(1).uppercased() + verdict.dropFirst()).", "\(headline)."]
    model.sections = [
      SectionModel(heading: "Error rates", table: TableModel(table)),
      SectionModel(
        heading: "What is missing never passes",
        table: TableModel(
          [["missing", "the gate says"]] + selftest.failingClosed.dropFirst().map { [$0.what, $0.answer] })
      ),
    ]
    model.method = [
      "A false alarm is a regression on any metric where nothing changed; in 10 beside 10 lost, on one of ten metrics "
        + "that did not change beside ten that lost two standard deviations. A wrong pass is one of a true loss of exactly "
        + "the margin.",
      "Each row is the worst of the correlations of a subject's reps (0, 0.2, 0.5) where its gains have reps.",
      "refused: with so few subjects no change passes.", "selftest.json beside this report holds every rate.",
    ]
    model.limits = [
      "The gains are simulated: the rates are those of the gate's rule on such gains, not of any one release."
    ]
    return model
  }
}
