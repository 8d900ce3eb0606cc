/// Held on forearms and toes as a straight line, from which the hips sag or stand up for a while.
///
/// There are no reps. Intervals are labelled `correct`, `hips_high` or `hips_sag` from where the bend of the hips passes
/// half of its change to where it passes half of the next one. Position: Ekstrom et al., Electromyographic Analysis of
/// Core Trunk, Hip, and Thigh Muscles During 9 Rehabilitation Exercises, Journal of Orthopaedic and Sports Physical
/// Therapy 37, 2007 (prone bridge).
public struct Plank: ScenarioExercise {
  public let name = "plank"
  public let views: [CameraView] = [.side, .oblique]
  public let framing = Framing.lying
  public let faults: [Fault] = [.hipsHigh, .hipsSag]

  public init() {}

  public var faultNames: [String] { faults.map { $0.name } }

  public func performance(
    by subject: Subject, in clip: ClipNumber, before camera: Camera, traits: SeededGenerator, generator: SeededGenerator
  ) -> any Performance {
    var planner = PlankPlanner(subject: subject, camera: camera, faults: faults, generator: generator)
    return planner.plan(holding: clip != MotionGenerator.clipWithoutReps)
  }

  public func performance(
    of scenario: Scenario, by subject: Subject, in clip: ClipNumber, before camera: Camera, traits: SeededGenerator,
    generator: SeededGenerator
  ) -> any Performance {
    var planner = PlankPlanner(subject: subject, camera: camera, faults: faults, generator: generator)
    return planner.plan(scenario, in: clip)
  }
}
