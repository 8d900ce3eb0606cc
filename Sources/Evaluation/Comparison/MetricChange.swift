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
    /// `nil` where a side has no value, and of a value of all clips together.
    public var gain: Double?

    package init(before: Double?, after: Double?, gain: Double?) {
      (self.before, self.after, self.gain) = (before, after, gain)
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
  /// The subjects' mean gain; of a value of all clips together, its own; of a cost, the share of the time that is saved.
  public var gain: Double?
  /// The t interval on the mean gain, `nil` for fewer than two subjects with a value on both sides; of a value of all clips
  /// together the bootstrap's, `nil` where a side was not replayed for the comparison; of a cost, its own.
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
  /// With a value on both sides; of a value of all clips together all.
  public var subjects: Int
  /// How many of them got better or worse, and how many did not change.
  public var better: Int?
  public var worse: Int?
  public var same: Int?
  /// How many subjects have a value on one side only.
  public var oneSided: Int?
  public var undefinedBefore: Int
  public var undefinedAfter: Int
  public var clips: Int
  /// Left out of slices, of which there are many.
  public var bySubject: [String: Subject]?
  /// Of an update's cost, which has no subjects: what was measured. Not written.
  var cost: CostChange?

  private enum CodingKeys: String, CodingKey {
    case detector, metric, unit, direction, before, after, pairedBefore, pairedAfter, gain, low, high, level, p,
      pIsExact
    case flips, adjustedP, margin, floor, outcome, isPooled, isListed, isUnchanged, subjects, better, worse, same
    case oneSided, undefinedBefore, undefinedAfter, clips, bySubject
  }

  public var interval: Interval? {
    guard let low, let high else { return nil }
    return Interval(low: low, high: high, level: level)
  }

  /// By how much each subject got better. Subjects with a value on both sides.
  public var gains: [String: Double] { (bySubject ?? [:]).compactMapValues(\.gain) }

  /// In the order of the subjects' names.
  public var sortedGains: [Double] { gains.sorted { $0.key < $1.key }.map(\.value) }

  /// Subjects with a value on one side only, by name.
  public var oneSidedSubjects: [String] {
    guard isPooled != true else { return [] }
    return (bySubject ?? [:]).filter { ($0.value.before == nil) != ($0.value.after == nil) }.keys.sorted()
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
  ///   - reference: where what is compared with is from, in the words of an error: `the baseline`.
  /// - Throws: `EvaluationError.missing` where the sides have other subjects.
  init(
    _ definition: RunResults.MetricResult, from before: Baseline.Value, to after: Baseline.Value, clips: Int? = nil,
    in reference: String
  ) throws {
    guard Set(before.bySubject.keys) == Set(after.bySubject.keys) else {
      throw EvaluationError.missing(
        what: "metric \(definition.metric) of \(definition.detector)", expected: "the same subjects as in \(reference)",
        found: "others")
    }
    let pooled = [before.isPooled ?? false, after.isPooled ?? false]
    let isPooled = pooled.contains(true)
    let subjects = after.bySubject.map { name, now in
      let was = before.bySubject[name] ?? nil
      let gain = was.flatMap { was in now.map { -definition.direction.loss(from: was, to: $0) + 0 } }
      return (name, Subject(before: was, after: now, gain: isPooled ? nil : gain))
    }
    self.init(
      detector: definition.detector, metric: definition.metric, unit: definition.unit, direction: definition.direction,
      before: before.value, after: after.value, bySubject: Dictionary(uniqueKeysWithValues: subjects),
      isPooled: isPooled, margin: definition.margin, floor: definition.floor, isListed: definition.isListed,
      clips: clips ?? definition.clips)
    // One side may have given the mean of its subjects.
    if pooled == [true, true], let old = before.value, let new = after.value {
      gain = -definition.direction.loss(from: old, to: new) + 0
    }
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
    let oneSided = isPooled ? 0 : sorted.count { ($0.before == nil) != ($0.after == nil) }
    pairedBefore = isPooled ? before : mean(paired.compactMap(\.before))
    pairedAfter = isPooled ? after : mean(paired.compactMap(\.after))
    gain = isPooled ? nil : mean(gains)
    let interval = Interval.studentT(gains, level: Self.level)
    (low, high, level) = (interval?.low, interval?.high, Self.level)
    isUnchanged = !isPooled && oneSided == 0 && gains.allSatisfy { $0 == 0 }
    subjects = isPooled ? sorted.count : gains.count
    undefinedBefore = sorted.count { $0.before == nil }
    undefinedAfter = sorted.count { $0.after == nil }
    guard !isPooled else { return }
    (better, worse) = (gains.count { $0 > 0 }, gains.count { $0 < 0 })
    (same, self.oneSided) = (gains.count { $0 == 0 }, oneSided)
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

  /// Takes the difference of a value of all clips together from replays of both sides.
  mutating func use(_ pooled: PooledDifference) {
    (before, after, gain) = (pooled.before, pooled.after, pooled.gain)
    (pairedBefore, pairedAfter) = (before, after)
    (low, high) = (pooled.interval?.low, pooled.interval?.high)
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
  /// The changes of the update costs that gate; none where none was measured, as for a comparison of stored runs.
  ///
  /// - Throws: `EvaluationError.missing` where the baseline has nothing to compare with.
  static func changes(
    _ results: RunResults, with baseline: Baseline, called reference: Comparison.Reference
  ) throws -> [MetricChange] {
    try results.measured.sorted { $0.key < $1.key }.compactMap { detector, measured in
      guard let ratios = measured.ratios, let margin = ratios.margin else { return nil }
      guard let cost = CostChange(ratios, before: baseline.costs?[detector], margin: margin) else {
        let clips = ratios.toReference.byClip.isEmpty
        throw EvaluationError.missing(
          what: clips ? "metric \(CostRatio.metric) of \(detector)" : reference.title,
          expected: clips
            ? "clips of at least \(InterleavedCost.blockSize) frames" : "\(CostRatio.metric) of \(detector)",
          found: clips ? "none" : "none\(reference.remedy)")
      }
      return MetricChange(cost, of: detector, margin: margin)
    }
  }
}
