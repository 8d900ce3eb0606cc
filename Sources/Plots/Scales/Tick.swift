/// A value that an axis names, and how it writes it.
public struct Tick: Hashable, Sendable {
  public var value: Double
  public var label: String

  public init(value: Double, label: String) {
    self.value = value
    self.label = label
  }
}
