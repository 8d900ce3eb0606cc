import Foundation
import Testing

/// Standard output that takes nothing: lost output is an error, a reader who has seen enough is none.
@Suite struct UnwritableOutputTests {
  private static let lost = "standard output: expected to write here, found "

  @Test(
    .enabled(if: FileManager.default.fileExists(atPath: "/dev/full"), "no /dev/full"),
    arguments: [
      "history export --csv", "history export --json", "metric list", "dataset show squats", "report --json", "--help",
      "--version",
    ])
  func aFullDiskIsAnError(command: String) throws {
    let workspace = try Workspace.withSquats()
    if ["history", "report"].contains(where: command.hasPrefix) {
      try workspace.run("run", "--suite", "squat").expectSuccess()
    }
    let outcome = try workspace.shell("$bench \(command) > /dev/full")
    outcome.expectFailure(1, "\(Self.lost)no space left on device")
  }

  /// What is worse stays what the command ends with.
  @Test(.enabled(if: FileManager.default.fileExists(atPath: "/dev/full"), "no /dev/full"))
  func aRegressionStaysOne() throws {
    let workspace = try BaselineTests.accepted(SquatClip.twelve)
    let outcome = try workspace.shell(
      "$bench gate --suite squat --set reps.squat-states.bottomAngle=75 > /dev/full")
    outcome.expectFailure(2, saying: [Self.lost])
  }

  @Test(arguments: ["run --suite squat", "metric list", "--help"])
  func aReaderWhoHasSeenEnoughIsNone(command: String) throws {
    let workspace = try Workspace.withSquats()
    // The reader is gone before the command begins.
    let outcome = try workspace.shell("mkfifo p; (exec 3<p) & { sleep 0.1; $bench \(command); echo $? >&2; } > p; wait")
    #expect(outcome.error == "0\n")
    // What was to be done is done.
    #expect(workspace.exists("reports/squat/latest/report.md") == command.hasPrefix("run"))
  }

  /// A closed standard output is no number for a file to be opened under: what is printed would end in that file.
  @Test func aClosedOneIsAnErrorAndNoFile() throws {
    let workspace = try Workspace.withSquats()
    try workspace.run("run", "--suite", "squat").expectSuccess()
    let outcome = try workspace.shell("$bench report --html --output r.html >&- <&-")
    // The system's reason depends on what has got its number.
    outcome.expectFailure(1, saying: [Self.lost])
    let html = try workspace.text("r.html")
    #expect(html.hasPrefix("<!") && html.hasSuffix("</html>\n") && !html.contains("report   r.html"))
    #expect(try workspace.shell("$bench metric list 2>&- >../list && test -s ../list").code == 0)
  }

  /// A device, a pipe and the terminal are written through, never replaced by a file.
  @Test func whatIsNoFileIsNotReplaced() throws {
    let workspace = try Workspace.withSquats()
    try workspace.run("run", "--suite", "squat").expectSuccess()
    #expect(try workspace.shell("mkfifo pipe; ln -s pipe link").code == 0)
    for name in ["pipe", "link"] {
      try workspace.run("report", "--html", "--output", name).expectFailure(
        1, "\(name): expected a file to write, found a device, pipe or socket")
    }
    #expect(try workspace.shell("test -p pipe && test -L link").code == 0)
  }
}
