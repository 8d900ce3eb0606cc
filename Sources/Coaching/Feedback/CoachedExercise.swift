/// The exercises that the AI coach guide analyses in its first phase.
public enum CoachedExercise: String, CaseIterable, Hashable, Sendable {
  /// As datasets call them.
  case squat, deadlift
  case benchPress = "bench-press"

  /// For headings.
  public var title: String {
    switch self {
    case .squat: "squat"
    case .deadlift: "deadlift"
    case .benchPress: "bench press"
    }
  }
}
