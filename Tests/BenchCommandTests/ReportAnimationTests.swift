import Foundation
import Testing

/// The clip that broke first, as an animation in the report's folder.
@Suite struct ReportAnimationTests {
  /// With 84° instead of 90° the squat of cleo, which goes to 86.5°, no longer counts.
  @Test func aBrokenClipMoves() throws {
    let workspace = try Workspace.withSquats()
    try workspace.run("baseline", "accept", "--suite", "squat").expectSuccess()
    try workspace.run("run", "--suite", "squat", "--set", "reps.squat-states.bottomAngle=84").expectSuccess()
    let png = try workspace.bytes("reports/squat/latest/broke.png")
    #expect(png.count <= 150_000)
    #expect(png.range(of: Data("acTL".utf8)) != nil && png.range(of: Data("fdAT".utf8)) != nil)
    let title = "cleo_1: counted 1 before, 0 now, 1 labelled"
    #expect(try workspace.holds(title, in: "reports/squat/latest/broke.png"))
    #expect(try workspace.text("reports/squat/latest/report.md").contains("(broke.png)"))
    #expect(
      try workspace.run("report", "--pr").output.contains("`broke.png`: cleo_1: counted 1 before"))
  }

  @Test func whatDidNotBreakDoesNotMove() throws {
    let workspace = try Workspace.withSquats()
    try workspace.run("baseline", "accept", "--suite", "squat").expectSuccess()
    try workspace.run("run", "--suite", "squat").expectSuccess()
    #expect(!workspace.exists("reports/squat/latest/broke.png"))
    #expect(try !workspace.text("reports/squat/latest/report.md").contains("broke.png"))
  }
}
