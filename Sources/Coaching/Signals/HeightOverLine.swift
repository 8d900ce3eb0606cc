import PoseModel

/// How far above the straight line through two joints a third one is, in reference lengths: below 0 where it sags.
///
/// Measured in the picture at right angles to the line, on its upper side; without meaning where the line is upright.
public struct HeightOverLine: Signal {
  public var part: BodyPart
  public var from: BodyPart
  public var to: BodyPart
  public var reference: ReferenceLength
  public var side: SideRule
  public var visibility: Visibility

  public init(
    _ part: BodyPart, from: BodyPart, to: BodyPart, per reference: ReferenceLength, side: SideRule,
    _ visibility: Visibility
  ) {
    self.part = part
    self.from = from
    self.to = to
    self.reference = reference
    self.side = side
    self.visibility = visibility
  }

  public var name: String { "height of \(part.name) over the line \(from.name)–\(to.name)" }
  public var unit: String { reference.unit }

  public func measure(_ poses: borrowing PoseColumns, into output: UnsafeMutableBufferPointer<Float>) {
    visibility.combine(side, poses, into: output) { side, poses, frame in
      min(
        poses.confidence(part, side, frame), poses.confidence(from, side, frame), poses.confidence(to, side, frame))
    } _: { side, poses, frame in
      guard let p = visibility.point(part, side, poses, frame), let a = visibility.point(from, side, poses, frame),
        let b = visibility.point(to, side, poses, frame),
        let length = reference.length(visibility, side, poses, frame)
      else { return nil }
      let (u, v) = (b - a, p - a)
      let across = (u.x * u.x + u.y * u.y).squareRoot()
      guard across > 0 else { return nil }
      // y points down: for a line that runs to the right the cross product is below 0 above it.
      let signed = (u.x * v.y - u.y * v.x) / across
      return (u.x > 0 ? -signed : signed) / length
    }
  }
}
