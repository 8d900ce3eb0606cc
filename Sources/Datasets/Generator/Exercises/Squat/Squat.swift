/// Down from standing until the thighs are about level, and up again.
public struct Squat: Exercise {
  public let name = "squat"
  public let views = CameraView.allCases
  public let framing = Framing.standing

  public init() {}

  public func performance(
    by subject: Subject, in clip: ClipNumber, before camera: Camera, traits: SeededGenerator, generator: SeededGenerator
  ) -> any Performance {
    motion(by: subject, in: clip, before: camera, traits: traits, generator: generator)
  }

  func motion(
    by subject: Subject, in clip: ClipNumber, before camera: Camera, traits: SeededGenerator, generator: SeededGenerator
  ) -> SquatMotion {
    var traits = traits
    let profile = SquatProfile(subject, using: &traits)
    var planner = SquatPlanner(profile: profile, camera: camera, generator: generator)
    return planner.plan(withReps: clip != MotionGenerator.clipWithoutReps)
  }
}
