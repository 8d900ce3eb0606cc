import Datasets
import Files
import Foundation
import Testing

@testable import Evaluation
@testable import Pipeline

/// Which runs the history gives, and as what.
@Suite struct RunHistoryTests {
  private static let (old, new) = (String(repeating: "a", count: 40), String(repeating: "b", count: 40))

  private func history() throws -> KeptRuns {
    let kept = try KeptRuns()
    try kept.add(day: 1, [1, 2], revision: Self.old)
    try kept.add(day: 2, [1, 2], angle: 95, revision: Self.new, release: "2.0")
    try kept.add(day: 3, [1, 2], data: "two", revision: Self.new, hasChanges: true)
    try kept.add(day: 4, [5], suite: "other")
    return kept
  }

  @Test(arguments: [
    (HistoryFilter(), ["sample/1", "sample/2", "sample/3", "other/4"]),
    (HistoryFilter(suite: "sample"), ["sample/1", "sample/2", "sample/3"]),
    (HistoryFilter(since: "2026-03-02"), ["sample/2", "sample/3", "other/4"]),
    (HistoryFilter(revision: "bbbb"), ["sample/2", "sample/3"]),
    (HistoryFilter(suite: "sample", last: 2), ["sample/2", "sample/3"]),
  ])
  func aFilterGivesTheRunsInTheirOrder(filter: HistoryFilter, ids: [String]) throws {
    #expect(try RunHistory(in: history().store, filter).runs.map(\.id) == ids)
  }

  @Test func whereNothingIsAsWantedItIsSaid() throws {
    let kept = try history()
    #expect(throws: EvaluationError.self) { try RunHistory(in: kept.store, HistoryFilter(dataset: "none")) }
    #expect(throws: EvaluationError.self) { try RunHistory(in: kept.store, HistoryFilter(suite: "none")) }
  }

  /// What another version of bench kept is told by its format, whether or not this one could read it.
  @Test func anotherFormatIsNamed() throws {
    let kept = try history()
    let run = try kept.store.storedRun(named: "1", ofSuite: "sample")
    func stored(_ id: String, results: String, baseline: String) -> StoredRun {
      StoredRun(id: id, suite: "sample", created: run.created, results: results, baseline: baseline)
    }
    let baseline = String(decoding: try stableJSON(Baseline(kept.store.results(of: run))), as: UTF8.self)
    #expect(baseline.contains("\"format\" : 2") && run.results.contains("\"format\" : 1"))
    let same = stored("sample/same", results: run.results, baseline: baseline)
    #expect(try kept.store.baseline(of: same)?.suite == "sample")
    let other = stored(
      "sample/other", results: run.results.replacing("\"format\" : 1", with: "\"format\" : 2"),
      baseline: baseline.replacing("\"format\" : 2", with: "\"format\" : 3"))
    let ofBaseline = #expect(throws: EvaluationError.self) { try kept.store.baseline(of: other) }
    #expect(
      ofBaseline?.description
        == "run sample/other: expected baseline of format 2, found format 3, of another version of bench")
    try kept.store.add(other)
    let ofRun = #expect(throws: EvaluationError.self) { try RunHistory(in: kept.store) }
    #expect(
      ofRun?.description
        == "run sample/other: expected results of format 1, found format 2, of another version of bench")
  }

  /// A tag marks the runs at its commit, but not one whose files were changed.
  @Test func releasesAreMarksAndTags() throws {
    let runs = try RunHistory(
      in: history().store, HistoryFilter(suite: "sample"), tags: [Self.old: ["v1"], Self.new: ["v2"]]
    ).runs
    #expect(runs.map(\.releases) == [["v1"], ["2.0", "v2"], []])
    #expect(runs.map(\.changedSettings) == [[], ["counter.angle=95"], []])
    #expect(runs.map { $0.origin?.shortRevision } == ["aaaaaaa", "bbbbbbb", "bbbbbbb+"])
  }

  /// What was set by hand is no release, whatever the commit's tag.
  @Test func aRunWithOtherParametersIsNoRelease() {
    let machine = RunOrigin.Machine(system: "", architecture: "", processor: "", cores: 1)
    func isRelease(_ arguments: [String]) -> Bool {
      RunOrigin(arguments: arguments, revision: nil, hasChanges: false, machine: machine, versions: [:]).isOfSuiteAlone
    }
    #expect(isRelease(["run", "--suite", "squat", "--jobs", "2"]))
    #expect(!isRelease(["run", "--suite", "squat", "--set", "a.b=1"]) && !isRelease(["run", "--smooth=median:5"]))
    #expect(!isRelease(["run", "--suite", "squat", "--perturb", "noise=2%"]))
  }

  @Test func aMetricOfSeveralSuitesOrNoneIsRefused() throws {
    let history = try RunHistory(in: history().store)
    #expect(throws: EvaluationError.usage("several suites have count.mae: give --suite other or sample")) {
      try history.trend(of: "count.mae")
    }
    #expect {
      try history.trend(of: "count.mea")
    } throws: { "\($0)".hasSuffix("none called \"count.mea\", did you mean count.mae?") }
  }

  @Test func theTableHasARowForEachValue() throws {
    let history = try RunHistory(in: history().store, HistoryFilter(suite: "sample", last: 1))
    let runs = try HistoryTable(history, by: .run).rows
    #expect(runs.map(\.metric) == ["count.mae", "count.exact"])
    #expect(runs.map(\.value) == [1.5, 1])
    let subjects = try HistoryTable(history, by: .subject).rows
    #expect(subjects.map(\.subject) == ["data/s00", "data/s01", "data/s00"])
    #expect(subjects.map(\.value) == [1, 2, 1])
    var text = ""
    try HistoryTable(history, by: .run).csv { text += $0 }
    let csv = text.split(separator: "\n")
    #expect(csv.count == 3)
    #expect(
      csv[1].hasPrefix(
        "sample/3,2026-03-03T10:00:00Z,sample,1,test,\(Self.new),1,,\"a system, x86_64, 2 cores\",,data sha256:two,,,"
          + "counter,angle=90.0,"))
  }

  @Test func aRunWithoutRowsLeavesNoLine() throws {
    let history = try RunHistory(in: history().store, HistoryFilter(suite: "sample"))
    #expect(try HistoryTable(history, by: .clip).rows.isEmpty)
    var text = ""
    try HistoryTable(history, by: .clip).csv { text += $0 }
    #expect(text.split(separator: "\n", omittingEmptySubsequences: false).count == 2)
  }

  /// A store of before has runs without an origin; opening it loses none of them.
  @Test func aRunWithoutAnOriginIsRead() throws {
    let kept = try KeptRuns()
    try kept.add(day: 1, [1])
    let run = try #require(try RunHistory(in: kept.store).runs.first)
    #expect(run.origin == nil && run.releases.isEmpty)
  }

  /// What stands there may come from another program.
  @Test func resultsThatAreNoneAreKeptAsTheyAre() throws {
    let kept = try KeptRuns()
    let results = #"{"metrics": ["abc", 1], "clips": ["abc", {"outcomes": ["abc"]}]}"#
    try kept.store.add(StoredRun(id: "a", suite: "s", created: "2026-01-01T00:00:00Z", results: results))
    #expect(try kept.store.runs(ofSuite: "s").map(\.results) == [results])
    #expect(try kept.store.metrics(ofRun: "a").isEmpty)
  }

  @Test func aBaselineIsKeptOnceAndComesBackWithItsRuns() throws {
    let kept = try KeptRuns()
    for id in ["a", "b"] {
      try kept.store.add(
        StoredRun(id: id, suite: "s", created: "2026-01-01T00:00:00Z", results: "{}", baseline: "{\"x\": 1}"))
    }
    try kept.store.add(
      StoredRun(id: "a", suite: "s", created: "2026-01-01T00:00:00Z", results: "{}"), isNumbered: true)
    #expect(try kept.store.runs(ofSuite: "s").map(\.id) == ["a-2", "b", "a"])
    #expect(try kept.store.runs(ofSuite: "s").map(\.baseline) == [nil, "{\"x\": 1}", "{\"x\": 1}"])
    #expect(throws: StoreError.self) {
      try kept.store.add(StoredRun(id: "a", suite: "s", created: "2026-01-01T00:00:00Z", results: "{}"))
    }
  }

  @Test func aCommandCanBePastedIntoAShell() {
    let machine = RunOrigin.Machine(system: "", architecture: "", processor: "", cores: 1)
    let origin = RunOrigin(
      arguments: ["run", "--set", "a.b=it's; rm *", ""], revision: nil, hasChanges: nil, machine: machine, versions: [:]
    )
    #expect(origin.command == #"bench run --set 'a.b=it'\''s; rm *' ''"#)
  }
}
