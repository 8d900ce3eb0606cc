import Datasets
import PoseModel
import Simulation
import Testing

/// Some scenes of every exercise but the squat: of several subjects and views, among them the one without reps.
enum ExerciseScenes {
  static let names = Exercises.all.map { $0.name }.filter { $0 != "squat" }

  static let negatives = Exercises.negatives.map { $0.name }

  static let namesAndNegatives = names + negatives

  static func generator(_ name: String) throws -> MotionGenerator {
    MotionGenerator(
      name: "test", exercises: [try #require(Exercises.named(name))], seed: 3, subjects: 6, clipsPerSubject: 2)
  }

  static func scenes(_ name: String) throws -> [ClipScene] {
    let generator = try generator(name)
    return (0..<6).map { generator.scene(subject: $0, clip: $0 % 2) }
  }

  static func repetition(_ name: String) throws -> any RepetitionExercise {
    try #require(Exercises.named(name) as? any RepetitionExercise)
  }

  /// Every `step` seconds of a span.
  static func times(_ span: Range<Double>, every step: Double = 0.1) -> [Double] {
    Array(stride(from: span.lowerBound, to: span.upperBound, by: step))
  }
}

extension SIMD3<Double> {
  func way(to other: Self) -> Double {
    let way = other - self
    return (way.x * way.x + way.y * way.y + way.z * way.z).squareRoot()
  }
}
