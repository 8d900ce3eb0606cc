import Coaching
import Foundation
import PoseModel
import Testing

@Suite struct LiveTrainerTests {
  /// Knee angles at 30 frames a second; each squat goes down and up in two seconds.
  private func squats(_ depths: [Double], confidence: Float = 0.9) -> [PoseFrame] {
    let standing = [Double](repeating: 175, count: 30)
    let angles = depths.flatMap { depth -> [Double] in
      let squat = (0..<60).map { index -> Double in
        let down = (1 - cos(Double(index) / 60 * 2 * .pi)) / 2
        return 175 - (175 - depth) * down
      }
      return standing + squat
    }
    return (angles + standing).enumerated().map { index, angle in
      StickFigure(knee: angle, confidence: confidence).frame(at: Double(index) / 30)
    }
  }

  private func events<Base: Detector>(
    _ type: Base.Type, _ frames: [PoseFrame], preset: String? = nil
  ) throws -> [Event] {
    let values = preset.flatMap { name in Base.presets.first { $0.name == name }?.values } ?? [:]
    var detector = LiveDetector(try Base(replacing: values))
    return frames.flatMap { detector.update($0) }
  }

  private func grades(_ events: [Event]) -> [Double] {
    events.compactMap { if case .grade(_, let value, _) = $0.kind { value } else { nil } }
  }

  private func faults(_ events: [Event]) -> [String] {
    events.compactMap { if case .fault(let name, _) = $0.kind { name } else { nil } }
  }

  private func cues(_ events: [Event]) -> [String] {
    events.compactMap { if case .cue(let cue) = $0.kind { cue.text } else { nil } }
  }

  private func haptics(_ events: [Event], _ pattern: HapticPattern) -> Int {
    events.count { $0.kind == .haptic(pattern) }
  }

  /// What the document says: whoever stands is not deep enough. The preset asks at the bottom only.
  @Test func aPersonWhoStandsIsToldToGetDeeperByTheDocumentOnly() throws {
    let standing = (0..<60).map { StickFigure(knee: 175).frame(at: Double($0) / 30) }
    #expect(cues(try events(LiveTrainer<LiveSquat>.self, standing)).first == "Get deeper!")
    #expect(cues(try events(LiveTrainer<LiveSquat>.self, standing, preset: "corrected")).isEmpty)
  }

  /// With a shank upright, the hip is 0.2 cos(180° - knee) over the knee, and the trunk 0.25 long: at 100° it is 0.14
  /// trunk lengths over it, at 110° 0.27.
  @Test func depthIsTheHipsHeightOverTheKnees() throws {
    let said = try events(LiveTrainer<LiveSquat>.self, squats([100, 110, 80]), preset: "corrected")
    #expect(faults(said) == ["shallow"])
    #expect(grades(said) == [100, 50, 100])
    #expect(cues(said).contains("Get deeper!"))
    #expect(haptics(said, .goodForm) == 2)
    #expect(haptics(said, .formCorrection) == 1)
    let asWritten = try events(LiveTrainer<LiveSquat>.self, squats([80]))
    #expect(faults(asWritten) == ["shallow"])
  }

  @Test func tenRepsMakeASetAndThirtyTheWorkout() throws {
    let said = try events(
      LiveTrainer<LiveSquat>.self, squats([Double](repeating: 80, count: 30)), preset: "corrected")
    #expect(haptics(said, .repCompleted) == 30)
    #expect(haptics(said, .setCompleted) == 2)
    #expect(haptics(said, .workoutCompleted) == 1)
    #expect(cues(said).filter { $0 == "Set complete!" }.count == 2)
    #expect(cues(said).filter { $0 == "Workout complete!" }.count == 1)
  }

  /// A squat that turns above the threshold of a rep is not one.
  @Test func aDipIsNoRep() throws {
    let said = try events(LiveTrainer<LiveSquat>.self, squats([130, 80]), preset: "corrected")
    #expect(haptics(said, .repCompleted) == 1)
  }

  /// Two frames that the estimator got wrong are over in a tenth of a second.
  @Test func aFlickerIsNoRep() throws {
    var angles = [Double](repeating: 175, count: 60)
    for index in 20..<22 { angles[index] = 80 }
    let frames = angles.enumerated().map { StickFigure(knee: $1).frame(at: Double($0) / 30) }
    #expect(haptics(try events(LiveTrainer<LiveSquat>.self, frames, preset: "corrected"), .repCompleted) == 0)
    let values = ["judgesAtTurn": 1.0, "minimumRepTime": 0]
    var hasty = LiveDetector(try LiveTrainer<LiveSquat>(replacing: values))
    #expect(haptics(frames.flatMap { hasty.update($0) }, .repCompleted) == 1)
  }

  @Test func whoIsNotSeenWellIsNotJudged() throws {
    var trainer = LiveDetector(try LiveTrainer<LiveSquat>(replacing: [:]))
    let said = squats([80], confidence: 0.5).flatMap { trainer.update($0) }
    #expect(said.map(\.kind) == [.phase("unseen")])
    #expect(!trainer.base.analysis.isCorrect)
    #expect(trainer.base.analysis.confidence == 0.5)
    #expect(!trainer.base.analysis.feedback.isEmpty)
    #expect(trainer.base.session.accuracy == nil)
  }

  /// A body along the picture's x axis: shoulders, hips and ankles at these heights over the floor, in image heights.
  private func level(shoulder: Float, hip: Float, ankle: Float, elbow: Double? = nil, at index: Int) -> PoseFrame {
    var frame = PoseFrame(time: Microseconds(Int64(index) * 33_333))
    for side in Side.allCases {
      frame.set(side.shoulder, x: 0.3, y: 0.9 - shoulder, confidence: 0.9)
      frame.set(side.hip, x: 0.55, y: 0.9 - hip, confidence: 0.9)
      frame.set(side.knee, x: 0.7, y: 0.9 - (hip + ankle) / 2, confidence: 0.9)
      frame.set(side.ankle, x: 0.9, y: 0.9 - ankle, confidence: 0.9)
    }
    frame.setMidpoints()
    if let elbow { frame.bendArms(to: elbow) }
    return frame
  }

  private func lastPhase(_ frame: PoseFrame, preset: String? = nil) throws -> String? {
    try events(LiveTrainer<LivePlank>.self, [frame], preset: preset).compactMap {
      if case .phase(let phase) = $0.kind { phase } else { nil }
    }.last
  }

  /// On the forearms the shoulders are level with the hips; on straight arms they are 0.12 higher over a trunk of 0.26,
  /// which the document takes for sagging hips.
  @Test func aPlankOnStraightArmsIsRightForThePresetOnly() throws {
    let forearms = level(shoulder: 0.15, hip: 0.13, ankle: 0.08, at: 0)
    #expect(try lastPhase(forearms) == "correct")
    #expect(try lastPhase(forearms, preset: "corrected") == "correct")
    // The line from 0.30 to 0.08 is at 0.21 where the hips are, 25 of 60 hundredths of the way.
    let arms = level(shoulder: 0.30, hip: 0.20, ankle: 0.08, at: 0)
    #expect(try lastPhase(arms) == "hips_sag")
    #expect(try lastPhase(arms, preset: "corrected") == "correct")
    #expect(try lastPhase(level(shoulder: 0.30, hip: 0.30, ankle: 0.08, at: 0), preset: "corrected") == "hips_high")
    #expect(try lastPhase(level(shoulder: 0.30, hip: 0.12, ankle: 0.08, at: 0), preset: "corrected") == "hips_sag")
  }

  /// Twenty seconds, of which the first fifteen are right: 100 % and 50 %.
  @Test func aHoldIsGradedInStretches() throws {
    let frames = (0..<610).map { index in
      level(shoulder: 0.15, hip: index < 450 ? 0.13 : 0.30, ankle: 0.08, at: index)
    }
    let said = try events(LiveTrainer<LivePlank>.self, frames)
    let values = grades(said)
    #expect(values.count == 2)
    #expect(values.first == 100)
    #expect(abs((values.last ?? 0) - 50) < 1)
    #expect(faults(said) == ["hips_high"])
  }

  /// Elbows to 80°, then to 100°, which is not low enough; then to 80° with the hips down.
  @Test func pushUpsAreJudgedByElbowsAndHips() throws {
    func rep(_ depth: Double, hip: Float, from start: Int) -> [PoseFrame] {
      (0..<90).map { index in
        let bend = (170 - depth) * (1 - cos(Double(index) / 90 * 2 * .pi)) / 2
        return level(shoulder: 0.30, hip: hip, ankle: 0.08, elbow: 170 - bend, at: start + index)
      }
    }
    let frames =
      rep(80, hip: 0.20, from: 0) + rep(100, hip: 0.20, from: 90) + rep(80, hip: 0.10, from: 180)
      + rep(170, hip: 0.20, from: 270)
    let said = try events(LiveTrainer<LivePushUp>.self, frames)
    #expect(faults(said) == ["shallow", "hips_sag"])
    #expect(haptics(said, .repCompleted) == 3)
    #expect(grades(said) == [100, 50, 0])
  }

  /// The front thigh level, its shank leaning by an angle; the back leg's knee near the floor.
  private func lunge(shank: Double, lean: Double = 0) -> PoseFrame {
    var frame = PoseFrame(time: .zero)
    let angle = shank * .pi / 180
    let ankle = (x: 0.6, y: 0.9)
    let knee = (x: ankle.x + 0.2 * sin(angle), y: ankle.y - 0.2 * cos(angle))
    let hip = (x: knee.x - 0.2, y: knee.y)
    func set(_ joint: Joint, _ point: (x: Double, y: Double)) {
      frame.set(joint, x: Float(point.x), y: Float(point.y), confidence: 0.9)
    }
    set(.leftAnkle, ankle)
    set(.leftKnee, knee)
    set(.rightKnee, (hip.x - 0.05, 0.88))
    set(.rightAnkle, (hip.x - 0.24, 0.86))
    for side in Side.allCases {
      set(side.hip, hip)
      set(side.shoulder, (hip.x + 0.25 * sin(lean * .pi / 180), hip.y - 0.25 * cos(lean * .pi / 180)))
    }
    frame.setMidpoints()
    return frame
  }

  @Test func aLungesFrontShankAndTrunkStayUpright() throws {
    func phase(_ frame: PoseFrame) throws -> String? {
      try events(LiveTrainer<LiveLunge>.self, [frame]).compactMap {
        if case .phase(let phase) = $0.kind { phase } else { nil }
      }.last
    }
    #expect(try phase(lunge(shank: 10)) == "correct")
    #expect(try phase(lunge(shank: 27)) == "correct")
    #expect(try phase(lunge(shank: 29)) == "knee_forward")
    #expect(try phase(lunge(shank: 10, lean: 25)) == "forward_lean")
  }
}
