/// Smooths the joints of a pose, frame by frame, as an app does: every channel but confidence by itself.
///
/// Allocates when it is made and never again. Gives exactly the values that `PoseSequence.smoothed(by:)` gives for the
/// same frames.
public struct PoseFilter: Sendable {
  public let smoothing: Smoothing
  // One filter a joint and channel of the method that was chosen; the other two are empty.
  private var averages: [MovingAverage] = []
  private var medians: [MedianFilter] = []
  private var oneEuros: [OneEuroFilter] = []

  /// Channels that are smoothed: x, y and z.
  static let channels = 3

  public init(_ smoothing: Smoothing) {
    self.smoothing = smoothing
    let count = Joint.count * Self.channels
    switch smoothing.method {
    // Made one by one: copies of one filter would share its window until they first write to it.
    case .movingAverage(let frames): averages = (0..<count).map { _ in MovingAverage(frames: frames) }
    case .median(let frames): medians = (0..<count).map { _ in MedianFilter(frames: frames) }
    case .oneEuro(let settings): oneEuros = (0..<count).map { _ in OneEuroFilter(settings) }
    }
  }

  /// Replaces the frame's joints by their smoothed places.
  ///
  /// - Parameter frame: later than every frame before it.
  public mutating func update(_ frame: inout PoseFrame) {
    switch smoothing.method {
    case .movingAverage: Self.update(&averages, &frame)
    case .median: Self.update(&medians, &frame)
    case .oneEuro: Self.update(&oneEuros, &frame)
    }
  }

  /// Forgets every frame.
  public mutating func reset() {
    for index in averages.indices { averages[index].reset() }
    for index in medians.indices { medians[index].reset() }
    for index in oneEuros.indices { oneEuros[index].reset() }
  }

  private static func update(_ filters: inout [some SignalFilter], _ frame: inout PoseFrame) {
    for joint in 0..<Joint.count {
      for channel in 0..<channels {
        let place = joint * Channel.count + channel
        frame.values[place] = filters[joint * channels + channel].update(frame.values[place], at: frame.time)
      }
    }
  }
}

extension PoseSequence {
  /// The same frames with every channel but confidence smoothed, each frame by itself and those before it.
  public func smoothed(by smoothing: Smoothing) -> PoseSequence {
    switch smoothing.method {
    case .movingAverage(let frames): smoothed { MovingAverage(frames: frames) }
    case .median(let frames): smoothed { MedianFilter(frames: frames) }
    case .oneEuro(let settings): smoothed { OneEuroFilter(settings) }
    }
  }

  private func smoothed(by makeFilter: () -> some SignalFilter) -> PoseSequence {
    var smoothed = values
    var filter = makeFilter()
    for joint in 0..<Joint.count {
      for channel in 0..<PoseFilter.channels {
        filter.reset()
        let start = (joint * Channel.count + channel) * frameCount
        for frame in 0..<frameCount {
          smoothed[start + frame] = filter.update(smoothed[start + frame], at: times[frame])
        }
      }
    }
    return PoseSequence(times: times, values: smoothed)
  }
}
