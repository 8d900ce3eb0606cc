import Datasets
import Evaluation
import Foundation
import Testing

/// `kill -9` at random instants: the store opens, what was finished is there byte for byte, and doing it again completes
/// it and leaves nothing lying about.
@Suite struct KilledProcessTests {
  /// A project with a run, a dataset that only the store has, and 200 clips that are in no store yet: some megabytes, so
  /// that an import writes more than once.
  private func project() throws -> (workspace: Workspace, clips: Int) {
    let workspace = try StoreFaultTests.project()
    let clips = (0..<200).map { SquatClip(name: "clip\($0)", subject: "anna", squats: Self.squats) }
    try workspace.add(SquatClip.dataset("many", clips), in: "incoming")
    return (workspace, clips.count)
  }

  private static let squats = [Int](repeating: SquatClip.deep, count: 8)
  private static let importing = ["dataset", "import", "folder", "--from", "incoming/many"]

  @Test func duringAnImport() throws {
    let (workspace, clips) = try project()
    let before = try StoreContents(workspace)
    var command = try KilledCommand(Self.importing, in: workspace, stream: 0)
    let after = try StoreContents(workspace)
    try workspace.run("dataset", "remove", "many").expectSuccess()
    var halfDone = 0
    try command.killed(until: { halfDone > 0 }) { comment in
      try workspace.run("dataset", "list").expectSuccess()
      let left = try StoreContents(workspace)
      #expect(left.runs == before.runs, comment)
      // Either absent, as if nothing had been imported, or whole.
      #expect(left.datasets == before.datasets || left.datasets == after.datasets, comment)
      if (1..<clips).contains(left.unfinishedClips) { halfDone += 1 }
      let again = try workspace.run(Self.importing)
      again.expectSuccess()
      if left.unfinishedClips > 0 {
        #expect(again.output.hasSuffix("; \(left.unfinishedClips) were there from an interrupted import\n"), comment)
      }
      #expect(try StoreContents(workspace) == after, comment)
      KilledCommand.expectNoLeftovers(workspace, comment)
      try workspace.run("dataset", "remove", "many").expectSuccess()
    }
    #expect(halfDone > 0, "no kill came in the middle of an import, which says nothing")
  }

  @Test(arguments: [["dataset", "remove", "many"], ["dataset", "purge"]])
  func duringARemoval(_ removing: [String]) throws {
    let (workspace, _) = try project()
    let expired = Expiry("2020-02-29")
    func importing() throws {
      try workspace.run(Self.importing).expectSuccess()
      // Which the command would not take, as it has passed.
      try workspace.store().importing(DatasetFolder(workspace.path("incoming/many")), expires: expired)
    }
    try importing()
    let before = try StoreContents(workspace)
    var command = try KilledCommand(removing, in: workspace, stream: removing.count == 3 ? 1 : 4)
    let after = try StoreContents(workspace)
    #expect(after.datasets.count == before.datasets.count - 1)
    try command.killed(before: importing) { comment in
      let left = try StoreContents(workspace)
      #expect(left == before || left == after, comment)
      if left == before { try workspace.run(removing).expectSuccess() }
      #expect(try StoreContents(workspace) == after, comment)
      KilledCommand.expectNoLeftovers(workspace, comment)
    }
  }

  @Test func duringARun() throws {
    let (workspace, _) = try project()
    let before = try StoreContents(workspace)
    var command = try KilledCommand(["run", "--suite", "squat"], in: workspace, stream: 2)
    try command.killed { comment in
      #expect(try StoreContents(workspace).datasets == before.datasets, comment)
      try expectWholeRuns(workspace)
    }
    let done = try workspace.run(command.arguments)
    done.expectSuccess()
    try expectWholeRuns(workspace)
    KilledCommand.expectNoLeftovers(workspace, "after a whole run")
    #expect(done.output.contains("report   reports/squat/\(try latest(workspace))/report.md"))
  }

  private func latest(_ workspace: Workspace) throws -> String {
    try FileManager.default.destinationOfSymbolicLink(atPath: workspace.path("reports/squat/latest"))
  }

  private func expectWholeRuns(_ workspace: Workspace) throws {
    for run in try workspace.store().runs(ofSuite: "squat") {
      #expect(try JSONDecoder().decode(RunResults.self, from: Data(run.results.utf8)).clips.count == 3)
    }
    let reports = workspace.names(in: "reports/squat").filter { $0 != "latest" }
    for report in reports {
      #expect(workspace.names(in: "reports/squat/\(report)") == RunTests.reportFiles)
    }
    #expect(try reports.contains(latest(workspace)))
  }

  @Test func duringTheAcceptanceOfABaseline() throws {
    let workspace = try BaselineTests.accepted()
    let old = try workspace.bytes(BaselineTests.file)
    let accepting = ["baseline", "accept", "--suite", "squat", "--set", "reps.squat-states.bottomAngle=75"]
    var command = try KilledCommand(accepting, in: workspace, stream: 3)
    let path = workspace.path(BaselineTests.file)
    let new = try Baseline(file: path, suite: "squat")
    try command.killed(before: { try workspace.write(old, to: BaselineTests.file) }) { comment in
      // What an update cost is measured anew each time; all else of the new one is the same.
      let isOld = try workspace.bytes(BaselineTests.file) == old
      #expect(try isOld || Baseline(file: path, suite: "squat").agrees(with: new), comment)
      try workspace.run(accepting).expectSuccess()
      #expect(try Baseline(file: path, suite: "squat").agrees(with: new), comment)
      KilledCommand.expectNoLeftovers(workspace, comment)
    }
  }
}
