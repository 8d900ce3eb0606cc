import Datasets
import Evaluation
import Foundation
import Testing

/// `kill -9` at random instants: the store opens, what was finished is there, and doing it again completes it.
@Suite struct KilledProcessTests {
  static let seed: UInt64 = 20

  /// Starts a command, kills it after a random part of `usual`, and says whether that was before its end.
  private func isKilled(
    _ arguments: [String], in workspace: Workspace, usual: Duration, _ random: inout SeededGenerator
  ) throws -> Bool {
    let process = Process.bench(try BenchExecutable.command(arguments), in: workspace.project)
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    let instant = usual * Double.random(in: 0..<1, using: &random)
    try process.run()
    usleep(UInt32(instant / .microseconds(1)))
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
    return process.terminationReason == .uncaughtSignal
  }

  private func measure(_ body: () throws -> Void) rethrows -> Duration {
    try ContinuousClock().measure { try body() }
  }

  @Test func duringAnImport() throws {
    let workspace = try Workspace()
    let clips = (0..<60).map { SquatClip(name: "clip\($0)", subject: "anna", squats: [SquatClip.deep]) }
    let content = try workspace.add(SquatClip.dataset("many", clips), in: "incoming")
    let importing = ["dataset", "import", "folder", "--from", "incoming/many"]
    let usual = try measure { try workspace.run(importing).expectSuccess() }
    var random = SeededGenerator(seed: Self.seed)
    var halfDone = 0
    for round in 0..<10 {
      try workspace.remove(".formbench")
      guard try isKilled(importing, in: workspace, usual: usual, &random) else { continue }
      let list = try workspace.run("dataset", "list")
      list.expectSuccess()
      let finished = try finishedClips(workspace, of: clips)
      if finished > 0 && finished < clips.count { halfDone += 1 }
      let again = try workspace.run(importing)
      again.expectSuccess()
      let before = finished > 0 ? "; \(finished) were there from an interrupted import" : ""
      let isComplete = list.output.contains(content.dropFirst(7).prefix(12))
      #expect(
        again.output
          == (isComplete
            ? "many is in the store already, with the same content \(content.dropFirst(7).prefix(12))\n"
            : "imported 60 clips as many, content \(content)\(before)\n"),
        "seed \(Self.seed), round \(round)")
      #expect(try finishedClips(workspace, of: clips) == clips.count, "seed \(Self.seed), round \(round)")
    }
    #expect(halfDone > 0, "no kill came in the middle of an import, which says nothing")
  }

  /// The number of clips in the store, each of which must be whole.
  private func finishedClips(_ workspace: Workspace, of source: [SquatClip]) throws -> Int {
    let store = try workspace.store()
    let datasets = try store.datasets()
    #expect(datasets.count <= 1)
    guard let dataset = datasets.first else { return 0 }
    let stored = try store.clips(of: dataset)
    #expect(dataset.clipCount == stored.count)
    for one in stored {
      let clip = try store.clip(one, of: dataset)
      let original = try #require(source.first { $0.name == clip.info.name }).clip
      #expect(clip.labels == original.labels)
      let (values, expected) = (clip.keypoints?.values ?? [], original.keypoints?.values ?? [])
      #expect(values.map(\.bitPattern) == expected.map(\.bitPattern))
    }
    return stored.count
  }

  @Test func duringARun() throws {
    let workspace = try BaselineTests.accepted()
    let usual = try measure { try workspace.run("run", "--suite", "squat").expectSuccess() }
    var random = SeededGenerator(seed: Self.seed + 1)
    var killed = 0
    for _ in 0..<6 where try isKilled(["run", "--suite", "squat"], in: workspace, usual: usual, &random) {
      killed += 1
      try workspace.run("dataset", "list").expectSuccess()
      try expectWholeRuns(workspace)
    }
    #expect(killed > 0, "no kill came before the end of a run, which says nothing")
    let done = try workspace.run("run", "--suite", "squat")
    done.expectSuccess()
    #expect(done.output.contains("verdict  PASS"))
    try expectWholeRuns(workspace)
    #expect(done.output.contains("report   reports/squat/\(try latest(workspace))/report.md"))
  }

  private func latest(_ workspace: Workspace) throws -> String {
    try FileManager.default.destinationOfSymbolicLink(atPath: workspace.path("reports/squat/latest"))
  }

  private func expectWholeRuns(_ workspace: Workspace) throws {
    for run in try workspace.store().runs(ofSuite: "squat") {
      #expect(try JSONDecoder().decode(RunResults.self, from: Data(run.results.utf8)).clips.count == 3)
    }
    let reports = workspace.names(in: "reports/squat").filter { !$0.hasPrefix("latest") }
    for report in reports {
      #expect(workspace.names(in: "reports/squat/\(report)") == RunTests.reportFiles)
    }
    #expect(try reports.contains(latest(workspace)))
  }
}
