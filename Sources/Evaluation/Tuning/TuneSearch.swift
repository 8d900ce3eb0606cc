/// How a setting is looked for.
public struct TuneSearch: Hashable, Codable, Sendable {
  public enum Method: String, CaseIterable, Codable, Hashable, Sendable {
    /// One parameter at a time.
    case coordinate
    /// Differential evolution.
    case global
    /// Both, and of what they find the better for the subjects at hand.
    case both
  }

  public var method: Method
  /// How many settings each method may score in each fold.
  public var budget: Int
  public var seed: UInt64

  public init(method: Method, budget: Int, seed: UInt64) {
    self.method = method
    self.budget = budget
    self.seed = seed
  }

  /// What it found without a subject.
  struct Found: Sendable {
    var point: [Int]
    /// `coordinate` or `global`.
    var method: Method
    var scoredSettings: Int
  }

  /// The best setting that is found; of equal methods coordinate search. `nil` where no setting is possible.
  func found(by objective: TuneObjective) async throws -> Found? {
    var best: (found: Found, cost: TuneCost)?
    for method in method == .both ? [.coordinate, .global] : [method] {
      var own = objective
      switch method {
      case .coordinate: try await CoordinateSearch().run(&own)
      case .global, .both: try await DifferentialEvolution(seed: seed).run(&own)
      }
      guard let (point, cost) = own.best else { continue }
      if let best, best.cost <= cost { continue }
      best = (Found(point: point, method: method, scoredSettings: own.scoredCount), cost)
    }
    return best?.found
  }
}
