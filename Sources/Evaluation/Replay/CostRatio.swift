import Statistics

/// How many times as long a detector's update takes as something else, measured in turns in one process.
public struct CostRatio: Codable, Hashable, Sendable {
  /// A clip's median, in the order of the run's clips; clips shorter than a timed block have none.
  public var byClip: [Double]

  public init(byClip: [Double]) { self.byClip = byClip }

  /// The median of the clips; `nil` of none.
  public var median: Double? { quantile(0.5, of: byClip) }

  /// The 95 % interval on the median whose ends are clips' ratios; `nil` of fewer than six clips, which none has.
  public var interval: Interval? { .quantile(0.5, of: byClip) }

  /// The chance of so many clips above the bound if the median were at most the bound: the sign test.
  public func pAbove(_ bound: Double) -> Double {
    signTest(successes: byClip.count { $0 > bound }, of: byClip.count)
  }

  /// The chance of so many clips below the bound if the median were at least the bound.
  public func pBelow(_ bound: Double) -> Double {
    signTest(successes: byClip.count { $0 < bound }, of: byClip.count)
  }
}

/// A detector's cost beside a fixed loop and, where the baseline's parameters are others, beside those.
public struct MeasuredCostRatios: Codable, Hashable, Sendable {
  public var toReference: CostRatio
  /// `nil` where the baseline has the same parameters, or none that this detector takes.
  public var toBaseline: CostRatio?
  /// How many times as long is accepted; `nil` where the suite does not gate on it.
  public var margin: Double?
}
