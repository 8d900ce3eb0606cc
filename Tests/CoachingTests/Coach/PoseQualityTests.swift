import Coaching
import PoseModel
import Testing

@Suite struct PoseQualityTests {
  let squat = JointSet((RequiredJoints.regions(for: "squat") ?? []).flatMap(\.joints))

  func assess(
    _ figure: FrontFigure, _ rule: PoseQualityAssessment.Rule
  ) -> PoseQualityAssessment {
    figure.frame().withPoses { PoseQualityAssessment($0, frame: 0, required: squat, rule: rule) }
  }

  @Test func theSquatNeedsEightJoints() {
    #expect(
      squat.joints == [
        .leftShoulder, .rightShoulder, .leftHip, .rightHip, .leftKnee, .rightKnee, .leftAnkle, .rightAnkle,
      ])
    #expect(RequiredJoints.regions(for: "yoga") == nil)
  }

  /// All 14 joints over the 8 required.
  @Test func theGuidesCompletenessExceedsOne() {
    #expect(assess(FrontFigure(), .anyJoint).completeness == 14.0 / 8)
    #expect(assess(FrontFigure(), .required).completeness == 1)
  }

  /// Without knees, head and arms make up for them by the guide's rule, which then says that nothing is missing.
  @Test func theGuideDoesNotMissKnees() {
    let kneeless = FrontFigure(missing: [.leftKnee, .rightKnee])
    let guide = assess(kneeless, .anyJoint)
    #expect(guide.completeness == 12.0 / 8)
    #expect(guide.isAcceptable && guide.overallQuality == 1 && guide.missing.isEmpty)
    let right = assess(kneeless, .required)
    #expect(right.completeness == 6.0 / 8)
    #expect(!right.isAcceptable && right.overallQuality == 0)
    #expect(right.missing.joints == [.leftKnee, .rightKnee])
  }

  /// Seven of eight is enough, and the eighth is still named.
  @Test func theRequiredRuleNamesWhatIsMissingFromAnAcceptablePose() {
    let assessment = assess(FrontFigure(missing: [.rightAnkle]), .required)
    #expect(assessment.isAcceptable)
    #expect(assessment.missing.joints == [.rightAnkle])
  }

  @Test func aJointIsDetectedAboveHalf() {
    #expect(assess(FrontFigure(confidence: 0.5), .required).completeness == 0)
    #expect(assess(FrontFigure(confidence: 0.51), .required).completeness == 1)
  }

  /// The guide finds too little only where most of the person is gone.
  @Test func tooFewJointsAreNamedByTheGuideToo() {
    let legless = FrontFigure(missing: [
      .leftHip, .rightHip, .leftKnee, .rightKnee, .leftAnkle, .rightAnkle, .leftWrist, .rightWrist,
    ])
    let assessment = assess(legless, .anyJoint)
    #expect(assessment.completeness == 6.0 / 8)
    #expect(
      assessment.missing.joints == [.leftHip, .rightHip, .leftKnee, .rightKnee, .leftAnkle, .rightAnkle])
  }

  func frames(_ figures: [FrontFigure]) -> [PoseFrame] {
    figures.enumerated().map { $1.frame(at: Microseconds(frame: $0, rate: 30)) }
  }

  func corrected() throws -> [String: Double] {
    try #require(PoseQuality.presets.first { $0.name == "corrected" }).values
  }

  @Test func changesAreReportedAndWhatIsMissingIsSaid() throws {
    let figures =
      Array(repeating: FrontFigure(), count: 10)
      + Array(repeating: FrontFigure(missing: [.leftKnee, .rightKnee]), count: 10)
      + Array(repeating: FrontFigure(), count: 10)
    let guide = try CoachedEvents(PoseQuality.self, frames(figures))
    #expect(guide.phases == ["acceptable"] && guide.cues.isEmpty)
    let right = try CoachedEvents(PoseQuality.self, frames(figures), replacing: corrected())
    #expect(right.phases == ["acceptable", "unacceptable", "acceptable"])
    #expect(right.cues.count == 1)
    #expect(right.cues.first?.text.contains("knees") == true)
  }

  /// 10 s without anyone: a cue at 0, 4 and 8 s.
  @Test func cuesKeepTheirDistance() throws {
    let nobody = (0...300).map { PoseFrame(time: Microseconds(frame: $0, rate: 30)) }
    let found = try CoachedEvents(PoseQuality.self, nobody)
    #expect(found.phases == ["unacceptable"])
    #expect(found.cues.count == 3)
    #expect(Set(found.cues.map(\.text)) == ["I can't see you. Step into the picture."])
  }

  /// Every joint jumps ±d from frame to frame: second differences of 4d, noise 4d / √12 of the trunk, here 0.25 high.
  @Test func stabilityIsWhatTheNoiseLeaves() throws {
    func stability(_ d: Float) throws -> Double {
      var detector = LiveDetector(try PoseQuality(replacing: [:]))
      for index in 0..<30 {
        var frame = FrontFigure().frame(at: Microseconds(frame: index, rate: 30))
        for joint in Joint.allCases where frame[joint, .confidence] > 0 {
          frame.set(joint, x: frame[joint, .x] + (index % 2 == 0 ? d : -d), y: frame[joint, .y])
        }
        _ = detector.update(frame)
      }
      return try #require(detector.base.assessment).stability
    }
    #expect(try stability(0) > 0.999)
    let noise = 4 * 0.01 / 12.0.squareRoot() / 0.25
    #expect(abs(try stability(0.01) - (1 - noise / 0.1)) < 1e-3)
    #expect(try stability(0.05) == 0)
  }

  @Test func everyExercisesPresetCanBeMade() throws {
    for preset in PoseQuality.presets { _ = try PoseQuality(replacing: preset.values) }
    #expect(PoseQuality.presets.contains { $0.name == "bench-press" })
    let nothing = Dictionary(uniqueKeysWithValues: BodyRegion.allCases.map { ($0.rawValue, 0.0) })
    #expect(throws: ParameterError.self) { try PoseQuality(replacing: nothing) }
  }
}
