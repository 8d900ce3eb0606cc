import Datasets
import Files
import Pipeline
import PoseModel
import Scoring
import Statistics

/// How well raters agree on a criterion.
///
/// An item is a rep, or a clip that was graded as a whole. Measures that need every rater's grade use items that all
/// graded; Krippendorff's α and Gwet's coefficients use items that at least two graded. Intervals are BCa over subjects.
/// If each subject was graded once, the intraclass correlation has its own interval by F.
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
    /// The second's grades minus the first's.
    public var limits: AgreementLimits?
    /// The items that both graded: the subject, and the grades of the first and the second.
    public var items: [(subject: String, first: Double, second: Double)]
  }

  /// - Throws: `EvaluationError.missing` if the dataset has no criterion of that name, or fewer than two raters on it.
  public init(_ clips: RatedClips, criterion name: String) throws {
    let known = clips.scales
    guard let criterion = known.first(where: { $0.name == name }) else {
      throw EvaluationError.missing(
        what: "dataset \(clips.dataset)",
        expected: known.isEmpty ? "grades of people" : "one of \(known.map(\.name).joined(separator: ", "))",
        found: known.isEmpty ? "none" : NearNames.question(name, in: known.map(\.name)))
    }
    let sample = GradedItems(clips, criterion: name)
    let raters = sample.raters
    guard raters.count > 1 else {
      throw EvaluationError.missing(
        what: "criterion \(name) of \(clips.dataset)", expected: "at least two raters",
        found: raters.isEmpty ? "no grades" : "\(raters[0]) alone")
    }
    func complete(_ items: [GradedItems.Item]) -> [[Double]] {
      items.compactMap { item -> [Double]? in
        let row = raters.compactMap { item.ratings[$0] }
        return row.count == raters.count ? row : nil
      }
    }
    let scale = Self.scale(criterion)
    func gwet(_ metric: Metric, _ weighting: KappaWeighting) -> AgreementResult {
      sample.result(metric) { items in
        GwetAgreement(raters.map { rater in items.map { $0.ratings[rater] } }, labels: scale, weighting: weighting)?
          .value
      }
    }
    self.criterion = criterion
    self.raters = raters
    rated = sample.items.count
    ratedByAll = complete(sample.items).count
    results =
      Self.correlations(sample, complete) + Self.errors(sample, complete)
      + MeasurementLevel.allCases.map { level in
        sample.result(.krippendorffAlpha(level)) { items in
          krippendorffAlpha(raters.map { rater in items.map { $0.ratings[rater] } }, level: level)
        }
      } + [gwet(.gwetAC1, .unweighted), gwet(.gwetAC2, .quadratic)] + Self.ceilings(sample)
    pairs = raters.indices.flatMap { a in
      raters.indices.dropFirst(a + 1).map { Self.pair(raters[a], raters[$0], sample, scale) }
    }
  }

  /// The whole points of a scale, on which κ and Gwet's coefficients are defined; empty for a scale that is too long.
  private static func scale(_ criterion: Manifest.Criterion) -> [Double] {
    let (low, high) = (criterion.minimum.rounded(), criterion.maximum.rounded())
    guard low <= high, high - low <= 1000 else { return [] }
    return Array(stride(from: low, through: high, by: 1))
  }

  private static func correlations(
    _ sample: GradedItems, _ complete: ([GradedItems.Item]) -> [[Double]]
  ) -> [AgreementResult] {
    let all = sample.clusters.allSatisfy { $0.count == 1 } ? IntraclassCorrelation(complete(sample.items)) : nil
    return IntraclassCorrelation.Form.allCases.map { form in
      guard let all else {
        return sample.result(.intraclassCorrelation(form), ratings: sample.raters.count) {
          IntraclassCorrelation(complete($0))?.value(form)
        }
      }
      let interval = all.interval(form) { p, numerator, denominator in
        FDistribution(numerator: numerator, denominator: denominator).quantile(p)
      }
      let value = all.value(form)
      // Without differences between the rated items beyond those of the raters, the F distribution says nothing.
      let isUsable = value.map { $0 > 0 } ?? false && (interval.map { $0.low < $0.high } ?? false)
      return AgreementResult(
        .intraclassCorrelation(form), value, of: sample.subjects(ratings: sample.raters.count),
        interval: (isUsable ? interval : nil).map { Interval(low: $0.low, high: $0.high, level: 0.95) }, method: "F")
    }
  }

  private static func errors(
    _ sample: GradedItems, _ complete: ([GradedItems.Item]) -> [[Double]]
  ) -> [AgreementResult] {
    MeasurementError.allCases.map { error in
      sample.result(.standardErrorOfMeasurement(error), ratings: sample.raters.count) {
        IntraclassCorrelation(complete($0))?.standardError(error)
      }
    }
      + MeasurementError.allCases.map { error in
        sample.result(.minimalDetectableChange(error), ratings: sample.raters.count) {
          IntraclassCorrelation(complete($0))?.detectableChange(error)
        }
      }
  }

  private static func ceilings(_ sample: GradedItems) -> [AgreementResult] {
    let errors: ([Double], [Double]) -> Double? = { GradeErrors(truth: $1, predicted: $0).rootMeanSquare }
    return [(Metric.pearson, pearson), (.kendallTauB, kendallTauB), (.rootMeanSquareError, errors)].map {
      metric, agreement in
      sample.result(
        .humanCeiling(of: metric),
        undefined: humanCeiling(sample.items.map(\.ratings), agreement: agreement).undefined
      ) { humanCeiling($0.map(\.ratings), agreement: agreement).value }
    }
  }

  private static func pair(_ a: String, _ b: String, _ sample: GradedItems, _ scale: [Double]) -> Pair {
    let both = sample.graded(by: [a, b])
    return Pair(
      raters: [a, b], spearman: sample.rankCorrelation(a, b).result,
      kappa: both.result(.cohenKappa(.quadratic)) { items in
        cohenKappa(both.grades(items, a), both.grades(items, b), labels: scale, weighting: .quadratic)
      },
      limits: AgreementLimits(
        differencesBySubject: both.clusters.map { items in
          zip(both.grades(items, b), both.grades(items, a)).map { $0 - $1 }
        }),
      items: both.items.compactMap { item in
        item.ratings[a].flatMap { first in item.ratings[b].map { (item.subject, first, $0) } }
      })
  }
}

/// How well raters agree on a fault.
public struct FaultAgreement: Sendable {
  public let fault: String
  public let raters: [String]
  /// Reps, or whole clips, that at least two raters judged.
  public let items: Int
  /// The share of judgements that say that it is present.
  public let present: Double?
  /// The share of pairs of judgements of an item that are the same.
  public let same: AgreementResult
  public let ac1: AgreementResult
  /// The mean of Cohen's κ over the pairs of raters: Light, Measures of Response Agreement for Qualitative Data, 1971.
  public let kappa: AgreementResult

  private static let same = Metric(
    "faults.same", "Share of pairs of raters' judgements of a fault that are the same.", .higherIsBetter,
    range: 0...1, undefined: "nothing has two judgements", source: "the definition", aggregation: .pooled)
  private static let ac1 = Metric(
    "faults.ac1", "Agreement of raters on a fault beyond chance (Gwet's AC1).", .higherIsBetter, range: -1...1,
    undefined: "nothing has two judgements", source: "Gwet, 2008", aggregation: .pooled)
  private static let kappa = Metric(
    "faults.kappa", "Agreement of raters on a fault beyond chance (Cohen's κ, mean of the pairs of raters).",
    .higherIsBetter, range: -1...1, undefined: "no two raters have both present and absent",
    source: "Cohen, 1960; Light, 1971", aggregation: .pooled)

  /// `nil` without an item that two raters judged.
  init?(_ clips: RatedClips, fault: String) {
    let sample = GradedItems(clips, fault: fault)
    let raters = sample.raters
    let labels = [0.0, 1]
    func gwet(_ items: [GradedItems.Item]) -> GwetAgreement? {
      GwetAgreement(raters.map { rater in items.map { $0.ratings[rater] } }, labels: labels)
    }
    func kappas(_ items: [GradedItems.Item]) -> [Double?] {
      raters.indices.flatMap { a in
        raters.indices.dropFirst(a + 1).map { b in
          let both = items.compactMap { item in
            item.ratings[raters[a]].flatMap { one in item.ratings[raters[b]].map { (one, $0) } }
          }
          return cohenKappa(both.map(\.0), both.map(\.1), labels: labels)
        }
      }
    }
    guard gwet(sample.items) != nil else { return nil }
    (self.fault, self.raters) = (fault, raters)
    items = sample.items.count { $0.ratings.count > 1 }
    present = mean(sample.items.flatMap { $0.ratings.values.sorted() })
    same = sample.result(Self.same) { gwet($0)?.observed }
    ac1 = sample.result(Self.ac1) { gwet($0)?.value }
    kappa = sample.result(Self.kappa, undefined: kappas(sample.items).count { $0 == nil }) {
      mean(kappas($0).compactMap(\.self))
    }
  }
}

/// How well two raters agree on which reps there are, and when.
///
/// Two marks are the same rep if they overlap by at least half, as on the page of `bench view --label --raters`.
public struct RepAgreement: Sendable {
  static let matching = RepMatching(overlap: 0.5)

  /// The instants of matched reps that both marked: the second's minus the first's, in seconds.
  public struct Differences: Sendable {
    public let instant: RepMatching.Instant
    public let count: Int
    /// The median without sign.
    public let median: Double
    public let limits: AgreementLimits
  }

  public let raters: [String]
  /// The clips that both have finished.
  public let clips: Int
  public let matched: Int
  /// All reps that either marked; a matched one counts once.
  public let marked: Int
  public let share: AgreementResult
  public let differences: [Differences]

  private static let share = Metric(
    "reps.same", "Share of the reps marked by either of two raters that both marked.", .higherIsBetter, range: 0...1,
    undefined: "neither marked a rep", source: "Jaccard, 1912", aggregation: .pooled)

  /// - Parameters:
  ///   - a: The place of the first rater among those of the clips.
  ///   - b: That of the second.
  init(_ rated: RatedClips, _ a: Int, _ b: Int) {
    typealias Marked = (subject: String, pairs: [(first: Rep, second: Rep)], count: Int)
    let clips = rated.clips.compactMap { clip -> Marked? in
      guard let first = clip.reps[a], let second = clip.reps[b] else { return nil }
      let pairs = Self.matching.pairs(truth: first, predicted: second).map {
        (first: first[$0.truth], second: second[$0.predicted])
      }
      return (clip.subject, pairs, first.count + second.count - pairs.count)
    }
    raters = [rated.raters[a], rated.raters[b]]
    self.clips = clips.count
    matched = clips.reduce(0) { $0 + $1.pairs.count }
    marked = clips.reduce(0) { $0 + $1.count }
    let bySubject = Dictionary(grouping: clips, by: \.subject).sorted { $0.key < $1.key }.map(\.value)
    var sums = ClusterSums(clusters: bySubject.count, width: 2)
    for (index, own) in bySubject.enumerated() {
      for clip in own { sums.add([Double(clip.pairs.count), Double(clip.count)], to: index) }
    }
    var random = SeededGenerator(seed: AgreementLimits.seed)
    let estimate = ClusterBootstrap(resamples: AgreementLimits.resamples).estimate(sums, using: &random) {
      $0[1] > 0 ? $0[0] / $0[1] : nil
    }
    share = AgreementResult(
      Self.share, estimate?.value, of: bySubject.count { own in own.contains { $0.count > 0 } },
      interval: estimate?.interval, method: "BCa over subjects")
    differences = RepMatching.Instant.allCases.compactMap { instant in
      let own = bySubject.map { clips in
        clips.flatMap(\.pairs).compactMap { pair in
          pair.first.seconds(instant).flatMap { first in pair.second.seconds(instant).map { $0 - first } }
        }
      }
      let all = own.flatMap(\.self)
      guard let median = quantile(0.5, of: all.map { abs($0) }), let limits = AgreementLimits(differencesBySubject: own)
      else { return nil }
      return Differences(instant: instant, count: all.count, median: median, limits: limits)
    }
  }
}

extension Rep {
  /// `nil` for a turn that is not marked.
  fileprivate func seconds(_ instant: RepMatching.Instant) -> Double? {
    switch instant {
    case .start: start.seconds
    case .turn: turn?.seconds
    case .end: end.seconds
    }
  }
}

/// All that raters agree on: the grades by a criterion, faults and, in files, the reps that they marked.
public struct RaterReport: Sendable {
  public let grades: RaterAgreement?
  public let faults: [FaultAgreement]
  /// Each pair of files.
  public let reps: [RepAgreement]

  /// - Parameter criterion: `nil` for faults and reps alone.
  /// - Throws: As `RaterAgreement`, and `EvaluationError.missing` if no two raters judged anything.
  public init(_ clips: RatedClips, criterion: String?) throws {
    grades = try criterion.map { try RaterAgreement(clips, criterion: $0) }
    faults = clips.faults.compactMap { FaultAgreement(clips, fault: $0) }
    reps = clips.raters.indices.flatMap { a in
      clips.raters.indices.dropFirst(a + 1).map { RepAgreement(clips, a, $0) }
    }
    guard grades != nil || !faults.isEmpty || !reps.isEmpty else {
      let known = clips.criteria
      throw EvaluationError.missing(
        what: "dataset \(clips.dataset)",
        expected: known.isEmpty
          ? "grades or faults by two raters"
          : "faults by two raters, or --criterion with one of \(known.joined(separator: ", "))", found: "none")
    }
  }
}

extension RaterReport: Encodable {
  private enum Key: String, CodingKey { case faults, reps }

  public func encode(to encoder: any Encoder) throws {
    try grades?.encode(to: encoder)
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(faults, forKey: .faults)
    try container.encode(reps, forKey: .reps)
  }
}

extension RaterAgreement: Encodable {
  private enum CodingKeys: String, CodingKey {
    case criterion, raters, rated, ratedByAll, pairs
    case results = "metrics"
  }
}

extension RaterAgreement.Pair: Encodable {
  private enum Key: String, CodingKey { case raters, metrics, bias, lower, upper, limits }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(raters, forKey: .raters)
    try container.encode([spearman, kappa], forKey: .metrics)
    try container.encodeIfPresent(limits?.bias.value, forKey: .bias)
    try container.encodeIfPresent(limits?.lower?.value, forKey: .lower)
    try container.encodeIfPresent(limits?.upper?.value, forKey: .upper)
    // The same with their intervals.
    try container.encodeIfPresent(limits, forKey: .limits)
  }
}

extension FaultAgreement: Encodable {
  private enum Key: String, CodingKey { case fault, raters, items, present, metrics }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(fault, forKey: .fault)
    try container.encode(raters, forKey: .raters)
    try container.encode(items, forKey: .items)
    try container.encodeIfPresent(present, forKey: .present)
    try container.encode([same, ac1, kappa], forKey: .metrics)
  }
}

extension RepAgreement: Encodable {
  private enum Key: String, CodingKey { case raters, clips, matched, marked, metrics, differences }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(raters, forKey: .raters)
    try container.encode(clips, forKey: .clips)
    try container.encode(matched, forKey: .matched)
    try container.encode(marked, forKey: .marked)
    try container.encode([share], forKey: .metrics)
    try container.encode(differences, forKey: .differences)
  }
}

extension RepAgreement.Differences: Encodable {}
