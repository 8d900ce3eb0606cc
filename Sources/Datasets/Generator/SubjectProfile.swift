import PoseModel
import RealModule

/// What one subject brings to every clip: a body, a way of standing and squatting, and habits.
struct SubjectProfile: Sendable {
  /// A fault that comes back.
  struct Habit: Hashable, Sendable {
    var fault: SquatFault
    /// In how many of the reps.
    var probability: Double
    /// 0...1, on average.
    var severity: Double
  }

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
  var habits: [Habit]

  /// How far shanks lean at 110 degrees of knee flexion where nothing is wrong, in degrees.
  ///
  /// Within the 38.5 ± 5.9 degrees of dorsiflexion that deep squats over flat heels took in Hemmerich et al., Hip, Knee,
  /// and Ankle Kinematics of High Range of Motion Activities of Daily Living, Journal of Orthopaedic Research 24, 2006,
  /// which Schoenfeld, Squatting Kinematics and Kinetics, Journal of Strength and Conditioning Research 24, 2010, quotes.
  static let usualShank = 36.0

  /// How far the shanks lean at some knee flexion, in degrees.
  static func shank(at flexion: Double, standing: LegPosture, full: Double) -> Double {
    let part = max((flexion - standing.flexion) / (110 - standing.flexion), 0)
    return .blend(standing.shank, full, Double.pow(part, 0.85))
  }

  /// The subject of this number: women and men by turns; every fifth has no habit, the others one of the four faults in
  /// turn.
  ///
  /// Depth: a knee flexion of about 108 degrees, well within the 157 ± 6 of deep squats (Hemmerich et al. 2006), is near
  /// the parallel squat that Schoenfeld 2010 describes. Tempo: descents and ascents of about a second each.
  init(index: Int, using generator: inout SeededGenerator) {
    body = Body(of: index % 2 == 0 ? .female : .male, using: &generator)
    stance = Stance(
      halfWidth: body.stature * generator.normal(0.095, sd: 0.012, limit: 1.6),
      toeOut: generator.normal(17, sd: 4, limit: 1.8))
    let arms = Arms(.hanging)
    standing = LegPosture(flexion: generator.uniform(4, 8), shank: 0)
    standing.shank =
      body.balanced(
        lean: generator.uniform(1, 5), standing, arms: arms, stance: stance, at: Placement(), sway: 0
      ).shank
    depth = generator.normal(108, sd: 5, limit: 1.8)
    fullShank = generator.normal(Self.usualShank, sd: 1.2, limit: 2)
    descent = generator.normal(1.25, sd: 0.18, limit: 2)
    ascent = generator.normal(1.05, sd: 0.14, limit: 2)
    fatigue = generator.uniform(0.1, 1)
    habits = []
    let faults = SquatFault.allCases
    if index % (faults.count + 1) > 0 {
      let main = (index - 1) % (faults.count + 1)
      habits.append(
        Habit(
          fault: faults[main], probability: generator.uniform(0.45, 0.8), severity: generator.uniform(0.35, 0.9)))
      let other = faults[(main + generator.integer(1...3)) % faults.count]
      if generator.chance(0.4) {
        habits.append(
          Habit(fault: other, probability: generator.uniform(0.15, 0.35), severity: generator.uniform(0.2, 0.6)))
      }
    }
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
