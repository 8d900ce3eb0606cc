import Datasets
import Scoring
import Statistics

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
            ratings: Dictionary(words.map { ($0.rater, $0.grade) }, uniquingKeysWith: { first, _ in first })))
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
