import Files
import Foundation
import Scoring
import Testing

@testable import Evaluation

/// A metric over found cases only is compared on the cases that both sides found.
@Suite struct FoundCasesTests {
  /// Two people of one clip each. `nil` is a rep that was not found.
  private static func results(_ cases: [String: [Double?]], margin: Double? = 0.5) -> RunResults {
    let statistic = Metric.CaseStatistic.median
    var metric = SampleResults.metric(
      "latency.report",
      values: Dictionary(
        uniqueKeysWithValues: cases.map { ("data/\($0.key)", statistic.value(of: $0.value.compactMap(\.self))) }),
      margin: margin)
    metric.caseStatistic = statistic
    var results = SampleResults.results([metric], counts: cases.mapValues { _ in 4 })
    for index in results.clips.indices {
      let own = cases[results.clips[index].name]
      results.clips[index].outcomes["counter"]?.cases = own.map { ["latency.report": $0] }
    }
    return results
  }

  private static func change(_ before: RunResults, _ after: RunResults) throws -> MetricChange {
    try #require(Comparison(from: .run(before, id: "one"), to: .run(after, id: "two")).metrics.first)
  }

  private static let before = results(["a": [100, 200, 600], "b": [300, 300, 300]])

  /// Of a, the slowest rep is lost: its median falls from 200 to (120 + 240) / 2 = 180 of what is left, which looks like a
  /// gain. On the two reps that both sides found it is (100 + 200) / 2 = 150 before: a loss of 30.
  @Test func whatOneSideLostIsLeftOutOnTheOther() throws {
    let after = Self.results(["a": [120, 240, nil], "b": [300, 300, 300]])
    let change = try Self.change(Self.before, after)
    #expect(change.gains == ["data/a": -30, "data/b": 0])
    #expect(change.gain == -15)
    #expect(change.bySubject["data/a"]?.before == 150 && change.bySubject["data/a"]?.after == 180)
    // Of all that each found: (200 + 300) / 2 and (180 + 300) / 2.
    #expect(change.before == 250 && change.after == 240)
    #expect(change.cases.map { ($0.before, $0.after, $0.onBoth) } ?? (0, 0, 0) == (6, 5, 5))
    #expect(change.casesWords == "on the 5 cases found on both sides (6 before, 5 now)")
    #expect(change.cases?.lostSubjects == [] && change.oneSidedSubjects == [])
  }

  /// As many are found, but others: a's third rep for its first.
  @Test func asManyOthersAreNotTheSame() throws {
    let before = Self.results(["a": [100, 200, nil], "b": [300]])
    let change = try Self.change(before, Self.results(["a": [nil, 200, 50], "b": [300]]))
    #expect(change.gains == ["data/a": 0, "data/b": 0])
    #expect(change.cases.map { ($0.before, $0.after, $0.onBoth) } ?? (0, 0, 0) == (3, 3, 2))
    // Nobody got better or worse, and yet it is not as it was.
    #expect(!change.isUnchanged)
  }

  @Test func theSameCasesAreComparedAsEver() throws {
    let change = try Self.change(Self.before, Self.results(["a": [100, 150, 600], "b": [300, 300, 300]]))
    #expect(change.gains == ["data/a": 50, "data/b": 0])
    #expect(change.cases.map { ($0.before, $0.after, $0.onBoth) } ?? (0, 0, 0) == (6, 6, 6))
    #expect(change.casesWords == nil)
    #expect(try Self.change(Self.before, Self.before).isUnchanged)
  }

  /// The lost are named: a metric must not be judged as if they had never been there.
  @Test func whoLostAllCasesIsNamed() throws {
    let change = try Self.change(Self.before, Self.results(["a": [90, 190, 590], "b": [nil, nil, nil]]))
    #expect(change.cases?.lostSubjects == ["data/b"] && change.cases?.gainedSubjects == [])
    #expect(change.gains == ["data/a": 10])
    #expect(change.oneSidedSubjects == ["data/b"] && change.oneSided == 1)
    #expect((change.undefinedBefore, change.undefinedAfter) == (0, 1))
    let back = try Self.change(Self.results(["a": [90, 190, 590], "b": [nil, nil, nil]]), Self.before)
    #expect(back.cases?.gainedSubjects == ["data/b"] && back.cases?.lostSubjects == [])
  }

  /// The baseline keeps the cases of what the suite lists, so that the gate does as a comparison does.
  @Test func aBaselineKeepsThem() throws {
    let folder = NSTemporaryDirectory() + "cases-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try Baseline(Self.before).write(to: folder + "/sample.json")
    let text = try String(contentsOfFile: folder + "/sample.json", encoding: .utf8)
    #expect(text.contains(#""data/a": {"counter": {"cases": {"latency.report": [100, 200, 600]}, "count": 4}},"#))
    let baseline = try Baseline(file: folder + "/sample.json", suite: "sample")
    #expect(baseline == Baseline(Self.before))
    let after = Self.results(["a": [120, 240, nil], "b": [300, 300, 300]])
    #expect(try Comparison(after, with: baseline).metrics.first?.gains == ["data/a": -30, "data/b": 0])
    let verdict = Verdict(try Comparison(Self.results(["a": [120, 240, 600], "b": [nil, nil, nil]]), with: baseline))
    #expect(verdict.outcome != .pass)
  }

  /// Of before they were kept: the subjects' values are compared as they are.
  @Test func aBaselineWithoutCasesIsComparedWithout() throws {
    var baseline = Baseline(Self.before)
    for clip in baseline.clips.keys { baseline.clips[clip]?["counter"]?.cases = nil }
    let after = Self.results(["a": [120, 240, nil], "b": [300, 300, 300]])
    let change = try #require(try Comparison(after, with: baseline).metrics.first)
    #expect(change.gains == ["data/a": 20, "data/b": 0] && change.cases == nil)
  }

  /// A side that keeps no cases of a clip found none of them there; it did not see other ones.
  @Test func aClipWithoutCasesHasNoneFound() throws {
    var after = Self.results(["a": [90, 190, 590], "b": [nil, nil, nil]])
    for index in after.clips.indices where after.clips[index].name == "b" {
      after.clips[index].outcomes["counter"]?.cases = nil
    }
    let change = try #require(Comparison(after, with: Baseline(Self.before)).metrics.first)
    #expect(change.cases?.lostSubjects == ["data/b"] && change.gains == ["data/a": 10])
    #expect(change.cases.map { ($0.before, $0.after, $0.onBoth) } ?? (0, 0, 0) == (6, 3, 3))
  }

  /// With other true cases on a clip the values are of other reps: the gate cannot say anything.
  @Test func otherTrueCasesAreMissing() throws {
    let after = Self.results(["a": [100, 200], "b": [300, 300, 300]])
    let verdict = Verdict(try Comparison(after, with: Baseline(Self.before)))
    #expect(verdict.outcome == .missing && verdict.exitCode(stopAt: 1) == 5)
    #expect(
      verdict.metrics.map(\.reason) == [
        "report delay of counter cannot be compared: data/a has other true cases in the baseline"
      ])
  }

  /// The true cases of two sides are the same clip's: where they are not, nothing is paired.
  @Test func otherTrueCasesAreNotPaired() throws {
    let change = try Self.change(Self.before, Self.results(["a": [100, 200], "b": [300, 300, 300]]))
    #expect(change.cases == nil)
  }
}
