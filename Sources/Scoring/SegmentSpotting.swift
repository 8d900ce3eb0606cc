import PoseModel

/// How well labelled segments are spotted: average precision over the segments in the order of their scores, the
/// accuracy over all frames, and the precision of predicted frames.
///
/// Segments may have scores. Segments of other labels are ignored.
public struct SegmentSpotting: MetricFamily {
  public static let title = "postures and phases: frames by their label, and segments"

  public struct Tally: Hashable, Codable, Sendable {
    var detection = SegmentDetection()
    var frames = FrameAccuracy()
    /// The predictions for the labelled frames.
    var classes = ConfusionMatrix()
  }

  /// The labels that the detector can predict.
  public var labels: [String]

  public init(labels: [String]) { self.labels = labels }

  public init?(for detector: ScoredDetector) {
    guard detector.tasks.spots, !detector.tasks.postures.isEmpty else { return nil }
    self.init(labels: detector.tasks.postures)
  }

  public let metrics: [Metric] = [.segmentMeanAveragePrecision, .frameAccuracy, .macroPrecision]

  public func tally(_ clip: LabelledPrediction) -> Tally {
    let truth = clip.groundTruth.intervals.filter { labels.contains($0.label) }
    let scores = clip.prediction.segmentScores
    let said = clip.prediction.segments.enumerated().filter { labels.contains($0.element.label) }
    return Tally(
      detection: SegmentDetection(
        truth: truth.map { SegmentDetection.TrueSegment(clip: clip.name, segment: $0) },
        detections: said.map {
          SegmentDetection.Detection(
            clip: clip.name, segment: $0.element, score: $0.offset < scores.count ? scores[$0.offset] : 1)
        }),
      // A clip without labels is unlabelled, not empty.
      frames: truth.isEmpty
        ? FrameAccuracy() : FrameAccuracy(truth: truth, predicted: said.map(\.element), frames: clip.frames),
      classes: SegmentMetrics(labels: labels).confusion(clip))
  }

  public func pool(_ a: Tally, _ b: Tally) -> Tally {
    Tally(detection: a.detection + b.detection, frames: a.frames + b.frames, classes: a.classes + b.classes)
  }

  public func values(_ tally: Tally) -> [Double?] {
    // A prediction without a label is not an error of any label.
    let precisions = zip(tally.classes.labels, tally.classes.detections).filter { labels.contains($0.0) }
      .map(\.1.precision)
    return [
      tally.detection.meanAveragePrecision(labels: labels).value, tally.frames.value, MeanOfDefined(precisions).value,
    ]
  }

  /// False detections alone have no average precision, but change the pooled value.
  public func contributes(_ tally: Tally) -> [Bool] {
    [!tally.detection.truth.isEmpty || !tally.detection.detections.isEmpty]
      + values(tally).dropFirst().map { $0 != nil }
  }
}
