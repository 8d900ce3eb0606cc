import Foundation
import Testing

@testable import Evaluation
@testable import Reports
@testable import Statistics

/// The report of a self-test, from its numbers alone.
@Suite struct SelftestReportTests {
  private static let selftest = selftest(correlations: [0.2])

  private static func selftest(correlations: [Double]) -> GateSelftest {
    GateSelftest(
      GateSimulation(seed: 3, trials: 2000),
      correlations.map { correlation in
        GateSimulation.Result(
          setting: GateSimulation.Setting(gains: "normal", subjects: 10, correlation: correlation),
          rates: GateSimulation.Rates(
            falseRegressions: [1: 0.0165, 8: 0.005], wrongPasses: 0.02, shownLosses: 0.5, shownOfEight: 0.7,
            stoppedLosses: 0.99, stoppedHarmless: [0.01, 0.03, 0.11]),
          others: ["another rule": GateSimulation.Rates(wrongPasses: 0.33)], isRefused: false,
          outOfReach: [20: "nobody can tell"])
      },
      [
        FailingClosed.Check(what: "nothing", answer: "pass", isClosed: true),
        FailingClosed.Check(what: "a clip", answer: "missing", isClosed: true),
      ], suite: "sample", bench: "test")
  }

  /// A curve that is the worst of several says so; one setting is what it is.
  @Test func theWorstIsCalledSo() throws {
    #expect(try subtitles(of: Self.selftest).allSatisfy { !$0.contains("worst") })
    #expect(
      try subtitles(of: Self.selftest(correlations: [0.2, 0])).allSatisfy {
        $0.contains("worst of correlation 0 and 0.2 between metrics · 2 settings")
      })
  }

  private func subtitles(of selftest: GateSelftest) throws -> [String] {
    try GateSelftestReport(selftest).study.pictures.map(\.chart.subtitle)
  }

  @Test func everyFormHasTheRates() throws {
    let study = try GateSelftestReport(Self.selftest).study
    let machine = RunOrigin.Machine(system: "a system", architecture: "x86_64", processor: "", cores: 2)
    let origin = StudyReport.Origin(
      created: "2026-03-01T10:00:00Z",
      origin: RunOrigin(
        arguments: ["selftest", "gate"], revision: nil, hasChanges: nil, machine: machine, versions: ["bench": "test"]))
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("selftest-\(UUID().uuidString)").path
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let path = try study.write(to: folder, by: origin, html: true)
    #expect(path == "\(folder)/selftest-2026-03-01T10-00-00Z")
    let texts = try [
      String(contentsOfFile: path + "/selftest.md", encoding: .utf8),
      String(contentsOfFile: path + "/selftest.html", encoding: .utf8), study.terminal(by: origin).text,
    ]
    for text in texts {
      for part in [
        "1.65 %", "0.50 %", "2.00 %", "50.00 %", "70.00 %", "33.00 %", "99.00 %", "nobody can tell", "a clip",
        "bench selftest gate", "a system",
      ] {
        #expect(text.contains(part), "\(part)")
      }
      #expect(!text.contains("{{"))
    }
    let read = try GateSelftest(file: path + "/selftest.json")
    #expect(read.suite == "sample" && read.results.map(\.rates.wrongPasses) == [0.02])
    #expect(read.pictures.map(\.file) == ["error-rates.png", "power-1.png"])
  }
}
