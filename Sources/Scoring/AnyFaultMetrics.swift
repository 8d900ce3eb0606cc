import PoseModel

/// Whether a system reports a fault where people see one, whatever the fault.
///
/// A rep (or a clip, if whole clips were judged) is faulty if more than half of the raters of any fault say that it is
/// present. The system is right if it reports any of the judged faults; if people only judged `incorrect`, any fault at
/// all. Its grade also ranks the judged items: the area under the ROC curve is the probability that a faulty item is
/// graded below a correct one. An item that the system did not grade, such as a missed rep, counts as the worst error
/// (a faulty one is ranked above all others, a correct one below) and is also counted separately.
public struct AnyFaultMetrics: MetricFamily {
  public static let title = "faults"

  public static let isFeedback = true

  public static let plainNames = [
    "grades.roc-auc": "faulty graded lower (AUC)",
    "faults.any.precision": "true fault reports",
    "faults.any.recall": "faults found",
    "faults.any.f1": "faults found (F1)",
    "faults.any.coverage": "share of items judged",
  ]

  public struct Tally: Hashable, Codable, Sendable {
    /// Whole clips before reps in their order.
    public fileprivate(set) var judged: [Judged] = []
  }

  /// A rep or clip that people judged for faults.
  public struct Judged: Hashable, Codable, Sendable {
    /// 0 is the first; `nil` for the whole clip.
    public var rep: Int?
    /// The system's grade; `nil` if it gave none.
    public var grade: Double?
    /// Whether people see a fault, and whether the system reports one.
    public var isFaulty: Bool
    public var isReported: Bool
    /// Whether the system judged it at all: a rep that it never saw is missed.
    public var isJudged: Bool
  }

  /// The label for an unspecified fault.
  public static let incorrect = "incorrect"

  public var matching: RepMatching
  /// The criterion of the grades; `nil` for a system that does not grade.
  public var criterion: String?

  public init(matching: RepMatching, criterion: String?) {
    self.matching = matching
    self.criterion = criterion
  }

  public init?(for detector: ScoredDetector) {
    guard !detector.tasks.faults.isEmpty else { return nil }
    self.init(matching: detector.matching, criterion: detector.tasks.criterion)
  }

  public var gradedCriterion: String? { criterion }

  public var metrics: [Metric] {
    let judged = "judged by raters"
    return [
      Metric(
        "faults.any.precision", "Share of the items reported with a fault that have one.", .higherIsBetter,
        range: 0...1,
        undefined: "nothing \(judged) is reported with a fault", source: "the definition", aggregation: .ratio,
        trivial: [.everyRepFaulty, .noRepFaulty]),
      Metric(
        "faults.any.recall", "Share of the items with a fault that are reported with one.", .higherIsBetter,
        range: 0...1,
        undefined: "nothing \(judged) has a fault", source: "the definition", aggregation: .ratio),
      Metric(
        "faults.any.f1", "Harmonic mean of precision and recall of any fault.", .higherIsBetter, range: 0...1,
        undefined: "nothing \(judged) has a fault or is reported with one",
        source: "van Rijsbergen, Information Retrieval, 1979", aggregation: .ratio,
        trivial: [.everyRepFaulty, .noRepFaulty]),
      Metric(
        "faults.any.coverage", "Share of the items \(judged) that the detector judged; it missed the others.",
        .higherIsBetter, range: 0...1, undefined: "nothing is \(judged)", source: "the definition",
        aggregation: .ratio),
    ]
      + (criterion == nil
        ? []
        : [
          Metric(
            "grades.roc-auc", "Probability that an item with a fault is graded below one without, ties counting half.",
            .higherIsBetter, range: 0...1, undefined: "no judged item has a fault, or all have one",
            source: Metric.areaUnderROC.source, aggregation: .pooled, trivial: [.sameGrade],
            uninformed: 0.5)
        ])
  }

  public func tally(_ clip: LabelledPrediction) -> Tally { Tally(judged: judged(clip)) }

  /// People's judgements of a clip and the system's, whole clips before reps in their order.
  private func judged(_ clip: LabelledPrediction) -> [Judged] {
    let judged = clip.prediction.judged
    let pairs = matching.pairs(truth: clip.groundTruth.reps ?? [], predicted: judged.map(\.rep))
    let judgedOf = Dictionary(uniqueKeysWithValues: pairs.map { ($0.truth, judged[$0.predicted]) })
    let byRep = Dictionary(grouping: clip.groundTruth.faults, by: \.rep).sorted { ($0.key ?? -1) < ($1.key ?? -1) }
    return byRep.map { rep, words in
      let byName = Dictionary(grouping: words, by: \.name)
      let isFaulty = byName.values.contains { words in 2 * words.count(where: \.present) > words.count }
      let about = rep.map { judgedOf[$0].map { [$0] } ?? [] } ?? judged
      let isReported = about.contains { judged in
        judged.faults.contains { byName[$0] != nil || byName[Self.incorrect] != nil }
      }
      let grades = about.compactMap { judged in criterion.flatMap { judged.grades[$0] } }.sorted()
      return Judged(
        rep: rep, grade: grades.isEmpty ? nil : grades.reduce(0, +) / Double(grades.count), isFaulty: isFaulty,
        isReported: isReported, isJudged: !about.isEmpty)
    }
  }

  public func pool(_ a: Tally, _ b: Tally) -> Tally { Tally(judged: a.judged + b.judged) }

  public func values(_ tally: Tally) -> [Double?] {
    let counts = counts(tally)
    return [
      counts.precision, counts.recall, counts.f1, coverage(tally.judged.count(where: \.isJudged), tally.judged.count),
    ]
      + (criterion == nil ? [] : [scores(tally).areaUnderROC])
  }

  public func contributes(_ tally: Tally) -> [Bool] {
    let counts = counts(tally)
    return [counts.precision, counts.recall, counts.f1].map { $0 != nil } + [!tally.judged.isEmpty]
      + (criterion == nil ? [] : [!tally.judged.isEmpty])
  }

  public func unanswered(_ tally: Tally) -> [Int] {
    [0, 0, 0, 0] + (criterion == nil ? [] : [tally.judged.count { $0.grade == nil }])
  }

  public func valuesWithoutEach(_ tallies: [Tally]) -> [[Double?]] {
    let counts = tallies.map(counts)
    let all = counts.reduce(DetectionCounts(), +)
    let scores = tallies.map(scores)
    let areas = BinaryScores(scores.flatMap(\.judgements)).areasUnderROC(
      withoutEachOf: scores.enumerated().flatMap { index, own in own.judgements.map { _ in index } },
      count: tallies.count)
    let (judged, cases) = (tallies.map { $0.judged.count(where: \.isJudged) }, tallies.map(\.judged.count))
    let (allJudged, allCases) = (judged.reduce(0, +), cases.reduce(0, +))
    return tallies.indices.map { left in
      let others = DetectionCounts(
        truePositives: all.truePositives - counts[left].truePositives,
        falsePositives: all.falsePositives - counts[left].falsePositives,
        falseNegatives: all.falseNegatives - counts[left].falseNegatives)
      return [
        others.precision, others.recall, others.f1, coverage(allJudged - judged[left], allCases - cases[left]),
      ] + (criterion == nil ? [] : [areas[left]])
    }
  }

  private func coverage(_ judged: Int, _ cases: Int) -> Double? { cases > 0 ? Double(judged) / Double(cases) : nil }

  private func counts(_ tally: Tally) -> DetectionCounts {
    let judged = tally.judged
    return DetectionCounts(
      truePositives: judged.count { $0.isFaulty && $0.isReported },
      falsePositives: judged.count { !$0.isFaulty && $0.isReported },
      falseNegatives: judged.count { $0.isFaulty && !$0.isReported })
  }

  private func scores(_ tally: Tally) -> BinaryScores {
    BinaryScores(
      tally.judged.map { judged in
        BinaryScores.Judgement(
          score: judged.grade.map { -$0 } ?? (judged.isFaulty ? -.infinity : .infinity), isPositive: judged.isFaulty)
      })
  }
}
