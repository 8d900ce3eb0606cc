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
  @inlinable
  func point(_ joint: Joint, _ poses: borrowing PoseColumns, _ frame: Int) -> SIMD3<Float>? {
    guard poses[joint, .confidence, frame] > minimumConfidence else { return nil }
    let x = poses[joint, .x, frame]
    let y = poses[joint, .y, frame]
    guard x.isFinite && y.isFinite else { return nil }
    let z = usesDepth ? poses[joint, .z, frame] : 0
    return SIMD3(x, y, z.isFinite ? z : 0)
  }

  /// Writes for each frame the mean over the sides that `measure` has a value for, NaN where neither has one.
  @inlinable
  func meanOverSides(
    _ poses: borrowing PoseColumns, into output: UnsafeMutableBufferPointer<Float>,
    _ measure: (Side, borrowing PoseColumns, Int) -> Float?
  ) {
    for frame in 0..<poses.count {
      let left = measure(.left, poses, frame)
      let right = measure(.right, poses, frame)
      output[frame] =
        switch (left, right) {
        case (let left?, let right?): 0.5 * (left + right)
        case (let one?, nil), (nil, let one?): one
        case (nil, nil): .nan
        }
    }
  }
}
