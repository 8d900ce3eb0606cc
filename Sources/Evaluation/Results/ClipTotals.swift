import Pipeline
import Scoring

/// On how many clips a detector counts as labelled.
public struct RightCounts: Hashable, Sendable {
  /// The clips with both a labelled and a predicted count.
  public let clips: Int
  public let right: Int

  /// - Parameter errors: Predicted minus true count of each clip; `nil` without one of them.
  /// - Returns: `nil` if no clip has both.
  public init?(_ errors: some Sequence<Int?>) {
    let known = errors.compactMap(\.self)
    guard !known.isEmpty else { return nil }
    (clips, right) = (known.count, known.count { $0 == 0 })
  }

  /// - Returns: `nil` if no clip has both a labelled and a predicted count.
  public init?(of detector: String, on clips: some Sequence<ClipResult>) {
    self.init(clips.map { $0.countError(detector) })
  }
}

/// How often a judge agrees with people on whether a rep or clip is faulty.
public struct RightJudgements: Hashable, Sendable {
  public let judged: Int
  public let right: Int
  /// Right for a judge that always says the more frequent of faulty and good.
  public let trivial: Int
  /// Whether people judged reps, not whole clips.
  public let areOfReps: Bool

  /// - Returns: `nil` if nobody judged what the detector judges.
  public init?(of detector: String, on clips: some Sequence<ClipResult>) {
    let all = clips.flatMap { $0.outcomes[detector]?.judged ?? [] }
    guard !all.isEmpty else { return nil }
    let faulty = all.count(where: \.isFaulty)
    (judged, right) = (all.count, all.count { $0.isFaulty == $0.isReported })
    (trivial, areOfReps) = (max(faulty, all.count - faulty), all.contains { $0.rep != nil })
  }
}

extension LabelledPrediction {
  /// Predicted minus true count; `nil` without one of them.
  package var countError: Int? {
    groundTruth.repCount.flatMap { truth in prediction.count.map { $0 - truth } }
  }
}

extension RunResults {
  /// The clips with reps that a detector counted, without those in which nobody does the exercise.
  public func countedClips(of detector: String) -> [ClipResult] {
    clips.filter { !isNegative($0) && $0.outcomes[detector]?.count != nil }
  }

  /// On how many of its clips a detector counts as labelled; `nil` if none has a labelled count.
  public func rightCounts(of detector: String) -> RightCounts? {
    RightCounts(of: detector, on: countedClips(of: detector))
  }
}
