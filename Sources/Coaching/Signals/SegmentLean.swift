import PoseModel

/// How far the direction from one joint to another leans from the vertical, in degrees: 0 straight up, 90 level, 180
/// straight down.
public struct SegmentLean: Signal {
  public var lower: BodyPart
  public var upper: BodyPart
  public var side: SideRule
  public var visibility: Visibility

  public init(lower: BodyPart, upper: BodyPart, side: SideRule, _ visibility: Visibility) {
    self.lower = lower
    self.upper = upper
    self.side = side
    self.visibility = visibility
  }

  public var name: String { "lean \(lower.name)–\(upper.name)" }
  public var unit: String { "degrees" }

  public func measure(_ poses: borrowing PoseColumns, into output: UnsafeMutableBufferPointer<Float>) {
    visibility.combine(side, poses, into: output) { side, poses, frame in
      min(poses.confidence(lower, side, frame), poses.confidence(upper, side, frame))
    } _: { side, poses, frame in
      guard let a = visibility.point(lower, side, poses, frame), let b = visibility.point(upper, side, poses, frame)
      else { return nil }
      return Angle.fromVertical(lower: a, upper: b)
    }
  }
}
