import PoseModel

extension DetectionCounts {
  /// F1@k: right and wrong segments of one clip, where right is to overlap a true one of the same label by at least
  /// `overlap`.
  ///
  /// In order of time each predicted segment is held against the true one of its label that it overlaps most; if an
  /// earlier one was right about that already, it is wrong. So a phase cut in two is punished, and a border that is a
  /// little off is not. Counts of clips add, and `f1` is the metric.
  ///
  /// - Parameter overlap: the least intersection over union, above 0: 0.1, 0.25 and 0.5 are usual.
  /// - Source: Lea et al., Temporal Convolutional Networks for Action Segmentation and Detection, 2017.
  public init(truth: [Segment], predicted: [Segment], overlap: Double) {
    let truth = truth.inOrder
    var found = Set<Int>()
    for segment in predicted.inOrder {
      let overlaps = truth.indices.filter { truth[$0].label == segment.label }
        .map { (index: $0, overlap: truth[$0].intersectionOverUnion(segment)) }
      // Of two that overlap as much, the earlier.
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

extension Metric {
  /// F1@10, F1@25 and F1@50.
  public static let segmentalF1 = [10, 25, 50].map { segmentalF1(percent: $0) }

  public static func segmentalF1(percent: Int) -> Metric {
    Metric(
      "segments.f1-\(percent)",
      "Harmonic mean of precision and recall of segments that overlap by \(percent) % or more (F1@\(percent)).",
      .higherIsBetter, range: 0...1, undefined: "there are neither true nor predicted segments",
      source: "Lea et al., Temporal Convolutional Networks for Action Segmentation and Detection, 2017")
  }
}
