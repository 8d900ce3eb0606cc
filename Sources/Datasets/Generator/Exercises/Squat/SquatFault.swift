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
  /// The hips are dropped with about the acceleration of a fall.
  case rushed
  /// The body sways to one side on the way down and to the other on the way up.
  case offBalance = "off_balance"

  /// Those that habits and scenarios draw among and every rater judges.
  ///
  /// The others are acted out where a scenario asks for them by name, and raters judge them only there: one more here would
  /// change every dataset that was ever generated.
  public static let usual = [shallow, forwardLean, kneeForward, kneeValgus]
  public static let onRequest = [rushed, offBalance]
}
