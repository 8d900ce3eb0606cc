/// A run of a suite; its text `squat/2026-03-01T10-00-00Z` is its id in the history.
public struct RunID: Hashable, Sendable {
  public var suite: String
  /// The name within the suite.
  public var name: String

  public init(suite: String, name: String) {
    (self.suite, self.name) = (suite, name)
  }

  /// - Parameter text: `squat/2026-03-01T10-00-00Z`
  ///
  /// - Returns: `nil` for a text without a slash.
  public init?(_ text: String) {
    guard let parts = SlashedName(text) else { return nil }
    self.init(suite: parts.owner, name: parts.name)
  }
}

extension RunID: CustomStringConvertible {
  public var description: String { "\(suite)/\(name)" }
}
