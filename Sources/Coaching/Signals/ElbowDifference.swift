import PoseModel

/// How much more one elbow is bent than the other, in degrees; NaN where one arm is out of sight.
public struct ElbowDifference: Signal {
  public var visibility: Visibility

  public init(_ visibility: Visibility) { self.visibility = visibility }

  public var name: String { "elbow difference" }
  public var unit: String { "degrees" }

  public func measure(_ poses: borrowing PoseColumns, into output: UnsafeMutableBufferPointer<Float>) {
    let elbow = LimbAngle(.elbow, visibility)
    for frame in 0..<poses.count {
      guard let left = elbow.angle(of: .left, poses, frame), let right = elbow.angle(of: .right, poses, frame) else {
        output[frame] = .nan
        continue
      }
      output[frame] = abs(left - right)
    }
  }
}
