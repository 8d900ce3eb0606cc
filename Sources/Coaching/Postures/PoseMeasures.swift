import PoseModel

/// The measures that distinguish pose classes, in one frame; NaN if a joint is missing.
///
/// Angles are degrees in the image, lengths are in trunk lengths (hip to shoulder in the image).
public struct PoseMeasures: Hashable, Sendable {
  /// The lean of the trunk, hip to shoulder, from the vertical: 0 upright, 90 horizontal.
  public var trunkLean = Float.nan
  /// The lean of the leg, ankle to hip, from the vertical.
  public var legLean = Float.nan
  /// The lean of the thigh, knee to hip, from the vertical: above 90 the knee is higher than the hip.
  public var thighLean = Float.nan
  /// The lean of the shank, ankle to knee, from the vertical.
  public var shankLean = Float.nan
  /// Hip–knee–ankle, 180 straight.
  public var kneeAngle = Float.nan
  /// Shoulder–hip–knee, 180 straight.
  public var hipAngle = Float.nan
  /// How far the hips are above the ankles.
  public var hipHeight = Float.nan
  /// How far the shoulders are above the lower one of elbow and wrist.
  public var armSupport = Float.nan
  /// How far the hips are above the lower one of elbow and wrist.
  public var hipClearance = Float.nan
  /// How far the body's mass is to the side of the ankles in the picture.
  public var imbalance = Float.nan
  /// How far the lower wrist is above the nose.
  public var handHeight = Float.nan

  public init() {}
}

/// Every `PoseMeasure` of a frame, in the order of the quantities: each joint is looked up once for all of them.
struct PoseMeasurement: FrameMeasurement {
  let visibility: Visibility

  func measure(_ poses: borrowing PoseColumns, into values: UnsafeMutableBufferPointer<Float>) {
    let left = SidePose(.all, of: .left, visibility, poses, 0)
    let right = SidePose(.all, of: .right, visibility, poses, 0)
    values[0] = Visibility.mean(left.value(of: .trunkLean), right.value(of: .trunkLean))
    values[1] = Visibility.mean(left.value(of: .legLean), right.value(of: .legLean))
    values[2] = Visibility.mean(left.value(of: .thighLean), right.value(of: .thighLean))
    values[3] = Visibility.mean(left.value(of: .shankLean), right.value(of: .shankLean))
    values[4] = Visibility.mean(left.value(of: .kneeAngle), right.value(of: .kneeAngle))
    values[5] = Visibility.mean(left.value(of: .hipAngle), right.value(of: .hipAngle))
    values[6] = Visibility.mean(left.value(of: .hipHeight), right.value(of: .hipHeight))
    values[7] = Visibility.mean(left.value(of: .armSupport), right.value(of: .armSupport))
    values[8] = Visibility.mean(left.value(of: .imbalance), right.value(of: .imbalance))
    values[9] = PoseMeasure.handHeight(visibility, poses, 0)
    values[10] = Visibility.mean(left.value(of: .hipClearance), right.value(of: .hipClearance))
  }
}

/// One of the pose classes' measures, as a signal.
public struct PoseMeasure: Signal {
  /// The measure; the raw value is its name as a signal.
  public enum Quantity: String, CaseIterable, Hashable, Sendable {
    /// `PoseMeasures.trunkLean`, degrees.
    case trunkLean = "trunk lean"
    /// `PoseMeasures.legLean`, degrees.
    case legLean = "leg lean"
    /// `PoseMeasures.thighLean`, degrees.
    case thighLean = "thigh lean"
    /// `PoseMeasures.shankLean`, degrees.
    case shankLean = "shank lean"
    /// `PoseMeasures.kneeAngle`, degrees.
    case kneeAngle = "knee angle"
    /// `PoseMeasures.hipAngle`, degrees.
    case hipAngle = "hip angle"
    /// `PoseMeasures.hipHeight`, trunk lengths.
    case hipHeight = "hip height"
    /// `PoseMeasures.armSupport`, trunk lengths.
    case armSupport = "arm support"
    /// `PoseMeasures.imbalance`, trunk lengths.
    case imbalance
    /// `PoseMeasures.handHeight`, trunk lengths.
    case handHeight = "hand height"
    /// `PoseMeasures.hipClearance`, trunk lengths.
    case hipClearance = "hip clearance"
  }

  /// The measure.
  public var quantity: Quantity
  /// The joints that it may use.
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
      for frame in 0..<poses.count { output[frame] = Self.handHeight(visibility, poses, frame) }
    } else {
      let parts = quantity.parts
      visibility.meanOverSides(poses, into: output) { side, poses, frame in
        SidePose(parts, of: side, visibility, poses, frame).value(of: quantity)
      }
    }
  }

  /// Needs the arms of both sides, unlike the others.
  static func handHeight(_ visibility: Visibility, _ poses: borrowing PoseColumns, _ frame: Int) -> Float {
    guard let nose = visibility.point(.nose, poses, frame), let neck = visibility.point(.neck, poses, frame),
      let root = visibility.point(.root, poses, frame), let left = visibility.point(.leftWrist, poses, frame),
      let right = visibility.point(.rightWrist, poses, frame)
    else { return .nan }
    return (nose.y - max(left.y, right.y)) / SidePose.length(root, neck)
  }
}

extension PoseMeasure.Quantity {
  /// The parts of one side that the quantity is measured on. If each of ten signals read all parts, that would be five
  /// times the work.
  fileprivate var parts: SidePose.Parts {
    switch self {
    case .trunkLean: [.hip, .shoulder]
    case .legLean: [.hip, .knee, .ankle]
    case .thighLean: [.hip, .knee]
    case .shankLean, .kneeAngle: [.hip, .knee, .ankle]
    case .hipAngle: [.hip, .shoulder, .knee]
    case .hipHeight: [.hip, .shoulder, .ankle]
    case .armSupport, .hipClearance: [.hip, .shoulder, .arm]
    case .imbalance: [.hip, .shoulder, .knee, .ankle]
    case .handHeight: []
    }
  }
}

/// The joints of one side of the body in a frame, `nil` if missing, and the pose measures on them.
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

  /// - parameter parts: The parts to read.
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

  /// - Parameter quantity: One that is measured on each side separately.
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

  /// y of the elbow or the wrist, whichever is lower in the image.
  @inline(__always)
  private var lowestOfArm: Float? {
    guard let elbow, let wrist else { return elbow?.y ?? wrist?.y }
    return max(elbow.y, wrist.y)
  }

  /// In the image.
  @inline(__always)
  static func length(_ a: SIMD3<Float>, _ b: SIMD3<Float>) -> Float {
    let d = a - b
    return (d.x * d.x + d.y * d.y).squareRoot()
  }
}

/// The centre of mass of a body, estimated from its joints.
///
/// For one side, as seen in the picture: head, arms and trunk weigh 0.678 of the body, with their centre 0.626 of the
/// way from hip to shoulder; the thighs 0.200, 0.433 of the way from hip to knee; the shanks and feet 0.122, 0.606 of the
/// way from knee to ankle. Arms held far from the trunk and loads in the hands are ignored.
///
/// Source: Winter, Biomechanics and Motor Control of Human Movement, 4th ed. 2009, table 4.1.
enum BodyMass {
  static func centre(
    shoulder: SIMD3<Float>, hip: SIMD3<Float>, knee: SIMD3<Float>, ankle: SIMD3<Float>
  ) -> SIMD3<Float> {
    let upper = hip + 0.626 * (shoulder - hip)
    let thighs = hip + 0.433 * (knee - hip)
    let shanks = knee + 0.606 * (ankle - knee)
    return 0.678 * upper + 0.200 * thighs + 0.122 * shanks
  }
}
