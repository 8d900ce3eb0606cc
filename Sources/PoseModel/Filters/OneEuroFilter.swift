/// The One Euro filter: exponential smoothing whose cutoff frequency grows with speed, so that a resting joint does not
/// tremble and a fast one does not lag.
///
/// With T the time since the last value, x the new one and x̂ the last output:
///
///     α(f) = 1 / (1 + τ / T),  τ = 1 / (2π f)
///     ẋ = (x − x̂) / T          smoothed with α(derivativeCutoff)
///     f = minimumCutoff + β |ẋ|
///     x̂ ← α(f) x + (1 − α(f)) x̂
///
/// T is measured from frame to frame, so uneven frame times are right; after a gap it is the gap, which brings the output
/// close to the new value. Delay: `OneEuro.delay`, 1 / (2π `minimumCutoff`) seconds at rest.
///
/// Source: Casiez, Roussel and Vogel, 1 € Filter, CHI 2012, algorithm 1; the first speed is 0.
public struct OneEuroFilter: SignalFilter {
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
