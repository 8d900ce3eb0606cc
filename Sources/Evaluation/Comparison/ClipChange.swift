import Pipeline
import Statistics

/// A clip on which a detector's prediction changed: an exact fact, no inference.
public struct ClipChange: Hashable, Codable, Sendable {
  /// From the most to the least serious.
  public enum Kind: String, CaseIterable, Codable, Hashable, Sendable {
    /// Another count.
    case count
    /// Other strokes; the values are how many are missed, falsely detected or confused with others.
    case strokes
    /// Another label on one or more frames; the values are seconds with a wrong label.
    case labels
    /// Another mean grade of its reps, or of the clip.
    case grade
    /// Another judgement of faults; the values are how many reps, or clips, are misjudged.
    case faults
    /// The same number of reps at other times; the values are how many match true reps.
    case times
  }

  /// One of several numbers that add up to a value.
  public struct Part: Hashable, Codable, Sendable {
    /// `missed`
    public var name: String
    public var before: Int
    public var after: Int
  }

  public var kind: Kind
  /// `squat-sample/s01_side_1`
  public var clip: String
  public var detector: String
  /// `nil` if nothing was graded.
  public var before: Double?
  public var after: Double?
  /// The ground truth: the true count, the mean of the raters' grades, the number of true reps; 0 for errors.
  public var truth: Double?
  /// Of strokes.
  public var parts: [Part]?

  /// How much closer it came to the ground truth, negative if farther; `nil` if the ground truth or a value is unknown.
  public var gain: Double? {
    guard let before, let after, let truth else { return nil }
    return abs(before - truth) - abs(after - truth)
  }

  /// Losses first, then by kind, then by size.
  static func worseFirst(_ a: ClipChange, _ b: ClipChange) -> Bool {
    let (gainA, gainB) = (a.gain ?? 0, b.gain ?? 0)
    if (gainA < 0) != (gainB < 0) { return gainA < 0 }
    if a.kind != b.kind { return a.kind < b.kind }
    return gainA != gainB ? gainA < gainB : (a.clip, a.detector) < (b.clip, b.detector)
  }
}

extension ClipChange.Kind: Comparable {
  public static func < (a: ClipChange.Kind, b: ClipChange.Kind) -> Bool { a.rank < b.rank }

  private var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}

extension ClipChange {
  /// Clips with another count, in their order. Where nobody does the exercise the true count is 0.
  static func counts(of results: RunResults, from before: Baseline, to after: Baseline) -> [ClipChange] {
    results.clips.flatMap { clip in
      clip.outcomes.keys.sorted().compactMap { detector in
        guard let old = before.clips[clip.id]?[detector]?.count, let new = after.clips[clip.id]?[detector]?.count,
          old != new
        else { return nil }
        return ClipChange(
          kind: .count, clip: clip.id, detector: detector, before: Double(old), after: Double(new),
          truth: results.isNegative(clip) ? 0 : clip.trueCount.map(Double.init))
      }
    }
  }

  /// Other changes of the clips, in their order, for the detectors that both sides kept predictions of; empty if a side
  /// kept only counts.
  static func predictions(_ clips: [ClipResult], from before: Baseline, to after: Baseline) -> [ClipChange] {
    guard !before.knowsCountsOnly, !after.knowsCountsOnly else { return [] }
    let known = before.predictedDetectors.intersection(after.predictedDetectors)
    return clips.flatMap { clip in
      clip.outcomes.keys.filter(known.contains).sorted().flatMap { detector in
        let (old, new) = (before.clips[clip.id]?[detector], after.clips[clip.id]?[detector])
        return changes(
          clip, detector: detector, from: old?.summary ?? PredictionSummary(),
          to: new?.summary ?? PredictionSummary(), hasOtherCount: old?.count != new?.count)
      }
    }
  }

  /// The changes on a clip other than its count.
  static func changes(
    _ clip: ClipResult, detector: String, from before: PredictionSummary, to after: PredictionSummary,
    hasOtherCount: Bool
  ) -> [ClipChange] {
    func change(_ kind: Kind, _ value: (PredictionSummary) -> Double?, truth: Double?, parts: [Part]? = nil)
      -> ClipChange?
    {
      let (old, new) = (value(before), value(after))
      guard old != new || parts?.contains(where: { $0.before != $0.after }) == true else { return nil }
      return ClipChange(
        kind: kind, clip: clip.id, detector: detector, before: old, after: new, truth: truth, parts: parts)
    }
    let parts = [
      ("missed", \PredictionSummary.missedStrokes), ("made up", \.falseStrokes), ("misnamed", \.misnamedStrokes),
    ].compactMap { name, path in
      before[keyPath: path].flatMap { old in
        after[keyPath: path].map { Part(name: name, before: old, after: $0) }
      }
    }
    let graded = clip.outcomes[detector]?.graded ?? []
    return [
      change(.strokes, { $0.wrongStrokes }, truth: 0, parts: parts.isEmpty ? nil : parts),
      change(.labels, { $0.wrongSeconds }, truth: 0),
      change(.grade, { $0.meanGrade }, truth: mean(graded.compactMap(\.mean))),
      change(.faults, { $0.misjudged.map(Double.init) }, truth: 0),
      hasOtherCount
        ? nil
        : change(.times, { $0.matchedReps.map(Double.init) }, truth: clip.trueReps.map { Double($0.count) }),
    ].compactMap(\.self)
  }

  /// The changes of the clips between two runs, for one detector or all, the worst first.
  static func changes(from before: RunResults, to after: RunResults, detector: String? = nil) -> [ClipChange] {
    let (old, new) = (Baseline(allOf: before), Baseline(allOf: after))
    let known = counts(of: after, from: old, to: new) + predictions(after.clips, from: old, to: new)
    let all = known + moved(from: before, to: after, besides: known)
    return all.filter { detector == nil || $0.detector == detector }.sorted(by: worseFirst)
  }

  /// Clips with the same number of correct reps at other times, or with other grades per rep but the same mean.
  static func moved(from before: RunResults, to after: RunResults, besides known: [ClipChange]) -> [ClipChange] {
    let clips = Dictionary(before.clips.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    let known = Set(known.map { "\($0.kind.rawValue) \($0.clip) \($0.detector)" })
    return after.clips.flatMap { clip in
      clip.outcomes.sorted { $0.key < $1.key }.compactMap { detector, outcome -> ClipChange? in
        func isKnown(_ kind: Kind) -> Bool { known.contains("\(kind.rawValue) \(clip.id) \(detector)") }
        guard let old = clips[clip.id]?.outcomes[detector], !isKnown(.grade) else { return nil }
        if old.graded.map(\.predicted) != outcome.graded.map(\.predicted) {
          return ClipChange(
            kind: .grade, clip: clip.id, detector: detector, before: mean(old.graded.compactMap(\.predicted)),
            after: mean(outcome.graded.compactMap(\.predicted)), truth: mean(outcome.graded.compactMap(\.mean)))
        }
        guard !isKnown(.times), !isKnown(.count), let were = old.reps, let are = outcome.reps,
          were.count == are.count, were.map(\.rep) != are.map(\.rep)
        else { return nil }
        func matched(_ reps: [ClipResult.PredictedRep]) -> Double { Double(reps.count { $0.matches != nil }) }
        return ClipChange(
          kind: .times, clip: clip.id, detector: detector, before: matched(were), after: matched(are),
          truth: clip.trueReps.map { Double($0.count) })
      }
    }
  }
}

extension PredictionSummary {
  /// Missed, falsely detected or confused with others.
  fileprivate var wrongStrokes: Double? {
    let parts = [missedStrokes, falseStrokes, misnamedStrokes].compactMap(\.self)
    return parts.isEmpty ? nil : Double(parts.reduce(0, +))
  }
}
