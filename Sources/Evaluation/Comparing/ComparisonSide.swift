/// One of the two results that are compared.
public enum ComparisonSide: Sendable {
  /// Replayed for the comparison: its clips can be scored again by parts.
  case replayed(ReplayedSuite)
  /// A stored run, with its name: outcomes, but not the predictions that they were scored from.
  case run(RunResults, id: String)
  /// Values by subject, and counts.
  case baseline(Baseline)

  /// In errors.
  var name: String {
    switch self {
    case .replayed: "the replay"
    case .run(_, let id): "run \(id)"
    case .baseline: "the baseline"
    }
  }

  var results: RunResults? {
    switch self {
    case .replayed(let suite): suite.results
    case .run(let results, _): results
    case .baseline: nil
    }
  }

  var replayed: ReplayedSuite? {
    if case .replayed(let suite) = self { suite } else { nil }
  }

  /// What of this side can be held against the other.
  var values: Baseline {
    switch self {
    case .replayed(let suite): Baseline(suite.results)
    case .run(let results, _): Baseline(results)
    case .baseline(let baseline): baseline
    }
  }

  /// This side as what a run is compared with, in the words of an error.
  func reference(beside other: ComparisonSide) -> Comparison.Reference {
    switch self {
    case .baseline(let baseline):
      var reference = Comparison.Reference.baseline(ofSuite: baseline.suite)
      reference.other = other.name
      return reference
    case .replayed, .run: return Comparison.Reference(title: name, name: name, other: other.name)
    }
  }
}
