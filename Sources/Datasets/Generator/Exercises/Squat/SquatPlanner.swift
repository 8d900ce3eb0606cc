import PoseModel

/// Decides what one subject does in one clip.
///
/// Perhaps walking in, standing, some other movement, a set of squats with pauses and half reps, some other movement,
/// perhaps walking out.
struct SquatPlanner: Sendable {
  var profile: SquatProfile
  let camera: Camera
  var generator: SeededGenerator
  private var segments: [SquatMotion.Segment] = []
  var rest = Arms(.hanging)
  /// How the arms are held at the top of a squat and at its bottom.
  var armsAtTop = Arms(.hanging)
  var armsAtBottom = Arms(.hanging)
  /// What raters look for.
  var judged = SquatFault.usual
  private let spot = Placement()

  init(profile: SquatProfile, camera: Camera, generator: SeededGenerator) {
    self.profile = profile
    self.camera = camera
    self.generator = generator
  }

  /// - Parameter withReps: without, the clip has half reps and other movement only.
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

  /// What has been planned so far.
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
    // Long sets are done at a brisker pace.
    let tempo = generator.normal(1, sd: 0.07, limit: 2) * (count > 5 ? 0.85 : 1)
    var top = profile.standing
    if generator.chance(0.15) { squat(halfRep(from: top), counts: false) }
    for rep in 0..<count {
      let tiredness = profile.fatigue * Double(rep) / 8
      // Between two reps without a pause the knees may not straighten quite.
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

  /// Stops where the knees are 115 to 140 degrees inside: too shallow for anyone to count.
  private mutating func halfRep(from top: LegPosture) -> SquatMovement {
    let flexion = generator.uniform(40, 65)
    // Of the way down to level thighs.
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
