/// What a body does as a whole, as far as its keypoints tell.
public enum PoseClass: String, CaseIterable, Hashable, Sendable {
  /// Upright on straight legs.
  case standing
  /// Standing with both wrists above the nose.
  case handsUp = "hands-up"
  /// On straight legs with the trunk nearer to level than to upright: the bottom of a deadlift.
  case bending
  /// On bent legs with the body's mass over the feet.
  case squatting
  /// With the body's mass where the feet alone cannot carry it: on a chair, or on the floor with an upright trunk.
  case sitting
  /// On the shanks.
  case kneeling
  /// Level, with the shoulders held up by the arms: also every part of a push-up.
  case plank
  /// Level on the ground or a bench.
  case lying
}
