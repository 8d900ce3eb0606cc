/// A clip's poses on the common joints: one contiguous Float32 buffer with one column per joint and channel.
///
/// x grows to the right and y downwards, in image heights; z grows away from the camera in the same unit; confidence is
/// 0...1. Missing is NaN. Columns stand joint-major: joint 0's x, y, z, confidence, then joint 1's.
public struct PoseSequence: Sendable {
  /// Strictly increasing.
  public let times: [Microseconds]
  @usableFromInline let values: [Float]

  /// Number of frames.
  public var frameCount: Int { times.count }

  /// - Parameter values: `times.count` values per column, `Joint.count * Channel.count` columns.
  init(times: [Microseconds], values: [Float]) {
    precondition(values.count == times.count * Joint.count * Channel.count)
    self.times = times
    self.values = values
  }

  /// One channel of a joint in a frame; NaN (confidence 0) where it was not found.
  @inlinable public subscript(_ joint: Joint, _ channel: Channel, _ frame: Int) -> Float {
    values[(joint.index * Channel.count + channel.index) * frameCount + frame]
  }

  /// One value per frame.
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

/// The components of a joint in a frame.
///
/// In a `PoseSequence`, x grows to the right and y downwards, both in image heights; z grows away from the camera in the
/// same unit and is NaN if a recording has no depth; confidence lies in 0...1. A missing joint is NaN in x and y.
public enum Channel: UInt8, CaseIterable, Hashable, Codable, Sendable {
  /// Right, down, away from the camera, and the estimator's confidence.
  case x, y, z, confidence

  /// Index in `allCases`, 0..<`count`.
  @inlinable public var index: Int { Int(rawValue) }
  /// Number of channels.
  public static let count = 4
}

/// A view of some frames' poses, column by column, valid while it is borrowed.
public struct PoseColumns: ~Copyable {
  @usableFromInline let times: UnsafeBufferPointer<Microseconds>
  @usableFromInline let values: UnsafeBufferPointer<Float>
  @usableFromInline let stride: Int
  @usableFromInline let first: Int
  /// Number of frames.
  public let count: Int

  @usableFromInline
  init(
    times: UnsafeBufferPointer<Microseconds>, values: UnsafeBufferPointer<Float>, stride: Int, first: Int, count: Int
  ) {
    self.times = times
    self.values = values
    self.stride = stride
    self.first = first
    self.count = count
  }

  /// The time of a frame, in recording time.
  @inlinable public func time(_ frame: Int) -> Microseconds {
    precondition(frame >= 0 && frame < count)
    return times[first + frame]
  }

  /// One channel of a joint in a frame of the view; NaN (confidence 0) where it was not found.
  @inlinable public subscript(_ joint: Joint, _ channel: Channel, _ frame: Int) -> Float {
    column(joint, channel)[frame]
  }

  /// All channels of a joint in a frame.
  @inlinable @inline(__always)
  public func place(
    of joint: Joint, _ frame: Int
  ) -> (x: Float, y: Float, z: Float, confidence: Float) {
    precondition(frame >= 0 && frame < count)
    let start = joint.index * Channel.count * stride + first + frame
    return (values[start], values[start + stride], values[start + 2 * stride], values[start + 3 * stride])
  }

  /// One value per frame.
  @inlinable public func column(_ joint: Joint, _ channel: Channel) -> PoseColumn {
    PoseColumn(values: values, start: (joint.index * Channel.count + channel.index) * stride + first, count: count)
  }
}

/// One channel of one joint over the frames of a view, valid while the view is borrowed.
public struct PoseColumn: ~Copyable {
  @usableFromInline let values: UnsafeBufferPointer<Float>
  @usableFromInline let start: Int
  /// Number of frames.
  public let count: Int

  @usableFromInline init(values: UnsafeBufferPointer<Float>, start: Int, count: Int) {
    self.values = values
    self.start = start
    self.count = count
  }

  /// The value of a frame of the view; NaN if missing.
  @inlinable public subscript(_ frame: Int) -> Float {
    precondition(frame >= 0 && frame < count)
    return values[start + frame]
  }
}
