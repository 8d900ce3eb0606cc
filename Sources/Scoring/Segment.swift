import PoseModel

/// A labelled stretch of a recording: a swing, a phase, a stage. It ends before `end`.
public struct Segment: Hashable, Sendable {
  public var start: Microseconds
  public var end: Microseconds
  public var label: String

  public init(start: Microseconds, end: Microseconds, label: String) {
    self.start = start
    self.end = end
    self.label = label
  }

  /// Temporal intersection over union, 0...1, whatever the labels; 0 for two segments without length.
  public func intersectionOverUnion(_ other: Segment) -> Double {
    let intersection = (min(end, other.end) - max(start, other.start)).count
    guard intersection > 0 else { return 0 }
    let union = (end - start).count + (other.end - other.start).count - intersection
    return Double(intersection) / Double(union)
  }
}

extension [Segment] {
  /// The label of each frame, `nil` outside all segments; where segments overlap, that of the one that started last.
  ///
  /// - Parameter frames: when each was taken, in order.
  func labels(at frames: [Microseconds]) -> [String?] {
    func firstFrame(from time: Microseconds) -> Int {
      var (low, high) = (0, frames.count)
      while low < high {
        let middle = (low + high) / 2
        if frames[middle] < time { low = middle + 1 } else { high = middle }
      }
      return low
    }
    var labels = [String?](repeating: nil, count: frames.count)
    for segment in inOrder where segment.start < segment.end {
      for frame in firstFrame(from: segment.start)..<firstFrame(from: segment.end) { labels[frame] = segment.label }
    }
    return labels
  }

  /// By start, then end, then label.
  var inOrder: [Segment] {
    sorted { a, b in
      if a.start != b.start { return a.start < b.start }
      return a.end == b.end ? a.label < b.label : a.end < b.end
    }
  }
}
