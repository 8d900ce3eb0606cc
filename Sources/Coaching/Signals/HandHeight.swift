import PoseModel

/// How high the hands are over the shoulders, in arm lengths (upper arm and forearm), the mean of the sides in sight.
///
/// 1 with straight arms above the shoulders; about 0.44, a forearm's share, with the upper arms level (forearm 0.146 and
/// upper arm 0.186 of stature, Drillis and Contini 1966).
public struct HandHeight: Signal {
  public var visibility: Visibility

  public init(_ visibility: Visibility) { self.visibility = visibility }

  public var name: String { "hand height" }
  public var unit: String { "arm lengths" }

  public func measure(_ poses: borrowing PoseColumns, into output: UnsafeMutableBufferPointer<Float>) {
    visibility.meanOverSides(poses, into: output) { side, poses, frame in
      guard let shoulder = visibility.point(side.shoulder, poses, frame),
        let elbow = visibility.point(side.elbow, poses, frame),
        let wrist = visibility.point(side.wrist, poses, frame)
      else { return nil }
      let arm = (elbow - shoulder).length + (wrist - elbow).length
      return arm > 0 ? (shoulder.y - wrist.y) / arm : nil
    }
  }
}
