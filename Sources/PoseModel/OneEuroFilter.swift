/// The One Euro filter: exponential smoothing whose cutoff frequency grows with speed. A joint at rest does not jitter
/// and a fast one does not lag.
///
/// With T the time since the last value, x the new one and x̂ the last output:
///
///     α(f) = 1 / (1 + τ / T),  τ = 1 / (2π f)
///     ẋ = (x − x̂) / T          smoothed with α(derivativeCutoff)
///     f = minimumCutoff + β |ẋ|
///     x̂ ← α(f) x + (1 − α(f)) x̂
///
/// T is measured from frame to frame, which allows for uneven frame times; after a gap it is the gap, which brings the
/// output close to the new value. Delay: `OneEuro.delay`, 1 / (2π `minimumCutoff`) seconds at rest.
///
/// Source: Casiez, Roussel and Vogel, 1 € Filter, CHI 2012, algorithm 1; the first speed is 0.
public struct OneEuroFilter: SignalFilter {
  /// The filter's three settings.
  public let settings: OneEuro
  private var output = Double.nan
  private var speed = 0.0
  private var last = Microseconds.zero

  public init(_ settings: OneEuro) { self.settings = settings }

  public mutating func update(_ value: Float, at time: Microseconds) -> Float {
    guard value.isFinite else { return .nan }
    let value = Double(value)
    guard output.isFinite else {
      output = value
      last = time
      return Float(value)
    }
    let interval = (time - last).seconds
    // A second value at the same instant has no speed.
    guard interval > 0 else { return Float(output) }
    last = time
    speed += Self.share(cutoff: settings.derivativeCutoff, interval) * ((value - output) / interval - speed)
    let cutoff = settings.minimumCutoff + settings.beta * abs(speed)
    output += Self.share(cutoff: cutoff, interval) * (value - output)
    return Float(output)
  }

  public mutating func reset() {
    output = .nan
    speed = 0
  }

  /// α, the share of the new value.
  private static func share(cutoff: Double, _ interval: Double) -> Double {
    let turn = 2 * Double.pi * cutoff * interval
    return turn / (turn + 1)
  }
}

/// The three settings of the One Euro filter.
///
/// Source: Casiez, Roussel and Vogel, 1 € Filter: A Simple Speed-based Low-pass Filter for Noisy Input in Interactive
/// Systems, CHI 2012.
public struct OneEuro: Hashable, Sendable {
  /// The cutoff frequency at rest in Hz, above 0: lower removes more jitter and lags more.
  public var minimumCutoff: Double
  /// The growth of the cutoff with speed, in Hz per unit per second, at least 0: higher lags less in motion.
  public var beta: Double
  /// The cutoff frequency of the speed itself in Hz, above 0.
  public var derivativeCutoff: Double

  public init(minimumCutoff: Double, beta: Double, derivativeCutoff: Double) {
    self.minimumCutoff = minimumCutoff
    self.beta = beta
    self.derivativeCutoff = derivativeCutoff
  }

  /// The settings of TensorFlow's own MoveNet tracker for keypoints in fractions of the image: 2.5 Hz, 300, 2.5 Hz.
  ///
  /// Source: `KEYPOINT_FILTER_CONFIG` of tfjs-models' pose-detection 2.1, `movenet/constants.ts`.
  public static let moveNet = OneEuro(minimumCutoff: 2.5, beta: 300, derivativeCutoff: 2.5)

  /// How far the filter lags behind a value that changes steadily, in seconds.
  ///
  /// Exponential smoothing with factor α lags (1 − α) / α frames behind a ramp, which with α = 1 / (1 + τ / T) is τ / T
  /// frames: τ = 1 / (2π f) seconds at any frame rate. At rest f is `minimumCutoff`. At speed s the filter measures
  /// from its own last output, so it sees s (1 + lag / T) and f = `minimumCutoff` + β s (1 + lag / T). The lag solves
  /// 2π f · lag = 1, which is quadratic in the lag.
  ///
  /// - Parameters:
  ///   - speed: The value's speed, in units per second.
  ///   - interval: T, from frame to frame, in seconds.
  public func delay(atSpeed speed: Double = 0, interval: Double) -> Double {
    let growth = beta * abs(speed)
    let linear = 2 * Double.pi * (minimumCutoff + growth)
    let quadratic = 2 * Double.pi * growth / interval
    // The quadratic's root in the form that also holds if its leading factor is 0.
    return 2 / (linear + (linear * linear + 4 * quadratic).squareRoot())
  }
}
