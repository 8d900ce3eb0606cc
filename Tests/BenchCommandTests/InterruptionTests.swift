import Datasets
import Foundation
import GRDB
import Testing

/// Ctrl-C: what was finished stays, nothing half-written does, and the exit code is 130.
@Suite struct InterruptionTests {
  /// More clips than are generated while the test runs.
  private static let recipe = "exercise: squat\nseed: 1\nsubjects: 10000\nclips_per_subject: 10\n"
  private static let importing = ["dataset", "import", "folder", "--from", "incoming/endless"]

  /// Tests that a shell started in the background have Ctrl-C ignored, and so had what they start.
  init() { signal(SIGINT, SIG_DFL) }

  /// An import that is under way, with clips in the store already.
  private func started(in workspace: Workspace) throws -> Process {
    try workspace.write(Self.recipe, to: "incoming/endless/recipe.yaml")
    let process = Process.bench(try BenchExecutable.command(Self.importing), in: workspace.project)
    try Data().write(to: URL(fileURLWithPath: workspace.outside + "/errors"))
    process.standardOutput = FileHandle.nullDevice
    process.standardError = try FileHandle(forWritingTo: URL(fileURLWithPath: workspace.outside + "/errors"))
    try process.run()
    let deadline = ContinuousClock.now + .seconds(30)
    while try !workspace.exists(".formbench/store.sqlite") || StoreContents(workspace).unfinishedClips == 0 {
      try #require(process.isRunning && ContinuousClock.now < deadline)
      usleep(20_000)
    }
    return process
  }

  @Test func anImportKeepsWhatWasFinished() throws {
    let workspace = try Workspace()
    let process = try started(in: workspace)
    process.interrupt()
    process.waitUntilExit()
    #expect(process.exitCode == 130)
    let left = try StoreContents(workspace)
    #expect(left.datasets.isEmpty)
    #expect(
      try workspace.text("../errors")
        == "bench: interrupted: \(left.unfinishedClips) of 100000 clips of endless are kept; "
        + "run the same command to continue\n")
    KilledCommand.expectNoLeftovers(workspace, "after an interruption")
    // Nothing takes it for a dataset.
    try workspace.run("dataset", "export", "endless", "--to", "out").expectFailure(5, saying: ["endless"])
  }

  @Test(arguments: [true, false]) func aSecondCtrlCOrTwoSecondsEndTheProcess(isSecond: Bool) throws {
    let workspace = try Workspace()
    let process = try started(in: workspace)
    var configuration = Configuration()
    configuration.busyMode = .timeout(10)
    let queue = try DatabaseQueue(path: workspace.path(".formbench/store.sqlite"), configuration: configuration)
    try queue.writeWithoutTransaction { db in
      // Nobody else can write meanwhile, and the first Ctrl-C is looked at only after a clip. Without a second one, the
      // import would wait for five seconds and end with an error.
      try db.execute(sql: "BEGIN IMMEDIATE")
      usleep(200_000)
      process.interrupt()
      usleep(200_000)
      #expect(process.isRunning)
      if isSecond { process.interrupt() }
      process.waitUntilExit()
      try db.execute(sql: "ROLLBACK")
    }
    #expect(process.terminationReason == .uncaughtSignal && process.terminationStatus == SIGINT)
  }

  @Test func aRunLeavesNoReport() throws {
    let workspace = try BaselineTests.accepted()
    let arguments = ["run", "--suite", "squat"]
    let usual = try ContinuousClock().measure { try workspace.run(arguments).expectSuccess() }
    var interrupted = 0
    for attempt in 1...20 where interrupted < 3 {
      let reports = workspace.names(in: "reports/squat")
      let process = Process.bench(try BenchExecutable.command(arguments), in: workspace.project)
      process.standardOutput = FileHandle.nullDevice
      process.standardError = FileHandle.nullDevice
      try process.run()
      usleep(UInt32(usual * Double(attempt) / 21 / .microseconds(1)))
      process.interrupt()
      process.waitUntilExit()
      guard process.terminationReason == .exit, process.terminationStatus == 130 else { continue }
      interrupted += 1
      #expect(workspace.names(in: "reports/squat") == reports)
      KilledCommand.expectNoLeftovers(workspace, "attempt \(attempt)")
    }
    #expect(interrupted > 0, "no Ctrl-C came while the run could be interrupted, which says nothing")
  }
}
