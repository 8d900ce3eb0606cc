import Foundation
import Testing

/// Standard output that takes nothing: lost output is an error, a reader who has seen enough is none.
@Suite struct UnwritableOutputTests {
  private static let lost = "standard output: expected a writable destination, found "

  @Test(.enabled(if: FileManager.default.fileExists(atPath: "/dev/full"), "no /dev/full"))
  func aFullDiskIsAnError() throws {
    let workspace = try Workspace.withSquats(after: [["run", "--suite", "squat"]])
    for command in [
      "history export --csv", "history export --json", "metric list", "dataset show squats", "report --json", "--help",
      "--version",
    ] {
      let outcome = try workspace.shell("$bench \(command) > /dev/full")
      outcome.expectFailure(1, "\(Self.lost)no space left on device")
    }
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
    let outcome = try workspace.shell("$bench dataset export squats --to out >&- <&-")
    // The system's reason depends on what has got its number.
    outcome.expectFailure(1, saying: [Self.lost])
    for (name, bytes) in try ProjectState.files(workspace.path("out")) {
      #expect(bytes.range(of: Data("wrote 3 clips".utf8)) == nil, "\(name)")
    }
    #expect(try workspace.shell("$bench metric list 2>&- >../list && test -s ../list").code == 0)
  }
}
