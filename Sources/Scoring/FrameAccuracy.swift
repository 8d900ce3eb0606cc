import PoseModel

/// The share of frames that are in the right segment; frames outside all segments are a label of their own.
public struct FrameAccuracy: Hashable, Sendable {
  var right = 0
  var frames = 0

  public init() {}

  /// - Parameter frames: when each frame of the clip was taken, in order.
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

extension Metric {
  public static let frameAccuracy = Metric(
    "segments.frame-accuracy", "Share of frames in the right segment, or rightly in none.", .higherIsBetter,
    range: 0...1, undefined: "there are no frames",
    source: "the definition; MoF in Lea et al., Temporal Convolutional Networks, 2017")
}
