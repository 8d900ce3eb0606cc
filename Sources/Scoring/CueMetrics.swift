import PoseModel

/// What a person hears from the coach, beside what people say is wrong.
///
/// People's words on a rep, on the clip, or on a stretch with a fault's name are what a cue about that fault is held
/// against; `CueTally` says how.
public struct CueMetrics: MetricFamily {
  public static let title = "cues"

  /// The faults that cues can be about.
  public var faults: [String]
  /// How long the coach should wait until it says the same again: what it declares itself, whatever it is set to.
  public var cooldown: Microseconds

  public init(faults: [String], cooldown: Microseconds) {
    self.faults = faults
    self.cooldown = cooldown
  }

  public init?(for detector: ScoredDetector) {
    guard detector.speaks else { return nil }
    self.init(faults: detector.faults, cooldown: detector.cooldown ?? Self.usualCooldown)
  }

  /// For a coach that declares no cooldown: the squat form analyser's.
  public static let usualCooldown = Microseconds(4_000_000)

  public var metrics: [Metric] { Metric.cues }

  public func tally(_ clip: LabelledPrediction) -> CueTally {
    guard let first = clip.frames.first, let last = clip.frames.last, first < last else { return CueTally() }
    return CueTally(
      cues: clip.prediction.cues, judgements: judgements(of: clip, from: first), duration: last - first,
      cooldown: cooldown)
  }

  /// The cases are the faulty stretches, by fault.
  public func caseValues(_ clip: LabelledPrediction) -> [String: [Double?]] {
    ["cues.delay": tally(clip).firstCues.map { $0.map(CueTally.milliseconds) }]
  }

  private func judgements(of clip: LabelledPrediction, from start: Microseconds) -> [CueTally.Judgement] {
    let reps = clip.groundTruth.reps ?? []
    var judgements: [CueTally.Judgement] = []
    for fault in faults {
      for (rep, words) in Dictionary(grouping: clip.groundTruth.faults.filter { $0.name == fault }, by: \.rep) {
        guard rep.map({ reps.indices.contains($0) }) ?? true else { continue }
        judgements.append(
          CueTally.Judgement(
            fault: fault, start: rep.map { reps[$0].start } ?? start,
            isPresent: 2 * words.count(where: \.present) > words.count))
      }
    }
    // A stretch that is labelled with one fault, or with none, is judged for all of them.
    let labels = Set(clip.groundTruth.intervals.map(\.label))
    guard !labels.isDisjoint(with: faults) else { return judgements }
    for segment in clip.groundTruth.intervals {
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

/// What a person hears from the coach: how often, how often again, how soon, and how often wrongly.
///
/// A cue is about the last rep or stretch judged for its fault that began by then. Where people said that the fault is
/// there, the first cue about it is in time and the others are repeats or not; where they said that it is not, the cue
/// contradicts them; where nobody judged the fault yet, it is neither.
public struct CueTally: Sendable {
  /// A stretch, such as a rep, and whether people say that it has a fault.
  public struct Judgement: Hashable, Sendable {
    public var fault: String
    public var start: Microseconds
    public var isPresent: Bool

    public init(fault: String, start: Microseconds, isPresent: Bool) {
      self.fault = fault
      self.start = start
      self.isPresent = isPresent
    }
  }

  var cues = 0
  /// Cues about a fault.
  var corrections = 0
  var duration = Microseconds.zero
  var repeats = 0
  /// Microseconds from the start of each faulty stretch to its first cue, `nil` for one that got none; by fault, then in
  /// order of time.
  var firstCues: [Int64?] = []
  var judgedCues = 0
  var contradictions = 0

  public init() {}

  /// - Parameters:
  ///   - duration: of the clip, above 0.
  ///   - cooldown: how long the coach should wait until it says the same again; to wait exactly this long is enough.
  public init(cues: [Prediction.Cue], judgements: [Judgement], duration: Microseconds, cooldown: Microseconds) {
    self.cues = cues.count
    self.duration = duration
    let (judgementsOf, cuesOf) = (
      Dictionary(grouping: judgements, by: \.fault), Dictionary(grouping: cues, by: \.fault)
    )
    for fault in Set(judgementsOf.keys).union(cuesOf.keys.compactMap(\.self)).sorted() {
      let times = cuesOf[fault, default: []].map(\.time).sorted()
      corrections += times.count
      repeats += zip(times, times.dropFirst()).count { $1 - $0 < cooldown }
      let judgements = judgementsOf[fault, default: []].sorted {
        // Of two that begin at once the faulty one comes last, and has the cue.
        $0.start != $1.start ? $0.start < $1.start : !$0.isPresent && $1.isPresent
      }
      var delays = [Int64?](repeating: nil, count: judgements.count)
      for time in times {
        guard let about = judgements.lastIndex(where: { $0.start <= time }) else { continue }
        judgedCues += 1
        if !judgements[about].isPresent {
          contradictions += 1
        } else if delays[about] == nil {
          delays[about] = (time - judgements[about].start).count
        }
      }
      firstCues += zip(judgements, delays).filter(\.0.isPresent).map(\.1)
    }
  }

  public static func + (a: Self, b: Self) -> Self {
    var sum = a
    sum.cues += b.cues
    sum.corrections += b.corrections
    sum.duration = a.duration + b.duration
    sum.repeats += b.repeats
    sum.firstCues += b.firstCues
    sum.judgedCues += b.judgedCues
    sum.contradictions += b.contradictions
    return sum
  }

  /// At least 0; `nil` where no time passed.
  public var perMinute: Double? { duration > .zero ? Double(cues) / (duration.seconds / 60) : nil }

  /// Share of the cues about a fault that come again within the cooldown; `nil` where no cue is about a fault.
  public var repeatShare: Double? { share(repeats, of: corrections) }

  /// Median time in milliseconds from the start of a faulty stretch to its first cue; `nil` where none got one.
  public var delay: Double? {
    Metric.CaseStatistic.median.value(of: firstCues.compactMap { $0.map(Self.milliseconds) })
  }

  static func milliseconds(_ delay: Int64) -> Double { Double(delay) / 1000 }

  /// Share of the faulty stretches that got no cue; `nil` where there are none.
  public var missedShare: Double? { share(firstCues.count { $0 == nil }, of: firstCues.count) }

  /// Share of the cues about judged stretches that contradict people; `nil` where there are none.
  public var contradictionShare: Double? { share(contradictions, of: judgedCues) }

  private func share(_ part: Int, of whole: Int) -> Double? { whole > 0 ? Double(part) / Double(whole) : nil }
}

extension Metric {
  public static let cues = [
    Metric(
      "cues.per-minute", "Cues a minute: the fewer, the less the coach talks.", .lowerIsBetter, unit: "1/min",
      range: 0...(.infinity), undefined: "no time passes", source: "the definition"),
    Metric(
      "cues.repeats",
      "Share of cues about a fault that say the same again within the cooldown: what the coach declares, else 4 s.",
      .lowerIsBetter, range: 0...1, undefined: "no cue is about a fault", source: "the definition", aggregation: .ratio),
    Metric(
      "cues.delay", "Median time from the start of a faulty stretch to its first cue.", .lowerIsBetter, unit: "ms",
      range: 0...(.infinity), undefined: "no faulty stretch gets a cue", source: "the definition",
      ofCasesFound: .median),
    Metric(
      "cues.missed", "Share of faulty stretches that get no cue.", .lowerIsBetter, range: 0...1,
      undefined: "no stretch is faulty", source: "the definition", aggregation: .ratio),
    Metric(
      "cues.contradictions", "Share of cues about something that people say is not there.", .lowerIsBetter,
      range: 0...1, undefined: "no cue is about a judged stretch", source: "the definition", aggregation: .ratio),
  ]
}
