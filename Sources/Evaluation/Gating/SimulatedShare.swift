import Statistics

/// A share that was counted in a simulation, with what the number of its trials leaves open.
public struct SimulatedShare: Hashable, Sendable {
  /// 0…1
  public let value: Double
  /// Wilson's, at 95 %; `nil` for no trial at all.
  public let interval: Interval?

  /// - Parameter value: the share of `trials` that came out so.
  public init(_ value: Double, of trials: Int) {
    self.value = value
    interval = .wilson(successes: Int((value * Double(trials)).rounded()), of: trials)
  }
}
