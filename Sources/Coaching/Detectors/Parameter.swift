/// A value of a detector that can be set: a threshold, a weight, a time.
public struct Parameter: Hashable, Sendable {
  public enum Unit: String, Hashable, Sendable {
    case degrees, seconds, ratio, points
    case metres, frames, reps, sets
    case imageHeights = "image heights"
    case bodyHeights = "body heights"
    case bodyHeightsPerSecond = "body heights/s"
    case perSecond = "1/s"
    case wordsPerMinute = "words a minute"
    case trunkLengths = "trunk lengths"
    case trunkLengthsPerSecond = "trunk lengths per second"
    /// 0 is off, 1 is on.
    case toggle = "on or off"
  }

  /// `bottomAngle`
  public var name: String
  public var defaultValue: Double
  public var range: ClosedRange<Double>
  public var unit: Unit
  /// One sentence.
  public var summary: String
  /// Where the default comes from.
  public var source: String

  public init(
    _ name: String, _ defaultValue: Double, in range: ClosedRange<Double>, _ unit: Unit, _ summary: String,
    source: String
  ) {
    self.name = name
    self.defaultValue = defaultValue
    self.range = range
    self.unit = unit
    self.summary = summary
    self.source = source
  }

  /// A parameter that is off or on.
  public static func toggle(_ name: String, _ isOn: Bool, _ summary: String, source: String) -> Parameter {
    Parameter(name, isOn ? 1 : 0, in: 0...1, .toggle, summary, source: source)
  }
}
