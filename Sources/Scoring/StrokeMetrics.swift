import PoseModel

/// Whether each stroke was found, when, and under which name: predicted contacts matched one to one with the true
/// events.
///
/// Events of other labels are not strokes that the system could name: they are left out. A clip whose strokes are not
/// labelled is not tallied.
public struct StrokeMetrics: MetricFamily {
  public static let title = "strokes"

  public static let plainNames = [
    "strokes.precision": "true stroke detections",
    "strokes.recall": "strokes found",
    "strokes.f1": "strokes found (F1)",
    "strokes.accuracy": "strokes named correctly",
    "strokes.timing-error": "contact timing error",
    "strokes.timing-bias": "contact timing bias",
  ]

  public struct Tally: Hashable, Codable, Sendable {
    var found = DetectionCounts()
    var rightlyNamed = 0
    /// The strokes found in time and named correctly, by label.
    var byLabel: [String: DetectionCounts] = [:]
    /// Sums over the matched strokes, in whole microseconds: rounding then does not depend on the order of adding.
    var absoluteError = 0.0
    var signedError = 0.0
    /// The predictions for the strokes: `none` is the prediction for a missed stroke, and the truth of a false
    /// detection.
    public fileprivate(set) var confusion = ConfusionMatrix()
  }

  /// The true strokes that the system can name, and the predicted ones.
  public struct Matches: Sendable {
    public var truth: [LabelledInstant]
    public var predicted: [Prediction.Stroke]
    /// Indices of matching strokes.
    public var pairs: [(truth: Int, predicted: Int)]

    /// The pairs whose stroke is named otherwise than labelled.
    public var misnamed: [(truth: Int, predicted: Int)] {
      pairs.filter { truth[$0.truth].label != predicted[$0.predicted].segment.label }
    }
  }

  /// The largest distance of a predicted contact from the true one.
  public var tolerance: Microseconds
  /// The strokes that the system can name.
  public var labels: [String]

  public init(tolerance: Microseconds, labels: [String]) {
    self.tolerance = tolerance
    self.labels = labels
  }

  public init?(for detector: ScoredDetector) {
    // A true stroke is an instant, which overlaps nothing.
    guard let strokes = detector.tasks.strokes, let tolerance = detector.matching.tolerance else { return nil }
    self.init(tolerance: tolerance, labels: strokes)
  }

  public var metrics: [Metric] {
    let seconds = "within \(tolerance.seconds) s of its contact"
    let matching = "maximum one-to-one matching, as mir_eval's onset detection"
    return [
      Metric(
        "strokes.precision", "Share of predicted strokes that are a true one \(seconds), whatever its name.",
        .higherIsBetter, range: 0...1, undefined: "no stroke is predicted", source: matching, aggregation: .ratio),
      Metric(
        "strokes.recall", "Share of true strokes that are predicted \(seconds), whatever the name.", .higherIsBetter,
        range: 0...1, undefined: "there are no true strokes", source: matching, aggregation: .ratio),
      Metric(
        "strokes.f1", "Harmonic mean of precision and recall.", .higherIsBetter, range: 0...1,
        undefined: "there are neither true nor predicted strokes",
        source: "van Rijsbergen, Information Retrieval, 1979", aggregation: .ratio),
      Metric(
        "strokes.accuracy", "Share of the found strokes that are named correctly.", .higherIsBetter, range: 0...1,
        undefined: "no stroke is found", source: "the definition", aggregation: .ratio, trivial: [.commonestLabel]),
      Metric(
        "strokes.timing-error", "Mean distance in time of matched contacts.", .lowerIsBetter, unit: "ms",
        range: 0...tolerance.milliseconds, undefined: "no stroke is found", source: "the definition",
        ofCasesFound: .mean),
      Metric(
        "strokes.timing-bias", "Mean signed distance in time of matched contacts: above 0 is late.", .zeroIsBest,
        unit: "ms", range: -tolerance.milliseconds...tolerance.milliseconds, undefined: "no stroke is found",
        source: "the definition", ofCasesFound: .mean),
    ]
      + labels.flatMap { label in
        [
          Metric(
            "strokes.\(label).precision", "Share of the predicted \(label) strokes that match a true one \(seconds).",
            .higherIsBetter, range: 0...1, undefined: "no \(label) is predicted", source: matching, aggregation: .ratio),
          Metric(
            "strokes.\(label).recall", "Share of the true \(label) strokes that are predicted as \(label).",
            .higherIsBetter, range: 0...1, undefined: "there is no true \(label)", source: matching, aggregation: .ratio
          ),
          Metric(
            "strokes.\(label).f1", "Harmonic mean of precision and recall of \(label).", .higherIsBetter,
            range: 0...1, undefined: "there is neither a true nor a predicted \(label)",
            source: "van Rijsbergen, Information Retrieval, 1979", aggregation: .ratio),
        ]
      }
  }

  /// The matches of the strokes. In a clip without stroke labels none is true.
  public func matches(_ clip: LabelledPrediction) -> Matches {
    let truth = clip.groundTruth.events.filter { labels.contains($0.label) }
    let predicted = clip.prediction.strokes
    return Matches(
      truth: truth, predicted: predicted,
      pairs: matchEvents(truth: truth.map(\.time), predicted: predicted.map(\.contact), tolerance: tolerance))
  }

  private func confusion(_ matches: Matches) -> ConfusionMatrix {
    let (truth, predicted, pairs) = (matches.truth, matches.predicted, matches.pairs)
    let (found, meant) = (Set(pairs.map(\.truth)), Set(pairs.map(\.predicted)))
    var named = pairs.map { (truth: truth[$0.truth].label, predicted: predicted[$0.predicted].segment.label) }
    named += truth.indices.filter { !found.contains($0) }.map { (truth[$0].label, Self.none) }
    named += predicted.indices.filter { !meant.contains($0) }.map { (Self.none, predicted[$0].segment.label) }
    return ConfusionMatrix(truth: named.map(\.truth), predicted: named.map(\.predicted), labels: labels)
  }

  /// The label for no stroke in a confusion matrix.
  public static let none = "none"

  public func tally(_ clip: LabelledPrediction) -> Tally {
    guard clip.groundTruth.hasStrokeLabels else { return Tally() }
    let matches = matches(clip)
    let (truth, predicted, pairs) = (matches.truth, matches.predicted, matches.pairs)
    var tally = Tally()
    tally.confusion = confusion(matches)
    tally.found = DetectionCounts(
      truePositives: pairs.count, falsePositives: predicted.count - pairs.count,
      falseNegatives: truth.count - pairs.count)
    for pair in pairs {
      let error = predicted[pair.predicted].contact - truth[pair.truth].time
      tally.absoluteError += Double(error.magnitude.count)
      tally.signedError += Double(error.count)
      if predicted[pair.predicted].segment.label == truth[pair.truth].label { tally.rightlyNamed += 1 }
    }
    for label in labels {
      let truth = truth.filter { $0.label == label }
      let predicted = predicted.filter { $0.segment.label == label }
      let matched = matchEvents(
        truth: truth.map(\.time), predicted: predicted.map(\.contact), tolerance: tolerance
      ).count
      tally.byLabel[label] = DetectionCounts(
        truePositives: matched, falsePositives: predicted.count - matched, falseNegatives: truth.count - matched)
    }
    return tally
  }

  /// The cases: the true strokes.
  public func caseValues(_ clip: LabelledPrediction) -> [String: [Double?]] {
    let matches = matches(clip)
    var errors = [Double?](repeating: nil, count: matches.truth.count)
    for pair in matches.pairs {
      let (truth, predicted) = (matches.truth[pair.truth], matches.predicted[pair.predicted])
      errors[pair.truth] = (predicted.contact - truth.time).milliseconds
    }
    return ["strokes.timing-error": errors.map { $0.map(abs) }, "strokes.timing-bias": errors]
  }

  public func pool(_ a: Tally, _ b: Tally) -> Tally {
    Tally(
      found: a.found + b.found, rightlyNamed: a.rightlyNamed + b.rightlyNamed,
      byLabel: a.byLabel.merging(b.byLabel, uniquingKeysWith: +),
      absoluteError: a.absoluteError + b.absoluteError, signedError: a.signedError + b.signedError,
      confusion: a.confusion + b.confusion)
  }

  public func values(_ tally: Tally) -> [Double?] {
    let matched = tally.found.truePositives
    func perMatch(_ sum: Double) -> Double? { matched > 0 ? sum / Double(matched) : nil }
    return [
      tally.found.precision, tally.found.recall, tally.found.f1, perMatch(Double(tally.rightlyNamed)),
      perMatch(tally.absoluteError / 1000), perMatch(tally.signedError / 1000),
    ]
      + labels.flatMap { label -> [Double?] in
        let counts = tally.byLabel[label] ?? DetectionCounts()
        return [counts.precision, counts.recall, counts.f1]
      }
  }
}
