import Evaluation
import Reports

/// A self-test of the gate on one screen: the worst correlation of each kind of gains and number of subjects.
struct GateSelftestText {
  var report: GateSelftest

  init(_ report: GateSelftest) { self.report = report }

  var text: String {
    ([
      "\(report.results.count) settings of \(report.trials) comparisons, seed \(report.seed); nominal "
        + "\(percent(report.nominal)), at most \(percent(report.limit)) with simulation error",
      "",
    ] + table + [""] + closed + ["", line]).joined(separator: "\n")
  }

  private var table: [String] {
    let header = [
      "gains", "subjects", "false alarm, 1 metric", "5", "20", "10 beside 10 lost", "wrong pass", "loss shown", "",
    ]
    return Terminal.table([header] + groups.map(row), right: [1, 2, 3, 4, 5, 6, 7], indent: 0)
  }

  /// Settings that differ in their correlation only, in order.
  private var groups: [[GateSimulation.Result]] {
    report.results.reduce(into: []) { groups, result in
      if let last = groups.last?.last, last.setting.gains == result.setting.gains,
        last.setting.subjects == result.setting.subjects
      {
        groups[groups.count - 1].append(result)
      } else {
        groups.append([result])
      }
    }
  }

  private func row(_ group: [GateSimulation.Result]) -> [String] {
    guard let first = group.first else { return [] }
    let other = first.falseRegressions.keys.filter { !GateSimulation.gatingMetrics.contains($0) }
    let alarms = GateSimulation.gatingMetrics.map { count -> String in
      let rates = group.compactMap { $0.falseRegressions[count] }
      return rates.max().map(percent) ?? ""
    }
    let real = other.first.map { metrics in
      "\(percent(group.compactMap { $0.falseRegressions[metrics] }.max() ?? 0)) with \(metrics)"
    }
    let worst = group.map(\.worst).max() ?? 0
    return [
      first.setting.gains, "\(first.setting.subjects)", real ?? alarms[0], alarms[1], alarms[2],
      group.compactMap(\.falseRegressionsBesideLosses).max().map(percent) ?? "",
      first.isRefused ? "refused" : percent(group.map(\.wrongPasses).max() ?? 0),
      percent(group.map(\.shownLosses).min() ?? 0), worst <= report.limit ? "" : Terminal.bad("TOO HIGH"),
    ]
  }

  private var closed: [String] {
    let failed = report.failingClosed.filter { !$0.isClosed }
    let count = report.failingClosed.count - 1
    return failed.isEmpty
      ? [
        "fails closed  \(count) of \(count) ways: "
          + report.failingClosed.dropFirst().map(\.what).joined(separator: ", ")
      ]
      .map { Terminal.wrap($0, indent: 14) }
      : failed.map { Terminal.bad("passes        \($0.what): \($0.answer)") }
  }

  private var line: String {
    report.holds
      ? Terminal.good("the gate holds both error rates in every setting, and nothing missing passes")
      : Terminal.bad("the gate's claims do not hold")
  }

  private func percent(_ share: Double) -> String { NumberText.fixed(share * 100, decimals: 2) + " %" }
}
