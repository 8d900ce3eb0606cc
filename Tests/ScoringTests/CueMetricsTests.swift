import PoseModel
import Scoring
import Testing

struct CueMetricsTests {
  private let metrics = CueMetrics(faults: ["hips_high", "lean"], cooldown: .milliseconds(4000))

  private func clip(_ truth: Truth, _ cues: [Prediction.Cue]) -> ScoredClip {
    ScoredClip(
      name: "clip", subject: "subject", frames: [.zero, .milliseconds(30_000)], truth: truth,
      prediction: Prediction(cues: cues))
  }

  /// Half a minute with a word of praise and two corrections of a lean that two of three raters saw in the second rep.
  @Test func cuesAreHeldAgainstWhatMostRatersSaw() throws {
    let words = [("A", true), ("B", true), ("C", false)]
    let truth = Truth(
      reps: [Rep(1000, 3000), Rep(5000, 8000)],
      faults: words.flatMap { rater, isPresent in
        [
          Truth.Fault(rep: 0, rater: rater, name: "lean", present: false),
          Truth.Fault(rep: 1, rater: rater, name: "lean", present: isPresent),
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
    let truth = Truth(segments: [Segment(0, 10_000, "correct"), Segment(10_000, 30_000, "hips_high")])
    let cues = [2000, 13_000].map { Prediction.Cue(time: .milliseconds($0), fault: "hips_high") }
    let values = FamilyValues(metrics, [clip(truth, cues)])
    #expect(isClose(try values["cues.delay"], 3000))
    #expect(isClose(try values["cues.contradictions"], 0.5))
  }

  @Test func nothingIsSaidOfAClipWithoutTime() throws {
    let values = FamilyValues(
      metrics, [ScoredClip(Truth(), Prediction(cues: [.init(time: .zero, fault: "lean")]))])
    #expect(try values["cues.per-minute"] == nil)
    #expect(try values["cues.repeats"] == nil)
  }
}
