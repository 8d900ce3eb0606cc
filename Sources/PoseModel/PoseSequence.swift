/// A clip's poses on the common joints: one contiguous Float32 buffer, a column a joint and channel.
///
/// x grows to the right and y downwards, in image heights; z grows away from the camera in the same unit; confidence is
/// 0...1. Missing is NaN. Columns stand joint-major: joint 0's x, y, z, confidence, then joint 1's.
public struct PoseSequence: Sendable {
  /// Strictly increasing.
  public let times: [Microseconds]
  @usableFromInline let values: [Float]

  public var frameCount: Int { times.count }

  /// - Parameter values: `times.count` values a column, `Joint.count * Channel.count` columns.
  init(times: [Microseconds], values: [Float]) {
    precondition(values.count == times.count * Joint.count * Channel.count)
    self.times = times
    self.values = values
  }

  public subscript(_ joint: Joint, _ channel: Channel, _ frame: Int) -> Float {
    values[(joint.index * Channel.count + channel.index) * frameCount + frame]
  }

  /// One value a frame.
  public func column(_ joint: Joint, _ channel: Channel) -> ArraySlice<Float> {
    let start = (joint.index * Channel.count + channel.index) * frameCount
    return values[start..<start + frameCount]
  }

  /// Calls `body` with a view of the frames in `range`.
  @inlinable
  public func withPoses<Result>(_ range: Range<Int>, _ body: (borrowing PoseColumns) -> Result) -> Result {
    precondition(range.lowerBound >= 0 && range.upperBound <= frameCount)
    return times.withUnsafeBufferPointer { times in
      values.withUnsafeBufferPointer { values in
        body(PoseColumns(times: times, values: values, stride: frameCount, first: range.lowerBound, count: range.count))
      }
    }
  }

  /// The frames at `indices`, in that order.
  public func selecting(_ indices: [Int]) -> PoseSequence {
    var selected: [Float] = []
    selected.reserveCapacity(indices.count * Joint.count * Channel.count)
    for column in 0..<Joint.count * Channel.count {
      for index in indices { selected.append(values[column * frameCount + index]) }
    }
    return PoseSequence(times: indices.map { times[$0] }, values: selected)
  }
}

extension PoseSequence {
  /// One frame by itself.
  public func frame(_ index: Int) -> PoseFrame {
    var frame = PoseFrame(time: times[index])
    for joint in Joint.allCases {
      frame.set(
        joint, x: self[joint, .x, index], y: self[joint, .y, index], z: self[joint, .z, index],
        confidence: self[joint, .confidence, index])
    }
    return frame
  }
}
