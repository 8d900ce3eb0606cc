import Coaching
import Datasets
import Evaluation
import Pipeline
import PoseModel
import Simulation
import Testing

/// Counts wherever the phone stands: in front, obliquely, beside or behind, level with the hips and above them.
@Suite struct EverySideTests {
  private static let places = [-155, -90, -40, -25, 0, 25, 40, 90, 155, 180].flatMap { azimuth in
    [0, 10].map { "azimuth=\(azimuth),elevation=\($0),distance=3" }
  }

  /// Three people's sets of perfect form with a pose estimator's errors, each from every place: what each detector counts.
  private static func counts(_ exercise: any Exercise, of detectors: String...) throws -> [(true: Int, found: [Int])] {
    let settings = try detectors.map { name in
      try DetectorSetting(try #require(try FormClaimTests.definitions().first { $0.profile.name == name }))
    }
    return try places.flatMap { place in
      let generator = MotionGenerator(
        name: "sides", exercises: [exercise], scenarios: [.perfectForm], seed: 6, subjects: 3, clipsPerSubject: 1,
        stand: CameraStand(place))
      return try (0..<3).map { subject in
        let clip = generator.scene(subject: subject, clip: 0).clip()
        let poses = try clip.poses(generator.manifest)
        let found = settings.map { setting in
          Replay.events(of: setting, on: poses, SignalTable(setting.signals, on: poses)).repCount
        }
        return (clip.labels.reps?.count ?? 0, found)
      }
    }
  }

  @Test func squatsAreCountedFromEverySide() throws {
    let counts = try Self.counts(Squat(), of: "exercise-squat", "squat-states")
    #expect(counts.count == 60 && counts.allSatisfy { $0.true >= 3 })
    #expect(counts.allSatisfy { $0.true == $0.found[0] }, "\(counts)")
    // By the knee's angle in the picture it depends on the side.
    #expect(counts.count { abs($0.true - $0.found[1]) > 1 } >= 5)
  }

  @Test(arguments: ["lunge", "deadlift"]) func othersAreCountedFromEverySide(_ name: String) throws {
    let exercise = try #require(Exercises.named(name))
    let counts = try Self.counts(exercise, of: "exercise-\(name)")
    #expect(counts.allSatisfy { abs($0.true - $0.found[0]) <= 1 }, "\(counts)")
  }
}
