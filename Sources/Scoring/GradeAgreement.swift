import PoseModel

/// How well grades agree with people's by every measure that papers quote: correlations, errors, κ, intraclass
/// correlations, α and limits of agreement.
///
/// For a detector that is scored in full (`ScoredDetector.spots`). The system is one rater and the raters' mean the
/// other; items are those of `GradeMetrics`. κ is of grades rounded to whole points, on the scale from the lowest to the
/// highest of them.
public struct GradeAgreement: MetricFamily {
  public static let title = GradeMetrics.title

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
    guard detector.spots, let criterion = detector.criterion else { return nil }
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
    // Sorted, to make the last digit independent of the order of clips.
    let pairs = tally.sorted { ($0.truth, $0.predicted, $0.subject) < ($1.truth, $1.predicted, $1.subject) }
    let (truth, predicted) = (pairs.map(\.truth), pairs.map(\.predicted))
    let errors = GradeErrors(truth: truth, predicted: predicted)
    let variance = IntraclassCorrelation(zip(predicted, truth).map { [$0, $1] })
    let bySubject = Dictionary(grouping: pairs, by: \.subject).sorted { $0.key < $1.key }
    let limits = BlandAltman(differencesBySubject: bySubject.map { $0.value.map { $0.predicted - $0.truth } })
    let correlations = [
      pearson(predicted, truth), kendallTauB(predicted, truth), errors.rootMeanSquare, errors.relativeL2,
    ]
    return correlations + kappas(predicted, truth)
      + IntraclassCorrelation.Form.allCases.map { variance?.value($0) }
      + MeasurementLevel.allCases.map { krippendorffAlpha([predicted, truth], level: $0) }
      + [limits?.bias, limits?.lower, limits?.upper]
  }

  /// The maximum number of points of a scale: κ weighs each pair of them.
  private static let longestScale = 1000.0

  private func kappas(_ a: [Double], _ b: [Double]) -> [Double?] {
    let rounded = (a + b).map { $0.rounded() }
    guard let low = rounded.min(), let high = rounded.max(), high - low <= Self.longestScale else {
      return KappaWeighting.allCases.map { _ in nil }
    }
    let labels = (0...Int(high - low)).map { low + Double($0) }
    return KappaWeighting.allCases.map { weighting in
      cohenKappa(Array(rounded[..<a.count]), Array(rounded[a.count...]), labels: labels, weighting: weighting)
    }
  }
}
