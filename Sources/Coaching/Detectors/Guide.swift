/// A threshold to draw as a line over one of a detector's signals.
public struct Guide: Hashable, Sendable {
  /// Position in the detector's `signals`.
  public var signal: Int
  public var value: Double
  public var label: String

  public init(signal: Int, value: Double, label: String) {
    self.signal = signal
    self.value = value
    self.label = label
  }
}
