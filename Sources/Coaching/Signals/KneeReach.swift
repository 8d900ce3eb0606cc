import PoseModel

/// How far the knee stands to the side of the ankle, in shank lengths: the sine of the shank's lean, the mean of the sides
/// in sight. From the side it is how far the knees travel forward; from the front it says nothing of that.
public struct KneeReach: Signal {
  public var visibility: Visibility

  public init(_ visibility: Visibility) { self.visibility = visibility }

  public var name: String { "knee reach" }
  public var unit: String { "shank lengths" }

  public func measure(_ poses: borrowing PoseColumns, into output: UnsafeMutableBufferPointer<Float>) {
    visibility.meanOverSides(poses, into: output) { side, poses, frame in
      guard let knee = visibility.point(side.knee, poses, frame),
        let ankle = visibility.point(side.ankle, poses, frame)
      else { return nil }
      let shank = (knee - ankle).length
      return shank > 0 ? (knee - ankle).levelLength / shank : nil
    }
  }
}
