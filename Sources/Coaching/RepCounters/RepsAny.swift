import PoseModel

/// Counts the reps of any exercise from the body's most periodic movement.
///
/// Thirty-two numbers describe a pose: joint angles, heights and distances in trunk lengths. Twice a second, and five
/// times while nothing repeats, the detector searches the last seconds for a period. The most periodic candidate, one
/// number or the first principal component of all, sets the weights of all numbers, and the turning points of the
/// weighted sum are counted with hysteresis. The reps that led to the choice are reported late, with times in the past.
/// Later reps are reported at their end. Every five seconds the weights are renewed and the last reps recounted: missed
/// reps are reported late, and for each rep that was counted wrongly one later rep is not reported.
///
/// A turn counts if its range is half to twice the usual one and it does not follow the last one too soon. A single
/// movement is not a rep. Two equal movements per cycle are two reps, as in lunges to both sides: equal means that the
/// poses half a cycle apart are mirror images of each other.
public struct RepsAny: Detector {
  public static let profile = DetectorProfile(
    name: "reps-any", kind: .reps, exercise: "",
    summary: "Counts the reps of any exercise from the body's most periodic movement.",
    source: "periods from autocorrelation, as in rep counters without learning (Runia et al., 2018, §2)",
    joints: [.leftShoulder, .leftHip], tasks: [.counts, .countConfidence])

  private static let plateau = "tuned on 82 RepCount videos: neighbouring round values change up to 4 of them"

  static let window = Parameter(
    "window", 14, in: 6...16, .seconds, "Length of the search for a period: two of the slowest reps.",
    source: plateau)
  static let shortWindow = Parameter(
    "shortWindow", 5, in: 3...8, .seconds,
    "Length of the search for quick reps that have just begun.",
    source: plateau)
  static let periodicity = Parameter(
    "periodicity", 0.5, in: 0...1, .ratio, "Least autocorrelation of a movement at its period.",
    source: plateau)
  static let shortPeriodicity = Parameter(
    "shortPeriodicity", 0.7, in: 0...1, .ratio,
    "Least autocorrelation in the short window, where chance values are higher.",
    source: plateau)
  static let clearPeriodicity = Parameter(
    "clearPeriodicity", 0.85, in: 0...1, .ratio,
    "Autocorrelation above which small movements count too, and 3 s of them are enough.",
    source: "chosen on 82 RepCount videos and generated sets of five reps; 0.8 to 0.9 count within 2 % alike")
  static let mirrorLikeness = Parameter(
    "mirrorLikeness", 0.25, in: 0...1, .ratio,
    "Similarity of mirrored poses half a period apart above which a cycle is one rep to each side.",
    source: "chosen on generated sets; 0.2 to 0.3 count alike, and no RepCount video differently")
  static let minimumRange = Parameter(
    "minimumRange", 0.6, in: 0.05...4, .ratio,
    "Least movement that is searched: in trunk lengths, for angles in right angles.", source: plateau)
  static let smallRange = Parameter(
    "smallRange", 0.12, in: 0.02...4, .ratio, "Least movement that is searched if it is clearly periodic.",
    source: "a shrug is a tenth to a sixth of the trunk; sway while standing is a twentieth")
  static let turnShare = Parameter(
    "turnShare", 0.55, in: 0.2...0.9, .ratio,
    "Share of the usual range that a rep must cover, on the way out and back.",
    source: plateau)
  static let returnShare = Parameter(
    "returnShare", 0.7, in: 0.2...1, .ratio,
    "Share of the usual return after which a rep is over, unless the return ends before.",
    source: "0.9 loses last reps of recordings that end with them; 0.7 to 0.9 count web videos within 2 % alike")
  static let smallestShare = Parameter(
    "smallestShare", 0.5, in: 0...1, .ratio, "Share of the usual range below which a turn is not a rep.",
    source: "half a rep does not count")
  static let spacing = Parameter(
    "spacing", 0.3, in: 0...0.9, .ratio,
    "Share of the period within which a second turn is the same one.",
    source: plateau)
  static let patience = Parameter(
    "patience", 15, in: 3...120, .seconds, "Time without a rep after which a new movement is chosen.",
    source: "reasoned: longer than a rest between two reps of a set")

  /// More than twice the usual range is a person who gets up or walks off.
  private static let greatestShare: Float = 2

  static let visibilityThresholds = VisibilityThresholds(
    minimumConfidence: VisibilityThresholds.squatAnalyser.minimumConfidence,
    usesDepth: .toggle(
      "usesDepth", true, "Measures in 3D instead of in the image if the recording has depth.",
      source: "a movement towards the camera hardly shows in the picture"))

  public static let parameters =
    [
      window, shortWindow, periodicity, shortPeriodicity, clearPeriodicity, mirrorLikeness, minimumRange, smallRange,
      turnShare, returnShare, smallestShare, spacing, patience,
    ] + visibilityThresholds.all

  /// The number of reps so far.
  public private(set) var repCount = 0
  private let settings: Settings
  private var sampler: PoseSampler
  private var history: PoseHistory
  private var search: PeriodSearch
  /// The counted movement; `nil` if nothing is periodic.
  private var movement: RepeatedMovement?
  /// The weight of each number; turns are maxima of the sum.
  private var weights = PoseRows(rows: 1)
  private var turns = RecentTurns()
  /// The number of reps in this set that a previous movement counted wrongly.
  private var excess = 0
  /// Whether a person was visible in the newest sample or just before.
  private var isSeen = false
  private var watch = DoubtWatch()
  /// How often weights were chosen.
  private var choices = 0

  struct Settings: Hashable, Sendable {
    /// In samples.
    let (window, shortWindow, patience): (Int, Int, Int)
    let (periodicity, shortPeriodicity, clearPeriodicity, mirrorLikeness): (Float, Float, Float, Float)
    let (minimumRange, smallRange): (Float, Float)
    let (turnShare, returnShare, smallestShare, spacing): (Float, Float, Float, Float)

    init(_ values: ParameterValues) {
      func samples(_ parameter: Parameter) -> Int { Int(values[parameter] * Double(PoseSampler.rate)) }
      func share(_ parameter: Parameter) -> Float { Float(values[parameter]) }
      (window, shortWindow) = (samples(RepsAny.window), samples(RepsAny.shortWindow))
      patience = samples(RepsAny.patience)
      (periodicity, shortPeriodicity) = (share(RepsAny.periodicity), share(RepsAny.shortPeriodicity))
      (clearPeriodicity, mirrorLikeness) = (share(RepsAny.clearPeriodicity), share(RepsAny.mirrorLikeness))
      (minimumRange, smallRange) = (share(RepsAny.minimumRange), share(RepsAny.smallRange))
      (turnShare, returnShare) = (share(RepsAny.turnShare), share(RepsAny.returnShare))
      smallestShare = share(RepsAny.smallestShare)
      spacing = share(RepsAny.spacing)
    }

    /// Whether a range is that of a rep.
    func isRep(_ way: Float, usual: Float) -> Bool {
      way >= smallestShare * usual && way <= RepsAny.greatestShare * usual
    }

    /// The minimum samples between two turns. A period above 2 s counts as 2 s, because slow reps vary more.
    func distance(period: Int) -> Int { Int(spacing * Float(min(period, 2 * PoseSampler.rate))) }
  }

  /// - Throws: `ParameterError.contradiction` if the short window is not the shorter one.
  public init(_ values: ParameterValues) throws(ParameterError) { try self.init(values, keeping: nil) }

  /// - Parameter mask: 1 for the numbers of a pose that are kept, 0 for others; `nil` to keep all.
  init(_ values: ParameterValues, keeping mask: PoseRows?) throws(ParameterError) {
    guard values[Self.shortWindow] < values[Self.window] else {
      throw .contradiction(
        "shortWindow (\(values[Self.shortWindow]) s) must be less than window (\(values[Self.window]) s)")
    }
    settings = Settings(values)
    sampler = PoseSampler(Self.visibilityThresholds.visibility(values), keeping: mask)
    history = PoseHistory()
    search = PeriodSearch(settings)
  }

  /// The counted movement, or the body's main one while there is none.
  public var countedValue: Float {
    guard isSeen else { return .nan }
    return history.values.dot(history.count - 1, movement == nil ? search.common : weights)
  }

  public var countDoubts: CountDoubts? { watch.doubts }

  public var countingRule: CountingRule? {
    // A weighted sum of lengths and angles has no unit: people read it in shares of its usual range.
    let share = Double(settings.turnShare)
    return CountingRule(
      signal: "movement", unit: "",
      steps: [
        CountingRule.Step(.turn, isAbove: true, nil, by: Self.turnShare.name, ofUsual: share),
        CountingRule.Step(.end, isAbove: false, nil, by: Self.turnShare.name, ofUsual: share),
      ],
      range: CountingRule.Limit(Double(settings.minimumRange), by: Self.minimumRange.name),
      learning: CountingRule.Limit(Double(settings.periodicity), by: Self.periodicity.name),
      greatest: Double(Self.greatestShare))
  }

  public var countedLevels: CountedLevels {
    guard isSeen, let movement else {
      var levels = CountedLevels()
      if movement == nil { levels.clarity = search.clarity }
      return levels
    }
    var levels = movement.levels(settings)
    levels.choice = choices
    return levels
  }

  public mutating func update(
    _ poses: borrowing PoseColumns, _ signals: borrowing SignalColumns, events: inout [Event]
  ) {
    for frame in 0..<poses.count { update(poses, frame, &events) }
  }

  /// Processes the next frame.
  mutating func update(_ poses: borrowing PoseColumns, _ frame: Int, _ events: inout [Event]) {
    let time = poses.time(frame)
    var due = sampler.due(at: time)
    if due > PoseHistory.length {
      sampler.skip(due)
      history.removeAll()
      movement = nil
      isSeen = false
      due = 0
    }
    for _ in 0..<due {
      isSeen = sampler.close(into: &history)
      watch.see(isSeen, at: time)
      look(at: time, &events)
    }
    sampler.add(poses, frame)
  }

  /// The number of samples so far.
  var sampleCount: Int { sampler.closed }
  /// A time on the scale of samples.
  func sample(of time: Microseconds) -> Float { sampler.tick(of: time) }

  /// Appends the samples with a person from a sample on.
  func appendSamples(since first: Int, to rows: inout [Float], _ ticks: inout [Int]) {
    for row in history.firstRow(since: first)..<history.count {
      rows += history.values.values[PoseRows.start(row)..<PoseRows.start(row + 1)]
      ticks.append(history.ticks[row])
    }
  }

  /// Searches the history after a new sample.
  private mutating func look(at time: Microseconds, _ events: inout [Event]) {
    let now = sampler.closed
    if now.isMultiple(of: PeriodSearch.interval) {
      let isOdd = !(now / PeriodSearch.interval).isMultiple(of: 2)
      // Search the short window while nothing repeats well.
      let isWell = movement.map { $0.periodicity >= settings.periodicity } ?? false
      if !(isOdd && isWell),
        let chosen = search.movement(in: history, at: now, isShort: isOdd, insteadOf: &movement, weights, turns)
      {
        take(chosen, at: time, &events)
        return
      }
    } else if movement == nil, now.isMultiple(of: PeriodSearch.eagerInterval),
      let chosen = search.movement(
        in: history, at: now, isShort: false, isEager: true, insteadOf: &movement, weights, turns)
    {
      take(chosen, at: time, &events)
      return
    }
    guard isSeen else { return }
    count(history.count - 1, at: time, &events)
    if movement != nil, now - turns.lastReport > settings.patience { movement = nil }
  }

  private mutating func take(_ chosen: RepeatedMovement, at time: Microseconds, _ events: inout [Event]) {
    let isFirst = movement == nil
    movement = chosen
    weights.copy(0, from: search.weights, 0)
    choices += 1
    if isFirst { start(at: time, &events) } else { recount(chosen, at: time, &events) }
  }

  /// Replays a newly chosen movement from its first rep, or the previous movement's last turn, to now.
  private mutating func start(at time: Microseconds, _ events: inout [Event]) {
    excess = 0
    for row in max(search.firstRow, history.firstRow(since: turns.last ?? 0))..<history.count {
      count(row, at: time, &events)
    }
  }

  /// Recounts the set with a better movement, reports the reps that the previous one missed, and remembers how many it
  /// counted wrongly.
  private mutating func recount(_ chosen: RepeatedMovement, at time: Microseconds, _ events: inout [Event]) {
    let (found, first) = replay(chosen, reporting: 0, at: time, &events)
    let counted = turns.count(since: first - chosen.period / 2)
    excess = max(0, counted - found)
    if found > counted { _ = replay(chosen, reporting: found - counted, at: time, &events) }
  }

  /// Replays a movement from its first rep to now and reports up to `missing` reps far from those counted before.
  ///
  /// - Returns: The number of reps and the first one's turn.
  private mutating func replay(
    _ chosen: RepeatedMovement, reporting missing: Int, at time: Microseconds, _ events: inout [Event]
  ) -> (count: Int, first: Int) {
    var (replayed, missing) = (chosen, missing)
    var (found, first, last) = (0, 0, Int?.none)
    let known = turns
    for row in search.firstRow..<history.count {
      let value = history.values.dot(row, weights)
      guard let turn = replayed.update(value, history.ticks[row], history.times[row], settings),
        settings.isRep(turn.way, usual: replayed.usualWay),
        last.map({ turn.tick > $0 + settings.distance(period: chosen.period) }) ?? true
      else { continue }
      replayed.adapt(to: turn.way)
      found += 1
      if last == nil { first = turn.tick }
      last = turn.tick
      guard missing > 0, !known.contains(near: turn.tick, within: chosen.period / 3) else { continue }
      report(turn.rep, turn: turn.tick, at: time, &events)
      missing -= 1
    }
    movement = replayed
    return (found, first)
  }

  private mutating func count(_ row: Int, at time: Microseconds, _ events: inout [Event]) {
    guard movement != nil else { return }
    let value = history.values.dot(row, weights)
    guard let turn = movement?.update(value, history.ticks[row], history.times[row], settings), let movement else {
      return
    }
    let counts =
      settings.isRep(turn.way, usual: movement.usualWay)
      && turns.allow(turn.tick, settings.distance(period: movement.period))
    watch.move(by: turn.way / movement.usualWay, counts: counts)
    guard counts else { return }
    self.movement?.adapt(to: turn.way)
    report(turn.rep, turn: turn.tick, at: time, &events)
  }

  private mutating func report(_ rep: Rep, turn: Int, at time: Microseconds, _ events: inout [Event]) {
    guard excess == 0 else {
      excess -= 1
      turns.skip(turn, reported: sampler.closed)
      return
    }
    repCount += 1
    watch.count(rep.turn ?? rep.end)
    turns.add(turn, reported: sampler.closed)
    events.append(Event(time: rep.end, reported: time, kind: .rep(rep)))
  }
}

/// The last turning points, in samples.
struct RecentTurns: Sendable {
  private var ticks = SIMD64<Int>(repeating: -1)
  private var next = 0
  /// The last four turns, counted or not.
  private var latest = SIMD4<Int>(repeating: -1)
  private(set) var lastReport = 0

  /// The last turn.
  var last: Int? { latest[3] < 0 ? nil : latest[3] }

  /// Whether a turn is further than `distance` behind the last one.
  func allow(_ tick: Int, _ distance: Int) -> Bool { last.map { tick > $0 + distance } ?? true }

  /// Whether a counted turn is at most `distance` from a sample.
  func contains(near tick: Int, within distance: Int) -> Bool {
    (0..<ticks.scalarCount).contains { ticks[$0] >= 0 && abs(ticks[$0] - tick) <= distance }
  }

  /// The number of counted turns, among the last 64, at or after a sample.
  func count(since tick: Int) -> Int {
    (0..<ticks.scalarCount).count { ticks[$0] >= max(0, tick) }
  }

  /// Adds a turn that counts.
  mutating func add(_ tick: Int, reported: Int) {
    ticks[next % ticks.scalarCount] = tick
    next += 1
    skip(tick, reported: reported)
  }

  /// Adds a turn that does not count.
  mutating func skip(_ tick: Int, reported: Int) {
    latest = SIMD4(latest[1], latest[2], latest[3], max(tick, latest[3]))
    lastReport = reported
  }

  /// The side of a new movement on which the known turns lie; `nil` for fewer than two turns or a tie.
  func sign(among extremes: ArraySlice<Extreme>, since first: Int) -> Float? {
    var (high, low, known) = (0, 0, 0)
    for index in 0..<4 where latest[index] >= max(first, 0) {
      var nearest = (high: PoseHistory.length, low: PoseHistory.length)
      for extreme in extremes {
        let distance = abs(extreme.tick - latest[index])
        if extreme.sign > 0 {
          nearest.high = min(nearest.high, distance)
        } else {
          nearest.low = min(nearest.low, distance)
        }
      }
      high += nearest.high
      low += nearest.low
      known += 1
    }
    return known < 2 || high == low ? nil : (high < low ? 1 : -1)
  }
}

/// A weighted sum of a pose's numbers and its turning points.
struct RepeatedMovement: Sendable {
  struct Turn {
    var tick: Int
    var rep: Rep
    /// The distance of the turn from the start of the movement to it.
    var way: Float
  }

  /// The usual range of the reps.
  private(set) var usualWay: Float
  /// In samples.
  var period: Int
  /// The autocorrelation at the period, at the last search.
  var periodicity: Float

  /// Whether a cycle is two reps, one to each side.
  let isMirrored: Bool
  /// Whether less than two periods were seen when it was chosen: the first movement found otherwise replaces it.
  let isProvisional: Bool

  private var isOnTheWay = false
  private var low = Float.infinity
  private var high = -Float.infinity
  private var highTick = 0
  private var turned = Microseconds.zero
  private var left = Microseconds.zero
  /// The turn after which the return is more than half done, and since which sample.
  private var returning: Turn?
  private var halfway = 0

  init(usualWay: Float, period: Int, periodicity: Float, isMirrored: Bool, isProvisional: Bool) {
    self.usualWay = usualWay
    self.period = period
    self.isMirrored = isMirrored
    self.isProvisional = isProvisional
    self.periodicity = periodicity
  }

  mutating func adapt(to way: Float) { usualWay += 0.2 * (way - usualWay) }

  /// The values that it must pass for a turn, and to come back from it.
  func levels(_ settings: RepsAny.Settings) -> CountedLevels {
    let threshold = settings.turnShare * usualWay
    var levels = CountedLevels()
    levels.turn = low + threshold
    levels.end = high - threshold
    levels.usual = usualWay
    return levels
  }

  /// Takes the next sample.
  ///
  /// - Returns: The turn of a rep that ends here: the return is complete, has paused for a second, or is broken off.
  mutating func update(
    _ value: Float, _ tick: Int, _ time: Microseconds, _ settings: RepsAny.Settings
  ) -> Turn? {
    let threshold = settings.turnShare * usualWay
    if isOnTheWay {
      if value > high { (high, highTick, turned) = (value, tick, time) }
      guard high - value > threshold else { return nil }
      returning = Turn(tick: highTick, rep: Rep(start: left, end: time, turn: turned), way: high - low)
      isOnTheWay = false
      (low, left, halfway) = (value, time, tick)
    }
    if value <= low {
      low = value
      returning?.rep.end = time
    }
    // A tenth of the range may be noise or sway.
    let isLow = value <= low + 0.1 * usualWay
    if isLow { left = time }
    if value - low > threshold {
      isOnTheWay = true
      (high, highTick, turned) = (value, tick, time)
    }
    let isBack = high - value > settings.returnShare * usualWay || tick - halfway >= PoseSampler.rate
    guard let turn = returning, isBack || !isLow || isOnTheWay else { return nil }
    returning = nil
    return turn
  }
}
