import PoseModel

/// An angle at a joint of a side of the body, the mean of the sides in sight, in degrees: 180 is straight.
public struct LimbAngle: Signal {
  public enum Limb: String, Hashable, Sendable {
    /// Shoulder–hip–knee.
    case hip
    /// Shoulder–elbow–wrist.
    case elbow
    /// Hip–shoulder–elbow: how far the upper arm stands out from the trunk.
    case upperArm = "upper arm"
    /// Ear–shoulder–hip: the line of the back as far as keypoints have one.
    case back
  }

  public var limb: Limb
  public var visibility: Visibility

  public init(_ limb: Limb, _ visibility: Visibility) {
    self.limb = limb
    self.visibility = visibility
  }

  public var name: String { "\(limb.rawValue) angle" }
  public var unit: String { "degrees" }

  public func measure(_ poses: borrowing PoseColumns, into output: UnsafeMutableBufferPointer<Float>) {
    visibility.meanOverSides(poses, into: output) { side, poses, frame in
      angle(of: side, poses, frame)
    }
  }

  func angle(of side: Side, _ poses: borrowing PoseColumns, _ frame: Int) -> Float? {
    let (a, vertex, b): (Joint, Joint, Joint) =
      switch limb {
      case .hip: (side.shoulder, side.hip, side.knee)
      case .elbow: (side.shoulder, side.elbow, side.wrist)
      case .upperArm: (side.hip, side.shoulder, side.elbow)
      case .back: (side.ear, side.shoulder, side.hip)
      }
    guard let a = visibility.point(a, poses, frame), let vertex = visibility.point(vertex, poses, frame),
      let b = visibility.point(b, poses, frame)
    else { return nil }
    return Angle.at(vertex, between: a, and: b)
  }
}
