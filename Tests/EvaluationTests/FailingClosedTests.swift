import Foundation
import Testing

@testable import Evaluation

@Suite struct FailingClosedTests {
  @Test func nothingThatIsMissingPasses() {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("closed-\(UUID())").path
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let checks = FailingClosed().checks(in: folder)
    #expect(
      checks.first?.answer.hasPrefix("pass: ") == true, "nothing is missing, so that only what is taken away counts")
    for check in checks { #expect(check.isClosed, "\(check.what): \(check.answer)") }
    #expect(Set(checks.map(\.answer)).count > 15, "each fails for its own reason")
  }
}
