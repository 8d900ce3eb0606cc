/// The segmental edit score: how well the order of the segments is right, however long they are.
///
/// One less the least number of segments to insert, delete or rename, over the number of segments of the longer list;
/// the mean over the clips. 0...1, symmetric; published tables print it times 100.
///
/// - Source: Lea et al., Segmental Spatiotemporal CNNs for Fine-grained Action Segmentation, 2016; the distance is
///   Levenshtein's, 1966.
public struct SegmentalEdit: Hashable, Sendable {
  var clips = 0
  var sum = 0.0
  /// Clips without a true or predicted segment, of which there is nothing to say.
  public private(set) var undefined = 0

  public init() {}

  /// - Parameters: labels of one clip's segments, in order of time.
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

  /// `nil` where no clip has segments.
  public var value: Double? { clips > 0 ? sum / Double(clips) : nil }
}

/// The least number of elements to insert, delete or replace in `a` to make it `b`.
func editDistance<Element: Equatable>(_ a: [Element], _ b: [Element]) -> Int {
  // Distances of what was seen of `a` to each beginning of `b`.
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

extension Metric {
  public static let segmentalEdit = Metric(
    "segments.edit", "Mean agreement of the order of a clip's segments (one less the relative edit distance).",
    .higherIsBetter, range: 0...1,
    undefined: "no clip has true or predicted segments; clips without are left out and counted",
    source: "Lea et al., Segmental Spatiotemporal CNNs for Fine-grained Action Segmentation, 2016")
}
