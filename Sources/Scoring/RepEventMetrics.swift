import PoseModel

/// Whether each rep was found, and when: predicted reps matched one to one with the true ones.
///
/// A clip without labelled reps, or from a system without times, is not tallied.
public struct RepEventMetrics: MetricFamily {
  public static let title = "reps found in time"

  public static let plainNames = [
    "reps.precision": "true detections",
    "reps.recall": "reps found",
    "reps.f1": "reps found (F1)",
    "reps.timing-error": "rep timing error",
    "reps.timing-bias": "rep timing bias",
    "reps.same-end": "reps ending with the label",
  ]

  public struct Tally: Hashable, Codable, Sendable {
    var matched = 0
    var predicted = 0
    var truth = 0
    /// Matched reps whose ends are near the labelled ones.
    var sameEnd = 0
    /// Sums over the matched reps, in whole microseconds: rounding then does not depend on the order of adding.
    var absoluteError = 0.0
    var signedError = 0.0
  }

  public var matching: RepMatching

  public init(matching: RepMatching) { self.matching = matching }

  public init?(for detector: ScoredDetector) {
    guard detector.tasks.counts else { return nil }
    self.init(matching: detector.matching)
  }

  public var metrics: [Metric] {
    let near = matching.words("its")
    let farthest = matching.tolerance?.milliseconds ?? .infinity
    let source =
      switch matching.rule {
      case .tolerance: "maximum one-to-one matching, as mir_eval's onset detection"
      case .overlap: "maximum one-to-one matching by temporal intersection over union"
      case .turnInside: "maximum one-to-one matching of turning points and reps"
      }
    return [
      Metric(
        "reps.precision", "Share of predicted reps that are a true rep \(near).", .higherIsBetter, range: 0...1,
        undefined: "no rep is predicted", source: source, aggregation: .ratio),
      Metric(
        "reps.recall", "Share of true reps that are predicted \(near).", .higherIsBetter, range: 0...1,
        undefined: "there are no true reps", source: source, aggregation: .ratio),
      Metric(
        "reps.f1", "Harmonic mean of precision and recall.", .higherIsBetter, range: 0...1,
        undefined: "there are neither true nor predicted reps", source: "van Rijsbergen, Information Retrieval, 1979",
        aggregation: .ratio),
      Metric(
        "reps.timing-error", "Mean distance in time of matched reps.", .lowerIsBetter, unit: "ms", range: 0...farthest,
        undefined: "no rep is matched", source: "the definition", ofCasesFound: .mean),
      Metric(
        "reps.timing-bias", "Mean signed distance in time of matched reps: above 0 is late.", .zeroIsBest, unit: "ms",
        range: -farthest...farthest, undefined: "no rep is matched", source: "the definition", ofCasesFound: .mean),
    ]
      + (comparesEnds ? [] : [sameEnd])
  }

  /// Whether matched reps end near the label by the rule itself.
  private var comparesEnds: Bool { matching.tolerance != nil && matching.instant == .end }

  private var sameEnd: Metric {
    Metric(
      "reps.same-end",
      "Share of matched reps that end within \(Self.endTolerance.seconds) s of the label; others end reps by another "
        + "convention, or late.", .higherIsBetter, range: 0...1, undefined: "no rep is matched",
      source: "the definition", aggregation: .ratio)
  }

  /// The usual tolerance of suites that match ends.
  private static let endTolerance = Microseconds(500_000)

  public func tally(_ clip: LabelledPrediction) -> Tally {
    guard let truth = clip.groundTruth.reps, let predicted = clip.prediction.reps?.map(\.rep) else { return Tally() }
    var tally = Tally(predicted: predicted.count, truth: truth.count)
    for pair in matching.pairs(truth: truth, predicted: predicted) {
      let error = matching.time(predicted[pair.predicted]) - matching.time(truth[pair.truth])
      tally.matched += 1
      if (predicted[pair.predicted].end - truth[pair.truth].end).magnitude <= Self.endTolerance { tally.sameEnd += 1 }
      tally.absoluteError += Double(error.magnitude.count)
      tally.signedError += Double(error.count)
    }
    return tally
  }

  public func pool(_ a: Tally, _ b: Tally) -> Tally {
    Tally(
      matched: a.matched + b.matched, predicted: a.predicted + b.predicted, truth: a.truth + b.truth,
      sameEnd: a.sameEnd + b.sameEnd, absoluteError: a.absoluteError + b.absoluteError,
      signedError: a.signedError + b.signedError)
  }

  public func values(_ tally: Tally) -> [Double?] {
    let detection = DetectionCounts(
      truePositives: tally.matched, falsePositives: tally.predicted - tally.matched,
      falseNegatives: tally.truth - tally.matched)
    func meanMilliseconds(_ sum: Double) -> Double? {
      tally.matched > 0 ? sum / Double(tally.matched) / 1000 : nil
    }
    return [
      detection.precision, detection.recall, detection.f1,
      meanMilliseconds(tally.absoluteError), meanMilliseconds(tally.signedError),
    ] + (comparesEnds ? [] : [tally.matched > 0 ? Double(tally.sameEnd) / Double(tally.matched) : nil])
  }
  /// The cases: the true reps.
  public func caseValues(_ clip: LabelledPrediction) -> [String: [Double?]] {
    let truth = clip.groundTruth.reps ?? []
    let predicted = (clip.prediction.reps ?? []).map(\.rep)
    var errors = [Double?](repeating: nil, count: truth.count)
    for pair in matching.pairs(truth: truth, predicted: predicted) {
      errors[pair.truth] = (matching.time(predicted[pair.predicted]) - matching.time(truth[pair.truth])).milliseconds
    }
    return ["reps.timing-error": errors.map { $0.map(abs) }, "reps.timing-bias": errors]
  }
}
