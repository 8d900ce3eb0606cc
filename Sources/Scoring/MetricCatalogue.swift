/// Every metric that there is, by family.
///
/// Where a metric's name or range depends on the suite (what is matched, which faults or labels there are), the catalogue
/// is made for one.
public struct MetricCatalogue: Sendable {
  /// Metrics of one kind, whose names begin alike.
  public struct Group: Hashable, Sendable {
    /// One line: what the metrics are about.
    public var title: String
    public var metrics: [Metric]
  }

  public let groups: [Group]

  /// - Parameters:
  ///   - matching: when a predicted rep is a true one.
  ///   - faults: that a detector can find.
  ///   - labels: that a classifier can tell.
  public init(
    matching: RepMatching, faults: [String] = ["<fault>"], labels: [String] = ["<label>"]
  ) {
    let agreement: [Metric] = [.pearson, .kendallTauB, .rootMeanSquareError]
    groups = [
      Group(title: "rep counts", metrics: CountMetrics().metrics),
      Group(title: "reps found in time", metrics: RepEventMetrics(matching: matching).metrics),
      Group(
        title: "strokes", metrics: StrokeMetrics(tolerance: matching.tolerance, labels: labels).metrics),
      Group(title: "single events", metrics: [.percentageOfCorrectEvents, .spottingMeanAveragePrecision]),
      Group(
        title: "postures and phases: frames by their label, and segments",
        metrics: SegmentMetrics(labels: labels).metrics
          + [.macroPrecision, .segmentMeanAveragePrecision, .frameAccuracy]),
      Group(
        title: "scores of yes or no",
        metrics: [.areaUnderROC, .averagePrecision, .brier, .expectedCalibrationError]),
      Group(
        title: "grades",
        metrics: GradeMetrics(matching: matching, criterion: "").metrics + agreement + [.relativeL2]
          + Metric.cohenKappa + Metric.intraclassCorrelation + Metric.krippendorffAlpha
          + [.blandAltmanBias, .blandAltmanLower, .blandAltmanUpper] + agreement.map { Metric.humanCeiling(of: $0) }),
      Group(
        title: "faults",
        metrics: FaultMetrics(matching: matching, faults: faults).metrics
          + AnyFaultMetrics(matching: matching, criterion: "").metrics),
      Group(
        title: "keypoints of two estimators",
        metrics: [
          .percentageOfCorrectKeypoints, .objectKeypointSimilarity, .poseAcceleration, .poseJerk, .keypointDropOut,
        ]),
      Group(title: "cues", metrics: CueMetrics(faults: faults, cooldown: .zero).metrics),
      Group(title: "latency", metrics: LatencyMetrics(matching: matching).metrics),
    ]
  }

  /// All metrics, family by family.
  public var all: [Metric] { groups.flatMap(\.metrics) }

  /// The metric of this name; `nil` where there is none.
  public func metric(named name: String) -> Metric? { all.first { $0.name == name } }
}
