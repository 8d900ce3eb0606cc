import PoseModel

/// The offset of a joint from another along one axis of the image, in image heights: x to the right, y downwards.
///
/// NaN if a joint is missing or has low confidence.
public struct JointOffset: Signal {
  /// The picture's axis along which the offset is measured.
  public enum Axis: String, Hashable, Sendable {
    /// To the right, or down.
    case x, y
  }

  /// The joint whose offset is measured.
  public var joint: Joint
  /// The joint that the offset is measured from.
  public var origin: Joint
  /// The picture's axis along which the offset is measured.
  public var axis: Axis
  /// The visibility thresholds of the joints.
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

/// The position of a joint relative to another along one axis of the image, in trunk lengths: right and up are
/// positive.
///
/// Two of them, one per axis, give a speed.
struct BodyOffset: Signal {
  enum Axis: Hashable { case right, up }

  var part: BodyPart
  var base: BodyPart
  var axis: Axis
  var side: SideRule
  var visibility: Visibility

  var name: String { "\(part.name) \(axis == .right ? "beside" : "above") \(base.name)" }
  var unit: String { ReferenceLength.trunk.unit }

  func measure(_ poses: borrowing PoseColumns, into output: UnsafeMutableBufferPointer<Float>) {
    visibility.combine(side, poses, into: output) { side, poses, frame in
      min(poses.confidence(part, side, frame), poses.confidence(base, side, frame))
    } _: { side, poses, frame in
      guard let a = visibility.point(part, side, poses, frame), let b = visibility.point(base, side, poses, frame),
        let length = ReferenceLength.trunk.length(visibility, side, poses, frame)
      else { return nil }
      return (axis == .right ? a.x - b.x : b.y - a.y) / length
    }
  }
}

/// How far the hands, and with them a bar, are beside another part of the body, along the floor, in trunk lengths.
public struct HandOffset: Signal {
  /// The reference for the hands.
  public enum Reference: String, Hashable, Sendable {
    /// The middle of the foot, halfway from ankle to toes; the ankle where a skeleton has no toes.
    case foot
    /// The shoulder of the same side.
    case shoulder
  }

  /// The reference for the hands.
  public var reference: Reference
  /// The visibility thresholds of the joints.
  public var visibility: Visibility

  public init(from reference: Reference, _ visibility: Visibility) {
    self.reference = reference
    self.visibility = visibility
  }

  public var name: String { "hand from \(reference.rawValue)" }
  public var unit: String { "trunk lengths" }

  public func measure(_ poses: borrowing PoseColumns, into output: UnsafeMutableBufferPointer<Float>) {
    visibility.meanOverSides(poses, into: output) { side, poses, frame in
      guard let wrist = visibility.point(side.wrist, poses, frame),
        let shoulder = visibility.point(side.shoulder, poses, frame),
        let hip = visibility.point(side.hip, poses, frame),
        let origin = origin(side, poses, frame, shoulder: shoulder)
      else { return nil }
      let trunk = (shoulder - hip).length
      return trunk > 0 ? (wrist - origin).levelLength / trunk : nil
    }
  }

  private func origin(
    _ side: Side, _ poses: borrowing PoseColumns, _ frame: Int, shoulder: SIMD3<Float>
  ) -> SIMD3<Float>? {
    guard reference == .foot else { return shoulder }
    guard let ankle = visibility.point(side.ankle, poses, frame) else { return nil }
    return visibility.point(side.toe, poses, frame).map { 0.5 * (ankle + $0) } ?? ankle
  }
}

/// How far the knee is to the side of the ankle, in shank lengths: the sine of the shank's lean, the mean of the
/// visible sides. From the side it is the forward travel of the knees; from the front it does not show that.
public struct KneeReach: Signal {
  /// The visibility thresholds of the joints.
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

/// How far the knee is to the side of the ankle in the image, the mean of the visible sides, in image heights.
///
/// Without direction: an image alone does not show which way a person faces, and from the side a squatting knee is
/// always in front of the ankle. From the front it shows how far the knees open or cave in, not how far they travel.
public struct KneeTravel: Signal {
  /// The visibility thresholds of the joints.
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

/// How far the body's centre of mass is to the side of the middle of the ankles in the picture, in trunk lengths.
///
/// Positive to the right. The centre of mass is that of head, arms and trunk (0.678 of the mass, 0.626 of the way from
/// hip to shoulder), thighs (0.100 each, 0.433 from the hip) and shanks with feet (0.061 each, 0.606 from the knee):
/// Winter, Biomechanics and Motor Control of Human Movement, 4th ed. 2009, table 4.1. It excludes a bar's mass. NaN if
/// trunk, knees or ankles are not all in sight.
public struct MassOffset: Signal {
  /// The visibility thresholds of the joints.
  public var visibility: Visibility

  public init(_ visibility: Visibility) { self.visibility = visibility }

  public var name: String { "mass offset" }
  public var unit: String { "trunk lengths" }

  public func measure(_ poses: borrowing PoseColumns, into output: UnsafeMutableBufferPointer<Float>) {
    for frame in 0..<poses.count {
      output[frame] = .nan
      guard let neck = visibility.point(.neck, poses, frame), let root = visibility.point(.root, poses, frame),
        let leftKnee = visibility.point(.leftKnee, poses, frame),
        let rightKnee = visibility.point(.rightKnee, poses, frame),
        let leftAnkle = visibility.point(.leftAnkle, poses, frame),
        let rightAnkle = visibility.point(.rightAnkle, poses, frame)
      else { continue }
      let trunk = (neck - root).length
      guard trunk > 0 else { continue }
      let knee = 0.5 * (leftKnee.x + rightKnee.x)
      let ankle = 0.5 * (leftAnkle.x + rightAnkle.x)
      let mass =
        0.678 * (root.x + 0.626 * (neck.x - root.x)) + 0.2 * (root.x + 0.433 * (knee - root.x))
        + 0.122 * (knee + 0.606 * (ankle - knee))
      output[frame] = (mass - ankle) / trunk
    }
  }
}
