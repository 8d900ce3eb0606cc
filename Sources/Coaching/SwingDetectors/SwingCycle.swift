import PoseModel

/// The tennis architecture's swing detector: idle → possible swing → in swing → idle.
///
/// - idle → possible swing: the wrist is faster than `boundarySpeed` and the shoulders have begun to turn (not asked
///   where they are not seen).
/// - possible swing → in swing: the wrist has passed a peak of at least `minimumPeakSpeed`; → idle after `timeout`.
/// - in swing → idle: the wrist is slower than `boundarySpeed` and the follow-through has had its time: a swing.
///
/// The document counts 45 frames, "1.5 second timeout", from `frameBuffer.count`, which stays at 90 once its buffer is
/// full: from then on a swing starts at index 89 of 90, 90 − 89 is never more than 45, and the timeout never comes, so
/// the next slow rise hours later still belongs to the first. It also cuts the segment from index 89 to 89, one frame.
/// Here both are meant in time and in positions that never wrap. In a swing the document has no timeout at all: where
/// the wrist never gets slow, as while running, one swing swallows the next. `inSwingTimeout` above 0 ends it.
struct SwingCycle: Sendable {
  enum Phase: String, Sendable {
    case idle
    case possibleSwing = "possible swing"
    case inSwing = "in swing"
  }

  struct Thresholds: Hashable, Sendable {
    var boundarySpeed: Float
    var minimumPeakSpeed: Float
    /// Cosine.
    var rotation: Float
    var rotationSpan: Microseconds
    var followThrough: Microseconds
    var timeout: Microseconds
    /// Zero is none.
    var inSwingTimeout: Microseconds
  }

  /// A swing by the positions of its samples.
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

  /// Takes the sample at `position`, the last of `tracker`.
  ///
  /// - Returns: the swing that ends with it.
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
