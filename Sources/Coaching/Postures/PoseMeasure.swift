import PoseModel

/// One of the measures that pose classes are told apart by, as a signal.
public struct PoseMeasure: Signal {
  public enum Quantity: String, CaseIterable, Hashable, Sendable {
    case trunkLean = "trunk lean"
    case legLean = "leg lean"
    case thighLean = "thigh lean"
    case shankLean = "shank lean"
    case kneeAngle = "knee angle"
    case hipAngle = "hip angle"
    case hipHeight = "hip height"
    case armSupport = "arm support"
    case imbalance
    case handHeight = "hand height"
    case hipClearance = "hip clearance"
  }

  public var quantity: Quantity
  public var visibility: Visibility

  public init(_ quantity: Quantity, _ visibility: Visibility) {
    self.quantity = quantity
    self.visibility = visibility
  }

  public var name: String { quantity.rawValue }

  public var unit: String {
    switch quantity {
    case .trunkLean, .legLean, .thighLean, .shankLean, .kneeAngle, .hipAngle: "degrees"
    case .hipHeight, .armSupport, .imbalance, .handHeight, .hipClearance: "trunk lengths"
    }
  }

  public func measure(_ poses: borrowing PoseColumns, into output: UnsafeMutableBufferPointer<Float>) {
    if quantity == .handHeight {
      for frame in 0..<poses.count { output[frame] = handHeight(poses, frame) }
    } else {
      visibility.meanOverSides(poses, into: output) { side, poses, frame in value(side, poses, frame) }
    }
  }

  /// Looks only at the joints that the quantity needs: ten signals of every joint would cost ten times as much.
  private func value(_ side: Side, _ poses: borrowing PoseColumns, _ frame: Int) -> Float? {
    guard let hip = visibility.point(side.hip, poses, frame) else { return nil }
    switch quantity {
    case .trunkLean:
      return visibility.point(side.shoulder, poses, frame).map { Angle.fromVertical(lower: hip, upper: $0) }
    case .legLean:
      return (visibility.point(side.ankle, poses, frame) ?? visibility.point(side.knee, poses, frame))
        .map { Angle.fromVertical(lower: $0, upper: hip) }
    case .thighLean: return visibility.point(side.knee, poses, frame).map { Angle.fromVertical(lower: $0, upper: hip) }
    case .shankLean:
      guard let knee = visibility.point(side.knee, poses, frame), let ankle = visibility.point(side.ankle, poses, frame)
      else { return nil }
      return Angle.fromVertical(lower: ankle, upper: knee)
    case .kneeAngle:
      guard let knee = visibility.point(side.knee, poses, frame), let ankle = visibility.point(side.ankle, poses, frame)
      else { return nil }
      return Angle.at(knee, between: hip, and: ankle)
    case .handHeight: return nil
    case .hipAngle, .hipHeight, .armSupport, .imbalance, .hipClearance: break
    }
    guard let shoulder = visibility.point(side.shoulder, poses, frame) else { return nil }
    let trunk = Self.length(hip, shoulder)
    switch quantity {
    case .armSupport: return lowestOfArm(side, poses, frame).map { ($0 - shoulder.y) / trunk }
    case .hipClearance: return lowestOfArm(side, poses, frame).map { ($0 - hip.y) / trunk }
    case .hipHeight: return visibility.point(side.ankle, poses, frame).map { ($0.y - hip.y) / trunk }
    case .hipAngle:
      return visibility.point(side.knee, poses, frame).map { Angle.at(hip, between: shoulder, and: $0) }
    default:
      guard let knee = visibility.point(side.knee, poses, frame), let ankle = visibility.point(side.ankle, poses, frame)
      else { return nil }
      let centre = BodyMass.centre(shoulder: shoulder, hip: hip, knee: knee, ankle: ankle)
      return abs(centre.x - ankle.x) / trunk
    }
  }

  /// y of the elbow or the wrist, whichever is lower in the picture.
  private func lowestOfArm(_ side: Side, _ poses: borrowing PoseColumns, _ frame: Int) -> Float? {
    let elbow = visibility.point(side == .left ? .leftElbow : .rightElbow, poses, frame)?.y
    let wrist = visibility.point(side == .left ? .leftWrist : .rightWrist, poses, frame)?.y
    guard let elbow, let wrist else { return elbow ?? wrist }
    return max(elbow, wrist)
  }

  private func handHeight(_ poses: borrowing PoseColumns, _ frame: Int) -> Float {
    guard let nose = visibility.point(.nose, poses, frame), let neck = visibility.point(.neck, poses, frame),
      let root = visibility.point(.root, poses, frame), let left = visibility.point(.leftWrist, poses, frame),
      let right = visibility.point(.rightWrist, poses, frame)
    else { return .nan }
    return (nose.y - max(left.y, right.y)) / Self.length(root, neck)
  }

  private static func length(_ a: SIMD3<Float>, _ b: SIMD3<Float>) -> Float {
    let d = a - b
    return (d.x * d.x + d.y * d.y).squareRoot()
  }
}
