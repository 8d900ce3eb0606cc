import Datasets
import Evaluation
import Foundation
import Plots

/// The report of a comparison.
public struct ComparisonReport: Sendable {
  public let comparison: PairedComparison
  /// What the sides are, in words: `the suite as it stands`.
  public let before: String
  public let after: String
  /// What else a reader must know, a sentence each.
  public let notes: [String]
  let bench: String

  public init(_ comparison: PairedComparison, before: String, after: String, notes: [String] = [], bench: String) {
    self.comparison = comparison
    self.before = before
    self.after = after
    self.notes = notes
    self.bench = bench
  }

  /// Every number of the comparison, for machines.
  public var record: ComparisonRecord { ComparisonRecord(self) }
}

extension ComparisonReport {
  private var names: ComparisonNames {
    let results = comparison.results
    return ComparisonNames(
      datasets: results.datasets.count,
      kinds: Dictionary(results.detectors.map { ($0.name, $0.kind) }, uniquingKeysWith: { first, _ in first }))
  }

  /// `s04_side_2: 14 → 13, true 14`; names the dataset and the detector where there are several.
  public func words(_ change: ClipChange) -> String {
    "\(names.clip(change)): \(change.words)"
  }

  /// `count.mae`, with the detector where there are several of its kind.
  public func name(_ metric: PairedMetric) -> String {
    names.isOnlyOne(metric.change.detector) ? metric.change.metric : "\(metric.change.detector) \(metric.change.metric)"
  }

  /// `12 of 30 clips: 9 better, 3 worse`
  public var changedClips: String {
    let changes = comparison.clipChanges
    let clips = Set(changes.map(\.clip)).count
    guard clips > 0 else {
      return comparison.knowsCountsOnly ? "no count changed" : "no clip changed"
    }
    return "\(clips) of \(comparison.clips) clips changed; their changes: \(changes.nearness)"
  }

  /// How the p values were computed, and what so few subjects can show at all.
  public var method: String {
    let subjects = comparison.metrics.map(\.pairs).max() ?? 0
    let gating = comparison.metrics.count { $0.change.margin != nil }
    let tests = comparison.metrics.compactMap(\.signFlip)
    guard !tests.isEmpty else {
      return (["no p value from fewer than two subjects"] + [pooledMethod].compactMap(\.self)).joined(separator: "; ")
    }
    var words = "two-sided sign-flip test of the subjects' paired differences"
    if let sampled = tests.first(where: { !$0.isExact }) {
      words += ", by \(sampled.flips) flips with seed \(PairedMetric.seed) where more than 20 differ, else exact"
    } else {
      words += ", exact"
      if subjects < 20 {
        words +=
          "; \(subjects) subjects give no p below \(NumberText.probability(2 / Double(1 << subjects)))"
      }
    }
    if gating > 0 { words += "; Holm over the \(gating) metrics that gate" }
    return ([words] + [pooledMethod].compactMap(\.self)).joined(separator: "; ")
  }

  /// Where the intervals of pooled values are from; `nil` where there are none.
  private var pooledMethod: String? {
    guard comparison.metrics.contains(where: { $0.change.isPooled }) else { return nil }
    guard comparison.slices != nil else {
      return "a pooled metric is of all clips together, and has an interval only where both sides are replayed"
    }
    return "a pooled metric is of all clips together, its interval BCa over \(PooledDifference.resamples) resamples of "
      + "subjects, drawn on both sides at once with seed \(PooledDifference.seed), and has no p"
  }
}
