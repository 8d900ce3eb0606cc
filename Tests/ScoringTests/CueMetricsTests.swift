import PoseModel
import Scoring
import Testing

struct CueMetricsTests {
  private let metrics = CueMetrics(faults: ["hips_high", "lean"], cooldown: .milliseconds(4000))

  private func clip(_ truth: GroundTruth, _ cues: [Prediction.Cue]) -> LabelledPrediction {
    LabelledPrediction(
      name: "clip", subject: "subject", frames: [.zero, .milliseconds(30_000)], groundTruth: truth,
      prediction: Prediction(cues: cues))
  }

  /// Half a minute with a word of praise and two corrections of a lean that two of three raters saw in the second rep.
  @Test func cuesAreHeldAgainstWhatMostRatersSaw() throws {
    let words = [("A", true), ("B", true), ("C", false)]
    let truth = GroundTruth(
      reps: [Rep(1000, 3000), Rep(5000, 8000)],
      faults: words.flatMap { rater, isPresent in
        [
          GroundTruth.Fault(rep: 0, rater: rater, name: "lean", present: false),
          GroundTruth.Fault(rep: 1, rater: rater, name: "lean", present: isPresent),
        ]
      })
    let values = FamilyValues(
      metrics,
      [
        clip(
          truth,
          [
            .init(time: .milliseconds(2000), fault: nil), .init(time: .milliseconds(2500), fault: "lean"),
            .init(time: .milliseconds(6200), fault: "lean"),
          ])
      ])
    #expect(isClose(try values["cues.per-minute"], 6))
    #expect(isClose(try values["cues.delay"], 1200))
    #expect(isClose(try values["cues.missed"], 0))
    #expect(isClose(try values["cues.contradictions"], 0.5))
    // 3.7 s after the first.
    #expect(isClose(try values["cues.repeats"], 0.5))
  }

  /// A held plank: first right, then with the hips up.
  @Test func aStretchWithAFaultsNameIsJudgedForAllFaults() throws {
    let truth = GroundTruth(intervals: [Segment(0, 10_000, "correct"), Segment(10_000, 30_000, "hips_high")])
    let cues = [2000, 13_000].map { Prediction.Cue(time: .milliseconds($0), fault: "hips_high") }
    let values = FamilyValues(metrics, [clip(truth, cues)])
    #expect(isClose(try values["cues.delay"], 3000))
    #expect(isClose(try values["cues.contradictions"], 0.5))
  }

  @Test func nothingIsSaidOfAClipWithoutTime() throws {
    let values = FamilyValues(
      metrics, [LabelledPrediction(GroundTruth(), Prediction(cues: [.init(time: .zero, fault: "lean")]))])
    #expect(try values["cues.per-minute"] == nil)
    #expect(try values["cues.repeats"] == nil)
  }
}

extension CueMetrics: CheckedFamily {
  static func isUndefined(_ metric: String, in cases: UndefinedCases) -> Bool? {
    switch metric {
    case "cues.per-minute": cases.shown.isEmpty
    case "cues.repeats": !cases.shown.contains { $0.prediction.cues.contains { $0.fault != nil } }
    case "cues.delay": !cases.aboutJudged.contains(true)
    case "cues.missed": !cases.shown.contains { UndefinedCases.judgements(of: $0).contains(where: \.isPresent) }
    case "cues.contradictions": cases.aboutJudged.isEmpty
    default: nil
    }
  }
}

extension CueMetrics: CheckedFunctions {
  static let measures: [Measure] = zip(
    Metric.cues, [\CueTally.perMinute, \.repeatShare, \.delay, \.missedShare, \.contradictionShare]
  ).map { metric, value in
    let value = value as KeyPath<CueTally, Double?> & Sendable
    // That a coach talks less is better, but not best where it says nothing.
    return Measure(metric, hasBest: metric.name != "cues.per-minute") { clips in
      clips.map {
        CueTally(
          cues: $0.cues, judgements: $0.judgements, duration: .milliseconds(10_000), cooldown: .milliseconds(2000))
      }.reduce(CueTally(), +)[keyPath: value]
    }
  }
}

struct CueTallyTests {
  private func cue(_ fault: String, _ time: Int) -> Prediction.Cue { .init(time: .milliseconds(time), fault: fault) }

  private func judged(_ fault: String, _ start: Int, _ isPresent: Bool) -> CueTally.Judgement {
    .init(fault: fault, start: .milliseconds(start), isPresent: isPresent)
  }

  private func tally(_ cues: [Prediction.Cue], _ judgements: [CueTally.Judgement] = []) -> CueTally {
    CueTally(cues: cues, judgements: judgements, duration: .milliseconds(30_000), cooldown: .milliseconds(5000))
  }

  @Test func cuesAMinute() {
    #expect(tally([cue("depth", 1000), cue("knees", 2000), cue("depth", 9000)]).perMinute == 6)
    #expect((tally([cue("depth", 1000)]) + tally([])).perMinute == 1)
  }

  /// 1 s and 5.9 s are too near, 5.9 s and 10.9 s just far enough; another fault may follow at once.
  @Test func sameAgainWithinTheCooldownIsARepeat() {
    let cues = [cue("depth", 10_900), cue("depth", 1000), cue("depth", 5900), cue("knees", 6000)]
    #expect(tally(cues).repeatShare == 1 / 4.0)
  }

  /// The rep at 2 s gets its first cue after 1.5 s, that at 8 s after 0.5 s, that at 12 s none.
  @Test func delayIsToTheFirstCueOfAFaultyRep() {
    let cued = tally(
      [cue("depth", 4000), cue("depth", 3500), cue("depth", 8500), cue("knees", 12_500)],
      [judged("depth", 2000, true), judged("depth", 8000, true), judged("depth", 12_000, true)])
    #expect(cued.delay == 1000)
    #expect(cued.missedShare == 1 / 3.0)
    #expect(cued.contradictionShare == 0)
  }

  /// At 1 s nobody has judged; at 3 s people say no; at 6 s they say yes; of knees nobody says anything.
  @Test func cueAboutWhatIsNotThereContradicts() {
    let cued = tally(
      [cue("depth", 1000), cue("depth", 3000), cue("depth", 6000), cue("knees", 6000)],
      [judged("depth", 2000, false), judged("depth", 6000, true)])
    #expect(cued.contradictionShare == 1 / 2.0)
    #expect(cued.delay == 0)
    #expect(cued.missedShare == 0)
  }

  @Test func undefinedIsNoNumber() {
    #expect(CueTally().perMinute == nil)
    let silent = tally([])
    #expect(silent.perMinute == 0)
    #expect(silent.repeatShare == nil)
    #expect(silent.delay == nil)
    #expect(silent.missedShare == nil)
    #expect(silent.contradictionShare == nil)
    #expect(tally([], [judged("depth", 0, true)]).missedShare == 1)
  }
}
