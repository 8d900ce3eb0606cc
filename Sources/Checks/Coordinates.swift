import Datasets
import PoseModel

/// Finds coordinates that are not in the manifest's unit, and clips in another unit than the rest.
struct CoordinateUnits: DatasetCheck {
  let name = "scale"
  let title = "coordinates are in another unit"
  let threshold = """
    with unit image, or pixel with a height of 1: half of the coordinates beyond −1…2, as no estimator puts most of a \
    person that far outside the image; with pixels of a taller image: all coordinates within −1…2; a trunk ten times \
    longer or shorter than in the median clip, which would be a person at ten times the distance
    """
  let remedy = "correct unit in dataset.yaml, or scale the pose files"

  func findings(in clip: CheckedClip) -> [Finding] {
    guard let keypoints = clip.clip.keypoints else { return [] }
    var (known, beyond) = (0, 0)
    for keypoint in 0..<keypoints.keypointCount {
      for channel in [Channel.x, .y] {
        guard let column = keypoints.column(keypoint, channel) else { continue }
        for index in column.indices where column[index].isFinite {
          known += 1
          if !(-1...2).contains(column[index]) { beyond += 1 }
        }
      }
    }
    guard known > 0 else { return [] }
    let share = Double(beyond) / Double(known)
    let unit = clip.manifest.coordinates.unit
    switch unit {
    case .image where share > 0.5, .imageHeight where share > 0.5:
      return [
        finding(.problem, in: clip.name, weight: share, "\(percent(share)) are outside the image: are they pixels?")
      ]
    case .pixel where unit != .imageHeight && beyond == 0:
      return [finding(.problem, in: clip.name, weight: 1, "all are within −1…2: are they shares of the image?")]
    default: return []
    }
  }

  func findings(across dataset: CheckedDataset) -> [Finding] {
    let trunks = dataset.members.compactMap(\.trunk).sorted()
    guard trunks.count >= 3 else { return [] }
    let usual = trunks[trunks.count / 2]
    return dataset.members.compactMap { member in
      guard let trunk = member.trunk else { return nil }
      let ratio = Double(max(trunk, usual) / min(trunk, usual))
      guard ratio >= 10 else { return nil }
      return finding(
        .problem, in: member.info.name, weight: ratio,
        "its trunk is \(ratio.rounded(toDecimals: 1)) times \(trunk > usual ? "longer" : "shorter") than the median"
      )
    }
  }
}

/// Finds people who are upside down, or who lie down in an exercise done standing: an axis is flipped or the axes are
/// swapped.
struct Orientation: DatasetCheck {
  let name = "orientation"
  let title = "people are upside down, or lie down in a standing exercise"
  let threshold = """
    most frames with these joints have the ankles half a trunk above the hips and the hips half a trunk above the \
    shoulders (at most 15 % in 1,000 recorded clips); or, in exercises done standing, both trunk and legs lean by more \
    than 45° in most frames (at most 8 % in 900 recorded clips)
    """
  let remedy = "correct y_axis in dataset.yaml, or swap x and y in the pose files"

  /// Exercises in which trunk and legs are never horizontal together.
  static let standing: Set<String> = [
    "squat", "lunge", "deadlift", "jumping-jack", "front-raise", "biceps-curl", "shoulder-press", "pull-up", "tennis",
    "golf-swing",
  ]

  func findings(in clip: CheckedClip) -> [Finding] {
    guard let body = clip.body, !clip.clip.info.exercise.contains("handstand") else { return [] }
    var (seen, inverted, lying) = (0, 0, 0)
    for frame in 0..<body.frameCount {
      let shoulders = body.middle(ofPair: 0, frame)
      let hips = body.middle(ofPair: 3, frame)
      let ankles = body.middle(ofPair: 5, frame)
      guard shoulders.x.isFinite, hips.x.isFinite, ankles.x.isFinite else { continue }
      seen += 1
      if hips.y - ankles.y > 0.5, shoulders.y - hips.y > 0.5 { inverted += 1 }
      let trunk = Angle.fromVertical(lower: hips, upper: shoulders)
      let legs = Angle.fromVertical(lower: ankles, upper: hips)
      if abs(trunk - 90) < 45, abs(legs - 90) < 45 { lying += 1 }
    }
    guard seen >= 5 else { return [] }
    if inverted * 2 > seen {
      let share = Double(inverted) / Double(seen)
      return [finding(.problem, in: clip.name, weight: share, "upside down in \(percent(share)) of the frames")]
    }
    if lying * 2 > seen, Self.standing.contains(clip.clip.info.exercise) {
      let share = Double(lying) / Double(seen)
      return [
        finding(
          .problem, in: clip.name, weight: share,
          "lies down in \(percent(share)) of the frames of a \(clip.clip.info.exercise) clip")
      ]
    }
    return []
  }
}

/// Joints at 0,0 with confidence 0: the estimator means "missing", a detector reads a position.
///
/// Without a confidence, 0,0 is the corner of the image, where no joint lies exactly. With another origin 0,0 may be a
/// joint, such as the middle of the hips, but never all joints at once.
///
/// The other checks treat such joints as missing.
struct ZerosForMissing: DatasetCheck {
  let name = "zeros"
  let title = "missing joints are written as zeros"
  let threshold = """
    any joint whose coordinates and confidence are all exactly 0; without a confidence, any joint exactly at the \
    image's corner; in units other than those of an image, any frame with all joints at 0
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

/// Confidences that are percent or a model's raw numbers: the thresholds of detectors are shares.
struct ConfidenceRange: DatasetCheck {
  let name = "confidence-range"
  let title = "confidences are outside 0…1"
  let threshold = "any confidence below −0.001 or above 1.001"
  let remedy = "import the recordings again, or write percent divided by 100, and logits through a sigmoid"

  func findings(in clip: CheckedClip) -> [Finding] {
    guard let keypoints = clip.clip.keypoints else { return [] }
    var (known, beyond) = (0, 0)
    var (lowest, highest) = (Float.infinity, -Float.infinity)
    for keypoint in 0..<keypoints.keypointCount {
      guard let column = keypoints.column(keypoint, .confidence) else { continue }
      for value in column where value.isFinite {
        known += 1
        if !(-0.001...1.001).contains(value) { beyond += 1 }
        (lowest, highest) = (min(lowest, value), max(highest, value))
      }
    }
    guard beyond > 0 else { return [] }
    let share = Double(beyond) / Double(known)
    let range = "\(Double(lowest).rounded(toDecimals: 2)) to \(Double(highest).rounded(toDecimals: 2))"
    return [finding(.warning, in: clip.name, weight: share, "\(percent(share)) are outside 0…1: they are \(range)")]
  }
}

/// Joints that are missing and written as zeros.
struct Zeros {
  private(set) var count = 0
  /// The longest run of frames with such joints.
  private(set) var stretch: Range<Int>?

  init() {}

  /// Replaces them with NaN.
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
