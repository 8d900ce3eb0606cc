import PoseModel
import RealModule

/// What one subject brings to every clip: a body, a way of standing and squatting, and habits.
struct SquatProfile: Sendable {
  var body: Body
  var stance: Stance
  var standing: LegPosture
  /// The knee's flexion at the bottom of a good rep, in degrees.
  var depth: Double
  /// The shank's lean at 110 degrees of flexion, in degrees.
  var fullShank: Double
  /// Seconds.
  var descent: Double
  var ascent: Double
  /// How much slower and shallower a long set gets: 0...1.
  var fatigue: Double
  var habits: [Habit<SquatFault>]

  /// How far shanks lean at 110 degrees of knee flexion where nothing is wrong, in degrees.
  ///
  /// Within the 38.5 ± 5.9 degrees of dorsiflexion that deep squats over flat heels took in Hemmerich et al., Hip, Knee,
  /// and Ankle Kinematics of High Range of Motion Activities of Daily Living, Journal of Orthopaedic Research 24, 2006.
  static let usualShank = 36.0

  /// How far the shanks lean at some knee flexion, in degrees.
  static func shank(at flexion: Double, standing: LegPosture, full: Double) -> Double {
    let part = max((flexion - standing.flexion) / (110 - standing.flexion), 0)
    return .blend(standing.shank, full, Double.pow(part, 0.85))
  }

  /// How a subject squats.
  ///
  /// Depth: a knee flexion of about 108 degrees, which brings the thighs about level and is well within the 157 ± 6 of
  /// deep squats over raised heels (Hemmerich et al. 2006). Tempo: descents and ascents of about a second each.
  init(_ subject: Subject, using generator: inout SeededGenerator) {
    body = subject.body
    stance = subject.stance
    standing = subject.standing
    depth = generator.normal(108, sd: 5, limit: 1.8)
    fullShank = generator.normal(Self.usualShank, sd: 1.2, limit: 2)
    descent = generator.normal(1.25, sd: 0.18, limit: 2)
    ascent = generator.normal(1.05, sd: 0.14, limit: 2)
    fatigue = generator.uniform(0.1, 1)
    habits = Habit.draw(index: subject.index, among: SquatFault.allCases, using: &generator)
  }

  /// The legs at the bottom of one rep.
  ///
  /// - Parameters:
  ///   - flexion: what the knees would reach without a fault, in degrees.
  ///   - faults: each with its severity, 0...1.
  ///   - slack: how much more than usual the shanks lean in this rep, in degrees at full depth.
  func bottom(flexion: Double, faults: [SquatFault: Double], slack: Double, arms: Arms) -> LegPosture {
    // A fault-free rep ends between 60 and 88 degrees inside the knee, a shallow one that still counts at 92 to 105.
    var legs = LegPosture(flexion: min(max(flexion, 92), 120), shank: 0)
    if let severity = faults[.shallow] { legs.flexion = 88 - 13 * severity }
    legs.shank = Self.shank(at: legs.flexion, standing: standing, full: fullShank + slack)
    if let severity = faults[.forwardLean] {
      // Shanks that stay upright leave the hips behind the feet, so that only the trunk's lean keeps the balance.
      let place = Placement()
      let usual = body.balanced(legs, arms: arms, stance: stance, at: place, sway: 0).lean
      legs.shank =
        body.balanced(
          lean: min(usual + 7 + 18 * severity, 70), legs, arms: arms, stance: stance, at: place, sway: 0
        ).shank
    }
    if let severity = faults[.kneeForward] {
      legs.shank += 3 + 7 * severity
      legs.heelRise = 20 * severity
    }
    if let severity = faults[.kneeValgus] {
      legs.kneesInward = body.kneesInward(separation: 0.84 - 0.34 * severity, legs, stance: stance)
    }
    return legs
  }
}
