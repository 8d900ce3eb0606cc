import PoseModel
import RealModule

/// Finds tennis strokes and names them forehand, backhand or serve with a small network that was trained on recordings.
///
/// The last 0.87 s of the player's joints go through the network 30 times a second. It says how likely it is that a
/// contact happened 0.2 s ago, and of which stroke. A stroke is the highest of these probabilities for some time; no
/// second one follows within `spacing`, so that one swing is never reported twice. Forehand slices count as forehands
/// and backhand slices as backhands: the recordings have either slice in one clip only, which cannot show that another
/// player's would be recognised.
///
/// The player may be left- or right-handed, and seen from behind or from the front: see `SwingPoses` and `SwingNetwork`.
/// Every tick costs some 20,000 multiplications, 3 to 5 µs on one core.
public struct SwingStrokes: Detector {
  public static let profile = DetectorProfile(
    name: "swing-strokes", kind: .swing, exercise: "tennis",
    summary: "Finds tennis strokes and names them with a small network trained on recordings.",
    source: "none: developed here on labelled tennis, see docs/detectors.md",
    joints: [.leftShoulder, .leftHip, .leftWrist], labels: SwingType.allCases.map(\.rawValue))

  static let probability = Parameter(
    "probability", 0.2, in: 0.01...0.99, .ratio, "The least probability of a contact that is a stroke.",
    source: "chosen on four streams, each left out of training in turn; 0.2 to 0.3 differ by 0.01 in F1")
  static let lookAhead = Parameter(
    "lookAhead", 0.2, in: 0...1, .seconds,
    "How long a probability must stay the highest. A stroke is reported at most 0.23 s later than this.",
    source: "chosen on the same streams: 0.17 s or longer find as many strokes, 0.1 s fewer")
  static let decline = Parameter(
    "decline", 0.5, in: 0...1, .ratio,
    "A probability is known to be the highest, and its stroke reported, when a later one is below this share of it.",
    source: "reasoned: a peak ends halfway down; on the same streams it hardly changes what is found")
  static let spacing = Parameter(
    "spacing", 1, in: 0.1...10, .seconds, "The shortest time between two contacts.",
    source: "a ball that a player hits takes longer to return; the fastest of the streams' strokes are 1.3 s apart")
  static let minimumConfidence = Parameter(
    "minimumConfidence", 0.3, in: 0...1, .ratio, "Joints at or below this confidence are ignored.",
    source: "as the other swing detectors")

  public static let parameters = [probability, lookAhead, decline, spacing, minimumConfidence]

  private let threshold: Float
  private let wait: Int
  private let decline: Float
  private let distance: Int
  private var poses: SwingPoses
  private var network = SwingNetwork()
  /// Of the newest ticks with a probability.
  private var scores = RingBuffer(capacity: 128, filler: SwingNetwork.Score())
  /// Ticks with a probability so far: `scores` ends with number `count - 1`.
  private var count = 0
  private var candidate: (tick: Int, value: Float)?
  private var last: Int?

  public init(_ values: ParameterValues) throws(ParameterError) {
    func ticks(_ parameter: Parameter) -> Int { Int((values[parameter] * Double(SwingPoses.rate)).rounded()) }
    threshold = Float(values[Self.probability])
    wait = ticks(Self.lookAhead)
    decline = Float(values[Self.decline])
    distance = ticks(Self.spacing)
    poses = SwingPoses(minimumConfidence: Float(values[Self.minimumConfidence]))
  }

  public var countingRule: CountingRule? {
    CountingRule(
      signal: "probability of a contact", unit: "",
      steps: [CountingRule.Step(.turn, isAbove: true, Double(threshold), by: Self.probability.name)])
  }

  public mutating func update(
    _ poses: borrowing PoseColumns, _ signals: borrowing SignalColumns, events: inout [Event]
  ) {
    for frame in 0..<poses.count {
      if self.poses.add(poses, frame) {
        scores.removeAll()
        (count, candidate, last) = (0, nil, nil)
      }
      while self.poses.advance() { look(at: poses.time(frame), &events) }
    }
  }

  /// Judges the contact of 0.2 s before the newest tick.
  private mutating func look(at time: Microseconds, _ events: inout [Event]) {
    guard poses.count > SwingNetwork.after else { return }
    scores.append(network.score(poses))
    count += 1
    // Smoothing needs the next tick.
    let tick = count - 2
    guard tick >= 0 else { return }
    let value = poses.wasSeen ? smoothed(tick) : 0
    if value >= threshold, last.map({ tick - $0 >= distance }) ?? true, candidate.map({ value > $0.value }) ?? true {
      candidate = (tick, value)
    }
    guard let candidate,
      tick - candidate.tick >= wait || tick > candidate.tick && value < decline * candidate.value
    else { return }
    report(candidate.tick, until: tick, at: time, &events)
    last = candidate.tick
    self.candidate = nil
  }

  private func score(_ tick: Int) -> SwingNetwork.Score { scores[tick - (count - scores.count)] }

  private func smoothed(_ tick: Int) -> Float {
    guard tick > 0 else { return score(tick).stroke }
    return 0.25 * (score(tick - 1).stroke + score(tick + 1).stroke) + 0.5 * score(tick).stroke
  }

  /// Names a stroke by the sum of the probabilities from 0.1 s before its contact.
  private func report(_ tick: Int, until end: Int, at time: Microseconds, _ events: inout [Event]) {
    var sum = SIMD4<Float>.zero
    for place in max(0, count - scores.count, tick - 3)...end { sum += score(place).strokes }
    let names = [SwingType.forehand, .backhand, .serve]
    let best = names.indices.max { sum[$0] < sum[$1] } ?? 0
    let contact = poses.time(of: tick)
    let stroke = Stroke(
      start: max(.zero, contact - Self.half), contact: contact, end: min(contact + Self.half, time),
      label: names[best].rawValue)
    events.append(Event(time: contact, reported: time, kind: .stroke(stroke)))
  }

  /// Half of a stroke with its backswing and follow-through: 13 frames at 30 a second, as the recordings are labelled.
  private static let half = Microseconds(frame: 13, rate: 30)
}

/// A player's joints relative to the body, 30 times a second.
///
/// Positions are from the middle of the shoulders in trunk lengths, the median of the last 31, x to the player's right
/// and y down. A joint that is not seen stays where it was. Between frames, positions are interpolated. The player is
/// assumed to be seen from behind, as on television, until shoulders and hips were the other way round for about a
/// third of a second; later the mean of 10 s decides.
struct SwingPoses: Sendable {
  /// Ticks a second.
  static let rate = 30
  /// In the order in which the network reads them.
  private static let joints: [Joint] = [
    .leftShoulder, .rightShoulder, .leftElbow, .rightElbow, .leftWrist, .rightWrist, .leftHip, .rightHip,
  ]
  /// Numbers a tick: x and y of each joint.
  static let width = 16
  /// A joint that was never seen is where it is in a person who stands with hanging arms.
  private static let standing: [Float] = [
    -0.3, 0, 0.3, 0, -0.4, 0.5, 0.4, 0.5, -0.3, 0.8, 0.3, 0.8, -0.2, 1, 0.2, 1,
  ]
  /// No joint is further from the shoulders, in trunk lengths.
  private static let reach: Float = 2.5
  private static let longestGap = Microseconds(500_000)
  /// A tick this near to a frame is the frame.
  private static let exact = Microseconds(1000)
  /// Ticks that the network looks back.
  private static let kept = 25
  /// Ticks of which half must show shoulders and hips.
  private static let seenTicks = 15

  private let minimumConfidence: Float
  private var trunks = MedianFilter(frames: 31)
  /// The mean difference of right and left shoulder or hip in trunk lengths, above 0 from behind.
  private var facing: Float = 0.5
  private var facingCount: Float = 30
  /// When the first tick was.
  private var first = Microseconds.zero
  /// The newest frame's joints and those of the one before, in turn.
  private var frames = [ContiguousArray<Float>](repeating: ContiguousArray(standing), count: 2)
  private var times = (older: Microseconds.zero, newer: Microseconds.zero)
  private var areSeen = (older: false, newer: false)
  private var newest = 0
  private var frameCount = 0
  /// The newest tick.
  private var tick = ContiguousArray<Float>(repeating: 0, count: width)
  /// Means of two neighbouring ticks, which halve an estimator's jitter: place n mod `kept` ends with tick n.
  private var means = ContiguousArray<Float>(repeating: 0, count: width * kept)
  /// Whether each of the last ticks saw shoulders and hips, the newest in the lowest bit.
  private var seen: UInt32 = 0
  /// Ticks since the start or the last gap.
  private(set) var count = 0

  init(minimumConfidence: Float) { self.minimumConfidence = minimumConfidence }

  /// Takes a frame, of which `advance` then makes ticks.
  ///
  /// - Returns: Whether it comes after half a second or more without frames: ticks then count from 0 again.
  mutating func add(_ poses: borrowing PoseColumns, _ frame: Int) -> Bool {
    let time = poses.time(frame)
    let isGap = frameCount > 0 && time - times.newer > Self.longestGap
    if isGap { frameCount = 0 }
    if frameCount == 0 {
      first = time
      count = 0
      seen = 0
    }
    frameCount += 1
    newest = 1 - newest
    for index in 0..<Self.width { frames[newest][index] = frames[1 - newest][index] }
    times = (times.newer, time)
    areSeen = (areSeen.newer, measure(poses, frame))
    return isGap
  }

  /// Makes the next tick, if it is not later than the newest frame.
  mutating func advance() -> Bool {
    let next = time(of: count)
    guard next <= times.newer + Self.exact else { return false }
    let isExact = frameCount == 1 || (times.newer - next).magnitude < Self.exact
    let share = isExact ? 1 : Float((next - times.older).count) / Float((times.newer - times.older).count)
    let place = count % Self.kept * Self.width
    for index in 0..<Self.width {
      let value =
        isExact
        ? frames[newest][index] : frames[1 - newest][index] * (1 - share) + frames[newest][index] * share
      means[place + index] = count == 0 ? value : 0.5 * (tick[index] + value)
      tick[index] = value
    }
    if count == 0 {
      // The player is taken to have stood so before.
      for index in Self.width..<means.count { means[index] = means[index - Self.width] }
    }
    seen = seen << 1 | ((share < 0.5 ? areSeen.older : areSeen.newer) ? 1 : 0)
    count += 1
    return true
  }

  /// When a tick was.
  func time(of tick: Int) -> Microseconds { first + Microseconds(frame: tick, rate: Double(Self.rate)) }

  /// Whether shoulders and hips were seen in half of the ticks up to the last but one.
  var wasSeen: Bool {
    let ticks = min(Self.seenTicks, count - 1)
    return 2 * (seen >> 1 & (1 << Self.seenTicks - 1)).nonzeroBitCount >= ticks
  }

  /// Writes the means of every second tick, the oldest first.
  func write(_ input: inout ContiguousArray<Float>) {
    var place = 0
    for back in stride(from: Self.kept - 1, through: 0, by: -2) {
      // Before the first tick all are the first one's.
      let start = (count - 1 - back + Self.kept) % Self.kept * Self.width
      for index in 0..<Self.width { input[place + index] = means[start + index] }
      place += Self.width
    }
  }

  /// Writes the joints that a frame shows.
  ///
  /// - Returns: Whether it shows shoulders and hips, without which nothing is measured.
  private mutating func measure(_ poses: borrowing PoseColumns, _ frame: Int) -> Bool {
    guard let leftShoulder = point(.leftShoulder, poses, frame), let leftHip = point(.leftHip, poses, frame),
      let rightShoulder = point(.rightShoulder, poses, frame), let rightHip = point(.rightHip, poses, frame)
    else { return false }
    let neck = 0.5 * (leftShoulder + rightShoulder)
    let trunk = (0.5 * (leftHip + rightHip) - neck).length
    guard trunk > 0 else { return false }
    let scale = trunks.update(trunk, at: times.newer)
    face((rightShoulder.x - leftShoulder.x) / scale)
    face((rightHip.x - leftHip.x) / scale)
    for (index, joint) in Self.joints.enumerated() {
      guard let point = point(joint, poses, frame) else { continue }
      let place = (point - neck) / scale
      let x = min(max(place.x, -Self.reach), Self.reach)
      frames[newest][2 * index] = facing < 0 ? -x : x
      frames[newest][2 * index + 1] = min(max(place.y, -Self.reach), Self.reach)
    }
    return true
  }

  private mutating func face(_ turn: Float) {
    facingCount = min(facingCount + 1, 600)
    facing += (min(max(turn, -1), 1) - facing) / facingCount
  }

  private func point(_ joint: Joint, _ poses: borrowing PoseColumns, _ frame: Int) -> SIMD2<Float>? {
    let place = poses.place(of: joint, frame)
    guard place.confidence > minimumConfidence, place.x.isFinite, place.y.isFinite else { return nil }
    return SIMD2(place.x, place.y)
  }
}
