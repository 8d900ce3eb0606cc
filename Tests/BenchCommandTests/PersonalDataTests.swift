import Datasets
import Foundation
import Testing

/// Retention, the log, exports that hide who is who, and removal, as a person runs them.
@Suite struct PersonalDataTests {
  private func project(expires: String? = nil) throws -> Workspace {
    let workspace = try Workspace()
    try workspace.add(SquatClip.dataset("mine", SquatClip.three), in: "incoming")
    if let expires, let day = Expiry(expires), day.hasPassed() {
      // As if it had been imported before that day.
      try workspace.store().importing(DatasetFolder(workspace.path("incoming/mine")), expires: day)
      return workspace
    }
    let outcome = try workspace.run(
      ["dataset", "import", "folder", "--from", "incoming/mine"] + (expires.map { ["--expires", $0] } ?? []))
    outcome.expectSuccess()
    return workspace
  }

  @Test func whatHasExpiredIsRefusedListedAndPurged() throws {
    let workspace = try project(expires: "2020-02-29")
    try workspace.run("dataset", "show", "mine").expectFailure(
      5,
      "dataset mine: expected one that may still be kept, found one that expired on 2020-02-29T00:00:00Z; "
        + "bench dataset purge removes it")
    #expect(try workspace.run("dataset", "list").output.contains("expired 2020-02-29T00:00:00Z"))
    let preview = try workspace.run("dataset", "purge", "--dry-run")
    preview.expectSuccess()
    #expect(preview.output.contains(#/mine +3 +expired 2020-02-29T00:00:00Z/#))
    let purge = try workspace.run("dataset", "purge")
    purge.expectSuccess()
    #expect(purge.output == "removed mine, expired 2020-02-29T00:00:00Z\n")
    #expect(try workspace.store().datasets().isEmpty)
    #expect(try workspace.run("dataset", "purge").output == "nothing has expired\n")
    let log = try workspace.run("dataset", "log")
    log.expectSuccess()
    #expect(log.output.contains(#/\n1 .* import +mine +3 clips, expires 2020-02-29T00:00:00Z/#))
    #expect(log.output.contains(#/\n2 .* purge +mine +3 clips, expired 2020-02-29T00:00:00Z/#))
  }

  @Test func whatMayBeKeptStays() throws {
    let workspace = try project(expires: "30d")
    try workspace.run("dataset", "show", "mine").expectSuccess()
    #expect(try workspace.run("dataset", "purge").output == "nothing has expired\n")
    #expect(try workspace.store().datasets().count == 1)
    try workspace.run("dataset", "import", "folder", "--from", "incoming/mine", "--expires", "soon").expectFailure(
      64, saying: ["--expires takes a day such as 2027-03-01, or a number of days such as 30d, found \"soon\""])
    try workspace.run("dataset", "import", "folder", "--from", "incoming/mine", "--expires", "2020-02-29")
      .expectFailure(64, saying: ["--expires takes a day to come, found \"2020-02-29\""])
    #expect(try workspace.store().datasets().first?.expires?.hasPassed() == false)
  }

  @Test func removingSaysWhatKeepsItsNamesAndCanTakeTheRunsAlong() throws {
    for withRuns in [false, true] {
      let workspace = try Workspace.withSquats()
      try workspace.run("run", "--suite", "squat").expectSuccess()
      let outcome = try workspace.run(["dataset", "remove", "squats"] + (withRuns ? ["--runs"] : []))
      outcome.expectSuccess()
      #expect(
        outcome.output.contains(
          withRuns ? "removed 1 run on it from the history" : "1 run on it stays in the history, with the names"))
      #expect(outcome.output.contains(#/these hold its names: reports\/squat\/[0-9TZ:-]+\n/#))
      #expect(try workspace.store().runs(ofSuite: "squat").count == (withRuns ? 0 : 1))
      let bytes = try workspace.bytes(".formbench/store.sqlite")
      #expect((bytes.range(of: Data("anna".utf8)) == nil) == withRuns)
    }
  }

  @Test func anEncryptedExportComesBackUnderItsPassphraseOnly() throws {
    let workspace = try project()
    let content = try #require(try workspace.store().datasets().first?.content)
    try workspace.write("correct horse\n", to: "../phrase")
    let export = try workspace.run(
      "dataset", "export", "mine", "--encrypt", "--passphrase-file", "../phrase", "--to", "mine.tar.age")
    export.expectSuccess()
    #expect(export.output == "wrote 3 clips to mine.tar.age, encrypted\n")
    let again = ["dataset", "import", "--from", "mine.tar.age", "--store", "other.sqlite"]
    try workspace.run(again, environment: ["BENCH_PASSPHRASE": "wrong horse"]).expectFailure(
      1, saying: ["mine.tar.age: expected the passphrase that the archive was encrypted with, found another one"])
    let altered = try workspace.bytes("mine.tar.age")
    try workspace.write(altered.dropLast(100), to: "cut.tar.age")
    try workspace.run(
      "dataset", "import", "archive", "--from", "cut.tar.age", "--store", "other.sqlite", "--passphrase-file",
      "../phrase"
    ).expectFailure(1, saying: ["cut.tar.age: expected the content that was encrypted", "truncated"])
    #expect(try Store(at: workspace.path("other.sqlite")).datasets().isEmpty)
    let outcome = try workspace.run(again, environment: ["BENCH_PASSPHRASE": "correct horse"])
    outcome.expectSuccess()
    #expect(outcome.output == "Detected format: archive\nimported 3 clips as mine, content \(content)\n")
    let names = workspace.names(in: ".").filter { !$0.hasPrefix("other.sqlite") }
    #expect(names == ["cut.tar.age", "datasets", "incoming", "mine.tar.age"])
    let log = try workspace.run("dataset", "log", "--json")
    log.expectSuccess()
    #expect(log.output.contains("3 clips to mine.tar.age, encrypted"))
  }

  @Test func aPassphraseIsNeverGuessed() throws {
    let workspace = try project()
    // Without a terminal there is nobody to ask; setsid makes sure of that.
    let outcome = try workspace.shell("setsid -w $bench dataset export mine --encrypt --to mine.tar.age")
    outcome.expectFailure(64, saying: ["mine.tar.age needs a passphrase: give --passphrase-file or $BENCH_PASSPHRASE"])
    let empty = try workspace.run(
      ["dataset", "export", "mine", "--encrypt", "--to", "mine.tar.age"], environment: ["BENCH_PASSPHRASE": ""])
    empty.expectFailure(64, saying: ["expected a passphrase, found an empty one"])
    #expect(!workspace.exists("mine.tar.age"))
  }

  @Test func anExportUnderPseudonymsHasNobodysName() throws {
    let workspace = try project()
    let outcome = try workspace.run("dataset", "export", "mine", "--pseudonyms", "--to", "out/mine")
    outcome.expectSuccess()
    #expect(outcome.output == "wrote 3 clips to out/mine, under pseudonyms\n")
    for (file, bytes) in try ProjectState.files(workspace.path("out/mine")) {
      for name in ["anna", "bert", "cleo", "dora", "emil"] {
        #expect(!file.contains(name))
        #expect(bytes.range(of: Data(name.utf8)) == nil, "\(name) in \(file)")
      }
    }
    let folder = try DatasetFolder(workspace.path("out/mine"))
    #expect(Set(folder.clips.map(\.info.subject)).count == 3)
    #expect(folder.clips.map { $0.labels.grades.count }.sorted() == [2, 4, 6])
  }

  @Test func aChangedLogIsAnError() throws {
    let workspace = try project()
    let head = try #require(try workspace.store().auditLog().head)
    try workspace.run("dataset", "log", "--contains", String(head.prefix(12))).expectSuccess()
    let missing = try workspace.run("dataset", "log", "--contains", "012345")
    #expect(missing.code == 1)
    #expect(missing.error.contains("expected an audit entry with the hash 012345, found none"))
  }
}
