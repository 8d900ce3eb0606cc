import PoseModel

/// Which joints must be in the picture to coach an exercise.
///
/// The AI coach guide asks `getRequiredJoints(for:)` and leaves the answer open. Here it is every joint that the
/// exercise's angles are measured at, both sides, as the guide's completeness counts them.
public enum RequiredJoints {
  /// What a `PoseKeypoints` of the AI coach guide can hold: 14 joints, of which the head is the nose.
  static let guide: [Joint] = [.nose, .neck] + BodyRegion.allCases.flatMap(\.joints)

  /// What one exercise needs, by the name that datasets use; `nil` for an exercise that is not listed.
  public static func regions(for exercise: String) -> [BodyRegion]? { table.first { $0.exercise == exercise }?.regions }

  /// By exercise, the three of the AI coach guide first.
  static let table: [(exercise: String, regions: [BodyRegion])] = [
    ("squat", [.shoulders, .hips, .knees, .ankles]),
    ("deadlift", [.shoulders, .wrists, .hips, .knees, .ankles]),
    ("bench-press", [.shoulders, .elbows, .wrists]),
    ("push-up", [.shoulders, .elbows, .wrists, .hips, .ankles]),
    ("lunge", [.shoulders, .hips, .knees, .ankles]),
    ("plank", [.shoulders, .hips, .ankles]),
    ("pull-up", [.shoulders, .elbows, .wrists]),
    ("sit-up", [.shoulders, .hips, .knees]),
    ("jumping-jack", [.shoulders, .wrists, .hips, .ankles]),
    ("front-raise", [.shoulders, .elbows, .wrists, .hips]),
    ("shoulder-press", [.shoulders, .elbows, .wrists, .hips]),
    ("biceps-curl", [.shoulders, .elbows, .wrists, .hips]),
  ]
}
