import PoseModel

/// A processed frame of a player: what the swing detectors remember of it.
///
/// Positions are from the neck in body heights, x to the picture's right and y down; NaN is unknown.
struct SwingSample: Hashable, Sendable {
  var time = Microseconds.zero
  var left = SIMD2<Float>(repeating: .nan)
  var right = SIMD2<Float>(repeating: .nan)
  /// Body heights a second, averaged over the frames around this one.
  var leftSpeed = Float.nan
  var rightSpeed = Float.nan
  /// Nose, downwards from the neck: negative where the head is up.
  var head = Float.nan
  /// Cosines as of `GirdleTurn`.
  var shoulderTurn = Float.nan
  var hipTurn = Float.nan
  /// The trunk's lean from the vertical, degrees.
  var lean = Float.nan

  func wrist(_ hand: Hand) -> SIMD2<Float> { hand == .left ? left : right }

  /// The speed of a hand's wrist, or of the faster wrist where it is not known which hand hits; NaN where unknown.
  func speed(_ hand: Hand?) -> Float {
    switch hand {
    case .left?: leftSpeed
    case .right?: rightSpeed
    // The greater of the two, or the one that is known.
    case nil: Float.maximum(leftSpeed, rightSpeed)
    }
  }
}

extension SIMD2<Float> {
  var isKnown: Bool { x.isFinite && y.isFinite }
  var length: Float { (x * x + y * y).squareRoot() }
}
