import PoseModel

/// How far the line from hip to shoulder leans from the vertical, the mean of the sides in sight: 0 degrees is upright.
public struct TrunkLean: Signal {
  public var visibility: Visibility

  public init(_ visibility: Visibility) { self.visibility = visibility }

  public var name: String { "trunk lean" }
  public var unit: String { "degrees" }

  public func measure(_ poses: borrowing PoseColumns, into output: UnsafeMutableBufferPointer<Float>) {
    visibility.meanOverSides(poses, into: output) { side, poses, frame in
      guard let hip = visibility.point(side.hip, poses, frame),
        let shoulder = visibility.point(side.shoulder, poses, frame)
      else { return nil }
      return Angle.fromVertical(lower: hip, upper: shoulder)
    }
  }
}
