import PoseModel
import RealModule

/// A bar from the floor up until hips and knees are straight, and down again; arms stay straight, the bar's path
/// vertical.
///
/// A rep starts and ends with the bar on the floor. Narrow stance after Escamilla et al., A Three-Dimensional
/// Biomechanical Analysis of Sumo and Conventional Style Deadlifts, Medicine and Science in Sports and Exercise 32,
/// 2000; joints one after the other, not at once as in a squat, after Hales et al., Kinematic Analysis of the
/// Powerlifting Style Squat and the Conventional Deadlift, Journal of Strength and Conditioning Research 23, 2009. The
/// faults are those that coaches name.
public struct Deadlift: StandingExercise {
  public let name = "deadlift"
  public let views: [CameraView] = [.side, .oblique]
  public let framing = Framing(height: 1, length: 0.6, breadth: 0.6, middleAhead: 0, middleHeight: 0.48)
  public let faults: [Fault] = [Self.roundedBack, Self.barDrift, Self.hipsFirst, .noLockout]
  public let faultsOnRequest: [Fault] = [Self.shouldersOffBar, Self.feetWide]
  public let tempo = Tempo(out: 1.6, back: 1.5, maximumReps: 8)
  public let halfReps = 0.2...0.45

  /// The spine bends, which brings the shoulders closer to the hips.
  public static let roundedBack = Fault("rounded_back", cost: 38)
  /// The bar swings away from the legs.
  public static let barDrift = Fault("bar_drift", cost: 28)
  /// The knees straighten and the hips rise while the shoulders stay behind.
  public static let hipsFirst = Fault("hips_first", cost: 30)
  /// The bar lies in front of the feet: the arms slant to it from shoulders behind it, and the bar swings in as it is
  /// lifted.
  public static let shouldersOffBar = Fault("shoulders_off_bar", cost: 26)
  /// The feet stand farther apart than the hands, as in a sumo deadlift.
  public static let feetWide = Fault("feet_wide", cost: 20)

  public init() {}

  public func stance(of subject: Subject) -> Stance { stance(of: subject, with: Severities()) }

  /// The worst `feet_wide` is 0.47 of stature from ankle to ankle, where the sumo lifters of Escamilla et al. 2000 had
  /// 70 ± 11 cm.
  public func stance(of subject: Subject, with severities: Severities) -> Stance {
    Stance(halfWidth: (0.075 + 0.16 * severities[Self.feetWide]) * subject.body.stature, toeOut: 10)
  }

  public func range(with severities: Severities) -> (start: Double, turn: Double) {
    (0, 1 - 0.28 * severities[.noLockout])
  }

  public func posture(of subject: Subject, at moment: Moment) -> Posture {
    let body = subject.body
    let upright = subject.stood(time: moment.time)
    let rounding = 75 * moment.severities[Self.roundedBack] * (1 - 0.6 * moment.depth)
    let trunk = body.chordOfTrunk(rounding: rounding)
    // Over mid-foot once the bar has passed the knees, because hanging arms take it there.
    let away = 0.25 * body.stature * moment.severities[Self.shouldersOffBar]
    let set = LiftOff(subject: subject, trunk: trunk, bar: bar(body), away: away)
    let early = moment.severities[Self.hipsFirst]
    let depth = min(max(moment.depth, 0), 1)
    var posture = set.lifted(by: subject, to: upright, at: depth, kneesLead: early)
    posture.rounding = rounding
    if early > 0 {
      // The shoulders lag while the knees straighten: the trunk tips over the rising hips.
      let waiting = set.lifted(by: subject, to: upright, at: Double.pow(depth, 1 + 1.4 * early), kneesLead: 0)
      let shoulders = waiting.pelvis.z + trunk * waiting.lean.cosineOfDegrees
      let tipped = Double.acos(min(max((shoulders - posture.pelvis.z) / trunk, -1), 1)).degreesFromRadians
      posture.lean = max(posture.lean, .blend(posture.lean, tipped, 0.7))
    }
    let shoulder =
      SIMD2(posture.pelvis.x, posture.pelvis.z)
      + SIMD2(posture.lean.sineOfDegrees, posture.lean.cosineOfDegrees) * trunk
    let drift = 0.14 * body.stature * moment.severities[Self.barDrift] * Double.sin(.pi * depth)
    let arm = body.upperArm + body.forearm
    let aside = LiftOff.grip(body) - body.shoulderBreadth / 2
    let swungIn = MinimumJerk.position(depth / 0.6)
    let ahead = bar(body) + drift - shoulder.x + away * (1 - swungIn)
    let down = (arm * arm - aside * aside - ahead * ahead).squareRoot()
    let elevation = Double.atan2(y: ahead, x: down).degreesFromRadians
    let outward = Double.asin(aside / arm).degreesFromRadians
    posture.arms = Arms(
      ArmPosture(
        upperArm: elevation, outward: outward, forearm: elevation, forearmOutward: outward, withTrunk: 0))
    return posture
  }

  /// The bar's position in front of the ankles: above the middle of the foot.
  private func bar(_ body: Body) -> Double { 0.3 * body.foot }
}

/// The posture over a bar on the floor: knees bent until straight arms reach it, shoulders just in front of it.
private struct LiftOff {
  /// The flexion of the knee, in degrees.
  var knee: Double
  var shank: Double
  var lean: Double

  /// The bar's centre above the floor in metres, between plates of 450 mm: Technical Rules Book of the International
  /// Powerlifting Federation.
  static let barHeight = 0.225

  static func grip(_ body: Body) -> Double { 0.14 * body.stature }

  /// - Parameter away: The distance of the bar in front of `bar` without the shoulders following, in metres.
  init(subject: Subject, trunk: Double, bar: Double, away: Double) {
    let body = subject.body
    let arm = body.upperArm + body.forearm
    let aside = Self.grip(body) - body.shoulderBreadth / 2
    let ahead = (0.03 + 0.6 * (body.trunk - trunk) / body.stature) * body.stature
    let slant = ahead - away
    let hang = (arm * arm - aside * aside - slant * slant).squareRoot()
    func set(_ knee: Double) -> (lean: Double, hand: Double) {
      let pelvis = Self.pelvis(of: subject, LegPosture(flexion: knee, shank: Self.shank(knee)))
      let lean = Double.asin(min(max((bar + ahead - pelvis.x) / trunk, -1), 1)).degreesFromRadians
      return (lean, pelvis.z + trunk * lean.cosineOfDegrees - hang)
    }
    var (low, high) = (20.0, 125.0)
    for _ in 0..<40 {
      let middle = (low + high) / 2
      if set(middle).hand > Self.barHeight { low = middle } else { high = middle }
    }
    knee = (low + high) / 2
    shank = Self.shank(knee)
    lean = set(knee).lean
  }

  /// A part of the way up to standing: knees lead, hips follow later the more the knees lead.
  func lifted(by subject: Subject, to upright: Posture, at depth: Double, kneesLead: Double) -> Posture {
    let knees = 1 - Double.pow(1 - depth, 1.5 + 1.8 * kneesLead)
    let hips = Double.pow(depth, 1.3 + 1.1 * kneesLead)
    let legs = LegPosture(
      flexion: .blend(knee, subject.standing.flexion, knees), shank: .blend(shank, subject.standing.shank, knees))
    var posture = upright
    posture.lean = .blend(lean, upright.lean, hips)
    posture.pelvis = Self.pelvis(of: subject, legs)
    return posture
  }

  private static func shank(_ knee: Double) -> Double { 0.15 * knee }

  /// The pelvis's position over the legs.
  static func pelvis(of subject: Subject, _ legs: LegPosture) -> SIMD3<Double> {
    subject.body.planted(legs, lean: 0, arms: Arms(.hanging), stance: subject.stance, at: Placement()).pelvis
  }
}
