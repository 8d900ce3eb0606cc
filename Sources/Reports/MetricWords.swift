import Evaluation

extension SweepResults.MetricCard {
  /// `count.mae (reps, lower is better)`
  var words: String {
    let direction =
      switch direction {
      case .higherIsBetter: "higher is better"
      case .lowerIsBetter: "lower is better"
      case .zeroIsBest: "nearer to 0 is better"
      }
    return "\(name) (\([unit, direction].filter { !$0.isEmpty }.joined(separator: ", ")))"
  }
}
