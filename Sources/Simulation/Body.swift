import PoseModel
import RealModule
import Statistics

/// The lengths of a person's segments, in metres.
///
/// The segments end at the joint centres. Proportions of stature are those of Drillis and Contini, Body Segment
/// Parameters, 1966, as in Winter, Biomechanics and Motor Control of Human Movement, 4th ed. 2009, figure 4.1: ankle
/// height 0.039, shank 0.285 - 0.039, thigh 0.530 - 0.285, trunk (hip to shoulder) 0.818 - 0.530, upper arm 0.186,
/// forearm 0.146, foot 0.152, eye height 0.936. The figure's breadths (hips 0.191, shoulders 0.259) are those of the
/// outside of the body, so the joint centres stand closer: 0.11 and 0.22 apart, which at 1.75 m are 19 cm and 38 cm.
public struct Body: Hashable, Sendable {
  /// The sex, which affects an adult's stature most.
  public enum Sex: CaseIterable, Hashable, Sendable { case female, male }

  public var stature: Double
  /// The height of the ankle's centre above the floor.
  public var ankleHeight: Double
  public var shank: Double
  public var thigh: Double
  /// The distance between the centres of the hips.
  public var hipBreadth: Double
  public var trunk: Double
  /// The distance between the centres of the shoulders.
  public var shoulderBreadth: Double
  public var upperArm: Double
  public var forearm: Double
  public var foot: Double

  /// A body with the published proportions.
  public init(stature: Double) {
    self.stature = stature
    ankleHeight = 0.039 * stature
    shank = 0.246 * stature
    thigh = 0.245 * stature
    hipBreadth = 0.11 * stature
    trunk = 0.288 * stature
    shoulderBreadth = 0.22 * stature
    upperArm = 0.186 * stature
    forearm = 0.146 * stature
    foot = 0.152 * stature
  }

  /// A random adult, with proportions that differ from person to person by a few per cent.
  ///
  /// Median stature 69.4 in (men) and 63.8 in (women): McDowell et al., Anthropometric Reference Data for
  /// Children and Adults: United States, 2003-2006, National Health Statistics Reports 10, 2008. Standard deviations
  /// 2.85 in and 2.58 in: Weight, Height, and Selected Body Dimensions of Adults, National Center for Health Statistics,
  /// Series 11, No. 8, 1965. Each length then varies by 3 %, at most 6 %.
  public init(of sex: Sex, using generator: inout SeededGenerator) {
    let (median, deviation) =
      switch sex {
      case .female: (63.8, 2.58)
      case .male: (69.4, 2.85)
      }
    self.init(stature: 0.0254 * generator.normal(median, sd: deviation, limit: 2))
    for length in Self.variable { self[keyPath: length] *= generator.normal(1, sd: 0.03, limit: 2) }
  }

  private static var variable: [WritableKeyPath<Body, Double>] {
    [\.shank, \.thigh, \.hipBreadth, \.trunk, \.shoulderBreadth, \.upperArm, \.forearm, \.foot]
  }
}

/// The positions of all joints of a person in space, in metres: x and y along the floor, z up.
public struct JointPositions: Hashable, Sendable {
  private var values = [SIMD3<Double>](repeating: .zero, count: Joint.count)

  init() {}

  public internal(set) subscript(_ joint: Joint) -> SIMD3<Double> {
    get { values[joint.index] }
    set { values[joint.index] = newValue }
  }

  public func distance(_ a: Joint, _ b: Joint) -> Double { self[a].distance(to: self[b]) }

  /// The angle at `vertex` between the directions to `a` and `b`, 0...180 degrees.
  public func angle(at vertex: Joint, between a: Joint, and b: Joint) -> Double {
    let u = self[a] - self[vertex]
    let v = self[b] - self[vertex]
    return Double.atan2(y: u.cross(v).length, x: u.dot(v)).degreesFromRadians
  }

  /// The interior angle of the knee: 180 degrees when straight.
  public func kneeAngle(_ side: Side) -> Double { angle(at: side.knee, between: side.hip, and: side.ankle) }

  /// How far a thigh is from horizontal, in degrees: positive with the hip higher than the knee.
  public func thighRise(_ side: Side) -> Double {
    let thigh = self[side.hip] - self[side.knee]
    return Double.atan2(y: thigh.z, x: (thigh.x * thigh.x + thigh.y * thigh.y).squareRoot()).degreesFromRadians
  }

  /// How far the trunk leans from the vertical, in degrees.
  public var trunkLean: Double {
    let trunk = self[.neck] - self[.root]
    return Double.atan2(y: (trunk.x * trunk.x + trunk.y * trunk.y).squareRoot(), x: trunk.z).degreesFromRadians
  }
}

/// A whole body's posture, which determines the joints' positions.
public struct Posture: Hashable, Sendable {
  /// The midpoint of the hips, in metres.
  var pelvis: SIMD3<Double>
  /// The direction that pelvis and trunk face, in degrees.
  var heading: Double
  /// How far the trunk leans forward from the vertical, in degrees.
  var lean: Double
  /// How far the knees turn inward from the direction of the toes, in degrees.
  var kneesInward: Double
  var leftFoot: Footing
  var rightFoot: Footing
  var arms: Arms
  /// How far the spine is bent from pelvis to shoulders, in degrees; bending brings the two closer together.
  var rounding = 0.0
}

extension Posture {
  /// The posture between `a` (fraction 0) and `b` (fraction 1).
  static func blend(_ a: Self, _ b: Self, _ fraction: Double) -> Self {
    var posture = a
    posture.pelvis = a.pelvis + (b.pelvis - a.pelvis) * fraction
    posture.heading = .blend(a.heading, b.heading, fraction)
    posture.lean = .blend(a.lean, b.lean, fraction)
    posture.rounding = .blend(a.rounding, b.rounding, fraction)
    posture.kneesInward = .blend(a.kneesInward, b.kneesInward, fraction)
    posture.leftFoot = .blend(a.leftFoot, b.leftFoot, fraction)
    posture.rightFoot = .blend(a.rightFoot, b.rightFoot, fraction)
    posture.arms = .blend(a.arms, b.arms, fraction)
    return posture
  }
}

/// The posture of the legs over planted feet, in degrees.
struct LegPosture: Hashable, Sendable {
  /// The flexion of the knee: 0 when straight.
  var flexion: Double
  /// How far the shank leans forward from the vertical: the ankle's dorsiflexion over a flat foot.
  var shank: Double
  var heelRise = 0.0
  var kneesInward = 0.0
}

/// The posture of one arm, by the directions of its two segments, in degrees.
struct ArmPosture: Hashable, Sendable {
  /// The direction of the upper arm: 0 hangs down, 90 points ahead, 180 up.
  var upperArm: Double
  /// The angle of the upper arm away from the body.
  var outward: Double
  /// The direction of the forearm, as for the upper arm.
  var forearm: Double
  /// The angle of the forearm away from the body; negative across it.
  var forearmOutward: Double
  /// How far the directions turn with the leaning trunk: 0 not at all, 1 fully.
  var withTrunk: Double

  static func blend(_ a: Self, _ b: Self, _ fraction: Double) -> Self {
    Self(
      upperArm: .blend(a.upperArm, b.upperArm, fraction), outward: .blend(a.outward, b.outward, fraction),
      forearm: .blend(a.forearm, b.forearm, fraction),
      forearmOutward: .blend(a.forearmOutward, b.forearmOutward, fraction),
      withTrunk: .blend(a.withTrunk, b.withTrunk, fraction))
  }

  static let hanging = Self(upperArm: 2, outward: 9, forearm: 14, forearmOutward: 4, withTrunk: 0.3)
  static let ahead = Self(upperArm: 84, outward: 4, forearm: 88, forearmOutward: -2, withTrunk: 0)
  static let handsOnHips = Self(upperArm: -22, outward: 38, forearm: 35, forearmOutward: -52, withTrunk: 1)
  static let handsAtChest = Self(upperArm: 28, outward: 8, forearm: 128, forearmOutward: -28, withTrunk: 0.9)
  static let overhead = Self(upperArm: 165, outward: 12, forearm: 172, forearmOutward: 2, withTrunk: 0.8)
  static let behind = Self(upperArm: -32, outward: 10, forearm: -18, forearmOutward: 6, withTrunk: 0.3)
}

/// The posture of both arms.
struct Arms: Hashable, Sendable {
  var left: ArmPosture
  var right: ArmPosture

  init(_ both: ArmPosture) {
    left = both
    right = both
  }

  static func blend(_ a: Self, _ b: Self, _ fraction: Double) -> Self {
    var arms = a
    arms.left = .blend(a.left, b.left, fraction)
    arms.right = .blend(a.right, b.right, fraction)
    return arms
  }
}

/// The points of one foot, in metres.
struct Foot {
  var ankle: SIMD3<Double>
  var heel: SIMD3<Double>
  var toe: SIMD3<Double>

  /// The position of ankle and ball in front of the heel, as a share of the foot's length.
  static let ankleAlong = 0.25
  static let ballAlong = 0.72

  /// A heel rises as the foot turns about its ball, while the toes stay flat.
  init(body: Body, footing: Footing) {
    let direction = Placement.direction(footing.yaw)
    let floor = SIMD3(footing.x, footing.y, footing.lift)
    let ball = (Self.ballAlong - Self.ankleAlong) * body.foot
    func turned(back: Double, up: Double) -> SIMD3<Double> {
      let (sine, cosine) = (footing.heelRise.sineOfDegrees, footing.heelRise.cosineOfDegrees)
      return floor + direction * (ball - back * cosine + up * sine) + SIMD3(0, 0, back * sine + up * cosine)
    }
    ankle = turned(back: ball, up: body.ankleHeight)
    heel = turned(back: ball + Self.ankleAlong * body.foot, up: 0)
    toe = floor + direction * ((1 - Self.ankleAlong) * body.foot)
  }
}

extension Body {
  /// Every joint's position, by forward kinematics up from the pelvis and, for legs whose two ends are given, by the law
  /// of cosines.
  ///
  /// No segment's length ever changes: a foot beyond its leg's reach is pulled along.
  func joints(of posture: Posture) -> JointPositions {
    var joints = JointPositions()
    let facing = Placement(heading: posture.heading)
    let up = SIMD3(0.0, 0, 1)
    joints[.root] = posture.pelvis
    let axis = up * posture.lean.cosineOfDegrees + facing.forward * posture.lean.sineOfDegrees
    joints[.neck] = posture.pelvis + axis * chordOfTrunk(rounding: posture.rounding)
    setHead(&joints, facing: facing, lean: posture.lean + posture.rounding)
    for side in Side.allCases {
      let left = facing.left * side.sign
      joints[side.hip] = joints[.root] + left * (hipBreadth / 2)
      joints[side.shoulder] = joints[.neck] + left * (shoulderBreadth / 2)
      setArm(&joints, side, side == .left ? posture.arms.left : posture.arms.right, facing: facing, lean: posture.lean)
      setLeg(&joints, side, side == .left ? posture.leftFoot : posture.rightFoot, inward: posture.kneesInward)
    }
    return joints
  }

  /// The distance between pelvis and neck if the spine is an arc of this many degrees with the trunk's length.
  func chordOfTrunk(rounding: Double) -> Double {
    guard rounding != 0 else { return trunk }
    let half = rounding / 2
    return trunk * half.sineOfDegrees / (half * .pi / 180)
  }

  /// The eyes look ahead: the head follows only a part of the trunk's lean.
  private func setHead(_ joints: inout JointPositions, facing: Placement, lean: Double) {
    let tilt = lean * 0.45
    let up = SIMD3(0.0, 0, tilt.cosineOfDegrees) + facing.forward * tilt.sineOfDegrees
    let forward = facing.forward * tilt.cosineOfDegrees - SIMD3(0, 0, tilt.sineOfDegrees)
    setHead(&joints, up: up, forward: forward, left: facing.left)
  }

  /// Places the head on the neck, with its crown to `up` and its face to `forward`.
  ///
  /// Eyes stand 0.936 of stature above the floor (Winter 2009, figure 4.1), 0.118 above the shoulders.
  func setHead(_ joints: inout JointPositions, up: SIMD3<Double>, forward: SIMD3<Double>, left: SIMD3<Double>) {
    func place(_ joint: Joint, ahead: Double, left sideways: Double, up height: Double) {
      joints[joint] = joints[.neck] + (forward * ahead + left * sideways + up * height) * stature
    }
    place(.nose, ahead: 0.068, left: 0, up: 0.098)
    place(.leftEye, ahead: 0.055, left: 0.0185, up: 0.118)
    place(.rightEye, ahead: 0.055, left: -0.0185, up: 0.118)
    place(.leftEar, ahead: 0.006, left: 0.043, up: 0.108)
    place(.rightEar, ahead: 0.006, left: -0.043, up: 0.108)
  }

  private func setArm(
    _ joints: inout JointPositions, _ side: Side, _ arm: ArmPosture, facing: Placement, lean: Double
  ) {
    func direction(_ elevation: Double, _ outward: Double) -> SIMD3<Double> {
      // A forward-leaning trunk takes a hanging arm backwards.
      let angle = elevation - lean * arm.withTrunk
      return (facing.forward * angle.sineOfDegrees - SIMD3(0, 0, angle.cosineOfDegrees)) * outward.cosineOfDegrees
        + facing.left * (side.sign * outward.sineOfDegrees)
    }
    joints[side.elbow] = joints[side.shoulder] + direction(arm.upperArm, arm.outward) * upperArm
    joints[side.wrist] = joints[side.elbow] + direction(arm.forearm, arm.forearmOutward) * forearm
  }

  private func setLeg(_ joints: inout JointPositions, _ side: Side, _ footing: Footing, inward: Double) {
    let foot = Foot(body: self, footing: footing)
    let hip = joints[side.hip]
    let reach = (shank + thigh) * 0.9999
    let wanted = foot.ankle - hip
    let span = min(wanted.length, reach)
    let axis = wanted.normalized
    let ankle = hip + axis * span
    let pull = ankle - foot.ankle
    joints[side.ankle] = ankle
    joints[side.heel] = foot.heel + pull
    joints[side.toe] = foot.toe + pull
    // The knee lies on a circle about the line from hip to ankle, on the side that the toes point to.
    let along = (thigh * thigh + span * span - shank * shank) / (2 * span)
    let radius = max(thigh * thigh - along * along, 0).squareRoot()
    let pole = Placement.direction(footing.yaw - side.sign * inward).perpendicular(to: axis).normalized
    joints[side.knee] = hip + axis * along + pole * radius
  }
}

extension Body {
  /// The whole body's centre of mass, in metres.
  ///
  /// Segment masses as fractions of the body's and centres along the segments: Winter, Biomechanics and Motor Control of
  /// Human Movement, 4th ed. 2009, table 4.1 (after Dempster). The head's centre is at the ear canals, the hand belongs
  /// to the forearm.
  public func centreOfMass(_ joints: JointPositions) -> SIMD3<Double> {
    func along(_ proximal: Joint, _ distal: Joint, _ fraction: Double) -> SIMD3<Double> {
      joints[proximal] * (1 - fraction) + joints[distal] * fraction
    }
    var sum = along(.root, .neck, 0.5) * 0.497 + along(.leftEar, .rightEar, 0.5) * 0.081
    sum += (along(.leftShoulder, .leftElbow, 0.436) + along(.rightShoulder, .rightElbow, 0.436)) * 0.028
    sum += (along(.leftElbow, .leftWrist, 0.682) + along(.rightElbow, .rightWrist, 0.682)) * 0.022
    sum += (along(.leftHip, .leftKnee, 0.433) + along(.rightHip, .rightKnee, 0.433)) * 0.1
    sum += (along(.leftKnee, .leftAnkle, 0.433) + along(.rightKnee, .rightAnkle, 0.433)) * 0.0465
    sum += (along(.leftHeel, .leftToe, 0.5) + along(.rightHeel, .rightToe, 0.5)) * 0.0145
    return sum
  }

  /// How far ahead of the ankles the line of gravity falls when standing, in metres.
  ///
  /// About 5 cm: Winter, Human balance and posture control during standing and walking, Gait & Posture 3, 1995.
  public var balancePoint: Double { 0.03 * stature }

  /// A posture over two planted feet, balanced by the lean of the trunk.
  ///
  /// - Parameter sway: How far the centre of mass is in front of the balance point, in metres.
  func balanced(
    _ legs: LegPosture, arms: Arms, stance: Stance, at place: Placement, sway: Double
  ) -> Posture {
    var posture = planted(legs, lean: 0, arms: arms, stance: stance, at: place)
    posture.lean = root(in: -30, 85) { lean in
      posture.lean = lean
      return imbalance(posture, at: place) - sway
    }
    return posture
  }

  /// A posture over two planted feet with a given lean of the trunk, balanced by the lean of the shanks.
  func balanced(
    lean: Double, _ legs: LegPosture, arms: Arms, stance: Stance, at place: Placement, sway: Double
  ) -> (posture: Posture, shank: Double) {
    var legs = legs
    legs.shank = root(in: -25, 45) { shank in
      legs.shank = shank
      return imbalance(planted(legs, lean: lean, arms: arms, stance: stance, at: place), at: place) - sway
    }
    return (planted(legs, lean: lean, arms: arms, stance: stance, at: place), legs.shank)
  }

  /// How far the knees must turn in, in degrees, for this distance between them, in units of the ankles' distance.
  func kneesInward(separation: Double, _ legs: LegPosture, stance: Stance) -> Double {
    var legs = legs
    return root(in: 0, 60) { inward in
      legs.kneesInward = inward
      let joints = joints(of: planted(legs, lean: 0, arms: Arms(.hanging), stance: stance, at: Placement()))
      // Signed, because knees that pass each other move apart again.
      return separation - (joints[.leftKnee].y - joints[.rightKnee].y) / joints.distance(.leftAnkle, .rightAnkle)
    }
  }

  private func imbalance(_ posture: Posture, at place: Placement) -> Double {
    let joints = joints(of: posture)
    let ankles = (joints[.leftAnkle] + joints[.rightAnkle]) / 2
    return (centreOfMass(joints) - ankles).dot(place.forward) - balancePoint
  }

  /// Computes the pelvis from the angles of ankles and knees.
  func planted(
    _ legs: LegPosture, lean: Double, arms: Arms, stance: Stance, at place: Placement
  ) -> Posture {
    var feet = Side.allCases.map { stance.footing($0, at: place) }
    for index in feet.indices { feet[index].heelRise = legs.heelRise }
    let ankle = Foot(body: self, footing: feet[0]).ankle - SIMD3(place.x, place.y, 0)
    let reach = (shank * shank + thigh * thigh + 2 * shank * thigh * legs.flexion.cosineOfDegrees).squareRoot()
    // At the ankle, between the shank and the line to the hip.
    let opening = Double.atan2(y: thigh * legs.flexion.sineOfDegrees, x: shank + thigh * legs.flexion.cosineOfDegrees)
      .degreesFromRadians
    let sideways = ankle.dot(place.left) - hipBreadth / 2
    let rise = max(reach * reach - sideways * sideways, 0).squareRoot()
    let direction = legs.shank - opening
    let pelvis = place.point(
      forward: ankle.dot(place.forward) + rise * direction.sineOfDegrees, left: 0,
      up: ankle.z + rise * direction.cosineOfDegrees)
    return Posture(
      pelvis: pelvis, heading: place.heading, lean: lean, kneesInward: legs.kneesInward, leftFoot: feet[0],
      rightFoot: feet[1], arms: arms)
  }

  /// The zero of a rising function; the nearer bound if there is none.
  ///
  /// Computed by the Illinois form of false position: Dowell and Jarratt, BIT 11, 1971.
  private func root(in lower: Double, _ upper: Double, _ function: (Double) -> Double) -> Double {
    var (low, high) = (lower, upper)
    var (atLow, atHigh) = (function(low), function(high))
    guard atLow < 0 else { return lower }
    guard atHigh > 0 else { return upper }
    var lastWasHigh: Bool?
    for _ in 0..<60 {
      let next = (low * atHigh - high * atLow) / (atHigh - atLow)
      let value = function(next)
      if abs(value) < 1e-10 { return next }
      if value > 0 {
        (high, atHigh) = (next, value)
        if lastWasHigh == true { atLow /= 2 }
      } else {
        (low, atLow) = (next, value)
        if lastWasHigh == false { atHigh /= 2 }
      }
      lastWasHigh = value > 0
    }
    return (low + high) / 2
  }
}
