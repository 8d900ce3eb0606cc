import PoseModel

/// The person's postures or phases, scored frame by frame and as a sequence of segments.
///
/// Only frames with a label that the detector can predict count. A labelled frame without a prediction counts as
/// `none`.
public struct SegmentMetrics: MetricFamily {
  public static let title = "postures and phases: frames by their label, and segments"

  public struct Tally: Hashable, Codable, Sendable {
    /// The predictions for the labelled frames.
    public fileprivate(set) var frames: ConfusionMatrix
    /// F1 at 10, 25 and 50 % overlap.
    var overlapping: [DetectionCounts]
    var edit: SegmentalEdit
  }

  /// The labels that the detector can predict.
  public var labels: [String]

  public init(labels: [String]) { self.labels = labels }

  public static let needsFrames = true

  public init?(for detector: ScoredDetector) {
    guard !detector.tasks.postures.isEmpty else { return nil }
    self.init(labels: detector.tasks.postures)
  }

  private static let overlaps = [0.1, 0.25, 0.5]
  private static let none = "none"

  public var metrics: [Metric] {
    [.accuracy, .balancedAccuracy, .macroF1, .matthewsCorrelation] + labels.flatMap { Metric.classification(label: $0) }
      + Metric.segmentalF1 + [.segmentalEdit]
  }

  func confusion(_ clip: LabelledPrediction) -> ConfusionMatrix {
    let (truth, said) = segments(clip)
    let labelled = zip(truth.labels(at: clip.frames), said.labels(at: clip.frames)).compactMap { truth, said in
      truth.map { (truth: $0, said: said ?? Self.none) }
    }
    return ConfusionMatrix(truth: labelled.map(\.truth), predicted: labelled.map(\.said), labels: labels)
  }

  /// The true and predicted segments with common labels.
  private func segments(_ clip: LabelledPrediction) -> (truth: [Segment], said: [Segment]) {
    let truth = clip.groundTruth.intervals.filter { labels.contains($0.label) }
    let said = clip.prediction.segments.filter { segment in
      // Predictions on unlabelled frames are not false detections.
      labels.contains(segment.label) && truth.contains { $0.start < segment.end && segment.start < $0.end }
    }
    return (truth, said)
  }

  public func tally(_ clip: LabelledPrediction) -> Tally {
    let (truth, said) = segments(clip)
    return Tally(
      frames: confusion(clip),
      overlapping: Self.overlaps.map { DetectionCounts(truth: truth, predicted: said, overlap: $0) },
      edit: truth.isEmpty
        ? SegmentalEdit() : SegmentalEdit(truth: truth.inOrder.map(\.label), predicted: said.inOrder.map(\.label)))
  }

  public func pool(_ a: Tally, _ b: Tally) -> Tally {
    Tally(
      frames: a.frames + b.frames, overlapping: zip(a.overlapping, b.overlapping).map { $0 + $1 },
      edit: a.edit + b.edit)
  }

  /// Frames with a single label have no correlation alone, but change the pooled one.
  public func contributes(_ tally: Tally) -> [Bool] {
    let isLabelled = tally.frames.accuracy != nil
    return zip(metrics, values(tally)).map { $0 == .matthewsCorrelation ? isLabelled : $1 != nil }
  }

  public func values(_ tally: Tally) -> [Double?] {
    let (frames, detections) = (tally.frames, tally.frames.detections)
    let byLabel = labels.flatMap { label -> [Double?] in
      let counts = frames.labels.firstIndex(of: label).map { detections[$0] } ?? DetectionCounts()
      return [counts.precision, counts.recall, counts.f1]
    }
    return [frames.accuracy, frames.macroRecall.value, frames.macroF1.value, frames.matthewsCorrelation] + byLabel
      + tally.overlapping.map(\.f1) + [tally.edit.value]
  }
}
