import PoseModel

extension Keypoints {
  /// Builds the columns from values in file order, of which each frame has its place: frame by frame, keypoint by keypoint,
  /// channel by channel.
  ///
  /// - Parameter places: of each frame, which of `frames` it is; all its values are missing where that is `nil`.
  /// - Precondition: there is a place for each frame, and `frames` holds whole frames.
  package init(times: [Microseconds], keypointCount: Int, channels: [Channel], frames: [Float], places: [Int?]) {
    let width = keypointCount * channels.count
    let count = times.count
    precondition(places.count == count)
    let values = [Float](unsafeUninitializedCapacity: width * count) { columns, initialized in
      columns.preferLargePages()
      frames.withUnsafeBufferPointer { rows in
        // As many frames at a time as a cache line has values, so that each line is written once.
        for start in stride(from: 0, to: count, by: 16) {
          for column in 0..<width {
            for frame in start..<min(start + 16, count) {
              columns[column * count + frame] = places[frame].map { rows[$0 * width + column] } ?? .nan
            }
          }
        }
      }
      initialized = width * count
    }
    self.init(times: times, keypointCount: keypointCount, channels: channels, values: values)
  }
}
