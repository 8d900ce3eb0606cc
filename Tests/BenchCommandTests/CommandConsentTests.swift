import Foundation
import Testing

/// Nothing of a checkout runs before its user has said so, on this machine and for this file.
@Suite struct CommandConsentTests {
  /// Leaves a mark where it runs.
  private static let marking = "touch ran\n" + CommandProject.silent

  private func expectAsked(_ outcome: Outcome, sourceLocation: SourceLocation = #_sourceLocation) {
    outcome.expectFailure(
      1,
      saying: [
        "detectors/knee.yaml: expected your consent to run its command on this machine: [/bin/sh, coach/knee], found none",
        "add --allow-commands",
      ], sourceLocation: sourceLocation)
  }

  /// A command that runs the program on one clip.
  private static let replay = ["replay", "anna_1", "--suite", "squat"]

  private func replay(in project: CommandProject, _ more: String...) throws -> Outcome {
    try project.workspace.run(Self.replay + more, environment: project.environment)
  }

  @Test func nothingRunsWithoutIt() throws {
    let project = try CommandProject(program: Self.marking)
    for command in [
      ["run", "--suite", "squat"], ["gate", "--suite", "squat"], ["replay", "anna_1", "--suite", "squat"],
      ["detector", "check", "knee"], ["baseline", "accept", "--suite", "squat"],
    ] {
      let outcome = try project.workspace.run(command, environment: project.environment)
      #expect(outcome.code != 0, "\(command)")
      #expect(!project.workspace.exists("ran"), "\(command)")
    }
    expectAsked(try project.run("run", "--suite", "squat"))
    #expect(!FileManager.default.fileExists(atPath: project.workspace.outside + "/state"))
  }

  @Test func itIsRememberedUntilTheFileChanges() throws {
    let project = try CommandProject(program: Self.marking)
    try replay(in: project, "--allow-commands").expectSuccess()
    #expect(project.workspace.exists("ran"))
    let memory = project.workspace.outside + "/state/formbench/commands"
    var status = stat()
    #expect(stat(memory, &status) == 0 && status.st_mode & 0o777 == 0o600)
    try replay(in: project).expectSuccess()
    try project.workspace.remove("ran")
    try project.workspace.replace("value: 90", with: "value: 91", in: "detectors/knee.yaml")
    expectAsked(try replay(in: project))
    #expect(!project.workspace.exists("ran"))
    try replay(in: project, "--allow-commands").expectSuccess()
    try replay(in: project).expectSuccess()
  }

  @Test func aCopyIsAskedForAgain() throws {
    let project = try CommandProject(program: Self.marking)
    try replay(in: project, "--allow-commands").expectSuccess()
    let copy = try CommandProject(program: Self.marking)
    expectAsked(try copy.workspace.run(Self.replay, environment: project.environment))
  }

  @Test func withoutAHomeItIsAskedForEachTime() throws {
    let project = try CommandProject(program: CommandProject.silent)
    let without = ["HOME": "", "XDG_STATE_HOME": ""]
    for _ in 0..<2 {
      try project.workspace.run(Self.replay + ["--allow-commands"], environment: without).expectSuccess()
      let asked = try project.workspace.run(Self.replay, environment: without)
      expectAsked(asked)
      #expect(asked.error.contains("without HOME or XDG_STATE_HOME none is remembered"))
    }
  }

  @Test func aMemoryThatOthersWriteIsNotTrusted() throws {
    let project = try CommandProject(program: CommandProject.silent)
    try replay(in: project, "--allow-commands").expectSuccess()
    for mode in [0o666, 0o620, 0o602] as [mode_t] {
      chmod(project.workspace.outside + "/state/formbench/commands", mode)
      try replay(in: project).expectFailure(
        1, saying: ["expected a file that only you can write"])
    }
  }

  /// A checkout may bring a folder with what looks like consents; a relative path would lead to it.
  @Test func aMemoryInTheCheckoutIsNotRead() throws {
    let project = try CommandProject(program: Self.marking)
    let inside = ["XDG_STATE_HOME": project.workspace.path("home/.local/state")]
    try project.workspace.run(Self.replay + ["--allow-commands"], environment: inside).expectSuccess()
    try project.workspace.run(Self.replay, environment: inside).expectSuccess()
    try project.workspace.remove("ran")
    for relative in [["XDG_STATE_HOME": "home/.local/state", "HOME": ""], ["XDG_STATE_HOME": "", "HOME": "home"]] {
      expectAsked(try project.workspace.run(Self.replay, environment: relative))
    }
    #expect(!project.workspace.exists("ran"))
  }
}
