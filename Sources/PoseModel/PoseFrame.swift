/// One frame's poses, which an app fills in repeatedly without allocating.
///
/// Same units and axes as `PoseSequence`: x right and y down in image heights, missing is NaN.
public struct PoseFrame: Sendable {
  /// The time of the frame, in recording time.
  public var time: Microseconds
  @usableFromInline var values: [Float]

  /// A frame in which nobody has been found.
  public init(time: Microseconds = .zero) {
    self.time = time
    values = [Float](repeating: .nan, count: Joint.count * Channel.count)
    clear()
  }

  /// Marks every joint as missing.
  public mutating func clear() {
    for index in values.indices { values[index] = index % Channel.count == Channel.confidence.index ? 0 : .nan }
  }

  /// A joint's position in image heights and its confidence (0...1).
  public mutating func set(_ joint: Joint, x: Float, y: Float, z: Float = .nan, confidence: Float = 1) {
    let start = joint.index * Channel.count
    values[start] = x
    values[start + 1] = y
    values[start + 2] = z
    values[start + 3] = confidence
  }

  /// One channel of a joint; NaN (confidence 0) where it was not found.
  public subscript(_ joint: Joint, _ channel: Channel) -> Float {
    values[joint.index * Channel.count + channel.index]
  }

  /// Sets the neck and the root to the middle of the shoulders and of the hips.
  public mutating func setMidpoints() {
    setMidpoint(.neck, .leftShoulder, .rightShoulder)
    setMidpoint(.root, .leftHip, .rightHip)
  }

  private mutating func setMidpoint(_ middle: Joint, _ left: Joint, _ right: Joint) {
    let (a, b, m) = (left.index * Channel.count, right.index * Channel.count, middle.index * Channel.count)
    for channel in 0..<3 { values[m + channel] = values[a + channel] * 0.5 + values[b + channel] * 0.5 }
    values[m + 3] = min(values[a + 3], values[b + 3])
  }

  /// Calls `body` with a view of this one frame.
  @inlinable
  public func withPoses<Result>(_ body: (borrowing PoseColumns) -> Result) -> Result {
    withUnsafePointer(to: time) { time in
      values.withUnsafeBufferPointer { values in
        body(
          PoseColumns(
            times: UnsafeBufferPointer(start: time, count: 1), values: values, stride: 1, first: 0, count: 1))
      }
    }
  }
}
