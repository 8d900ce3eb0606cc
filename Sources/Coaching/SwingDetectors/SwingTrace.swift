import PoseModel

/// What the swing detectors see of a player's wrist over a whole recording: to look at, beside what they make of it.
public struct SwingTrace: Sendable {
  /// Of the frames that the detector looks at, but for the first and last few, which have no speed.
  public private(set) var times: [Microseconds] = []
  /// Body heights a second, averaged over the detector's window; NaN where the wrist is not known.
  public private(set) var speeds: [Float] = []
  /// At which a peak counts as a stroke, and below which a stroke begins and ends, in body heights a second.
  public let peakSpeed: Float
  public let boundarySpeed: Float

  /// - Parameters:
  ///   - values: of a detector with the parameters that all swing detectors share.
  ///   - hand: whose wrist; `nil` for the faster one.
  public init(_ values: ParameterValues, hand: Hand?, on poses: PoseSequence) throws(ParameterError) {
    let settings = try SwingSettings(values)
    (peakSpeed, boundarySpeed) = (settings.minimumPeakSpeed, settings.boundarySpeed)
    let signals = SwingTracker.signals(settings.visibility)
    let table = SignalTable(signals, on: poses)
    let columns = table.columns(of: signals)
    var (times, speeds) = ([Microseconds](), [Float]())
    var tracker = SwingTracker(settings)
    table.withSignals(columns, 0..<poses.frameCount) { signals in
      for frame in 0..<signals.count where tracker.update(signals, frame, at: poses.times[frame]) {
        guard let sample = tracker[tracker.count - 1] else { continue }
        times.append(sample.time)
        speeds.append(sample.speed(hand))
      }
    }
    (self.times, self.speeds) = (times, speeds)
  }

  /// Whether a detector has the parameters that this needs.
  public static func canTrace(_ parameters: [Parameter]) -> Bool {
    let names = Set(parameters.map(\.name))
    return SwingParameters.shared.allSatisfy { names.contains($0.name) }
  }
}
