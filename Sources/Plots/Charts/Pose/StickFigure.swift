/// A person's joints and the bones between them at one moment.
public struct StickFigure: Hashable, Sendable {
  /// How sure a joint is; one that is not even poor is not drawn.
  public enum Certainty: Hashable, Sendable, Comparable, CaseIterable {
    case poor, doubtful, sure

    var meaning: Meaning {
      switch self {
      case .poor: .worse
      case .doubtful: .uncertain
      case .sure: .neutral
      }
    }
  }

  public struct Joint: Hashable, Sendable {
    /// To the right and down, in any unit that is the same for both.
    public var x: Double
    public var y: Double
    /// `nil` where the joint is not to be drawn.
    public var certainty: Certainty?

    public init(x: Double, y: Double, certainty: Certainty?) {
      self.x = x
      self.y = y
      self.certainty = certainty
    }

    var isDrawn: Bool { certainty != nil && x.isFinite && y.isFinite }
  }

  /// A line between two joints, given by their positions.
  public struct Bone: Hashable, Sendable {
    public var from: Int
    public var to: Int

    public init(from: Int, to: Int) {
      self.from = from
      self.to = to
    }
  }

  public var joints: [Joint]
  public var bones: [Bone]

  public init(joints: [Joint], bones: [Bone]) {
    self.joints = joints
    self.bones = bones
  }

  /// The joints at both ends of a bone and how sure the less sure of them is; `nil` where one is missing.
  func ends(of bone: Bone) -> (from: Joint, to: Joint, certainty: Certainty)? {
    guard joints.indices.contains(bone.from), joints.indices.contains(bone.to) else { return nil }
    let (from, to) = (joints[bone.from], joints[bone.to])
    guard from.isDrawn, to.isDrawn, let one = from.certainty, let other = to.certainty else { return nil }
    return (from, to, min(one, other))
  }
}
