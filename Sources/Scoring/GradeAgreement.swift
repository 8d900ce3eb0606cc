import PoseModel

/// How well grades agree with people's by every measure that papers quote: correlations, errors, κ, intraclass
/// correlations, α and limits of agreement.
///
/// For a detector that is scored in full (`DetectorTasks.spots`). The system is one rater and the raters' mean the
/// other; items are those of `GradeMetrics`. κ is of grades rounded to whole points, on the scale from the lowest to the
/// highest of them.
public struct GradeAgreement: MetricFamily {
  public static let title = GradeMetrics.title

  public static let isFeedback = true

  /// An item that both graded.
  public struct Pair: Hashable, Codable, Sendable {
    var predicted: Double
    var truth: Double
    var subject: String
  }

  public typealias Tally = [Pair]

  private let grades: GradeMetrics

  public init(matching: RepMatching, criterion: String) {
    grades = GradeMetrics(matching: matching, criterion: criterion)
  }

  public init?(for detector: ScoredDetector) {
    guard detector.tasks.spots, let criterion = detector.tasks.criterion else { return nil }
    self.init(matching: detector.matching, criterion: criterion)
  }

  public let metrics: [Metric] =
    [.pearson, .kendallTauB, .rootMeanSquareError, .relativeL2] + Metric.cohenKappa + Metric.intraclassCorrelation
    + Metric.krippendorffAlpha + [.blandAltmanBias, .blandAltmanLower, .blandAltmanUpper]

  public func tally(_ clip: LabelledPrediction) -> Tally {
    grades.tally(clip).compactMap { graded in
      graded.predicted.map {
        Pair(predicted: $0, truth: inNineDecimals(raterMean(Array(graded.ratings.values))), subject: clip.subject)
      }
    }
  }

  public func pool(_ a: Tally, _ b: Tally) -> Tally { a + b }

  public func contributes(_ tally: Tally) -> [Bool] { metrics.map { _ in !tally.isEmpty } }

  public func values(_ tally: Tally) -> [Double?] {
    // To make the last digit independent of the order of clips.
    let pairs = tally.sorted(by: Self.precedes)
    let (truth, predicted) = (pairs.map(\.truth), pairs.map(\.predicted))
    let errors = GradeErrors(truth: truth, predicted: predicted)
    let variance = IntraclassCorrelation(zip(predicted, truth).map { [$0, $1] })
    let bySubject = Dictionary(grouping: pairs, by: \.subject).sorted { $0.key < $1.key }
    let limits = BlandAltman(differencesBySubject: bySubject.map { $0.value.map { $0.predicted - $0.truth } })
    let ratings = PairableRatings([predicted, truth])
    let correlations = [
      pearson(predicted, truth), kendallTauB(truth, predicted), errors.rootMeanSquare, errors.relativeL2,
    ]
    return correlations + kappas(predicted, truth)
      + IntraclassCorrelation.Form.allCases.map { variance?.value($0) }
      + MeasurementLevel.allCases.map(ratings.alpha)
      + [limits?.bias, limits?.lower, limits?.upper]
  }

  public func valuesWithoutEach(_ tallies: [Tally]) -> [[Double?]] { valuesWithoutEach(tallies, by: Self.precedes) }

  private static func precedes(_ a: Pair, _ b: Pair) -> Bool {
    (a.truth, a.predicted, a.subject) < (b.truth, b.predicted, b.subject)
  }

  /// The maximum number of points of a scale: κ weighs each pair of them.
  private static let longestScale = 1000.0

  private func kappas(_ a: [Double], _ b: [Double]) -> [Double?] {
    let rounded = (a + b).map { $0.rounded() }
    guard let low = rounded.min(), let high = rounded.max(), high - low <= Self.longestScale else {
      return KappaWeighting.allCases.map { _ in nil }
    }
    let places = rounded.map { Int($0 - low) }
    return KappaWeighting.allCases.map { weighting in
      cohenKappa(
        Array(places[..<a.count]), Array(places[a.count...]), labels: Int(high - low) + 1, weighting: weighting)
    }
  }
}
