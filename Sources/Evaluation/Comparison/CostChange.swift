import Pipeline
import Scoring
import Statistics

/// How much longer a detector's update takes than at the baseline: a ratio, never nanoseconds.
///
/// If the parameters differ from the baseline's, both settings are measured in turns. Otherwise the code may have
/// changed, and the baseline's code is not available: the result is then the ratio to a fixed loop, divided by the
/// ratio that the baseline was accepted with. That ratio is uncertain too, so each claim uses the end of its interval
/// that makes the claim harder.
public struct CostChange: Hashable, Sendable {
  public enum Reference: Hashable, Sendable {
    case baselineSetting
    case fixedLoop
  }

  public var reference: Reference
  public var ratio: Double
  /// The 95 % interval; `nil` with fewer than six clips.
  public var interval: Interval?
  public var clips: Int
  /// The p values of the two claims: that the ratio is above the margin, and that it is at most the margin.
  public var pSlower: Double
  public var pWithin: Double

  /// - Parameters:
  ///   - before: The ratio to the fixed loop that the baseline was accepted with.
  ///   - margin: The accepted ratio, from 1.
  ///
  /// - Returns: `nil` if there is nothing to compare with.
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

  /// The probability of a ratio above the margin: the mean of what the two tests leave; 0.5 if nothing is known.
  var probabilityOfLoss: Double { (pWithin + 1 - pSlower) / 2 }

  /// The reference of the ratio, in words.
  var referenceWords: String {
    switch reference {
    case .baselineSetting: "with the baseline's parameters, measured in turns"
    case .fixedLoop: "at the baseline, both over the fixed loop"
    }
  }
}

extension CostChange {
  /// The changes of the update costs that gate; empty if none was measured, as when stored runs are compared. Also
  /// returns the costs that have nothing to compare with.
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
