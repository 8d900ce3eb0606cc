import Statistics

/// The values of a suite's subjects on its gating metrics, as its baseline keeps them: real variation between people.
///
/// A simulated comparison takes two subjects drawn at random as before and after of one, on all metrics at once, so that
/// metrics hang together as they really do and no side is better. It is harsher than a detector's change, which leaves
/// most of what differs between two people as it is.
public struct SubjectValues: Sendable {
  public let suite: String
  /// Of the gating metrics.
  public let margins: [Double]
  /// The standard deviation of a simulated gain, a metric.
  public let spreads: [Double]
  /// By subject, then by metric.
  private let values: [[Double]]

  /// `nil` where fewer than two subjects have a value on every gating metric, or nothing gates.
  public init?(_ baseline: Baseline, suite: Suite) {
    let gating = suite.metrics.compactMap { choice -> (Double, [String: Double?])? in
      guard let margin = choice.margin, let value = baseline.metric(choice.detector, choice.metric) else { return nil }
      return (margin, value.bySubject)
    }
    let subjects = Set(gating.flatMap { $0.1.keys }).sorted()
    let values = subjects.compactMap { subject -> [Double]? in
      let known = gating.compactMap { $0.1[subject] ?? nil }
      return known.count == gating.count && known.allSatisfy(\.isFinite) ? known : nil
    }
    guard !gating.isEmpty, values.count >= 2 else { return nil }
    self.suite = suite.name
    self.values = values
    margins = gating.map(\.0)
    spreads = gating.indices.map { metric in (standardDeviation(values.map { $0[metric] }) ?? 0) * 2.squareRoot() }
  }

  /// By metric, then by subject.
  func gains(subjects: Int, _ random: inout SeededGenerator) -> [[Double]] {
    let pairs = (0..<subjects).map { _ in
      (values[random.index(below: values.count)], values[random.index(below: values.count)])
    }
    return margins.indices.map { metric in pairs.map { $0.1[metric] - $0.0[metric] } }
  }
}
