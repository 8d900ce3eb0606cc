/// What the AI coach can find wrong with a repetition, by the names that labels use.
public enum FormFault: String, CaseIterable, Hashable, Sendable {
  /// Turns before the far end of the movement.
  case shallow
  /// Ends before the joints are straight.
  case noLockout = "no_lockout"
  /// Squat: the trunk leans too far forward, or tips further on the way up.
  case forwardLean = "forward_lean"
  /// Squat: the knees travel far in front of the ankles.
  case kneeForward = "knee_forward"
  /// Squat: the knees cave in.
  case kneeValgus = "knee_valgus"
  /// Too fast in one of its halves.
  case rushed
  /// The centre of mass moves over the feet.
  case offBalance = "off_balance"
  /// Deadlift: the back bends.
  case roundedBack = "rounded_back"
  /// The bar leaves its line.
  case barDrift = "bar_drift"
  /// Deadlift: the hips rise before the shoulders.
  case hipsFirst = "hips_first"
  /// Deadlift: the arms do not hang straight down to the bar.
  case shouldersOffBar = "shoulders_off_bar"
  /// Deadlift: the feet stand too far apart.
  case feetWide = "feet_wide"
  /// Bench press: one arm is bent more than the other.
  case uneven
  /// Bench press: the upper arms stand out from the trunk.
  case elbowFlare = "elbow_flare"
}
