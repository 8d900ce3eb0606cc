import Evaluation

/// A self-test of the gate on one screen: for each kind of gains and number of subjects the worst correlation.
public struct SelftestScreen {
  private let report: GateSelftestReport
  private let folder: String

  /// - Parameter folder: The folder of the report.
  public init(_ report: GateSelftestReport, in folder: String) { (self.report, self.folder) = (report, folder) }

  public var blocks: [TextBlock] {
    let sentence = "\(report.verdict.prefix(1).uppercased())\(report.verdict.dropFirst())."
    let rows = report.table.map { TextTable.Row($0, $0.contains("NOT AS CLAIMED") ? .bad : nil) }
    let parts: [[TextBlock]] = [
      [.words(sentence, report.selftest.holds ? .good : .bad), .gap, .line(TonedText(report.headline))],
      [.gap, .columns(TextTable(rows, right: Set(1...9)))],
      [.gap, .columns(TextTable(report.rules, right: Set(1...10)))],
      [.gap, .columns(TextTable(report.looks, right: Set(1...2)))],
      [.gap, .columns(TextTable(report.lookedAtPeople, right: Set(0...4))), .gap], closed,
      [.gap, .unbroken("report", "\(folder)/selftest.md")],
    ]
    return parts.flatMap(\.self)
  }

  private var closed: [TextBlock] {
    let checks = report.selftest.failingClosed
    let failed = checks.filter { !$0.isClosed }
    guard failed.isEmpty else {
      return failed.map { TextBlock.line(TonedText("passes        \($0.what): \($0.answer)", .bad)) }
    }
    let (count, ways) = (checks.count - 1, checks.dropFirst().map(\.what).joined(separator: ", "))
    return [.labelled("fails closed", "\(count) of \(count) ways: \(ways)", indent: 13)]
  }
}
