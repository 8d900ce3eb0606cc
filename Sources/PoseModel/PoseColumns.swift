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

  @inlinable public func time(_ frame: Int) -> Microseconds {
    precondition(frame >= 0 && frame < count)
    return times[first + frame]
  }

  @inlinable public subscript(_ joint: Joint, _ channel: Channel, _ frame: Int) -> Float {
    column(joint, channel)[frame]
  }

  /// All that is known of a joint in a frame.
  @inlinable @inline(__always)
  public func place(
    of joint: Joint, _ frame: Int
  ) -> (x: Float, y: Float, z: Float, confidence: Float) {
    precondition(frame >= 0 && frame < count)
    let start = joint.index * Channel.count * stride + first + frame
    return (values[start], values[start + stride], values[start + 2 * stride], values[start + 3 * stride])
  }

  /// One value a frame.
  @inlinable public func column(_ joint: Joint, _ channel: Channel) -> PoseColumn {
    PoseColumn(values: values, start: (joint.index * Channel.count + channel.index) * stride + first, count: count)
  }
}

/// One channel of one joint over the frames of a view, valid while the view is borrowed.
public struct PoseColumn: ~Copyable {
  @usableFromInline let values: UnsafeBufferPointer<Float>
  @usableFromInline let start: Int
  public let count: Int

  @usableFromInline init(values: UnsafeBufferPointer<Float>, start: Int, count: Int) {
    self.values = values
    self.start = start
    self.count = count
  }

  @inlinable public subscript(_ frame: Int) -> Float {
    precondition(frame >= 0 && frame < count)
    return values[start + frame]
  }
}
