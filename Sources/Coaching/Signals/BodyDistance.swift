import PoseModel

/// How far one joint is from another, in reference lengths: from 0 up.
public struct BodyDistance: Signal {
  public enum Axis: String, CaseIterable, Hashable, Sendable {
    case both, horizontal, vertical
  }

  public var from: BodyPart
  public var to: BodyPart
  /// `both` is the straight line, the others its part along the picture's axis.
  public var axis: Axis
  public var reference: ReferenceLength
  public var side: SideRule
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

  /// What a reference length must measure of the trunk to divide by: seen from the side, feet
  /// say nothing of the knees between them.
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
