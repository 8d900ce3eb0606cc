import PoseModel

/// How high a signal is at rest for this person and camera: it follows rises within some tenths of a second and falls
/// within some tens of seconds, so that an excursion hardly moves it.
struct RestingLevel: Sendable {
  private static let rise: Float = 0.3
  private static let fall: Float = 20

  private(set) var value: Float
  private let range: ClosedRange<Float>
  private var last: Microseconds?

  /// - Parameters:
  ///   - expected: what it is before anything is known.
  ///   - range: what it may become.
  init(expected: Float, in range: ClosedRange<Float>) {
    value = expected
    self.range = range
  }

  mutating func update(_ level: Float, at time: Microseconds) {
    guard level.isFinite else { return }
    defer { last = time }
    guard let last else { return }
    let step = Float((time - last).seconds)
    let constant = level > value ? Self.rise : Self.fall
    value = min(max(value + (level - value) * step / (step + constant), range.lowerBound), range.upperBound)
  }
}
