import Charts
import Scoring

/// Small charts of classes, confidences and agreement whose every number is known.
extension Examples {
  static let confusion = ConfusionChart(
    source: "test", truths: ["deep", "shallow"], predictions: ["deep", "shallow", "no answer"],
    counts: [[6, 1, 1], [1, 3, 0]], recalls: [Estimate(0.75, lower: 0.41, upper: 0.93), Estimate(0.75)], subjects: 2,
    remarks: ["accuracy 0.75"])

  static let curve = ThresholdCurve(
    name: "depth",
    rates: [
      ThresholdRates(
        threshold: 0.9, recall: Estimate(0.5, lower: 0.25, upper: 0.75), precision: Estimate(1, lower: 0.5, upper: 1),
        falsePositiveRate: Estimate(0)),
      ThresholdRates(
        threshold: 0.5, recall: Estimate(1), precision: Estimate(0.8), falsePositiveRate: Estimate(0.25)),
      ThresholdRates(threshold: 0.1, recall: Estimate(.nan)),
    ],
    operatingPoint: ThresholdRates(
      threshold: 0.9, recall: Estimate(0.5, lower: 0.25, upper: 0.75), precision: Estimate(1),
      falsePositiveRate: Estimate(0)))

  static let precisionRecall = PrecisionRecallCurve(
    Classification(
      topic: "Precision and recall", source: "test", curves: [curve], positives: 4, negatives: 12, subjects: 2,
      remarks: ["average precision 0.90"]))

  static let roc = ROCCurve(
    Classification(
      topic: "Receiver operating characteristic", source: "test", curves: [curve], positives: 4, negatives: 12,
      remarks: ["AUC 0.91"]))

  /// Right, right, wrong and right, by falling confidence.
  static let coverage = CoverageAccuracy(
    source: "test",
    curve: CoverageCurve([(0.9, true), (0.8, true), (0.7, false), (0.2, true)]), clips: 4, subjects: 2,
    remarks: ["area 0.86"])

  static let reliability = ReliabilityDiagram(
    source: "test",
    bins: [
      .init(stated: 0.75, observed: Estimate(0.5, lower: 0.25, upper: 0.75), count: 8),
      .init(stated: 0.25, observed: Estimate(0.25), count: 4), .init(stated: .nan, observed: Estimate(.nan), count: 0),
    ], remarks: ["calibration error 0.17"])

  static let blandAltman = BlandAltmanPlot(
    topic: "Knee angle", source: "test", quantity: "knee angle (°)",
    pairs: [
      .init(subject: "anna", measured: 92, reference: 90), .init(subject: "anna", measured: 96, reference: 92),
      .init(subject: "bert", measured: 99, reference: 100), .init(subject: "bert", measured: .nan, reference: 100),
    ], bias: Estimate(1.5, lower: -1, upper: 4), lowerLimit: Estimate(-4), upperLimit: Estimate(7),
    remarks: ["3 of 4 reps"])

  static let raters = RaterCorrelations(
    source: "test", measure: "weighted kappa", raters: ["A", "B", "detector"], detectors: [2],
    cells: [
      [nil, nil, nil], [.init(Estimate(0.8, lower: 0.6, upper: 0.95), count: 20), nil, nil],
      [.init(Estimate(0.5), count: 12), .init(Estimate(.nan), count: 1), nil],
    ])

  static let ladder = RobustnessLadder(
    topic: "mae under noise", source: "test", perturbation: "noise (% of the height)", metric: "mae (reps)",
    isHigherBetter: false,
    steps: [
      .init(strength: 2, score: Estimate(1.5, lower: 1, upper: 2)), .init(strength: 0, score: Estimate(0.5)),
      .init(strength: 1, score: Estimate(0.75)), .init(strength: 4, score: Estimate(.nan)),
    ], margin: 0.5, clips: 24, subjects: 12)

  static let history = MetricHistory(
    topic: "mae over the runs", source: "test", metric: "mae (reps)",
    runs: [
      .init(name: "a1", score: Estimate(1, lower: 0.5, upper: 1.5), data: "d1", release: "1.0", subjects: 10),
      .init(name: "a2", score: Estimate(0.5, lower: 0.25, upper: 0.75), data: "d1", subjects: 9),
      .init(name: "a3", score: Estimate(2), data: "d2"), .init(name: "a4", score: Estimate(.nan), data: "d2"),
    ], remarkable: (1, "changed by 2 clips"))

  static let card = DatasetCard(
    name: "sample", source: "SYNTHETIC · CC0", clips: 3, subjects: 2,
    facts: [.init("frames", "900"), .init("licence", "CC0")],
    distributions: [
      .init(title: "clips by view", counts: [.init("front", 2), .init("side", 1)]), .init(title: "empty", counts: []),
    ], cautions: ["No one is older than 30."])
}
