import PoseModel

/// The coach's cues compared with people's judgements of faults.
///
/// A cue about a fault is compared with judgements of a rep, of the clip, or of an interval with the fault's name; see
/// `CueTally`.
public struct CueMetrics: MetricFamily {
  public static let title = "cues"

  public static let isFeedback = true

  public static let plainNames = [
    "cues.per-minute": "cues a minute",
    "cues.repeats": "repeated cues",
    "cues.delay": "cue delay",
    "cues.missed": "faults without a cue",
    "cues.contradictions": "wrong cues",
  ]

  /// The faults that cues can be about.
  public var faults: [String]
  /// The coach's declared cooldown before it repeats a cue, whatever its current setting.
  public var cooldown: Microseconds

  public init(faults: [String], cooldown: Microseconds) {
    self.faults = faults
    self.cooldown = cooldown
  }

  public init?(for detector: ScoredDetector) {
    guard detector.tasks.speaks else { return nil }
    self.init(faults: detector.tasks.faults, cooldown: detector.tasks.cooldown ?? Self.usualCooldown)
  }

  /// The cooldown assumed for a coach that declares none: that of the squat form analyser.
  public static let usualCooldown = Microseconds(4_000_000)

  public var metrics: [Metric] { Metric.cues }

  public func tally(_ clip: LabelledPrediction) -> CueTally {
    guard let first = clip.frames.first, let last = clip.frames.last, first < last else { return CueTally() }
    return CueTally(
      cues: clip.prediction.cues, judgements: judgements(of: clip, from: first), duration: last - first,
      cooldown: cooldown)
  }

  /// The cases: the faulty intervals, by fault.
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
    // An interval with one fault's label, or with none, is judged for all of them.
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

  /// Delays are sorted once, and never copied.
  public func valuesWithoutEach(_ tallies: [CueTally]) -> [[Double?]] {
    let delays = Metric.CaseStatistic.mediansWithoutEach(tallies.map(\.delays))
    let all = tallies.reduce(into: CueTally()) { $0.addNumbers(of: $1) }
    let faulty = tallies.reduce(0) { $0 + $1.firstCues.count }
    let cued = tallies.reduce(0) { $0 + $1.delays.count }
    return tallies.indices.map { left in
      let own = tallies[left]
      var others = all
      others.addNumbers(of: own, times: -1)
      let (faulty, cued) = (faulty - own.firstCues.count, cued - own.delays.count)
      return [
        others.perMinute, others.repeatShare, delays[left], CueTally.share(faulty - cued, of: faulty),
        others.contradictionShare,
      ]
    }
  }
}

/// Tallies of the coach's cues: how frequent, repeated, late and wrong they are.
///
/// A cue refers to the last rep or interval judged for its fault that has begun. If people see the fault there, the
/// first cue about it is timed, and later ones may be repeats. If they do not, the cue is a contradiction. If the fault
/// is not judged yet, the cue is neither.
public struct CueTally: Hashable, Codable, Sendable {
  /// An interval, such as a rep, and whether people see a fault in it.
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
  /// Microseconds from the start of each faulty interval to its first cue, `nil` for one without a cue; by fault, then
  /// in time order.
  var firstCues: [Int64?] = []
  var judgedCues = 0
  var contradictions = 0

  public init() {}

  /// - Parameters:
  ///   - duration: The clip's duration, above 0.
  ///   - cooldown: The time before the coach may repeat itself; waiting exactly this long is enough.
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
        // If two begin at the same time, the faulty one comes last and gets the cue.
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
    sum.addNumbers(of: b)
    sum.firstCues += b.firstCues
    return sum
  }

  /// Adds everything but the first cues.
  fileprivate mutating func addNumbers(of other: Self, times sign: Int = 1) {
    cues += sign * other.cues
    corrections += sign * other.corrections
    duration = sign > 0 ? duration + other.duration : duration - other.duration
    repeats += sign * other.repeats
    judgedCues += sign * other.judgedCues
    contradictions += sign * other.contradictions
  }

  /// At least 0; `nil` if no time passed.
  public var perMinute: Double? { duration > .zero ? Double(cues) / (duration.seconds / 60) : nil }

  /// The share of cues about a fault that are repeated within the cooldown; `nil` if no cue is about a fault.
  public var repeatShare: Double? { Self.share(repeats, of: corrections) }

  /// The median time in milliseconds from the start of a faulty interval to its first cue; `nil` if none got one.
  public var delay: Double? { Metric.CaseStatistic.median.value(of: delays) }

  fileprivate var delays: [Double] { firstCues.compactMap { $0.map(Self.milliseconds) } }

  static func milliseconds(_ delay: Int64) -> Double { Double(delay) / 1000 }

  /// The share of faulty intervals without a cue; `nil` if there are none.
  public var missedShare: Double? { Self.share(firstCues.count { $0 == nil }, of: firstCues.count) }

  /// The share of cues about judged intervals that contradict people; `nil` if there are none.
  public var contradictionShare: Double? { Self.share(contradictions, of: judgedCues) }

  fileprivate static func share(_ part: Int, of whole: Int) -> Double? {
    whole > 0 ? Double(part) / Double(whole) : nil
  }
}

extension Metric {
  public static let cues = [
    Metric(
      "cues.per-minute", "Cues per minute.", .lowerIsBetter, unit: "1/min",
      range: 0...(.infinity), undefined: "the clips have no duration", source: "the definition"),
    Metric(
      "cues.repeats",
      "Share of cues about a fault that are repeated within the cooldown: the coach's own, or else 4 s.",
      .lowerIsBetter, range: 0...1, undefined: "no cue is about a fault", source: "the definition", aggregation: .ratio),
    Metric(
      "cues.delay", "Median time from the start of a faulty interval to its first cue.", .lowerIsBetter, unit: "ms",
      range: 0...(.infinity), undefined: "no faulty interval gets a cue", source: "the definition",
      ofCasesFound: .median),
    Metric(
      "cues.missed", "Share of faulty intervals that get no cue.", .lowerIsBetter, range: 0...1,
      undefined: "no interval is faulty", source: "the definition", aggregation: .ratio),
    Metric(
      "cues.contradictions", "Share of cues about a fault that people judged absent.", .lowerIsBetter,
      range: 0...1, undefined: "no cue is about a judged interval", source: "the definition", aggregation: .ratio),
  ]
}
