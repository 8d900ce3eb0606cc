/// The smooth way from one posture to another that people's movements take.
///
/// The path of least mean square jerk between two positions at rest: speed and acceleration are 0 at both ends. Source:
/// Flash and Hogan, The Coordination of Arm Movements, Journal of Neuroscience 5, 1985.
enum MinimumJerk {
  /// The fraction of the way done at a fraction of the time; 0 before 0 and 1 after 1.
  static func position(_ fraction: Double) -> Double {
    let t = min(max(fraction, 0), 1)
    return t * t * t * (10 + t * (6 * t - 15))
  }

  /// The distance covered, in units of full speed x duration, while speed falls smoothly from full to none.
  ///
  /// The integral of `1 - position`, which reaches 1/2 at 1.
  static func slowing(_ fraction: Double) -> Double {
    let t = min(max(fraction, 0), 1)
    let square = t * t
    return t - square * square * (2.5 + t * (t - 3))
  }

  /// There and back: 0 at both ends, 1 halfway.
  static func bump(_ fraction: Double) -> Double {
    fraction < 0.5 ? position(2 * fraction) : position(2 - 2 * fraction)
  }
}
