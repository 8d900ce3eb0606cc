import Evaluation
import Reports

/// A self-test of the gate on one screen: the worst correlation of each kind of gains and number of subjects.
struct GateSelftestText {
  var report: GateSelftestReport
  /// Where the report is.
  var folder: String

  var text: String {
    ([report.headline, ""] + table + [""] + closed + ["", line, "", "report   \(folder)/selftest.md"])
      .joined(separator: "\n")
  }

  private var table: [String] {
    let rows = report.table.map { row in row.map { $0 == "TOO HIGH" ? Terminal.bad($0) : $0 } }
    return Terminal.table(rows, right: [1, 2, 3, 4, 5, 6, 7], indent: 0)
  }

  private var closed: [String] {
    let checks = report.selftest.failingClosed
    let failed = checks.filter { !$0.isClosed }
    let count = checks.count - 1
    return failed.isEmpty
      ? ["fails closed  \(count) of \(count) ways: " + checks.dropFirst().map(\.what).joined(separator: ", ")]
        .map { Terminal.wrap($0, indent: 14) }
      : failed.map { Terminal.bad("passes        \($0.what): \($0.answer)") }
  }

  private var line: String { report.selftest.holds ? Terminal.good(report.verdict) : Terminal.bad(report.verdict) }
}
