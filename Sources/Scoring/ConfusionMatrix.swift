/// How often each true label was predicted as each label, and the derived shares.
///
/// Undefined values are `nil`; means over the labels count those they leave out.
public struct ConfusionMatrix: Hashable, Sendable {
  /// In the order of the rows and columns.
  public private(set) var labels: [String]
  /// One row per true label, one column per predicted label.
  public private(set) var counts: [[Int]]

  /// - Parameter labels: In the wanted order; none twice.
  public init(labels: [String] = []) {
    self.labels = labels
    counts = labels.map { _ in labels.map { _ in 0 } }
  }

  /// - Parameter counts: A row and a column for each label.
  init(labels: [String], counts: [[Int]]) {
    self.labels = labels
    self.counts = counts
  }

  /// - Parameters: `truth` and `predicted` have the same count. Their labels are added to `labels`, in alphabetical
  ///   order.
  public init(truth: [String], predicted: [String], labels: [String] = []) {
    precondition(truth.count == predicted.count)
    self.init(labels: labels + Set(truth + predicted).subtracting(labels).sorted())
    let index = Dictionary(uniqueKeysWithValues: self.labels.enumerated().map { ($0.element, $0.offset) })
    for (truth, predicted) in zip(truth, predicted) {
      if let row = index[truth], let column = index[predicted] { counts[row][column] += 1 }
    }
  }

  /// The sum of both matrices; if their labels differ, with all of them: those of `a`, then the others of `b`.
  public static func + (a: Self, b: Self) -> Self {
    var sum = Self(labels: a.labels + b.labels.filter { !a.labels.contains($0) })
    for matrix in [a, b] {
      let index = matrix.labels.compactMap { sum.labels.firstIndex(of: $0) }
      for (row, counts) in zip(index, matrix.counts) {
        for (column, count) in zip(index, counts) { sum.counts[row][column] += count }
      }
    }
    return sum
  }

  /// The total count.
  public var total: Int { counts.reduce(0) { $0 + $1.reduce(0, +) } }

  /// How often each label is true.
  public var support: [Int] { counts.map { $0.reduce(0, +) } }

  /// How often each label is predicted.
  public var predicted: [Int] { labels.indices.map { column in counts.reduce(0) { $0 + $1[column] } } }

  /// Each label against the rest, in the order of `labels`.
  public var detections: [DetectionCounts] {
    zip(zip(support, predicted), labels.indices).map { sums, index in
      let right = counts[index][index]
      return DetectionCounts(
        truePositives: right, falsePositives: sums.1 - right, falseNegatives: sums.0 - right)
    }
  }

  private var right: Int { labels.indices.reduce(0) { $0 + counts[$1][$1] } }

  /// The correct share, 0...1; `nil` without any predictions.
  public var accuracy: Double? { total > 0 ? Double(right) / Double(total) : nil }

  /// Labels that are never predicted have no precision.
  public var macroPrecision: MeanOfDefined { MeanOfDefined(detections.map(\.precision)) }

  /// Labels that are never true have no recall.
  ///
  /// The value is the balanced accuracy.
  ///
  /// - Source: Brodersen et al., The Balanced Accuracy and Its Posterior Distribution, 2010, for more than two labels.
  public var macroRecall: MeanOfDefined { MeanOfDefined(detections.map(\.recall)) }

  /// Mean of the labels' F1, not F1 of the means; labels that are neither true nor predicted have none.
  public var macroF1: MeanOfDefined { MeanOfDefined(detections.map(\.f1)) }

  /// Matthews' correlation of truth and prediction, for any number of labels.
  ///
  /// −1...1, symmetric; `nil` if only one label is true, or only one predicted.
  ///
  /// - Source: Gorodkin, Comparing Two K-category Assignments by a K-category Correlation Coefficient, 2004.
  public var matthewsCorrelation: Double? {
    let (support, predicted, total) = (support.map(Double.init), predicted.map(Double.init), Double(total))
    func dot(_ a: [Double], _ b: [Double]) -> Double { zip(a, b).reduce(0) { $0 + $1.0 * $1.1 } }
    let variation = (total * total - dot(support, support)) * (total * total - dot(predicted, predicted))
    guard variation > 0 else { return nil }
    return min(max((Double(right) * total - dot(support, predicted)) / variation.squareRoot(), -1), 1)
  }
}

extension ConfusionMatrix: Codable {
  private enum CodingKeys: CodingKey { case labels, counts }

  /// - Throws: `DecodingError` if there is not one row and column per label, or a count is negative.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let labels = try container.decode([String].self, forKey: .labels)
    let counts = try container.decode([[Int]].self, forKey: .counts)
    let isSquare = counts.count == labels.count && counts.allSatisfy { $0.count == labels.count }
    guard isSquare, Set(labels).count == labels.count, counts.allSatisfy({ $0.allSatisfy { $0 >= 0 } }) else {
      throw DecodingError.dataCorruptedError(
        forKey: .counts, in: container,
        debugDescription: "expected \(labels.count) different labels with as many rows and columns of counts")
    }
    self.init(labels: labels, counts: counts)
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(labels, forKey: .labels)
    try container.encode(counts, forKey: .counts)
  }
}

extension ConfusionMatrix: MetricGroup {
  public static let title = "postures and phases: frames by their label, and segments"

  public static let plainNames = [
    "classes.accuracy": "frames right",
    "classes.balanced-accuracy": "frames right per label",
    "classes.macro-f1": "labels found (macro F1)",
    "classes.macro-precision": "labels right (macro precision)",
    "classes.mcc": "label correlation (MCC)",
  ]

  public static func metrics(for detector: ScoredDetector) -> [Metric] {
    [.accuracy, .balancedAccuracy, .macroPrecision, .macroF1, .matthewsCorrelation]
      + detector.tasks.postures.flatMap { Metric.classification(label: $0) }
  }
}

extension Metric {
  public static let accuracy = Metric(
    "classes.accuracy", "Share of items classified correctly.", .higherIsBetter, range: 0...1,
    undefined: "nothing is classified", source: "the definition", aggregation: .ratio, trivial: [.commonestLabel])

  public static let balancedAccuracy = Metric(
    "classes.balanced-accuracy", "Mean over the labels of the share that is recognised (macro recall).",
    .higherIsBetter, range: 0...1,
    undefined: "nothing is classified; labels that are never true are left out and counted",
    source: "Brodersen et al., The Balanced Accuracy and Its Posterior Distribution, 2010", aggregation: .ratio,
    trivial: [.commonestLabel])

  public static let macroPrecision = Metric(
    "classes.macro-precision", "Mean over the labels of the share of their predictions that is right.",
    .higherIsBetter, range: 0...1,
    undefined: "nothing is classified; labels that are never predicted are left out and counted",
    source: "Sokolova and Lapalme, A Systematic Analysis of Performance Measures, 2009, table 3", aggregation: .ratio)

  public static let macroF1 = Metric(
    "classes.macro-f1", "Mean over the labels of the harmonic mean of precision and recall.", .higherIsBetter,
    range: 0...1,
    undefined: "nothing is classified; labels that are neither true nor predicted are left out and counted",
    source: "Opitz and Burst, Macro F1 and Macro F1, 2019", aggregation: .ratio, trivial: [.commonestLabel])

  public static let matthewsCorrelation = Metric(
    "classes.mcc", "Matthews' correlation of the predicted with the true labels.", .higherIsBetter, range: -1...1,
    undefined: "only one label is true, or only one predicted",
    source: "Gorodkin, Comparing Two K-category Assignments by a K-category Correlation Coefficient, 2004",
    aggregation: .pooled)

  /// Precision, recall and F1 of one label.
  public static func classification(label: String) -> [Metric] {
    [
      Metric(
        "classes.\(label).precision", "Share of the items predicted as \(label) that are \(label).", .higherIsBetter,
        range: 0...1,
        undefined: "nothing is predicted as \(label)", source: "the definition", aggregation: .ratio),
      Metric(
        "classes.\(label).recall", "Share of the \(label) items that are predicted as \(label).", .higherIsBetter,
        range: 0...1,
        undefined: "nothing is \(label)", source: "the definition", aggregation: .ratio),
      Metric(
        "classes.\(label).f1", "Harmonic mean of precision and recall of \(label).", .higherIsBetter, range: 0...1,
        undefined: "nothing is \(label) or predicted as \(label)",
        source: "van Rijsbergen, Information Retrieval, 1979",
        aggregation: .ratio),
    ]
  }
}
