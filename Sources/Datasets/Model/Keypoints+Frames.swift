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
          let end = min(start + 16, count)
          if let first = Self.run(places[start..<end]) {
            for column in 0..<width {
              for frame in start..<end {
                columns[column &* count &+ frame] = rows[(first &+ frame &- start) &* width &+ column]
              }
            }
          } else {
            for column in 0..<width {
              for frame in start..<end {
                columns[column * count + frame] = places[frame].map { rows[$0 * width + column] } ?? .nan
              }
            }
          }
        }
      }
      initialized = width * count
    }
    self.init(times: times, keypointCount: keypointCount, channels: channels, values: values)
  }
  /// The first of places that follow each other, as they mostly do; `nil` where they do not.
  private static func run(_ places: ArraySlice<Int?>) -> Int? {
    guard let first = places.first, let first else { return nil }
    for index in places.indices where places[index] != first + index - places.startIndex { return nil }
    return first
  }
}
