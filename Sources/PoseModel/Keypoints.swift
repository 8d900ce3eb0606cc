/// A recording as its pose estimator wrote it: keypoints in the skeleton's own order, unit and axes.
///
/// One contiguous buffer, a column a keypoint and channel, keypoint-major: the columns of keypoint 0 (x, y, …), then
/// those of keypoint 1. A missing value is NaN.
public struct Keypoints: Sendable {
  public let times: [Microseconds]
  public let keypointCount: Int
  /// What each keypoint has, in column order.
  public let channels: [Channel]
  /// `keypointCount * channels.count * times.count` values.
  public let values: [Float]

  /// - Precondition: `values` holds a value for each frame, keypoint and channel.
  public init(times: [Microseconds], keypointCount: Int, channels: [Channel], values: [Float]) {
    precondition(values.count == times.count * keypointCount * channels.count)
    self.times = times
    self.keypointCount = keypointCount
    self.channels = channels
    self.values = values
  }

  /// Builds the columns from values in file order: frame by frame, keypoint by keypoint, channel by channel.
  ///
  /// - Precondition: `frames` holds a value for each frame, keypoint and channel.
  public init(times: [Microseconds], keypointCount: Int, channels: [Channel], frames: [Float]) {
    let width = keypointCount * channels.count
    let count = times.count
    precondition(frames.count == width * count)
    let values = [Float](unsafeUninitializedCapacity: frames.count) { columns, initialized in
      frames.withUnsafeBufferPointer { rows in
        for frame in 0..<count {
          for column in 0..<width { columns[column * count + frame] = rows[frame * width + column] }
        }
      }
      initialized = frames.count
    }
    self.init(times: times, keypointCount: keypointCount, channels: channels, values: values)
  }

  public var frameCount: Int { times.count }

  /// One value a frame; `nil` where the recording has no such channel.
  public func column(_ keypoint: Int, _ channel: Channel) -> ArraySlice<Float>? {
    guard let offset = channels.firstIndex(of: channel) else { return nil }
    let start = (keypoint * channels.count + offset) * frameCount
    return values[start..<start + frameCount]
  }
}
