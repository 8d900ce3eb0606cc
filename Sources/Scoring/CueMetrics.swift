import PoseModel

/// What a person hears from the coach, beside what people say is wrong.
///
/// People's words on a rep, on the clip, or on a stretch with a fault's name are what a cue about that fault is held
/// against; `CueTally` says how.
public struct CueMetrics: MetricFamily {
  /// The faults that cues can be about.
  public var faults: [String]
  /// How long the coach should wait until it says the same again: what it declares itself, whatever it is set to.
  public var cooldown: Microseconds

  public init(faults: [String], cooldown: Microseconds) {
    self.faults = faults
    self.cooldown = cooldown
  }

  public var metrics: [Metric] { Metric.cues }

  public func tally(_ clip: ScoredClip) -> CueTally {
    guard let first = clip.frames.first, let last = clip.frames.last, first < last else { return CueTally() }
    return CueTally(
      cues: clip.prediction.cues, judgements: judgements(of: clip, from: first), duration: last - first,
      cooldown: cooldown)
  }

  private func judgements(of clip: ScoredClip, from start: Microseconds) -> [CueTally.Judgement] {
    let reps = clip.truth.reps ?? []
    var judgements: [CueTally.Judgement] = []
    for fault in faults {
      for (rep, words) in Dictionary(grouping: clip.truth.faults.filter { $0.name == fault }, by: \.rep) {
        guard rep.map({ reps.indices.contains($0) }) ?? true else { continue }
        judgements.append(
          CueTally.Judgement(
            fault: fault, start: rep.map { reps[$0].start } ?? start,
            isPresent: 2 * words.count(where: \.present) > words.count))
      }
    }
    // A stretch that is labelled with one fault, or with none, is judged for all of them.
    let labels = Set(clip.truth.segments.map(\.label))
    guard !labels.isDisjoint(with: faults) else { return judgements }
    for segment in clip.truth.segments {
      for fault in faults {
        judgements.append(
          CueTally.Judgement(fault: fault, start: segment.start, isPresent: segment.label == fault))
      }
    }
    return judgements
  }

  public func pool(_ a: CueTally, _ b: CueTally) -> CueTally { a + b }

  public func values(_ tally: CueTally) -> [Double?] {
    [tally.perMinute, tally.repeatShare, tally.delay, tally.missedShare, tally.contradictionShare]
  }
}
