import PoseModel

/// How high the hip is over the knee, as a multiple of the knee's height over the ankle, the mean of the sides in sight.
///
/// About 1 standing, 0 with the thigh level, below 0 deeper. Unlike the knee's angle it is the same from the front and
/// from the side, since both heights are seen from either. NaN where the knee is not above the ankle.
public struct HipHeight: Signal {
  public var visibility: Visibility

  public init(_ visibility: Visibility) { self.visibility = visibility }

  public var name: String { "hip height" }
  public var unit: String { "shank heights" }

  public func measure(_ poses: borrowing PoseColumns, into output: UnsafeMutableBufferPointer<Float>) {
    visibility.meanOverSides(poses, into: output) { side, poses, frame in
      guard let hip = visibility.point(side.hip, poses, frame),
        let knee = visibility.point(side.knee, poses, frame),
        let ankle = visibility.point(side.ankle, poses, frame)
      else { return nil }
      // y points down.
      let shank = ankle.y - knee.y
      return shank > 0 ? (knee.y - hip.y) / shank : nil
    }
  }
}
