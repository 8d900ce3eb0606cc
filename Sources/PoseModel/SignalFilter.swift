/// A filter of one number per frame that uses only the past, to run live in an app.
///
/// A missing value (NaN) stays missing: a filter removes noise but does not invent values.
public protocol SignalFilter: Sendable {
  /// Filters the next value.
  ///
  /// - Parameters:
  ///   - value: NaN if missing.
  ///   - time: Later than every earlier time.
  /// - Returns: The filtered value, NaN if missing.
  mutating func update(_ value: Float, at time: Microseconds) -> Float

  /// Forgets all earlier values.
  mutating func reset()
}

/// The mean of the last n frames' values.
///
/// Delay: (n − 1) / 2 frames for every frequency, since its weights are symmetric about the middle of the window (Oppenheim
/// and Schafer, Discrete-Time Signal Processing, 3rd ed. 2010, §5.7, linear phase). Before n frames it is the mean of
/// those so far, with less delay; a frame without a value takes up a place in the window but not in the mean.
public struct MovingAverage: SignalFilter {
  private var window: RingBuffer<Float>

  /// - Precondition: `frames` is at least 1.
  public init(frames: Int) { window = RingBuffer(capacity: frames, filler: .nan) }

  /// Frames in the window.
  public var frames: Int { window.capacity }

  public mutating func update(_ value: Float, at time: Microseconds) -> Float {
    window.append(value)
    guard value.isFinite else { return .nan }
    // Summed again each time: a running sum would drift from the result of the same window elsewhere in a clip.
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

/// The median of the last n frames' values, which a single outlier cannot move far.
///
/// Delay: (n − 1) / 2 frames for a monotonic value, whose median is in the middle of the window;
/// a peak shorter than half of the window is lost (Tukey, Exploratory Data Analysis, 1977, ch. 7). Among an even number of
/// known values it is the mean of the two in the middle.
public struct MedianFilter: SignalFilter {
  private var window: RingBuffer<Float>
  /// The known values of the window in ascending order; only the first `known` places count.
  private var sorted: ContiguousArray<Float>
  private var known = 0

  /// - Precondition: `frames` is at least 1.
  public init(frames: Int) {
    window = RingBuffer(capacity: frames, filler: .nan)
    sorted = ContiguousArray(repeating: .nan, count: frames)
  }

  /// Frames in the window.
  public var frames: Int { window.capacity }

  public mutating func update(_ value: Float, at time: Microseconds) -> Float {
    if let oldest = window.append(value), oldest.isFinite { remove(oldest) }
    guard value.isFinite else { return .nan }
    insert(value)
    let middle = known / 2
    return known % 2 == 1 ? sorted[middle] : sorted[middle - 1] * 0.5 + sorted[middle] * 0.5
  }

  public mutating func reset() {
    window.removeAll()
    known = 0
  }

  private mutating func insert(_ value: Float) {
    var place = known
    while place > 0 && sorted[place - 1] > value {
      sorted[place] = sorted[place - 1]
      place -= 1
    }
    sorted[place] = value
    known += 1
  }

  private mutating func remove(_ value: Float) {
    var place = 0
    while place < known && sorted[place] != value { place += 1 }
    guard place < known else { return }
    known -= 1
    while place < known {
      sorted[place] = sorted[place + 1]
      place += 1
    }
  }
}
