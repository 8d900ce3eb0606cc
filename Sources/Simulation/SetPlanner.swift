import PoseModel
import Statistics

/// Plans the activities of one subject in one clip of a repetition exercise.
///
/// Optionally walking in, the start posture, a set of reps with pauses and half reps, optionally walking out.
struct SetPlanner: Sendable {
  let exercise: any RepetitionExercise
  private let subject: Subject
  private let camera: Camera
  private let habits: [Habit<Fault>]
  /// The effect of fatigue: how much slower and worse a long set gets, 0...1.
  private let fatigue: Double
  /// The duration of this subject's movements as a multiple of the average.
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

  /// - Parameter withReps: If false, the clip has only half reps.
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

  /// The plan so far.
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

  /// Turns back long before the far end, in less time.
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

  /// Walks up and gets down on the floor, or gets up and walks away.
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

extension SetPlanner {
  /// The plan of a scenario: no half reps, and only the scenario's faults.
  ///
  /// A person who lies or hangs for the exercise rests in the start posture; on a bench or bar, they are there from the
  /// beginning to the end.
  mutating func plan(_ scenario: Scenario, in clip: ClipNumber) -> SetMotion {
    // A demonstration is never hurried.
    pace = max(pace, 1)
    let fault = scenario.fault(of: exercise.faults, onRequest: exercise.faultsOnRequest, in: clip) { $0.name }
    let stands = exercise is any StandingExercise
    let walks = stands && scenario == .fullWorkflow
    let getsDown = exercise is any ProneExercise && scenario == .fullWorkflow
    if walks { walk(.arriving) }
    if getsDown { pass(.arriving) }
    if stands { add(.stand, generator.uniform(0.4, 1.2)) }
    for (index, set) in scenario.sets(using: &generator).enumerated() {
      if index > 0 { pause(standing: stands) }
      if stands { add(.takeUp, generator.uniform(0.7, 1.1)) }
      hold(generator.uniform(0.5, 1.2))
      for (rep, severity) in set.enumerated() {
        fullRep(rep, severities: severity > 0 ? Severities([fault: severity]) : Severities(), tiredness: 0)
        if rep < set.count - 1 && generator.chance(0.4) { hold(generator.uniform(0.1, 0.5)) }
      }
      hold(generator.uniform(0.5, 1), to: 0, after: Severities())
      if stands { add(.putDown, generator.uniform(0.7, 1.1)) }
    }
    if stands { add(.stand, generator.uniform(0.6, 1.2)) } else { hold(generator.uniform(0.4, 0.8)) }
    if walks { walk(.leaving) }
    if getsDown { pass(.leaving) }
    return motion
  }

  /// The rest between two sets.
  private mutating func pause(standing stands: Bool) {
    let duration = generator.uniform(3.5, 6)
    if stands { add(.stand, duration) } else { hold(duration) }
  }
}

/// The true motion of a clip with a set of a repetition exercise.
public struct SetMotion: SimulatedMotion {
  /// An activity of the person for a while.
  enum Activity: Hashable, Sendable {
    case rep(RepMovement, counts: Bool)
    /// In the start posture or near it, moving from one depth to another with the remaining faults of a rep.
    case hold(from: Double, to: Double, before: Severities, after: Severities)
    /// Standing at ease.
    case stand
    /// A change from standing at ease to the start posture, or back.
    case takeUp
    case putDown
    case walk(Gait)
    /// Walking up and getting down on the floor, or getting up and walking away.
    case floor(FloorPassage)
  }

  struct Segment: Hashable, Sendable {
    var start: Double
    var duration: Double
    var activity: Activity
  }

  let exercise: any RepetitionExercise
  public let subject: Subject
  let segments: [Segment]
  /// The duration of a descent or rise, in seconds, below which a rep is hurried.
  let hurry: Double

  public var body: Body { subject.body }

  public var duration: Double { segments.last.map { $0.start + $0.duration } ?? 0 }

  public func joints(at time: Double) -> JointPositions {
    let time = min(max(time, 0), duration)
    guard let segment = segments.last(where: { $0.start <= time }) else { return start(time) }
    let local = min(time - segment.start, segment.duration)
    let fraction = MinimumJerk.position(local / segment.duration)
    switch segment.activity {
    case .rep(let rep, _):
      return exercise.joints(
        of: subject,
        at: Moment(
          depth: rep.depth(at: local), severities: rep.severities(at: local), rep: rep.number, time: time))
    case .hold(let from, let to, let before, let after):
      return exercise.joints(
        of: subject,
        at: Moment(
          depth: .blend(from, to, fraction), severities: .blend(before, after, fraction), rep: 0, time: time))
    case .stand: return body.joints(of: subject.stood(time: time))
    case .takeUp: return between(fraction, time)
    case .putDown: return between(1 - fraction, time)
    case .floor(let passage): return passage.joints(at: local, of: subject, support: start(time), time: time)
    case .walk(let gait):
      return body.joints(
        of: gait.posture(
          subject.stood(at: gait.path.placement(at: local), time: time), at: local, body: body))
    }
  }

  private func start(_ time: Double) -> JointPositions {
    exercise.joints(of: subject, at: Moment(depth: 0, time: time))
  }

  private func between(_ fraction: Double, _ time: Double) -> JointPositions {
    guard let standing = exercise as? any StandingExercise else { return start(time) }
    let posture = standing.posture(of: subject, at: Moment(depth: 0, time: time))
    return body.joints(of: .blend(subject.stood(time: time), posture, fraction))
  }

  /// The spans of the movements that fall short of a rep, in seconds.
  public var halfReps: [Range<Double>] {
    segments.compactMap { segment in
      guard case .rep(_, counts: false) = segment.activity else { return nil }
      return segment.start..<segment.start + segment.duration
    }
  }

  /// The spans in which the exercise is done: without walking in, standing at ease and walking out, in seconds.
  public var exerciseSpans: [Range<Double>] {
    segments.compactMap { segment in
      switch segment.activity {
      case .rep, .hold: segment.start..<segment.start + segment.duration
      default: nil
      }
    }
  }

  /// A rep starts when the depth is `RepMovement.departure` beyond its start depth, turns halfway through its time at
  /// the far end, and ends when the depth is within that distance of its end depth.
  public var groundTruth: MotionGroundTruth {
    let requested = exercise.faultsOnRequest.filter { fault in
      segments.contains { if case .rep(let rep, _) = $0.activity { rep.severities[fault] > 0 } else { false } }
    }
    return MotionGroundTruth(
      reps: segments.compactMap { segment in
        guard case .rep(let rep, counts: true) = segment.activity else { return nil }
        let passing = rep.passing
        return MotionGroundTruth.Rep(
          start: segment.start + passing.out, turn: segment.start + rep.out + rep.pause / 2,
          end: segment.start + passing.back,
          form: rep.severities.form(of: exercise.faults + requested, hurry: rep.out.ramp(from: hurry, to: 0.5 * hurry)))
      })
  }
}

/// One rep or half rep: from one depth out to another, optionally held, and back to a third.
struct RepMovement: Hashable, Sendable {
  var number: Int
  var start: Double
  var turn: Double
  var end: Double
  /// The faults left from the previous movement, and those of this one.
  var before: Severities
  var severities: Severities
  /// Seconds.
  var out: Double
  var pause: Double
  var back: Double
  /// How far the speed is shifted towards the beginning of a phase (positive) or its end: within ±0.4.
  var skew: Double

  var duration: Double { out + pause + back }

  /// A rep begins and ends at this distance from its start and end depths.
  static let departure = 0.06

  func depth(at time: Double) -> Double {
    if time <= out { return .blend(start, turn, progress(time / out)) }
    if time <= out + pause { return turn }
    return .blend(turn, end, progress((time - out - pause) / back))
  }

  /// A fault appears within the first third of a movement and stays.
  func severities(at time: Double) -> Severities {
    .blend(before, severities, MinimumJerk.position(3 * time / out))
  }

  /// The times at which the depth passes `departure` on the way out and on the way back.
  var passing: (out: Double, back: Double) {
    func time(from early: Double, to late: Double, beyond depth: Double, rising: Bool) -> Double {
      var (early, late) = (early, late)
      while late - early > 1e-7 {
        let middle = (early + late) / 2
        if (self.depth(at: middle) < depth) == rising { early = middle } else { late = middle }
      }
      return (early + late) / 2
    }
    return (
      time(from: 0, to: out, beyond: start + Self.departure, rising: true),
      time(from: out + pause, to: duration, beyond: end + Self.departure, rising: false)
    )
  }

  private func progress(_ fraction: Double) -> Double {
    MinimumJerk.position(fraction + skew * fraction * (1 - fraction))
  }
}

/// The smooth path of human movements from one posture to another.
///
/// The path of least mean square jerk between two positions at rest: speed and acceleration are 0 at both ends. Source:
/// Flash and Hogan, The Coordination of Arm Movements, Journal of Neuroscience 5, 1985.
enum MinimumJerk {
  /// The fraction of the path at a fraction of the time; 0 before 0 and 1 after 1.
  static func position(_ fraction: Double) -> Double {
    let t = min(max(fraction, 0), 1)
    return t * t * t * (10 + t * (6 * t - 15))
  }

  /// The distance covered, in units of full speed x duration, while the speed falls smoothly from full to zero.
  ///
  /// The integral of `1 - position`, which reaches 1/2 at 1.
  static func slowing(_ fraction: Double) -> Double {
    let t = min(max(fraction, 0), 1)
    let square = t * t
    return t - square * square * (2.5 + t * (t - 3))
  }

  /// There and back: 0 at both ends, 1 halfway.
  static func bump(_ fraction: Double) -> Double {
    fraction < 0.5 ? position(2 * fraction) : position(2 - 2 * fraction)
  }
}
