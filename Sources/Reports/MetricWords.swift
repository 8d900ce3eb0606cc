import Evaluation
import Scoring

extension SweepResults.MetricCard {
  /// `count.mae (reps, lower is better)`
  var words: String {
    "\(name) (\([unit, direction.words].filter { !$0.isEmpty }.joined(separator: ", ")))"
  }
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
