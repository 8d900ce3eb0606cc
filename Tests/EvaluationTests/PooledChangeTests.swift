import Foundation
import PoseModel
import Scoring
import Statistics
import TestSupport
import Testing

@testable import Evaluation
@testable import Pipeline

/// Ratios of counts and correlations: of all clips together, with a share of each subject's in them.
@Suite struct PooledChangeTests {
  private enum Case { case hit, falseAlarm, miss }

  /// Clips that are incorrect or not, as people say of the whole clip, and that a detector finds so or not.
  private func clips(_ cases: [[Case]]) -> [LabelledPrediction] {
    cases.enumerated().flatMap { subject, own in
      own.enumerated().map { index, outcome in
        LabelledPrediction(
          name: "s\(subject)-\(index)", subject: "data/s\(subject)",
          groundTruth: GroundTruth(faults: [
            GroundTruth.Fault(rep: nil, rater: "a", name: "incorrect", present: outcome != .falseAlarm)
          ]),
          prediction: Prediction(judged: [
            Prediction.JudgedRep(
              rep: Rep(start: .zero, end: Microseconds(1_000_000)), faults: outcome == .miss ? [] : ["lean"])
          ]))
      }
    }
  }

  private func f1(_ cases: [[Case]], margin: Double? = 0.05) throws -> RunResults.MetricResult {
    let family = AnyFaultMetrics(
      matching: RepMatching(instant: .end, tolerance: Microseconds(500_000)), criterion: nil)
    let results = RunResults.MetricResult.results(of: [family], detector: "counter", clips: clips(cases))
    var f1 = try #require(results.first { $0.metric == "faults.any.f1" })
    (f1.isListed, f1.margin) = (true, margin)
    return f1
  }

  /// Six hits, two false alarms and two misses, each of another person.
  private static let ten: [[Case]] =
    Array(repeating: [.hit], count: 6) + [[.falseAlarm], [.falseAlarm], [.miss], [.miss]]

  /// The mean of ten one-clip F1 is 6 / 10, the Jaccard index; F1 is 12 / (12 + 2 + 2).
  @Test func theValueIsThePooledRatio() throws {
    let f1 = try f1(Self.ten)
    #expect(f1.value == 0.75 && f1.isPooled == true && f1.pooled == 0.75)
    #expect(abs(try #require(mean(f1.bySubject.sorted { $0.key < $1.key }.compactMap(\.value))) - 0.6) < 1e-12)
    #expect(f1.withoutSubject?["data/s0"] == 10.0 / 14)
    #expect(f1.withoutSubject?["data/s9"] == 12.0 / 15)
  }

  /// From the same fractions in Python: a standard error of 0.125974, 8.869349 effective cases, and Wilson's ends of 0.75.
  @Test func itsIntervalIsOverSubjects() throws {
    let bounds = try #require(try f1(Self.ten).interval)
    #expect(bounds.method == "Wilson with one more subject")
    #expect(abs(bounds.low - 0.42469559) < 1e-6 && abs(bounds.high - 0.92419447) < 1e-6)
  }

  /// Saying that everything is incorrect finds all eight and accuses two: 16 / (16 + 2), which is better.
  @Test func theTrivialAnswerStandsBeside() throws {
    let f1 = try f1(Self.ten)
    #expect(f1.trivial == RunResults.TrivialScore(value: 16.0 / 18, answer: .everyRepFaulty))
    #expect(f1.isWorseThanTrivial)
    #expect(!(try self.f1(Array(repeating: [.hit], count: 4))).isWorseThanTrivial)
  }

  /// One person's ratio has no shares: that it stayed is a fact, that it changed says nothing of others.
  @Test func onePersonsRatioThatStaysPasses() throws {
    func verdict(_ after: [[Case]]) throws -> Verdict {
      let (before, now) = (try f1([[.hit, .miss]]), try f1(after))
      return Verdict(try Comparison(SampleResults.results([now]), with: Baseline(SampleResults.results([before]))))
    }
    let same = try verdict([[.hit, .miss]])
    #expect(same.outcome == .pass && same.reason == "nothing changed on any gating metric")
    let changed = try verdict([[.hit, .hit]])
    #expect(changed.outcome == .missing)
    #expect(changed.reason.hasSuffix("cannot be compared: only one person contributes to it, too few to generalise"))
  }

  private func change(
    from before: RunResults.MetricResult, to after: RunResults.MetricResult
  ) throws -> MetricChange {
    try #require(
      try Comparison(SampleResults.results([after]), with: Baseline(SampleResults.results([before]))).metrics.first)
  }

  /// Both misses become hits: 16 / 18. Without someone who was a hit before it is 14 / 16 less 10 / 14, without a false alarm
  /// 16 / 17 less 12 / 15, without one of the two 14 / 16 less 12 / 15.
  @Test func theGainIsTheDifferenceOfThePooledRatios() throws {
    let after: [[Case]] = Array(repeating: [.hit], count: 6) + [[.falseAlarm], [.falseAlarm], [.hit], [.hit]]
    let change = try change(from: f1(Self.ten), to: f1(after))
    let gain = 16.0 / 18 - 12.0 / 16
    #expect(abs(try #require(change.gain) - gain) < 1e-12)
    #expect(abs(try #require(mean(change.sortedGains)) - gain) < 1e-12)
    let (hit, alarm, found) = (14.0 / 16 - 10.0 / 14, 16.0 / 17 - 12.0 / 15, 14.0 / 16 - 12.0 / 15)
    let centre = (6 * hit + 2 * alarm + 2 * found) / 10
    for (subject, without) in [("s0", hit), ("s6", alarm), ("s9", found)] {
      #expect(abs(try #require(change.gains["data/\(subject)"]) - (gain + 9 * (centre - without))) < 1e-12)
    }
    #expect(change.subjects == 10 && change.isPooled)
    // Two people's own clips got better, the others' did not change.
    #expect(change.people == MetricChange.People(better: 2, worse: 0, same: 8))
  }

  private func verdict(from before: [[Case]], to after: [[Case]]) throws -> Verdict {
    let results = SampleResults.results([try f1(after)])
    return Verdict(try Comparison(results, with: Baseline(SampleResults.results([try f1(before)]))))
  }

  /// Twelve people with eight clips each, of which a detector now misses three to five: F1 falls from 1 to 2/3.
  @Test func aRatioGates() throws {
    let right: [[Case]] = Array(repeating: Array(repeating: .hit, count: 8), count: 12)
    let worse = right.indices.map { index -> [Case] in
      let missed = 3 + index % 3
      return Array(repeating: .miss, count: missed) + Array(repeating: .hit, count: 8 - missed)
    }
    #expect(try verdict(from: right, to: worse).outcome == .regression)
    #expect(try verdict(from: right, to: right).outcome == .pass)
    #expect(try verdict(from: worse, to: right).outcome == .pass)
  }

  /// Someone of whom nothing is faulty or found has no F1 and no part in it, on one side only too.
  @Test func whoHasNoPartIsNoHindrance() throws {
    var (before, after) = (try f1(Self.ten), try f1(Self.ten))
    for index in 0..<5 {
      before.bySubject["data/t\(index)"] = .some(nil)
      after.bySubject["data/t\(index)"] = .some(nil)
    }
    after.bySubject["data/t0"] = 0
    after.withoutSubject?["data/t0"] = 0.75
    after.value = 12.0 / 17
    let change = try change(from: before, to: after)
    #expect(change.subjects == 11 && change.oneSidedSubjects.isEmpty)
    let gain: Double = 12.0 / 17 - 0.75
    #expect(abs(try #require(change.gain) - gain) < 1e-12)
  }

  /// A baseline from before has the mean of the subjects: it says so, and the rest is compared.
  @Test func anOlderBaselineNeedsAcceptingAgain() throws {
    var old = try f1(Self.ten)
    (old.value, old.isPooled, old.withoutSubject) = (0.6, nil, nil)
    let stays = SampleResults.metric(values: ["a": 1, "b": 2])
    let results = SampleResults.results([stays, try f1(Self.ten)])
    let comparison = try Comparison(results, with: Baseline(SampleResults.results([stays, old])))
    #expect(comparison.metrics.first?.isUnchanged == true)
    let verdict = Verdict(comparison)
    #expect(verdict.outcome == .missing)
    #expect(verdict.reason.hasSuffix("this run the value of all clips together; accept a new baseline"))
  }

  /// The same data with two more hits of one person: whatever is without that person is undefined only where nobody else
  /// has anything.
  @Test func whatRestsOnOnePersonIsNotDecided() throws {
    let change = try change(from: f1([[.hit, .miss]]), to: f1([[.hit, .hit]]))
    #expect(change.gains.isEmpty && change.obstacle != nil)
    #expect(abs(try #require(change.gain) - 1.0 / 3) < 1e-12)
  }

  @Test func aBaselineKeepsWhatItIsWithoutEach() throws {
    let folder = try TestFolder()
    try folder.write("", to: "empty")
    var metric = try f1(Self.ten)
    metric.bySubject["data/t"] = .some(nil)
    var results = SampleResults.results([metric])
    results.slices = [
      RunResults.SliceResult(
        dimension: .view, slice: "front", detector: "counter", metric: metric.metric, unit: "", value: metric.value,
        interval: nil, definedSubjects: 10, subjects: 11, clips: 10, bySubject: metric.bySubject, isPooled: true,
        withoutSubject: metric.withoutSubject)
    ]
    let baseline = Baseline(results)
    let path = folder.path + "/sample.json"
    try baseline.write(to: path)
    let again = try Baseline(file: path, suite: "sample")
    #expect(again == baseline)
    #expect(again.metrics.first?.withoutSubject == metric.withoutSubject)
    #expect(again.slices?.first?.value == 0.75 && again.slices?.first?.withoutSubject?.count == 10)
    let slices = try SliceChange.all(of: results, beside: again)
    #expect(slices?.first?.metric.isUnchanged == true && slices?.first?.metric.subjects == 10)
  }
}

/// Correlations of subjects with one clip each, which none of them has alone.
@Suite struct PooledCorrelationTests {
  private static let swapped: [Double] = [1, 2, 3, 4, 5, 6, 8, 7]
  private static let right: [Double] = [1, 2, 3, 4, 5, 6, 7, 8]

  /// A detector that grades clips whose true grades are 1…8.
  private func replayed(_ grades: [Double]) throws -> ReplayedSuite {
    let matching = RepMatching(instant: .end, tolerance: Microseconds(500_000))
    let clips = grades.enumerated().map { index, grade in
      LabelledPrediction(
        name: "s\(index)", subject: "data/s\(index)",
        groundTruth: GroundTruth(
          grades: [GroundTruth.Grade(rep: nil, rater: "a", criterion: "depth", value: Double(index + 1))]),
        prediction: Prediction(judged: [
          Prediction.JudgedRep(rep: Rep(start: .zero, end: Microseconds(1_000_000)), grades: ["depth": grade])
        ]))
    }
    let family = GradeMetrics(matching: matching, criterion: "depth")
    var metrics = RunResults.MetricResult.results(of: [family], detector: "counter", clips: clips)
    for index in metrics.indices { metrics[index].isListed = true }
    let counts = Dictionary(uniqueKeysWithValues: grades.indices.map { ("s\($0)", 0) })
    return ReplayedSuite(
      results: SampleResults.results(metrics, counts: counts), groundTruth: clips.map(\.groundTruth),
      tallies: TallyTable(
        subjects: clips.map(\.subject), labels: clips.map(\.groundTruth),
        clips: clips.map { [ClipTallies($0, of: [family])] }, families: [[family]]))
  }

  private func spearman(_ comparison: Comparison) throws -> MetricChange {
    try #require(comparison.metrics.first { $0.metric == "grades.spearman" })
  }

  /// 1 − 6 · 2 / (8 · 63) = 1 − 1 / 42 becomes 1; without one of the first six 1 − 6 · 2 / (7 · 48) = 1 − 1 / 28 does, and
  /// without one of the last two nothing changes.
  @Test(arguments: [true, false])
  func theGainIsThatOfAllClips(areReplayed: Bool) throws {
    let (before, after) = (try replayed(Self.swapped), try replayed(Self.right))
    let metric = try spearman(
      areReplayed
        ? Comparison(from: .replayed(before), to: .replayed(after))
        : Comparison(from: .run(before.results, id: "one"), to: .run(after.results, id: "two")))
    #expect(metric.isPooled && metric.after == 1 && metric.subjects == 8)
    #expect(abs(try #require(metric.gain) - 1.0 / 42) < 1e-12)
    let centre = 6.0 / 28 / 8
    #expect(abs(try #require(metric.gains["data/s0"]) - (1.0 / 42 + 7 * (centre - 1.0 / 28))) < 1e-12)
    #expect(abs(try #require(metric.gains["data/s7"]) - (1.0 / 42 + 7 * centre)) < 1e-12)
    #expect(metric.p != nil && metric.interval != nil)
    // No subject has a correlation of its own that could have got better.
    #expect(metric.people == nil)
  }

  /// Both sides are left out together: without a change nobody has a share in one.
  @Test func whatIsTheSameIsUnchanged() throws {
    let metric = try spearman(
      Comparison(from: .replayed(try replayed(Self.swapped)), to: .replayed(try replayed(Self.swapped))))
    #expect(metric.isUnchanged && metric.sortedGains == [Double](repeating: 0, count: 8))
  }

  /// A slice's clips: 3…6, 8, 7 against 3…8 is 1 − 6 · 2 / (6 · 35) = 1 − 2 / 35.
  @Test func slicesHaveGainsToo() throws {
    var (before, after) = (try replayed(Self.swapped), try replayed(Self.right))
    for index in 0..<8 {
      before.results.clips[index].view = index < 2 ? "front" : "side"
      after.results.clips[index].view = before.results.clips[index].view
    }
    let comparison = try Comparison(from: .replayed(before), to: .replayed(after))
    let side = try #require(
      comparison.slices?.first { $0.slice.value == "side" && $0.metric.metric == "grades.spearman" })
    #expect(abs(try #require(side.metric.gain) - 2.0 / 35) < 1e-12)
    #expect(side.metric.subjects == 6 && side.metric.interval != nil)
  }
}
