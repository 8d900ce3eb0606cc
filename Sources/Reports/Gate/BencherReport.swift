import Evaluation
import Foundation

/// A gate's results in Bencher Metric Format: a benchmark a detector, a measure a metric, with the interval over subjects.
///
/// A metric without a value is absent, since the format has no word for it. A gate that could not run writes an error in
/// place of measures, which Bencher refuses: no number is better than one of another run.
///
/// - Source: bencher.dev/docs/reference/bencher-metric-format.
public struct BencherReport: Encodable, Sendable {
  struct Measure: Encodable, Sendable {
    var value: Double
    var lower: Double?
    var upper: Double?

    enum CodingKeys: String, CodingKey {
      case value
      case lower = "lower_value"
      case upper = "upper_value"
    }
  }

  private var benchmarks: [String: [String: Measure]] = [:]
  private var error: String?

  public init(_ report: GateReport) {
    switch report.result {
    case .missing(let reason): error = reason
    case .decided(let verdict, let results):
      for metric in results.metrics where metric.isListed {
        guard let value = metric.value, value.isFinite else { continue }
        let benchmark = "\(results.suite)/\(metric.detector)"
        benchmarks[benchmark, default: [:]][metric.metric] = Measure(
          value: value, lower: metric.interval?.low, upper: metric.interval?.high)
      }
      if verdict.outcome == .missing { error = verdict.reason }
    }
  }

  public func encode(to encoder: any Encoder) throws {
    if let error { return try ["error": error].encode(to: encoder) }
    try benchmarks.encode(to: encoder)
  }
}
