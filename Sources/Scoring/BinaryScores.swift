/// Scores of how likely something is, beside whether it is.
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

  /// - Precondition: as many of `truth` as of `scores`.
  public init(truth: [Bool], scores: [Double]) {
    precondition(truth.count == scores.count)
    judgements = zip(truth, scores).map { Judgement(score: $1, isPositive: $0) }
  }

  public static func + (a: Self, b: Self) -> Self { Self(a.judgements + b.judgements) }

  /// Area under the ROC curve: how probably a positive has a higher score than a negative, ties counting half.
  ///
  /// 0...1, chance is 0.5; `nil` without a positive or a negative, and where a score is NaN.
  ///
  /// - Source: Hanley and McNeil, The Meaning and Use of the Area under a ROC Curve, 1982 (Mann-Whitney's U).
  public var areaUnderROC: Double? {
    let positives = Double(judgements.count(where: \.isPositive))
    let negatives = Double(judgements.count) - positives
    guard positives > 0, negatives > 0, !hasNaN else { return nil }
    let sum = zip(ranks(judgements.map(\.score)), judgements).reduce(0) { $1.1.isPositive ? $0 + $1.0 : $0 }
    return (sum - positives * (positives + 1) / 2) / (positives * negatives)
  }

  /// Mean precision over the positives, each at the threshold that just includes it: the area under the steps of the
  /// precision-recall curve, without interpolation.
  ///
  /// 0...1, chance is the share of positives; `nil` without a positive, and where a score is NaN.
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
  /// 0...1, 0 is best; `nil` without scores, and where one is outside 0...1.
  ///
  /// - Source: Brier, Verification of Forecasts Expressed in Terms of Probability, 1950, for one of the two classes.
  public var brier: Double? {
    guard !judgements.isEmpty, judgements.allSatisfy({ (0...1).contains($0.score) }) else { return nil }
    let sum = judgements.map { judgement in
      let error = judgement.score - (judgement.isPositive ? 1 : 0)
      return error * error
    }.sorted().reduce(0, +)
    return sum / Double(judgements.count)
  }

  var hasNaN: Bool { judgements.contains(where: \.score.isNaN) }

  /// What is at or above each score that occurs, the highest first.
  var steps: [(threshold: Double, truePositives: Int, falsePositives: Int)] {
    var steps: [(threshold: Double, truePositives: Int, falsePositives: Int)] = []
    var (positives, negatives) = (0, 0)
    for judgement in judgements.sorted(by: { $0.score > $1.score }) {
      if judgement.isPositive { positives += 1 } else { negatives += 1 }
      if steps.last?.threshold == judgement.score { steps.removeLast() }
      steps.append((judgement.score, positives, negatives))
    }
    return steps
  }
}

extension Metric {
  public static let areaUnderROC = Metric(
    "scores.roc-auc", "How probably a positive is scored above a negative, ties counting half.", .higherIsBetter,
    range: 0...1, undefined: "there is no positive, or no negative",
    source: "Hanley and McNeil, The Meaning and Use of the Area under a ROC Curve, 1982", aggregation: .pooled)

  public static let averagePrecision = Metric(
    "scores.average-precision", "Area under the steps of the precision-recall curve.", .higherIsBetter, range: 0...1,
    undefined: "there is no positive", source: "Manning et al., Introduction to Information Retrieval, 2008, §8.4",
    aggregation: .pooled)

  public static let brier = Metric(
    "scores.brier", "Mean squared distance of the probabilities from what happened.", .lowerIsBetter, range: 0...1,
    undefined: "there are no scores, or one is not a probability",
    source: "Brier, Verification of Forecasts Expressed in Terms of Probability, 1950")
}
