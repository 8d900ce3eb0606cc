extension PoseSequence {
  /// The door: keypoints of any skeleton, unit and axis become common joints in image heights with y down.
  ///
  /// - A joint without a keypoint, or with a non-finite x or y, is NaN in every channel but confidence, which is 0.
  /// - Confidence is clamped to 0...1; a recording without confidence has 1 wherever it has a position.
  /// - Without image heights (`metre`), a clip is scaled so that its median trunk has `CoordinateSystem.trunkLength`;
  ///   without any scale (`relative`), every frame is scaled by its own trunk, one that lacks it by the last seen.
  public init(_ keypoints: Keypoints, skeleton: Skeleton, coordinates: CoordinateSystem) {
    let count = keypoints.frameCount
    precondition(keypoints.keypointCount == skeleton.keypoints.count)
    var values = [Float](repeating: .nan, count: count * Joint.count * Channel.count)
    let (scaleX, scaleY) = coordinates.scale
    let sign: Float = coordinates.yAxis == .up ? -1 : 1
    values.withUnsafeMutableBufferPointer { output in
      for joint in Joint.allCases {
        let columns = joint.index * Channel.count
        func fill(_ channel: Channel, _ compute: (Int) -> Float) {
          let start = (columns + channel.index) * count
          for frame in 0..<count { output[start + frame] = compute(frame) }
        }
        func read(_ keypoint: Int, _ channel: Channel) -> ArraySlice<Float>? { keypoints.column(keypoint, channel) }
        guard let origin = skeleton[joint] else {
          fill(.confidence) { _ in 0 }
          continue
        }
        let (a, b): (Int, Int) =
          switch origin {
          case .keypoint(let index): (index, index)
          case .midpoint(let first, let second): (first, second)
          }
        func position(_ channel: Channel, scale: Float) {
          guard let first = read(a, channel), let second = read(b, channel) else { return }
          let i = first.startIndex
          let j = second.startIndex
          // Halving each before adding keeps a keypoint that stands for itself exact.
          fill(channel) { scale * (first[i + $0] * 0.5 + second[j + $0] * 0.5) }
        }
        position(.x, scale: scaleX)
        position(.y, scale: scaleY * sign)
        position(.z, scale: scaleX)
        let x = columns * count
        let y = x + count
        let z = y + count
        let first = read(a, .confidence)
        let second = read(b, .confidence)
        fill(.confidence) { frame in
          guard output[x + frame].isFinite && output[y + frame].isFinite else {
            output[x + frame] = .nan
            output[y + frame] = .nan
            output[z + frame] = .nan
            return 0
          }
          guard let first, let second else { return 1 }
          let lower = min(first[first.startIndex + frame], second[second.startIndex + frame])
          return lower.isNaN ? 0 : min(max(lower, 0), 1)
        }
      }
      coordinates.rescale(output, frameCount: count)
    }
    self.init(times: keypoints.times, values: values)
  }
}

extension CoordinateSystem {
  /// What x (and depth) and y are multiplied with to be in image heights, where the unit says so.
  var scale: (x: Float, y: Float) {
    switch unit {
    case .image(let aspect): (Float(aspect), 1)
    case .pixel(let height): (Float(1 / height), Float(1 / height))
    case .metre, .relative: (1, 1)
    }
  }

  /// Brings a clip without image heights to the usual size by its trunk.
  func rescale(_ values: UnsafeMutableBufferPointer<Float>, frameCount: Int) {
    guard unit == .metre || unit == .relative else { return }
    func at(_ joint: Joint, _ channel: Channel, _ frame: Int) -> Float {
      values[(joint.index * Channel.count + channel.index) * frameCount + frame]
    }
    let trunks = (0..<frameCount).map { frame -> Float in
      let dx = at(.neck, .x, frame) - at(.root, .x, frame)
      let dy = at(.neck, .y, frame) - at(.root, .y, frame)
      let dz = at(.neck, .z, frame) - at(.root, .z, frame)
      return (dx * dx + dy * dy + (dz.isNaN ? 0 : dz * dz)).squareRoot()
    }
    let known = trunks.filter { $0 > 0 }.sorted()
    guard !known.isEmpty else { return }
    let median = known[known.count / 2]
    var scale = Self.trunkLength / median
    for frame in 0..<frameCount {
      if unit == .relative, trunks[frame] > 0 { scale = Self.trunkLength / trunks[frame] }
      for joint in 0..<Joint.count {
        for channel in 0..<3 { values[(joint * Channel.count + channel) * frameCount + frame] *= scale }
      }
    }
  }
}
