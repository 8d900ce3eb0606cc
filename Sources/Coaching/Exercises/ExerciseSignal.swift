/// Something that an exercise measures on every frame, under the name that its rules call it by.
public struct ExerciseSignal: Hashable, Sendable {
  public enum Measure: Hashable, Sendable {
    /// At the second joint, degrees.
    case angle(BodyPart, BodyPart, BodyPart)
    /// From the vertical, degrees.
    case lean(lower: BodyPart, upper: BodyPart)
    case height(BodyPart, above: BodyPart, per: ReferenceLength)
    case heightOverLine(BodyPart, from: BodyPart, to: BodyPart, per: ReferenceLength)
    case distance(BodyPart, BodyPart, along: BodyDistance.Axis, per: ReferenceLength)
    /// Of a joint as seen from another, trunk lengths per second.
    case speed(BodyPart, from: BodyPart)
  }

  public var name: String
  public var measure: Measure
  public var side: SideRule

  public init(_ name: String, _ measure: Measure, side: SideRule) {
    self.name = name
    self.measure = measure
    self.side = side
  }

  /// The unit of thresholds on it.
  public var unit: Parameter.Unit {
    switch measure {
    case .angle, .lean: .degrees
    case .height(_, _, let per), .heightOverLine(_, _, _, let per), .distance(_, _, _, let per):
      per == .trunk ? .trunkLengths : .ratio
    case .speed: .trunkLengthsPerSecond
    }
  }

  /// What is measured on single frames: one signal, or for a speed the two coordinates that it is computed from.
  ///
  /// The signals that detectors in code use stand in where they measure the same, so that both share one measurement.
  func signals(_ visibility: Visibility) -> [any Signal] {
    switch measure {
    case .angle(let from, let vertex, let to):
      if side == .mean, [from, vertex, to].map(\.name) == ["hip", "knee", "ankle"] { return [KneeAngle(visibility)] }
      return [JointAngle(from: from, vertex: vertex, to: to, side: side, visibility)]
    case .lean(let lower, let upper):
      if side == .mean, [lower, upper].map(\.name) == ["hip", "shoulder"] { return [TrunkLean(visibility)] }
      return [SegmentLean(lower: lower, upper: upper, side: side, visibility)]
    case .height(let part, let base, let reference):
      return [JointHeight(part, above: base, per: reference, side: side, visibility)]
    case .heightOverLine(let part, let from, let to, let reference):
      return [HeightOverLine(part, from: from, to: to, per: reference, side: side, visibility)]
    case .distance(let from, let to, let axis, let reference):
      return [BodyDistance(from: from, to: to, along: axis, per: reference, side: side, visibility)]
    case .speed(let part, let base):
      return [
        BodyOffset(part: part, base: base, axis: .right, side: side, visibility: visibility),
        BodyOffset(part: part, base: base, axis: .up, side: side, visibility: visibility),
      ]
    }
  }
}
