import Coaching
import Datasets
import Foundation

/// The exercises that come with this package, from the files beside this one, which are compiled in.
public enum BuiltInExercises {
  /// In the order of the alphabet.
  static let files: [(name: String, bytes: [UInt8])] = [
    ("bench-press", PackageResources.bench_press_yaml), ("biceps-curl", PackageResources.biceps_curl_yaml),
    ("deadlift", PackageResources.deadlift_yaml), ("front-raise", PackageResources.front_raise_yaml),
    ("jumping-jack", PackageResources.jumping_jack_yaml), ("lunge", PackageResources.lunge_yaml),
    ("plank", PackageResources.plank_yaml), ("pull-up", PackageResources.pull_up_yaml),
    ("push-up", PackageResources.push_up_yaml), ("shoulder-press", PackageResources.shoulder_press_yaml),
    ("sit-up", PackageResources.sit_up_yaml), ("squat", PackageResources.squat_yaml),
  ]

  private static let read = Result {
    try files.map { try ExerciseDefinition(yaml: InputFile(name: "\($0.name).yaml (built in)", bytes: Data($0.bytes))) }
  }

  /// - Throws: `DataError`, were a file wrong; the tests read them all.
  public static var exercises: [ExerciseDefinition] { get throws { try read.get() } }
}

extension DetectorRegistry {
  /// Detectors of exercises that are defined by data.
  public init(_ exercises: [ExerciseDefinition]) { self.init(exercises.map(\.definition)) }
}
