import PoseModel

/// The human ceiling of `GradeMetrics`: how well people's grades agree, each rater's with the mean of the others'.
///
/// A separate family, because it depends only on the labels and is the same for every detector and setting.
public struct GradeCeiling: MetricFamily {
  public static let title = GradeMetrics.title

  public static let plainNames = [
    "grades.human-spearman": "raters' rank agreement",
    "grades.human-mae": "raters' grade error",
  ]

  /// The grades of each rep or clip that several people graded, by rater.
  public typealias Tally = [[String: Double]]

  public var criterion: String

  public init(criterion: String) { self.criterion = criterion }

  public init?(for detector: ScoredDetector) {
    guard let criterion = detector.tasks.criterion else { return nil }
    self.init(criterion: criterion)
  }

  public var metrics: [Metric] {
    [
      Metric(
        "grades.human-spearman", "Human ceiling: each rater's rank correlation with the mean of the others, averaged.",
        .higherIsBetter, range: -1...1, undefined: "fewer than two reps have two raters, or no variation",
        source: GradeMetrics.spearmanSource, aggregation: .pooled),
      Metric(
        "grades.human-mae", "Human ceiling: each rater's mean distance from the mean of the others, averaged.",
        .lowerIsBetter, unit: "points", range: 0...(.infinity), undefined: "nothing has two raters",
        source: "the definition"),
    ]
  }

  public func tally(_ clip: LabelledPrediction) -> Tally {
    let words = Dictionary(grouping: clip.groundTruth.grades.filter { $0.criterion == criterion }, by: \.rep)
    return words.sorted { ($0.key ?? -1) < ($1.key ?? -1) }
      .map { Dictionary($0.value.map { ($0.rater, $0.value) }, uniquingKeysWith: { first, _ in first }) }
      .filter { $0.count > 1 }
  }

  public func pool(_ a: Tally, _ b: Tally) -> Tally { a + b }

  public func values(_ tally: Tally) -> [Double?] {
    let raters = raters([tally])
    return [meanOfDefined(raters.map(\.spearman)), meanOfDefined(raters.map(\.distance))]
  }

  public func contributes(_ tally: Tally) -> [Bool] { [!tally.isEmpty, !tally.isEmpty] }

  /// Ranks are sorted once.
  public func valuesWithoutEach(_ tallies: [Tally]) -> [[Double?]] {
    let raters = raters(tallies)
    let correlations = raters.map { $0.spearmanWithoutEach(of: tallies.count) }
    let distances = raters.map { $0.distanceWithoutEach(of: tallies.count) }
    return tallies.indices.map { left in
      [meanOfDefined(correlations.map { $0[left] }), meanOfDefined(distances.map { $0[left] })]
    }
  }

  /// Each rater and the mean of the others.
  private func raters(_ tallies: [Tally]) -> [GradePairs] {
    var byRater: [String: GradePairs] = [:]
    for (index, tally) in tallies.enumerated() {
      for ratings in tally {
        for (rater, grade) in ratings {
          let others = raterMean(ratings.filter { $0.key != rater }.map(\.value))
          byRater[rater, default: GradePairs()].append(grade, others, of: index)
        }
      }
    }
    return byRater.sorted { $0.key < $1.key }.map(\.value)
  }

  private func meanOfDefined(_ values: [Double?]) -> Double? { MeanOfDefined(values).value }
}
