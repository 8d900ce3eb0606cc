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
  func performance(
    of scenario: Scenario, by subject: Subject, in clip: ClipNumber, before camera: Camera, traits: SeededGenerator,
    generator: SeededGenerator
  ) -> any Performance
}
