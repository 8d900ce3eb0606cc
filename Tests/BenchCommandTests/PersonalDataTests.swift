import Datasets
import Foundation
import PoseModel
import Testing

/// Retention, the log, exports that hide who is who, and removal, as a person runs them.
@Suite struct PersonalDataTests {
  private func project(expires: String? = nil) throws -> Workspace {
    guard let expires else { return try ImportTests.imported() }
    let workspace = try Workspace()
    try workspace.add(SquatClip.dataset("mine", SquatClip.three), in: "incoming")
    if let day = Expiry(expires), day.hasPassed() {
      // As if it had been imported before that day.
      try workspace.store().importing(DatasetFolder(workspace.path("incoming/mine")), expires: day)
      return workspace
    }
    try workspace.run("dataset", "import", "folder", "--from", "incoming/mine", "--expires", expires).expectSuccess()
    return workspace
  }

  @Test func whatHasExpiredIsRefusedListedAndPurged() throws {
    let workspace = try project(expires: "2020-02-29")
    try workspace.run("dataset", "show", "mine").expectFailure(
      5,
      "dataset mine: expected one that has not expired, found one that expired on 2020-02-29T00:00:00Z; "
        + "bench dataset purge removes it")
    #expect(try workspace.run("dataset", "list").output.contains("expired 2020-02-29T00:00:00Z"))
    try workspace.run("dataset", "import", "folder", "--from", "incoming/mine").expectFailure(
      1,
      "dataset mine: the store has it, but it expired on 2020-02-29T00:00:00Z; import it with a new --expires, or remove "
        + "it with: bench dataset purge")
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
      .expectFailure(64, saying: ["--expires takes a future day, found \"2020-02-29\""])
    #expect(try workspace.store().datasets().first?.expires?.hasPassed() == false)
  }

  /// Reports of other suites too, those whose run is no longer in the history, baselines and whatever else lies there.
  @Test func everyReportWithItsNameIsListed() throws {
    let workspace = try project()
    try workspace.write(#"{"datasets":[{"name":"mine"}]}"#, to: "reports/lunge/2026-01-01/results.json")
    try workspace.write("| mine | 3 clips |", to: "reports/squat/sweep-1/sweep.md")
    try workspace.write(#"{"datasets":[{"name":"mines"}]}"#, to: "reports/lunge/2026-01-02/results.json")
    try workspace.write("determine", to: "reports/lunge/2026-01-03/report.md")
    try workspace.write(#"{"datasets":[{"name":"mine"}]}"#, to: "baselines/lunge.json")
    let outcome = try workspace.run("dataset", "remove", "mine")
    outcome.expectSuccess()
    #expect(
      outcome.output
        == "removed mine from the store\n"
        + "these files contain its name: reports/lunge/2026-01-01, reports/squat/sweep-1, baselines/lunge.json\n")
  }

  @Test func runsOfARemovedDatasetCanStillBeRemoved() throws {
    let workspace = try Workspace.withSquats(after: [["run", "--suite", "squat"]])
    try workspace.run("dataset", "remove", "squats").expectSuccess()
    let without = try workspace.run("dataset", "remove", "squats")
    without.expectFailure(5, saying: ["dataset squats: expected a dataset of the store", "1 run on it", "--runs"])
    let outcome = try workspace.run("dataset", "remove", "squats", "--runs")
    outcome.expectSuccess()
    #expect(outcome.output.hasPrefix("removed 1 run on squats from the history"))
    #expect(try workspace.store().runs(ofSuite: "squat").isEmpty)
    #expect(try workspace.bytes(".formbench/store.sqlite").range(of: Data("anna".utf8)) == nil)
    try workspace.run("dataset", "remove", "squats", "--runs").expectFailure(5, saying: ["none called"])
  }

  @Test func whatHasExpiredIsNotLabelled() throws {
    let workspace = try project(expires: "2020-02-29")
    try workspace.write("1.5\t1.5\tcall\n", to: "anna_1.txt")
    let before = try ProjectState(workspace)
    try workspace.run("dataset", "label", "mine", "--from", "anna_1.txt").expectFailure(
      5, saying: ["dataset mine: expected one that has not expired, found one that expired on 2020-02-29"])
    #expect(try ProjectState(workspace) == before)
  }

  @Test func removingSaysWhatKeepsItsNamesAndCanTakeTheRunsAlong() throws {
    for withRuns in [false, true] {
      let workspace = try Workspace.withSquats(after: [["run", "--suite", "squat"]])
      let outcome = try workspace.run(["dataset", "remove", "squats"] + (withRuns ? ["--runs"] : []))
      outcome.expectSuccess()
      #expect(
        outcome.output.contains(
          withRuns ? "removed 1 run on squats from the history" : "1 run on it stays in the history, with the names"))
      #expect(outcome.output.contains(#/these files contain its name: reports\/squat\/[0-9TZ:-]+\n/#))
      #expect(try workspace.store().runs(ofSuite: "squat").count == (withRuns ? 0 : 1))
      let bytes = try workspace.bytes(".formbench/store.sqlite")
      #expect((bytes.range(of: Data("anna".utf8)) == nil) == withRuns)
    }
  }

  @Test func anEncryptedExportComesBackUnderItsPassphraseOnly() throws {
    let workspace = try project()
    let content = try #require(try workspace.store().datasets().first?.content)
    try workspace.write("correct horse battery\n", to: "../phrase")
    let export = try workspace.run(
      "dataset", "export", "mine", "--encrypt", "--passphrase-file", "../phrase", "--to", "mine.tar.age")
    export.expectSuccess()
    #expect(export.output == "wrote 3 clips to mine.tar.age, encrypted\n")
    let again = ["dataset", "import", "--from", "mine.tar.age", "--store", "other.sqlite"]
    try workspace.run(again, environment: ["BENCH_PASSPHRASE": "wrong horse"]).expectFailure(
      1, saying: ["mine.tar.age: expected the passphrase of the archive, found another one"])
    let altered = try workspace.bytes("mine.tar.age")
    try workspace.write(altered.dropLast(100), to: "cut.tar.age")
    try workspace.run(
      "dataset", "import", "archive", "--from", "cut.tar.age", "--store", "other.sqlite", "--passphrase-file",
      "../phrase"
    ).expectFailure(1, saying: ["cut.tar.age: expected the original content", "truncated"])
    #expect(try Store(at: workspace.path("other.sqlite")).datasets().isEmpty)
    let outcome = try workspace.run(again, environment: ["BENCH_PASSPHRASE": "correct horse battery"])
    outcome.expectSuccess()
    #expect(outcome.output == "imported 3 clips as mine, content \(content)\nDetected format: archive\n")
    let names = workspace.names(in: ".").filter { !$0.hasPrefix("other.sqlite") }
    #expect(names == ["cut.tar.age", "datasets", "incoming", "mine.tar.age"])
    let log = try workspace.run("dataset", "log", "--json")
    log.expectSuccess()
    #expect(log.output.contains("3 clips to mine.tar.age, encrypted"))
  }

  /// Two that differ in bytes that are no UTF-8, or after a vertical tab or U+2028, and one that does not differ.
  private static let phrases: [(phrase: Data, other: Data)] = [
    (Data("horse-battery-st".utf8) + [0xFE, 0xFF], Data("horse-battery-st".utf8) + [0xF8, 0xF9]),
    (Data("horse-battery-st\u{B}aple".utf8), Data("horse-battery-st\u{B}ring".utf8)),
    (Data("horse-battery-st\u{2028}aple".utf8), Data("horse-battery-st".utf8)),
    (Data("horse-battery-staple\u{85}\r\nnext".utf8), Data("horse-battery-staple".utf8)),
  ]

  @Test(arguments: phrases)
  func onlyTheSameBytesOpenAnArchive(_ phrase: Data, _ other: Data) throws {
    let workspace = try project()
    try workspace.write(phrase, to: "../phrase")
    try workspace.write(other, to: "../other")
    let export = ["dataset", "export", "mine", "--encrypt", "--to", "mine.tar.age", "--passphrase-file"]
    try workspace.run(export + ["../phrase"]).expectSuccess()
    let again = ["dataset", "import", "--from", "mine.tar.age", "--store", "other.sqlite", "--passphrase-file"]
    try workspace.run(again + ["../other"]).expectFailure(
      1, saying: ["mine.tar.age: expected the passphrase of the archive, found another one"])
    try workspace.run(again + ["../phrase"]).expectSuccess()
  }

  /// A variable too may hold what is no UTF-8.
  @Test func aPassphraseOfTheEnvironmentIsItsBytes() throws {
    let workspace = try project()
    let outcome = try workspace.shell(
      """
      phrase() { printf "horse-battery-st\\\\$1"; }
      BENCH_PASSPHRASE=$(phrase 376) $bench dataset export mine --encrypt --to mine.tar.age || exit 99
      phrase 376 >../phrase
      BENCH_PASSPHRASE=$(phrase 377) $bench dataset import --from mine.tar.age --store other.sqlite && exit 98
      exec $bench dataset import --from mine.tar.age --store other.sqlite --passphrase-file ../phrase
      """)
    #expect(outcome.code == 0, "\(outcome.error)")
  }

  @Test func aShortPassphraseIsWarnedOf() throws {
    let workspace = try project()
    let warning = "warning: this passphrase has 11 characters"
    for (phrase, isShort) in [("short horse", true), ("correct horse battery", false)] {
      let outcome = try workspace.run(
        "dataset", "export", "mine", "--encrypt", "--to", "\(phrase.count).tar.age",
        environment: ["BENCH_PASSPHRASE": phrase])
      #expect(outcome.code == 0)
      #expect(outcome.error.hasPrefix(warning) == isShort, "\(outcome.error)")
    }
    // Whoever opens one can't choose it any more.
    try workspace.run(
      "dataset", "import", "--from", "11.tar.age", "--store", "other.sqlite",
      environment: ["BENCH_PASSPHRASE": "short horse"]
    ).expectSuccess()
  }

  @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/setsid"), "no setsid"))
  func aPassphraseIsNeverGuessed() throws {
    let workspace = try project()
    // Without a terminal there is nobody to ask; setsid makes sure of that.
    let outcome = try workspace.shell("setsid -w $bench dataset export mine --encrypt --to mine.tar.age")
    outcome.expectFailure(
      64, saying: ["mine.tar.age needs a passphrase: give --passphrase-file, set $BENCH_PASSPHRASE"])
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

  /// Neither clips nor raters stand in the order of their real names.
  @Test func pseudonymsDoNotKeepTheOrderOfNames() throws {
    let count = 60
    let clips = (0..<count).map { number -> Clip in
      let name = "s\(100 + number)"
      var clip = SquatClip(name: name, subject: name, squats: [SquatClip.deep]).clip
      clip.labels.grades = (0..<count).map {
        GroundTruth.Grade(rep: 0, rater: "rater\(100 + $0)", criterion: "form", value: Double($0))
      }
      // Says whose clip this is under its other name.
      clip.info.view = name
      return clip
    }
    let workspace = try Workspace()
    try workspace.add(Dataset(manifest: SquatClip.dataset("mine", []).manifest, clips: clips), in: "incoming")
    try workspace.run("dataset", "import", "folder", "--from", "incoming/mine").expectSuccess()
    try workspace.write("0123456789abcdef", to: "../key")
    try workspace.run(
      "dataset", "export", "mine", "--pseudonyms", "--pseudonym-key", "../key", "--to", "out"
    ).expectSuccess()
    let folder = try DatasetFolder(workspace.path("out"))
    let people = folder.clips.compactMap { Int($0.info.view.dropFirst()) }
    // Spearman's coefficient with the order of the names; without any relation its standard deviation is 1 / sqrt(59).
    func correlation(_ order: [Int]) -> Double {
      let squares = order.enumerated().reduce(0.0) { sum, item in
        let difference = Double(item.offset - item.element)
        return sum + difference * difference
      }
      let n = Double(order.count)
      return 1 - 6 * squares / (n * (n * n - 1))
    }
    #expect(people.count == count)
    #expect(abs(correlation(people.map { $0 - 100 })) < 0.4)
    let raters = folder.clips[0].labels.grades.map { Int($0.value) }
    #expect(raters.count == count)
    #expect(abs(correlation(raters)) < 0.4)
    #expect(folder.clips.map(\.info.name) == folder.clips.map(\.info.name).sorted())
  }

  @Test func aChangedLogIsAnError() throws {
    let workspace = try project()
    let log = try workspace.store().auditLog()
    let (head, count) = (try #require(log.head), log.entries.count)
    let known = try workspace.run("dataset", "log", "--contains", String(head.prefix(12)))
    known.expectSuccess()
    let said = "The log has the hash \(head.prefix(12)): entry \(count) of \(count), and none up to it was changed."
    #expect(known.text.hasPrefix(said), "\(known.output)")
    let missing = try workspace.run("dataset", "log", "--contains", "012345")
    #expect(missing.code == 1)
    #expect(missing.error.contains("expected an audit entry with the hash 012345, found none"))
  }
}
