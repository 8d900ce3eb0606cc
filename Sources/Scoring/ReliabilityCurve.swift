/// How often what is told with a probability happens: one bin a stretch of probabilities, all equally long.
///
/// A probability on the border of two bins belongs to the lower, 0 to the first.
///
/// - Source: Naeini et al., Obtaining Well Calibrated Probabilities Using Bayesian Binning, 2015; Guo et al., On
///   Calibration of Modern Neural Networks, 2017, §2, eq. 2 and 3, with the positive class for the predicted one.
public struct ReliabilityCurve: Hashable, Sendable {
  public struct Bin: Hashable, Sendable {
    public var count = 0
    public var positives = 0
    var sum = 0.0

    /// Mean probability; `nil` for an empty bin.
    public var confidence: Double? { count > 0 ? sum / Double(count) : nil }
    /// Share of positives; `nil` for an empty bin.
    public var frequency: Double? { count > 0 ? Double(positives) / Double(count) : nil }
  }

  public private(set) var bins: [Bin]

  /// - Parameter bins: at least one.
  public init(bins: Int = 10) { self.bins = Array(repeating: Bin(), count: bins) }

  /// `nil` where a score is outside 0...1.
  public init?(_ scores: BinaryScores, bins: Int = 10) {
    self.init(bins: bins)
    guard scores.judgements.allSatisfy({ (0...1).contains($0.score) }) else { return nil }
    // Summed in order so that the order in which they come does not show in the last digit.
    for judgement in scores.judgements.sorted(by: { $0.score < $1.score }) {
      let bin = self.bin(of: judgement.score)
      self.bins[bin].count += 1
      self.bins[bin].positives += judgement.isPositive ? 1 : 0
      self.bins[bin].sum += judgement.score
    }
  }

  /// - Precondition: as many bins in both.
  public static func + (a: Self, b: Self) -> Self {
    precondition(a.bins.count == b.bins.count)
    var sum = a
    for (index, bin) in b.bins.enumerated() {
      sum.bins[index].count += bin.count
      sum.bins[index].positives += bin.positives
      sum.bins[index].sum += bin.sum
    }
    return sum
  }

  /// Mean distance of probability and frequency, weighted by how many are in a bin.
  ///
  /// 0...1, 0 is best; `nil` without scores. Depends on the number of bins, and is too large where bins hold few.
  public var expectedError: Double? {
    let count = bins.reduce(0) { $0 + $1.count }
    guard count > 0 else { return nil }
    return bins.reduce(0) { $0 + abs(Double($1.positives) - $1.sum) } / Double(count)
  }

  /// Compares with the borders themselves: scaling the score would round some over them.
  private func bin(of score: Double) -> Int {
    var (low, high) = (0, bins.count - 1)
    while low < high {
      let middle = (low + high) / 2
      if score <= Double(middle + 1) / Double(bins.count) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}

extension Metric {
  public static let expectedCalibrationError = Metric(
    "scores.calibration-error", "Mean distance of the probabilities from how often it happens, in ten bins (ECE).",
    .lowerIsBetter, range: 0...1, undefined: "there are no scores, or one is not a probability",
    source: "Guo et al., On Calibration of Modern Neural Networks, 2017, eq. 3", aggregation: .pooled)
}
