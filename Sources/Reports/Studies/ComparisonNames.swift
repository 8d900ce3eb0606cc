import Evaluation

/// What clips, subjects and metrics of a comparison are called: with the dataset and the detector only where there are
/// several.
struct ComparisonNames {
  /// How many there are.
  let datasets: Int
  /// By detector.
  let kinds: [String: String]

  /// `s04_side_2`
  func clip(_ change: ClipChange) -> String {
    let name = withoutDataset(change.clip)
    return isOnlyOne(change.detector) ? name : "\(name) \(change.detector)"
  }

  func withoutDataset(_ name: String) -> String {
    datasets > 1 ? name : String(name.drop { $0 != "/" }.dropFirst())
  }

  /// Whether a detector is the only one of its kind.
  func isOnlyOne(_ detector: String) -> Bool { kinds.values.count { $0 == kinds[detector] } == 1 }
}
