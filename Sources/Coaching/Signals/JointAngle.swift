import PoseModel

/// The angle at a joint between the directions to two others, in degrees: 180 is straight.
public struct JointAngle: Signal {
  public var from: BodyPart
  public var vertex: BodyPart
  public var to: BodyPart
  public var side: SideRule
  public var visibility: Visibility

  public init(from: BodyPart, vertex: BodyPart, to: BodyPart, side: SideRule, _ visibility: Visibility) {
    self.from = from
    self.vertex = vertex
    self.to = to
    self.side = side
    self.visibility = visibility
  }

  public var name: String { "angle \(from.name)–\(vertex.name)–\(to.name)" }
  public var unit: String { "degrees" }

  public func measure(_ poses: borrowing PoseColumns, into output: UnsafeMutableBufferPointer<Float>) {
    visibility.combine(side, poses, into: output) { side, poses, frame in
      min(
        poses.confidence(from, side, frame), poses.confidence(vertex, side, frame), poses.confidence(to, side, frame))
    } _: { side, poses, frame in
      guard let a = visibility.point(from, side, poses, frame),
        let b = visibility.point(vertex, side, poses, frame), let c = visibility.point(to, side, poses, frame)
      else { return nil }
      return Angle.at(b, between: a, and: c)
    }
  }
}
