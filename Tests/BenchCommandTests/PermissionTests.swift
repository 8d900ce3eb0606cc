import Foundation
import Testing

/// Who may read what is written about people: their own user, whatever the umask.
@Suite struct PermissionTests {
  /// Folders and files below a path that somebody else may read, write or enter, with their permissions.
  private func open(below folder: String) throws -> [String] {
    try FileManager.default.subpathsOfDirectory(atPath: folder).compactMap { name in
      var status = stat()
      try #require(lstat("\(folder)/\(name)", &status) == 0)
      let (kind, mode) = (status.st_mode & S_IFMT, status.st_mode & 0o7777)
      let expected: mode_t = kind == S_IFDIR ? 0o700 : 0o600
      return kind == S_IFLNK || mode == expected ? nil : "\(name) \(String(mode, radix: 8))"
    }
  }

  @Test(arguments: [
    (
      "000",
      """
      $bench baseline accept --suite squat; $bench run --suite squat; $bench report --html
      export BENCH_PASSPHRASE=correct-horse-battery
      $bench dataset export squats --encrypt --to made/archive
      $bench dataset import --from made/archive --name again; $bench dataset remove squats
      """
    ), ("277", "$bench draw card --dataset squats --out drawn"),
  ])
  func whatIsWrittenIsOfItsUserAlone(umask: String, more: String) throws {
    let workspace = try Workspace()
    let content = try workspace.add(SquatClip.dataset("squats", SquatClip.three), in: "../incoming")
    try workspace.write(SquatSuite(content: content).yaml, to: "datasets/suites/squat.yaml")
    let outcome = try workspace.shell(
      """
      set -e; mkdir made; find . >../before; umask \(umask)
      $bench dataset import --from ../incoming/squats; $bench dataset export squats --to made/a/folder
      \(more)
      """)
    #expect(outcome.code == 0, "\(outcome.error)")
    let before = Set(try workspace.text("../before").split(separator: "\n").map { $0.dropFirst(2) })
    let found = try open(below: workspace.project).filter { entry in
      !before.contains { entry.hasPrefix("\($0) ") }
    }
    #expect(found == [])
    #expect(workspace.exists(".formbench/store.sqlite") && workspace.exists("made/a/folder/clips.csv"))
    #expect(workspace.exists(umask == "000" ? "reports/squat/latest/report.html" : "drawn/card.png"))
  }

  /// The journals of a store, while it is open, are as the store is.
  @Test func theJournalsOfAStoreToo() throws {
    let workspace = try Workspace.withSquats()
    try workspace.run("dataset", "show", "squats").expectSuccess()
    let store = try workspace.store()
    _ = try store.datasets()
    #expect(try open(below: workspace.path(".formbench")) == [])
    withExtendedLifetime(store) {}
  }

  /// A store that an older version left for all to read is closed to them.
  @Test func aStoreThatAllCouldReadIsClosed() throws {
    let workspace = try Workspace.withSquats()
    try workspace.run("dataset", "show", "squats").expectSuccess()
    try #require(chmod(workspace.path(".formbench/store.sqlite"), 0o644) == 0)
    try workspace.run("dataset", "list").expectSuccess()
    #expect(try open(below: workspace.path(".formbench")) == [])
    // Shared with a group on purpose.
    try #require(chmod(workspace.path(".formbench/store.sqlite"), 0o660) == 0)
    try workspace.run("dataset", "list").expectSuccess()
    #expect(try open(below: workspace.path(".formbench")).allSatisfy { $0.hasSuffix(" 660") })
  }

  /// The file that GitHub gives for a summary is the runner's: it is added to, and stays as it is.
  @Test func aStepSummaryStaysTheRunners() throws {
    let workspace = try BaselineTests.accepted()
    try workspace.write("before\n", to: "summary.md")
    try #require(chmod(workspace.path("summary.md"), 0o666) == 0)
    var (before, after) = (stat(), stat())
    try #require(stat(workspace.path("summary.md"), &before) == 0)
    try workspace.run(
      ["gate", "--suite", "squat"], environment: ["GITHUB_STEP_SUMMARY": workspace.path("summary.md")]
    ).expectSuccess()
    try #require(stat(workspace.path("summary.md"), &after) == 0)
    #expect(before.st_ino == after.st_ino && before.st_mode == after.st_mode)
    #expect(try workspace.text("summary.md").hasPrefix("before\n### bench gate squat: PASS"))
  }
}
