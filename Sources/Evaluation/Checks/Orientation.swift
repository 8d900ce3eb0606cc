import Datasets
import PoseModel

/// People who stand on their heads, or lie while they do what one does standing: an axis is turned or exchanged.
struct Orientation: DatasetCheck {
  let name = "orientation"
  let title = "people are upside down, or lie where they should stand"
  let threshold = """
    most frames that show it have the ankles half a trunk above the hips and the hips half a trunk above the shoulders (at \
    most 15 % in 1,000 recorded clips); or, in exercises done standing, both trunk and legs lean by more than 45° in most \
    frames (at most 8 % in 900 recorded clips)
    """
  let remedy = "correct y_axis in dataset.yaml, or exchange x and y in the pose files"

  /// Exercises in which trunk and legs are never level together.
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
          "lies in \(percent(share)) of the frames, of \(clip.clip.info.exercise)")
      ]
    }
    return []
  }
}
