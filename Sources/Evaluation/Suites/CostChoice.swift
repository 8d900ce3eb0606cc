import Datasets

extension Suite {
  /// A suite's word on what a detector's update may cost.
  public struct CostChoice: Hashable, Sendable {
    public var detector: String
    /// How many times as long as at the baseline is accepted, from 1; `nil` for a ratio that does not gate.
    public var margin: Double?
  }
}

extension Suite.CostChoice {
  /// `nil` for another metric.
  init?(_ yaml: YAMLMapping, detectors: [String]) throws {
    guard try yaml.text("metric") == CostChange.metric else { return nil }
    try yaml.requireOnly(["detector", "metric", "margin"])
    detector = try yaml.requireDetector(of: detectors)
    margin = yaml.keys.contains("margin") ? try yaml.number("margin") : nil
    if let margin, !(margin >= 1 && margin.isFinite) {
      throw yaml.failure("margin", expected: "a ratio from 1, such as 1.2 for up to 20 % slower")
    }
  }
}

extension YAMLMapping {
  /// The value of `detector`.
  func requireDetector(of known: [String]) throws -> String {
    let name = try text("detector")
    guard known.contains(name) else {
      throw failure(
        "detector", expected: "one of this suite's detectors \(known.joined(separator: ", "))",
        found: NearNames.question(name, in: known))
    }
    return name
  }
}
