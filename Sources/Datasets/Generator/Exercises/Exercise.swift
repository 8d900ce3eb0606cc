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
  func performance(
    by subject: Subject, in clip: ClipNumber, before camera: Camera, traits: SeededGenerator, generator: SeededGenerator
  ) -> any Performance
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
