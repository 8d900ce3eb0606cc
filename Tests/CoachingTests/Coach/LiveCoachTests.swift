import Coaching
import PoseModel
import Testing

@Suite struct LiveCoachTests {
  typealias LiveSquat = LiveCoach<SquatAnalysis>

  let caving = FrontFigure.squat(to: 0, separation: 0.3)

  @Test func aCorrectionIsSaidAndFeltOnceARep() throws {
    let found = try CoachedEvents(LiveSquat.self, caving)
    #expect(found.cues.map(\.fault) == ["knee_valgus"])
    #expect(found.haptics == [.formCorrection, .repCompleted])
    #expect(found.faults == ["knee_valgus"])
    #expect(found.reps.count == 1)
  }

  @Test func aRepClearsTheCorrections() throws {
    let twice = caving + FrontFigure.squat(to: 0, separation: 0.3, from: caving.count)
    let found = try CoachedEvents(LiveSquat.self, twice)
    #expect(found.cues.map(\.fault) == ["knee_valgus", "knee_valgus"])
    var detector = LiveDetector(try LiveSquat(replacing: [:]))
    var wasActive = false
    for frame in caving {
      _ = detector.update(frame)
      if detector.base.activeCorrections == [.kneeValgus] { wasActive = true }
    }
    #expect(wasActive)
    #expect(detector.base.activeCorrections.isEmpty)
    #expect(detector.base.repCount == 1)
  }

  /// The cue comes while the fault lasts, not after the squat.
  @Test func aCorrectionComesBeforeTheRepEnds() throws {
    let found = try CoachedEvents(LiveSquat.self, caving)
    let cue = try #require(found.all.first { if case .cue = $0.kind { true } else { false } })
    #expect(cue.reported < (try #require(found.reps.first)).end)
  }

  /// One bad frame is corrected by default, as in the guide, and not by the preset.
  @Test func oneBadFrameIsCorrectedUnlessHeldBack() throws {
    var frames = FrontFigure.squat(to: 0)
    frames[40] = FrontFigure(height: 0.1, separation: 0.2).frame(at: frames[40].time)
    #expect(try CoachedEvents(LiveSquat.self, frames).cues.count == 1)
    let steady = try #require(LiveSquat.presets.first { $0.name == "steady" })
    #expect(try CoachedEvents(LiveSquat.self, frames, replacing: steady.values).cues.isEmpty)
    #expect(try CoachedEvents(LiveSquat.self, caving, replacing: steady.values).cues.count == 1)
  }

  /// A fault that is out of sight in between has not lasted: 0.13 s and 0.13 s are not a quarter of a second.
  @Test func aFaultDoesNotLastWhileNobodyIsSeen() throws {
    let steady = try #require(LiveSquat.presets.first { $0.name == "steady" })
    var frames = FrontFigure.squat(to: 0)
    for index in 36..<52 {
      let figure = FrontFigure(
        height: 0.1, separation: 0.2, missing: 41..<47 ~= index ? Joint.allCases : [])
      frames[index] = figure.frame(at: frames[index].time)
    }
    #expect(try CoachedEvents(LiveSquat.self, frames, replacing: steady.values).cues.isEmpty)
    for index in 41..<47 { frames[index] = FrontFigure(height: 0.1, separation: 0.2).frame(at: frames[index].time) }
    #expect(try CoachedEvents(LiveSquat.self, frames, replacing: steady.values).cues.count == 1)
  }

  /// Perfect frames score 100 and so does the rep; outside a squat there is no score.
  @Test func theLiveScoreIsThatOfTheFrame() throws {
    var detector = LiveDetector(try LiveSquat(replacing: [:]))
    var scores: [Double?] = []
    for frame in FrontFigure.squat(to: 0) {
      _ = detector.update(frame)
      scores.append(detector.base.currentFormScore)
    }
    #expect(scores.first == .some(nil) && scores.last == .some(nil))
    #expect(scores[45] == 100)
    #expect(try CoachedEvents(LiveSquat.self, FrontFigure.squat(to: 0)).grades() == [100])
    #expect(try #require(try CoachedEvents(LiveSquat.self, caving).grades().first) < 100)
  }

  @Test func deadliftAndBenchPressAreTrackedToo() throws {
    let bent = LifterFigure(shank: 12, thigh: 53, trunk: 55, head: 120)
    let lifts = LifterFigure.frames([bent, LifterFigure(head: 65), bent], steps: 30)
    let deadlift = try CoachedEvents(LiveCoach<DeadliftAnalysis>.self, lifts)
    #expect(deadlift.cues.map(\.fault).contains("rounded_back"))
    #expect(deadlift.reps.count == 1)
    let press = try CoachedEvents(LiveCoach<BenchPressAnalysis>.self, PressFigure.press(to: 80, difference: 40))
    #expect(press.cues.map(\.fault) == ["uneven"])
    #expect(press.haptics.last == .repCompleted)
  }

  /// What only a whole repetition shows is nothing that a live coach claims to find.
  @Test func aLiveCoachDoesNotClaimToSeeDepth() {
    #expect(LiveSquat.profile.tasks.faults == ["knee_valgus", "knee_forward", "forward_lean"])
    #expect(CoachSquat.profile.tasks.faults.contains("shallow"))
  }
}
