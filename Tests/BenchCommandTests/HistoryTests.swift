import Foundation
import Testing

/// The history as a person uses it.
@Suite struct HistoryTests {
  /// Three runs in a git checkout: as committed, the same again, and with a parameter that loses every count.
  private func history() throws -> Workspace {
    try Workspace.shared("history") {
      let workspace = try BaselineTests.accepted(SquatClip.twelve)
      let git = "git -c user.name=a -c user.email=a@example.org -c init.defaultBranch=main"
      let script = """
        set -e
        \(git) init -q && \(git) add -A datasets && \(git) commit -qm one && \(git) tag v1.0
        $bench run --suite squat >/dev/null && $bench run --suite squat >/dev/null
        \(git) commit -qm two --allow-empty
        $bench run --suite squat --set reps.squat-states.bottomAngle=75 --release 1.1 >/dev/null
        """
      try #require(try workspace.shell(script).code == 0)
      return workspace
    }
  }

  /// Two people are a fair test of about four settings. Equal settings are one question, and a run whose poses were perturbed is
  /// none.
  @Test func aTestSetWearsOut() throws {
    let workspace = try BaselineTests.accepted(Array(SquatClip.three.prefix(2)))
    func run(_ options: String...) throws {
      try workspace.run(["run", "--suite", "squat"] + options).expectSuccess()
    }
    for angle in [75, 76, 77, 75] { try run("--set", "reps.squat-states.bottomAngle=\(angle)") }
    try run("--perturb", "noise=1%")
    #expect(try !workspace.run("gate", "--suite", "squat").output.contains("finding"))
    let list = try workspace.run("history", "list", "--suite", "squat").text
    #expect(list.hasSuffix("test set 4 settings were scored on the 2 people of squats, a fair test of about 4. "))
    let fifth = try workspace.run("gate", "--suite", "squat", "--set", "reps.squat-states.bottomAngle=89")
    fifth.expectSuccess()
    #expect(
      fifth.text.contains(
        "finding 5 settings were scored on the 2 people of squats, a fair test of about 4: a gain may be luck. Record "
          + "fresh people, and keep these for tuning"))
  }

  @Test func runsAreListedWithRevisionReleaseDataAndSettings() throws {
    let workspace = try history()
    let outcome = try workspace.run("history", "list", "--suite", "squat", "--metric", "count.exact")
    outcome.expectSuccess()
    let all = outcome.output.split(separator: "\n")
    let title = try #require(all.firstIndex { $0.hasPrefix("count.exact of squat-states: 3 runs, ") })
    let lines = all[title...].map { $0 }
    #expect(lines.count == 6 && lines[5].hasPrefix("test set 2 settings were scored on the 12 people of squats, "))
    #expect(lines[1].contains(#/^run +revision +release +value +95 % interval +data +changed$/#))
    // The newest first; the tag's commit is that of the two runs before.
    #expect(lines[2].contains(#/ [0-9a-f]{7} +1\.1 +0\.000 .* squats [0-9a-f]{7} +squat-states\.bottomAngle=75$/#))
    #expect(lines[3].contains(#/ [0-9a-f]{7} +v1\.0 +1\.000 /#))
    #expect(lines[4].contains(#/ [0-9a-f]{7} +v1\.0 +1\.000 /#))
  }

  /// At 75° nobody's squats, which turn at 80.5°, count: of twelve people each is worse. The two runs before it are of
  /// one release; the one before the first has none to be compared with.
  @Test func theListSaysWhetherTheNewestRunIsWorse() throws {
    let workspace = try history()
    func said(_ options: String...) throws -> String { try workspace.run(["history", "list"] + options).text }
    let newest = try said()
    let worse = #/^The newest run is worse: exact counts .*on 0 instead of 12 of 12 clips, worse for 12 of 12 people/#
    #expect(newest.contains(worse) && newest.contains(", since release v1.0. 3 runs, the newest first"), "\(newest)")
    let same = "Nothing changed on any gating metric since the run before. 2 runs, the newest first"
    #expect(try said("--release", "v1.0").hasPrefix(same))
    #expect(
      try said("--release", "1.1").hasPrefix(
        "Nothing to compare the newest run with: no earlier one listed is on its data. 1 run, the newest first"))
    try workspace.run("run", "--suite", "squat").expectSuccess()
    let better = try said("--detector", "squat-states")
    #expect(better.contains(#/^The newest run is better: exact counts .*, since release 1\.1\. 4 runs/#), "\(better)")
  }

  @Test func blameNamesTheRunTheParameterAndTheClips() throws {
    let workspace = try history()
    let outcome = try workspace.run("history", "blame", "count.exact")
    outcome.expectSuccess()
    #expect(outcome.output.contains(#/result   changed at squat\/\S+ \(commit [0-9a-f]{7}, release 1\.1\)/#))
    #expect(outcome.output.contains("why      squat-states.bottomAngle: 90.0 → 75.0\n"))
    #expect(outcome.output.contains(#/git log --oneline [0-9a-f]{7}\.\.[0-9a-f]{7}/#))
    #expect(outcome.output.contains("clips    12 of 12: 12 farther\n"))
    #expect(outcome.output.contains("squats/clip_2: 2 → 0, true 2\n"))
    let last = try workspace.run("history", "blame", "count.exact", "--last", "1")
    #expect(last.output.contains("result   only one run on this data: nothing to compare\n"))
  }

  @Test func blameSaysThatNothingChanged() throws {
    let workspace = try RunContentTests.project()
    let outcome = try workspace.run("history", "blame", "count.mae", "--suite", "squat")
    outcome.expectSuccess()
    #expect(outcome.output.contains("result   nothing changed: everybody's value is the same in all runs\n"))
  }

  @Test func aGatesRunIsKeptToo() throws {
    let workspace = try BaselineTests.accepted()
    for _ in 1...2 { _ = try workspace.run("gate", "--suite", "squat") }
    let ids = try workspace.store().runIDs(ofSuite: "squat")
    #expect(ids.count == 2 && ids.allSatisfy { $0.hasPrefix("squat/gate-20") })
    #expect(try workspace.store().runs(ofSuite: "squat").allSatisfy { $0.baseline != nil && $0.origin != nil })
  }

  @Test func drawWritesAPicture() throws {
    let workspace = try history()
    let outcome = try workspace.run("history", "draw", "count.exact", "--suite", "squat", "--theme", "dark")
    outcome.expectSuccess()
    #expect(
      outcome.output.contains(
        #/^drew history-squat-count.exact.png: Exact counts (rose|fell|without a lasting change).+\n/#)
        && outcome.output.hasSuffix(
          "\nExact counts of squat-states · SYNTHETIC squats · suite squat · 12 people · 3 runs · all on the same data\n"
        ))
    #expect(try workspace.bytes("history-squat-count.exact.png").starts(with: PNGSignature.bytes))
  }

  /// The tag's commit has two runs, one more was marked by hand; the fourth is of no release.
  @Test func runsOfAReleaseAreFound() throws {
    let workspace = try history()
    try workspace.run("run", "--suite", "squat", "--set", "reps.squat-states.bottomAngle=80").expectSuccess()
    func runs(_ release: String) throws -> Int {
      let outcome = try workspace.run("history", "list", "--release", release)
      outcome.expectSuccess()
      return outcome.output.split(separator: "\n").count { $0.hasPrefix("squat/") }
    }
    #expect(try (runs("v1.0"), runs("1.1"), runs("any")) == (2, 1, 3))
    let picture = try workspace.run("history", "draw", "count.exact", "--suite", "squat", "--release", "any")
    #expect(picture.output.contains(" · 3 runs · "))
    try workspace.run("history", "list", "--release", "v1.1").expectFailure(
      5,
      "history: expected a run of release v1.1 in .formbench/store.sqlite, found \"v1.1\", did you mean 1.1 or v1.0?")
  }

  @Test func exportIsOneTidyTable() throws {
    let workspace = try history()
    let csv = try workspace.run("history", "export", "--csv", "--detector", "squat-states", "--by", "clip")
    csv.expectSuccess()
    // 12 clips of 3 runs, and the names.
    #expect(csv.output.split(separator: "\n").count == 37)
    let json = try workspace.run("history", "export", "--json")
    let rows = try #require(try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [[String: Any]])
    let exact = rows.filter { $0["metric"] as? String == "count.exact" }.map { $0["value"] as? Double }
    #expect(exact == [1, 1, 0])
    #expect(try workspace.run("history", "export").code == 64)
  }

  @Test func anEmptyHistorySaysSo() throws {
    let workspace = try Workspace.withSquats()
    try workspace.run("history", "list").expectFailure(
      5,
      "history: expected a run that matches the filter in .formbench/store.sqlite, found no runs; make one with: bench run"
    )
    // A misspelt suite is told apart from one that never ran.
    try workspace.run("run", "--suite", "squat").expectSuccess()
    try workspace.run("history", "list", "--suite", "sqat").expectFailure(
      5, saying: ["found no runs of suite sqat, only of squat; make one with: bench run"])
  }
}
