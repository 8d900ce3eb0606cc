import Datasets
import Statistics

extension Suite {
  /// A percentile that a suite shows: `cost.p99` or `latency.report.p95`.
  ///
  /// It never gates: nanoseconds are the machine's, and a percentile is of all reps together, which no subject has one of.
  public struct PercentileChoice: Hashable, Sendable {
    public enum Quantity: String, CaseIterable, Hashable, Sendable {
      case cost
      case report = "latency.report"
      case live = "latency.live"
    }

    public var detector: String
    public var quantity: Quantity
    /// Above 0, below 100: 99.9.
    public var percent: Double

    public var name: String { "\(quantity.rawValue).\(percentileName(percent))" }

    /// The fewest samples that support it.
    public var samplesNeeded: Int { Statistics.samplesNeeded(forQuantile: percent / 100) ?? .max }

    /// - Throws: `EvaluationError.missing` where so many samples are too few.
    func require(samples: Int) throws {
      guard samples >= samplesNeeded else {
        let what = quantity == .cost ? "timed blocks of \(UpdateCost.blockSize) frames" : "reported reps"
        throw EvaluationError.missing(
          what: "metric \(name) of \(detector)",
          expected: "at least \(samplesNeeded) \(what): with fewer, the slowest stray decides what it is",
          found: "\(samples)")
      }
    }
  }
}

/// `p99`, `p99.9`.
func percentileName(_ percent: Double) -> String {
  let rounded = (percent * 1000).rounded() / 1000
  return rounded == rounded.rounded() ? "p\(Int(rounded))" : "p\(rounded)"
}

extension Suite.PercentileChoice {
  /// `nil` for another metric.
  init?(_ yaml: YAMLMapping, detectors: [String]) throws {
    let name = try yaml.text("metric")
    guard let (quantity, percent) = Self.parts(of: name) else { return nil }
    guard yaml.keys.allSatisfy({ $0 != "margin" && $0 != "floor" }) else {
      let instead = quantity == .cost ? CostChange.metric : quantity.rawValue
      throw yaml.failure("margin", expected: "none: \(name) is shown and does not gate, \(instead) does")
    }
    try yaml.requireOnly(["detector", "metric"])
    self.init(detector: try yaml.requireDetector(of: detectors), quantity: quantity, percent: percent)
  }

  private static func parts(of name: String) -> (Quantity, Double)? {
    for quantity in Quantity.allCases where name.hasPrefix("\(quantity.rawValue).p") {
      guard let percent = Double(name.dropFirst(quantity.rawValue.count + 2)), percent > 0, percent < 100 else {
        return nil
      }
      return (quantity, percent)
    }
    return nil
  }
}
