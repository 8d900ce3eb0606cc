import PoseModel

/// Frames that are the frame before once more: a video that stood still, or one that was stretched to another frame rate.
struct FrozenFrames: DatasetCheck {
  let name = "frozen-frames"
  let title = "the picture stands still, or frames are repeated"
  let threshold = """
    every value of 5 frames and 0.2 s in a row the same bit by bit, which no estimator gives of a new picture (longest in \
    35,000 real frames of 25 to 30 fps: 2); or one frame in ten repeated: stretching 24 fps to 30 repeats one in five
    """
  let remedy = "cut the stretch out, or export the poses again at the video's own frame rate"

  static let run = 5
  static let runSeconds = 0.2
  static let share = 0.1

  func findings(in clip: CheckedClip) -> [Finding] {
    guard let keypoints = clip.clip.keypoints, keypoints.frameCount > Self.run else { return [] }
    let repeats = Self.repeats(keypoints)
    var found: [Finding] = []
    var start = 0
    var frozen = 0
    for frame in 1...repeats.count {
      if frame < repeats.count && repeats[frame] { continue }
      let length = clip.seconds(frame - 1) - clip.seconds(start)
      if frame - 1 - start >= Self.run - 1, length >= Self.runSeconds * 0.79 {
        frozen += frame - 1 - start
        found.append(
          finding(
            .warning, in: clip.name, from: clip.seconds(start), to: clip.seconds(frame - 1), weight: length,
            "\(frame - start) frames the same"))
      }
      start = frame
    }
    let single = repeats.count(where: \.self) - frozen
    let share = Double(single) / Double(repeats.count - 1)
    if share >= Self.share {
      found.append(
        finding(.warning, in: clip.name, weight: share, "\(percent(share)) of the frames repeat the one before"))
    }
    return found
  }

  /// Which frames are the one before, and show somebody.
  private static func repeats(_ keypoints: Keypoints) -> [Bool] {
    let count = keypoints.frameCount
    var isSame = [Bool](repeating: true, count: count)
    var isSeen = [Bool](repeating: false, count: count)
    let places = keypoints.channels.map { $0 != .confidence }
    keypoints.values.withUnsafeBufferPointer { values in
      for column in 0..<keypoints.keypointCount * places.count {
        // Where nobody is found, estimators may still write a confidence of 0.
        let isPlace = places[column % places.count]
        for frame in 1..<count {
          let (one, other) = (values[column * count + frame - 1], values[column * count + frame])
          if isPlace, !other.isNaN { isSeen[frame] = true }
          if one != other && !(one.isNaN && other.isNaN) { isSame[frame] = false }
        }
      }
    }
    return isSame.indices.map { $0 > 0 && isSame[$0] && isSeen[$0] }
  }
}
