/// A named set of parameter values, such as one that mends what a document got wrong.
public struct Preset: Hashable, Sendable {
  /// `corrected`. Letters, digits and hyphens.
  public var name: String
  /// One sentence: what it changes and why.
  public var summary: String
  /// By parameter name; the others keep their defaults.
  public var values: [String: Double]

  public init(_ name: String, _ summary: String, _ values: [String: Double]) {
    self.name = name
    self.summary = summary
    self.values = values
  }
}
