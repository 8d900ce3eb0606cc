import PoseModel

/// A coach's haptic signals, by the names of the live trainer's patterns.
public enum HapticPattern: String, CaseIterable, Hashable, Sendable {
  /// A strong warning tap.
  case formCorrection = "form correction"
  /// A light success tap.
  case goodForm = "good form"
  /// A quick impact.
  case repCompleted = "rep completed"
  /// A double success.
  case setCompleted = "set completed"
  /// A burst to celebrate.
  case workoutCompleted = "workout completed"
}

/// One tap of a haptic pattern.
public struct HapticPulse: Hashable, Sendable {
  /// The time after the pattern's beginning.
  public var time: Microseconds
  /// 0...1.
  public var intensity: Float
  /// 0...1: 0 is dull, 1 is crisp.
  public var sharpness: Float

  public init(at milliseconds: Int64, intensity: Float, sharpness: Float) {
    time = Microseconds(milliseconds * 1000)
    self.intensity = intensity
    self.sharpness = sharpness
  }
}

extension HapticPattern {
  /// The pattern's taps, in order.
  ///
  /// The document describes them in words; the numbers are this port's. Taps are at least 100 ms apart, well beyond the
  /// 20 to 60 ms at which people can tell the order of a touch to either hand (Yamamoto and Kitazawa, Tactile Temporal
  /// Order, Scholarpedia 10(3), 2015).
  public var pulses: [HapticPulse] {
    switch self {
    case .formCorrection: [HapticPulse(at: 0, intensity: 1, sharpness: 0.8)]
    case .goodForm: [HapticPulse(at: 0, intensity: 0.4, sharpness: 0.3)]
    case .repCompleted: [HapticPulse(at: 0, intensity: 0.7, sharpness: 1)]
    case .setCompleted:
      [HapticPulse(at: 0, intensity: 0.7, sharpness: 0.5), HapticPulse(at: 150, intensity: 1, sharpness: 0.5)]
    case .workoutCompleted:
      (0..<5).map { HapticPulse(at: Int64($0) * 100, intensity: 0.6 + 0.1 * Float($0), sharpness: 0.5) }
    }
  }
}
