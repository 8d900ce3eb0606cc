import Evaluation
import Scoring

extension SweepResults.MetricCard {
  /// `count.mae (reps, lower is better)`
  var words: String { metricTitle(name, unit: unit, direction) }
}

/// A metric as an axis names it: `count.mae (reps, lower is better)`; without a direction where it is not known.
func metricTitle(_ name: String, unit: String, _ direction: Metric.Direction?) -> String {
  let words = [unit, direction?.words ?? ""].filter { !$0.isEmpty }
  return words.isEmpty ? name : "\(name) (\(words.joined(separator: ", ")))"
}

extension Metric.Direction {
  var words: String {
    switch self {
    case .higherIsBetter: "higher is better"
    case .lowerIsBetter: "lower is better"
    case .zeroIsBest: "nearer to 0 is better"
    }
  }
}
