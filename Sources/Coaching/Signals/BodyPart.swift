import PoseModel

/// A joint by its name, on a side that is given (`left_knee`), on either side (`knee`), or on none (`nose`).
public struct BodyPart: Hashable, Sendable {
  public let name: String
  public let left: Joint
  public let right: Joint

  /// - Returns: `nil` where neither a joint nor a pair of joints has this name.
  public init?(_ name: String) {
    if let joint = Joint(name: name) {
      (left, right) = (joint, joint)
    } else if let left = Joint(name: "left_" + name), let right = Joint(name: "right_" + name) {
      (self.left, self.right) = (left, right)
    } else {
      return nil
    }
    self.name = name
  }

  private init(name: String, left: Joint, right: Joint) {
    self.name = name
    self.left = left
    self.right = right
  }

  /// The middle of the shoulders and that of the hips: the ends of the trunk.
  static let neck = BodyPart(name: "neck", left: .neck, right: .neck)
  static let root = BodyPart(name: "root", left: .root, right: .root)

  static let shoulder = BodyPart(name: "shoulder", left: .leftShoulder, right: .rightShoulder)
  static let elbow = BodyPart(name: "elbow", left: .leftElbow, right: .rightElbow)
  static let wrist = BodyPart(name: "wrist", left: .leftWrist, right: .rightWrist)
  static let hip = BodyPart(name: "hip", left: .leftHip, right: .rightHip)
  static let knee = BodyPart(name: "knee", left: .leftKnee, right: .rightKnee)
  static let ankle = BodyPart(name: "ankle", left: .leftAnkle, right: .rightAnkle)

  /// Whether the two sides have a joint each.
  public var hasSides: Bool { left != right }

  @inlinable public func joint(on side: Side) -> Joint { side == .left ? left : right }

  /// Every name that there is: of joints, and of pairs without their side.
  public static let names: [String] =
    Joint.allCases.map(\.name)
    + Joint.allCases.map(\.name).filter { $0.hasPrefix("left_") }.map { String($0.dropFirst("left_".count)) }
}
