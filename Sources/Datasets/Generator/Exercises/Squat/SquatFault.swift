/// What can be wrong with a squat, by the names used in labels.
public enum SquatFault: String, CaseIterable, Hashable, Sendable {
  /// The rep counts but stops well above where the thighs are level.
  case shallow
  /// The trunk leans much farther ahead than this body needs at this depth.
  case forwardLean = "forward_lean"
  /// The knees travel far past the toes, the heels coming up.
  case kneeForward = "knee_forward"
  /// The knees fall in towards each other.
  case kneeValgus = "knee_valgus"
}
