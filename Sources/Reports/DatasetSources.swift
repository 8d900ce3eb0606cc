import Evaluation

extension [RunResults.DatasetCard] {
  /// `SYNTHETIC squat-sample`
  var sources: String {
    map { "\($0.origin == .synthetic ? "SYNTHETIC " : "")\($0.name)" }.joined(separator: ", ")
  }
}
