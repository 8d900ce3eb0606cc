import PoseModel

/// How far the knee stands to the side of the ankle in the picture, the mean of the sides in sight, in image heights.
///
/// Without its direction: a picture alone does not say which way a person faces, and from the side a squatting knee is
/// always in front of the ankle. Seen from the front it is how far the knees open or cave in, not how far they travel.
public struct KneeTravel: Signal {
  public var visibility: Visibility

  public init(_ visibility: Visibility) { self.visibility = visibility }

  public var name: String { "knee travel" }
  public var unit: String { "image heights" }

  public func measure(_ poses: borrowing PoseColumns, into output: UnsafeMutableBufferPointer<Float>) {
    visibility.meanOverSides(poses, into: output) { side, poses, frame in
      guard let knee = visibility.point(side.knee, poses, frame),
        let ankle = visibility.point(side.ankle, poses, frame)
      else { return nil }
      return abs(knee.x - ankle.x)
    }
  }
}
