/// Scores for a binary property, with its true values.
public struct BinaryScores: Hashable, Sendable {
  public struct Judgement: Hashable, Sendable {
    public var score: Double
    public var isPositive: Bool

    public init(score: Double, isPositive: Bool) {
      self.score = score
      self.isPositive = isPositive
    }
  }

  public var judgements: [Judgement]

  public init(_ judgements: [Judgement] = []) { self.judgements = judgements }

  /// - Precondition: `truth` and `scores` have the same count.
  public init(truth: [Bool], scores: [Double]) {
    precondition(truth.count == scores.count)
    judgements = zip(truth, scores).map { Judgement(score: $1, isPositive: $0) }
  }

  public static func + (a: Self, b: Self) -> Self { Self(a.judgements + b.judgements) }

  /// Area under the ROC curve: the probability that a positive has a higher score than a negative, ties counting half.
  ///
  /// 0...1, chance is 0.5; `nil` without a positive or a negative, and if a score is NaN.
  ///
  /// - Source: Hanley and McNeil, The Meaning and Use of the Area under a ROC Curve, 1982 (Mann-Whitney's U).
  public var areaUnderROC: Double? {
    let positives = Double(judgements.count(where: \.isPositive))
    let negatives = Double(judgements.count) - positives
    guard positives > 0, negatives > 0, !hasNaN else { return nil }
    let sum = zip(ranks(judgements.map(\.score)), judgements).reduce(0) { $1.1.isPositive ? $0 + $1.0 : $0 }
    return (sum - positives * (positives + 1) / 2) / (positives * negatives)
  }

  /// `areaUnderROC` without the judgements of each group, exactly: takes n log n comparisons for all groups.
  ///
  /// - Parameters:
  ///   - groups: The group of each judgement, from 0.
  ///   - count: The number of groups.
  func areasUnderROC(withoutEachOf groups: [Int], count: Int) -> [Double?] {
    guard !hasNaN else { return [Double?](repeating: nil, count: count) }
    let all = Sides(judgements)
    var own = [[Judgement]](repeating: [], count: count)
    for (judgement, group) in zip(judgements, groups) { own[group].append(judgement) }
    let wins = all.wins(of: judgements)
    return own.map { judgements in
      let sides = Sides(judgements)
      let (positives, negatives) = (
        all.positives.count - sides.positives.count, all.negatives.count - sides.negatives.count
      )
      guard positives > 0, negatives > 0 else { return nil }
      // Pairs within the group are in both subtracted sums.
      let left =
        wins - all.wins(of: judgements.filter(\.isPositive)) - all.wins(against: sides.negatives)
        + sides.wins(of: judgements)
      return Double(left) / Double(2 * positives * negatives)
    }
  }

  /// Scores, sorted.
  private struct Sides {
    let positives: [Double]
    let negatives: [Double]

    init(_ judgements: [Judgement]) {
      positives = judgements.filter(\.isPositive).map(\.score).sorted()
      negatives = judgements.filter { !$0.isPositive }.map(\.score).sorted()
    }

    /// Twice the number of these positives' wins over a negative, ties counting half.
    func wins(of judgements: [Judgement]) -> Int {
      judgements.reduce(0) { sum, judgement in
        guard judgement.isPositive else { return sum }
        return sum + below(judgement.score, in: negatives) { $0 < $1 }
          + below(judgement.score, in: negatives) { $0 <= $1 }
      }
    }

    /// Twice the number of wins of all positives over these negatives, ties counting half.
    func wins(against negatives: [Double]) -> Int {
      negatives.reduce(0) { sum, score in
        sum + 2 * positives.count - below(score, in: positives) { $0 < $1 } - below(score, in: positives) { $0 <= $1 }
      }
    }

    /// How many of the sorted scores are below one, by bisection.
    private func below(_ score: Double, in sorted: [Double], _ isBefore: (Double, Double) -> Bool) -> Int {
      var (low, high) = (0, sorted.count)
      while low < high {
        let middle = (low + high) / 2
        if isBefore(sorted[middle], score) { low = middle + 1 } else { high = middle }
      }
      return low
    }
  }

  /// Mean precision over the positives, each at the threshold that just includes it: the area under the steps of the
  /// precision-recall curve, without interpolation.
  ///
  /// 0...1, chance is the share of positives; `nil` without a positive, and if a score is NaN.
  ///
  /// - Source: Manning, Raghavan and Schütze, Introduction to Information Retrieval, 2008, §8.4, with ties as one step.
  public var averagePrecision: Double? {
    let positives = judgements.count(where: \.isPositive)
    guard positives > 0, !hasNaN else { return nil }
    var (sum, found) = (0.0, 0)
    for step in steps {
      let precision = Double(step.truePositives) / Double(step.truePositives + step.falsePositives)
      sum += Double(step.truePositives - found) * precision
      found = step.truePositives
    }
    return sum / Double(positives)
  }

  /// Mean squared distance of the scores, as probabilities, from 1 or 0.
  ///
  /// 0...1, 0 is best; `nil` without scores, and if one is outside 0...1.
  ///
  /// - Source: Brier, Verification of Forecasts Expressed in Terms of Probability, 1950, for one of the two classes.
  public var brier: Double? {
    guard !judgements.isEmpty, judgements.allSatisfy({ (0...1).contains($0.score) }) else { return nil }
    // Those of sorted scores are two runs, which are sorted in linear time.
    let negatives = judgements.filter { !$0.isPositive }.map { $0.score * $0.score }
    let positives = judgements.reversed().filter(\.isPositive).map { ($0.score - 1) * ($0.score - 1) }
    let sum = (negatives + positives).sorted().reduce(0, +)
    return sum / Double(judgements.count)
  }

  var hasNaN: Bool { judgements.contains(where: \.score.isNaN) }

  /// The counts at or above each distinct score, the highest first.
  var steps: [(threshold: Double, truePositives: Int, falsePositives: Int)] {
    var steps: [(threshold: Double, truePositives: Int, falsePositives: Int)] = []
    var (positives, negatives) = (0, 0)
    for judgement in judgements.sorted(by: { $0.score < $1.score }).reversed() {
      if judgement.isPositive { positives += 1 } else { negatives += 1 }
      if steps.last?.threshold == judgement.score { steps.removeLast() }
      steps.append((judgement.score, positives, negatives))
    }
    return steps
  }
}

/// How often predictions with a stated probability come true, in bins of equal width.
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

  /// - Parameter bins: At least one.
  public init(bins: Int = 10) { self.bins = Array(repeating: Bin(), count: bins) }

  /// `nil` if a score is outside 0...1.
  public init?(_ scores: BinaryScores, bins: Int = 10) {
    self.init(bins: bins)
    guard scores.judgements.allSatisfy({ (0...1).contains($0.score) }) else { return nil }
    // Summed in sorted order, to make the last digit independent of the input order.
    for judgement in scores.judgements.sorted(by: { $0.score < $1.score }) {
      let bin = self.bin(of: judgement.score)
      self.bins[bin].count += 1
      self.bins[bin].positives += judgement.isPositive ? 1 : 0
      self.bins[bin].sum += judgement.score
    }
  }

  /// - Precondition: Both have the same number of bins.
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

  /// Mean distance of probability and frequency, weighted by the bins' counts.
  ///
  /// 0...1, 0 is best; `nil` without scores. Depends on the number of bins, and is too large if bins hold few.
  public var expectedError: Double? {
    let count = bins.reduce(0) { $0 + $1.count }
    guard count > 0 else { return nil }
    return bins.reduce(0) { $0 + abs(Double($1.positives) - $1.sum) } / Double(count)
  }

  /// Compares with the borders themselves, because scaling the score would round some across them.
  private func bin(of score: Double) -> Int {
    var (low, high) = (0, bins.count - 1)
    while low < high {
      let middle = (low + high) / 2
      if score <= Double(middle + 1) / Double(bins.count) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}

extension BinaryScores: MetricGroup {
  public static let title = "scores of yes or no"

  public static let plainNames = [
    "scores.roc-auc": "positives scored higher (AUC)",
    "scores.average-precision": "average precision",
    "scores.brier": "probability error (Brier)",
    "scores.calibration-error": "calibration error",
  ]

  public static func metrics(for detector: ScoredDetector) -> [Metric] {
    [.areaUnderROC, .averagePrecision, .brier, .expectedCalibrationError]
  }
}

extension Metric {
  public static let areaUnderROC = Metric(
    "scores.roc-auc", "Probability that a positive is scored above a negative, ties counting half.", .higherIsBetter,
    range: 0...1, undefined: "there is no positive, or no negative",
    source: "Hanley and McNeil, The Meaning and Use of the Area under a ROC Curve, 1982", aggregation: .pooled,
    uninformed: 0.5)

  public static let averagePrecision = Metric(
    "scores.average-precision", "Area under the steps of the precision-recall curve.", .higherIsBetter, range: 0...1,
    undefined: "there is no positive", source: "Manning et al., Introduction to Information Retrieval, 2008, §8.4",
    aggregation: .pooled)

  public static let brier = Metric(
    "scores.brier", "Mean squared distance of the probabilities from the outcomes.", .lowerIsBetter, range: 0...1,
    undefined: "there are no scores, or one is not a probability",
    source: "Brier, Verification of Forecasts Expressed in Terms of Probability, 1950")

  public static let expectedCalibrationError = Metric(
    "scores.calibration-error", "Mean distance of the probabilities from the observed frequencies, in ten bins (ECE).",
    .lowerIsBetter, range: 0...1, undefined: "there are no scores, or one is not a probability",
    source: "Guo et al., On Calibration of Modern Neural Networks, 2017, eq. 3", aggregation: .pooled)
}
