import PoseModel

/// Finds strokes at the peaks of the wrist's speed, and from each peak the stroke's beginning, end and name.
///
/// The tennis architecture's implementation order: peak detector, three-frame classifier, boundary finder, metrics. It
/// knows no states that could hang, and says a stroke when the wrist rests, at the latest `peakDistance` after its peak.
public struct SwingPeaks: Detector {
  public static let profile = DetectorProfile(
    name: "swing-peaks", kind: .swing, exercise: "tennis",
    summary: "Finds tennis strokes at peaks of the wrist's speed, names and grades them.",
    source: "tennis architecture: Implementation Order, PeakDetector, SwingClassifier, BoundaryFinder",
    joints: [.neck, .root, .leftWrist], speaks: true, criterion: SwingAnalyst.criterion,
    labels: SwingType.allCases.map(\.rawValue))

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
