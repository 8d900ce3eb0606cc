import Evaluation

/// A run's results with what the report shows of them and what changed since the baseline as two more keys of theirs,
/// `report` and `comparison`.
struct RunNumbers: Encodable {
  let results: RunResults
  let report: ShownNumbers
  let comparison: ChangeNumbers?

  private enum Key: CodingKey { case report, comparison }

  func encode(to encoder: any Encoder) throws {
    try results.encode(to: encoder)
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(report, forKey: .report)
    try container.encodeIfPresent(comparison, forKey: .comparison)
  }
}
