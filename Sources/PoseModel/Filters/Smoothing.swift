/// A choice of filter for a whole pose, with its settings.
///
/// As text, for command lines and suites: `average:5` (frames), `median:5` (frames, odd), `one-euro`, or `one-euro:2.5,300,2.5`
/// (minimum cutoff in Hz, beta, derivative cutoff in Hz).
public struct Smoothing: Hashable, Sendable {
  public enum Method: Hashable, Sendable {
    case movingAverage(frames: Int)
    case median(frames: Int)
    case oneEuro(OneEuro)
  }

  public let method: Method

  /// The longest window, in frames: four seconds at 30 a second, beyond which nothing of an exercise is left.
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
  ///   - interval: from frame to frame, in seconds.
  ///   - speed: the joint's in image heights a second; only One Euro's delay depends on it.
  public func delay(interval: Double, speed: Double = 0) -> Double {
    switch method {
    case .movingAverage(let frames), .median(let frames): Double(frames - 1) / 2 * interval
    case .oneEuro(let settings): settings.delay(atSpeed: speed, interval: interval)
    }
  }
}

extension Smoothing: CustomStringConvertible {
  /// The text that gives this choice back.
  public var description: String {
    switch method {
    case .movingAverage(let frames): "average:\(frames)"
    case .median(let frames): "median:\(frames)"
    case .oneEuro(.moveNet): "one-euro"
    case .oneEuro(let settings): "one-euro:\(settings.minimumCutoff),\(settings.beta),\(settings.derivativeCutoff)"
    }
  }
}

/// Why there is no such smoothing.
public struct SmoothingError: Error, Hashable, Sendable, CustomStringConvertible {
  public var found: String

  /// What a text may be.
  public static let expected =
    "average:<2 to \(Smoothing.longestWindow) frames>, median:<odd, 3 to \(Smoothing.longestWindow - 1) frames>, "
    + "one-euro or one-euro:<minimum cutoff in Hz>,<beta>,<derivative cutoff in Hz>"

  public var description: String { "expected \(Self.expected), found \(found)" }
}
