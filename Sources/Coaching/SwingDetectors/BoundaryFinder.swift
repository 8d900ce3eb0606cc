import PoseModel

/// Finds where a swing begins and ends: from its peak backward and forward until the wrist is slow.
///
/// Stops at the last sample that is not slower than `speed`, at one whose speed is unknown, at `reach` from the peak, and
/// where no samples are kept.
struct BoundaryFinder: Sendable {
  let speed: Float
  let reach: Microseconds

  /// - Precondition: the peak is kept.
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
