/// The mean of the last n frames' values.
///
/// Delay: (n − 1) / 2 frames for every frequency, since its weights are symmetric about the middle of the window (Oppenheim
/// and Schafer, Discrete-Time Signal Processing, 3rd ed. 2010, §5.7, linear phase). Until n frames have been seen it is
/// the mean of those, with less delay; a frame without a value takes its place in the window and none in the mean.
public struct MovingAverage: SignalFilter {
  private var window: RingBuffer<Float>

  /// - Precondition: `frames` is at least 1.
  public init(frames: Int) { window = RingBuffer(capacity: frames, filler: .nan) }

  /// Frames in the window.
  public var frames: Int { window.capacity }

  public mutating func update(_ value: Float, at time: Microseconds) -> Float {
    window.append(value)
    guard value.isFinite else { return .nan }
    // Added up anew each time: a running sum would drift from what the same window gives elsewhere in a clip.
    var sum = 0.0
    var known = 0.0
    for value in window where value.isFinite {
      sum += Double(value)
      known += 1
    }
    return Float(sum / known)
  }

  public mutating func reset() { window.removeAll() }
}
