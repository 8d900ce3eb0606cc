import Coaching
import Datasets
import PoseModel

/// What checks keep of all clips, and the suites that a dataset is for.
public struct CheckedDataset: Sendable {
  public struct Member: Sendable {
    public let info: Clip.Info
    public let labels: Labels
    /// `nil` for a clip without enough movement to know it by.
    let fingerprint: MotionFingerprint?
    /// The same as if it were played twice as fast.
    let fastFingerprint: MotionFingerprint?
    /// What it lacks to be coached on.
    let shortcomings: [(kind: ClipQuality.Shortcoming, words: String)]
    /// The trunk in the dataset's own unit; `nil` where a frame's scale means nothing.
    let trunk: Float?
    /// `nil` for a clip without poses.
    let sides: BodySides?

    init(_ clip: CheckedClip) {
      info = clip.clip.info
      labels = clip.clip.labels
      fingerprint = clip.body.flatMap { MotionFingerprint($0) }
      fastFingerprint = clip.body.flatMap { MotionFingerprint($0, speed: 2) }
      shortcomings = clip.poses.map { ClipQuality($0, coordinates: clip.manifest.coordinates).told } ?? []
      trunk = clip.manifest.coordinates.unit == .relative ? nil : clip.rawTrunk
      sides = clip.sides
    }
  }

  public let manifest: Manifest
  public let members: [Member]
  /// What of the folder breaks the rules of the format so that it can't be read.
  public let unreadable: [DataError]
  /// The suites that take the dataset, with their baselines where they have one.
  public let suites: [(suite: Suite, baseline: Baseline?)]
}

extension CheckedClip {
  /// The median trunk, neck to root, in the unit of the file (x in that of y); `nil` where there is none.
  fileprivate var rawTrunk: Float? {
    guard let keypoints = clip.keypoints, let skeleton = Skeleton.named(manifest.skeleton) else { return nil }
    let aspect: Float = if case .image(let aspect) = manifest.coordinates.unit { Float(aspect) } else { 1 }
    func place(_ joint: Joint, _ channel: Channel, _ frame: Int) -> Float {
      let (a, b): (Int, Int) =
        switch skeleton[joint] {
        case .keypoint(let index): (index, index)
        case .midpoint(let first, let second): (first, second)
        case nil: (-1, -1)
        }
      guard a >= 0, let one = keypoints.column(a, channel), let other = keypoints.column(b, channel) else {
        return .nan
      }
      return (one[one.startIndex + frame] + other[other.startIndex + frame]) / 2 * (channel == .x ? aspect : 1)
    }
    let step = max(1, keypoints.frameCount / 200)
    let lengths = stride(from: 0, to: keypoints.frameCount, by: step).compactMap { frame -> Float? in
      let x = place(.neck, .x, frame) - place(.root, .x, frame)
      let y = place(.neck, .y, frame) - place(.root, .y, frame)
      let length = (x * x + y * y).squareRoot()
      return length > 0 ? length : nil
    }
    return lengths.isEmpty ? nil : lengths.sorted()[lengths.count / 2]
  }
}
