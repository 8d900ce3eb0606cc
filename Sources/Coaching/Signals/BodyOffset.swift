import PoseModel

/// Where a joint is seen from another along one axis of the picture, in trunk lengths: right and up are above 0.
///
/// Two of them, one an axis, are what a speed is computed from.
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
