import Datasets
import Foundation
import Testing

/// A dataset that lives on in the store and in its folder, as a person sees it.
@Suite struct DatasetSyncTests {
  /// A project with `mine` imported and exported to its folder, and `anna_1` then labelled in the store.
  private func project() throws -> Workspace {
    try Workspace.shared("mine labelled in the store") {
      let workspace = try ImportTests.imported()
      try workspace.run("dataset", "export", "mine", "--to", "datasets/mine").expectSuccess()
      try workspace.write("1.5\t1.5\tcall\n", to: "anna_1.txt")
      let labelled = try workspace.run("dataset", "label", "mine", "--from", "anna_1.txt")
      labelled.expectSuccess()
      #expect(
        labelled.output.hasSuffix("\nnext     bring datasets/mine up to date: bench dataset sync mine\n"))
      return workspace
    }
  }

  private static let note =
    "note: dataset mine: the store is newer than datasets/mine (anna_1: events); used the store. "
    + "Bring both up to date with: bench dataset sync mine\n"

  @Test func commandsUseTheNewerSideAndNameIt() throws {
    let workspace = try project()
    let shown = try workspace.run("dataset", "show", "mine")
    #expect(shown.code == 0)
    #expect(shown.error == Self.note)
    #expect(shown.output.contains("\nevents     1: call 1\n"))
    let replayed = try workspace.run("replay", "anna_1", "--dataset", "mine")
    #expect(replayed.code == 0)
    #expect(replayed.error == Self.note)
    let checked = try workspace.run("dataset", "check", "mine")
    #expect(checked.error == Self.note)
    #expect(checked.output.hasPrefix("mine: "))
    let synced = try workspace.run("dataset", "sync", "mine")
    synced.expectSuccess()
    #expect(synced.output == "labels of 1 clip copied from the store to datasets/mine\n")
    #expect(try workspace.text("datasets/mine/events.csv") == "clip,time_s,label\nanna_1,1.5,call\n")
    let again = try workspace.run("dataset", "sync", "mine")
    again.expectSuccess()
    #expect(again.output == "mine: the store and datasets/mine are alike\n")
    try workspace.run("dataset", "show", "mine").expectSuccess()
  }

  @Test func bothChangedIsNoResultUntilTheyAreMerged() throws {
    let workspace = try project()
    try workspace.replace(
      "\nbert_1,1,dora,form,90\n", with: "\nbert_1,1,dora,form,91\n", in: "datasets/mine/grades.csv")
    try workspace.run("replay", "anna_1", "--dataset", "mine").expectFailure(
      1,
      "dataset mine: the store and datasets/mine were both changed (anna_1: events; bert_1: grades); merge them with: "
        + "bench dataset sync mine")
    let synced = try workspace.run("dataset", "sync", "mine")
    synced.expectSuccess()
    #expect(
      synced.output == """
        labels of 1 clip copied from the store to datasets/mine
        labels of 1 clip copied from datasets/mine to the store

        """)
    try workspace.run("replay", "anna_1", "--dataset", "mine").expectSuccess()
  }

  @Test func aConflictListsBothValues() throws {
    let workspace = try project()
    try workspace.write("clip,time_s,label\nanna_1,1.6,call\n", to: "datasets/mine/events.csv")
    let before = try ProjectState.files(workspace.project)
    try workspace.run("dataset", "sync", "mine").expectFailure(
      1,
      """
      dataset mine: 1 conflict between the store and datasets/mine; nothing was changed
        clip anna_1, events: the store has call at 1.5 s, datasets/mine has call at 1.6 s
      To choose, add --keep store or --keep folder; the other side stays in the store under another name
      """)
    #expect(try ProjectState.files(workspace.project) == before)
    let kept = try workspace.run("dataset", "sync", "mine", "--keep", "folder")
    kept.expectSuccess()
    #expect(
      kept.output == """
        labels of 1 clip copied from datasets/mine to the store
        kept     the store as it was before, as the dataset mine-replaced of the store; once you don't need it: \
        bench dataset remove --labels mine-replaced

        """)
    try workspace.run("dataset", "export", "mine-replaced", "--to", "out").expectSuccess()
    #expect(try workspace.text("out/events.csv") == "clip,time_s,label\nanna_1,1.5,call\n")
    try workspace.run("dataset", "sync", "mine", "--keep", "mine").expectFailure(64, saying: ["--keep"])
  }

  /// A suite's result is on the content that it pins, whatever else the store has.
  @Test func aSuiteUsesTheContentThatItPins() throws {
    let workspace = try Workspace.withSquats()
    let adopted = try workspace.run("dataset", "sync", "squats")
    adopted.expectSuccess()
    #expect(adopted.output == "3 new clips copied from datasets/squats to the store\n")
    try workspace.write("1.5\t1.5\tcall\n", to: "anna_1.txt")
    try workspace.run("dataset", "label", "squats", "--from", "anna_1.txt").expectSuccess()
    let run = try workspace.run("run", "--suite", "squat")
    #expect(run.code == 0)
    #expect(
      run.error.contains(
        "note: dataset squats: the store is newer than datasets/squats (anna_1: events); used datasets/squats, with the "
          + "wanted content. "))
  }

  @Test func labelsThatAreNowhereElseAreNotRemovedUnasked() throws {
    let workspace = try project()
    let before = try ProjectState(workspace)
    try workspace.run("dataset", "remove", "mine").expectFailure(
      64,
      "mine has labels that are nowhere else; write them to datasets/mine with: bench dataset sync mine; or remove them "
        + "too with: bench dataset remove --labels mine")
    #expect(try ProjectState(workspace) == before)
    try workspace.run("dataset", "sync", "mine").expectSuccess()
    try workspace.run("dataset", "remove", "mine").expectSuccess()
    #expect(try workspace.text("datasets/mine/events.csv") == "clip,time_s,label\nanna_1,1.5,call\n")
  }

  @Test func anExportToItsOwnFolderIsASync() throws {
    let workspace = try project()
    try workspace.run("dataset", "export", "mine", "--to", "datasets/mine").expectFailure(
      64, "datasets/mine has mine already; bring it up to date with: bench dataset sync mine")
  }

  @Test func whatIsNowhereIsSaid() throws {
    let workspace = try project()
    try workspace.run("dataset", "sync", "mime").expectFailure(
      5, saying: ["dataset mime: expected a folder datasets/mime or an imported dataset, found neither; "])
    try workspace.run("dataset", "sync", "../mine").expectFailure(64, saying: ["expected a name of up to"])
  }

  @Test func aFolderUnderPseudonymsIsUsedAsItIs() throws {
    let workspace = try ImportTests.imported()
    try workspace.run("dataset", "export", "mine", "--pseudonyms", "--to", "datasets/mine").expectSuccess()
    let shown = try workspace.run("dataset", "show", "mine")
    #expect(shown.code == 0 && !shown.output.contains("dora"))
    #expect(
      shown.error
        == "note: dataset mine: the store's and that of datasets/mine have no clip in common; used datasets/mine\n")
    try workspace.run("dataset", "sync", "mine").expectFailure(
      1, saying: ["have no clip in common, as after an export under pseudonyms; nothing was changed"])
  }
}
