import PoseModel
import RealModule

/// Counts the reps of a named exercise by five counts that vote on every frame, each with its confidence as its weight.
///
/// 1. `RepsAny`; 2. a second one that sees only the exercise's joints; 3. the exercise's own counter; 4. and 5. phase models
/// learned from the reps of the first and of the third, which count the whole recording again every five seconds. The
/// number with most weight within a rep of it wins. A rep once reported stays. Nothing is reported while the reps look
/// like another movement (`ExerciseGate`), are in another posture (`PostureGate`), or while the legs of squats differ or
/// those of lunges do not (`LegDifference`).
///
/// - Source: developed here on 152 videos of RepCount and Countix; figures with the constants chosen on other folds are in
///   docs/detectors.md.
struct ExerciseReps: PoseObserver {
  /// The votes of a count for numbers that differ from it by 0, 1 and 2.
  private static let reach = [1, 0.7, 0.2]
  /// The least weight of a count.
  private static let leastWeight = 0.05
  /// Above this confidence the exercise's own counter decides between two numbers next to each other.
  private static let sure = 0.9
  /// Exercises whose own counter counts shallow reps here, where four other counts can outvote it: in others, such as bench
  /// presses, more web videos were counted wrongly with them.
  private static let withShallow: Set = ["squat", "lunge"]
  /// The samples between two fits of the phase models, and the most that they learn from: two minutes.
  private static let (interval, most) = (5 * PoseSampler.rate, 120 * PoseSampler.rate)

  static let least = Parameter(
    "least", 2, in: 1...10, .reps, "Reps that the exercise's own counter must have found before any is reported.",
    source: "chosen for few phantoms: 1 counts more of people who do something else")

  private var any: RepsAny
  private var masked: RepsAny
  private var own: RepExerciseDetector
  private let leastOwn: Int
  /// `nil` for an exercise without one.
  private var gate: ExerciseGate?
  /// Empty for an exercise without any.
  private var postures: [PostureGate]
  /// `nil` for an exercise that legs may do alike or not.
  private var legs: LegDifference?
  private var (anyReps, maskedReps, ownReps): ([Rep], [Rep], [Rep]) = ([], [], [])
  private var events: [Event] = []
  private var rows: [Float] = []
  private var ticks: [Int] = []
  private var lastFit = 0
  private var anyModel = Recount()
  private var ownModel = Recount()
  private var reported: [Rep] = []
  /// The weight of the reported number, of all.
  private var share = 0.0

  /// A phase model's count, and the reps of its counter when it was learned.
  private struct Recount {
    var count: Int?
    var known = 0

    func now(_ reps: Int) -> Int { count.map { $0 + reps - known } ?? reps }
  }

  private struct Vote {
    var number: Int
    var weight: Double
  }

  /// - Throws: As the exercise's own counter.
  init(_ exercise: ExerciseDefinition, _ rule: RepRule, _ values: ParameterValues) throws(ParameterError) {
    let usual = try ParameterValues(RepsAny.parameters)
    any = try RepsAny(usual)
    masked = try RepsAny(usual, keeping: PoseSampler.mask(of: exercise.joints))
    own = try RepExerciseDetector(
      exercise, rule, values, countsShallow: Self.withShallow.contains(exercise.name))
    leastOwn = Int(values[Self.least])
    postures = PostureGate.all(of: exercise.name, values)
    if let parameter = Self.leastOdds(of: exercise.name) {
      gate = ExerciseGate(exercise.name, limit: values[parameter])
    }
    if let parameter = Self.legDifference(of: exercise.name) {
      let limit = Float(values[parameter])
      legs = LegDifference(
        exercise.visibilityThresholds.visibility(values), allowed: exercise.name == "lunge" ? limit...1 : 0...limit)
    }
  }

  /// The limit of an exercise's gate; `nil` for an exercise without one.
  static func leastOdds(of exercise: String) -> Parameter? {
    ExerciseGateWeights.limits[exercise].map { limit in
      Parameter(
        "leastOdds", limit, in: -7...6, .ratio,
        "Nothing is reported while the mean log odds that the reps are this exercise are lower; -7 reports all.",
        source: "chosen on RepCount, Countix, UI-PRMD and generated people: few clips of the exercise are refused")
    }
  }

  /// The limit of how much both legs differ; `nil` for an exercise without one.
  static func legDifference(of exercise: String) -> Parameter? {
    switch exercise {
    case "squat":
      Parameter(
        "mostLegDifference", 0.3, in: 0...1, .ratio,
        "Nothing is reported while both legs differ by more where the hips are lowest, on average; 1 reports all.",
        source: "keeps 98 % of the squats of any nine of ten people of UI-PRMD from 15 places: 0.29 to 0.32")
    case "lunge":
      Parameter(
        "leastLegDifference", 0.23, in: 0...1, .ratio,
        "Nothing is reported while both legs differ by less where the hips are lowest, on average; 0 reports all.",
        source: "keeps all lunges of any eight of nine people of UI-PRMD from 15 places: 0.22 to 0.23")
    default: nil
    }
  }

  var signals: [any Signal] { own.signals }
  var guides: [Guide] { own.guides }
  var countingRule: CountingRule? { own.countingRule }
  var countedValue: Float { own.countedValue }
  var countedLevels: CountedLevels { own.countedLevels }
  var countDoubts: CountDoubts? { any.countDoubts }
  /// A logistic regression on the share of the vote, over slight changes of 152 recorded clips.
  var countConfidence: Double? { 1 / (1 + Double.exp(1.83 - 6.17 * share)) }

  mutating func update(_ poses: borrowing PoseColumns, _ signals: borrowing SignalColumns, events: inout [Event]) {
    for frame in 0..<poses.count {
      let before = any.sampleCount
      self.events.removeAll(keepingCapacity: true)
      any.update(poses, frame, &self.events)
      Self.take(&self.events, into: &anyReps)
      masked.update(poses, frame, &self.events)
      Self.take(&self.events, into: &maskedReps)
      own.update(poses, signals, frame, &self.events)
      legs?.add(poses, frame)
      let known = ownReps.count
      Self.take(&self.events, into: &ownReps)
      if any.sampleCount > before, ticks.count <= Self.most {
        any.appendSamples(since: before, to: &rows, &ticks)
        if any.sampleCount - lastFit >= Self.interval, ticks.count <= Self.most { fit() }
      }
      for rep in ownReps[known...] {
        legs?.add(rep)
        if gate != nil || !postures.isEmpty { judge(rep) }
      }
      vote(at: poses.time(frame), &events)
    }
  }

  private static func take(_ events: inout [Event], into reps: inout [Rep]) {
    for event in events {
      if case .rep(let rep) = event.kind { reps.append(rep) }
    }
    events.removeAll(keepingCapacity: true)
  }

  /// Takes a rep of the exercise's own counter into account, of the samples that ended within it.
  private mutating func judge(_ rep: Rep) {
    func row(at time: Microseconds) -> Int {
      let tick = Int(any.sample(of: time).rounded(.down))
      return ticks.lastIndex { $0 < tick }.map { $0 + 1 } ?? 0
    }
    let width = PoseRows.width
    let first = row(at: rep.start)
    let last = min(ticks.count, max(first + 2, row(at: rep.end)))
    guard first < last else { return }
    let samples = rows[first * width..<last * width]
    gate?.add(samples, seconds: rep.duration.seconds)
    for index in postures.indices { postures[index].add(samples, seconds: rep.duration.seconds) }
  }

  private mutating func fit() {
    lastFit = any.sampleCount
    func spans(_ reps: [Rep]) -> [(start: Float, end: Float)] {
      reps.map { (any.sample(of: $0.start), any.sample(of: $0.end)) }.sorted { $0 < $1 }
    }
    anyModel = Recount(count: PhaseModel.count(rows, ticks, spans(anyReps)), known: anyReps.count)
    ownModel = Recount(count: PhaseModel.count(rows, ticks, spans(ownReps)), known: ownReps.count)
  }

  private mutating func vote(at time: Microseconds, _ events: inout [Event]) {
    let confidence = (any: any.countConfidence ?? 0, masked: masked.countConfidence ?? 0, own: own.countConfidence ?? 0)
    func vote(_ number: Int, _ confidence: Double) -> Vote {
      Vote(number: number, weight: max(Self.leastWeight, confidence))
    }
    let votes = (
      vote(anyReps.count, confidence.any), vote(maskedReps.count, confidence.masked),
      vote(anyModel.now(anyReps.count), confidence.any), vote(ownReps.count, confidence.own),
      vote(ownModel.now(ownReps.count), confidence.own)
    )
    func weight(of number: Int) -> Double {
      func part(_ vote: Vote) -> Double {
        let distance = abs(vote.number - number)
        return distance < Self.reach.count ? Self.reach[distance] * vote.weight : 0
      }
      return part(votes.0) + part(votes.1) + part(votes.2) + part(votes.3) + part(votes.4)
    }
    let numbers = (votes.0.number, votes.1.number, votes.2.number, votes.3.number, votes.4.number)
    let low = min(numbers.0, numbers.1, numbers.2, min(numbers.3, numbers.4))
    let high = max(numbers.0, numbers.1, numbers.2, max(numbers.3, numbers.4))
    var (best, most) = (low, -1.0)
    for number in low...high {
      let weight = weight(of: number)
      if weight > most + 1e-12 { (best, most) = (number, weight) }
    }
    if confidence.own >= Self.sure, abs(ownReps.count - best) == 1 { best = ownReps.count }
    let isOther = gate?.isOpen == false || !postures.allSatisfy(\.isOpen) || legs?.isAllowed == false
    if ownReps.count < leastOwn || isOther { best = 0 }
    while reported.count < best { report(confidence, at: time, &events) }
    share = weight(of: reported.count) / 5
  }

  /// Reports the first rep of the most confident counter that is not reported yet.
  private mutating func report(
    _ confidence: (any: Double, masked: Double, own: Double), at time: Microseconds, _ events: inout [Event]
  ) {
    let sources = [(confidence.any, anyReps), (confidence.own, ownReps), (confidence.masked, maskedReps)]
    var new: Rep?
    for (_, reps) in sources.sorted(by: { $0.0 > $1.0 }) where new == nil {
      new = reps.first { rep in !reported.contains { Self.overlap(rep, $0) } }
    }
    let start = reported.last?.end ?? time
    let rep =
      new ?? Rep(start: min(start, time), end: time, turn: Microseconds((min(start, time).count + time.count) / 2))
    reported.append(rep)
    events.append(Event(time: rep.end, reported: time, kind: .rep(rep)))
  }

  /// Whether two reps share more than half of the shorter one.
  private static func overlap(_ a: Rep, _ b: Rep) -> Bool {
    2 * (min(a.end, b.end).count - max(a.start, b.start).count) > min(a.duration, b.duration).count
  }
}

extension ExerciseDefinition {
  /// The definition of the counter that votes, `reps-push-up`; `nil` for a posture that is held.
  public var counter: DetectorDefinition? {
    guard case .reps(let rule) = rule else { return nil }
    var counted = self
    (counted.faults, counted.praise) = ([], nil)
    let profile = DetectorProfile(
      name: "reps-\(name)", kind: .reps, exercise: name,
      summary:
        "Counts \(name) reps by five counts that vote: of any movement, of this exercise, and of learned phases.",
      source: "developed here on RepCount and Countix, see docs/detectors.md", joints: joints,
      tasks: [.counts, .countConfidence])
    let gates =
      [ExerciseReps.leastOdds(of: name), ExerciseReps.legDifference(of: name)].compactMap { $0 }
      + PostureGate.limits(of: name)
    let parameters = counted.parameters + [ExerciseReps.least] + gates
    return DetectorDefinition(profile: profile, parameters: parameters) { [counted] (values) throws(ParameterError) in
      try ExerciseReps(counted, rule, values)
    }
  }
}

extension PoseSampler {
  /// The joints of each number of a pose, one of both sides: shoulder, elbow, wrist, hip, knee, ankle, nose.
  private static let joints: [[Joint]] = [
    [.leftHip, .leftKnee, .leftAnkle], [.leftHip, .leftKnee, .leftAnkle],
    [.leftShoulder, .leftHip, .leftKnee], [.leftShoulder, .leftHip, .leftKnee],
    [.leftShoulder, .leftElbow, .leftWrist], [.leftShoulder, .leftElbow, .leftWrist],
    [.leftHip, .leftShoulder, .leftElbow], [.leftHip, .leftShoulder, .leftElbow],
    [.leftWrist, .leftShoulder], [.leftHip, .leftAnkle], [.leftShoulder, .leftAnkle], [.nose, .leftHip],
    [.leftShoulder, .leftHip], [.leftHip, .leftKnee], [.leftWrist, .leftHip], [.leftElbow, .leftShoulder],
    [.nose, .leftWrist], [.leftWrist, .leftHip], [.leftWrist, .leftShoulder], [.leftHip, .leftAnkle],
    [.leftShoulder, .leftKnee], [.leftShoulder, .leftAnkle], [.leftWrist], [.leftAnkle], [.leftKnee],
    [.leftAnkle, .leftHip], [.leftWrist, .leftShoulder], [.nose, .leftHip], [.leftShoulder, .leftHip], [.leftWrist],
    [.leftAnkle], [.nose, .leftShoulder],
  ]

  /// 1 for the numbers that are measured on an exercise's joints, shoulders and hips alone.
  static func mask(of joints: [Joint]) -> PoseRows {
    let known = Set(joints.map(\.leftOne)).union([.leftShoulder, .leftHip])
    var mask = PoseRows(rows: 1)
    for (number, joints) in Self.joints.enumerated() where known.isSuperset(of: joints) { mask[0, number] = 1 }
    return mask
  }
}

extension Joint {
  /// The left one of a joint with two sides.
  fileprivate var leftOne: Joint { Joint(name: name.replacing("right_", with: "left_")) ?? self }
}
