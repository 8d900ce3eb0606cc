import Evaluation
import Foundation
import Testing

/// Public sets: named and pinned by a project, and imported by whoever has their files.
@Suite struct PublicSetCommandTests {
  private static let command =
    "bench dataset import folder --from FOLDER --name squats --clips datasets/public/two.clips"
  private static let missing =
    "dataset squats: expected Squats of two people: 2 clips of 2 people (CC0-1.0), found none in the store. "
    + "Get it from the shelf, then: \(command)"

  /// A project with the suite `squat` on the public set `squats`: two of the three clips in `incoming/squats`.
  private func project() throws -> Workspace {
    let workspace = try Workspace()
    try workspace.add(SquatClip.dataset("squats", SquatClip.three), in: "incoming")
    let content = try workspace.add(SquatClip.dataset("squats", Array(SquatClip.three.prefix(2))), in: "pinned")
    try workspace.write("anna_1\nbert_1\n", to: "datasets/public/two.clips")
    try workspace.write(
      """
      name: squats
      holds: Squats of two people
      licence: CC0-1.0
      source: the shelf
      cite: Nobody, 2018
      import: { format: folder }
      clips_file: two.clips
      content: \(content)
      people: 2
      clips: 2
      reps: 5
      graders: 2
      """, to: "datasets/public/squats.yaml")
    try workspace.write(SquatSuite(content: content).yaml, to: "datasets/suites/squat.yaml")
    return workspace
  }

  /// Runs the printed import on a folder.
  private func importing(_ folder: String, in workspace: Workspace) throws -> Outcome {
    try workspace.run(
      Self.command.split(separator: " ").dropFirst().map { $0 == "FOLDER" ? folder : String($0) })
  }

  @Test(arguments: [
    ["run", "--suite", "squat"], ["run", "--suite", "squat", "--dataset", "squats"],
    ["replay", "anna_1", "--suite", "squat"], ["leaderboard", "--suites", "squat"],
    ["dataset", "show", "squats", "--chart", "card.png"],
  ])
  func whatNeedsAnAbsentSetSaysHowToGetIt(_ arguments: [String]) throws {
    try project().run(arguments).expectFailure(5, Self.missing)
  }

  @Test func theListSaysWhichSetsAreInTheStore() throws {
    let workspace = try project()
    let absent = try workspace.run("dataset", "list", "--public")
    absent.expectSuccess()
    #expect(absent.output.hasPrefix("1 public set, 0 in the store\n\nset "))
    #expect(absent.output.contains(#/\nsquats +2 +2 +5 +2 +CC0-1\.0 +no\n/#))
    #expect(absent.output.hasSuffix("\nTo get one, see its source and its import: bench dataset show NAME\n"))
    try importing("incoming/squats", in: workspace).expectSuccess()
    let present = try workspace.run("dataset", "list", "--public")
    #expect(present.output.contains(#/\nsquats +2 +2 +5 +2 +CC0-1\.0 +yes\n/#))
    try workspace.run("dataset", "remove", "squats").expectSuccess()
    try workspace.run("dataset", "import", "folder", "--from", "incoming/squats").expectSuccess()
    let other = try workspace.run("dataset", "list", "--public")
    #expect(other.output.contains(#/\nsquats +2 +2 +5 +2 +CC0-1\.0 +other content\n/#))
    try workspace.run("run", "--suite", "squat").expectFailure(
      5, saying: ["dataset squats: expected the content that the suite pins, sha256:"])
  }

  @Test func anEntryThatIsWrongHidesNoOther() throws {
    let workspace = try project()
    try workspace.write("name: odd\n", to: "datasets/public/odd.yaml")
    let outcome = try workspace.run("dataset", "list", "--public")
    #expect(outcome.code == 1)
    #expect(outcome.output.contains("\nsquats "))
    #expect(outcome.error.contains("datasets/public/odd.yaml:1: expected all required keys, found 10 missing:"))
    try workspace.write(workspace.text("datasets/public/squats.yaml"), to: "datasets/public/odd.yaml")
    try workspace.run("dataset", "show", "odd").expectFailure(
      1, "datasets/public/odd.yaml: expected name: odd, the name of the file, found name: squats")
  }

  @Test func aProjectWithoutPublicSetsSaysSo() throws {
    let outcome = try Workspace().run("dataset", "list", "--public")
    outcome.expectSuccess()
    #expect(outcome.output == "no public sets in datasets/public\n")
  }

  /// The printed command, run on more than what was pinned, makes the pinned dataset.
  @Test func theImportMakesThePinnedDataset() throws {
    let workspace = try project()
    let shown = try workspace.run("dataset", "show", "squats")
    shown.expectSuccess()
    let lines = shown.output.components(separatedBy: "\n")
    for line in [
      "squats, not in the store", "holds      Squats of two people", "size       2 clips of 2 people", "reps       5",
      "graders    2", "licence    CC0-1.0", "source     the shelf", "cite       Nobody, 2018",
      "import     \(Self.command)",
    ] {
      #expect(lines.contains(line), "\(line)")
    }
    let imported = try importing("incoming/squats", in: workspace)
    imported.expectSuccess()
    #expect(imported.output.hasPrefix("imported 2 clips as squats, content sha256:"))
    try workspace.run("run", "--suite", "squat").expectSuccess()
    let now = try workspace.run("dataset", "show", "squats")
    #expect(now.output.contains("\nclips      2 of 2 people\n"))
  }

  @Test func aListedClipThatTheSourceLacksIsAnError() throws {
    let workspace = try project()
    try workspace.write("anna_1\nberta_1\n", to: "datasets/public/two.clips")
    try importing("incoming/squats", in: workspace).expectFailure(
      1,
      "datasets/public/two.clips:2: clip berta_1: expected a clip of the source, found none called \"berta_1\", "
        + "did you mean bert_1?")
    #expect(try workspace.store().datasets().isEmpty)
  }

  /// The options of every entry of this checkout are ones that its format takes.
  @Test func everyShippedImportIsACommand() throws {
    let root = ModuleOrderTests.checkout.standardizedFileURL.path
    let sets = PublicSets(of: Project(root: root))
    let workspace = try Workspace()
    try workspace.write("nothing\n", to: "empty/notes.md")
    let commands = try sets.names.map { name in
      let entry = try #require(try sets.set(named: name)).importing
      return ["dataset", "import", entry.format, "--from", "empty", "--name", entry.name] + entry.options
    }
    for (name, outcome) in zip(sets.names, try workspace.runEach(commands)) {
      // Not 64, a wrong usage: there are no such files.
      #expect(outcome.code == 1, "\(name): \(outcome.error)")
      #expect(outcome.error.contains("expected"), "\(name)")
    }
  }
}
