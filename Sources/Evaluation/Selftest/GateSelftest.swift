/// What a self-test of the gate found, and whether its claims hold.
public struct GateSelftest: Codable, Sendable {
  /// The version of this layout.
  public static let currentFormat = 1

  public let format: Int
  /// Of bench.
  public let bench: String
  /// The suite whose subjects' values were drawn.
  public let suite: String
  /// The content of the datasets that the values are of, by name; `nil` in files that were written before this was.
  public let datasets: [String: String]?
  public let seed: UInt64
  public let trials: Int
  /// The one-sided level that both error rates are held to.
  public let nominal: Double
  /// The highest rate that simulation error explains.
  public let limit: Double
  public let results: [GateSimulation.Result]
  public let failingClosed: [FailingClosed.Check]

  public init(
    _ simulation: GateSimulation, _ results: [GateSimulation.Result], _ failingClosed: [FailingClosed.Check],
    suite: String, datasets: [String: String]? = nil, bench: String
  ) {
    format = Self.currentFormat
    (self.suite, self.datasets, self.bench) = (suite, datasets, bench)
    seed = simulation.seed
    trials = simulation.trials
    nominal = GateRule.alpha
    limit = simulation.limit(
      rates: results.reduce(0) { $0 + $1.falseRegressions.count + ($1.falseRegressionsBesideLosses == nil ? 1 : 2) })
    self.results = results
    self.failingClosed = failingClosed
  }

  /// Whether both error rates hold in every setting and every way of failing closed does.
  public var holds: Bool { results.allSatisfy { $0.worst <= limit } && failingClosed.allSatisfy(\.isClosed) }
}
