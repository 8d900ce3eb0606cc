import PoseModel

/// A joint by name: with a side (`left_knee`), on either side (`knee`), or without sides (`nose`).
public struct BodyPart: Hashable, Sendable {
  /// The name in files and sentences: `knee`.
  public let name: String
  /// The joint on the subject's left; for a part without sides the joint itself.
  public let left: Joint
  /// The joint on the subject's right; for a part without sides the joint itself.
  public let right: Joint

  /// - Returns: `nil` if no joint or pair of joints has this name.
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

  /// The middles of the shoulders and of the hips, the ends of the trunk.
  static let neck = BodyPart(name: "neck", left: .neck, right: .neck)
  static let root = BodyPart(name: "root", left: .root, right: .root)

  static let leftShoulder = BodyPart(name: "left_shoulder", left: .leftShoulder, right: .leftShoulder)
  static let rightShoulder = BodyPart(name: "right_shoulder", left: .rightShoulder, right: .rightShoulder)
  static let shoulder = BodyPart(name: "shoulder", left: .leftShoulder, right: .rightShoulder)
  static let elbow = BodyPart(name: "elbow", left: .leftElbow, right: .rightElbow)
  static let wrist = BodyPart(name: "wrist", left: .leftWrist, right: .rightWrist)
  static let hip = BodyPart(name: "hip", left: .leftHip, right: .rightHip)
  static let knee = BodyPart(name: "knee", left: .leftKnee, right: .rightKnee)
  static let ankle = BodyPart(name: "ankle", left: .leftAnkle, right: .rightAnkle)
  static let leftHip = BodyPart(name: "left_hip", left: .leftHip, right: .leftHip)
  static let rightHip = BodyPart(name: "right_hip", left: .rightHip, right: .rightHip)
  static let leftKnee = BodyPart(name: "left_knee", left: .leftKnee, right: .leftKnee)
  static let rightKnee = BodyPart(name: "right_knee", left: .rightKnee, right: .rightKnee)
  static let leftAnkle = BodyPart(name: "left_ankle", left: .leftAnkle, right: .leftAnkle)
  static let rightAnkle = BodyPart(name: "right_ankle", left: .rightAnkle, right: .rightAnkle)

  /// Whether the part has a joint per side.
  public var hasSides: Bool { left != right }

  /// The joint of a side.
  @inlinable public func joint(on side: Side) -> Joint { side == .left ? left : right }

  /// All names of joints, and of pairs without a side.
  public static let names: [String] =
    Joint.allCases.map(\.name)
    + Joint.allCases.map(\.name).filter { $0.hasPrefix("left_") }.map { String($0.dropFirst("left_".count)) }
}

/// The measured side of the body, or the combination of both sides' values.
public enum SideRule: String, CaseIterable, Hashable, Sendable {
  /// Only this side.
  case left, right
  /// The mean of the visible sides.
  case mean
  /// The smaller value of the visible sides.
  case minimum
  /// The larger value of the visible sides.
  case maximum
  /// The side with the higher minimum confidence of its joints, frame by frame; the left side if equal.
  case mostVisible = "most_visible"
}

extension Visibility {
  /// Writes one value per frame by a side rule, NaN without a value on the requested sides.
  ///
  /// - Parameters:
  ///   - confidence: The estimator's confidence in a side.
  ///   - measure: The value of a side, `nil` or NaN without a value.
  @inline(__always)
  func combine(
    _ rule: SideRule, _ poses: borrowing PoseColumns, into output: UnsafeMutableBufferPointer<Float>,
    confidence: (Side, borrowing PoseColumns, Int) -> Float,
    _ measure: (Side, borrowing PoseColumns, Int) -> Float?
  ) {
    switch rule {
    case .left: for frame in 0..<poses.count { output[frame] = measure(.left, poses, frame) ?? .nan }
    case .right: for frame in 0..<poses.count { output[frame] = measure(.right, poses, frame) ?? .nan }
    case .mean: meanOverSides(poses, into: output, measure)
    case .minimum, .maximum:
      for frame in 0..<poses.count {
        let left = measure(.left, poses, frame) ?? .nan
        let right = measure(.right, poses, frame) ?? .nan
        // These two ignore NaN.
        output[frame] = rule == .minimum ? Float.minimum(left, right) : Float.maximum(left, right)
      }
    case .mostVisible:
      for frame in 0..<poses.count {
        let isRight = confidence(.right, poses, frame) > confidence(.left, poses, frame)
        output[frame] = measure(isRight ? .right : .left, poses, frame) ?? .nan
      }
    }
  }

  /// A part's position on a side.
  @inline(__always)
  func point(_ part: BodyPart, _ side: Side, _ poses: borrowing PoseColumns, _ frame: Int) -> SIMD3<Float>? {
    point(part.joint(on: side), poses, frame)
  }
}

extension PoseColumns {
  /// The estimator's confidence in a part on a side.
  @inline(__always)
  func confidence(_ part: BodyPart, _ side: Side, _ frame: Int) -> Float {
    self[part.joint(on: side), .confidence, frame]
  }
}

/// A length of the body that divides other lengths, to be independent of the camera's distance and the person's height.
public struct ReferenceLength: Hashable, Sendable {
  /// One end of the length.
  public let from: BodyPart
  /// The other end of the length.
  public let to: BodyPart
  /// `trunk lengths`
  public let unit: String

  public init(from: BodyPart, to: BodyPart, unit: String) {
    self.from = from
    self.to = to
    self.unit = unit
  }

  /// From the middle of the hips to the middle of the shoulders.
  public static let trunk = ReferenceLength(from: .root, to: .neck, unit: "trunk lengths")

  /// Whether this is the trunk's length.
  var isTrunk: Bool { from.left == .root && to.left == .neck }

  /// The length in image heights; `nil` if an end is missing or both coincide.
  @inline(__always)
  func length(_ visibility: Visibility, _ side: Side, _ poses: borrowing PoseColumns, _ frame: Int) -> Float? {
    guard let a = visibility.point(from, side, poses, frame), let b = visibility.point(to, side, poses, frame) else {
      return nil
    }
    let d = b - a
    let length = (d.x * d.x + d.y * d.y + d.z * d.z).squareRoot()
    return length > 0 ? length : nil
  }
}

/// A reference length in the image, in image heights; NaN if it is measured in 3D or an end is missing.
public struct LengthInPicture: Signal {
  /// The length of the body.
  public var reference: ReferenceLength
  /// The combination of the lengths of both sides.
  public var side: SideRule
  /// The visibility thresholds of the joints.
  public var visibility: Visibility

  public init(_ reference: ReferenceLength, side: SideRule, _ visibility: Visibility) {
    self.reference = reference
    self.side = side
    self.visibility = visibility
  }

  public var name: String { "length \(reference.from.name)–\(reference.to.name)" }
  public var unit: String { "image heights" }

  public func measure(_ poses: borrowing PoseColumns, into output: UnsafeMutableBufferPointer<Float>) {
    visibility.combine(side, poses, into: output) { side, poses, frame in
      min(poses.confidence(reference.from, side, frame), poses.confidence(reference.to, side, frame))
    } _: { side, poses, frame in
      if visibility.usesDepth, poses[reference.from.joint(on: side), .z, frame].isFinite { return nil }
      return reference.length(visibility, side, poses, frame)
    }
  }
}

extension Side {
  var ear: Joint { self == .left ? .leftEar : .rightEar }
  var elbow: Joint { self == .left ? .leftElbow : .rightElbow }
  var wrist: Joint { self == .left ? .leftWrist : .rightWrist }
  var toe: Joint { self == .left ? .leftToe : .rightToe }
}

extension SIMD3<Float> {
  var length: Float { (self * self).sum().squareRoot() }

  /// The length along the floor: x, and z with depth.
  var levelLength: Float { (x * x + z * z).squareRoot() }
}
