import Statistics

/// How many subjects a gate on one metric needs, answered with the gate's own rule for `bench power`, a chart and a
/// dataset check.
public struct PowerQuestion: Sendable {
  /// The gains to draw from.
  public let study: PowerStudy
  /// The true loss to be detected, in the metric's unit.
  public let loss: Double

  /// `nil` if all gains are equal.
  ///
  /// - Parameters:
  ///   - values: The subjects' own.
  ///   - gains: The gains of a change, by subject; `nil` for the differences between any two of the values, which
  ///     exceed those of most changes.
  ///   - loss: `nil` for the margin plus one standard deviation of the gains.
  public init?(
    values: [Double], gains: [Double]? = nil, margin: Double, loss: Double? = nil, gatingMetrics: Int
  ) {
    let sample =
      gains
      ?? values.indices.flatMap { one in
        values.indices.compactMap { other in one == other ? nil : values[other] - values[one] }
      }
    guard let study = PowerStudy(gains: sample, rule: GateRule(margin: margin, gatingMetrics: gatingMetrics)) else {
      return nil
    }
    self.study = study
    self.loss = loss ?? margin + study.spread
  }

  /// The fewest subjects for which the loss is detected four times in five; `nil` for more than
  /// `PowerStudy.mostSubjects`.
  public func subjectsToShow(seed: UInt64 = PowerStudy.seed) -> Int? { study.subjectsToShow(loss: loss, seed: seed) }

  /// The fewest subjects for which a change without loss passes four times in five; `nil` for more.
  public func subjectsToPass(seed: UInt64 = PowerStudy.seed) -> Int? { study.subjectsToPass(loss: 0, seed: seed) }
}

/// A share from a simulation, with its sampling error.
public struct SimulatedShare: Hashable, Sendable {
  /// 0…1
  public let value: Double
  /// Wilson's, at 95 %; `nil` for no trial at all.
  public let interval: Interval?

  /// - Parameter value: The share of `trials` with this result.
  public init(_ value: Double, of trials: Int) {
    self.value = value
    interval = .wilson(successes: Int((value * Double(trials)).rounded()), of: trials)
  }
}
