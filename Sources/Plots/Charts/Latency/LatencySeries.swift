/// One detector's samples of one latency, and quantiles of them.
public struct LatencySeries: Hashable, Sendable {
  /// A quantile that the samples are enough for: its name ("p99") and its value in the samples' unit.
  public struct Quantile: Hashable, Sendable {
    public var name: String
    public var value: Double

    public init(_ name: String, _ value: Double) {
      self.name = name
      self.value = value
    }
  }

  /// The detector.
  public var name: String
  /// In the panel's unit, in any order; a value that is not finite is left out.
  public var samples: [Double]
  /// In rising order, at most four.
  public var quantiles: [Quantile]

  public init(name: String, samples: [Double], quantiles: [Quantile]) {
    self.name = name
    self.samples = samples
    self.quantiles = quantiles
  }

  var finite: [Double] { samples.filter(\.isFinite) }
}
