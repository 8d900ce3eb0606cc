import Scoring
import Statistics

/// How much longer a detector's update takes than at the baseline: a ratio, never nanoseconds.
///
/// Beside the baseline's parameters, where they are others, it is measured in turns with them. Otherwise the code may
/// have changed, and the baseline's own code is not at hand: then it is the ratio to a fixed loop, over the ratio that
/// the baseline was accepted with. That one is uncertain too, so each claim is made against the end of its interval
/// that makes the claim harder.
public struct CostChange: Hashable, Sendable {
  public static let metric = "cost.ratio"

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

extension Comparison.Change {
  /// The changes of the update costs that gate; none where none was measured, as for a comparison of stored runs.
  ///
  /// - Throws: `EvaluationError.missing` where the baseline has nothing to compare with.
  static func costs(
    _ results: RunResults, with baseline: Baseline, called reference: Comparison.Reference
  ) throws -> [Self] {
    try results.measured.sorted { $0.key < $1.key }.compactMap { detector, measured in
      guard let ratios = measured.ratios, let margin = ratios.margin else { return nil }
      guard let cost = CostChange(ratios, before: baseline.costs?[detector], margin: margin) else {
        let clips = ratios.toReference.byClip.isEmpty
        throw EvaluationError.missing(
          what: clips ? "metric \(CostChange.metric) of \(detector)" : reference.title,
          expected: clips
            ? "clips of at least \(InterleavedCost.blockSize) frames" : "\(CostChange.metric) of \(detector)",
          found: clips ? "none" : "none\(reference.remedy)")
      }
      return Self(
        detector: detector, metric: CostChange.metric, unit: "", before: 1, after: cost.ratio, gains: [:],
        oneSided: [], margin: margin, floor: nil, isBelowFloor: false, cost: cost)
    }
  }
}
