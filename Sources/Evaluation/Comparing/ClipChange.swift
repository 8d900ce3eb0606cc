import Statistics

/// A clip of which a detector says something else than before: a fact, without any inference.
public struct ClipChange: Hashable, Codable, Sendable {
  public enum Kind: String, Codable, Hashable, Sendable {
    /// Another count.
    case count
    /// Another mean grade of its reps, or of the clip.
    case grade
    /// As many reps at other times; the values are how many of them are true ones.
    case times
  }

  public var kind: Kind
  /// `squat-sample/s01_side_1`
  public var clip: String
  public var detector: String
  /// `nil` where nothing was graded.
  public var before: Double?
  public var after: Double?
  /// What people said: the true count, the mean of the raters' grades, the number of true reps.
  public var truth: Double?

  /// By how much it came nearer to the truth, below 0 farther; `nil` where the truth or a value is not known.
  public var gain: Double? {
    guard let before, let after, let truth else { return nil }
    return abs(before - truth) - abs(after - truth)
  }

  /// What got worse before the rest; in each counts before grades before rep times, the worse first.
  static func worseFirst(_ a: ClipChange, _ b: ClipChange) -> Bool {
    let (gainA, gainB) = (a.gain ?? 0, b.gain ?? 0)
    if (gainA < 0) != (gainB < 0) { return gainA < 0 }
    if a.kind != b.kind { return a.kind.rank < b.kind.rank }
    return gainA != gainB ? gainA < gainB : (a.clip, a.detector) < (b.clip, b.detector)
  }
}

extension ClipChange.Kind {
  fileprivate var rank: Int {
    switch self {
    case .count: 0
    case .grade: 1
    case .times: 2
    }
  }
}

extension ClipChange {
  init(_ changed: Comparison.ChangedCount) {
    self.init(
      kind: .count, clip: changed.clip, detector: changed.detector, before: Double(changed.before),
      after: Double(changed.after), truth: changed.truth.map(Double.init))
  }

  /// What changed of a clip besides its count; `nil` where nothing did.
  init?(_ clip: ClipResult, detector: String, from before: ClipResult.Outcome, to after: ClipResult.Outcome) {
    if before.graded.map(\.predicted) != after.graded.map(\.predicted) {
      self.init(
        kind: .grade, clip: clip.id, detector: detector, before: mean(before.graded.compactMap(\.predicted)),
        after: mean(after.graded.compactMap(\.predicted)), truth: mean(after.graded.compactMap(\.mean)))
    } else if let old = before.reps, let new = after.reps, old.count == new.count,
      old.map(\.rep) != new.map(\.rep)
    {
      func matched(_ reps: [ClipResult.PredictedRep]) -> Double { Double(reps.count { $0.matches != nil }) }
      self.init(
        kind: .times, clip: clip.id, detector: detector, before: matched(old), after: matched(new),
        truth: clip.trueReps.map { Double($0.count) })
    } else {
      return nil
    }
  }

  /// The clips whose grades or rep times changed between two runs; their counts are not looked at.
  static func changes(from before: RunResults, to after: RunResults) -> [ClipChange] {
    let clips = Dictionary(before.clips.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    return after.clips.flatMap { clip in
      clip.outcomes.compactMap { detector, outcome in
        clips[clip.id]?.outcomes[detector].flatMap {
          ClipChange(clip, detector: detector, from: $0, to: outcome)
        }
      }
    }
  }
}
