import PoseModel

/// How well a system's grades agree with people's, and how well people agree with each other.
///
/// What is compared is a rep where raters graded reps, and the clip (the mean of its judged reps) where they graded
/// clips; against it stands the mean of its raters. The human ceiling is each rater against the mean of the others.
public struct GradeMetrics: MetricFamily {
  public static let title = "grades"

  /// A rep or clip that people graded.
  public struct Graded: Hashable, Sendable {
    /// 0 is the first; `nil` for the whole clip.
    public var rep: Int?
    /// `nil` where the system did not grade it.
    public var predicted: Double?
    /// By rater.
    public var ratings: [String: Double]
  }

  public typealias Tally = [Graded]

  public var matching: RepMatching
  public var criterion: String

  public init(matching: RepMatching, criterion: String) {
    self.matching = matching
    self.criterion = criterion
  }

  public init?(for detector: ScoredDetector) {
    guard let criterion = detector.criterion else { return nil }
    self.init(matching: detector.matching, criterion: criterion)
  }

  public var metrics: [Metric] {
    let spearman = "Spearman, The Proof and Measurement of Association between Two Things, 1904"
    return [
      Metric(
        "grades.spearman", "Rank correlation of the grades with the raters' mean.", .higherIsBetter, range: -1...1,
        undefined: "fewer than two reps are graded by both, or no variation", source: spearman,
        aggregation: .subjectMeanOrPooled),
      Metric(
        "grades.mae", "Mean distance of the grades from the raters' mean.", .lowerIsBetter, unit: "points",
        range: 0...(.infinity), undefined: "nothing is graded by both", source: "the definition"),
      Metric(
        "grades.coverage", "Share of what people graded that the system graded.", .higherIsBetter, range: 0...1,
        undefined: "people graded nothing", source: "the definition"),
      Metric(
        "grades.human-spearman", "Human ceiling: each rater's rank correlation with the mean of the others, averaged.",
        .higherIsBetter, range: -1...1, undefined: "fewer than two reps have two raters, or no variation",
        source: spearman, aggregation: .subjectMeanOrPooled),
      Metric(
        "grades.human-mae", "Human ceiling: each rater's mean distance from the mean of the others, averaged.",
        .lowerIsBetter, unit: "points", range: 0...(.infinity), undefined: "nothing has two raters",
        source: "the definition"),
    ]
  }

  public func tally(_ clip: LabelledPrediction) -> Tally {
    let judged = clip.prediction.judged.filter { $0.grades[criterion] != nil }
    let pairs = matching.pairs(truth: clip.groundTruth.reps ?? [], predicted: judged.map(\.rep))
    let gradeOf = Dictionary(
      uniqueKeysWithValues: pairs.compactMap { pair in judged[pair.predicted].grades[criterion].map { (pair.truth, $0) }
      }
    )
    let all = judged.compactMap { $0.grades[criterion] }
    let words = Dictionary(grouping: clip.groundTruth.grades.filter { $0.criterion == criterion }, by: \.rep)
    return words.sorted { ($0.key ?? -1) < ($1.key ?? -1) }.map { rep, words in
      Graded(
        rep: rep,
        predicted: rep.map { gradeOf[$0] } ?? (all.isEmpty ? nil : all.reduce(0, +) / Double(all.count)),
        ratings: Dictionary(words.map { ($0.rater, $0.value) }, uniquingKeysWith: { first, _ in first }))
    }
  }

  public func pool(_ a: Tally, _ b: Tally) -> Tally { a + b }

  public func values(_ tally: Tally) -> [Double?] {
    let pairs = tally.compactMap { graded in
      graded.predicted.map { (predicted: $0, truth: mean(Array(graded.ratings.values))) }
    }
    let human = humans(tally)
    return [
      spearman(pairs.map(\.predicted), pairs.map(\.truth)),
      pairs.isEmpty ? nil : mean(pairs.map { abs($0.predicted - $0.truth) }),
      tally.isEmpty ? nil : Double(pairs.count) / Double(tally.count),
      human.spearman, human.mae,
    ]
  }

  /// Each rater against the mean of the others.
  private func humans(_ tally: Tally) -> (spearman: Double?, mae: Double?) {
    let raters = Set(tally.flatMap(\.ratings.keys)).sorted()
    var correlations: [Double] = []
    var distances: [Double] = []
    for rater in raters {
      let pairs = tally.compactMap { graded -> (one: Double, others: Double)? in
        guard let one = graded.ratings[rater], graded.ratings.count > 1 else { return nil }
        return (one, mean(graded.ratings.filter { $0.key != rater }.map(\.value)))
      }
      guard !pairs.isEmpty else { continue }
      distances.append(mean(pairs.map { abs($0.one - $0.others) }))
      if let correlation = spearman(pairs.map(\.one), pairs.map(\.others)) { correlations.append(correlation) }
    }
    return (correlations.isEmpty ? nil : mean(correlations), distances.isEmpty ? nil : mean(distances))
  }

  /// Of at least one value; summed in sorted order so that a dictionary's order does not show.
  private func mean(_ values: [Double]) -> Double { values.sorted().reduce(0, +) / Double(values.count) }
}
