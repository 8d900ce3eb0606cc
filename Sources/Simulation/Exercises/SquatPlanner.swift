import PoseModel
import RealModule
import Statistics

/// Plans the activities of one subject in one clip.
///
/// Optionally walking in, standing, another movement, a set of squats with pauses and half reps, another movement,
/// optionally walking out.
struct SquatPlanner: Sendable {
  var profile: SquatProfile
  let camera: Camera
  var generator: SeededGenerator
  private var segments: [SquatMotion.Segment] = []
  var rest = Arms(.hanging)
  /// The arms at the top and at the bottom of a squat.
  var armsAtTop = Arms(.hanging)
  var armsAtBottom = Arms(.hanging)
  /// The faults that raters judge.
  var judged = SquatFault.usual
  private let spot = Placement()

  init(profile: SquatProfile, camera: Camera, generator: SeededGenerator) {
    self.profile = profile
    self.camera = camera
    self.generator = generator
  }

  /// - Parameter withReps: If false, the clip has only half reps and other movement.
  mutating func plan(withReps: Bool) -> SquatMotion {
    holdArms()
    if generator.chance(0.25) { walk(.arriving) }
    stand(rest, generator.uniform(0.3, 0.8))
    if !withReps || generator.chance(0.25) { otherMovement() }
    settle(from: rest, to: armsAtTop)
    if withReps { planSet() } else { planHalfReps() }
    settle(from: armsAtTop, to: rest)
    if !withReps || generator.chance(0.2) { otherMovement() }
    stand(rest, generator.uniform(0.3, 0.8))
    if generator.chance(0.2) { walk(.leaving) }
    return motion()
  }

  /// The plan so far.
  mutating func motion() -> SquatMotion {
    SquatMotion(
      body: profile.body, spot: spot, stance: profile.stance, standing: profile.standing, rest: rest,
      segments: segments, swayPhases: SIMD2(generator.uniform(0, 2 * .pi), generator.uniform(0, 2 * .pi)),
      judged: judged)
  }

  mutating func add(_ activity: SquatMotion.Activity, _ duration: Double, counts: Bool = false) {
    let start = segments.last.map { $0.start + $0.duration } ?? 0
    segments.append(SquatMotion.Segment(start: start, duration: duration, activity: activity, counts: counts))
  }

  mutating func stand(_ arms: Arms, _ duration: Double) { add(.stand(arms), duration) }

  mutating func settle(from: Arms, to: Arms) {
    if from != to { add(.settle(from: from, to: to), generator.uniform(0.5, 0.9)) }
  }

  mutating func holdArms() {
    rest.left.outward += generator.uniform(-3, 4)
    rest.right.outward += generator.uniform(-3, 4)
    switch generator.unit() {
    case ..<0.4: (armsAtTop, armsAtBottom) = (rest, Arms(.ahead))
    case ..<0.55: (armsAtTop, armsAtBottom) = (Arms(.ahead), Arms(.ahead))
    case ..<0.72: (armsAtTop, armsAtBottom) = (Arms(.handsOnHips), Arms(.handsOnHips))
    case ..<0.9: (armsAtTop, armsAtBottom) = (Arms(.handsAtChest), Arms(.handsAtChest))
    default: (armsAtTop, armsAtBottom) = (rest, rest)
    }
  }

  /// Three to twelve reps, mostly few, which get slower and shallower, with half reps before, among and after them.
  private mutating func planSet() {
    let count =
      switch generator.unit() {
      case ..<0.83: generator.integer(3...5)
      case ..<0.96: generator.integer(6...8)
      default: generator.integer(9...12)
      }
    // Long sets have a faster pace.
    let tempo = generator.normal(1, sd: 0.07, limit: 2) * (count > 5 ? 0.85 : 1)
    var top = profile.standing
    if generator.chance(0.15) { squat(halfRep(from: top), counts: false) }
    for rep in 0..<count {
      let tiredness = profile.fatigue * Double(rep) / 8
      // Between two reps without a pause the knees may not straighten fully.
      let pauses = rep == count - 1 || generator.chance(0.4)
      var end = profile.standing
      if !pauses { end.flexion += generator.uniform(0, 5) }
      squat(fullRep(from: top, to: end, tiredness: tiredness, tempo: tempo), counts: true)
      top = end
      guard pauses && rep < count - 1 else { continue }
      stand(armsAtTop, generator.chance(0.12) ? generator.uniform(1, 2) : generator.uniform(0.1, 0.5))
      if generator.chance(0.1) {
        squat(halfRep(from: top), counts: false)
        stand(armsAtTop, generator.uniform(0.15, 0.5))
      }
    }
    stand(armsAtTop, generator.uniform(0.15, 0.4))
    if generator.chance(0.2) { squat(halfRep(from: top), counts: false) }
  }

  private mutating func planHalfReps() {
    for _ in 0..<3 {
      squat(halfRep(from: profile.standing), counts: false)
      stand(armsAtTop, generator.uniform(0.2, 0.8))
    }
  }

  mutating func squat(_ movement: SquatMovement, counts: Bool) {
    add(.squat(movement), movement.duration, counts: counts)
  }

  private mutating func fullRep(
    from top: LegPosture, to end: LegPosture, tiredness: Double, tempo: Double
  ) -> SquatMovement {
    let faults = Habit.severities(of: profile.habits, tiredness: tiredness, using: &generator)
    let thighRise = profile.thighRise + generator.normal(0, sd: 2, limit: 2) + 6 * tiredness
    let slow = tempo * generator.normal(1, sd: 0.07, limit: 2)
    return SquatMovement(
      top: top,
      bottom: profile.bottom(
        thighRise: thighRise, faults: faults, slack: generator.normal(0, sd: 0.6, limit: 2), arms: armsAtBottom),
      end: end, armsAtTop: armsAtTop, armsAtBottom: armsAtBottom, descent: profile.descent * slow,
      pause: generator.chance(0.2) ? generator.uniform(0.3, 1) : 0.04,
      ascent: profile.ascent * slow * (1 + 0.3 * tiredness), skew: generator.uniform(-0.3, 0.3))
  }

  /// Stops with the knees at 115 to 140 degrees: too shallow for anyone to count.
  private mutating func halfRep(from top: LegPosture) -> SquatMovement {
    let flexion = generator.uniform(40, 65)
    // As a share of the way down to horizontal thighs.
    let part = flexion / 127
    let bottom = LegPosture(
      flexion: flexion,
      shank: SquatProfile.shank(at: flexion, standing: profile.standing, full: profile.fullShank))
    return SquatMovement(
      top: top, bottom: bottom, end: profile.standing, armsAtTop: armsAtTop,
      armsAtBottom: .blend(armsAtTop, armsAtBottom, generator.uniform(0.5, 1)),
      descent: profile.descent * (0.4 + 0.5 * part), pause: 0.04, ascent: profile.ascent * (0.4 + 0.5 * part),
      skew: generator.uniform(-0.3, 0.3))
  }

  private mutating func otherMovement() {
    switch generator.integer(0...3) {
    case 0:
      let bend = Bend(
        lean: generator.uniform(62, 80), flexion: generator.uniform(20, 42), arms: Arms(.hanging),
        down: generator.uniform(0.8, 1.2), hold: generator.uniform(0.3, 1), up: generator.uniform(0.8, 1.1))
      add(.bend(bend), bend.duration)
    case 1:
      let cycles = generator.integer(2...3)
      let gesture = Gesture(
        first: .blend(rest, Arms(.ahead), generator.uniform(0.5, 1)), second: Arms(.behind), cycles: cycles,
        duration: Double(cycles) * generator.uniform(0.75, 1))
      add(.gesture(gesture), gesture.duration)
    case 2:
      let gesture = Gesture(
        first: Arms(.overhead), second: Arms(.overhead), cycles: 1, duration: generator.uniform(1.6, 2.4))
      add(.gesture(gesture), gesture.duration)
    default: march()
    }
    stand(rest, generator.uniform(0.2, 0.6))
  }
}

extension SquatPlanner {
  /// The plan of a scenario: no half squats or other movement, and only the scenario's faults.
  mutating func plan(_ scenario: Scenario, in clip: ClipNumber) -> SquatMotion {
    // A demonstration has no hurried squats, high thighs or unusual shanks.
    profile.descent = max(profile.descent, 1.5)
    profile.thighRise = min(profile.thighRise, -2)
    profile.fullShank = SquatProfile.usualShank
    let fault = scenario.fault(of: SquatFault.usual, onRequest: SquatFault.onRequest, in: clip) { $0.rawValue }
    if SquatFault.onRequest.contains(fault) { judged.append(fault) }
    holdArms()
    if scenario == .fullWorkflow { walk(.arriving) }
    stand(rest, generator.uniform(0.4, 1.2))
    for (index, set) in scenario.sets(using: &generator).enumerated() {
      if index > 0 { stand(rest, generator.uniform(3.5, 6)) }
      settle(from: rest, to: armsAtTop)
      for (rep, severity) in set.enumerated() {
        squat(fullRep(with: fault, severity), counts: true)
        if rep < set.count - 1 && generator.chance(0.4) { stand(armsAtTop, generator.uniform(0.1, 0.5)) }
      }
      stand(armsAtTop, generator.uniform(0.3, 0.6))
      settle(from: armsAtTop, to: rest)
    }
    stand(rest, generator.uniform(0.6, 1.2))
    if scenario == .fullWorkflow { walk(.leaving) }
    return motion()
  }

  /// A full squat with exactly this measured severity of a fault, or without any fault at severity 0.
  private mutating func fullRep(with fault: SquatFault, _ severity: Double) -> SquatMovement {
    let standing = profile.standing
    let slow = generator.normal(1, sd: 0.05, limit: 2)
    let thighRise = profile.thighRise + generator.normal(0, sd: 1, limit: 2)
    let pause = generator.chance(0.2) ? generator.uniform(0.3, 1) : 0.04
    var squat = SquatMovement(
      top: standing, bottom: profile.bottom(thighRise: thighRise, faults: [:], slack: 0, arms: armsAtBottom),
      end: standing,
      armsAtTop: armsAtTop, armsAtBottom: armsAtBottom, descent: profile.descent * slow, pause: pause,
      ascent: profile.ascent * slow, skew: generator.uniform(-0.3, 0.3))
    guard severity > 0 else { return squat }
    // The relation between a fault's size and its severity depends on the body.
    var (low, high) = (-0.5, 1.7)
    while high - low > 1e-3 {
      let middle = (low + high) / 2
      switch fault {
      case .rushed:
        // Gravity limits the descent to even acceleration and braking.
        (squat.descent, squat.pause, squat.skew) = (1.2 - 0.6 * middle, 0.04, 0)
      case .offBalance: squat.hipShift = max(middle, 0) * profile.body.widestHipShift(profile.stance)
      default:
        squat.bottom = profile.bottom(thighRise: thighRise, faults: [fault: middle], slack: 0, arms: armsAtBottom)
      }
      if self.severity(of: fault, in: squat) < severity { low = middle } else { high = middle }
    }
    return squat
  }

  private func severity(of fault: SquatFault, in squat: SquatMovement) -> Double {
    let segment = SquatMotion.Segment(start: 0, duration: squat.duration, activity: .squat(squat), counts: true)
    let motion = SquatMotion(
      body: profile.body, spot: Placement(), stance: profile.stance, standing: profile.standing, rest: rest,
      segments: [segment], swayPhases: .zero)
    return motion.reps.first?.severity(fault) ?? 0
  }
}

extension SquatPlanner {
  /// A few steps on the spot with high knees.
  mutating func march() {
    let period = generator.uniform(0.5, 0.62)
    let path = FloorPath(
      kind: .staying, spot: Placement(), travel: 0, speed: 0, cruise: period * Double(generator.integer(3...6)),
      slowing: 0, turn: 0)
    add(
      Gait(
        path: path, stance: profile.stance, trackHalfWidth: profile.stance.halfWidth,
        lift: profile.body.stature * generator.uniform(0.12, 0.18), shift: profile.stance.halfWidth * 0.3,
        period: period))
  }

  mutating func walk(_ kind: FloorPath.Kind) {
    add(Gait(kind, of: profile.body, standing: profile.stance, before: camera, using: &generator))
  }

  private mutating func add(_ gait: Gait) { add(.walk(gait), gait.duration) }
}

/// The traits of a subject in every clip: a body, a way of standing and squatting, and habits.
struct SquatProfile: Sendable {
  var body: Body
  var stance: Stance
  var standing: LegPosture
  /// How far the thighs are from horizontal at the bottom of a good rep, in degrees: positive with the hips higher than
  /// the knees.
  var thighRise: Double
  /// The shank's lean at 110 degrees of flexion, in degrees.
  var fullShank: Double
  /// Seconds.
  var descent: Double
  var ascent: Double
  /// The effect of fatigue: how much slower and shallower a long set gets, 0...1.
  var fatigue: Double
  var habits: [Habit<SquatFault>]

  /// The lean of the shanks at 110 degrees of knee flexion without a fault, in degrees.
  ///
  /// With horizontal thighs they lean by about 39 degrees: the 38.5 ± 5.9 of dorsiflexion that deep squats over flat
  /// heels took in Hemmerich et al., Hip, Knee, and Ankle Kinematics of High Range of Motion Activities of Daily
  /// Living, Journal of Orthopaedic Research 24, 2006.
  static let usualShank = 35.0

  /// The lean of the shanks at a knee flexion, in degrees.
  static func shank(at flexion: Double, standing: LegPosture, full: Double) -> Double {
    let part = max((flexion - standing.flexion) / (110 - standing.flexion), 0)
    return .blend(standing.shank, full, Double.pow(part, 0.85))
  }

  /// The knee flexion at which the thighs are this far from horizontal, in degrees.
  ///
  /// A thigh is horizontal if the knee bends by 90 degrees more than the shank leans. Knees that point outwards lean
  /// less forward; ignoring that lowers the hips by a degree or two.
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

  /// The squat of a subject.
  ///
  /// Depth: thighs horizontal or slightly lower, which Myer et al., The Back Squat: A Proposed Assessment, Strength and
  /// Conditioning Journal 36, 2014, ask for; knees bent by 120 to 130 degrees over shanks with this lean, well within
  /// the 157 ± 6 of deep squats over raised heels (Hemmerich et al. 2006). Tempo: descents and ascents of about a
  /// second each.
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
  ///   - thighRise: How far the thighs stay from horizontal without a fault, in degrees.
  ///   - faults: Each with its severity, 0...1.
  ///   - slack: How much more than usual the shanks lean in this rep, in degrees at full depth.
  func bottom(thighRise: Double, faults: [SquatFault: Double], slack: Double, arms: Arms) -> LegPosture {
    // A fault-free rep ends within 8 degrees of horizontal thighs, a shallow one 10 to 38 degrees above.
    var rise = min(max(thighRise, -8), 8)
    if let severity = faults[.shallow] { rise = 10 + 28 * severity }
    let full = fullShank + slack
    var legs = LegPosture(flexion: Self.flexion(thighRise: rise, standing: standing, full: full), shank: 0)
    legs.shank = Self.shank(at: legs.flexion, standing: standing, full: full)
    if let severity = faults[.forwardLean] {
      // Upright shanks leave the hips behind the feet: only the trunk's lean keeps the balance.
      let place = Placement()
      let usual = body.balanced(legs, arms: arms, stance: stance, at: place, sway: 0).lean
      legs.shank =
        body.balanced(
          lean: min(usual + 7 + 18 * severity, 75), legs, arms: arms, stance: stance, at: place, sway: 0
        ).shank
    }
    if let severity = faults[.kneeForward] {
      // The knees bend by as much more as the shanks lean: the thighs end as low as without the fault.
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

/// Bending at the hips over almost straight knees, as if tying a shoe, and coming up again.
struct Bend: Hashable, Sendable {
  /// How far the trunk leans and the knees flex beyond standing, in degrees.
  var lean: Double
  var flexion: Double
  var arms: Arms
  /// Seconds.
  var down: Double
  var hold: Double
  var up: Double

  var duration: Double { down + hold + up }

  func depth(at time: Double) -> Double {
    if time <= down + hold { return MinimumJerk.position(time / down) }
    return 1 - MinimumJerk.position((time - down - hold) / up)
  }
}
