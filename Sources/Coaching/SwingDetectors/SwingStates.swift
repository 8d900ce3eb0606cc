import PoseModel

/// Finds strokes with the tennis architecture's state machine, names them, measures and judges them.
///
/// Its defaults are the document's: 15 frames a second, a speed over five frames, 1.5 s to reach a peak, and a swing
/// that ends only when the wrist slows down. Two swings without a pause therefore count as one, which preset
/// `corrected` fixes. `SwingCycle` explains what does not work in the document's own code.
public struct SwingStates: Detector {
  public static let profile = DetectorProfile(
    name: "swing-states", kind: .swing, exercise: "tennis",
    summary: "Finds tennis strokes with a state machine on the wrist's speed, names and grades them.",
    source: "tennis architecture: SwingDetector, MetricsCalculator",
    joints: [.neck, .root, .leftWrist],
    tasks: [
      .strokes(SwingType.allCases.map(\.rawValue)), .grades(SwingAnalyst.criterion), .cues(cooldown: nil),
    ])

  static let rotation = Parameter(
    "rotation", 0.1, in: 0...2, .ratio,
    "Least change of the cosine of the shoulders' turn at the start of a swing; 0 turns the check off.",
    source: "left open by the tennis architecture (Check shoulder rotation started); 26 degrees out of square")
  static let rotationSpan = Parameter(
    "rotationSpan", 0.3, in: 0.03...2, .seconds, "Time within which the shoulders must have turned.",
    source: "left open by the tennis architecture; a take-back's turn takes about half a second")
  static let followThrough = Parameter(
    "followThrough", 0.1, in: 0...2, .seconds, "Shortest duration of a swing after its peak.",
    source: "left open by the tennis architecture (Check follow-through completed); chosen here")
  static let timeout = Parameter(
    "timeout", 1.5, in: 0.1...30, .seconds, "A possible swing without a peak within this time is dropped.",
    source: "tennis architecture: 1.5 second timeout (45 frames at 30 fps)")
  static let inSwingTimeout = Parameter(
    "inSwingTimeout", 0, in: 0...30, .seconds, "Duration after which a swing is ended; 0 turns the limit off.",
    source: "none in the tennis architecture")

  public static let parameters =
    SwingParameters.shared + [rotation, rotationSpan, followThrough, timeout, inSwingTimeout]

  public static let presets = [
    Preset(
      "corrected", "Ends a swing after 1.5 s, to separate it from the next.", [inSwingTimeout.name: 1.5]),
    SwingParameters.live,
  ]

  private let visibility: Visibility
  private var tracker: SwingTracker
  private var cycle: SwingCycle
  private var analyst: SwingAnalyst

  public init(_ values: ParameterValues) throws(ParameterError) {
    let settings = try SwingSettings(values)
    countingRule = CountingRule(settings, ends: true)
    visibility = settings.visibility
    tracker = SwingTracker(settings)
    func seconds(_ parameter: Parameter) -> Microseconds { Microseconds(seconds: values[parameter]) ?? .zero }
    cycle = SwingCycle(
      SwingCycle.Thresholds(
        boundarySpeed: settings.boundarySpeed, minimumPeakSpeed: settings.minimumPeakSpeed,
        rotation: Float(values[Self.rotation]), rotationSpan: seconds(Self.rotationSpan),
        followThrough: seconds(Self.followThrough), timeout: seconds(Self.timeout),
        inSwingTimeout: seconds(Self.inSwingTimeout)))
    analyst = SwingAnalyst(settings)
  }

  public var signals: [any Signal] { SwingTracker.signals(visibility) }
  public let countingRule: CountingRule?

  /// `idle`, `possible swing` or `in swing`.
  public var phase: String { cycle.phase.rawValue }

  public mutating func update(
    _ poses: borrowing PoseColumns, _ signals: borrowing SignalColumns, events: inout [Event]
  ) {
    for frame in 0..<signals.count {
      let time = poses.time(frame)
      guard tracker.update(signals, frame, at: time) else { continue }
      let before = cycle.phase
      let swing = cycle.update(tracker.count - 1, in: tracker, hand: analyst.hand)
      if cycle.phase != before { events.append(Event(time, .phase(cycle.phase.rawValue))) }
      if let swing { analyst.report(swing, in: tracker, at: time, &events) }
    }
  }
}

/// The tennis architecture's swing detector: idle → possible swing → in swing → idle.
///
/// - idle → possible swing: the wrist is faster than `boundarySpeed` and the shoulders have begun to turn (not checked
///   if they are not seen).
/// - possible swing → in swing: the wrist has passed a peak of at least `minimumPeakSpeed`; → idle after `timeout`.
/// - in swing → idle: the wrist is slower than `boundarySpeed` and the follow-through has had its time: a swing.
///
/// The document counts 45 frames, "1.5 second timeout", from `frameBuffer.count`, which stays at 90 once its buffer is
/// full. From then on a swing starts at index 89 of 90, 90 − 89 is never more than 45, and the timeout never comes: the
/// next slow rise hours later still belongs to the first. It also cuts the segment from index 89 to 89, one frame. Here
/// both are times and positions that never wrap. Within a swing the document has no timeout at all: if the wrist never
/// slows down, as while running, one swing includes the next. `inSwingTimeout` above 0 ends it.
struct SwingCycle: Sendable {
  enum Phase: String, Sendable {
    case idle
    case possibleSwing = "possible swing"
    case inSwing = "in swing"
  }

  struct Thresholds: Hashable, Sendable {
    var boundarySpeed: Float
    var minimumPeakSpeed: Float
    /// The least change of the cosine of the shoulders' turn.
    var rotation: Float
    var rotationSpan: Microseconds
    var followThrough: Microseconds
    var timeout: Microseconds
    /// Zero for no timeout.
    var inSwingTimeout: Microseconds
  }

  /// A swing by the indices of its samples.
  struct Swing: Hashable, Sendable {
    var start: Int
    var peak: Int
    var end: Int
  }

  let thresholds: Thresholds
  private(set) var phase = Phase.idle
  private var start = (position: 0, time: Microseconds.zero)
  private var peak = (position: 0, time: Microseconds.zero, speed: -Float.infinity)

  init(_ thresholds: Thresholds) { self.thresholds = thresholds }

  /// Processes the sample at `position`, the last of `tracker`.
  ///
  /// - Returns: The swing that ends with it.
  mutating func update(_ position: Int, in tracker: SwingTracker, hand: Hand?) -> Swing? {
    guard let sample = tracker[position] else { return nil }
    let speed = sample.speed(hand)
    let time = sample.time
    switch phase {
    case .idle:
      guard speed > thresholds.boundarySpeed, isTurning(position, sample, in: tracker) else { return nil }
      start = (position, time)
      peak = (position, time, speed)
      phase = .possibleSwing
    case .possibleSwing:
      if speed > peak.speed {
        peak = (position, time, speed)
      } else if speed < peak.speed, peak.speed >= thresholds.minimumPeakSpeed {
        phase = .inSwing
      }
      if phase == .possibleSwing, time - start.time > thresholds.timeout { phase = .idle }
    case .inSwing:
      if speed > peak.speed { peak = (position, time, speed) }
      let isOver = speed < thresholds.boundarySpeed && time - peak.time >= thresholds.followThrough
      let isTooLong = thresholds.inSwingTimeout > .zero && time - start.time > thresholds.inSwingTimeout
      guard isOver || isTooLong else { return nil }
      phase = .idle
      return Swing(start: start.position, peak: peak.position, end: position)
    }
    return nil
  }

  /// Whether the shoulders' turn to the camera has changed within the last moments.
  private func isTurning(_ position: Int, _ sample: SwingSample, in tracker: SwingTracker) -> Bool {
    guard thresholds.rotation > 0, sample.shoulderTurn.isFinite,
      let earlier = tracker.position(nearest: sample.time - thresholds.rotationSpan).flatMap({ tracker[$0] }),
      earlier.shoulderTurn.isFinite
    else { return true }
    return abs(sample.shoulderTurn - earlier.shoulderTurn) >= thresholds.rotation
  }
}
