/// A value that is drawn as a line across a plot, with its name.
public struct Threshold: Hashable, Sendable {
  public var label: String
  public var value: Double

  public init(label: String, value: Double) {
    self.label = label
    self.value = value
  }
}
