import PoseModel
import RealModule

/// Finds tennis strokes and names them forehand, backhand or serve with a small network that was trained on recordings.
///
/// The last 0.87 s of the player's joints go through the network 30 times a second. It returns the probability of a
/// contact 0.2 s ago, for each stroke. A stroke is the highest of these probabilities for some time; no second one
/// follows within `spacing`, to never report one swing twice. Forehand slices count as forehands and backhand slices as
/// backhands: each slice occurs in one clip of the recordings only, which cannot show that another player's would be
/// recognised.
///
/// The player may be left- or right-handed, and seen from behind or from the front: see `SwingPoses` and `SwingNetwork`.
/// Every tick costs some 20,000 multiplications, 3 to 5 µs on one core.
public struct SwingStrokes: Detector {
  public static let profile = DetectorProfile(
    name: "swing-strokes", kind: .swing, exercise: "tennis",
    summary: "Finds tennis strokes and names them with a small network trained on recordings.",
    source: "none: developed here on labelled tennis, see docs/detectors.md",
    joints: [.leftShoulder, .leftHip, .leftWrist], tasks: [.strokes(SwingType.allCases.map(\.rawValue))],
    trainedOn: "tennis-shots and tennis-stream")

  static let probability = Parameter(
    "probability", 0.2, in: 0.01...0.99, .ratio, "Least probability of a contact that counts as a stroke.",
    source: "chosen on four streams, each left out of training in turn; 0.2 to 0.3 differ by 0.01 in F1")
  static let lookAhead = Parameter(
    "lookAhead", 0.2, in: 0...1, .seconds,
    "Time that a probability must stay the highest; its stroke is reported at most 0.23 s later.",
    source: "chosen on the same streams: 0.17 s or longer find as many strokes, 0.1 s fewer")
  static let decline = Parameter(
    "decline", 0.5, in: 0...1, .ratio,
    "Share of the highest probability below which a later one confirms and reports the stroke.",
    source: "reasoned: a peak ends halfway down; on the same streams it hardly changes what is found")
  static let spacing = Parameter(
    "spacing", 1, in: 0.1...10, .seconds, "The shortest time between two contacts.",
    source: "the ball takes longer to come back to a player; the fastest of the streams' strokes are 1.3 s apart")
  static let minimumConfidence = Parameter(
    "minimumConfidence", 0.3, in: 0...1, .ratio, "Joints at or below this confidence are ignored.",
    source: "as in the other swing detectors")

  public static let parameters = [probability, lookAhead, decline, spacing, minimumConfidence]

  private let threshold: Float
  private let wait: Int
  private let decline: Float
  private let distance: Int
  private var poses: SwingPoses
  private var network = SwingNetwork()
  /// The scores of the newest ticks.
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

  /// The probability of a contact two ticks and 0.2 s ago.
  public var countedValue: Float { count > 1 ? value(count - 2) : .nan }

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

  /// Scores the contact of 0.2 s before the newest tick.
  private mutating func look(at time: Microseconds, _ events: inout [Event]) {
    guard poses.count > SwingNetwork.after else { return }
    scores.append(network.score(poses))
    count += 1
    // The smoothing needs the next tick.
    let tick = count - 2
    guard tick >= 0 else { return }
    let value = value(tick)
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

  private func value(_ tick: Int) -> Float { poses.wasSeen ? smoothed(tick) : 0 }

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
    let total = Double(sum.sum())
    let shares = names.indices.map { (names[$0].rawValue, total > 0 ? Double(sum[$0]) / total : 0) }
    let stroke = Stroke(
      start: max(.zero, contact - Self.half), contact: contact, end: min(contact + Self.half, time),
      label: names[best].rawValue, naming: .shares(Dictionary(uniqueKeysWithValues: shares)))
    events.append(Event(time: contact, reported: time, kind: .stroke(stroke)))
  }

  /// Half of a stroke with its backswing and follow-through: 13 frames at 30 a second, as the recordings are labelled.
  private static let half = Microseconds(frame: 13, rate: 30)
}
