import Datasets
import Files
import Pipeline
import PoseModel
import Scoring
import Statistics

/// How well two pose estimators agree on the same clips: one is the reference, the other is compared with it.
///
/// Only joints that both estimators report count: a neck or root computed as a midpoint adds no information, and a
/// joint that one skeleton lacks is no error. A subject's value covers all its frames; the result is the mean over
/// subjects.
public struct EstimatorAgreement: Sendable {
  public var results: [AgreementResult]
  /// Names of the clips in both datasets.
  public var clips: [String]
  public var subjects: Int
  /// The compared joints: both estimators report them.
  public var joints: [Joint]
  /// Clips that only one of the two datasets has.
  public var leftOut: [String]

  /// The share of the torso within which a joint counts as close to the reference.
  public static let share = 0.2

  private struct Tally {
    var correct = PercentageOfCorrectKeypoints()
    var similarity = ObjectKeypointSimilarity()
    var jitter = PoseJitter()
    var dropOut = KeypointDropOut()

    init() {}

    /// - Parameter joints: The joints of both estimators, without those missing from the reference in the whole clip.
    init(reference: PoseSequence, other: PoseSequence, joints: [Joint]) {
      let joints = joints.filter { joint in reference.column(joint, .x).contains(where: \.isFinite) }
      correct = PercentageOfCorrectKeypoints(
        reference: reference, other: other, joints: joints, within: EstimatorAgreement.share, of: .torso)
      similarity = ObjectKeypointSimilarity(reference: reference, other: other, joints: joints)
      jitter = PoseJitter(other, joints: joints)
      dropOut = KeypointDropOut(other, joints: joints)
    }

    static func + (a: Self, b: Self) -> Self {
      var sum = Self()
      sum.correct = a.correct + b.correct
      sum.similarity = a.similarity + b.similarity
      sum.jitter = a.jitter + b.jitter
      sum.dropOut = a.dropOut + b.dropOut
      return sum
    }

    /// In the order of `EstimatorAgreement.metrics`.
    var values: [Double?] {
      [correct.value, similarity.value, jitter.acceleration, jitter.jerk, dropOut.value]
    }
  }

  private static let metrics: [Metric] = [
    .percentageOfCorrectKeypoints, .objectKeypointSimilarity, .poseAcceleration, .poseJerk, .keypointDropOut,
  ]

  private static func isInPicture(_ dataset: StoredDataset) -> Bool {
    switch dataset.manifest.coordinates.unit {
    case .image, .pixel: true
    case .metre, .relative: false
    }
  }

  /// The joints that both estimators report, in the order of `Joint`.
  private static func joints(of datasets: [StoredDataset]) throws -> [Joint] {
    let skeletons = datasets.map { Skeleton.named($0.manifest.skeleton) }
    let shared = Joint.allCases.filter { joint in
      skeletons.allSatisfy { skeleton in
        if case .keypoint = skeleton?[joint] { true } else { false }
      }
    }
    guard !shared.isEmpty else {
      throw EvaluationError.missing(
        what: "datasets \(datasets.map(\.manifest.name).joined(separator: " and "))",
        expected: "joints that both estimators report", found: "none")
    }
    return shared
  }

  /// - Throws: `EvaluationError.missing` if the two share no clip with poses or no joint, or are not both in image
  ///   coordinates.
  public init(reference: StoredDataset, other: StoredDataset, in store: Store) throws {
    guard Self.isInPicture(reference), Self.isInPicture(other) else {
      throw EvaluationError.missing(
        what: "datasets \(reference.manifest.name) and \(other.manifest.name)",
        expected: "both in image coordinates (unit image or pixel), to compare positions",
        found: "lengths with a dataset's own scale or origin in "
          + [reference, other].filter { !Self.isInPicture($0) }.map(\.manifest.name).joined(separator: " and "))
    }
    let mine = try store.clips(of: reference).filter(\.hasPoses)
    let theirs = try store.clips(of: other).filter(\.hasPoses)
    let otherOf = Dictionary(theirs.map { ($0.info.name, $0) }, uniquingKeysWith: { first, _ in first })
    let shared = mine.filter { otherOf[$0.info.name] != nil }
    guard !shared.isEmpty else {
      throw EvaluationError.missing(
        what: "datasets \(reference.manifest.name) and \(other.manifest.name)",
        expected: "clips of the same name in both, seen by two estimators", found: "none")
    }
    joints = try Self.joints(of: [reference, other])
    var bySubject: [String: Tally] = [:]
    var undefined = Self.metrics.map { _ in 0 }
    for clip in shared {
      guard let twin = otherOf[clip.info.name] else { continue }
      let tally = Tally(
        reference: try store.clip(clip, of: reference).poses(reference.manifest),
        other: try store.clip(twin, of: other).poses(other.manifest), joints: joints)
      for (index, value) in tally.values.enumerated() where value == nil { undefined[index] += 1 }
      bySubject[clip.info.subject] = (bySubject[clip.info.subject] ?? Tally()) + tally
    }
    let values = bySubject.sorted { $0.key < $1.key }.map(\.value.values)
    results = Self.metrics.enumerated().map { index, metric in
      let own = values.compactMap { $0[index] }
      return AgreementResult(
        metric, mean(own), interval: .studentT(own), method: "t on subject means", undefined: undefined[index])
    }
    clips = shared.map(\.info.name)
    subjects = bySubject.count
    let names = Set(clips)
    leftOut = (mine + theirs).map(\.info.name).filter { !names.contains($0) }.sorted()
  }
}

/// How well the raters of a dataset agree on a criterion.
///
/// An item is a rep, or a clip that was graded as a whole. Measures that need every rater's grade use items that all
/// graded; Krippendorff's α uses items that at least two graded. A subject's reps are alike; intervals are therefore
/// BCa over subjects. If each subject was graded once, the intraclass correlation has its own interval by F.
public struct RaterAgreement: Sendable {
  public var criterion: Manifest.Criterion
  public var raters: [String]
  /// Items that at least one rater graded, and that all graded.
  public var rated: Int
  public var ratedByAll: Int
  public var results: [AgreementResult]
  /// Each pair of raters: the mean difference of the second from the first, and its limits of agreement.
  public var pairs: [Pair]

  public struct Pair: Sendable {
    public var raters: [String]
    /// Rank correlation.
    public var spearman: AgreementResult
    public var kappa: AgreementResult
    public var limits: BlandAltman?
  }

  /// The subject of a graded item, and the raters' grades.
  private struct Item {
    var subject: String
    var ratings: [String: Double]
  }

  /// - Throws: `EvaluationError.missing` if the dataset has no criterion of that name, or fewer than two raters on it.
  public init(_ dataset: StoredDataset, criterion name: String, in store: Store) throws {
    let known = dataset.manifest.criteria
    guard let criterion = known.first(where: { $0.name == name }) else {
      throw EvaluationError.missing(
        what: "dataset \(dataset.manifest.name)",
        expected: known.isEmpty ? "criteria that people graded" : "one of \(known.map(\.name).joined(separator: ", "))",
        found: NearNames.question(name, in: known.map(\.name)))
    }
    var items: [Item] = []
    for stored in try store.clips(of: dataset) {
      let grades = try store.clip(stored, of: dataset).labels.grades.filter { $0.criterion == name }
      for (_, words) in Dictionary(grouping: grades, by: \.rep).sorted(by: { ($0.key ?? -1) < ($1.key ?? -1) }) {
        items.append(
          Item(
            subject: stored.info.subject,
            ratings: Dictionary(words.map { ($0.rater, $0.value) }, uniquingKeysWith: { first, _ in first })))
      }
    }
    let raters = Set(items.flatMap(\.ratings.keys)).sorted()
    guard raters.count > 1 else {
      throw EvaluationError.missing(
        what: "criterion \(name) of \(dataset.manifest.name)", expected: "at least two raters",
        found: raters.isEmpty ? "no grades" : "\(raters[0]) alone")
    }
    func complete(_ items: [Item]) -> [[Double]] {
      items.compactMap { item -> [Double]? in
        let row = raters.compactMap { item.ratings[$0] }
        return row.count == raters.count ? row : nil
      }
    }
    let sample = Sample(items)
    self.criterion = criterion
    self.raters = raters
    rated = items.count
    ratedByAll = complete(items).count
    results =
      Self.correlations(sample, complete)
      + MeasurementLevel.allCases.map { level in
        sample.result(.krippendorffAlpha(level)) { items in
          krippendorffAlpha(raters.map { rater in items.map { $0.ratings[rater] } }, level: level)
        }
      } + Self.ceilings(sample)
    pairs = raters.indices.flatMap { a in
      raters.indices.dropFirst(a + 1).map { Self.pair(raters[a], raters[$0], sample, criterion) }
    }
  }

  /// The graded items by subject, for resampling whole subjects.
  private struct Sample {
    /// How many times subjects are resampled: enough for the ends of a 95 % interval (Efron and Tibshirani, An
    /// Introduction to the Bootstrap, 1993, §14.3).
    static let resamples = 2000
    static let seed: UInt64 = 1

    let clusters: [[Item]]

    init(_ items: [Item]) {
      clusters = Dictionary(grouping: items, by: \.subject).sorted { $0.key < $1.key }.map(\.value)
    }

    var items: [Item] { clusters.flatMap { $0 } }

    /// - Parameter undefined: How many items have no value.
    func result(_ metric: Metric, undefined: Int = 0, of statistic: ([Item]) -> Double?) -> AgreementResult {
      var generator = SeededGenerator(seed: Self.seed)
      let estimate = ClusterBootstrap(resamples: Self.resamples).estimate(
        clusters: clusters.count, using: &generator
      ) { counts in
        statistic(zip(clusters, counts).flatMap { items, count in (0..<count).flatMap { _ in items } })
      }
      return AgreementResult(
        metric, statistic(items), interval: estimate?.interval, method: "BCa over subjects", undefined: undefined)
    }
  }

  private static func correlations(_ sample: Sample, _ complete: ([Item]) -> [[Double]]) -> [AgreementResult] {
    let all = sample.clusters.allSatisfy { $0.count == 1 } ? IntraclassCorrelation(complete(sample.items)) : nil
    return IntraclassCorrelation.Form.allCases.map { form in
      guard let all else {
        return sample.result(.intraclassCorrelation(form)) { IntraclassCorrelation(complete($0))?.value(form) }
      }
      let interval = all.interval(form) { p, numerator, denominator in
        FDistribution(numerator: numerator, denominator: denominator).quantile(p)
      }
      let value = all.value(form)
      // Without differences between the rated items beyond those of the raters, the F distribution says nothing.
      let isUsable = value.map { $0 > 0 } ?? false && (interval.map { $0.low < $0.high } ?? false)
      return AgreementResult(
        .intraclassCorrelation(form), value,
        interval: (isUsable ? interval : nil).map { Interval(low: $0.low, high: $0.high, level: 0.95) }, method: "F")
    }
  }

  private static func ceilings(_ sample: Sample) -> [AgreementResult] {
    let errors: ([Double], [Double]) -> Double? = { GradeErrors(truth: $1, predicted: $0).rootMeanSquare }
    return [(Metric.pearson, pearson), (.kendallTauB, kendallTauB), (.rootMeanSquareError, errors)].map {
      metric, agreement in
      sample.result(
        .humanCeiling(of: metric),
        undefined: humanCeiling(sample.items.map(\.ratings), agreement: agreement).undefined
      ) { humanCeiling($0.map(\.ratings), agreement: agreement).value }
    }
  }

  private static let rankCorrelation = Metric(
    "grades.spearman", "Rank correlation of two raters' grades.", .higherIsBetter, range: -1...1,
    undefined: "a rater's grades are all equal, or there are fewer than two",
    source: "Spearman, 1904, by ranks with ties")

  private static func pair(_ a: String, _ b: String, _ sample: Sample, _ criterion: Manifest.Criterion) -> Pair {
    let both = Sample(sample.items.filter { $0.ratings[a] != nil && $0.ratings[b] != nil })
    func grades(_ items: [Item], _ rater: String) -> [Double] { items.compactMap { $0.ratings[rater] } }
    // Kappa applies to whole points on the full scale; grades in between have none.
    let scale = Array(Int(criterion.minimum.rounded())...Int(criterion.maximum.rounded()))
    let whole = (grades(both.items, a) + grades(both.items, b)).allSatisfy { $0 == $0.rounded() }
    return Pair(
      raters: [a, b], spearman: both.result(Self.rankCorrelation) { spearman(grades($0, a), grades($0, b)) },
      kappa: both.result(.cohenKappa(.quadratic)) { items in
        whole
          ? cohenKappa(
            grades(items, a).map { Int($0) }, grades(items, b).map { Int($0) }, labels: scale, weighting: .quadratic)
          : nil
      },
      limits: BlandAltman(
        differencesBySubject: both.clusters.map { items in zip(grades(items, b), grades(items, a)).map { $0 - $1 } }))
  }
}

/// The agreement of two estimators, or of people, by one metric.
public struct AgreementResult: Sendable {
  public var metric: Metric
  /// `nil` if undefined.
  public var value: Double?
  /// `nil` if undefined or without bounds.
  public var interval: Interval?
  /// `t on subject means`, or the name of the metric's own interval.
  public var method: String?
  /// The items without a value: clips for two estimators, raters for typical human disagreement.
  public var undefined: Int

  init(_ metric: Metric, _ value: Double?, interval: Interval? = nil, method: String? = nil, undefined: Int = 0) {
    self.metric = metric
    self.value = value
    let clamped = interval.map { $0.clamped(to: metric.range) }
    self.interval = clamped.flatMap { $0.low.isFinite && $0.high.isFinite ? $0 : nil }
    self.method = self.interval == nil ? nil : method
    self.undefined = undefined
  }
}

extension AgreementResult: Encodable {
  private enum Key: String, CodingKey {
    case metric, summary, unit, direction, value, low, high, level, method, undefined
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(metric.name, forKey: .metric)
    try container.encode(metric.summary, forKey: .summary)
    try container.encode(metric.unit, forKey: .unit)
    try container.encode(metric.direction, forKey: .direction)
    try container.encodeIfPresent(value, forKey: .value)
    try container.encodeIfPresent(interval?.low, forKey: .low)
    try container.encodeIfPresent(interval?.high, forKey: .high)
    try container.encodeIfPresent(interval?.level, forKey: .level)
    try container.encodeIfPresent(method, forKey: .method)
    try container.encode(undefined, forKey: .undefined)
  }
}

extension EstimatorAgreement: Encodable {
  private enum Key: String, CodingKey { case clips, subjects, joints, leftOut, metrics }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(clips, forKey: .clips)
    try container.encode(subjects, forKey: .subjects)
    try container.encode(joints.map(\.name), forKey: .joints)
    try container.encode(leftOut, forKey: .leftOut)
    try container.encode(results, forKey: .metrics)
  }
}

extension RaterAgreement: Encodable {
  private enum Key: String, CodingKey { case criterion, raters, rated, ratedByAll, metrics, pairs }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(criterion, forKey: .criterion)
    try container.encode(raters, forKey: .raters)
    try container.encode(rated, forKey: .rated)
    try container.encode(ratedByAll, forKey: .ratedByAll)
    try container.encode(results, forKey: .metrics)
    try container.encode(pairs, forKey: .pairs)
  }
}

extension RaterAgreement.Pair: Encodable {
  private enum Key: String, CodingKey { case raters, metrics, bias, lower, upper }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(raters, forKey: .raters)
    try container.encode([spearman, kappa], forKey: .metrics)
    try container.encodeIfPresent(limits?.bias, forKey: .bias)
    try container.encodeIfPresent(limits?.lower, forKey: .lower)
    try container.encodeIfPresent(limits?.upper, forKey: .upper)
  }
}
