import PoseModel

/// Finds peaks of a speed above a threshold: the highest value within a distance before and after it.
///
/// The distance keeps the take-back and the recovery, whose speeds have peaks of their own, from being strokes. A peak is
/// known when the distance has passed, or as soon as the wrist is as good as at rest. Of equal values the first is the
/// peak; an unknown value (NaN) is none. Of what was before, the last values count.
struct PeakDetector: Sendable {
  private struct Reading: Sendable {
    var position = 0
    var time = Microseconds.zero
    var speed = Float.nan
  }

  let threshold: Float
  let distance: Microseconds
  /// Below it the wrist is as good as at rest.
  let rest: Float
  /// The highest so far of those that may yet be the next peak.
  private var candidate: Reading?
  private var readings: RingBuffer<Reading>

  /// - Parameter capacity: how many values count.
  init(threshold: Float, distance: Microseconds, rest: Float, capacity: Int) {
    readings = RingBuffer(capacity: capacity, filler: Reading())
    self.threshold = threshold
    self.distance = distance
    self.rest = rest
  }

  /// Takes the next value.
  ///
  /// - Returns: the position of the peak that is known now.
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

  /// Whether nothing within the distance before is as high.
  private func isHighest(_ best: Reading) -> Bool {
    for position in 0..<readings.count {
      let reading = readings[position]
      if reading.time < best.time, best.time - reading.time <= distance, reading.speed >= best.speed { return false }
    }
    return true
  }
}
