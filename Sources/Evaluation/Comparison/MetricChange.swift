import Scoring
import Statistics

/// What became of a metric of one detector between two sides, subject by subject, and what the subjects' differences say of
/// people like them.
///
/// The one type of a metric's change: what the gate decides on, what reports and charts show, and what is written as JSON.
/// A gain above 0 is better, in the metric's unit, whatever its direction. Inference is on subjects, each paired with
/// itself.
public struct MetricChange: Hashable, Codable, Sendable {
  /// A subject's own value on each side; `nil` where it is undefined.
  public struct Subject: Hashable, Codable, Sendable {
    public var before: Double?
    public var after: Double?
    /// `nil` where a side has no value. Of a value of all clips together it is the subject's share in that value's gain,
    /// which need not be the difference of its own values; `nil` where it has no part in it.
    public var gain: Double?

    package init(before: Double?, after: Double?, gain: Double?) {
      (self.before, self.after, self.gain) = (before, after, gain)
    }

    /// By how much its own value got better; `nil` where a side has none.
    fileprivate func ownGain(_ direction: Metric.Direction?) -> Double? {
      guard let direction else { return gain }
      return before.flatMap { before in after.map { -direction.loss(from: before, to: $0) + 0 } }
    }
  }

  /// Of every interval: 95 %.
  public static let level = 0.95
  /// What more than twenty subjects' signs are drawn with.
  public static let seed: UInt64 = 1

  public var detector: String
  public var metric: String
  public var unit: String
  /// `nil` for a cost, and in files from before it was kept.
  public var direction: Metric.Direction?
  public var before: Double?
  public var after: Double?
  /// The means of the subjects with a value on both sides, whose difference is the gain; of a value of all clips together
  /// that value.
  public var pairedBefore: Double?
  public var pairedAfter: Double?
  /// The mean of the subjects' gains, which of a value of all clips together is that value's own; of a cost, the share of
  /// the time that is saved.
  public var gain: Double?
  /// The t interval on the mean gain, `nil` for fewer than two gains; of a cost, its own.
  public var low: Double?
  public var high: Double?
  public var level: Double
  /// That the mean gain is but chance, two-sided; `nil` where it was not tested or there are fewer than two gains.
  public var p: Double?
  /// Whether all flips of the gains' signs were looked at, and else how many.
  public var pIsExact: Bool?
  public var flips: Int?
  /// Adjusted for the other tests of its family; `nil` for what is in no family.
  public var adjustedP: Double?
  /// The loss that is accepted; `nil` for a metric that does not gate.
  public var margin: Double?
  /// The value that the metric must not be worse than, whatever it was; `nil` for none.
  public var floor: Double?
  /// What the gate says; `nil` where it was not asked, and for a metric that does not gate.
  public var outcome: Verdict.Outcome?
  /// Whether the value is that of all clips together: `true`, or `nil`.
  public var isPooled: Bool?
  /// Whether the suite names the metric: these are shown first.
  public var isListed: Bool
  /// Whether no subject's value is another.
  public var isUnchanged: Bool
  /// With a gain.
  public var subjects: Int
  /// How many got better or worse, and how many did not change, of those with a value of their own on both sides; `nil`
  /// where there are none, as of a correlation of one clip.
  public var better: Int?
  public var worse: Int?
  public var same: Int?
  /// How many subjects have a value on one side only.
  public var oneSided: Int?
  /// Of a metric over found cases only, how many true cases each side found, and how many both did. Where they differ, the
  /// subjects' values and gains are of what both found; `before` and `after` are of all that each found. `nil` of any other
  /// metric, and where a side keeps no cases.
  public var casesBefore: Int?
  public var casesAfter: Int?
  public var casesOnBoth: Int?
  /// Subjects of whom before, or after, no case is found any more, or none was; `nil` where there are none.
  public var lostSubjects: [String]?
  public var gainedSubjects: [String]?
  public var undefinedBefore: Int
  public var undefinedAfter: Int
  public var clips: Int
  /// Left out of slices, of which there are many.
  public var bySubject: [String: Subject]?
  /// Of an update's cost, which has no subjects: what was measured. Not written.
  var cost: CostChange?
  /// Why nothing can be inferred from values of all clips together, in words; `nil` where it can. Not written.
  var obstacle: String?

  private enum CodingKeys: String, CodingKey {
    case detector, metric, unit, direction, before, after, pairedBefore, pairedAfter, gain, low, high, level, p,
      pIsExact
    case flips, adjustedP, margin, floor, outcome, isPooled, isListed, isUnchanged, subjects, better, worse, same
    case oneSided, casesBefore, casesAfter, casesOnBoth, lostSubjects, gainedSubjects, undefinedBefore, undefinedAfter,
      clips, bySubject
  }

  public var interval: Interval? {
    guard let low, let high else { return nil }
    return Interval(low: low, high: high, level: level)
  }

  /// By how much each subject got better. Subjects with a value on both sides.
  public var gains: [String: Double] { (bySubject ?? [:]).compactMapValues(\.gain) }

  /// By how much each subject's own value got better, of those with one on both sides.
  public var ownGains: [String: Double] {
    (bySubject ?? [:]).compactMapValues { $0.ownGain(direction) }
  }

  /// In the order of the subjects' names.
  public var sortedGains: [Double] { gains.sorted { $0.key < $1.key }.map(\.value) }

  /// Subjects with a value on one side only, by name; none of a value of all clips together.
  public var oneSidedSubjects: [String] {
    guard isPooled != true else { return [] }
    let values = (bySubject ?? [:]).filter { ($0.value.before == nil) != ($0.value.after == nil) }.keys
    return Set(values).union(lostSubjects ?? []).union(gainedSubjects ?? []).sorted()
  }

  /// `on the 41 cases found on both sides (45 before, 41 now)`; `nil` where both sides found the same.
  public var casesWords: String? {
    guard let casesBefore, let casesAfter, let casesOnBoth, casesBefore != casesOnBoth || casesAfter != casesOnBoth
    else {
      return nil
    }
    return "on the \(casesOnBoth) cases found on both sides (\(casesBefore) before, \(casesAfter) now)"
  }

  /// Subjects who had a value and have none now, by name: the detector no longer says what the metric needs.
  public var undefinedSubjects: [String] {
    guard isPooled != true else { return [] }
    let values = (bySubject ?? [:]).filter { $0.value.before != nil && $0.value.after == nil }.keys
    return Set(values).union(lostSubjects ?? []).sorted()
  }

  /// Whether the value is worse than the floor.
  public var isBelowFloor: Bool {
    guard let floor, let after, let direction else { return false }
    return direction.loss(from: floor, to: after) > 0
  }

  /// Whether the interval leaves out a gain of 0.
  public var isShown: Bool {
    guard let low, let high else { return false }
    return low > 0 || high < 0
  }

  /// Without the subjects' own values.
  public var summary: MetricChange {
    var change = self
    change.bySubject = nil
    return change
  }
}

extension MetricChange {
  /// From two sides' values by subject.
  ///
  /// - Parameters:
  ///   - definition: the metric in a run: its unit, direction, margin and floor. A baseline has none of them.
  ///   - cases: of a metric over found cases only, those of both sides.
  ///   - reference: where what is compared with is from, in the words of an error: `the baseline`.
  /// - Throws: `EvaluationError.missing` where the sides have other subjects.
  init(
    _ definition: RunResults.MetricResult, from before: Baseline.Value, to after: Baseline.Value, clips: Int? = nil,
    cases: FoundCases? = nil, in reference: String
  ) throws {
    guard Set(before.bySubject.keys) == Set(after.bySubject.keys) else {
      throw EvaluationError.missing(
        what: "metric \(definition.metric) of \(definition.detector)", expected: "the same subjects as in \(reference)",
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
      if let cases { compare(cases, direction) }
      return
    }
    (gain, obstacle) = (pooled.gain, pooled.obstacle)
    isUnchanged = isUnchanged && before.value == after.value && before.withoutSubject == after.withoutSubject
  }

  /// Compares what both sides found, where a side found something that the other did not.
  private mutating func compare(_ cases: FoundCases, _ direction: Metric.Direction) {
    if cases.before != cases.onBoth || cases.after != cases.onBoth {
      let (undefinedBefore, undefinedAfter) = (undefinedBefore, undefinedAfter)
      let shared = Dictionary(
        uniqueKeysWithValues: (bySubject ?? [:]).keys.map { name in
          let values = cases.bySubject[name]
          let gain = values.map { -direction.loss(from: $0.before, to: $0.after) + 0 }
          return (name, Subject(before: values?.before, after: values?.after, gain: gain))
        })
      self = MetricChange(
        detector: detector, metric: metric, unit: unit, direction: direction, before: before, after: after,
        bySubject: shared, margin: margin, floor: floor, isListed: isListed, clips: clips)
      (self.undefinedBefore, self.undefinedAfter) = (undefinedBefore, undefinedAfter)
      oneSided = cases.lostSubjects.count + cases.gainedSubjects.count
      // Other cases are found, whatever the values of those that both sides found.
      isUnchanged = false
    }
    (casesBefore, casesAfter, casesOnBoth) = (cases.before, cases.after, cases.onBoth)
    lostSubjects = cases.lostSubjects.isEmpty ? nil : cases.lostSubjects
    gainedSubjects = cases.gainedSubjects.isEmpty ? nil : cases.gainedSubjects
  }

  /// Everything that follows from the subjects' values; without a test.
  package init(
    detector: String, metric: String, unit: String, direction: Metric.Direction?, before: Double?, after: Double?,
    bySubject: [String: Subject], isPooled: Bool = false, margin: Double?, floor: Double? = nil, isListed: Bool = true,
    clips: Int
  ) {
    (self.detector, self.metric, self.unit, self.direction) = (detector, metric, unit, direction)
    (self.before, self.after, self.bySubject) = (before, after, bySubject)
    (self.margin, self.floor, self.isListed, self.clips) = (margin, floor, isListed, clips)
    self.isPooled = isPooled ? true : nil
    let sorted = bySubject.sorted { $0.key < $1.key }.map(\.value)
    let gains = sorted.compactMap(\.gain)
    let paired = sorted.filter { $0.before != nil && $0.after != nil }
    let own = sorted.compactMap { $0.ownGain(direction) }
    // What one side has no value of is no hindrance where the cases of all are taken together.
    oneSided = isPooled ? 0 : sorted.count - paired.count - sorted.count { $0.before == nil && $0.after == nil }
    pairedBefore = isPooled ? before : mean(paired.compactMap(\.before))
    pairedAfter = isPooled ? after : mean(paired.compactMap(\.after))
    gain = mean(gains)
    let interval = Interval.studentT(gains, level: Self.level)
    (low, high, level) = (interval?.low, interval?.high, Self.level)
    isUnchanged = oneSided == 0 && sorted.allSatisfy { $0.before == $0.after }
    subjects = gains.count
    undefinedBefore = sorted.count { $0.before == nil }
    undefinedAfter = sorted.count { $0.after == nil }
    guard !isPooled || !own.isEmpty else { return }
    (better, worse, same) = (own.count { $0 > 0 }, own.count { $0 < 0 }, own.count { $0 == 0 })
  }

  /// Of an update's cost.
  init(_ cost: CostChange, of detector: String, margin: Double) {
    self.init(
      detector: detector, metric: CostRatio.metric, unit: "", direction: nil, before: 1, after: cost.ratio,
      bySubject: [:], margin: margin, clips: cost.clips)
    self.cost = cost
    gain = 1 - cost.ratio
    (low, high) = (cost.interval.map { 1 - $0.high }, cost.interval.map { 1 - $0.low })
    isUnchanged = false
  }

  /// Tests the gains by flipping their signs: all ways where at most twenty differ from 0, else by sampling.
  mutating func test() {
    let gains = sortedGains
    var generator = SeededGenerator(seed: Self.seed)
    guard gains.count >= 2, let flip = SignFlip(gains, using: &generator) else { return }
    (p, pIsExact, flips) = (flip.twoSided, flip.isExact, flip.isExact ? nil : flip.flips)
  }
}

/// The gain of a value of all clips together, and each subject's share in it: the gain's jackknife, in which a subject is left
/// out on both sides at once, so that what its clips have in common on both cancels.
private struct PooledGains {
  /// Above 0 is better; `nil` where a side has no value.
  let gain: Double?
  /// Of the subjects that have a part in the value on either side; empty where there is no jackknife.
  let bySubject: [String: Double]
  /// Why it is empty.
  let obstacle: String?

  init(_ direction: Metric.Direction, from before: Baseline.Value, to after: Baseline.Value, in reference: String) {
    func none(_ gain: Double?, _ obstacle: String?) -> (Double?, [String: Double], String?) { (gain, [:], obstacle) }
    guard before.isPooled == after.isPooled else {
      let kinds = ["the mean of its subjects' values", "the value of all clips together"]
      let (old, new) = before.isPooled == true ? (kinds[1], kinds[0]) : (kinds[0], kinds[1])
      (gain, bySubject, obstacle) = none(nil, "\(reference) has \(old), this run \(new); accept a new baseline")
      return
    }
    // A side without a value is no obstacle: it is what is to be said.
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
          ? "\(reference) does not say what it is without each subject; accept a new baseline"
          : "it is undefined without one of the subjects, so that it rests on that one")
      return
    }
    let names = Set(without.keys).union(withoutAfter.keys).sorted()
    // Whoever has no part in a side leaves it as it is.
    let others = names.map { -direction.loss(from: without[$0] ?? old, to: withoutAfter[$0] ?? new) + 0 }
    guard let jackknife = Jackknife(difference, without: others) else {
      (gain, bySubject, obstacle) = none(difference, "one subject alone has a part in it, which says nothing of others")
      return
    }
    (gain, obstacle) = (difference, nil)
    bySubject = Dictionary(uniqueKeysWithValues: zip(names, jackknife.shares))
  }
}

extension [MetricChange] {
  /// Sets the adjusted p values of the family that `isMember` picks. A test without a p value is counted as one that
  /// found nothing, so that what is undefined makes no other test easier.
  mutating func adjust(by correction: ([Double]) -> [Double]?, where isMember: (MetricChange) -> Bool) {
    let family = indices.filter { isMember(self[$0]) }
    guard let adjusted = correction(family.map { self[$0].p ?? 1 }) else { return }
    for (index, p) in zip(family, adjusted) where self[index].p != nil { self[index].adjustedP = p }
  }
}

/// How much longer a detector's update takes than at the baseline: a ratio, never nanoseconds.
///
/// Beside the baseline's parameters, where they are others, it is measured in turns with them. Otherwise the code may
/// have changed, and the baseline's own code is not at hand: then it is the ratio to a fixed loop, over the ratio that
/// the baseline was accepted with. That one is uncertain too, so each claim is made against the end of its interval
/// that makes the claim harder.
public struct CostChange: Hashable, Sendable {
  public enum Reference: Hashable, Sendable {
    case baselineSetting
    case fixedLoop
  }

  public var reference: Reference
  public var ratio: Double
  /// The 95 % interval; `nil` of fewer than six clips.
  public var interval: Interval?
  public var clips: Int
  /// That the ratio is at most the margin, and that it is above it: the p values of both claims' opposites.
  public var pSlower: Double
  public var pWithin: Double

  /// - Parameters:
  ///   - before: the ratio to the fixed loop that the baseline was accepted with.
  ///   - margin: from 1: how many times as long is accepted.
  /// `nil` where there is nothing to compare with.
  init?(_ measured: MeasuredCostRatios, before: CostRatio?, margin: Double) {
    if let ratio = measured.toBaseline {
      guard let median = ratio.median else { return nil }
      self.init(
        reference: .baselineSetting, ratio: median, interval: ratio.interval, clips: ratio.byClip.count,
        pSlower: ratio.pAbove(margin), pWithin: ratio.pBelow(margin))
    } else {
      let now = measured.toReference
      guard let before, let old = before.median, old > 0, let median = now.median else { return nil }
      let (low, high) = (before.interval?.low ?? old, before.interval?.high ?? old)
      let known = before.interval != nil && low > 0
      self.init(
        reference: .fixedLoop, ratio: median / old,
        interval: known
          ? now.interval.map { Interval(low: $0.low / high, high: $0.high / low, level: $0.level) } : nil,
        clips: now.byClip.count, pSlower: known ? now.pAbove(margin * high) : 1,
        pWithin: known ? now.pBelow(margin * low) : 1)
    }
  }

  private init(
    reference: Reference, ratio: Double, interval: Interval?, clips: Int, pSlower: Double, pWithin: Double
  ) {
    (self.reference, self.ratio, self.interval) = (reference, ratio, interval)
    (self.clips, self.pSlower, self.pWithin) = (clips, pSlower, pWithin)
  }

  /// What it is a multiple of, in words.
  var referenceWords: String {
    switch reference {
    case .baselineSetting: "with the baseline's parameters, measured in turns"
    case .fixedLoop: "at the baseline, both over the fixed loop"
    }
  }
}

extension CostChange {
  /// The changes of the update costs that gate; none where none was measured, as for a comparison of stored runs. And what
  /// has nothing to compare with.
  static func changes(
    _ results: RunResults, with baseline: Baseline, called reference: Comparison.Reference
  ) -> (changes: [MetricChange], missing: [EvaluationError]) {
    var (changes, missing): ([MetricChange], [EvaluationError]) = ([], [])
    for (detector, measured) in results.measured.sorted(by: { $0.key < $1.key }) {
      guard let ratios = measured.ratios, let margin = ratios.margin else { continue }
      if let cost = CostChange(ratios, before: baseline.costs?[detector], margin: margin) {
        changes.append(MetricChange(cost, of: detector, margin: margin))
        continue
      }
      let clips = ratios.toReference.byClip.isEmpty
      missing.append(
        .missing(
          what: clips ? "metric \(CostRatio.metric) of \(detector)" : reference.title,
          expected: clips
            ? "clips of at least \(InterleavedCost.blockSize) frames" : "\(CostRatio.metric) of \(detector)",
          found: clips ? "none" : "none\(reference.remedy)"))
    }
    return (changes, missing)
  }
}
