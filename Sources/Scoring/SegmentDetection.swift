import PoseModel

/// Scored detections of labelled segments with the true ones, matched by overlap.
///
/// - Source: Caba Heilbron et al., ActivityNet, 2015, and its evaluation code: in descending order of score, each
///   detection takes the true segment of its clip and label that it overlaps most among those not yet taken.
public struct SegmentDetection: Hashable, Codable, Sendable {
  public struct TrueSegment: Hashable, Codable, Sendable {
    public var clip: String
    public var segment: Segment

    public init(clip: String, segment: Segment) {
      self.clip = clip
      self.segment = segment
    }
  }

  public struct Detection: Hashable, Codable, Sendable {
    public var clip: String
    public var segment: Segment
    /// Higher is more confident.
    public var score: Double

    public init(clip: String, segment: Segment, score: Double) {
      self.clip = clip
      self.segment = segment
      self.score = score
    }
  }

  /// The overlaps that ActivityNet averages over: 0.5, 0.55 … 0.95.
  public static let activityNetOverlaps = (10...19).map { Double($0) / 20 }

  public var truth: [TrueSegment]
  public var detections: [Detection]

  public init(truth: [TrueSegment] = [], detections: [Detection] = []) {
    self.truth = truth
    self.detections = detections
  }

  public static func + (a: Self, b: Self) -> Self {
    Self(truth: a.truth + b.truth, detections: a.detections + b.detections)
  }

  /// 0...1; `nil` for a label that is absent from the ground truth, whatever is detected, and if a score is NaN.
  ///
  /// - Parameter overlap: The least intersection over union that counts, above 0.
  public func averagePrecision(of label: String, overlap: Double) -> Double? {
    let segments = truth.filter { $0.segment.label == label }
    let detections = detections.filter { $0.segment.label == label }
    guard !detections.contains(where: \.score.isNaN) else { return nil }
    var open = Dictionary(grouping: segments, by: \.clip).mapValues { $0.map(\.segment).inOrder }
    let hits = detections.sorted(by: Self.isSurer).map { detection in
      let segments = open[detection.clip, default: []]
      let near = segments.indices.map { (index: $0, overlap: segments[$0].intersectionOverUnion(detection.segment)) }
        .filter { $0.overlap >= overlap }
      // Of two equal overlaps, the earlier.
      guard let nearest = near.reversed().max(by: { $0.overlap < $1.overlap }) else { return false }
      open[detection.clip]?.remove(at: nearest.index)
      return true
    }
    return interpolatedAveragePrecision(hits: hits, of: segments.count)
  }

  /// The mean over the labels of the mean over the overlaps; labels absent from the ground truth are counted as undefined.
  public func meanAveragePrecision(
    labels: [String], overlaps: [Double] = SegmentDetection.activityNetOverlaps
  ) -> MeanOfDefined {
    MeanOfDefined(
      labels.map { label in
        MeanOfDefined(overlaps.map { averagePrecision(of: label, overlap: $0) }).value
      })
  }

  private static func isSurer(_ a: Detection, _ b: Detection) -> Bool {
    if a.score != b.score { return a.score > b.score }
    if a.clip != b.clip { return a.clip < b.clip }
    if a.segment.start != b.segment.start { return a.segment.start < b.segment.start }
    return a.segment.end < b.segment.end
  }
}

extension SegmentDetection: MetricGroup {
  public static let title = "postures and phases: frames by their label, and segments"

  public static let plainNames = ["segments.map": "segments found (mAP)"]

  public static func metrics(for detector: ScoredDetector) -> [Metric] {
    [.segmentMeanAveragePrecision]
  }
}

extension Metric {
  public static let segmentMeanAveragePrecision = Metric(
    "segments.map", "Average precision of scored segments, mean over labels and overlaps of 0.5 to 0.95.",
    .higherIsBetter, range: 0...1,
    undefined: "no label occurs in the ground truth; labels that do not are left out and counted",
    source: "Caba Heilbron et al., ActivityNet, 2015; overlaps of its 2016 challenge", aggregation: .pooled)
}
