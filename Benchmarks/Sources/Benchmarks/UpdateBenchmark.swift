import Coaching
import Datasets
import Evaluation
import Pipeline
import PoseModel
import Simulation
import Statistics

/// The cost of an update of each built-in detector in an app, one frame per call: the median over blocks of frames.
struct UpdateBenchmark {
  /// An interval around one frame would measure the clock.
  private static let blockSize = 64

  func measure() throws -> [Row] {
    let registry = try DetectorRegistry.builtIn.adding(DetectorRegistry(BuiltInExercises.exercises))
    return try registry.detectors.map { definition in
      let cost = try nanoseconds(of: definition, on: Self.frames(of: definition.profile.exercise))
      return Row(
        what: "update of \(definition.profile.name), p50", claimed: "under 1000 ns a frame",
        measured: "\(cost.text(0)) ns", holds: cost < 1_000)
    }
  }

  /// Frames of generated people with the detector's exercise, or squats without a generator for it.
  private static func frames(of exercise: String) throws -> [[PoseFrame]] {
    let known = Exercises.named(exercise) == nil ? "squat" : exercise
    let generator = MotionGenerator(
      name: "updates", exercises: Exercises.all.filter { $0.name == known }, seed: 1, subjects: 5, clipsPerSubject: 2)
    return try (0..<generator.clipCount).map { index in
      let poses = try generator.scene(index).clip().poses(generator.manifest)
      return (0..<poses.frameCount).map { poses.frame($0) }
    }
  }

  private func nanoseconds(of definition: DetectorDefinition, on clips: [[PoseFrame]]) throws -> Double {
    let detector = try definition.detector(ParameterValues(definition.parameters, replacing: [:]))
    func blocks(_ base: some PoseObserver) -> [Double] {
      clips.flatMap { frames -> [Double] in
        var live = LiveDetector(base)
        return stride(from: 0, through: frames.count - Self.blockSize, by: Self.blockSize).map { start in
          ContinuousClock().measure {
            for index in start..<start + Self.blockSize { _ = live.update(frames[index]) }
          }.inSeconds * 1e9 / Double(Self.blockSize)
        }
      }
    }
    // Twice: the first run warms the caches.
    _ = blocks(detector)
    return quantile(0.5, of: blocks(detector)) ?? .infinity
  }
}
