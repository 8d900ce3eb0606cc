import Evaluation
import Pipeline
import Scoring
import Statistics

/// How well a detector's grades separate labelled faulty items from correct ones at every threshold, with the
/// detector's own fault reports.
///
/// A grade below the threshold counts as faulty. Intervals are from the bootstrap of whole subjects, because a
/// subject's reps are alike.
public struct FaultCurve: Sendable {
  public struct Share: Hashable, Sendable {
    public var value: Double
    public var interval: Interval?
  }

  /// The shares classified as faulty; `nil` if one is undefined.
  public struct Point: Hashable, Sendable {
    /// Grades up to this count as faulty; `nil` for the detector's own reports.
    public var grade: Double?
    public var recall: Share?
    public var precision: Share?
    public var falsePositiveRate: Share?
  }

  public let points: [Point]
  /// The point of the detector's own fault reports; `nil` without reports.
  public let reported: Point?
  public let averagePrecision: Share?
  /// The items with a grade.
  public let faulty: Int
  public let sound: Int
  public let subjects: Int
  /// The share of correct items among those with similar grades, in ten steps of the scale; empty if grades
  /// are outside 0...100.
  public let bins: [(stated: Double, sound: Share, count: Int)]

  /// The maximum number of thresholds, evenly picked from the grades.
  static let limit = 60
  private static let bootstrap = ClusterBootstrap(resamples: 2000)
  private static let seed: UInt64 = 1

  /// - Returns: `nil` if nothing is both graded and judged, or all items are faulty or all correct.
  public init?(_ results: RunResults, detector: String) {
    let judged = results.clips.flatMap { clip in
      (clip.outcomes[detector]?.judged ?? []).map { (subject: clip.person, rep: $0) }
    }
    let graded = judged.compactMap { item in item.rep.grade.map { (item.subject, $0, item.rep) } }
    let names = Set(graded.map(\.0)).sorted()
    let cluster = Dictionary(uniqueKeysWithValues: names.enumerated().map { ($1, $0) })
    faulty = graded.count { $0.2.isFaulty }
    sound = graded.count - faulty
    subjects = names.count
    guard faulty > 0, sound > 0 else { return nil }

    let all = Set(graded.map(\.1)).sorted()
    let count = min(all.count, Self.limit)
    let thresholds = (0..<count).map { all[($0 + 1) * all.count / count - 1] }
    // Per threshold the numbers of faulty and of correct items up to it, then both totals.
    var sums = ClusterSums(clusters: names.count, width: 2 * count + 4)
    for (subject, grade, rep) in graded {
      var row = [Double](repeating: 0, count: 2 * count + 4)
      for (index, threshold) in thresholds.enumerated() where grade <= threshold {
        row[2 * index + (rep.isFaulty ? 0 : 1)] = 1
      }
      if rep.isReported { row[2 * count + (rep.isFaulty ? 0 : 1)] = 1 }
      row[2 * count + (rep.isFaulty ? 2 : 3)] = 1
      sums.add(row, to: cluster[subject] ?? 0)
    }
    let last = 2 * count
    var statistics: [([Double]) -> Double?] = []
    for index in 0...count {
      let (hit, alarm) = (2 * index, 2 * index + 1)
      statistics += [
        { Self.share($0[hit], of: $0[last + 2]) }, { Self.share($0[hit], of: $0[hit] + $0[alarm]) },
        { Self.share($0[alarm], of: $0[last + 3]) },
      ]
    }
    var random = SeededGenerator(seed: Self.seed)
    let estimates = Self.bootstrap.estimates(sums, using: &random, statistics: statistics)
      .map { estimate in estimate.map { Share(value: $0.value, interval: $0.interval) } }
    func point(_ index: Int, grade: Double?) -> Point {
      Point(
        grade: grade, recall: estimates[3 * index], precision: estimates[3 * index + 1],
        falsePositiveRate: estimates[3 * index + 2])
    }
    points = thresholds.enumerated().map { point($0, grade: $1) }
    reported = graded.contains(where: \.2.isReported) ? point(count, grade: nil) : nil

    let bySubject = names.map { name in
      graded.filter { $0.0 == name }.map { BinaryScores.Judgement(score: -$0.1, isPositive: $0.2.isFaulty) }
    }
    averagePrecision = Self.bootstrap.estimate(clusters: names.count, using: &random) { counts in
      var drawn = BinaryScores()
      for (index, count) in counts.enumerated() { for _ in 0..<count { drawn.judgements += bySubject[index] } }
      return drawn.averagePrecision
    }.map { Share(value: $0.value, interval: $0.interval) }

    let chances = BinaryScores(truth: graded.map { !$0.2.isFaulty }, scores: graded.map { $0.1 / 100 })
    let curve = ReliabilityCurve(chances)
    bins =
      curve?.bins.compactMap { bin in
        guard let stated = bin.confidence, let share = bin.frequency else { return nil }
        let interval = Interval.wilson(successes: bin.positives, of: bin.count)
        return (stated, Share(value: share, interval: interval), bin.count)
      } ?? []
  }

  private static func share(_ part: Double, of whole: Double) -> Double? { whole > 0 ? part / whole : nil }
}

extension ChartContext {
  /// The selected detector, or the first that grades both faulty and correct items.
  func faults(_ results: RunResults) throws -> (detector: String, curve: FaultCurve) {
    guard results.clips.contains(where: { clip in clip.outcomes.values.contains { $0.judged != nil } }) else {
      throw EvaluationError.missing(
        what: "run \(run) of suite \(suite)", expected: "judgements of each rep",
        found: "none: no detector reports faults, or the run is from an older version; run the suite again")
    }
    let name = try detector(in: results, having: "grades of both faulty and correct reps") {
      name in
      let judged = results.clips.flatMap { $0.outcomes[name]?.judged ?? [] }.filter { $0.grade != nil }
      return judged.contains { $0.isFaulty } && judged.contains { !$0.isFaulty }
    }
    guard let curve = FaultCurve(results, detector: name) else {
      throw EvaluationError.missing(
        what: "detector \(name)", expected: "both faulty and correct reps", found: "only one kind")
    }
    return (name, curve)
  }
}

extension RunResults {
  /// The source of a chart of the items that a detector grades and people judged.
  func judgedSource(_ detector: String) -> String {
    showing { $0.outcomes[detector]?.judged?.contains { $0.grade != nil } ?? false }.source(detector)
  }
}

extension FaultCurve {
  /// - Parameters:
  ///   - area: The area under the curve; `nil` if undefined.
  ///   - words: The text on the area, printed beside the plot.
  func classification(source: String, area: Estimate?, words: String?) -> Classification {
    Classification(
      topic: "Faulty reps by their score", source: source, curves: [plotted], positives: faulty,
      negatives: sound, subjects: subjects, area: area, remarks: (words.map { [$0] } ?? []) + [remark])
  }

  private var plotted: ThresholdCurve {
    ThresholdCurve(
      name: "flagged as faulty at each threshold", rates: points.map { ThresholdRates($0) },
      operatingPoint: reported.map { ThresholdRates($0) })
  }

  private var remark: String {
    reported == nil
      ? "The detector reports no fault."
      : "Operating point: the faults that the detector reports."
  }
}

extension ThresholdRates {
  fileprivate init(_ point: FaultCurve.Point) {
    self.init(
      threshold: point.grade ?? .nan, recall: Estimate(point.recall), precision: Estimate(point.precision),
      falsePositiveRate: Estimate(point.falsePositiveRate))
  }
}

extension Estimate {
  init(_ share: FaultCurve.Share?) {
    self.init(share?.value ?? .nan, lower: share?.interval?.low, upper: share?.interval?.high)
  }
}
