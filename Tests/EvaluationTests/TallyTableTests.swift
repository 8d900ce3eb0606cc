import PoseModel
import Scoring
import Statistics
import Testing

@testable import Evaluation
@testable import Pipeline

/// What is read from the tallies of a run is what scoring the clips by themselves gives, to the last digit.
@Suite struct TallyTableTests {
  private static let matching = RepMatching(instant: .end, tolerance: Microseconds(300_000))
  private static let families: [any MetricFamily] = [
    CountMetrics(), RepEventMetrics(matching: matching), LatencyMetrics(matching: matching),
    GradeMetrics(matching: matching, criterion: "form"), AnyFaultMetrics(matching: matching, criterion: "form"),
  ]

  private static func rep(_ start: Double) -> Rep {
    Rep(start: Microseconds(Int64(start * 1e6)), end: Microseconds(Int64(start * 1e6) + 1_500_000))
  }

  /// Eleven clips of four people, with reps that are missed, late and invented, and graded by two raters.
  private static let clips: [LabelledPrediction] = {
    var generator = SeededGenerator(seed: 7)
    return (0..<11).map { index in
      let truth = (0..<generator.index(below: 6)).map { rep(Double($0) * 2) }
      let found =
        truth.filter { _ in generator.unit() < 0.8 }.map { real in
          let late = Microseconds(Int64(generator.unit() * 400_000))
          return Rep(start: real.start + late, end: real.end + late)
        } + (generator.unit() < 0.3 ? [rep(30)] : [])
      return LabelledPrediction(
        name: "clip \(index)", subject: "set/s\(index % 4)",
        groundTruth: GroundTruth(
          reps: truth,
          grades: truth.indices.flatMap { rep in
            ["a", "b"].map {
              GroundTruth.Grade(rep: rep, rater: $0, criterion: "form", value: generator.unit() * 100)
            }
          },
          faults: truth.indices.map {
            GroundTruth.Fault(rep: $0, rater: "a", name: "lean", present: generator.unit() < 0.5)
          }),
        prediction: Prediction(
          reps: found.map { Prediction.CountedRep(rep: $0, reported: $0.end) },
          judged: found.map {
            Prediction.JudgedRep(
              rep: $0, grades: ["form": generator.unit() * 100], faults: generator.unit() < 0.5 ? ["lean"] : [])
          }))
    }
  }()

  private static let table = TallyTable(
    subjects: clips.map(\.subject), labels: clips.map(\.groundTruth),
    clips: clips.map { [ClipTallies($0, of: families)] }, families: [families])

  @Test(arguments: [Array(0..<11), [0, 3, 4, 9], [2], []])
  func aSliceIsItsClipsAlone(_ members: [Int]) {
    let sliced = Self.table.results(of: 0, called: "coach", clips: members)
    let own = members.map { Self.clips[$0] }
    let alone = TallyTable(
      subjects: own.map(\.subject), labels: own.map(\.groundTruth),
      clips: own.map { [ClipTallies($0, of: Self.families)] }, families: [Self.families]
    ).results(of: 0, called: "coach")
    #expect(sliced == alone)
    #expect(sliced.map(\.metric) == Self.families.flatMap(\.metrics).map(\.name))
  }

  /// A person with a negative clip only, and one with reps only: each is a person of their own kind of metric alone.
  @Test func negativeClipsAreOfPhantomsAlone() throws {
    let minute = Segment(start: .zero, end: Microseconds(60_000_000), label: "negative-walking")
    let rep = Prediction.CountedRep(
      rep: Rep(start: .zero, end: Microseconds(1_000_000)), reported: Microseconds(1_000_000))
    let clips = [
      LabelledPrediction(
        name: "walk", subject: "a", groundTruth: GroundTruth(intervals: [minute]), prediction: Prediction(reps: [rep])),
      LabelledPrediction(
        name: "squat", subject: "b", groundTruth: GroundTruth(repCount: 1), prediction: Prediction(reps: [rep])),
    ]
    let families: [any MetricFamily] = [CountMetrics(), PhantomMetrics()]
    let results = RunResults.MetricResult.results(of: families, detector: "coach", clips: clips)
    let exact = try #require(results.first { $0.metric == "count.exact" })
    #expect(exact.bySubject == ["b": 1] && exact.clips == 1 && exact.undefinedClips == 0)
    let phantoms = try #require(results.first { $0.metric == "count.phantoms" })
    #expect(phantoms.bySubject == ["a": 1] && phantoms.clips == 1 && phantoms.value == 1)
  }

  @Test func onlyFamiliesWithAWantedMetricAreRead() {
    let read = Self.table.results(of: 0, called: "coach", metrics: ["count.mae", "latency.report"])
    #expect(
      read.map(\.metric) == (CountMetrics().metrics + LatencyMetrics(matching: Self.matching).metrics).map(\.name))
  }

  /// Many settings side by side are each as it would be alone: what a sweep keeps of a clip.
  @Test func settingsDoNotMix() {
    let family = CountMetrics()
    let settings = [
      Self.clips,
      Self.clips.map { clip in
        var clip = clip
        clip.prediction = Prediction(count: 2)
        return clip
      },
    ]
    var together = SubjectTallies(family, settings: 2)
    for index in Self.clips.indices {
      together.add(
        SettingTallies(
          subject: Self.clips[index].subject, tallies: settings.map { family.tally($0[index]) }, settings: [0, 1]))
    }
    #expect(together.clips == 11)
    for (setting, clips) in settings.enumerated() {
      var alone = SubjectTallies(family)
      for clip in clips {
        alone.add(SettingTallies(subject: clip.subject, tallies: [family.tally(clip)], settings: [0]))
      }
      for ((one, tallies), (other, own)) in zip(together.bySubject, alone.bySubject) {
        #expect(one == other)
        #expect(family.values(tallies[setting]) == family.values(own[0]))
      }
      let own = together.bySubject
      let all = Array(family.metrics.indices)
      let beside = together.results(
        of: all, setting: setting, called: "counter", own.map(\.subject), own.map { $0.tallies[setting] })
      let single = alone.results(
        of: all, called: "counter", own.map(\.subject), alone.bySubject.map { $0.tallies[0] })
      #expect(beside == single)
    }
  }

  @Test func anOutcomeIsWhatItsTalliesSay() throws {
    let clip = try #require(Self.clips.first { ($0.groundTruth.reps ?? []).count > 2 })
    let tallies = ClipTallies(clip, of: Self.families)
    #expect(tallies.tally(of: StrokeMetrics.self) == nil)
    let delays = try #require(tallies.tally(of: LatencyMetrics.self))
    #expect(delays.report == LatencyMetrics(matching: Self.matching).tally(clip).report)
    #expect(tallies.tally(of: GradeMetrics.self)?.count == clip.groundTruth.reps?.count)
    #expect(tallies.tally(of: AnyFaultMetrics.self)?.judged.count == clip.groundTruth.faults.count)
  }
}
