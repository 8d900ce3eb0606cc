import PoseModel

/// The angle hip–knee–ankle, the mean of the sides in sight: 180 degrees is a straight leg.
public struct KneeAngle: Signal {
  public var visibility: Visibility

  public init(_ visibility: Visibility) { self.visibility = visibility }

  public var name: String { "knee angle" }
  public var unit: String { "degrees" }

  public func measure(_ poses: borrowing PoseColumns, into output: UnsafeMutableBufferPointer<Float>) {
    visibility.meanOverSides(poses, into: output) { side, poses, frame in
      guard let hip = visibility.point(side.hip, poses, frame),
        let knee = visibility.point(side.knee, poses, frame),
        let ankle = visibility.point(side.ankle, poses, frame)
      else { return nil }
      return Angle.at(knee, between: hip, and: ankle)
    }
  }
}
