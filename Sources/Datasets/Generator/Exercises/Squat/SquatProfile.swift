import PoseModel
import RealModule

/// What one subject brings to every clip: a body, a way of standing and squatting, and habits.
struct SquatProfile: Sendable {
  var body: Body
  var stance: Stance
  var standing: LegPosture
  /// How far the thighs are from level at the bottom of a good rep, in degrees: positive with the hips higher than the knees.
  var thighRise: Double
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
  /// With level thighs they lean by about 39 degrees then: the 38.5 ± 5.9 of dorsiflexion that deep squats over flat heels
  /// took in Hemmerich et al., Hip, Knee, and Ankle Kinematics of High Range of Motion Activities of Daily Living, Journal
  /// of Orthopaedic Research 24, 2006.
  static let usualShank = 35.0

  /// How far the shanks lean at some knee flexion, in degrees.
  static func shank(at flexion: Double, standing: LegPosture, full: Double) -> Double {
    let part = max((flexion - standing.flexion) / (110 - standing.flexion), 0)
    return .blend(standing.shank, full, Double.pow(part, 0.85))
  }

  /// The knee flexion at which the thighs are so far from level, in degrees.
  ///
  /// A thigh is level where the knee bends by 90 degrees more than the shank leans. Knees that point outwards lean by less
  /// ahead, which is left out and lowers the hips by a degree or two.
  static func flexion(thighRise: Double, standing: LegPosture, full: Double) -> Double {
    var (low, high) = (standing.flexion, 157.0)
    while high - low > 1e-6 {
      let middle = (low + high) / 2
      if 90 + shank(at: middle, standing: standing, full: full) - middle > thighRise {
        low = middle
      } else {
        high = middle
      }
    }
    return (low + high) / 2
  }

  /// How a subject squats.
  ///
  /// Depth: thighs level or somewhat lower, which Myer et al., The Back Squat: A Proposed Assessment, Strength and
  /// Conditioning Journal 36, 2014, ask for; knees bent by 120 to 130 degrees over shanks that lean so, well within the
  /// 157 ± 6 of deep squats over raised heels (Hemmerich et al. 2006). Tempo: descents and ascents of about a second each.
  init(_ subject: Subject, using generator: inout SeededGenerator) {
    body = subject.body
    stance = subject.stance
    standing = subject.standing
    thighRise = generator.normal(-1, sd: 3, limit: 1.8)
    fullShank = generator.normal(Self.usualShank, sd: 1.2, limit: 2)
    descent = generator.normal(1.25, sd: 0.18, limit: 2)
    ascent = generator.normal(1.05, sd: 0.14, limit: 2)
    fatigue = generator.uniform(0.1, 1)
    habits = Habit.draw(index: subject.index, among: SquatFault.usual, using: &generator)
  }

  /// The legs at the bottom of one rep.
  ///
  /// - Parameters:
  ///   - thighRise: how far the thighs stay from level without a fault, in degrees.
  ///   - faults: each with its severity, 0...1.
  ///   - slack: how much more than usual the shanks lean in this rep, in degrees at full depth.
  func bottom(thighRise: Double, faults: [SquatFault: Double], slack: Double, arms: Arms) -> LegPosture {
    // A fault-free rep ends within 8 degrees of level thighs, a shallow one 10 to 38 degrees above.
    var rise = min(max(thighRise, -8), 8)
    if let severity = faults[.shallow] { rise = 10 + 28 * severity }
    let full = fullShank + slack
    var legs = LegPosture(flexion: Self.flexion(thighRise: rise, standing: standing, full: full), shank: 0)
    legs.shank = Self.shank(at: legs.flexion, standing: standing, full: full)
    if let severity = faults[.forwardLean] {
      // Shanks that stay upright leave the hips behind the feet, so that only the trunk's lean keeps the balance.
      let place = Placement()
      let usual = body.balanced(legs, arms: arms, stance: stance, at: place, sway: 0).lean
      legs.shank =
        body.balanced(
          lean: min(usual + 7 + 18 * severity, 75), legs, arms: arms, stance: stance, at: place, sway: 0
        ).shank
    }
    if let severity = faults[.kneeForward] {
      // The knees bend as much more as the shanks lean, so that the thighs get as low.
      let ahead = 4 + 12 * severity
      legs.shank += ahead
      legs.flexion += ahead
      legs.heelRise = 24 * severity
    }
    if let severity = faults[.kneeValgus] {
      legs.kneesInward = body.kneesInward(separation: 0.84 - 0.34 * severity, legs, stance: stance)
    }
    return legs
  }
}
