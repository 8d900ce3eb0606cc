import Pipeline
import Scoring
import Statistics

/// On how many clips a counter was right on each side: what a share of clips is in clips.
public struct RightClips: Hashable, Codable, Sendable {
  /// `exact`
  public let word: String
  public let before: Int
  public let after: Int
  /// The clips with a true count and a count on both sides.
  public let clips: Int

  /// - Returns: `nil` for a metric that is no share of clips, and if a side kept no counts.
  init?(_ metric: String, of detector: String, on clips: [ClipResult], from before: Baseline, to after: Baseline) {
    let tolerance: Int
    switch metric {
    case "count.exact": (word, tolerance) = ("exact", 0)
    case "count.off-by-one": (word, tolerance) = ("within one", 1)
    default: return nil
    }
    let errors = clips.compactMap { clip -> (before: Int, after: Int)? in
      guard let truth = clip.trueCount, let old = before.clips[clip.id]?[detector]?.count,
        let new = after.clips[clip.id]?[detector]?.count
      else { return nil }
      return (abs(old - truth), abs(new - truth))
    }
    guard !errors.isEmpty else { return nil }
    self.before = errors.count { $0.before <= tolerance }
    self.after = errors.count { $0.after <= tolerance }
    self.clips = errors.count
  }
}

extension MetricChange {
  /// `exact on 20 instead of 22 of 36 clips`; `nil` as for `clipsWords`.
  var rightClipsWords: String? { rightClips.flatMap { right in clipsWords.map { "\(right.word) on \($0)" } } }

  /// `20 instead of 22 of 36 clips`; `nil` for a metric that is no share of clips, and if the clips moved the other way
  /// than the people's mean.
  private var clipsWords: String? {
    guard let right = rightClips, let gain, (right.after - right.before).signum() == (gain < 0 ? -1 : gain > 0 ? 1 : 0),
      right.after != right.before
    else { return nil }
    return "\(right.after) instead of \(right.before) of \(right.clips) clips"
  }

  /// `, worse for 4 of 12 people`; empty if nobody has a value.
  var worseForWords: String {
    people.map { ", worse for \($0.worse) of \(NumberText.count(subjects, "person"))" } ?? ""
  }

  /// That a change is the sum of several.
  static let sinceBest = " since its best baseline, in several steps"

  var isPlural: Bool { Metric.isPlural(metric) }

  /// `are` for exact counts, `is` for a count error.
  package var verb: String { isPlural ? "are" : "is" }

  /// The values of both sides: `exact counts on 20 instead of 22 of 36 clips`, or `count error 1.000 → 1.444 reps`.
  ///
  /// - Parameter of: Names the detector where several have the metric: ` of squat-states`.
  public func valuesWords(of detector: String = "", from before: Double?, to after: Double?) -> String {
    let name = Metric.plainName(of: metric) + detector
    if let clips = clipsWords { return "\(name) on \(clips)" }
    return "\(name) \(NumberText.value(before, unit: unit)) → \(NumberText.quantity(after, unit: unit))"
  }
}

extension Comparison {
  /// How a detector's right counts differ from the side before; `nil` if no count changed.
  ///
  /// - Returns: By how many clips more are right on the side after, less than 0 for fewer.
  public func gainedRightCounts(of detector: String) -> Int? {
    let counted = Set(results.countedClips(of: detector).filter { $0.trueCount != nil }.map(\.id))
    let changes = changedCounts.filter { $0.detector == detector && counted.contains($0.clip) }
    guard !changes.isEmpty else { return nil }
    return changes.count { $0.after == $0.truth } - changes.count { $0.before == $0.truth }
  }
}
