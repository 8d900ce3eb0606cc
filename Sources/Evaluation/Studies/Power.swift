import Statistics

/// How many subjects a gate on one metric needs: the question of `bench power`, of a chart and of a dataset's check, asked of
/// the gate's own rule.
public struct PowerQuestion: Sendable {
  /// The gains that are drawn from.
  public let study: PowerStudy
  /// The true loss that is to be shown, in the metric's unit.
  public let loss: Double

  /// `nil` where the gains are all alike.
  ///
  /// - Parameters:
  ///   - values: the subjects' own.
  ///   - gains: of a change, by subject; `nil` for the differences between any two of the values, which are more than most
  ///     changes make.
  ///   - loss: `nil` for the margin and one standard deviation of the gains.
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

  /// The fewest subjects with which the loss is shown four times in five; `nil` for more than `PowerStudy.mostSubjects`.
  public func subjectsToShow(seed: UInt64 = PowerStudy.seed) -> Int? { study.subjectsToShow(loss: loss, seed: seed) }

  /// The fewest subjects with which a change that loses nothing passes four times in five; `nil` for more.
  public func subjectsToPass(seed: UInt64 = PowerStudy.seed) -> Int? { study.subjectsToPass(loss: 0, seed: seed) }
}

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
