import RealModule

/// How well a detector knows which of its counts are right.
///
/// A confidence is the detector's own probability that a count is off by one rep at most. Where it is below 0.5 the
/// detector abstains. The curve of accuracy against coverage takes the clips by falling confidence; clips of equal
/// confidence share their accuracy. As soon as one clip has a confidence, a clip without one has the confidence 0: a
/// detector gains nothing by leaving out the hard clips.
public struct CountConfidence: MetricFamily {
  public static let title = CountMetrics.title

  public static let plainNames = [
    "count.coverage": "coverage of counts",
    "count.off-by-one-covered": "counts within one, covered",
    "count.off-by-one-80": "counts within one, top 80 %",
    "count.confidence-area": "counts within one, mean of coverages",
  ]

  /// A counted clip.
  public struct Clip: Hashable, Codable, Sendable {
    /// `nil` if the detector gave none.
    var confidence: Double?
    /// Whether the count is off by at most one.
    var isRight: Bool
  }

  public typealias Tally = [Clip]

  /// Below this confidence a detector abstains: it expects its count to be wrong.
  public static let threshold = 0.5
  /// The coverage at which the accuracy is a metric.
  public static let coverage = 0.8

  public init() {}

  public init?(for detector: ScoredDetector) {
    guard detector.tasks.counts, detector.tasks.givesConfidence else { return nil }
  }

  public let metrics = [
    Metric(
      "count.coverage",
      "Share of clips whose count has a confidence of 0.5 or more; on the others the detector abstains.",
      .higherIsBetter, range: 0...1, undefined: "no clip with a confidence",
      source: "El-Yaniv and Wiener, On the Foundations of Noise-free Selective Classification, 2010",
      aggregation: .ratio),
    Metric(
      "count.off-by-one-covered",
      "Share of clips counted with an error of at most one rep, of those on which the detector does not abstain.",
      .higherIsBetter, range: 0...1, undefined: "no clip with a confidence of 0.5 or more",
      source: "selective accuracy: El-Yaniv and Wiener, 2010", aggregation: .ratio),
    Metric(
      "count.off-by-one-80",
      "Share of clips counted with an error of at most one rep, of the 80 % with the highest confidence.",
      .higherIsBetter, range: 0...1, undefined: "no clip with a confidence",
      source: "selective accuracy at a coverage: Geifman and El-Yaniv, Selective Classification for Deep Neural "
        + "Networks, 2017", aggregation: .pooled),
    Metric(
      "count.confidence-area",
      "Area under the curve of counts within one against coverage; with meaningless confidences, the share of counts "
        + "within one.",
      .higherIsBetter, range: 0...1, undefined: "no clip with a confidence",
      source: "1 minus the area under the risk–coverage curve: Geifman, Uziel and El-Yaniv, Bias-Reduced Uncertainty "
        + "Estimation for Deep Neural Classifiers, 2019, as an integral", aggregation: .pooled),
  ]

  public func tally(_ clip: LabelledPrediction) -> Tally {
    guard let truth = clip.groundTruth.repCount, let count = clip.prediction.count else { return [] }
    return [Clip(confidence: clip.prediction.countConfidence, isRight: abs(count - truth) <= 1)]
  }

  public func pool(_ a: Tally, _ b: Tally) -> Tally { a + b }

  public func values(_ tally: Tally) -> [Double?] {
    guard let curve = CoverageCurve(tally) else { return metrics.map { _ in nil } }
    let covered = tally.filter { ($0.confidence ?? 0) >= Self.threshold }
    return [
      Double(covered.count) / Double(tally.count),
      covered.isEmpty ? nil : Double(covered.count(where: \.isRight)) / Double(covered.count),
      curve.accuracy(at: Self.coverage), curve.area,
    ]
  }

  public func valuesWithoutEach(_ tallies: [Tally]) -> [[Double?]] {
    valuesWithoutEach(tallies) { ($0.confidence ?? 0) > ($1.confidence ?? 0) }
  }

  /// A clip without a confidence counts where others have one.
  public func contributes(_ tally: Tally) -> [Bool] {
    let isCovered = tally.contains { ($0.confidence ?? 0) >= Self.threshold }
    return [!tally.isEmpty, isCovered, !tally.isEmpty, !tally.isEmpty]
  }

  public func unanswered(_ tally: Tally) -> [Int] {
    let count = tally.count { $0.confidence == nil }
    return metrics.map { _ in count }
  }
}

/// Accuracy against coverage, over the thresholds of a confidence.
public struct CoverageCurve: Sendable {
  /// Everything down to one confidence.
  public struct Point: Hashable, Sendable {
    public var confidence: Double
    /// Shares of all items: those covered, and those that are covered and right.
    public var coverage: Double
    public var right: Double
    public var accuracy: Double { right / coverage }
  }

  /// By falling confidence, one for each that occurs; the last one covers everything.
  public let points: [Point]

  /// - Returns: `nil` if no clip has a confidence.
  init?(_ clips: [CountConfidence.Clip]) {
    guard clips.contains(where: { $0.confidence != nil }) else { return nil }
    self = CoverageCurve(clips.map { (confidence: $0.confidence ?? 0, isRight: $0.isRight) })
  }

  /// The curve of these items; without items its values are NaN.
  public init(_ items: [(confidence: Double, isRight: Bool)]) {
    let size = Double(items.count)
    let sorted = items.sorted { $0.confidence > $1.confidence }
    var (points, right): ([Point], Int) = ([], 0)
    for (index, item) in sorted.enumerated() {
      if item.isRight { right += 1 }
      if index + 1 < sorted.count, sorted[index + 1].confidence == item.confidence { continue }
      points.append(
        Point(confidence: item.confidence, coverage: Double(index + 1) / size, right: Double(right) / size))
    }
    self.points = points
  }

  /// The accuracy of the most confident share of the items. Of items of equal confidence, a part is as often right as all
  /// of them.
  ///
  /// - Parameter coverage: Above 0, at most 1.
  public func accuracy(at coverage: Double) -> Double {
    var (before, right) = (0.0, 0.0)
    for point in points {
      if point.coverage >= coverage {
        let share = (coverage - before) / (point.coverage - before)
        return (right + share * (point.right - right)) / coverage
      }
      (before, right) = (point.coverage, point.right)
    }
    return right / before
  }

  /// The mean accuracy over all coverages from 0 to 1.
  ///
  /// Between two points, where right items are added at the rate r, the accuracy at the coverage c is r + o / c: o is
  /// what is right beyond r times the coverage.
  public var area: Double {
    var (before, right, area) = (0.0, 0.0, 0.0)
    for point in points {
      let rate = (point.right - right) / (point.coverage - before)
      area += rate * (point.coverage - before)
      if before > 0 { area += (right - rate * before) * Double.log(point.coverage / before) }
      (before, right) = (point.coverage, point.right)
    }
    return points.isEmpty ? .nan : min(max(area, 0), 1)
  }
}
