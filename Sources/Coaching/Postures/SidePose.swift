import PoseModel

/// The joints of one side of the body in a frame, `nil` where they are missing, and what pose classes measure on them.
struct SidePose {
  struct Parts: OptionSet {
    let rawValue: UInt8

    static let shoulder = Parts(rawValue: 1)
    static let hip = Parts(rawValue: 2)
    static let knee = Parts(rawValue: 4)
    static let ankle = Parts(rawValue: 8)
    /// Elbow and wrist.
    static let arm = Parts(rawValue: 16)
    static let all: Parts = [.shoulder, .hip, .knee, .ankle, .arm]
  }

  var shoulder: SIMD3<Float>?
  var hip: SIMD3<Float>?
  var knee: SIMD3<Float>?
  var ankle: SIMD3<Float>?
  var elbow: SIMD3<Float>?
  var wrist: SIMD3<Float>?

  /// - Parameter parts: the others are not looked at.
  @inline(__always)
  init(_ parts: Parts, of side: Side, _ visibility: Visibility, _ poses: borrowing PoseColumns, _ frame: Int) {
    if parts.contains(.shoulder) { shoulder = visibility.point(side.shoulder, poses, frame) }
    if parts.contains(.hip) { hip = visibility.point(side.hip, poses, frame) }
    if parts.contains(.knee) { knee = visibility.point(side.knee, poses, frame) }
    if parts.contains(.ankle) { ankle = visibility.point(side.ankle, poses, frame) }
    if parts.contains(.arm) {
      elbow = visibility.point(side.elbow, poses, frame)
      wrist = visibility.point(side.wrist, poses, frame)
    }
  }

  /// - Parameter quantity: one that is measured on each side by itself.
  @inline(__always)
  func value(of quantity: PoseMeasure.Quantity) -> Float? {
    guard let hip else { return nil }
    switch quantity {
    case .trunkLean: return shoulder.map { Angle.fromVertical(lower: hip, upper: $0) }
    case .legLean: return (ankle ?? knee).map { Angle.fromVertical(lower: $0, upper: hip) }
    case .thighLean: return knee.map { Angle.fromVertical(lower: $0, upper: hip) }
    case .shankLean:
      guard let knee, let ankle else { return nil }
      return Angle.fromVertical(lower: ankle, upper: knee)
    case .kneeAngle:
      guard let knee, let ankle else { return nil }
      return Angle.at(knee, between: hip, and: ankle)
    case .handHeight: return nil
    case .hipAngle, .hipHeight, .armSupport, .imbalance, .hipClearance: break
    }
    guard let shoulder else { return nil }
    let trunk = Self.length(hip, shoulder)
    switch quantity {
    case .armSupport: return lowestOfArm.map { ($0 - shoulder.y) / trunk }
    case .hipClearance: return lowestOfArm.map { ($0 - hip.y) / trunk }
    case .hipHeight: return ankle.map { ($0.y - hip.y) / trunk }
    case .hipAngle: return knee.map { Angle.at(hip, between: shoulder, and: $0) }
    default:
      guard let knee, let ankle else { return nil }
      let centre = BodyMass.centre(shoulder: shoulder, hip: hip, knee: knee, ankle: ankle)
      return abs(centre.x - ankle.x) / trunk
    }
  }

  /// y of the elbow or the wrist, whichever is lower in the picture.
  @inline(__always)
  private var lowestOfArm: Float? {
    guard let elbow, let wrist else { return elbow?.y ?? wrist?.y }
    return max(elbow.y, wrist.y)
  }

  /// In the picture.
  @inline(__always)
  static func length(_ a: SIMD3<Float>, _ b: SIMD3<Float>) -> Float {
    let d = a - b
    return (d.x * d.x + d.y * d.y).squareRoot()
  }
}
