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
    let clips = (0..<200).map { SquatClip(name: "clip\($0)", subject: "anna", squats: Self.squats) }
    let workspace = try Workspace.shared("a dataset in the store, a run and \(clips.count) clips") {
      let workspace = try StoreFaultTests.project()
      try workspace.add(SquatClip.dataset("many", clips), in: "incoming")
      return workspace
    }
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
    func size() throws -> Int {
      try FileManager.default.attributesOfItem(atPath: workspace.path(StoreFaultTests.store))[.size] as? Int ?? 0
    }
    let empty = try size()
    // While the store is locked, its size tells that the first sixteen megabytes are there.
    let isMidway = {
      try StoreContents.unfinishedClips(workspace).map((1..<clips).contains) ?? (size() > empty + 18 << 20)
    }
    try command.killed(until: { halfDone > 0 }, when: isMidway) { comment in
      try workspace.run("dataset", "list").expectSuccess()
      let left = try StoreContents(workspace)
      #expect(left.runs == before.runs, comment)
      // Either absent, as if nothing had been imported, or whole.
      #expect(left.datasets == before.datasets || left.datasets == after.datasets, comment)
      if (1..<clips).contains(left.unfinishedClips) { halfDone += 1 }
      let again = try workspace.run(Self.importing)
      again.expectSuccess()
      if left.unfinishedClips > 0 {
        #expect(again.output.hasSuffix("; \(left.unfinishedClips) came from an interrupted import\n"), comment)
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

  /// The runs are there, or they are not and leave no name of their clips.
  @Test func duringARemovalOfRuns() throws {
    let workspace = try StoreFaultTests.project()
    for _ in 0..<4 { try workspace.run("run", "--suite", "squat").expectSuccess() }
    let whole = try workspace.bytes(StoreFaultTests.store)
    #expect(whole.range(of: Data("squats/anna_1".utf8)) != nil)
    let before = try StoreContents(workspace)
    let removing = ["dataset", "remove", "squats", "--runs"]
    var command = try KilledCommand(removing, in: workspace, stream: 6)
    let after = try StoreContents(workspace)
    #expect(before.runs.count > 0 && after.runs.isEmpty)
    let restoring = {
      for journal in ["-wal", "-shm"] {
        try? FileManager.default.removeItem(atPath: workspace.path(StoreFaultTests.store + journal))
      }
      try workspace.write(whole, to: StoreFaultTests.store)
    }
    try command.killed(before: restoring) { comment in
      let left = try StoreContents(workspace)
      #expect(left == before || left == after, comment)
      try workspace.run(left == before ? removing : ["dataset", "log"]).expectSuccess()
      #expect(try StoreContents(workspace) == after, comment)
      #expect(try workspace.bytes(StoreFaultTests.store).range(of: Data("squats/anna_1".utf8)) == nil, comment)
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

  /// Labels of two kinds take turns: those of one are there, whole, or those of the other.
  @Test func duringLabelling() throws {
    let workspace = try Workspace()
    let clips = (0..<40).map { SquatClip(name: "clip\($0)", subject: "anna", squats: Self.squats) }
    try workspace.add(SquatClip.dataset("many", clips), in: "incoming")
    try workspace.run(Self.importing).expectSuccess()
    for clip in clips {
      try workspace.write("0.5\t0.5\tcall\n", to: "old/\(clip.name).txt")
      try workspace.write("0.5\t0.5\tstart\n1.5\t1.5\tstop\n", to: "new/\(clip.name).txt")
    }
    func labelling(_ folder: String) -> [String] { ["dataset", "label", "many", "--from", folder, "--replace"] }
    try workspace.run(labelling("old")).expectSuccess()
    let before = try StoreContents(workspace)
    var command = try KilledCommand(labelling("new"), in: workspace, stream: 5)
    let after = try StoreContents(workspace)
    #expect(before != after)
    try command.killed(before: { try workspace.run(labelling("old")).expectSuccess() }) { comment in
      let left = try StoreContents(workspace)
      #expect(left == before || left == after, comment)
      try workspace.run(labelling("new")).expectSuccess()
      #expect(try StoreContents(workspace) == after, comment)
      KilledCommand.expectNoLeftovers(workspace, comment)
    }
  }

  /// A folder, or an archive that opens.
  @Test(arguments: ["out/mine", "out/mine.age"]) func duringAnExport(_ path: String) throws {
    let workspace = try StoreFaultTests.project()
    try workspace.write("a passphrase of some length\n", to: "passphrase")
    try FileManager.default.createDirectory(atPath: workspace.path("out"), withIntermediateDirectories: true)
    let isArchive = path.hasSuffix(".age")
    let exporting =
      ["dataset", "export", "mine", "--to", path]
      + (isArchive ? ["--encrypt", "--passphrase-file", "passphrase"] : [])
    var command = try KilledCommand(exporting, in: workspace, stream: isArchive ? 6 : 7)
    let before = try StoreContents(workspace)
    let whole = try ProjectState.files(workspace.path("out"))
    func expectWhole(_ comment: Comment) throws {
      guard isArchive else { return #expect(try ProjectState.files(workspace.path("out")) == whole, comment) }
      let store = try Store(at: "\(workspace.outside)/archive.sqlite")
      let passphrase = Array("a passphrase of some length".utf8)
      let opened = try OpenedArchive(workspace.path(path), passphrase: passphrase, beside: store)
      #expect(try DatasetFolder(opened.folder).clipCount == 3, comment)
    }
    try expectWhole("after a whole export")
    try command.killed(before: { if workspace.exists(path) { try workspace.remove(path) } }) { comment in
      #expect(try StoreContents(workspace) == before, comment)
      if workspace.exists(path) {
        // Nothing but what is finished is there under its name.
        try FileManager.default.contentsOfDirectory(atPath: workspace.path("out")).filter { $0.hasPrefix(".") }
          .forEach { try workspace.remove("out/\($0)") }
        try expectWhole(comment)
        try workspace.remove(path)
      }
      try workspace.run(exporting).expectSuccess()
      try expectWhole(comment)
      #expect(
        try FileManager.default.contentsOfDirectory(atPath: workspace.path("out"))
          == [String(path.dropFirst("out/".count))], comment)
    }
    KilledCommand.expectNoLeftovers(workspace, "after the last export")
  }

  /// Reports appear whole, and the baseline stays as it is.
  @Test(arguments: [["gate", "--suite", "squat"], ["compare", "--suite", "squat"] + CompareTests.blind])
  func duringAComparison(_ comparing: [String]) throws {
    let workspace = try BaselineTests.accepted()
    let baseline = try workspace.bytes(BaselineTests.file)
    var command = try KilledCommand(comparing, in: workspace, stream: comparing[0] == "gate" ? 8 : 9)
    let before = try StoreContents(workspace)
    // A gate writes none.
    let files = workspace.names(in: "reports/squat").first.map { workspace.names(in: "reports/squat/\($0)") } ?? []
    func expectWholeReports(_ comment: Comment) {
      for report in workspace.names(in: "reports/squat") where report != "latest" {
        #expect(workspace.names(in: "reports/squat/\(report)") == files, comment)
      }
    }
    try command.killed { comment in
      let left = try StoreContents(workspace)
      #expect(left.datasets == before.datasets, comment)
      #expect(try workspace.bytes(BaselineTests.file) == baseline, comment)
      expectWholeReports(comment)
    }
    try workspace.run(comparing).expectSuccess()
    expectWholeReports("after a whole one")
    KilledCommand.expectNoLeftovers(workspace, "after a whole one")
  }

  /// Pictures are replaced one by one, each whole. It takes minutes, so that only `scripts/kill-test` does it.
  @Test(.enabled(if: KilledCommand.isAsked, "takes minutes: scripts/kill-test")) func duringTheGallery() throws {
    let workspace = try Workspace()
    let datasets = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../datasets")
    try workspace.remove("datasets")
    try FileManager.default.copyItem(atPath: datasets.standardizedFileURL.path, toPath: workspace.path("datasets"))
    let baselines = datasets.deletingLastPathComponent().appending(path: "baselines").standardizedFileURL
    try FileManager.default.copyItem(atPath: baselines.path, toPath: workspace.path("baselines"))
    var command = try KilledCommand(
      ["draw", "gallery", "--output", "gallery"], in: workspace, stream: 10, rounds: max(1, KilledCommand.rounds / 25))
    let drawn = try ProjectState.files(workspace.path("gallery"))
    let spoilt = Data("spoilt".utf8)
    let pictures = drawn.keys.filter { $0.hasSuffix(".png") }
    try command.killed(before: { for file in pictures { try workspace.write(spoilt, to: "gallery/\(file)") } }) {
      comment in
      for (file, bytes) in try ProjectState.files(workspace.path("gallery"))
      where !file.contains("/.") && file.first != "." {
        #expect(bytes == spoilt || bytes == drawn[file], comment)
      }
    }
    try workspace.run(command.arguments).expectSuccess()
    #expect(try ProjectState.files(workspace.path("gallery")) == drawn)
  }
}
