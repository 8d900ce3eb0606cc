import PoseModel

/// How well a system's grades agree with people's.
///
/// Compares each rep if raters graded reps, or each clip (the mean of its judged reps) if they graded clips, with the
/// mean of its raters. `GradeCeiling` is the score of people.
public struct GradeMetrics: MetricFamily {
  public static let title = "grades"

  public static let isFeedback = true

  public static let plainNames = [
    "grades.spearman": "rank agreement",
    "grades.mae": "grade error",
    "grades.coverage": "graded share",
  ]

  /// A rep or clip that people graded.
  public struct Graded: Hashable, Codable, Sendable {
    /// 0 is the first; `nil` for the whole clip.
    public var rep: Int?
    /// `nil` if the system did not grade it.
    public var predicted: Double?
    /// The raters' grades, by rater.
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
    guard let criterion = detector.tasks.criterion else { return nil }
    self.init(matching: detector.matching, criterion: criterion)
  }

  static let spearmanSource = "Spearman, The Proof and Measurement of Association between Two Things, 1904"

  public var metrics: [Metric] {
    [
      Metric(
        "grades.spearman", "Rank correlation of the grades with the raters' mean.", .higherIsBetter, range: -1...1,
        undefined: "fewer than two reps are graded by both detector and raters, or no variation",
        source: Self.spearmanSource,
        aggregation: .pooled, humanCeiling: "grades.human-spearman"),
      Metric(
        "grades.mae", "Mean distance of the grades from the raters' mean.", .lowerIsBetter, unit: "points",
        range: 0...(.infinity), undefined: "nothing is graded by both detector and raters", source: "the definition",
        trivial: [.medianGrade], humanCeiling: "grades.human-mae"),
      Metric(
        "grades.coverage", "Share of the items graded by people that the system also graded.", .higherIsBetter,
        range: 0...1,
        undefined: "no item is graded by people", source: "the definition", aggregation: .ratio),
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
    let pairs = pairs([tally])
    return [pairs.spearman, pairs.distance, tally.isEmpty ? nil : Double(pairs.count) / Double(tally.count)]
  }

  public func contributes(_ tally: Tally) -> [Bool] {
    let isGraded = tally.contains { $0.predicted != nil }
    return [isGraded, isGraded, !tally.isEmpty]
  }

  public func unanswered(_ tally: Tally) -> [Int] {
    let ungraded = tally.count { $0.predicted == nil }
    return [ungraded, ungraded, 0]
  }

  /// Ranks are sorted once.
  public func valuesWithoutEach(_ tallies: [Tally]) -> [[Double?]] {
    let pairs = pairs(tallies)
    let correlations = pairs.spearmanWithoutEach(of: tallies.count)
    let distances = pairs.distanceWithoutEach(of: tallies.count)
    let cases = tallies.reduce(0) { $0 + $1.count }
    return tallies.indices.map { left in
      let graded = pairs.count - tallies[left].count { $0.predicted != nil }
      let others = cases - tallies[left].count
      return [correlations[left], distances[left], others > 0 ? Double(graded) / Double(others) : nil]
    }
  }

  /// The system's grades with the raters' means.
  private func pairs(_ tallies: [Tally]) -> GradePairs {
    var pairs = GradePairs()
    for (index, tally) in tallies.enumerated() {
      for graded in tally {
        guard let predicted = graded.predicted else { continue }
        pairs.append(predicted, raterMean(Array(graded.ratings.values)), of: index)
      }
    }
    return pairs
  }
}

/// Two sets of grades of the same items, and the tally that each item belongs to.
struct GradePairs {
  private var ones: [Double] = []
  private var others: [Double] = []
  private var tallies: [Int] = []

  mutating func append(_ one: Double, _ other: Double, of tally: Int) {
    ones.append(one)
    others.append(other)
    tallies.append(tally)
  }

  var count: Int { ones.count }

  /// The second set consists of means: equal ones must tie.
  var spearman: Double? { Scoring.spearman(ones, others.map(inNineDecimals)) }

  /// Summed in sorted order, to make the last digit independent of the order of clips.
  var distance: Double? {
    ones.isEmpty ? nil : zip(ones, others).map { abs($0 - $1) }.sorted().reduce(0, +) / Double(count)
  }

  func spearmanWithoutEach(of count: Int) -> [Double?] {
    Scoring.spearman(ones, others.map(inNineDecimals), withoutEachOf: tallies, count: count)
  }

  func distanceWithoutEach(of count: Int) -> [Double?] {
    var sums = [Double](repeating: 0, count: count)
    var counts = [Int](repeating: 0, count: count)
    for (index, tally) in tallies.enumerated() {
      sums[tally] += abs(ones[index] - others[index])
      counts[tally] += 1
    }
    let sum = sums.reduce(0, +)
    return (0..<count).map { left in
      let others = self.count - counts[left]
      return others > 0 ? (sum - sums[left]) / Double(others) : nil
    }
  }
}
