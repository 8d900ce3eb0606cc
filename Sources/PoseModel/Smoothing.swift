/// A choice of filter for a whole pose, with its settings.
///
/// As text, for command lines and suites: `average:5` (frames), `median:5` (frames, odd), `one-euro`, or `one-euro:2.5,300,2.5`
/// (minimum cutoff in Hz, beta, derivative cutoff in Hz).
public struct Smoothing: Hashable, Sendable {
  /// The filter and its settings.
  public enum Method: Hashable, Sendable {
    /// The mean of the last 2...120 frames.
    case movingAverage(frames: Int)
    /// The median of the last 3...119 frames, an odd number.
    case median(frames: Int)
    /// The One Euro filter, whose positions are in image heights.
    case oneEuro(OneEuro)
  }

  /// The filter and its settings.
  public let method: Method

  /// The longest window, in frames: four seconds at 30 a second. Longer windows smooth the exercise away.
  public static let longestWindow = 120

  /// One Euro with MoveNet's own settings.
  public static let oneEuro = Smoothing(unchecked: .oneEuro(.moveNet))

  /// - Throws: `SmoothingError` for a window or a frequency out of range.
  public init(_ method: Method) throws(SmoothingError) {
    self.init(unchecked: method)
    switch method {
    case .movingAverage(let frames):
      guard 2...Self.longestWindow ~= frames else { throw SmoothingError(found: description) }
    case .median(let frames):
      guard 3...Self.longestWindow ~= frames, frames % 2 == 1 else { throw SmoothingError(found: description) }
    case .oneEuro(let settings):
      guard settings.minimumCutoff > 0, settings.minimumCutoff.isFinite, settings.beta >= 0, settings.beta.isFinite,
        settings.derivativeCutoff > 0, settings.derivativeCutoff.isFinite
      else { throw SmoothingError(found: description) }
    }
  }

  private init(unchecked method: Method) { self.method = method }

  /// - Throws: `SmoothingError` for a text that names no filter or gives it wrong settings.
  public init(_ text: String) throws(SmoothingError) {
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    let numbers = parts.dropFirst().first?.split(separator: ",", omittingEmptySubsequences: false).map { Double($0) }
    switch (parts[0], numbers) {
    case ("one-euro", nil): self = .oneEuro
    case ("one-euro", let numbers?):
      guard numbers.count == 3, let cutoff = numbers[0], let beta = numbers[1], let derivative = numbers[2] else {
        throw SmoothingError(found: text)
      }
      try self.init(.oneEuro(OneEuro(minimumCutoff: cutoff, beta: beta, derivativeCutoff: derivative)))
    case (let name, let numbers?) where name == "average" || name == "median":
      guard numbers.count == 1, let number = numbers[0], let frames = Int(exactly: number) else {
        throw SmoothingError(found: text)
      }
      try self.init(name == "average" ? .movingAverage(frames: frames) : .median(frames: frames))
    default: throw SmoothingError(found: text)
    }
  }

  /// How far a steadily moving joint's output lags behind it, in seconds.
  ///
  /// - Parameters:
  ///   - interval: From frame to frame, in seconds.
  ///   - speed: The joint's speed in image heights per second; only One
  ///     Euro's delay depends on it.
  public func delay(interval: Double, speed: Double = 0) -> Double {
    switch method {
    case .movingAverage(let frames), .median(let frames): Double(frames - 1) / 2 * interval
    case .oneEuro(let settings): settings.delay(atSpeed: speed, interval: interval)
    }
  }
}

extension Smoothing: CustomStringConvertible {
  /// The text that gives this choice.
  public var description: String {
    switch method {
    case .movingAverage(let frames): "average:\(frames)"
    case .median(let frames): "median:\(frames)"
    case .oneEuro(.moveNet): "one-euro"
    case .oneEuro(let settings): "one-euro:\(settings.minimumCutoff),\(settings.beta),\(settings.derivativeCutoff)"
    }
  }
}

/// Why a smoothing is invalid.
public struct SmoothingError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The invalid text.
  public var found: String

  /// The possible texts.
  public static let expected =
    "average:<2 to \(Smoothing.longestWindow) frames>, median:<odd, 3 to \(Smoothing.longestWindow - 1) frames>, "
    + "one-euro or one-euro:<minimum cutoff in Hz>,<beta>,<derivative cutoff in Hz>"

  /// A sentence for people.
  public var description: String { "expected \(Self.expected), found \(found)" }
}

/// Smooths the joints of a pose, frame by frame, as an app does: every channel but confidence separately.
///
/// Allocates only when it is created. Gives exactly the values of `PoseSequence.smoothed(by:)` for the same frames.
public struct PoseFilter: Sendable {
  /// The method that it filters with.
  public let smoothing: Smoothing
  // One filter per joint and channel of the chosen method; the other two are empty.
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

  /// Replaces the frame's joints by their smoothed positions.
  ///
  /// - Parameter frame: Later than every earlier frame.
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
  /// The same frames with every channel but confidence smoothed, each frame from itself and earlier ones.
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
