import PoseModel

extension PoseSequence {
  /// Poses of the given joints in image heights; a joint that is `nil` or not given is missing.
  ///
  /// - Parameter times: milliseconds.
  init(times: [Int], _ joints: [Joint: [(x: Float, y: Float)?]], confidence: Float = 1) {
    var values: [Float] = []
    for frame in times.indices {
      for joint in Joint.allCases {
        let place = joints[joint].flatMap { $0[frame] }
        values += [place?.x ?? .nan, place?.y ?? .nan, confidence]
      }
    }
    self.init(
      Keypoints(
        times: times.map { .milliseconds($0) }, keypointCount: Joint.count, channels: [.x, .y, .confidence],
        frames: values),
      skeleton: .common, coordinates: CoordinateSystem(unit: .image(aspect: 1), yAxis: .down))
  }
}
