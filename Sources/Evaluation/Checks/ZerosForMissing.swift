import PoseModel

/// Joints at 0,0 with confidence 0: the estimator's word for missing, which a detector takes for a place.
///
/// Where there is no confidence, 0,0 is a corner of the image, at which no joint stands exactly. Where coordinates have
/// another origin it may be a joint, such as the middle of the hips, but not all of them at once.
///
/// The other checks look at such joints as missing.
struct ZerosForMissing: DatasetCheck {
  let name = "zeros"
  let title = "zeros stand for missing joints"
  let threshold = """
    any joint whose coordinates are all exactly 0 while its confidence is; without a confidence, any at the image's corner; \
    where the unit is none of an image, any frame with all joints there
    """
  let remedy = "write NaN (npy) or an empty field (CSV) for a missing joint, never 0"

  func findings(in clip: CheckedClip) -> [Finding] {
    guard let keypoints = clip.clip.keypoints, let stretch = clip.zeros.stretch else { return [] }
    let share = Double(clip.zeros.count) / Double(max(1, keypoints.frameCount * keypoints.keypointCount))
    let frames = stretch.count
    return [
      finding(
        .problem, in: clip.name, from: keypoints.times[stretch.lowerBound].seconds,
        to: keypoints.times[stretch.upperBound - 1].seconds, weight: share,
        "\(frames == 1 ? "a frame" : "\(frames) frames in a row") with joints at 0,0; \(percent(share)) of all joints")
    ]
  }
}

/// Joints that are missing and written as zeros.
struct Zeros {
  private(set) var count = 0
  /// The longest row of frames with such joints.
  private(set) var stretch: Range<Int>?

  init() {}

  /// Makes them NaN.
  init(takingFrom keypoints: inout Keypoints, unit: CoordinateSystem.Unit) {
    let (frames, joints, channels) = (keypoints.frameCount, keypoints.keypointCount, keypoints.channels)
    var values = keypoints.values
    let isSaid =
      switch unit {
      case .image, .pixel: true
      case .metre, .relative: channels.contains(.confidence)
      }
    var start = 0
    for frame in 0...frames {
      var isZero = false
      if frame < frames {
        func zero(_ joint: Int) -> Bool {
          for channel in channels.indices
          where values[(joint * channels.count + channel) * frames + frame] != 0 { return false }
          return true
        }
        if isSaid || (0..<joints).allSatisfy(zero) {
          for joint in 0..<joints where zero(joint) {
            count += 1
            isZero = true
            for channel in channels.indices {
              values[(joint * channels.count + channel) * frames + frame] = .nan
            }
          }
        }
      }
      if isZero { continue }
      if frame - start > stretch?.count ?? 0 { stretch = start..<frame }
      start = frame + 1
    }
    guard count > 0 else { return }
    keypoints = Keypoints(times: keypoints.times, keypointCount: joints, channels: channels, values: values)
  }
}
