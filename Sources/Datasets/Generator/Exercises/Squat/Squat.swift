/// Down from standing until the thighs are about level, and up again.
public struct Squat: ScenarioExercise {
  public let name = "squat"
  public let views = CameraView.allCases
  public let framing = Framing.standing

  public init() {}

  public var faultNames: [String] { (SquatFault.usual + SquatFault.onRequest).map { $0.rawValue } }

  public func performance(
    by subject: Subject, in clip: ClipNumber, before camera: Camera, traits: SeededGenerator, generator: SeededGenerator
  ) -> any Performance {
    motion(by: subject, in: clip, before: camera, traits: traits, generator: generator)
  }

  func motion(
    by subject: Subject, in clip: ClipNumber, before camera: Camera, traits: SeededGenerator, generator: SeededGenerator
  ) -> SquatMotion {
    var planner = planner(by: subject, before: camera, traits: traits, generator: generator)
    return planner.plan(withReps: clip != MotionGenerator.clipWithoutReps)
  }

  public func performance(
    of scenario: Scenario, by subject: Subject, in clip: ClipNumber, before camera: Camera, traits: SeededGenerator,
    generator: SeededGenerator
  ) -> any Performance {
    var planner = planner(by: subject, before: camera, traits: traits, generator: generator)
    return planner.plan(scenario, in: clip)
  }

  private func planner(
    by subject: Subject, before camera: Camera, traits: SeededGenerator, generator: SeededGenerator
  ) -> SquatPlanner {
    var traits = traits
    return SquatPlanner(profile: SquatProfile(subject, using: &traits), camera: camera, generator: generator)
  }
}
