/// One clip under two settings: the true reps or strokes, what each setting made of them under its own signal and
/// thresholds, and where the second one changed a verdict. Of a detector that finds neither, its states and its cues.
public struct TimelinePair: Chart {
  /// One of the two.
  public struct Setting: Hashable, Sendable {
    public var name: String
    /// What the setting decides by; `nil` where it shows nothing.
    public var signal: SignalSeries?
    public var reps: [TimedRep]
    /// For each true rep, whether this setting found it.
    public var found: [Bool]
    /// Drawn where the detector finds no reps.
    public var phases: [TimedPhase]
    public var cues: [TimedCue]

    public init(
      name: String, signal: SignalSeries?, reps: [TimedRep], found: [Bool], phases: [TimedPhase] = [],
      cues: [TimedCue] = []
    ) {
      self.name = name
      self.signal = signal
      self.reps = reps
      self.found = found
      self.phases = phases
      self.cues = cues
    }
  }

  public var clip: String
  /// Which was played to; empty where that is not said.
  public var detector: String
  /// Dataset, its origin, the subject and the detector.
  public var source: String
  /// In seconds; where it is missing, the timelines end with the last signal or rep.
  public var duration: Double
  /// What the detector finds, in the singular: `rep`, `stroke`; `nil` for one that finds neither.
  public var kind: String?
  public var trueReps: [TimedRep]
  /// What people labelled by the names of the detector's states.
  public var trueIntervals: [TimedPhase]
  public var before: Setting
  public var after: Setting

  public init(
    clip: String, detector: String = "", source: String, duration: Double = .nan, kind: String? = "rep",
    trueReps: [TimedRep], trueIntervals: [TimedPhase] = [], before: Setting, after: Setting
  ) {
    self.clip = clip
    self.detector = detector
    self.source = source
    self.duration = duration
    self.kind = kind
    self.trueReps = trueReps
    self.trueIntervals = trueIntervals
    self.before = before
    self.after = after
  }

  /// `s09_front_2, squat-states: 3 → 4 of 4 true reps found`
  public var title: String {
    let name = detector.isEmpty ? clip : "\(clip), \(detector)"
    if let agreement { return "\(name): \(agreement)" }
    guard let kind else { return "\(name) under two settings" }
    let found = [before, after].map { setting in "\(trueReps.indices.count { isFound($0, by: setting) })" }
    return "\(name): \(found.joined(separator: " → ")) of \(NumberText.count(trueReps.count, "true \(kind)")) found"
  }

  /// `582 → 601 of 709 s named as labelled`; `nil` where nobody labelled states.
  private var agreement: String? {
    guard !trueIntervals.isEmpty else { return nil }
    let all = [before, after].map { $0.phases.agreement(with: trueIntervals) }
    let labelled = all.first?.labelled ?? 0
    let decimals = labelled < 100 ? 1 : 0
    return all.map { NumberText.fixed($0.right, decimals: decimals) }.joined(separator: " → ")
      + " of \(NumberText.fixed(labelled, decimals: decimals)) s named as labelled"
  }

  public var subtitle: String {
    func counts(_ count: (Setting) -> Int) -> String { "\(count(before)) → \(count(after))" }
    let clip = [source, "1 clip of \(NumberText.fixed(span.upperBound, decimals: 1)) s"]
    let findings =
      kind.map { kind in
        [
          NumberText.count(trueReps.count, "true \(kind)"), "\(counts(\.reps.count)) predicted",
          "\(gained.count) gained, \(lost.count) lost",
        ]
      } ?? [agreement, "\(counts(\.cues.count)) cues"].compactMap { $0 }
    return (clip + findings).joined(separator: " · ")
  }

  /// A row for each true rep, then for each false one, then for each cue and phase of a detector that finds none.
  public var table: [[String]] {
    func time(_ value: Double) -> String { NumberText.fixed(value, decimals: 2) }
    func verdict(_ setting: Setting, _ index: Int) -> String { isFound(index, by: setting) ? "found" : "missed" }
    let rows = trueReps.enumerated().map { index, rep in
      ["true", "\(index + 1)", time(rep.start), time(rep.end)]
        + (kind == nil ? ["", ""] : [verdict(before, index), verdict(after, index)])
    }
    func beside(_ words: String, _ isAfter: Bool) -> [String] { isAfter ? ["", words] : [words, ""] }
    func falseReps(_ setting: Setting, isAfter: Bool) -> [[String]] {
      setting.reps.enumerated().filter { !$0.element.isMatched }.map { index, rep in
        ["predicted", "\(index + 1)", time(rep.start), time(rep.end)] + beside("false", isAfter)
      }
    }
    func others(_ setting: Setting, isAfter: Bool) -> [[String]] {
      let phases = setting.phases.enumerated().map { index, phase in
        ["phase", "\(index + 1)", time(phase.start), time(phase.end)] + beside(phase.name, isAfter)
      }
      let cues = setting.cues.enumerated().map { index, cue in
        ["cue", "\(index + 1)", time(cue.time), time(cue.time)] + beside(cue.text, isAfter)
      }
      return phases + cues
    }
    let labelled = trueIntervals.enumerated().map { index, interval in
      ["labelled \(interval.name)", "\(index + 1)", time(interval.start), time(interval.end), "", ""]
    }
    let header = [["lane", "number", "start (s)", "end (s)", "before", "after"]]
    let more = kind == nil ? others : falseReps
    return header + rows + labelled + more(before, false) + more(after, true)
  }

  private func isFound(_ index: Int, by setting: Setting) -> Bool {
    setting.found.indices.contains(index) && setting.found[index]
  }

  /// The true reps that only the second or only the first setting finds.
  var gained: [TimedRep] { changed(from: before, to: after) }
  var lost: [TimedRep] { changed(from: after, to: before) }

  private func changed(from one: Setting, to other: Setting) -> [TimedRep] {
    trueReps.indices.filter { !isFound($0, by: one) && isFound($0, by: other) }.map { trueReps[$0] }
  }

  /// From the clip's start to its end, in seconds.
  var span: ClosedRange<Double> {
    let reps = (trueReps + before.reps + after.reps).flatMap { [$0.start, $0.end] }
    let times = [before, after].flatMap { $0.signal?.times ?? [] } + reps + trueIntervals.map(\.end)
    let last = duration.isFinite && duration > 0 ? duration : times.filter(\.isFinite).max() ?? 1
    return 0...max(last, 0.1)
  }
}
