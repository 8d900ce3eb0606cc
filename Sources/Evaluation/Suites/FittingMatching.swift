import Datasets
import Pipeline
import Scoring
import Statistics

extension RepMatching {
  /// The rule for clips that this one was not made for: turning points, if it compares ends or starts and people pause
  /// around the labelled ends for longer than its tolerance.
  ///
  /// - Parameter clips: Those of the exercise; a sample of each dataset is read.
  /// - Returns: The rule, and why it is another one; `nil` if it is not.
  public func fitting(
    _ clips: [(dataset: StoredDataset, clip: StoredClip)], in store: Store
  ) throws -> (rule: RepMatching, note: String?) {
    guard let tolerance, instant != .turn else { return (self, nil) }
    let pauses = try Dictionary(grouping: clips, by: \.dataset.id).sorted { $0.key < $1.key }
      .reduce(RepPauses()) { sum, group in
        guard let dataset = group.value.first?.dataset else { return sum }
        let clips = group.value.map(\.clip).sorted { $0.info.name < $1.info.name }
        return try sum + store.pauses(in: clips, of: dataset)
      }
    guard pauses.exceed(tolerance), let median = pauses.median else { return (self, nil) }
    return (
      .turnInside,
      "Reps are matched by turning points (otherwise: \(RunResults.Matching(self).words)): people pause for "
        + "\(NumberText.fixed(median, decimals: 1)) s around the labelled ends."
    )
  }
}
