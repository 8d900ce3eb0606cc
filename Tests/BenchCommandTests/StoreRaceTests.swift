import Datasets
import Foundation
import Synchronization
import Testing

/// Eight processes that label, import, remove and run at the same time on one store: nothing is lost, and no error but those
/// that are expected.
@Suite struct StoreRaceTests {
  /// `BENCH_RACES=100` has it done a hundred times.
  static let rounds = ProcessInfo.processInfo.environment["BENCH_RACES"].flatMap(Int.init) ?? 2

  /// What every process may say where another was faster.
  private static let refusals = [
    "expected a dataset of the store (see: bench dataset list), found none called",
    "was removed or relabelled by another process",
    "the store has another dataset with this name",
  ]

  @Test func nothingIsLost() throws {
    let workspace = try Workspace.withSquats()
    let mine = (0..<6).map { SquatClip(name: "clip\($0)", subject: "anna", squats: [SquatClip.deep]) }
    try workspace.add(SquatClip.dataset("mine", mine), in: "incoming")
    try workspace.add(SquatClip.dataset("extra", SquatClip.three), in: "incoming")
    try workspace.add(SquatClip.dataset("extra", SquatClip.twelve), in: "others")
    try workspace.run("dataset", "import", "folder", "--from", "incoming/mine").expectSuccess()
    var runs = 0
    for round in 0..<Self.rounds {
      // Each labels every clip under a name of its own, on a criterion of its own.
      let raters = (0..<4).map { "rater\(round)x\($0)" }
      for rater in raters {
        let rows = mine.map { "\($0.name),1,\(rater),on-\(rater),80\n" }.joined()
        try workspace.write("clip,rep,rater,criterion,grade\n" + rows, to: "\(rater).csv")
        try workspace.write("criteria: [{ name: on-\(rater), minimum: 0, maximum: 100 }]\n", to: "\(rater).yaml")
      }
      let labels = raters.map { ["dataset", "label", "mine", "csv", "--from", "\($0).csv", "--mapping", "\($0).yaml"] }
      let commands =
        labels + [
          ["dataset", "import", "folder", "--from", "incoming/extra"],
          ["dataset", "import", "folder", "--from", round % 2 == 0 ? "incoming/extra" : "others/extra"],
          ["dataset", "remove", "extra"], ["run", "--suite", "squat"],
        ]
      let outcomes = try atOnce(commands, in: workspace)
      let comment: Comment = "round \(round)"
      for (command, outcome) in zip(commands, outcomes) {
        let isRefusal =
          Self.refusals.contains { outcome.error.contains($0) }
          || outcome.output.contains("still in the store's files, because another process is using the store")
        #expect(outcome.code == 0 || isRefusal && command[1] != "label", "\(command), \(outcome.error)")
        for raw in ["constraint", "no such table", "SQLite error"] { #expect(!outcome.error.contains(raw), comment) }
      }
      runs += outcomes[7].code == 0 ? 1 : 0
      let store = try workspace.store()
      let dataset = try #require(try store.datasets().first { $0.manifest.name == "mine" })
      let expected = Set((0...round).flatMap { round in (0..<4).map { "rater\(round)x\($0)" } })
      for clip in try store.clips(of: dataset) {
        let own = clip.labels.grades.map(\.rater).filter { $0.hasPrefix("rater") }
        #expect(own.count == expected.count && Set(own) == expected, comment)
      }
      #expect(Set(dataset.manifest.criteria.map(\.name)).isSuperset(of: expected.map { "on-\($0)" }), comment)
      #expect(try store.runIDs(ofSuite: "squat").count == runs, comment)
      let log = try store.auditLog()
      #expect(log.damage == nil, comment)
      #expect(log.entries.count { $0.action == .labelled } == expected.count, comment)
      // What is there is there whole.
      let extra = try store.datasets().filter { $0.manifest.name == "extra" }
      #expect(extra.allSatisfy { $0.content != nil && [3, 12].contains($0.clipCount) }, comment)
      _ = try StoreContents(workspace)
      KilledCommand.expectNoLeftovers(workspace, comment)
    }
  }

  @Test func manyMayBeTheFirstToOpenAStore() throws {
    let workspace = try Workspace()
    for round in 0..<3 * Self.rounds {
      let listing = ["dataset", "list", "--store", "new-\(round)/store.sqlite"]
      let outcomes = try atOnce([[String]](repeating: listing, count: 8), in: workspace)
      #expect(outcomes.allSatisfy { $0.code == 0 }, "\(outcomes.map(\.error))")
    }
  }

  @Test func importsOfOneNameTakeTurns() throws {
    let workspace = try Workspace()
    let importing = try (0..<6).map { number in
      let clip = SquatClip(
        name: "clip", subject: "anna", squats: [Int](repeating: SquatClip.deep, count: 1 + number % 3))
      try workspace.add(SquatClip.dataset("same", [clip]), in: "incoming\(number)")
      return ["dataset", "import", "folder", "--from", "incoming\(number)/same"]
    }
    let outcomes = try atOnce(importing, in: workspace)
    for outcome in outcomes where outcome.code != 0 {
      #expect(
        outcome.code == 1 && outcome.error.contains("the store has another dataset with this name"),
        "\(outcome.error)")
    }
    // Of each of the three contents there are two.
    #expect(outcomes.count { $0.code == 0 } == 2, "\(outcomes.map(\.error))")
    #expect(try workspace.store().datasets().map(\.clipCount) == [1])
    KilledCommand.expectNoLeftovers(workspace, "")
  }

  /// Runs commands at the same time, each in a process of its own.
  private func atOnce(_ commands: [[String]], in workspace: Workspace) throws -> [Outcome] {
    let outcomes = Mutex([Int: Result<Outcome, any Error>]())
    DispatchQueue.concurrentPerform(iterations: commands.count) { index in
      let outcome = Result { try workspace.run(commands[index]) }
      outcomes.withLock { $0[index] = outcome }
    }
    return try commands.indices.map { index in
      try #require(outcomes.withLock { $0[index] }).get()
    }
  }
}
