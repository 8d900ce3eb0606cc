/// Decides what one subject does in one clip of a repetition exercise.
///
/// Perhaps walking in, the start posture, a set of reps with pauses and half reps, perhaps walking out.
struct SetPlanner: Sendable {
  let exercise: any RepetitionExercise
  private let subject: Subject
  private let camera: Camera
  private let habits: [Habit<Fault>]
  /// How much slower and worse a long set gets: 0...1.
  private let fatigue: Double
  /// How much slower than the average this subject is.
  var pace: Double
  var generator: SeededGenerator
  private var segments: [SetMotion.Segment] = []
  private var depth = 0.0
  private var severities = Severities()

  init(
    _ exercise: any RepetitionExercise, subject: Subject, camera: Camera, traits: SeededGenerator,
    generator: SeededGenerator
  ) {
    var traits = traits
    self.exercise = exercise
    self.subject = subject
    self.camera = camera
    self.generator = generator
    pace = traits.normal(1, sd: 0.12, limit: 1.8)
    fatigue = traits.uniform(0.1, 1)
    habits = Habit.draw(index: subject.index, among: exercise.faults, using: &traits)
  }

  /// - Parameter withReps: without, the clip has half reps only.
  mutating func plan(withReps: Bool) -> SetMotion {
    let stands = exercise is any StandingExercise
    if stands {
      if generator.chance(0.25) { walk(.arriving) }
      add(.stand, generator.uniform(0.4, 1.2))
      add(.takeUp, generator.uniform(0.7, 1.1))
    }
    hold(generator.uniform(0.4, 1.2))
    if withReps { planSet() } else { planHalfReps() }
    hold(generator.uniform(0.5, 1), to: 0, after: Severities())
    hold(generator.uniform(0.2, 0.8))
    if stands {
      add(.putDown, generator.uniform(0.7, 1.1))
      add(.stand, generator.uniform(0.4, 1.2))
      if generator.chance(0.2) { walk(.leaving) }
    }
    return motion
  }

  /// What has been planned so far.
  var motion: SetMotion {
    SetMotion(exercise: exercise, subject: subject, segments: segments, hurry: 0.75 * exercise.tempo.out)
  }

  private mutating func planSet() {
    let tempo = exercise.tempo
    let cycle = (tempo.out + tempo.back) * pace + 0.35
    let count = min(max(Int((generator.uniform(15, 29) / cycle).rounded()), 3), tempo.maximumReps)
    if generator.chance(0.15) { halfRep() }
    for rep in 0..<count {
      let tiredness = fatigue * Double(rep) / Double(max(count, 8))
      let shown = Severities(Habit.severities(of: habits, tiredness: tiredness, using: &generator))
      fullRep(rep, severities: shown, tiredness: tiredness)
      guard rep < count - 1, generator.chance(0.4) else { continue }
      hold(generator.chance(0.12) ? generator.uniform(1, 2) : generator.uniform(0.1, 0.5))
      if generator.chance(0.1) {
        halfRep()
        hold(generator.uniform(0.15, 0.5))
      }
    }
    if generator.chance(0.2) { halfRep() }
  }

  private mutating func planHalfReps() {
    for _ in 0..<4 {
      halfRep()
      hold(generator.uniform(0.3, 1.5))
    }
  }

  mutating func fullRep(_ number: Int, severities shown: Severities, tiredness: Double) {
    let range = exercise.range(with: shown)
    let slow = pace * generator.normal(1, sd: 0.07, limit: 2)
    let ways = (
      turn: range.turn + generator.normal(0, sd: 0.012, limit: 2),
      end: max(range.start + generator.normal(0, sd: 0.01, limit: 2), 0)
    )
    move(
      number, turn: min(ways.turn, 1.02), end: ways.end, severities: shown,
      out: exercise.tempo.out * slow, pause: generator.chance(0.2) ? generator.uniform(0.3, 1) : 0.04,
      back: exercise.tempo.back * slow * (1 + 0.3 * tiredness), counts: true)
  }

  /// Turns back long before a rep is one, in less time.
  private mutating func halfRep() {
    let turn = generator.uniform(exercise.halfReps.lowerBound, exercise.halfReps.upperBound)
    let slow = pace * (0.4 + 0.5 * turn)
    move(
      0, turn: max(turn, depth + 0.08), end: 0, severities: Severities(), out: exercise.tempo.out * slow, pause: 0.04,
      back: exercise.tempo.back * slow, counts: false)
  }

  private mutating func move(
    _ number: Int, turn: Double, end: Double, severities shown: Severities, out: Double, pause: Double, back: Double,
    counts: Bool
  ) {
    let rep = RepMovement(
      number: number, start: depth, turn: turn, end: end, before: severities, severities: shown, out: out,
      pause: pause, back: back, skew: generator.uniform(-0.3, 0.3))
    add(.rep(rep, counts: counts), rep.duration)
    depth = end
    severities = shown
  }

  mutating func hold(_ duration: Double, to end: Double? = nil, after: Severities? = nil) {
    let after = after ?? severities
    let end = end ?? depth
    add(.hold(from: depth, to: end, before: severities, after: after), duration)
    depth = end
    severities = after
  }

  mutating func walk(_ kind: FloorPath.Kind) {
    let gait = Gait(kind, of: subject.body, standing: subject.stance, before: camera, using: &generator)
    add(.walk(gait), gait.duration)
  }

  /// Walks up and gets down on the floor, or gets up and walks off.
  mutating func pass(_ kind: FloorPath.Kind) {
    let passage = FloorPassage(
      kind, of: subject, to: exercise.joints(of: subject, at: Moment(depth: 0)), before: camera, using: &generator)
    add(.floor(passage), passage.duration)
  }

  mutating func add(_ activity: SetMotion.Activity, _ duration: Double) {
    let start = segments.last.map { $0.start + $0.duration } ?? 0
    segments.append(SetMotion.Segment(start: start, duration: duration, activity: activity))
  }
}
