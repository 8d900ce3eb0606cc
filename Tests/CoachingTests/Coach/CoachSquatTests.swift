import Coaching
import PoseModel
import Testing

@Suite struct CoachSquatTests {
  // What standing is follows the hips a little into a squat, which is worth a point or two of 100.

  /// Seen from the side at 30 frames a second: 1.5 s down to a knee angle of `knee`, and up again.
  func squat(to knee: Double, lean: Double = 20, travel: Double = 0, from start: Int = 0) -> [PoseFrame] {
    (0...110).map { index in
      let share = index <= 45 ? Double(index) / 45 : max(2 - Double(index) / 45, 0)
      return StickFigure(knee: 180 + (knee - 180) * share, lean: lean, travel: travel)
        .frame(at: Double(start + index) / 30)
    }
  }

  /// With upright shanks the hip's height over the knee is −cos of the knee angle: 0.5 at 120°, a fifth of the way from
  /// 0.6 to 0.1.
  @Test func depthIsTheHipsHeight() throws {
    #expect(abs(try CoachedEvents(CoachSquat.self, squat(to: 90)).grades("depth")[0] - 100) < 0.01)
    let shallow = try CoachedEvents(CoachSquat.self, squat(to: 120))
    #expect(abs(shallow.grades("depth")[0] - 20) < 2)
    #expect(shallow.faults.contains("shallow"))
    #expect(shallow.reps.count == 1)
  }

  /// −cos 134° is 0.69, which is a squat; −cos 136° is 0.72, which is none.
  @Test func whatIsNoSquatIsNotGraded() throws {
    #expect(try CoachedEvents(CoachSquat.self, squat(to: 133)).reps.count == 1)
    #expect(try CoachedEvents(CoachSquat.self, squat(to: 137)).reps.isEmpty)
  }

  /// 60° is half-way from 45° to 75°.
  @Test func theBackLosesByItsLean() throws {
    let leaning = try CoachedEvents(CoachSquat.self, squat(to: 90, lean: 60))
    #expect(abs(leaning.grades("back alignment")[0] - 50) < 0.1)
    #expect(leaning.faults.contains("forward_lean"))
  }

  /// The trunk tips from 20° to 46° on the way up: 26° is half-way from 12° to 40°.
  @Test func theBackLosesByTippingOnTheWayUp() throws {
    let tipping = squat(to: 90).enumerated().map { index, frame in
      let share = index <= 45 ? Double(index) / 45 : max(2 - Double(index) / 45, 0)
      let rise = index <= 45 ? 0 : min(Double(index - 45) * 2, 26)
      return StickFigure(knee: 180 - 90 * share, lean: 20 + rise).frame(at: frame.time.seconds)
    }
    let found = try CoachedEvents(CoachSquat.self, tipping)
    #expect(abs(found.grades("back alignment")[0] - 50) < 0.5)
    #expect(found.faults.contains("forward_lean"))
  }

  /// A travel of 0.139 with shanks of 0.2 is 0.695, half-way from 0.62 to 0.77. Shanks that lean by 44° bring the thighs level
  /// at a knee angle of 46°.
  @Test func theKneesLoseByTravelFromTheSide() throws {
    let found = try CoachedEvents(CoachSquat.self, squat(to: 45, travel: 0.139))
    #expect(abs(found.grades("knee tracking")[0] - 50) < 0.1)
    #expect(found.faults.contains("knee_forward") && !found.faults.contains("knee_valgus"))
  }

  /// From the front, knees that come in to two thirds of the ankles' distance where the squat turns: 5/12 of the way from 0.5
  /// to 0.9.
  @Test func theKneesLoseByCavingInFromTheFront() throws {
    let found = try CoachedEvents(CoachSquat.self, FrontFigure.squat(to: 0, separation: 2 / 3))
    #expect(abs(found.grades("knee tracking")[0] - 100 * 5 / 12) < 1)
    #expect(found.faults.contains("knee_valgus") && !found.faults.contains("knee_forward"))
    let straight = try CoachedEvents(CoachSquat.self, FrontFigure.squat(to: 0))
    #expect(straight.grades("knee tracking") == [100])
    #expect(straight.faults.isEmpty)
    #expect(straight.grades("form") == [100])
  }

  /// Standing is left at 143°, 53° before the turn: 0.88 s at 60 degrees a second, 0.44 s at 120. At 240 it is no squat.
  @Test func tempoIsTheDescent() throws {
    func tempo(every step: Int) throws -> [Double] {
      let fast = stride(from: 0, through: 110, by: step).enumerated().map { index, at in
        var frame = squat(to: 90)[at]
        frame.time = Microseconds(frame: index, rate: 30)
        return frame
      }
      return try CoachedEvents(CoachSquat.self, fast).grades("tempo")
    }
    #expect(try tempo(every: 1) == [100])
    #expect(try tempo(every: 4).isEmpty)
    // 0.44 s is 0.8 of the way from 0.2 to 0.5; the frames tell it to a thirtieth of a second.
    #expect(abs(try tempo(every: 2)[0] - 80) < 12)
  }

  /// A second squat of twice the time: a change by 1 is where consistency is worth nothing.
  @Test func tempoIsConsistency() throws {
    var frames = squat(to: 90)
    let end = frames.count
    for (index, frame) in squat(to: 90).enumerated() {
      var slow = frame
      slow.time = Microseconds(frame: end + 2 * index, rate: 30)
      frames.append(slow)
    }
    let tempo = try CoachedEvents(CoachSquat.self, frames).grades("tempo")
    #expect(tempo.count == 2)
    #expect(tempo[0] == 100)
    #expect(tempo[1] < 15)
  }

  /// The stick figure's hips move back by a thigh while its trunk keeps its lean: (0.678 + 0.2 · 0.567) · 0.2 at 90°, less
  /// where the excursion begins, over a trunk of 0.25; on the way from 0.25 to 0.7.
  @Test func balanceIsTheMassOverTheFeet() throws {
    let found = try CoachedEvents(CoachSquat.self, squat(to: 90))
    // The first frame below 0.8 is at 142°: the hips are 0.2 · sin 38° behind the knees.
    let sway = (0.678 + 0.2 * 0.567) * 0.2 * (1 - 0.6157) / 0.25
    #expect(abs(found.grades("balance")[0] - min((0.7 - sway) / 0.45, 1) * 100) < 3)
  }

  @Test func theWeightsAreTheGuides() throws {
    let evaluation = try #require(try evaluated(squat(to: 80, lean: 55, travel: 0.1)))
    #expect(evaluation.parts.map(\.weight) == [0.25, 0.30, 0.20, 0.15, 0.10])
    let sum = evaluation.parts.reduce(0) { $0 + $1.weight * ($1.score ?? .nan) }
    #expect(abs(try #require(evaluation.overallScore) - sum) < 1e-9)
  }

  func evaluated(_ frames: [PoseFrame], replacing: [String: Double] = [:]) throws -> FormEvaluation? {
    var detector = LiveDetector(try CoachSquat(replacing: replacing))
    for frame in frames { _ = detector.update(frame) }
    return detector.base.evaluation
  }

  /// Without shoulders neither back nor balance is known: 0.25, 0.20 and 0.15 remain. At 40 degrees a second standing is
  /// left in frame 28 and the turn is in frame 45: 17 / 30 s for 0.3 of the 0.8 down to level thighs, which is slow enough.
  @Test func anUnknownPartDoesNotCount() throws {
    let frames = squat(to: 120).map { frame in
      var frame = frame
      for joint in [Joint.leftShoulder, .rightShoulder, .neck] { frame.set(joint, x: .nan, y: .nan, confidence: 0) }
      return frame
    }
    let evaluation = try #require(try evaluated(frames))
    #expect(evaluation.parts[1].score == nil && evaluation.parts[4].score == nil)
    let known = (0.25 * 100 + 0.20 * 20 + 0.15 * 100) / 0.6
    #expect(abs(try #require(evaluation.overallScore) - known) < 2)
  }

  /// The deepest loss is the most critical: the back weighs more than the depth.
  @Test func issuesAreInOrderOfWhatTheyCost() throws {
    let evaluation = try #require(try evaluated(squat(to: 120, lean: 75)))
    #expect(evaluation.issues.first == .forwardLean)
    #expect(evaluation.issues.contains(.shallow))
    let light = try #require(try evaluated(squat(to: 120, lean: 75), replacing: ["backWeight": 0.05]))
    #expect(light.issues.first == .shallow)
  }

  @Test func oneCorrectionIsSaidAfterARep() throws {
    let found = try CoachedEvents(CoachSquat.self, FrontFigure.squat(to: 0, separation: 0.5))
    #expect(found.cues.count == 1)
    #expect(found.cues[0].fault == "knee_valgus")
    let advanced = try CoachedEvents(
      CoachSquat.self, FrontFigure.squat(to: 0, separation: 0.5), replacing: ["advanced": 1])
    #expect(advanced.cues[0].text != found.cues[0].text)
  }

  /// A camera that looks down sees a standing hip at 0.85 shank heights: it learns what standing is.
  @Test func standingIsWhateverThisPersonStandsLike() throws {
    let frames = (0...330).map { index in
      let phase = index < 200 ? 0.0 : max(1 - abs(Double(index - 250)) / 45, 0)
      return FrontFigure(height: 0.85 * (1 - phase)).frame(at: Microseconds(frame: index, rate: 30))
    }
    let found = try CoachedEvents(CoachSquat.self, frames)
    #expect(found.reps.count == 1)
  }

  @Test func thresholdsOutOfOrderAreRefused() {
    #expect(throws: ParameterError.self) { try CoachSquat(replacing: ["attempt": 0.9]) }
    #expect(throws: ParameterError.self) { try CoachSquat(replacing: ["depthGood": 0.6]) }
    let weightless = Dictionary(
      uniqueKeysWithValues: SquatAnalysis.weights.map { ($0.weight.name, 0.0) })
    #expect(throws: ParameterError.self) { try CoachSquat(replacing: weightless) }
  }
}
