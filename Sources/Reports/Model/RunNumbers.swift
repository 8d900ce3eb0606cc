import Evaluation

/// A run's results with what the report shows of them, what of that depends on the machine, and what changed since the
/// baseline as more keys of theirs: `report`, `measuredPictures` and `comparison`.
struct RunNumbers: Encodable {
  let results: RunResults
  let report: ShownNumbers
  let measuredPictures: [ShownNumbers.Table]
  let comparison: ChangeNumbers?

  private enum Key: CodingKey { case report, measuredPictures, comparison }

  func encode(to encoder: any Encoder) throws {
    try results.encode(to: encoder)
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(report, forKey: .report)
    try container.encode(measuredPictures, forKey: .measuredPictures)
    try container.encodeIfPresent(comparison, forKey: .comparison)
  }
}
