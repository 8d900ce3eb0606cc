import PoseModel
import Statistics
import Testing

@testable import Charts
@testable import Evaluation
@testable import Pipeline

/// The numbers that charts of a stored run are made of.
struct DrawnNumbersTests {
  /// Results of two subjects of a clip each, with what the detector `counter` said of them.
  private func results(_ outcomes: [(inout ClipResult.Outcome) -> Void]) -> RunResults {
    var results = RunResults(
      bench: "test", suite: "sample", suiteVersion: 1,
      datasets: [
        RunResults.DatasetCard(
          name: "data", version: "1", content: "sha256:one", origin: .recorded, licence: "", source: "", clips: 2,
          subjects: 2)
      ],
      detectors: [
        RunResults.DetectorCard(name: "counter", kind: "reps", summary: "", parameters: ["angle": 90], changed: [])
      ],
      matching: RunResults.Matching(instant: "end", toleranceSeconds: 0.5),
      camera: LiveCamera(fps: 30, estimator: .zero), metrics: [],
      clips: ["a": 3, "b": 5].sorted { $0.key < $1.key }.map { name, count in
        ClipResult(
          name: name, dataset: "data", subject: name, exercise: "squat", view: "", fps: 30, frames: 1, duration: 1,
          trueCount: 4, trueReps: nil,
          outcomes: [
            "counter": ClipResult.Outcome(count: count, reps: nil, graded: [], reportDelays: [], liveDelays: [])
          ])
      }, measured: [:])
    for (index, change) in outcomes.enumerated() {
      if var outcome = results.clips[index].outcomes["counter"] {
        change(&outcome)
        results.clips[index].outcomes["counter"] = outcome
      }
    }
    return results
  }

  /// One word says of all that they are generated; where some are recorded, each has its own.
  @Test func generatedDataIsNamedOnce() {
    var card = results([]).datasets[0]
    card.origin = .synthetic
    var other = card
    other.name = "more"
    #expect([card].sources == "SYNTHETIC data" && [card, other].sources == "SYNTHETIC: data, more")
    other.origin = .recorded
    #expect([card, other].sources == "SYNTHETIC data, more")
  }

  private func judged(_ grade: Double?, _ isFaulty: Bool, _ isReported: Bool) -> ClipResult.JudgedRep {
    ClipResult.JudgedRep(rep: 0, grade: grade, isFaulty: isFaulty, isReported: isReported)
  }

  /// Faulty things are graded 20 and 40, sound ones 30 and 90; 20 and 30 are reported as faulty, one is not graded.
  @Test func gradesTellFaultyFromSound() throws {
    let results = results([
      { $0.judged = [self.judged(20, true, true), self.judged(90, false, false), self.judged(nil, true, true)] },
      { $0.judged = [self.judged(30, false, true), self.judged(40, true, false)] },
    ])
    let curve = try #require(FaultCurve(results, detector: "counter"))
    #expect(curve.faulty == 2 && curve.sound == 2 && curve.subjects == 2)
    #expect(curve.points.map(\.grade) == [20, 30, 40, 90])
    let half = 1.0 / 2
    let third = 2.0 / 3
    let recalls: [Double?] = [half, half, 1, 1]
    let precisions: [Double?] = [1, half, third, half]
    let alarms: [Double?] = [0, half, half, 1]
    #expect(curve.points.map { $0.recall?.value } == recalls)
    #expect(curve.points.map { $0.precision?.value } == precisions)
    #expect(curve.points.map { $0.falsePositiveRate?.value } == alarms)
    let reported = try #require(curve.reported)
    for share in [reported.recall, reported.precision, reported.falsePositiveRate] { #expect(share?.value == half) }
    // Precision at each faulty thing: 1 of 1 and 2 of 3.
    let average = try #require(curve.averagePrecision).value
    #expect(abs(average - (1 + third) / 2) < 1e-12)
    #expect(curve.bins.map(\.count) == [1, 1, 1, 1])
    #expect(curve.bins.map(\.sound.value) == [0, 1, 0, 1])
  }

  @Test func withoutFaultyAndSoundThingsThereIsNoCurve() {
    #expect(FaultCurve(results([]), detector: "counter") == nil)
    let faulty = results([{ $0.judged = [self.judged(20, true, true)] }])
    #expect(FaultCurve(faulty, detector: "counter") == nil)
    #expect(FaultCurve(faulty, detector: "other") == nil)
  }

  @Test func gradesBeyondTheScaleHaveNoBins() throws {
    let results = results([{ $0.judged = [self.judged(20, true, true), self.judged(101, false, false)] }])
    let curve = try #require(FaultCurve(results, detector: "counter"))
    #expect(curve.bins.isEmpty && curve.points.count == 2)
  }

  private func graded(_ predicted: Double?, _ ratings: [String: Double]) -> ClipResult.GradedRep {
    ClipResult.GradedRep(rep: 0, predicted: predicted, ratings: ratings)
  }

  /// a is graded 2 and 4 above its raters' mean, b 1 below: 3 and −1 on the average, and 1 over both.
  @Test func limitsGoByGradesWhereThereAreAny() throws {
    let results = results([
      { $0.graded = [self.graded(82, ["x": 70, "y": 90]), self.graded(54, ["x": 50])] },
      { $0.graded = [self.graded(59, ["x": 60]), self.graded(nil, ["x": 60])] },
    ])
    let limits = try #require(GradeLimits(results, detector: "counter"))
    #expect(limits.areGrades && limits.pairs.map(\.truth) == [80, 50, 60])
    let bias = try #require(limits.bias).value
    #expect(abs(bias - 1) < 1e-12)
  }

  /// 3 and 5 reps are counted where 4 are true.
  @Test func limitsGoByCountsWhereNothingIsGraded() throws {
    let limits = try #require(GradeLimits(results([]), detector: "counter"))
    #expect(!limits.areGrades && limits.pairs.map { $0.predicted - $0.truth } == [-1, 1])
    #expect(try #require(limits.bias).value == 0)
    #expect(GradeLimits(results([]), detector: "other") == nil)
    // Their variance is (1 + 1) / (2 − 1).
    let half = 1.96 * 2.0.squareRoot()
    let (lower, upper) = (try #require(limits.lower).value, try #require(limits.upper).value)
    #expect(abs(lower + half) < 1e-12 && abs(upper - half) < 1e-12)
  }

  /// Of two people's clips there is an interval, of one person's in two datasets none.
  @Test func limitsGoByPeople() throws {
    var results = results([])
    #expect(try #require(GradeLimits(results, detector: "counter")?.bias).interval != nil)
    for index in results.clips.indices {
      (results.clips[index].subject, results.clips[index].people) = ("anna", "club")
    }
    results.clips[1].dataset = "more"
    let limits = try #require(GradeLimits(results, detector: "counter"))
    #expect(limits.pairs.map(\.subject) == ["club/anna", "club/anna"])
    #expect(try #require(limits.bias).interval == nil && limits.lower == nil)
  }

  /// Both counts are off by one, which is near enough; then the less confident one is off by three.
  @Test func coverageCountsWhatIsWithinOneRep() throws {
    func rights(_ count: Int) throws -> [Double] {
      let results = results([
        { $0.countConfidence = 0.9 }, { ($0.countConfidence, $0.count) = (0.4, count) },
      ])
      return try #require(CoverageAccuracy(results, "counter")).curve.points.map(\.right)
    }
    #expect(try rights(5) == [0.5, 1])
    #expect(try rights(7) == [0.5, 0.5])
    #expect(CoverageAccuracy(results([]), "counter") == nil)
  }

  /// Of four clips of `a` and two of `b`, all with a confidence of 0.9, one of `b` has less: it is the sixth that
  /// abstaining on a fifth leaves out.
  @Test func coverageNamesWhatIsLeftOut() throws {
    var results = results([{ $0.countConfidence = 0.9 }, { $0.countConfidence = 0.9 }])
    let clips = results.clips
    results.clips += [0, 0, 0, 1].map { clips[$0] }
    for (index, view) in ["front", "front", "front", "side", "side", "front"].enumerated() {
      results.clips[index].view = view
    }
    results.clips[5].outcomes["counter"]?.countConfidence = 0.4
    let chart = try #require(CoverageAccuracy(results, "counter"))
    #expect(chart.remarks.last == "Left out: 1 clip of 1 of 2 people; front views 1 of 4, side views 0 of 2")
    results.clips.remove(at: 1)
    let alone = try #require(CoverageAccuracy(results, "counter"))
    #expect(
      alone.remarks.last == "Left out: 1 clip of 1 of 2 people, all clips of 1; front views 1 of 3, side views 0 of 2")
    results.clips[4].outcomes["counter"]?.countConfidence = 0.9
    #expect(try #require(CoverageAccuracy(results, "counter")).remarks.isEmpty)
  }

  /// A clip without a true count is in no chart of counts, nor are its dataset and its person.
  @Test func aChartNamesOnlyWhatItShows() throws {
    var results = results([{ $0.countConfidence = 0.9 }])
    results.datasets.append(results.datasets[0])
    results.datasets[1].name = "more"
    results.clips.append(results.clips[0])
    (results.clips[2].dataset, results.clips[2].trueCount) = ("more", nil)
    let charts: [any Chart] = [
      CountScatter(results, "counter"), CountErrorByClip(results, "counter"), CountErrorBySubject(results, "counter"),
      try #require(CoverageAccuracy(results, "counter")),
    ]
    for chart in charts {
      #expect(chart.subtitle.contains(" · data · counter · 2 clips of 2 people"), "\(chart.subtitle)")
    }
    #expect(CountErrorBySubject(results, "counter").table.text.map { $0[0] } == ["person", "a", "b"])
  }

  /// One detector's counts on clips of one dataset: the subtitle names both, a row neither.
  @Test func changedClipsHaveShortNames() throws {
    let after = results([{ $0.count = 4 }, { $0.count = 6 }])
    let record = ComparisonRecord(
      try Comparison(from: .run(results([]), id: "one"), to: .run(after, id: "two")), before: "one", after: "two",
      bench: "test")
    let chart = try #require(record.changes.first).chart
    #expect(chart.subtitle == "Clips whose count changed · data · counter · 2 clips · 1 better, 1 worse")
    #expect(chart.table.text.map { $0[0] } == ["clip", "b", "a"])
  }

  /// Clips of two datasets need the dataset only where they share a name.
  @Test func changedClipsOfTwoDatasetsHaveShortNames() throws {
    func names(_ second: String) throws -> [String] {
      let sides = [results([]), results([{ $0.count = 4 }, { $0.count = 6 }])].map { side in
        var side = side
        side.datasets.append(side.datasets[0])
        side.datasets[1].name = "more"
        (side.clips[1].dataset, side.clips[1].name) = ("more", second)
        return side
      }
      let record = ComparisonRecord(
        try Comparison(from: .run(sides[0], id: "one"), to: .run(sides[1], id: "two")), before: "one", after: "two",
        bench: "test")
      return try #require(record.changes.first).chart.table.text.dropFirst().map { $0[0] }
    }
    #expect(try names("b") == ["b", "a"])
    #expect(try names("a") == ["more/a", "data/a"])
  }

  /// Of steps of 0.5, for which there is room, the axis would have 0 alone.
  @Test func anAxisHasMoreThanOneTick() throws {
    let canvas = try Canvas(size: Size(width: 100, height: 100))
    #expect(Axis(LinearScale(-0.4...0.4), edge: .left).ticks(on: canvas, length: 90).count == 5)
  }

  /// x and y rank alike, the detector the other way round; of the last thing only x says something.
  @Test func ratersAreComparedTwoByTwo() throws {
    let results = results([
      { $0.graded = [self.graded(9, ["x": 1, "y": 10]), self.graded(5, ["x": 2, "y": 20])] },
      { $0.graded = [self.graded(1, ["x": 3, "y": 30]), self.graded(nil, ["x": 4])] },
    ])
    let pairs = try #require(RaterPairs(results, detector: "counter"))
    #expect(pairs.raters == ["x", "y", "counter"] && pairs.people == 2)
    #expect(pairs.pairs.map { [$0.row, $0.column] } == [[1, 0], [2, 0], [2, 1]])
    for (pair, correlation) in zip(pairs.pairs, [1.0, -1, -1]) {
      let found = try #require(pair.correlation)
      #expect(abs(found - correlation) < 1e-9 && pair.count == 3)
    }
    #expect(RaterPairs(self.results([]), detector: "counter") == nil)
  }

  /// What a report shows is what `bench draw` draws of the same run, in the order of the report.
  @Test func aReportShowsWhatTheRunHas() throws {
    let graded = results([{ $0.graded = [self.graded(82, ["x": 70])] }])
    let pictures = ChartRecipe.pictures(of: ReportedRun(graded, replayed: [], headings: []))
    #expect(pictures.map(\.file) == ["counts.png", "count-errors.png", "latency.png"])
    #expect(pictures.map(\.part) == [.allClips, .allClips, .latency])
    let counts = try #require(pictures.first).chart
    #expect(
      counts.title == CountScatter(graded, "counter").title && counts.table == CountScatter(graded, "counter").table)
  }
}
