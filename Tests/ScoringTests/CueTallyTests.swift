import PoseModel
import Scoring
import Testing

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
