import PoseModel
import Testing

@testable import Evaluation
@testable import Pipeline

@Suite struct PairedComparisonTests {
  /// Errors of 2, 2, 2 become 1, 1, 2: gains of 1, 1 and 0.
  static let before = SampleResults.results([SampleResults.metric(values: ["a": 2, "b": 2, "c": 2])])
  static let after = SampleResults.results(
    [SampleResults.metric(values: ["a": 1, "b": 1, "c": 2])], counts: ["a": 6, "b": 4])

  static func compare(_ before: RunResults, _ after: RunResults) throws -> Comparison {
    try Comparison(from: .run(before, id: "one"), to: .run(after, id: "two"))
  }

  @Test func gainsAreOfSubjectsPairedWithThemselves() throws {
    let metric = try #require(try Self.compare(Self.before, Self.after).metrics.first)
    #expect(metric.gains == ["a": 1, "b": 1, "c": 0])
    #expect(metric.gain == 2.0 / 3)
    // Two of the three differ, both the same way: 2 of the 4 ways of setting their signs are as far out.
    #expect(metric.p == 2.0 / 4)
    #expect(metric.test?.isExact == true)
    // Standard deviation √(1/3), t of 97.5 % at 2 degrees 4.302653: 2/3 ± 4.302653 · √(1/3) / √3 = 2/3 ± 1.434218.
    let interval = try #require(metric.interval)
    #expect(abs(interval.low - (2 / 3 - 1.434218)) < 1e-6)
    #expect(abs(interval.high - (2 / 3 + 1.434218)) < 1e-6)
    #expect((metric.undefinedBefore, metric.undefinedAfter) == (0, 0))
  }

  @Test func theClipThatGotWorseComesFirst() throws {
    // The true count is 4: 3 → 6 is farther by 1, 5 → 4 nearer by 1.
    let changes = try Self.compare(Self.before, Self.after).clipChanges
    #expect(changes.map(\.clip) == ["data/a", "data/b"])
    #expect(changes.map(\.gain) == [-1, 1])
  }

  @Test func aSubjectUndefinedOnASideIsCountedAndNotPaired() throws {
    let after = SampleResults.results([SampleResults.metric(values: ["a": 1, "b": nil, "c": 2])])
    let metric = try #require(try Self.compare(Self.before, after).metrics.first)
    #expect(metric.subjects == 2)
    #expect((metric.undefinedBefore, metric.undefinedAfter) == (0, 1))
    #expect(metric.oneSidedSubjects == ["b"])
  }

  @Test func oneSubjectGivesADifferenceAndNoInference() throws {
    let metric = try #require(
      try Self.compare(
        SampleResults.results([SampleResults.metric(values: ["a": 2])]),
        SampleResults.results([SampleResults.metric(values: ["a": 1])])
      ).metrics.first)
    #expect(metric.gain == 1)
    #expect(metric.interval == nil)
    #expect(metric.p == nil)
    #expect(metric.adjustedP == nil)
  }

  /// Gains of 1 for each of five subjects have p 2/32, of which Holm takes thrice; two unchanged metrics have 1; the
  /// metric without a margin is in no family.
  @Test func holmIsOverTheMetricsThatGate() throws {
    let (two, one) = (subjects(2), subjects(1))
    func results(_ first: [String: Double?]) -> RunResults {
      SampleResults.results([
        SampleResults.metric("first", values: first), SampleResults.metric("second", values: two),
        SampleResults.metric("third", values: two), SampleResults.metric("shown", values: first, margin: nil),
      ])
    }
    let metrics = try Self.compare(results(two), results(one)).metrics
    let ps: [Double?] = [2 / 32, 1, 1, 2 / 32]
    let adjusted: [Double?] = [6 / 32, 1, 1, nil]
    #expect(metrics.map { $0.p } == ps)
    #expect(metrics.map(\.adjustedP) == adjusted)
  }

  private func subjects(_ value: Double) -> [String: Double?] {
    Dictionary(uniqueKeysWithValues: ["a", "b", "c", "d", "e"].map { ($0, Double?(value)) })
  }

  /// From a run to a baseline is the way back: every gain and every count turned round.
  @Test func aBaselineCanBeEitherSide() throws {
    let there = try Comparison(from: .baseline(Baseline(Self.before)), to: .run(Self.after, id: "two"))
    let back = try Comparison(from: .run(Self.after, id: "two"), to: .baseline(Baseline(Self.before)))
    #expect(there.metrics[0].sortedGains == [1, 1, 0])
    #expect(back.metrics[0].sortedGains == [-1, -1, 0])
    #expect(back.metrics[0].bySubject.mapValues(\.before) == ["a": 1, "b": 1, "c": 2])
    #expect(back.metrics[0].before == there.metrics[0].after)
    #expect(back.clipChanges.map { [$0.before, $0.after] } == [[4, 5], [6, 3]])
    #expect(!there.knowsCountsOnly && !back.knowsCountsOnly)
    #expect(there.slices == nil)
    #expect(throws: EvaluationError.self) {
      try Comparison(from: .baseline(Baseline(Self.before)), to: .baseline(Baseline(Self.before)))
    }
  }

  /// A metric that one side's suite lists and the other lacks is named; of one that nobody lists nothing is said.
  @Test func aListedMetricOfOneSideIsNamed() throws {
    var unlisted = SampleResults.metric("unlisted", values: ["a": 1], margin: nil)
    unlisted.isListed = false
    let one = SampleResults.metric("one", values: ["a": 1, "b": 2], margin: nil)
    let both = SampleResults.metric(values: ["a": 2, "b": 2])
    let (more, fewer) = (SampleResults.results([both, one, unlisted]), SampleResults.results([both]))
    func missing(_ side: MissingMetric.Side) -> [MissingMetric] {
      [MissingMetric(detector: "counter", metric: "one", missingFrom: side)]
    }
    #expect(try Self.compare(more, fewer).missingMetrics == missing(.after))
    #expect(try Self.compare(fewer, more).missingMetrics == missing(.before))
    #expect(try Self.compare(more, more).missingMetrics == [])
    let there = try Comparison(from: .baseline(Baseline(more)), to: .run(fewer, id: "two"))
    #expect(there.missingMetrics == missing(.after))
    #expect(there.metrics.map(\.metric) == ["count.mae"])
    let record = ComparisonRecord(there, before: "A", after: "B", bench: "test")
    #expect(record.missingMetrics == missing(.after))
  }

  @Test func parametersAreToldInTheDirectionOfTheComparison() throws {
    var other = Self.after
    other.detectors[0].parameters = ["angle": 95]
    let there = try Self.compare(Self.before, other)
    #expect(there.changedParameters == ["counter.angle: 90.0 → 95.0"])
    let back = try Comparison(from: .run(other, id: "two"), to: .baseline(Baseline(Self.before)))
    #expect(back.changedParameters == ["counter.angle: 95.0 → 90.0"])
  }

  @Test func otherSmoothingIsToldAsAChange() throws {
    var smoothed = Self.after
    smoothed.smoothing = "median:5"
    let there = try Self.compare(Self.before, smoothed)
    #expect(there.changedParameters == ["smoothing: none → median:5"])
    let back = try Comparison(from: .run(smoothed, id: "two"), to: .baseline(Baseline(Self.before)))
    #expect(back.changedParameters == ["smoothing: median:5 → none"])
  }

  @Test func runsOfOtherGroundsAreMissingByName() {
    var other = Self.before
    other.datasets[0].content = "sha256:two"
    let error = #expect(throws: EvaluationError.self) { try Self.compare(other, Self.after) }
    #expect(
      error?.description
        == "run one used dataset data with content sha256:two, run two used sha256:one")
  }

  @Test func gradesAndRepTimesThatChangedAreFacts() throws {
    func outcome(grade: Double, end: Double) -> ClipResult.Outcome {
      ClipResult.Outcome(
        count: 1,
        reps: [
          ClipResult.PredictedRep(
            rep: .init(Rep(start: .zero, end: Microseconds(Int64(end * 1e6)))), reported: end, matches: nil)
        ],
        graded: [ClipResult.GradedRep(rep: 0, predicted: grade, ratings: ["x": 80, "y": 90])], reportDelays: [],
        liveDelays: [])
    }
    func results(_ outcome: ClipResult.Outcome) -> RunResults {
      var results = Self.before
      results.clips[0].outcomes["counter"] = outcome
      return results
    }
    let first = results(outcome(grade: 70, end: 1))
    // The raters' mean is 85: from 15 away to 25 away.
    let graded = try Self.compare(first, results(outcome(grade: 60, end: 1))).clipChanges
    #expect(
      graded == [
        ClipChange(kind: .grade, clip: "data/a", detector: "counter", before: 70, after: 60, truth: 85)
      ])
    #expect(graded.first?.gain == -10)
    let moved = try Self.compare(first, results(outcome(grade: 70, end: 2))).clipChanges
    #expect(moved.map(\.kind) == [.times])
  }
}
