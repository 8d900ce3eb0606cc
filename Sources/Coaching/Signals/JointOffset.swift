import PoseModel

/// How far a joint stands from another along one axis of the picture, in image heights: x to the right, y downwards.
///
/// NaN where one of the two is missing or not sure enough.
public struct JointOffset: Signal {
  public enum Axis: String, Hashable, Sendable {
    case x, y
  }

  public var joint: Joint
  public var origin: Joint
  public var axis: Axis
  public var visibility: Visibility

  public init(_ joint: Joint, from origin: Joint, _ axis: Axis, _ visibility: Visibility) {
    self.joint = joint
    self.origin = origin
    self.axis = axis
    self.visibility = visibility
  }

  public var name: String { "\(joint.name) \(axis.rawValue) from \(origin.name)" }
  public var unit: String { "image heights" }

  public func measure(_ poses: borrowing PoseColumns, into output: UnsafeMutableBufferPointer<Float>) {
    for frame in 0..<poses.count {
      guard let end = visibility.point(joint, poses, frame), let start = visibility.point(origin, poses, frame) else {
        output[frame] = .nan
        continue
      }
      output[frame] = axis == .x ? end.x - start.x : end.y - start.y
    }
  }
}
