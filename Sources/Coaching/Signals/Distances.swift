import PoseModel

/// The distance between two joints, in image heights; in 3D if depth is used, otherwise in the image.
///
/// NaN if a joint is missing or has low confidence.
public struct JointDistance: Signal {
  /// One of the two joints.
  public var first: Joint
  /// The other joint.
  public var second: Joint
  /// The visibility thresholds of the joints.
  public var visibility: Visibility

  public init(_ first: Joint, _ second: Joint, _ visibility: Visibility) {
    self.first = first
    self.second = second
    self.visibility = visibility
  }

  public var name: String { "\(first.name) to \(second.name)" }
  public var unit: String { "image heights" }

  public func measure(_ poses: borrowing PoseColumns, into output: UnsafeMutableBufferPointer<Float>) {
    for frame in 0..<poses.count {
      guard let a = visibility.point(first, poses, frame), let b = visibility.point(second, poses, frame) else {
        output[frame] = .nan
        continue
      }
      let offset = b - a
      output[frame] = (offset * offset).sum().squareRoot()
    }
  }
}

/// The distance between two joints, in reference lengths, 0 or more.
public struct BodyDistance: Signal {
  /// The part of the distance that counts.
  public enum Axis: String, CaseIterable, Hashable, Sendable {
    /// The straight line, or its part along an axis of the image.
    case both, horizontal, vertical
  }

  /// One of the two parts.
  public var from: BodyPart
  /// The other part.
  public var to: BodyPart
  /// `both` is the straight line, the others its part along the picture's axis.
  public var axis: Axis
  /// The body length used as the unit.
  public var reference: ReferenceLength
  /// The combination of both sides' distances.
  public var side: SideRule
  /// The visibility thresholds of the joints.
  public var visibility: Visibility

  public init(
    from: BodyPart, to: BodyPart, along axis: Axis, per reference: ReferenceLength, side: SideRule,
    _ visibility: Visibility
  ) {
    self.from = from
    self.to = to
    self.axis = axis
    self.reference = reference
    self.side = side
    self.visibility = visibility
  }

  public var name: String { "distance \(from.name)–\(to.name)" }
  public var unit: String { reference.unit }

  /// The least size of a reference length relative to the trunk: from the side, the distance of the feet is no scale
  /// for that of the knees.
  private static let leastReference: Float = 0.25

  public func measure(_ poses: borrowing PoseColumns, into output: UnsafeMutableBufferPointer<Float>) {
    visibility.combine(side, poses, into: output) { side, poses, frame in
      min(poses.confidence(from, side, frame), poses.confidence(to, side, frame))
    } _: { side, poses, frame in
      guard let a = visibility.point(from, side, poses, frame), let b = visibility.point(to, side, poses, frame),
        let length = reference.length(visibility, side, poses, frame)
      else { return nil }
      if !reference.isTrunk {
        guard let trunk = ReferenceLength.trunk.length(visibility, side, poses, frame),
          length >= Self.leastReference * trunk
        else { return nil }
      }
      let d = b - a
      return switch axis {
      case .both: (d.x * d.x + d.y * d.y + d.z * d.z).squareRoot() / length
      case .horizontal: (d.x * d.x + d.z * d.z).squareRoot() / length
      case .vertical: abs(d.y) / length
      }
    }
  }
}

/// The distance between the knees divided by that between the ankles: the knee-to-ankle separation ratio.
///
/// 1 with upright shanks, less if the knees cave in. A surrogate of knee abduction that is defined on pictures from the
/// front (Willis et al., Relationship Between 2-Dimensional Frontal Plane Measures and the Knee Abduction Angle During
/// the Drop Vertical Jump, Journal of Sport Rehabilitation 28, 2019). From the side, where the ankles are less than
/// `KneeSeparation.leastStance` trunk lengths apart in the picture, it is NaN.
public struct KneeSeparation: Signal {
  /// Trunk lengths. Hips are 0.66 trunk lengths apart (0.191 and 0.288 of stature, Drillis and Contini 1966).
  public static let leastStance: Float = 0.35

  /// The visibility thresholds of the joints.
  public var visibility: Visibility

  public init(_ visibility: Visibility) { self.visibility = visibility }

  public var name: String { "knee separation" }
  public var unit: String { "ankle separations" }

  public func measure(_ poses: borrowing PoseColumns, into output: UnsafeMutableBufferPointer<Float>) {
    for frame in 0..<poses.count {
      output[frame] = .nan
      guard let leftKnee = visibility.point(.leftKnee, poses, frame),
        let rightKnee = visibility.point(.rightKnee, poses, frame),
        let leftAnkle = visibility.point(.leftAnkle, poses, frame),
        let rightAnkle = visibility.point(.rightAnkle, poses, frame),
        let neck = visibility.point(.neck, poses, frame), let root = visibility.point(.root, poses, frame)
      else { continue }
      let stance = (leftAnkle - rightAnkle).levelLength
      guard stance > Self.leastStance * (neck - root).length else { continue }
      output[frame] = (leftKnee - rightKnee).levelLength / stance
    }
  }
}

/// How far apart the ankles are, in shoulder widths, as seen from the front.
///
/// NaN if the shoulders are less than 0.4 trunk lengths apart in the image: they are 0.9 of it from the front (0.259
/// and 0.288 of stature, Drillis and Contini 1966), and from the side a stance has no width.
public struct StanceWidth: Signal {
  private static let leastShoulders: Float = 0.4

  /// The visibility thresholds of the joints.
  public var visibility: Visibility

  public init(_ visibility: Visibility) { self.visibility = visibility }

  public var name: String { "stance width" }
  public var unit: String { "shoulder widths" }

  public func measure(_ poses: borrowing PoseColumns, into output: UnsafeMutableBufferPointer<Float>) {
    for frame in 0..<poses.count {
      output[frame] = .nan
      guard let leftShoulder = visibility.point(.leftShoulder, poses, frame),
        let rightShoulder = visibility.point(.rightShoulder, poses, frame),
        let leftAnkle = visibility.point(.leftAnkle, poses, frame),
        let rightAnkle = visibility.point(.rightAnkle, poses, frame),
        let root = visibility.point(.root, poses, frame)
      else { continue }
      let shoulders = (leftShoulder - rightShoulder).levelLength
      let trunk = (0.5 * (leftShoulder + rightShoulder) - root).length
      guard trunk > 0, shoulders > Self.leastShoulders * trunk else { continue }
      output[frame] = (leftAnkle - rightAnkle).levelLength / shoulders
    }
  }
}
