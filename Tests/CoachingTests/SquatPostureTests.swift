import Coaching
import PoseModel
import Testing

@Suite struct SquatPostureTests {
  func events(_ figures: [StickFigure], replacing: [String: Double] = [:]) throws -> [Event] {
    var detector = LiveDetector(try SquatPosture(replacing: replacing))
    return figures.enumerated().flatMap { detector.update($1.frame(at: Double($0) / 10)) }
  }

  /// A squat down to `depth` in steps of 10°, leaning and travelling all the while.
  func squat(to depth: Double, lean: Double = 10, travel: Double = 0.02) -> [StickFigure] {
    let down = Array(stride(from: 170.0, to: depth, by: -10)) + [depth]
    return (down + down.reversed()).map { StickFigure(knee: $0, lean: lean, travel: travel) }
  }

  func grades(_ events: [Event]) -> [Double] {
    events.compactMap { if case .grade(_, let value, _) = $0.kind { value } else { nil } }
  }

  func faults(_ events: [Event]) -> [String] {
    events.compactMap { if case .fault(let name, _) = $0.kind { name } else { nil } }
  }

  func cues(_ events: [Event]) -> [String] {
    events.compactMap { if case .cue(let cue) = $0.kind { cue.text } else { nil } }
  }

  @Test func aDeepUprightSquatIsPerfect() throws {
    let found = try events(squat(to: 80))
    #expect(grades(found).count == 1)
    #expect(abs(grades(found)[0] - 100) < 1e-3)
    #expect(faults(found).isEmpty)
    #expect(cues(found) == ["Perfect squat form!"])
    #expect(cues(try events(squat(to: 65))) == ["Excellent technique!"])
  }

  /// Depth falls linearly from 90° to 140°: at 115° its third of the score is half.
  @Test func aShallowSquatLosesHalfOfItsDepthPartHalfWay() throws {
    let found = try events(squat(to: 115))
    #expect(abs(grades(found)[0] - (0.5 + 1 + 1) / 3 * 100) < 0.05)
    #expect(faults(found) == ["shallow"])
    #expect(cues(found) == ["Good job! Go lower - squat deeper"])
  }

  /// Lean falls from 20° to 60°, so 40° is half; travel from 0.05 to 0.2, so 0.125 is half.
  @Test func everyPartHasItsWeight() throws {
    let found = try events(squat(to: 115, lean: 40, travel: 0.125))
    #expect(abs(grades(found)[0] - 50) < 0.05)
    #expect(Set(faults(found)) == ["forward_lean", "knee_forward", "shallow"])
    let weighed = try events(
      squat(to: 80, lean: 40, travel: 0.125), replacing: ["depthWeight": 2, "backWeight": 1, "kneeWeight": 1])
    #expect(abs(grades(weighed)[0] - (2 * 1 + 0.5 + 0.5) / 4 * 100) < 0.05)
  }

  @Test func theMostImportantCorrectionIsSpoken() throws {
    #expect(cues(try events(squat(to: 80, lean: 70, travel: 0.19))).first == "Keep back straight - reduce forward lean")
    #expect(cues(try events(squat(to: 80, lean: 10, travel: 0.19))).first == "Keep your knees behind your toes")
  }

  /// A lean of 70° in every squat: its cue comes at once, and then not before 4 s are over.
  @Test func cuesKeepTheirCooldown() throws {
    let squats = (0..<6).flatMap { _ in squat(to: 80, lean: 70) }
    let times = try events(squats).compactMap { if case .cue = $0.kind { $0.reported } else { nil } }
    #expect(times.count >= 2)
    for (first, second) in zip(times, times.dropFirst()) { #expect(second - first >= Microseconds(4_000_000)) }
    let often = try events(squats, replacing: ["speechCooldown": 0]).filter {
      if case .cue = $0.kind { true } else { false }
    }
    #expect(often.count > times.count)
  }

  /// A knee that bends to 145° is no squat.
  @Test func whatIsNoSquatIsNotGraded() throws {
    #expect(grades(try events(squat(to: 145))).isEmpty)
    #expect(grades(try events(squat(to: 139))).count == 1)
  }

  /// Without shoulders there is no lean: the other two parts make the score.
  @Test func anUnknownPartDoesNotCount() throws {
    let thresholds = try SquatPosture.Thresholds(ParameterValues(SquatPosture.parameters))
    let known = thresholds.assess(.init(kneeAngle: 115, backLean: .nan, kneeTravel: 0))
    #expect(abs(try #require(known.score) - 75) < 1e-4)
    let unknown = thresholds.assess(.init(kneeAngle: .nan, backLean: .nan, kneeTravel: .nan))
    #expect(unknown.score == nil)
    #expect(unknown.message == "Position yourself in camera view")
  }

  @Test(arguments: [("perfectKneeAngleMin", 95.0), ("maxBackLeanAngle", 60), ("goodScore", 90), ("attemptAngle", 160)])
  func thresholdsOutOfOrderAreRefused(_ name: String, _ value: Double) {
    #expect(throws: ParameterError.self) { try SquatPosture(replacing: [name: value]) }
  }
}
