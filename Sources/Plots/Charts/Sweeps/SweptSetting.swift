/// A setting of a sweep and what it scored.
public struct SweptSetting: Hashable, Sendable {
  /// Of the swept parameters, in their order.
  public var values: [Double]
  /// The metric; `nil` where the setting is impossible or the metric undefined.
  public var score: Estimate?
  /// Whether it can't be told from the optimum.
  public var isOnPlateau: Bool
  /// The subjects for whom no other setting is better.
  public var bestFor: [String]

  public init(values: [Double], score: Estimate?, isOnPlateau: Bool = false, bestFor: [String] = []) {
    self.values = values
    self.score = score
    self.isOnPlateau = isOnPlateau
    self.bestFor = bestFor
  }

  /// The score where there is a finite one.
  var value: Double? { score.flatMap { $0.value.isFinite ? $0.value : nil } }

  /// A row of a chart's table.
  func row(isOptimum: Bool, isDefault: Bool) -> [String] {
    let bounds = [score?.value, score?.interval?.lowerBound, score?.interval?.upperBound]
    let numbers = bounds.map { NumberText.plain($0 ?? .nan, decimals: 3) }
    let marks = [isOnPlateau ? "plateau" : "", isOptimum ? "optimum" : isDefault ? "default" : "", "\(bestFor.count)"]
    return values.map { NumberText.plain($0, decimals: 6) } + numbers + marks
  }

  static let columns = ["low", "high", "plateau", "mark", "best for subjects"]
}
