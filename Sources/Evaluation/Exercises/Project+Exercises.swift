import Coaching
import Datasets

extension Project {
  /// The project's own exercises.
  ///
  /// - Throws: `DataError` where a file is wrong, or not called as its exercise.
  public func exercises() throws -> [ExerciseDefinition] {
    try exerciseNames.map { name in
      let path = exerciseFile(name)
      let exercise = try ExerciseDefinition(yaml: InputFile(path))
      guard exercise.name == name else {
        throw DataError(
          file: path, expected: "exercise: \(name), as the file is called", found: "exercise: \(exercise.name)")
      }
      return exercise
    }
  }

  /// The detectors that can be named in this project: those in code, the exercises that come with this package, the
  /// project's own exercises, and `others`. Of two with the same name the later one.
  public func registry(adding others: DetectorRegistry) throws -> DetectorRegistry {
    try DetectorRegistry.builtIn.adding(DetectorRegistry(BuiltInExercises.exercises))
      .adding(DetectorRegistry(exercises())).adding(others)
  }
}
