import Statistics

/// A clip of which a detector says something else than before: a fact, without any inference.
public struct ClipChange: Hashable, Codable, Sendable {
  /// In the order of their gravity.
  public enum Kind: String, CaseIterable, Codable, Hashable, Sendable {
    /// Another count.
    case count
    /// Other strokes; the values are how many are missed, made up or taken for others.
    case strokes
    /// Another label of more or fewer frames; the values are seconds of wrong ones.
    case labels
    /// Another mean grade of its reps, or of the clip.
    case grade
    /// Another judgement; the values are how many reps, or clips, are misjudged.
    case faults
    /// As many reps at other times; the values are how many of them are true ones.
    case times
  }

  /// One of several numbers that a value is the sum of.
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
  /// `nil` where nothing was graded.
  public var before: Double?
  public var after: Double?
  /// What people said: the true count, the mean of the raters' grades, the number of true reps; 0 of what should not be.
  public var truth: Double?
  /// Of strokes.
  public var parts: [Part]?

  /// By how much it came nearer to the truth, below 0 farther; `nil` where the truth or a value is not known.
  public var gain: Double? {
    guard let before, let after, let truth else { return nil }
    return abs(before - truth) - abs(after - truth)
  }

  /// The same change the other way round.
  var turnedRound: ClipChange {
    var change = self
    (change.before, change.after) = (after, before)
    change.parts = parts?.map { Part(name: $0.name, before: $0.after, after: $0.before) }
    return change
  }

  /// What got worse before the rest; in each the kinds in their order, the worse first.
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
  init(_ changed: Comparison.ChangedCount) {
    self.init(
      kind: .count, clip: changed.clip, detector: changed.detector, before: Double(changed.before),
      after: Double(changed.after), truth: changed.truth.map(Double.init))
  }

  /// What changed of a clip besides its count.
  static func changes(
    _ clip: ClipResult, detector: String, from before: ClipAnswer, to after: ClipAnswer, hasOtherCount: Bool
  ) -> [ClipChange] {
    func change(_ kind: Kind, _ value: (ClipAnswer) -> Double?, truth: Double?, parts: [Part]? = nil) -> ClipChange? {
      let (old, new) = (value(before), value(after))
      guard old != new || parts?.contains(where: { $0.before != $0.after }) == true else { return nil }
      return ClipChange(
        kind: kind, clip: clip.id, detector: detector, before: old, after: new, truth: truth, parts: parts)
    }
    let parts = [
      ("missed", \ClipAnswer.missedStrokes), ("made up", \.falseStrokes), ("misnamed", \.misnamedStrokes),
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

  /// What changed of the clips between two runs, of one detector or of all, the worse first.
  static func changes(from before: RunResults, to after: RunResults, detector: String? = nil) -> [ClipChange] {
    let old = Baseline(before)
    let counts = Comparison.changedCounts(after, with: old).map { ClipChange($0) }
    let answers = Comparison.changedAnswers(after, Baseline(after), with: old)
    let all = counts + answers + moved(from: before, to: after, besides: counts + answers)
    return all.filter { detector == nil || $0.detector == detector }.sorted(by: worseFirst)
  }

  /// Clips of which as many reps are true ones, at other times, or each rep has another grade with the same mean.
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

extension ClipAnswer {
  /// Missed, made up or taken for others.
  fileprivate var wrongStrokes: Double? {
    let parts = [missedStrokes, falseStrokes, misnamedStrokes].compactMap(\.self)
    return parts.isEmpty ? nil : Double(parts.reduce(0, +))
  }
}
