import Evaluation
import Foundation
import Plots

/// The report of a self-test of the gate.
public struct GateSelftestReport: Sendable {
  /// Settings that differ in their correlation only.
  struct Group: Sendable {
    var gains: String
    var subjects: Int
    /// At least one.
    var results: [GateSimulation.Result]

    var isRefused: Bool { results.contains(where: \.isRefused) }
    var worst: Double { results.map(\.worst).max() ?? 0 }
    /// The highest share of wrong passes; `nil` where nothing passes.
    var wrongPass: Double? { isRefused ? nil : results.map(\.wrongPasses).max() }
    /// The smallest share of losses that are shown.
    var shownLoss: Double { results.map(\.shownLosses).min() ?? 0 }
    var besideLosses: Double? { results.compactMap(\.falseRegressionsBesideLosses).max() }
    /// The highest share of false alarms, whatever number of metrics gates; `nil` where there is a true loss.
    var falseAlarm: Double? {
      (results.flatMap(\.falseRegressions.values) + [besideLosses].compactMap(\.self)).max()
    }

    func falseAlarm(metrics: Int) -> Double? { results.compactMap { $0.falseRegressions[metrics] }.max() }
  }

  public let selftest: GateSelftest

  public init(_ selftest: GateSelftest) { self.selftest = selftest }

  /// In the order of the simulation.
  var groups: [Group] {
    selftest.results.reduce(into: []) { groups, result in
      if let last = groups.last, last.gains == result.setting.gains, last.subjects == result.setting.subjects {
        groups[groups.count - 1].results.append(result)
      } else {
        groups.append(Group(gains: result.setting.gains, subjects: result.setting.subjects, results: [result]))
      }
    }
  }

  /// How many settings, how often, and what is claimed.
  public var headline: String {
    "\(selftest.results.count) settings of \(selftest.trials) comparisons, seed \(selftest.seed); nominal "
      + "\(Self.percent(selftest.nominal)), at most \(Self.percent(selftest.limit)) with simulation error"
  }

  /// A row for each kind of gains and number of subjects, its worst correlation; the first row names the columns.
  public var table: [[String]] {
    let header =
      ["gains", "subjects", "false alarm: 1 metric"] + GateSimulation.gatingMetrics.dropFirst().map { "\($0)" }
      + ["10 beside 10 lost", "wrong pass at the margin", "loss of 1 SD shown", ""]
    return [header] + groups.map(row)
  }

  private func row(_ group: Group) -> [String] {
    func cell(_ rate: Double?) -> String { rate.map(Self.percent) ?? "" }
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

  public static func percent(_ share: Double) -> String { NumberText.fixed(share * 100, decimals: 2) + " %" }

  /// What the self-test comes to.
  public var verdict: String {
    selftest.holds
      ? "the gate holds both error rates in every setting, and nothing missing passes"
      : "the gate's claims do not hold"
  }

  /// A share of the comparisons of one setting.
  private func estimate(_ share: Double) -> Estimate { Estimate(SimulatedShare(share, of: selftest.trials)) }

  typealias Picture = ReportPicture

  /// The error rates of all settings, then how each kind of gains is shown by more subjects.
  var pictures: [Picture] {
    let groups = groups
    func source(_ shown: [Group]) -> String {
      "suite \(selftest.suite) · \(Self.worst(of: shown))\(headline)"
    }
    let rates = ErrorRates(
      title: "How often the gate is wrong", source: source(groups),
      rows: groups.map {
        ErrorRates.Row(
          group: $0.gains, name: "\($0.subjects) subjects", falseAlarm: $0.falseAlarm.map(estimate),
          wrongPass: $0.wrongPass.map(estimate))
      }, nominal: selftest.nominal, limit: selftest.limit)
    var kinds: [String] = []
    for group in groups where !kinds.contains(group.gains) { kinds.append(group.gains) }
    let curves = kinds.enumerated().map { index, kind in
      let own = groups.filter { $0.gains == kind }
      return Picture(
        file: "power-\(index + 1).png", heading: "What more subjects show: \(kind)",
        chart: PowerCurve(
          title: "What more subjects show: \(kind)", source: source(own), subjects: own.map(\.subjects),
          series: [
            PowerCurve.Series(
              "a loss of one standard deviation beyond the margin is shown", .worse,
              chances: own.map { estimate($0.shownLoss) }),
            PowerCurve.Series(
              "a loss of exactly the margin passes", .uncertain, chances: own.map { estimate($0.wrongPass ?? 0) }),
          ]))
    }
    return [Picture(file: "error-rates.png", heading: "Error rates by setting", chart: rates)] + curves
  }

  /// Of which settings each point is the worst: `worst of correlation 0, 0.2 and 0.5 between a subject's reps · `.
  private static func worst(of groups: [Group]) -> String {
    let correlations = Set(groups.flatMap { $0.results.compactMap(\.setting.correlation) }).sorted()
    guard correlations.count > 1, let last = correlations.last else { return "" }
    let others = correlations.dropLast().map(NumberText.plain).joined(separator: ", ")
    return "worst of correlation \(others) and \(NumberText.plain(last)) between a subject's reps · "
  }
}
