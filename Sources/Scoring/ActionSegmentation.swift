import PoseModel

/// How well a recording is split into labelled segments: frame accuracy (MoF), the edit score and F1@k, the usual three
/// columns in papers on action segmentation.
///
/// - Source: Lea et al., Temporal Convolutional Networks for Action Segmentation and Detection, 2017.
public enum ActionSegmentation: MetricGroup {
  public static let title = "postures and phases: frames by their label, and segments"

  public static let plainNames = [
    "segments.edit": "segment order",
    "segments.frame-accuracy": "frames in right segment",
  ]

  public static func metrics(for detector: ScoredDetector) -> [Metric] {
    Metric.segmentalF1 + [.segmentalEdit, .frameAccuracy]
  }
}

/// The share of frames that are in the right segment; frames outside all segments are a label of their own.
public struct FrameAccuracy: Hashable, Codable, Sendable {
  var right = 0
  var frames = 0

  public init() {}

  /// - Parameter frames: The time of each frame of the clip, in order.
  public init(truth: [Segment], predicted: [Segment], frames: [Microseconds]) {
    self.frames = frames.count
    right = zip(truth.labels(at: frames), predicted.labels(at: frames)).count { $0 == $1 }
  }

  public static func + (a: Self, b: Self) -> Self {
    var sum = a
    sum.right += b.right
    sum.frames += b.frames
    return sum
  }

  /// 0...1; `nil` without frames.
  public var value: Double? { frames > 0 ? Double(right) / Double(frames) : nil }
}

extension DetectionCounts {
  /// F1@k: correct and wrong segments of one clip; a correct one overlaps a true one with the same label by at least
  /// `overlap`.
  ///
  /// In time order, each predicted segment is compared with the true one of its label that it overlaps most; if an
  /// earlier one already matched that one, it is wrong. This penalises a phase cut in two, but not a border that is
  /// slightly off. Counts of clips add, and `f1` is the metric.
  ///
  /// - Parameter overlap: The least intersection over union, above 0: 0.1, 0.25 and 0.5 are usual.
  /// - Source: Lea et al., Temporal Convolutional Networks for Action Segmentation and Detection, 2017.
  public init(truth: [Segment], predicted: [Segment], overlap: Double) {
    let truth = truth.inOrder
    var found = Set<Int>()
    for segment in predicted.inOrder {
      let overlaps = truth.indices.filter { truth[$0].label == segment.label }
        .map { (index: $0, overlap: truth[$0].intersectionOverUnion(segment)) }
      // Of two equal overlaps, the earlier.
      guard let most = overlaps.reversed().max(by: { $0.overlap < $1.overlap }), most.overlap >= overlap else {
        continue
      }
      found.insert(most.index)
    }
    self.init(
      truePositives: found.count, falsePositives: predicted.count - found.count,
      falseNegatives: truth.count - found.count)
  }
}

/// The segmental edit score: how correct the order of the segments is, whatever their lengths.
///
/// One minus the least number of segments to insert, delete or rename, divided by the number of segments in the longer
/// list; the mean over the clips. 0...1, symmetric; published tables print it times 100.
///
/// - Source: Lea et al., Segmental Spatiotemporal CNNs for Fine-grained Action Segmentation, 2016; the distance is
///   Levenshtein's, 1966.
public struct SegmentalEdit: Hashable, Codable, Sendable {
  var clips = 0
  var sum = 0.0
  /// Clips without a true or predicted segment, which have no score.
  public private(set) var undefined = 0

  public init() {}

  /// - Parameters: The labels of one clip's segments, in time order.
  public init(truth: [String], predicted: [String]) {
    let longer = max(truth.count, predicted.count)
    guard longer > 0 else {
      undefined = 1
      return
    }
    clips = 1
    sum = 1 - Double(editDistance(truth, predicted)) / Double(longer)
  }

  public static func + (a: Self, b: Self) -> Self {
    var total = a
    total.clips += b.clips
    total.sum += b.sum
    total.undefined += b.undefined
    return total
  }

  /// `nil` if no clip has segments.
  public var value: Double? { clips > 0 ? sum / Double(clips) : nil }
}

extension Metric {
  /// F1@10, F1@25 and F1@50.
  public static let segmentalF1 = [10, 25, 50].map { segmentalF1(percent: $0) }

  public static func segmentalF1(percent: Int) -> Metric {
    Metric(
      "segments.f1-\(percent)",
      "Harmonic mean of precision and recall of segments that overlap by \(percent) % or more (F1@\(percent)).",
      .higherIsBetter, range: 0...1, undefined: "there are neither true nor predicted segments",
      source: "Lea et al., Temporal Convolutional Networks for Action Segmentation and Detection, 2017",
      aggregation: .ratio)
  }

  public static let segmentalEdit = Metric(
    "segments.edit", "Mean agreement of the order of a clip's segments (1 − relative edit distance).",
    .higherIsBetter, range: 0...1,
    undefined: "no clip has true or predicted segments; clips without are left out and counted",
    source: "Lea et al., Segmental Spatiotemporal CNNs for Fine-grained Action Segmentation, 2016")

  public static let frameAccuracy = Metric(
    "segments.frame-accuracy", "Share of frames in the right segment, or correctly in none.", .higherIsBetter,
    range: 0...1, undefined: "there are no frames",
    source: "the definition; MoF in Lea et al., Temporal Convolutional Networks, 2017", aggregation: .ratio)
}

/// The least number of elements to insert, delete or replace in `a` to make it `b`.
func editDistance<Element: Equatable>(_ a: [Element], _ b: [Element]) -> Int {
  // The distances between the part of `a` so far and each prefix of `b`.
  var distances = Array(0...b.count)
  for (row, element) in a.enumerated() {
    var diagonal = distances[0]
    distances[0] = row + 1
    for (column, other) in b.enumerated() {
      let replaced = diagonal + (element == other ? 0 : 1)
      diagonal = distances[column + 1]
      distances[column + 1] = min(replaced, diagonal + 1, distances[column] + 1)
    }
  }
  return distances[b.count]
}
