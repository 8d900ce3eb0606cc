import PoseModel
import Synchronization

/// What a key of JSON, or the name of a point in it, says. Each is looked into once: every frame repeats it.
struct KeyFacts: Sendable {
  /// As `FrameKey.plain` gives it.
  let plain: String
  let frameKey: FrameKey?
  let channel: Channel?
  /// Whether it names confidences, alone or with what they are of: `keypoint_confidence`.
  let isConfidence: Bool
  let point: PointID
  /// Whether it is a point of a known skeleton.
  let isKnown: Bool
  /// Whether it holds world landmarks.
  let isWorld: Bool
  /// Whether it holds something else than points of the body.
  let isOther: Bool

  init(_ key: String) {
    let facts =
      Self.found.withLock { $0[key] }
      ?? {
        let facts = KeyFacts(looking: key)
        Self.found.withLock { if $0.count < Self.most { $0[key] = facts } }
        return facts
      }()
    self = facts
  }

  private init(looking key: String) {
    plain = FrameKey.plain(key)
    frameKey = FrameKey(key)
    channel = PointReader.channel(plain)
    isConfidence = channel == .confidence || Self.endsInConfidence(JointName.words(key))
    point = PointID(key)
    isKnown = PointReader.isKnown(key)
    isWorld = plain.contains("world") || plain.hasSuffix("3d") && plain != "position3d" && !isKnown
    let plain = plain
    isOther = Self.others.contains { plain.contains($0) } && !isKnown
  }

  private static let found = Mutex<[String: KeyFacts]>([:])
  /// A document of frames by their numbers has as many keys.
  private static let most = 10_000

  /// Whether the last long word is of confidences, but not points with them, as in `keypoints_with_scores`.
  private static func endsInConfidence(_ words: [String]) -> Bool {
    guard let last = words.last(where: { $0.count > 2 }), confidences.contains(last) else { return false }
    return !words.contains("with") && !words.contains("and")
  }

  private static let confidences: Set = [
    "score", "scores", "confidence", "confidences", "conf", "confs", "visibility", "visibilities", "likelihood",
    "likelihoods", "probability", "probabilities", "prob", "probs", "accuracy", "accuracies", "certainty",
    "certainties",
  ]

  private static let others = [
    "hand", "face", "segmentation", "mask", "orientation", "rotation", "quaternion", "velocit", "angle", "schema",
  ]
}
