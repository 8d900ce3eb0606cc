import Statistics

/// Something that the generator can act out and label.
///
/// To add one: a file beside this one with a type that conforms to `StandingExercise` (upright, over planted or stepping
/// feet), to `RepetitionExercise` (lying or hanging) or, where there are no reps, to `Exercise` itself; and its name in
/// `Exercises.all`. Bodies, cameras, estimator errors, raters, frame rates and the plan of a clip come with it.
public protocol Exercise: Sendable {
  /// As in the `exercise` column of `clips.csv`.
  var name: String { get }
  /// From where people film it, in the order in which a subject's clips take them.
  var views: [CameraView] { get }
  var framing: Framing { get }

  /// What a subject does in one clip.
  ///
  /// - Parameters:
  ///   - traits: a source of what the subject brings to every clip: the same numbers for all clips of a subject.
  ///   - generator: a source of what differs from clip to clip.
  func simulation(
    by subject: Subject, in clip: ClipNumber, before camera: Camera, traits: SeededGenerator, generator: SeededGenerator
  ) -> any SimulatedMotion
}

/// Which clip of a dataset, both counted from 0.
public struct ClipNumber: Hashable, Sendable {
  public var subject: Int
  public var clip: Int
}

/// The exercises that can be generated.
public enum Exercises {
  public static let all: [any Exercise] = [
    Squat(), PushUp(), Lunge(), Plank(), Deadlift(), BenchPress(), PullUp(), SitUp(), JumpingJack(), FrontRaise(),
    ShoulderPress(), BicepsCurl(), Tennis(),
  ]

  public static func named(_ name: String) -> (any Exercise)? { all.first { $0.name == name } }
}

/// An exercise that can also be acted out as a scenario asks.
public protocol ScenarioExercise: Exercise {
  /// The faults that the scenario `needs-correction` can be asked for: those that it draws among and those that it shows
  /// on request only.
  var faultNames: [String] { get }

  /// What a subject does in one clip of a scenario.
  ///
  /// - Parameters:
  ///   - traits: a source of what the subject brings to every clip: the same numbers for all clips of a subject.
  ///   - generator: a source of what differs from clip to clip.
  func simulation(
    of scenario: Scenario, by subject: Subject, in clip: ClipNumber, before camera: Camera, traits: SeededGenerator,
    generator: SeededGenerator
  ) -> any SimulatedMotion
}

/// An exercise that is done again and again between two postures.
///
/// `joints` is all that tells one from another: where the body is when the movement is so far from its start posture
/// (depth 0) towards the far end of a good rep (depth 1), with each fault as bad as `severities` say.
public protocol RepetitionExercise: ScenarioExercise {
  /// In the order of the raters' lists.
  var faults: [Fault] { get }
  /// Faults that are acted out where a scenario asks for them by name, and raters judge only there.
  ///
  /// They are apart from `faults`, among which habits and scenarios draw and of which every rater says something: one more
  /// of those would change every dataset that was ever generated.
  var faultsOnRequest: [Fault] { get }
  var tempo: Tempo { get }
  /// How far the half reps go that nobody counts: well below any rep that counts.
  var halfReps: ClosedRange<Double> { get }

  /// Between which depths a rep with these faults goes: from 0 to 1 where it is good.
  func range(with severities: Severities) -> (start: Double, turn: Double)
  func joints(of subject: Subject, at moment: Moment) -> JointPositions
  /// How the subject stands or lies for it; as always unless the exercise says otherwise.
  func stance(of subject: Subject) -> Stance
  /// The same where it is done with faults from beginning to end, some of which are ways of standing.
  func stance(of subject: Subject, with severities: Severities) -> Stance
}

/// One instant of a rep.
public struct Moment: Hashable, Sendable {
  /// 0 in the start posture, 1 at the far end of a good rep.
  public var depth: Double
  public var severities: Severities
  /// Which rep it is, counted from 0: tells the side of what is done by turns.
  public var rep: Int
  /// Seconds.
  public var time: Double

  public init(depth: Double, severities: Severities = Severities(), rep: Int = 0, time: Double = 0) {
    self.depth = depth
    self.severities = severities
    self.rep = rep
    self.time = time
  }
}

/// How long the phases of a rep take on average, in seconds.
public struct Tempo: Hashable, Sendable {
  /// From the start posture to the far end, and back.
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

/// An exercise between hands and toes, for which people walk up and get down on the floor.
public protocol ProneExercise: RepetitionExercise {}

/// An exercise on two feet, which people walk up to and away from.
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
