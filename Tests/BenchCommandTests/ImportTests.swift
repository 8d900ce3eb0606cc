import Datasets
import Foundation
import Testing

/// Datasets on their way into the store and out of it.
@Suite struct ImportTests {
  /// A project with `incoming/mine`, and its content hash.
  private func project() throws -> (workspace: Workspace, content: String) {
    let workspace = try Workspace()
    return (workspace, try workspace.add(SquatClip.dataset("mine", SquatClip.three), in: "incoming"))
  }

  /// The same after the import: three clips with reps.
  static func imported() throws -> Workspace {
    try Workspace.shared("incoming/mine in the store") {
      let workspace = try Workspace()
      try workspace.add(SquatClip.dataset("mine", SquatClip.three), in: "incoming")
      try workspace.run("dataset", "import", "folder", "--from", "incoming/mine").expectSuccess()
      return workspace
    }
  }

  private func imported() throws -> (workspace: Workspace, content: String) {
    let workspace = try Self.imported()
    return (workspace, try #require(workspace.store().datasets().first?.content).description)
  }

  private func importing(_ workspace: Workspace, _ folder: String, _ more: String...) throws -> Outcome {
    try workspace.run(["dataset", "import", "folder", "--from", folder] + more)
  }

  @Test func anImportSaysWhatItTookIn() throws {
    let (workspace, content) = try project()
    let outcome = try importing(workspace, "incoming/mine")
    outcome.expectSuccess()
    #expect(outcome.output == "imported 3 clips as mine, content \(content)\n")
    let list = try workspace.run("dataset", "list")
    list.expectSuccess()
    #expect(list.output.contains(#/\nmine +1 +SYNTHETIC +3 +[0-9a-f]{12} +imported\n/#))
  }

  /// A source of several datasets is imported whole or not at all, also where a later one is wrong or its name is taken.
  @Test func allDatasetsOfASourceOrNone() throws {
    let workspace = try Workspace()
    let row = ",0.1,0.2,0.3,0.4\n"
    let header = "label,nose_x,nose_y,nose_z,nose_v\n"
    try workspace.write(header + "up" + row, to: "source/squat_model/train.csv")
    try workspace.write(header + "Z" + row, to: "source/plank_model/train.csv")
    let all = ["dataset", "import", "exercise-correction", "--from", "source", "--name", "many"]
    try workspace.run(all).expectFailure(
      1, saying: ["source/plank_model/train.csv:2: clip plank-train: expected one of C, H, L in column label"])
    #expect(try workspace.store().datasets().isEmpty)
    #expect(try workspace.store().auditLog().entries.isEmpty)
    try workspace.write(header + "C" + row, to: "source/plank_model/train.csv")
    // The name of the second one is another dataset's.
    try workspace.add(SquatClip.dataset("many-plank", SquatClip.three), in: "incoming")
    try importing(workspace, "incoming/many-plank").expectSuccess()
    try workspace.run(all).expectFailure(
      1, saying: ["dataset many-plank: the store has another dataset with this name", "nothing was imported"])
    #expect(try workspace.store().datasets().map(\.manifest.name) == ["many-plank"])
    try workspace.run("dataset", "remove", "many-plank").expectSuccess()
    let outcome = try workspace.run(all)
    outcome.expectSuccess()
    #expect(outcome.output.contains(#/^imported 1 clip as many-squat, content .*\nimported 1 clip as many-plank/#))
    #expect(try workspace.store().datasets().count == 2)
  }

  /// As of a folder of recordings of which one has a single frame.
  @Test func aRecordingThatCanNotBeReadIsLeftOutUntilItIsMended() throws {
    let workspace = try Workspace()
    let line = (1...117).map { "\($0)" }.joined(separator: ",") + "\n"
    for (number, frames) in [("01", 3), ("02", 1), ("03", 3)] {
      try workspace.write(String(repeating: line, count: frames), to: "set/m01_s01_e\(number)_positions.txt")
    }
    let all = ["dataset", "import", "ui-prmd", "--from", "set", "--single"]
    let reason = "set/m01_s01_e02_positions.txt: clip m01_s01_e02: expected at least two frames, found 1"
    try workspace.run(all + ["--strict"]).expectFailure(1, reason)
    #expect(try workspace.store().datasets().isEmpty)
    let part = try workspace.run(all)
    part.expectSuccess()
    let lines = part.output.components(separatedBy: "\n")
    #expect(lines[0].wholeMatch(of: /imported 2 of 3 clips as ui-prmd, content sha256:[0-9a-f]{64}; 1 left out/) != nil)
    #expect(
      lines.dropFirst().prefix(2) == [
        "left out: \(reason)", "Mend what was left out and run the same command again to add it",
      ])
    #expect(part.output.contains("again with --camera side --name ui-prmd-side\n"))
    let again = try workspace.run(all)
    again.expectSuccess()
    #expect(again.output.hasPrefix("ui-prmd is already in the store with the same content "))
    #expect(again.output.contains(", without 1 of its 3 clips: --strict names the first\n"))
    try workspace.run(all + ["--strict"]).expectFailure(1, reason)
    try workspace.write(String(repeating: line, count: 3), to: "set/m01_s01_e02_positions.txt")
    let mended = try workspace.run(all)
    mended.expectSuccess()
    #expect(mended.output.hasPrefix("added 1 clip to ui-prmd, which now has 3 of 3 clips, content sha256:"))
    #expect(try workspace.store().datasets().map(\.clipCount) == [3])
  }

  /// A set with such a recording is left out whole, and the same set is there once it is mended.
  @Test func aSetWithARecordingThatCanNotBeReadIsLeftOut() throws {
    let workspace = try Workspace()
    let line = (1...117).map { "\($0)" }.joined(separator: ",") + "\n"
    for (name, frames) in [("s01_e01", 3), ("s01_e02", 1), ("s01_e03", 3), ("s02_e01", 3), ("s02_e02", 3)] {
      try workspace.write(String(repeating: line, count: frames), to: "set/m01_\(name)_positions.txt")
    }
    let all = ["dataset", "import", "ui-prmd", "--from", "set"]
    let part = try workspace.run(all)
    part.expectSuccess()
    #expect(part.output.hasPrefix("imported 1 of 2 clips as ui-prmd, content sha256:"))
    #expect(
      part.output.contains(
        "left out: set/m01_s01_e02_positions.txt: clip m01_s01_e01-e03: expected at least two frames, found 1\n"))
    try workspace.write(String(repeating: line, count: 3), to: "set/m01_s01_e02_positions.txt")
    let mended = try workspace.run(all)
    mended.expectSuccess()
    #expect(mended.output.hasPrefix("added 1 clip to ui-prmd, which now has 2 of 2 clips, content sha256:"))
  }

  @Test func showTellsWhatADatasetHolds() throws {
    let (workspace, content) = try imported()
    let outcome = try workspace.run("dataset", "show", "mine")
    outcome.expectSuccess()
    for line in [
      "mine 1, SYNTHETIC: 3 clips of 3 people, all labelled", "caveat     Nobody moved.",
      "content    \(content)", "licence    CC0-1.0",
      "clips      3 of 3 people", "exercises  squat 3", "views      side 3", "fps        30 3",
      "reps       6, marked in 3 clips", "grades     12: form 12", "raters     dora, emil",
      "unit       pixels, image height 1000",
    ] {
      #expect(outcome.output.components(separatedBy: "\n").contains(line), "\(line)")
    }
    // Of 17 keypoints the squats have eight: shoulders, hips, knees and ankles.
    #expect(outcome.output.contains("missing    no person in 0.0 % of the frames; in the others nose 100.0 %, "))
    let drawn = try workspace.run("dataset", "show", "mine", "--chart", "card.png")
    drawn.expectSuccess()
    #expect(try workspace.bytes("card.png").starts(with: PNGSignature.bytes))
  }

  @Test func aSecondImportOfTheSameContentDoesNothingAndSaysSo() throws {
    let (workspace, content) = try imported()
    let before = try ProjectState(workspace)
    let again = try importing(workspace, "incoming/mine")
    again.expectSuccess()
    #expect(again.output == "mine is already in the store with the same content \(content.dropFirst(7).prefix(12))\n")
    #expect(try ProjectState(workspace) == before)
  }

  @Test func theSameContentFromOtherFilesIsTheSame() throws {
    let workspace = try Self.imported()
    let before = try ProjectState(workspace)
    // Rows in another order say the same.
    let lines = try workspace.text("incoming/mine/clips.csv").split(separator: "\n")
    try workspace.write(
      ([lines[0]] + lines[1...].reversed()).joined(separator: "\n") + "\n", to: "incoming/mine/clips.csv")
    let again = try importing(workspace, "incoming/mine")
    again.expectSuccess()
    #expect(again.output.hasPrefix("mine is already in the store with the same content "))
    #expect(try ProjectState(workspace).datasets == before.datasets)
  }

  @Test func whatIsExportedComesBackWithTheSameContent() throws {
    let (workspace, content) = try imported()
    let export = try workspace.run("dataset", "export", "mine", "--to", "out/mine")
    export.expectSuccess()
    #expect(export.output == "wrote 3 clips to out/mine\n")
    let again = try importing(workspace, "out/mine", "--store", "other.sqlite")
    again.expectSuccess()
    #expect(again.output == "imported 3 clips as mine, content \(content)\n")
    // A hand-made folder in the writer's own form comes back byte by byte.
    #expect(
      try ProjectState.files(workspace.path("out/mine")) == ProjectState.files(workspace.path("incoming/mine")))
  }

  @Test func anotherNameIsAnotherDataset() throws {
    let (workspace, content) = try imported()
    let outcome = try importing(workspace, "incoming/mine", "--name", "yours")
    outcome.expectSuccess()
    #expect(outcome.output.hasPrefix("imported 3 clips as yours, content sha256:"))
    // The name is part of what reports are about.
    #expect(!outcome.output.contains(content))
    #expect(try workspace.store().datasets().map(\.manifest.name) == ["mine", "yours"])
  }

  @Test func aTakenNameWithOtherContentIsRefused() throws {
    let (workspace, content) = try imported()
    try workspace.replace("\nanna_1,1,1,3,2\n", with: "\nanna_1,1,1,2.9,2\n", in: "incoming/mine/reps.csv")
    let before = try ProjectState(workspace)
    try importing(workspace, "incoming/mine").expectFailure(
      1,
      "dataset mine: the store has another dataset with this name "
        + "(\(content)); nothing was imported. Import under another --name, or, from a dataset folder, merge them with: "
        + "bench dataset sync mine --folder FOLDER")
    #expect(try ProjectState(workspace) == before)
    let reps = try #require(try workspace.store().clips(of: workspace.store().datasets()[0]).first?.labels.reps)
    #expect(reps.map(\.end.seconds) == [3, 8.333333])
  }

  @Test func removingTakesItOutOfTheStoreOnly() throws {
    let workspace = try Self.imported()
    let files = try ProjectState(workspace).files
    let outcome = try workspace.run("dataset", "remove", "mine")
    outcome.expectSuccess()
    #expect(outcome.output == "removed mine from the store\n")
    #expect(try ProjectState(workspace).datasets.isEmpty)
    #expect(try ProjectState(workspace).files == files)
    #expect(try workspace.run("dataset", "list").output == "no datasets; import one with bench dataset import\n")
    try workspace.run("dataset", "remove", "mine").expectFailure(5, saying: ["dataset mine: expected "])
  }

  @Test func runsOutliveTheirDataset() throws {
    let workspace = try Workspace.withSquats(after: [["run", "--suite", "squat"]])
    let outcome = try workspace.run("dataset", "remove", "squats")
    outcome.expectSuccess()
    #expect(
      outcome.output.hasPrefix("removed squats from the store; its folder datasets/squats stays\n1 run on it stays "))
    #expect(try workspace.store().runs(ofSuite: "squat").count == 1)
    try workspace.run("run", "--suite", "squat").expectSuccess()
  }

  /// A folder of the checkout needs no import, and a changed one is read anew.
  @Test func aFolderOfTheCheckoutIsReadAsItIs() throws {
    let workspace = try Workspace.withSquats()
    let before = try workspace.run("dataset", "list")
    #expect(before.output.contains(#/\nsquats +1 +SYNTHETIC +3 +[0-9a-f]{12} +folder\n/#))
    try workspace.replace("version: \"1\"", with: "version: \"2\"", in: "datasets/squats/dataset.yaml")
    let after = try workspace.run("dataset", "list")
    after.expectSuccess()
    #expect(after.output.contains(#/\nsquats +2 +SYNTHETIC +3 +[0-9a-f]{12} +folder\n/#))
    #expect(try workspace.store().datasets().count == 1)
  }

  @Test func aGeneratedDatasetIsTheSameForTheSameSeed() throws {
    let workspace = try Workspace()
    func generate(_ folder: String, seed: String) throws {
      let outcome = try workspace.run(
        "dataset", "generate", "--name", "made", "--seed", seed, "--subjects", "1", "--clips-per-subject", "1", "--to",
        folder)
      outcome.expectSuccess()
      #expect(outcome.output == "wrote 1 clip of 1 person to \(folder), seed \(seed)\n")
    }
    try generate("one", seed: "7")
    try generate("two", seed: "7")
    try generate("three", seed: "8")
    let one = try ProjectState.files(workspace.path("one"))
    #expect(try ProjectState.files(workspace.path("two")) == one)
    #expect(try ProjectState.files(workspace.path("three")) != one)
    try workspace.run("dataset", "check", "one").expectSuccess()
    #expect(try workspace.text("one/dataset.yaml").contains("\norigin: synthetic\n"))
  }
}
