/// The joints that every skeleton is mapped onto.
///
/// `neck` is the middle of the shoulders and `root` the middle of the hips if a skeleton has no such keypoint or it was not
/// found; of a pair of which one joint is missing, they are at the other. Toes are the tips of the big toes (BlazePose:
/// foot index).
public enum Joint: UInt8, CaseIterable, Hashable, Sendable {
  /// The head.
  case nose, leftEye, rightEye, leftEar, rightEar
  /// The neck and the arms.
  case neck, leftShoulder, rightShoulder, leftElbow, rightElbow, leftWrist, rightWrist
  /// The root and the legs.
  case root, leftHip, rightHip, leftKnee, rightKnee, leftAnkle, rightAnkle
  /// The feet.
  case leftHeel, rightHeel, leftToe, rightToe

  /// Index in `allCases`, 0..<`count`.
  @inlinable public var index: Int { Int(rawValue) }

  /// Number of joints.
  public static let count = allCases.count

  /// The name in files and messages: `left_knee`.
  public var name: String { Self.names[index] }

  /// The joint with a `name`; `nil` if there is none.
  public init?(name: String) {
    guard let index = Self.names.firstIndex(of: name) else { return nil }
    self = Self.allCases[index]
  }

  private static let names = [
    "nose", "left_eye", "right_eye", "left_ear", "right_ear",
    "neck", "left_shoulder", "right_shoulder", "left_elbow", "right_elbow", "left_wrist", "right_wrist",
    "root", "left_hip", "right_hip", "left_knee", "right_knee", "left_ankle", "right_ankle",
    "left_heel", "right_heel", "left_toe", "right_toe",
  ]
}

/// A side of the body, the subject's own.
public enum Side: CaseIterable, Hashable, Sendable {
  /// Left and right as the subject has them, not as the picture does.
  case left, right

  /// The hip of this side.
  @inlinable public var hip: Joint { self == .left ? .leftHip : .rightHip }
  /// The knee of this side.
  @inlinable public var knee: Joint { self == .left ? .leftKnee : .rightKnee }
  /// The ankle of this side.
  @inlinable public var ankle: Joint { self == .left ? .leftAnkle : .rightAnkle }
  /// The shoulder of this side.
  @inlinable public var shoulder: Joint { self == .left ? .leftShoulder : .rightShoulder }
}

/// A set of joints in one word, which takes no memory of its own.
public struct JointSet: OptionSet, Hashable, Sendable {
  /// One bit per joint, at its `Joint.index`.
  public let rawValue: UInt32

  @inlinable public init(rawValue: UInt32) { self.rawValue = rawValue }

  @inlinable public init(_ joint: Joint) { rawValue = 1 << UInt32(joint.rawValue) }

  public init(_ joints: some Sequence<Joint>) {
    self = joints.reduce(into: []) { $0.formUnion(JointSet($1)) }
  }

  /// Number of joints in the set.
  @inlinable public var count: Int { rawValue.nonzeroBitCount }

  /// In the order of `Joint`.
  public var joints: [Joint] { Joint.allCases.filter { contains(JointSet($0)) } }
}
