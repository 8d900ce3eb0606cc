import Statistics

/// A movement that the generator can simulate and label.
///
/// To add one, write a file with a type that conforms to `StandingExercise` (upright, over planted or stepping feet),
/// `RepetitionExercise` (lying or hanging) or, without reps, `Exercise` itself, and list it in `Exercises.all`. What
/// people do without exercising is a `Negative`, listed in `Exercises.negatives`. Bodies, cameras, estimator errors, raters, frame rates and the plan of a clip are provided.
public protocol Exercise: Sendable {
  /// The name in the `exercise` column of `clips.csv`.
  var name: String { get }
  /// The usual camera views, in the order of a subject's clips.
  var views: [CameraView] { get }
  var framing: Framing { get }

  /// Simulates a subject in one clip.
  ///
  /// - Parameters:
  ///   - traits: Random numbers for the subject's traits: the same for all clips of a subject.
  ///   - generator: Random numbers that differ from clip to clip.
  func simulation(
    by subject: Subject, in clip: ClipNumber, before camera: Camera, traits: SeededGenerator, generator: SeededGenerator
  ) -> any SimulatedMotion
}

/// The position of a clip in a dataset, both numbers counted from 0.
public struct ClipNumber: Hashable, Sendable {
  public var subject: Int
  public var clip: Int
}

/// What can be generated.
public enum Exercises {
  /// The exercises, which detectors know.
  public static let all: [any Exercise] = [
    Squat(), PushUp(), Lunge(), Plank(), Deadlift(), BenchPress(), PullUp(), SitUp(), JumpingJack(), FrontRaise(),
    ShoulderPress(), BicepsCurl(), Tennis(),
  ]

  /// Activities of people who do not exercise, which no detector knows: every rep counted in them is a phantom.
  public static let negatives: [any Exercise] = [
    Negative.standing, Negative.walking, Negative.reaching, Negative.gettingDown, Negative.feetHidden, Negative.bobbing,
  ]

  /// Everything that a recipe can name: exercises and negatives.
  public static let generated = all + negatives

  public static func named(_ name: String) -> (any Exercise)? { generated.first { $0.name == name } }
}

/// An exercise that can also be simulated as a scenario.
public protocol ScenarioExercise: Exercise {
  /// The possible faults of the scenario `needs-correction`: the usual ones, and those simulated only on request.
  var faultNames: [String] { get }

  /// Simulates a subject in one clip of a scenario.
  ///
  /// - Parameters:
  ///   - traits: Random numbers for the subject's traits: the same for all clips of a subject.
  ///   - generator: Random numbers that differ from clip to clip.
  func simulation(
    of scenario: Scenario, by subject: Subject, in clip: ClipNumber, before camera: Camera, traits: SeededGenerator,
    generator: SeededGenerator
  ) -> any SimulatedMotion
}

/// An exercise that is done again and again between two postures.
///
/// Exercises differ only in `joints`: the body's position at a depth between the start posture (0) and the far end of a
/// good rep (1), with the given severities of faults.
public protocol RepetitionExercise: ScenarioExercise {
  /// The usual faults, in the order of the raters' lists.
  var faults: [Fault] { get }
  /// Faults that are simulated only if a scenario names them; raters judge them only there.
  ///
  /// They are separate from `faults`, which habits and scenarios draw from and every rater judges: an additional fault
  /// there would change every dataset ever generated.
  var faultsOnRequest: [Fault] { get }
  var tempo: Tempo { get }
  /// The depth of uncounted half reps: well below any rep that counts.
  var halfReps: ClosedRange<Double> { get }

  /// The range of depths of a rep with these faults: 0 to 1 for a good one.
  func range(with severities: Severities) -> (start: Double, turn: Double)
  func joints(of subject: Subject, at moment: Moment) -> JointPositions
  /// The subject's stance; the usual one unless the exercise overrides it.
  func stance(of subject: Subject) -> Stance
  /// The stance with faults throughout, some of which affect it.
  func stance(of subject: Subject, with severities: Severities) -> Stance
}

/// One instant of a rep.
public struct Moment: Hashable, Sendable {
  /// 0 in the start posture, 1 at the far end of a good rep.
  public var depth: Double
  public var severities: Severities
  /// The rep's index from 0, for movements with alternating sides.
  public var rep: Int
  /// The time in the clip, in seconds.
  public var time: Double

  public init(depth: Double, severities: Severities = Severities(), rep: Int = 0, time: Double = 0) {
    self.depth = depth
    self.severities = severities
    self.rep = rep
    self.time = time
  }
}

/// The average duration of a rep's phases, in seconds.
public struct Tempo: Hashable, Sendable {
  /// The duration from the start posture to the far end, and back.
  public var out: Double
  public var back: Double
  /// The longest set.
  public var maximumReps = 12
}

extension RepetitionExercise {
  public var halfReps: ClosedRange<Double> { 0.18...0.38 }

  public var faultsOnRequest: [Fault] { [] }

  public var faultNames: [String] { (faults + faultsOnRequest).map { $0.name } }

  public func stance(of subject: Subject) -> Stance { subject.stance }

  public func stance(of subject: Subject, with severities: Severities) -> Stance { stance(of: subject) }

  /// The worst `shallow` turns at 0.55, the worst `no_lockout` starts from 0.28.
  public func range(with severities: Severities) -> (start: Double, turn: Double) {
    (0.28 * severities[.noLockout], 1 - 0.45 * severities[.shallow])
  }

  public func simulation(
    by subject: Subject, in clip: ClipNumber, before camera: Camera, traits: SeededGenerator, generator: SeededGenerator
  ) -> any SimulatedMotion {
    var planner = planner(by: subject, before: camera, traits: traits, generator: generator)
    return planner.plan(withReps: clip != MotionGenerator.clipWithoutReps)
  }

  public func simulation(
    of scenario: Scenario, by subject: Subject, in clip: ClipNumber, before camera: Camera, traits: SeededGenerator,
    generator: SeededGenerator
  ) -> any SimulatedMotion {
    var severities = Severities()
    if case .needsCorrection(let wanted, let severity) = scenario,
      let fault = faultsOnRequest.first(where: { $0.name == wanted })
    {
      severities[fault] = severity
    }
    var planner = planner(
      by: subject, with: severities, before: camera, traits: traits, generator: generator)
    return planner.plan(scenario, in: clip)
  }

  private func planner(
    by subject: Subject, with severities: Severities = Severities(), before camera: Camera, traits: SeededGenerator,
    generator: SeededGenerator
  ) -> SetPlanner {
    var subject = subject
    subject.stance = stance(of: subject, with: severities)
    return SetPlanner(self, subject: subject, camera: camera, traits: traits, generator: generator)
  }
}

/// An exercise between hands and toes; people walk up to the spot and get down on the floor.
public protocol ProneExercise: RepetitionExercise {}

/// An exercise on two feet; people walk up to the spot and away from it.
public protocol StandingExercise: RepetitionExercise {
  func posture(of subject: Subject, at moment: Moment) -> Posture
}

extension StandingExercise {
  public var views: [CameraView] { CameraView.allCases }
  public var framing: Framing { .standing }

  public func joints(of subject: Subject, at moment: Moment) -> JointPositions {
    subject.body.joints(of: posture(of: subject, at: moment))
  }
}
