import Pipeline
import Scoring
import Statistics

/// How a metric of one detector changed between two sides, subject by subject, with the inference about people like
/// them.
///
/// The gate, reports, charts and JSON all use this one type. A gain above 0 is better, in the metric's unit, whatever
/// its direction. The inference is on subjects, each paired with itself.
public struct MetricChange: OfMetric, Hashable, Sendable {
  /// A subject's own value on each side; `nil` if undefined.
  public struct Subject: Hashable, Codable, Sendable {
    public var before: Double?
    public var after: Double?
    /// `nil` if a side has no value. For a value over all clips together it is the subject's share in that value's
    /// gain, which may differ from the difference of its own values; `nil` if the subject does not contribute.
    public var gain: Double?

    package init(before: Double?, after: Double?, gain: Double?) {
      (self.before, self.after, self.gain) = (before, after, gain)
    }

    /// How much its own value improved; `nil` if a side has none.
    fileprivate func ownGain(_ direction: Metric.Direction?) -> Double? {
      guard let direction else { return gain }
      return before.flatMap { before in after.map { -direction.loss(from: before, to: $0) + 0 } }
    }
  }

  /// What the change is inferred from.
  public enum Evidence: Hashable, Sendable {
    /// People's own values, each paired with itself.
    case people
    /// A value over all clips together, with each person's share in its gain, or why there are no shares, in words.
    case pooled(obstacle: String?)
    /// Only the cases that were found on both sides: people's values and gains cover these, `before` and `after` all
    /// found cases of their side.
    case foundCases(Cases)
    /// Nothing, as the two sides' values are of different cases; why, in words.
    case unpaired(obstacle: String)
    /// The time of updates, which has no people.
    case cost(CostChange)
  }

  /// How many true cases, such as reps, each side found, and how many both found.
  public struct Cases: Hashable, Sendable {
    public let before: Int
    public let after: Int
    public let onBoth: Int
    /// Sorted: people that lost all found cases, and people that had none before.
    public let lostSubjects: [String]
    public let gainedSubjects: [String]

    public var areEqual: Bool { before == onBoth && after == onBoth }
  }

  /// The sign-flip test of the mean gain, two-sided.
  public struct Test: Hashable, Sendable {
    public var p: Double
    /// Whether all flips of the gains' signs were enumerated; if not, `flips` of them were sampled.
    public let isExact: Bool
    public let flips: Int?
    /// Adjusted for the other tests of its family; `nil` outside a family.
    public var adjustedP: Double?
  }

  /// How many people improved, got worse or stayed the same, among those with their own value on both sides.
  public struct People: Hashable, Sendable {
    public let better: Int
    public let worse: Int
    public let same: Int
  }

  /// The level of every interval: 95 %.
  public static let level = 0.95
  /// The seed for sampling signs with more than twenty subjects.
  public static let seed: UInt64 = 1

  public var detector: String
  public var metric: String
  public var unit: String
  /// `nil` for a cost, and in files from before it was kept.
  public var direction: Metric.Direction?
  public var before: Double?
  public var after: Double?
  public var evidence: Evidence
  /// The means over the subjects with a value on both sides; their difference is the gain. For a value over all clips
  /// together, that value.
  public var pairedBefore: Double?
  public var pairedAfter: Double?
  /// The mean of the subjects' gains; for a value over all clips together, its own gain; for a cost, the share of time
  /// saved.
  public var gain: Double?
  /// The t interval on the mean gain, `nil` with fewer than two gains; for a cost, its own interval.
  public var interval: Interval?
  /// `nil` if the mean gain was not tested or has fewer than two gains.
  public var test: Test?
  /// The loss that is accepted; `nil` for a metric that does not gate.
  public var margin: Double?
  /// The worst value allowed, for any baseline; `nil` for none.
  public var floor: Double?
  /// The gate's outcome; `nil` if the gate was not run, and for a metric that does not gate.
  public var outcome: Verdict.Outcome?
  /// The direction in which a change is shown for people, corrected for the other metrics; `nil` if it may be chance or
  /// was not tested. Every headline uses it.
  public var shown: ShownChange?
  /// The probability of a loss beyond the margin, 0.01…0.99 in whole percent; `nil` if the gate's rule shows a regression
  /// or a pass, and for a metric that does not gate.
  public var probabilityOfLoss: Double?
  /// Of a share of clips: the clips on each side; `nil` for other metrics, and if a side kept no counts.
  public var rightClips: RightClips?
  /// Whether the suite names the metric; named metrics are shown first.
  public var isListed: Bool
  /// Whether no subject's value changed.
  public var isUnchanged: Bool
  /// Subjects with a gain.
  public var subjects: Int
  /// `nil` if nobody has a value, as for a correlation over one clip.
  public var people: People?
  /// How many subjects have a value on one side only.
  public var oneSided: Int
  public var undefinedBefore: Int
  public var undefinedAfter: Int
  public var clips: Int
  /// Empty in slices, as there are many of them.
  public var bySubject: [String: Subject]

  public var p: Double? { test?.p }
  public var adjustedP: Double? { test?.adjustedP }

  /// Whether the value is computed over all clips together.
  public var isPooled: Bool { if case .pooled = evidence { true } else { false } }

  public var cases: Cases? { if case .foundCases(let cases) = evidence { cases } else { nil } }

  /// The measurement behind an update's cost.
  var cost: CostChange? { if case .cost(let cost) = evidence { cost } else { nil } }

  /// Why the two sides' values allow no inference, in words; `nil` if they do.
  var obstacle: String? {
    switch evidence {
    case .pooled(let obstacle): obstacle
    case .unpaired(let obstacle): obstacle
    case .people, .foundCases, .cost: nil
    }
  }

  /// How much each subject improved, for subjects with a value on both sides.
  public var gains: [String: Double] { bySubject.compactMapValues(\.gain) }

  /// How much each subject's own value improved, for those with one on both sides.
  public var ownGains: [String: Double] {
    bySubject.compactMapValues { $0.ownGain(direction) }
  }

  /// In the order of the subjects' names.
  public var sortedGains: [Double] { gains.sorted { $0.key < $1.key }.map(\.value) }

  /// Subjects with a value on one side only, by name; empty for a value over all clips together.
  public var oneSidedSubjects: [String] {
    guard !isPooled else { return [] }
    let values = bySubject.filter { ($0.value.before == nil) != ($0.value.after == nil) }.keys
    return Set(values).union(cases?.lostSubjects ?? []).union(cases?.gainedSubjects ?? []).sorted()
  }

  /// `on the 41 cases found on both sides (45 before, 41 now)`; `nil` if both sides found the same cases.
  public var casesWords: String? {
    guard let cases, !cases.areEqual else { return nil }
    return "on the \(cases.onBoth) cases found on both sides (\(cases.before) before, \(cases.after) now)"
  }

  /// Subjects that lost their value, by name: the detector no longer gives what the metric needs.
  public var undefinedSubjects: [String] {
    guard !isPooled else { return [] }
    let values = bySubject.filter { $0.value.before != nil && $0.value.after == nil }.keys
    return Set(values).union(cases?.lostSubjects ?? []).sorted()
  }

  /// Whether the value is worse than the floor.
  public var isBelowFloor: Bool {
    guard let floor, let after, let direction else { return false }
    return direction.loss(from: floor, to: after) > 0
  }

  /// Whether the change is more than chance can explain.
  public var isShown: Bool { shown != nil }

  /// Whether there is a gain that rounds to nothing.
  public var isUnchangedOnAverage: Bool { ["0", "±0"].contains(NumberText.signed(gain, unit: unit)) }

  /// Without the subjects' own values.
  public var summary: MetricChange {
    var change = self
    change.bySubject = [:]
    return change
  }
}

extension MetricChange {
  /// Compares two sides' values by subject.
  ///
  /// - Parameters:
  ///   - definition: The metric in a run: its unit, direction, margin and floor. A baseline has none of them.
  ///   - cases: For a metric over found cases only, the cases of both sides.
  ///   - reference: The other side's name in errors: `the baseline`.
  ///
  /// - Throws: `EvaluationError.missing` if the sides have other subjects.
  init(
    _ definition: RunResults.MetricResult, from before: Baseline.Value, to after: Baseline.Value, clips: Int? = nil,
    cases: FoundCases? = nil, in reference: String
  ) throws {
    guard Set(before.bySubject.keys) == Set(after.bySubject.keys) else {
      throw EvaluationError.missing(
        what: "metric \(definition.metric) of \(definition.detector)", expected: "the same people as in \(reference)",
        found: "others")
    }
    let direction = definition.direction
    let isPooled = before.isPooled == true || after.isPooled == true
    var subjects = Dictionary(
      uniqueKeysWithValues: after.bySubject.map { name, now in
        let was = before.bySubject[name] ?? nil
        let gain = was.flatMap { was in now.map { -direction.loss(from: was, to: $0) + 0 } }
        return (name, Subject(before: was, after: now, gain: isPooled ? nil : gain))
      })
    let pooled = isPooled ? PooledGains(direction, from: before, to: after, in: reference) : nil
    for (name, gain) in pooled?.bySubject ?? [:] { subjects[name]?.gain = gain }
    self.init(
      detector: definition.detector, metric: definition.metric, unit: definition.unit, direction: direction,
      before: before.value, after: after.value, bySubject: subjects, isPooled: isPooled, margin: definition.margin,
      floor: definition.floor, isListed: definition.isListed, clips: clips ?? definition.clips)
    guard let pooled else {
      if let clip = cases?.otherCases {
        evidence = .unpaired(obstacle: "\(clip) has other true cases in \(reference)")
      } else if let cases {
        compare(cases, direction)
      }
      return
    }
    (gain, evidence) = (pooled.gain, .pooled(obstacle: pooled.obstacle))
    isUnchanged = isUnchanged && before.value == after.value && before.withoutSubject == after.withoutSubject
  }

  /// Compares what both sides found, if one side found something that the other did not.
  private mutating func compare(_ found: FoundCases, _ direction: Metric.Direction) {
    let cases = found.cases
    if !cases.areEqual {
      let (undefinedBefore, undefinedAfter) = (undefinedBefore, undefinedAfter)
      let shared = Dictionary(
        uniqueKeysWithValues: bySubject.keys.map { name in
          let values = found.bySubject[name]
          let gain = values.map { -direction.loss(from: $0.before, to: $0.after) + 0 }
          return (name, Subject(before: values?.before, after: values?.after, gain: gain))
        })
      self = MetricChange(
        detector: detector, metric: metric, unit: unit, direction: direction, before: before, after: after,
        bySubject: shared, margin: margin, floor: floor, isListed: isListed, clips: clips)
      (self.undefinedBefore, self.undefinedAfter) = (undefinedBefore, undefinedAfter)
      oneSided = cases.lostSubjects.count + cases.gainedSubjects.count
      // The found cases differ, even if the cases that both sides found are equal.
      isUnchanged = false
    }
    evidence = .foundCases(cases)
  }

  /// Derives everything that follows from the subjects' values; does not test.
  package init(
    detector: String, metric: String, unit: String, direction: Metric.Direction?, before: Double?, after: Double?,
    bySubject: [String: Subject], isPooled: Bool = false, margin: Double?, floor: Double? = nil, isListed: Bool = true,
    clips: Int
  ) {
    (self.detector, self.metric, self.unit, self.direction) = (detector, metric, unit, direction)
    (self.before, self.after, self.bySubject) = (before, after, bySubject)
    (self.margin, self.floor, self.isListed, self.clips) = (margin, floor, isListed, clips)
    evidence = isPooled ? .pooled(obstacle: nil) : .people
    let sorted = bySubject.sorted { $0.key < $1.key }.map(\.value)
    let gains = sorted.compactMap(\.gain)
    let paired = sorted.filter { $0.before != nil && $0.after != nil }
    let own = sorted.compactMap { $0.ownGain(direction) }
    // A missing subject value is no obstacle if the cases of all subjects are pooled.
    oneSided = isPooled ? 0 : sorted.count - paired.count - sorted.count { $0.before == nil && $0.after == nil }
    pairedBefore = isPooled ? before : mean(paired.compactMap(\.before))
    pairedAfter = isPooled ? after : mean(paired.compactMap(\.after))
    let average = mean(gains)
    // Of gains that cancel out, rounding leaves a rest.
    gain = average.map { abs($0) <= 1e-12 * (gains.map(abs).max() ?? 0) ? 0 : $0 }
    interval = Interval.studentT(gains, level: Self.level)
    isUnchanged = oneSided == 0 && sorted.allSatisfy { $0.before == $0.after }
    subjects = gains.count
    undefinedBefore = sorted.count { $0.before == nil }
    undefinedAfter = sorted.count { $0.after == nil }
    guard !isPooled || !own.isEmpty else { return }
    people = People(
      better: own.count { $0 > 0 }, worse: own.count { $0 < 0 }, same: own.count { $0 == 0 })
  }

  /// Of an update's cost.
  init(_ cost: CostChange, of detector: String, margin: Double) {
    self.init(
      detector: detector, metric: CostRatio.metric, unit: "", direction: nil, before: 1, after: cost.ratio,
      bySubject: [:], margin: margin, clips: cost.clips)
    evidence = .cost(cost)
    gain = 1 - cost.ratio
    interval = cost.interval.map { Interval(low: 1 - $0.high, high: 1 - $0.low, level: $0.level) }
    isUnchanged = false
  }

  /// Tests the gains by flipping their signs: every combination if at most twenty gains differ from 0, otherwise a
  /// sample.
  mutating func runTest() {
    let gains = sortedGains
    var generator = SeededGenerator(seed: Self.seed)
    guard gains.count >= 2, let flip = SignFlip(gains, using: &generator) else { return }
    test = Test(p: flip.twoSided, isExact: flip.isExact, flips: flip.isExact ? nil : flip.flips)
  }
}

/// In a file a change is flat: the keys of its evidence, interval and test stand beside the others. What a cost and an
/// obstacle are made of is not written.
extension MetricChange: Codable {
  private enum Key: String, CodingKey {
    case detector, metric, unit, direction, before, after, pairedBefore, pairedAfter, gain, low, high, level, p
    case pIsExact, flips, adjustedP, margin, floor, outcome, shown, probabilityOfLoss, rightClips, isPooled, isListed
    case isUnchanged, subjects, better, worse, same, oneSided, casesBefore, casesAfter, casesOnBoth, lostSubjects
    case gainedSubjects, undefinedBefore, undefinedAfter, clips, bySubject
  }

  public init(from decoder: any Decoder) throws {
    let keys = try decoder.container(keyedBy: Key.self)
    func value<Value: Decodable>(_ key: Key) throws -> Value { try keys.decode(Value.self, forKey: key) }
    func known<Value: Decodable>(_ key: Key) throws -> Value? { try keys.decodeIfPresent(Value.self, forKey: key) }
    (detector, metric, unit) = (try value(.detector), try value(.metric), try value(.unit))
    (direction, before, after) = (try known(.direction), try known(.before), try known(.after))
    (pairedBefore, pairedAfter, gain) = (try known(.pairedBefore), try known(.pairedAfter), try known(.gain))
    let (low, high, level): (Double?, Double?, Double) = (try known(.low), try known(.high), try value(.level))
    interval = low.flatMap { low in high.map { Interval(low: low, high: $0, level: level) } }
    test = try known(.p).map { (p: Double) in
      Test(
        p: p, isExact: try known(.pIsExact) ?? true, flips: try known(.flips), adjustedP: try known(.adjustedP))
    }
    (margin, floor, outcome, shown) = (try known(.margin), try known(.floor), try known(.outcome), try known(.shown))
    (probabilityOfLoss, rightClips) = (try known(.probabilityOfLoss), try known(.rightClips))
    (isListed, isUnchanged, subjects) = (try value(.isListed), try value(.isUnchanged), try value(.subjects))
    people = try known(.better).map { (better: Int) in
      People(better: better, worse: try value(.worse), same: try value(.same))
    }
    (oneSided, clips) = (try known(.oneSided) ?? 0, try value(.clips))
    (undefinedBefore, undefinedAfter) = (try value(.undefinedBefore), try value(.undefinedAfter))
    bySubject = try known(.bySubject) ?? [:]
    if let before: Int = try known(.casesBefore) {
      evidence = .foundCases(
        Cases(
          before: before, after: try value(.casesAfter), onBoth: try value(.casesOnBoth),
          lostSubjects: try known(.lostSubjects) ?? [], gainedSubjects: try known(.gainedSubjects) ?? []))
    } else {
      evidence = try known(.isPooled) == true ? .pooled(obstacle: nil) : .people
    }
  }

  public func encode(to encoder: any Encoder) throws {
    var keys = encoder.container(keyedBy: Key.self)
    func write(_ value: (some Encodable)?, _ key: Key) throws { try keys.encodeIfPresent(value, forKey: key) }
    try write(detector, .detector)
    try write(metric, .metric)
    try write(unit, .unit)
    try write(direction, .direction)
    try write(before, .before)
    try write(after, .after)
    try write(pairedBefore, .pairedBefore)
    try write(pairedAfter, .pairedAfter)
    try write(gain, .gain)
    try write(interval?.low, .low)
    try write(interval?.high, .high)
    try write(Self.level, .level)
    try write(test?.p, .p)
    try write(test?.isExact, .pIsExact)
    try write(test?.flips, .flips)
    try write(test?.adjustedP, .adjustedP)
    try write(margin, .margin)
    try write(floor, .floor)
    try write(outcome, .outcome)
    try write(shown, .shown)
    try write(probabilityOfLoss, .probabilityOfLoss)
    try write(rightClips, .rightClips)
    try write(isPooled ? true : nil, .isPooled)
    try write(isListed, .isListed)
    try write(isUnchanged, .isUnchanged)
    try write(subjects, .subjects)
    try write(people?.better, .better)
    try write(people?.worse, .worse)
    try write(people?.same, .same)
    try write(oneSided, .oneSided)
    try write(cases?.before, .casesBefore)
    try write(cases?.after, .casesAfter)
    try write(cases?.onBoth, .casesOnBoth)
    try write(cases.flatMap { $0.lostSubjects.isEmpty ? nil : $0.lostSubjects }, .lostSubjects)
    try write(cases.flatMap { $0.gainedSubjects.isEmpty ? nil : $0.gainedSubjects }, .gainedSubjects)
    try write(undefinedBefore, .undefinedBefore)
    try write(undefinedAfter, .undefinedAfter)
    try write(clips, .clips)
    try write(bySubject.isEmpty ? nil : bySubject, .bySubject)
  }
}

/// The gain of a value over all clips together, and each subject's share in it by the jackknife: a subject is left out
/// on both sides at once, and effects that its clips have on both sides cancel.
private struct PooledGains {
  /// Above 0 is better; `nil` if a side has no value.
  let gain: Double?
  /// For the subjects that contribute to the value on either side; empty if there is no jackknife.
  let bySubject: [String: Double]
  /// The reason if it is empty.
  let obstacle: String?

  private static let onePerson = "only one person contributes to it, too few to generalise"

  init(_ direction: Metric.Direction, from before: Baseline.Value, to after: Baseline.Value, in reference: String) {
    func none(_ gain: Double?, _ obstacle: String?) -> (Double?, [String: Double], String?) { (gain, [:], obstacle) }
    guard before.isPooled == after.isPooled else {
      let kinds = ["the mean of its people's values", "the value of all clips together"]
      let (old, new) = before.isPooled == true ? (kinds[1], kinds[0]) : (kinds[0], kinds[1])
      (gain, bySubject, obstacle) = none(nil, "\(reference) has \(old), this run \(new); accept a new baseline")
      return
    }
    // A side without a value is no obstacle but a finding of its own.
    guard let old = before.value, let new = after.value else {
      (gain, bySubject, obstacle) = none(nil, nil)
      return
    }
    let difference = -direction.loss(from: old, to: new) + 0
    guard let without = before.withoutSubject, let withoutAfter = after.withoutSubject else {
      let isOld = before.withoutSubject == nil && after.withoutSubject != nil
      (gain, bySubject, obstacle) = none(
        difference,
        isOld
          ? "\(reference) lacks the value without each person; accept a new baseline"
          : before.bySubject.count == 1
            ? Self.onePerson : "it is undefined without one of the people, and thus depends on that one")
      return
    }
    let names = Set(without.keys).union(withoutAfter.keys).sorted()
    // A subject that does not contribute to a side does not change it.
    let others = names.map { -direction.loss(from: without[$0] ?? old, to: withoutAfter[$0] ?? new) + 0 }
    guard let jackknife = Jackknife(difference, without: others) else {
      (gain, bySubject, obstacle) = none(difference, Self.onePerson)
      return
    }
    (gain, obstacle) = (difference, nil)
    bySubject = Dictionary(uniqueKeysWithValues: zip(names, jackknife.shares))
  }
}

extension [MetricChange] {
  /// Sets the adjusted p values of the family that `isMember` picks. A test without a p value counts as one that found
  /// nothing, to keep an undefined value from making the other tests easier.
  mutating func adjust(by correction: ([Double]) -> [Double]?, where isMember: (MetricChange) -> Bool) {
    let family = indices.filter { isMember(self[$0]) }
    guard let adjusted = correction(family.map { self[$0].p ?? 1 }) else { return }
    for (index, p) in zip(family, adjusted) { self[index].test?.adjustedP = p }
  }
}
