import PoseModel

/// Finds strokes at the peaks of the wrist's speed, then the beginning, end and name of each.
///
/// The tennis architecture's implementation order: peak detector, three-frame classifier, boundary finder, metrics. It
/// has no states that could hang. A stroke is reported when the wrist rests, at the latest `peakDistance` after its
/// peak.
public struct SwingPeaks: Detector {
  public static let profile = DetectorProfile(
    name: "swing-peaks", kind: .swing, exercise: "tennis",
    summary: "Finds tennis strokes at peaks of the wrist's speed, names and grades them.",
    source: "tennis architecture: Implementation Order, PeakDetector, SwingClassifier, BoundaryFinder",
    joints: [.neck, .root, .leftWrist],
    tasks: [
      .strokes(SwingType.allCases.map(\.rawValue)), .grades(SwingAnalyst.criterion), .cues(cooldown: nil),
    ])

  static let peakDistance = Parameter(
    "peakDistance", 0.5, in: 0.05...5, .seconds, "A peak is the highest speed within this time before and after it.",
    source: "left open by the tennis architecture; a swing's take-back and recovery are as far from contact")
  static let boundaryReach = Parameter(
    "boundaryReach", 1, in: 0.05...5, .seconds, "How far from its peak a swing may begin and end.",
    source: "left open by the tennis architecture; chosen here")

  public static let parameters = SwingParameters.shared + [peakDistance, boundaryReach]

  public static let presets = [SwingParameters.live]

  private let visibility: Visibility
  private var tracker: SwingTracker
  private var peaks: PeakDetector
  private let boundaries: BoundaryFinder
  private var analyst: SwingAnalyst

  public init(_ values: ParameterValues) throws(ParameterError) {
    let settings = try SwingSettings(values)
    countingRule = CountingRule(settings, ends: false)
    visibility = settings.visibility
    tracker = SwingTracker(settings)
    func seconds(_ parameter: Parameter) -> Microseconds { Microseconds(seconds: values[parameter]) ?? .zero }
    peaks = PeakDetector(
      threshold: settings.minimumPeakSpeed, distance: seconds(Self.peakDistance), rest: settings.boundarySpeed,
      capacity: settings.capacity)
    boundaries = BoundaryFinder(speed: settings.boundarySpeed, reach: seconds(Self.boundaryReach))
    analyst = SwingAnalyst(settings)
  }

  public var signals: [any Signal] { SwingTracker.signals(visibility) }
  public let countingRule: CountingRule?

  public mutating func update(
    _ poses: borrowing PoseColumns, _ signals: borrowing SignalColumns, events: inout [Event]
  ) {
    for frame in 0..<signals.count {
      let time = poses.time(frame)
      guard tracker.update(signals, frame, at: time) else { continue }
      let position = tracker.count - 1
      guard let sample = tracker[position],
        let peak = peaks.update(sample.speed(analyst.hand), position: position, at: sample.time),
        tracker[peak] != nil
      else { continue }
      let bounds = boundaries.bounds(of: peak, in: tracker, hand: analyst.hand)
      let swing = SwingCycle.Swing(start: bounds.lowerBound, peak: peak, end: bounds.upperBound)
      analyst.report(swing, in: tracker, at: time, &events)
    }
  }
}

/// Finds peaks of a speed above a threshold: the highest value within a distance before and after it.
///
/// The distance keeps the take-back and the recovery, whose speeds have their own peaks, from counting as strokes. A
/// peak is known when the distance has passed, or as soon as the wrist is nearly at rest. Of equal values the first is
/// the peak; an unknown value (NaN) is never a peak. Only the last values are compared.
struct PeakDetector: Sendable {
  private struct Reading: Sendable {
    var position = 0
    var time = Microseconds.zero
    var speed = Float.nan
  }

  let threshold: Float
  let distance: Microseconds
  /// The speed below which the wrist is nearly at rest.
  let rest: Float
  /// The highest value so far that may become the next peak.
  private var candidate: Reading?
  private var readings: RingBuffer<Reading>

  /// - Parameter capacity: How many values are kept.
  init(threshold: Float, distance: Microseconds, rest: Float, capacity: Int) {
    readings = RingBuffer(capacity: capacity, filler: Reading())
    self.threshold = threshold
    self.distance = distance
    self.rest = rest
  }

  /// Processes the next value.
  ///
  /// - Returns: The position of a peak that is now known.
  mutating func update(_ speed: Float, position: Int, at time: Microseconds) -> Int? {
    var found: Int?
    if let best = candidate, time - best.time > distance || speed < rest {
      if isHighest(best) { found = best.position }
      candidate = nil
    }
    let reading = Reading(position: position, time: time, speed: speed)
    readings.append(reading)
    if speed >= threshold, candidate.map({ speed > $0.speed }) ?? true { candidate = reading }
    return found
  }

  /// Whether no value within the distance before is as high.
  private func isHighest(_ best: Reading) -> Bool {
    for position in 0..<readings.count {
      let reading = readings[position]
      if reading.time < best.time, best.time - reading.time <= distance, reading.speed >= best.speed { return false }
    }
    return true
  }
}

/// Finds the start and end of a swing: from its peak backward and forward until the wrist is slow.
///
/// Stops at the last sample that is not slower than `speed`, at one with unknown speed, at `reach` from the peak, and
/// at the end of the kept samples.
struct BoundaryFinder: Sendable {
  let speed: Float
  let reach: Microseconds

  /// - Precondition: The peak is still kept.
  func bounds(of peak: Int, in tracker: SwingTracker, hand: Hand?) -> ClosedRange<Int> {
    traverse(peak, by: -1, tracker, hand)...traverse(peak, by: 1, tracker, hand)
  }

  private func traverse(_ peak: Int, by step: Int, _ tracker: SwingTracker, _ hand: Hand?) -> Int {
    guard let peakTime = tracker[peak]?.time else { return peak }
    var position = peak
    while let next = tracker[position + step], next.speed(hand) >= speed, (next.time - peakTime).magnitude <= reach {
      position += step
    }
    return position
  }
}
