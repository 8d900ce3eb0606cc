import Datasets
import Files
import PoseModel
import Scoring
import Statistics

/// How far two pose estimators agree on the same clips: one is the reference, the other is held against it.
///
/// A subject's value is that of all its frames together; what is shown is the mean of the subjects' values.
public struct EstimatorAgreement: Sendable {
  public var results: [AgreementResult]
  /// Names of the clips that both have.
  public var clips: [String]
  public var subjects: Int
  /// Clips that only one of the two datasets has.
  public var leftOut: [String]

  /// Of the torso, within which a joint is near the reference's.
  public static let share = 0.2

  private struct Tally {
    var correct = PercentageOfCorrectKeypoints()
    var similarity = ObjectKeypointSimilarity()
    var jitter = PoseJitter()
    var dropOut = KeypointDropOut()

    init() {}

    init(reference: PoseSequence, other: PoseSequence) {
      let joints = Joint.allCases.filter { joint in
        (0..<reference.frameCount).contains { reference.frame($0)[joint, .x].isFinite }
      }
      correct = PercentageOfCorrectKeypoints(
        reference: reference, other: other, joints: joints, within: EstimatorAgreement.share, of: .torso)
      similarity = ObjectKeypointSimilarity(reference: reference, other: other)
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

  /// - Throws: `EvaluationError.missing` where the two share no clip with poses, or are not both in the picture.
  public init(reference: StoredDataset, other: StoredDataset, in store: Store) throws {
    guard Self.isInPicture(reference), Self.isInPicture(other) else {
      throw EvaluationError.missing(
        what: "datasets \(reference.manifest.name) and \(other.manifest.name)",
        expected: "both in the picture's coordinates (unit image or pixel), to hold places against each other",
        found: "lengths whose scale or origin are a dataset's own in "
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
    var bySubject: [String: Tally] = [:]
    var undefined = Self.metrics.map { _ in 0 }
    for clip in shared {
      guard let twin = otherOf[clip.info.name] else { continue }
      let tally = Tally(
        reference: try store.clip(clip, of: reference).poses(reference.manifest),
        other: try store.clip(twin, of: other).poses(other.manifest))
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

/// How far the raters of a dataset agree on a criterion.
///
/// What is rated is a rep, or a clip that was graded as a whole. Measures that need every rater's grade take what all of
/// them graded; Krippendorff's α takes what at least two did.
public struct RaterAgreement: Sendable {
  public var criterion: Manifest.Criterion
  public var raters: [String]
  /// What at least one rater graded, and what all did.
  public var rated: Int
  public var ratedByAll: Int
  public var results: [AgreementResult]
  /// Each pair of raters: the mean difference of the second from the first, and its limits of agreement.
  public var pairs: [Pair]

  public struct Pair: Sendable {
    public var raters: [String]
    /// Rank correlation.
    public var spearman: Double?
    public var kappa: Double?
    public var limits: BlandAltman?
  }

  /// A grade's subject and its raters' words.
  private struct Item {
    var subject: String
    var ratings: [String: Double]
  }

  /// - Throws: `EvaluationError.missing` where the dataset has no criterion of that name, or fewer than two raters on it.
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
    let complete = items.compactMap { item -> [Double]? in
      let row = raters.compactMap { item.ratings[$0] }
      return row.count == raters.count ? row : nil
    }
    self.criterion = criterion
    self.raters = raters
    rated = items.count
    ratedByAll = complete.count
    results =
      Self.correlations(complete) + Self.alphas(raters.map { rater in items.map { $0.ratings[rater] } })
      + Self.ceilings(items.map(\.ratings))
    pairs = raters.indices.flatMap { a in
      raters.indices.dropFirst(a + 1).map { Self.pair(raters[a], raters[$0], items, criterion) }
    }
  }

  private static func correlations(_ complete: [[Double]]) -> [AgreementResult] {
    let correlation = IntraclassCorrelation(complete)
    return IntraclassCorrelation.Form.allCases.map { form in
      let interval = correlation?.interval(form) { p, numerator, denominator in
        FDistribution(numerator: numerator, denominator: denominator).quantile(p)
      }
      return AgreementResult(
        .intraclassCorrelation(form), correlation?.value(form),
        interval: interval.map { Interval(low: $0.low, high: $0.high, level: 0.95) }, method: "F")
    }
  }

  private static func alphas(_ ratings: [[Double?]]) -> [AgreementResult] {
    MeasurementLevel.allCases.map {
      AgreementResult(.krippendorffAlpha($0), krippendorffAlpha(ratings, level: $0))
    }
  }

  private static func ceilings(_ ratings: [[String: Double]]) -> [AgreementResult] {
    let errors: ([Double], [Double]) -> Double? = { GradeErrors(truth: $1, predicted: $0).rootMeanSquare }
    return [(Metric.pearson, pearson), (.kendallTauB, kendallTauB), (.rootMeanSquareError, errors)].map {
      metric, agreement in
      let ceiling = humanCeiling(ratings, agreement: agreement)
      return AgreementResult(.humanCeiling(of: metric), ceiling.value, undefined: ceiling.undefined)
    }
  }

  private static func pair(_ a: String, _ b: String, _ items: [Item], _ criterion: Manifest.Criterion) -> Pair {
    let both = items.compactMap { item -> (subject: String, a: Double, b: Double)? in
      guard let first = item.ratings[a], let second = item.ratings[b] else { return nil }
      return (item.subject, first, second)
    }
    let (first, second) = (both.map(\.a), both.map(\.b))
    // Kappa is of whole points on the full scale; grades between them have none.
    let scale = Array(Int(criterion.minimum.rounded())...Int(criterion.maximum.rounded()))
    let whole = (first + second).allSatisfy { $0 == $0.rounded() }
    let bySubject = Dictionary(grouping: both, by: \.subject).sorted { $0.key < $1.key }.map(\.value)
    return Pair(
      raters: [a, b], spearman: spearman(first, second),
      kappa: whole
        ? cohenKappa(first.map { Int($0) }, second.map { Int($0) }, labels: scale, weighting: .quadratic) : nil,
      limits: BlandAltman(differencesBySubject: bySubject.map { pairs in pairs.map { $0.b - $0.a } }))
  }
}

/// How far two estimators, or people, agree by one metric.
public struct AgreementResult: Sendable {
  public var metric: Metric
  /// `nil` where it is undefined.
  public var value: Double?
  public var interval: Interval?
  /// `t on subject means`, or the name of the metric's own interval.
  public var method: String?
  /// What has no value: clips of two estimators, raters of a human ceiling.
  public var undefined: Int

  init(_ metric: Metric, _ value: Double?, interval: Interval? = nil, method: String? = nil, undefined: Int = 0) {
    self.metric = metric
    self.value = value
    self.interval = interval.map { $0.clamped(to: metric.range) }
    self.method = interval == nil ? nil : method
    self.undefined = undefined
  }
}
