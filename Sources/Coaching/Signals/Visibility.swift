import PoseModel

/// Which joints a signal may use: those that the estimator is sure enough of, in the plane or in space.
public struct Visibility: Hashable, Sendable {
  /// A joint counts when its confidence is above this, 0...1.
  public var minimumConfidence: Float
  /// Whether depth is used where a recording has it. Without it, angles are those of the picture.
  public var usesDepth: Bool

  public init(minimumConfidence: Float, usesDepth: Bool) {
    self.minimumConfidence = minimumConfidence
    self.usesDepth = usesDepth
  }

  /// A joint's place in image heights; `nil` where it is missing or not sure enough. z is 0 without depth.
  @inline(__always)
  func point(_ joint: Joint, _ poses: borrowing PoseColumns, _ frame: Int) -> SIMD3<Float>? {
    let place = poses.place(of: joint, frame)
    guard place.confidence > minimumConfidence && place.x.isFinite && place.y.isFinite else { return nil }
    return SIMD3(place.x, place.y, usesDepth && place.z.isFinite ? place.z : 0)
  }

  /// Writes for each frame the mean over the sides that `measure` has a value for, NaN where neither has one.
  @inline(__always)
  func meanOverSides(
    _ poses: borrowing PoseColumns, into output: UnsafeMutableBufferPointer<Float>,
    _ measure: (Side, borrowing PoseColumns, Int) -> Float?
  ) {
    for frame in 0..<poses.count {
      output[frame] = Self.mean(measure(.left, poses, frame), measure(.right, poses, frame))
    }
  }

  /// Of those that are known; NaN where neither is.
  @inline(__always)
  static func mean(_ left: Float?, _ right: Float?) -> Float {
    switch (left, right) {
    case (let left?, let right?): 0.5 * (left + right)
    case (let one?, nil), (nil, let one?): one
    case (nil, nil): .nan
    }
  }
}
