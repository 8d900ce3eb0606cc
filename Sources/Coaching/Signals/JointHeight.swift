import PoseModel

/// How much higher one joint is than another, in reference lengths: below 0 where it is lower.
public struct JointHeight: Signal {
  public var part: BodyPart
  public var base: BodyPart
  public var reference: ReferenceLength
  public var side: SideRule
  public var visibility: Visibility

  public init(
    _ part: BodyPart, above base: BodyPart, per reference: ReferenceLength, side: SideRule, _ visibility: Visibility
  ) {
    self.part = part
    self.base = base
    self.reference = reference
    self.side = side
    self.visibility = visibility
  }

  public var name: String { "height of \(part.name) above \(base.name)" }
  public var unit: String { reference.unit }

  public func measure(_ poses: borrowing PoseColumns, into output: UnsafeMutableBufferPointer<Float>) {
    visibility.combine(side, poses, into: output) { side, poses, frame in
      min(poses.confidence(part, side, frame), poses.confidence(base, side, frame))
    } _: { side, poses, frame in
      guard let a = visibility.point(part, side, poses, frame), let b = visibility.point(base, side, poses, frame),
        let length = reference.length(visibility, side, poses, frame)
      else { return nil }
      return (b.y - a.y) / length
    }
  }
}
