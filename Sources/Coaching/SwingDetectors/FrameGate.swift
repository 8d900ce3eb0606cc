import PoseModel

/// Lets through the frames that an app processes: every n-th one, and no more of them a second than a rate.
///
/// Decides by the frames' own times and number, so it does not matter in which chunks they come.
struct FrameGate: Sendable {
  private let stride: Int
  /// Frames a second; 0 is every frame.
  private let maximumRate: Double
  private var seen = 0
  private var first: Microseconds?
  private var nextTick = 0

  init(stride: Int, maximumRate: Double) {
    self.stride = stride
    self.maximumRate = maximumRate
  }

  /// - Parameter time: later than every time before it.
  mutating func lets(through time: Microseconds) -> Bool {
    defer { seen += 1 }
    guard seen % stride == 0 else { return false }
    guard maximumRate > 0 else { return true }
    let start = first ?? time
    first = start
    // A microsecond of rounding must not make a rate of 15 miss every second frame of 30.
    let passed = time - start + Microseconds(1)
    guard passed >= Microseconds(frame: nextTick, rate: maximumRate) else { return false }
    nextTick = Int((passed.seconds * maximumRate).rounded(.down)) + 1
    return true
  }
}
