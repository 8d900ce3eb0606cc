import PoseModel
import Synchronization

/// What a key of JSON, or the name of a point in it, says. Each is looked into once: every frame repeats it.
struct KeyFacts: Sendable {
  /// As `FrameKey.plain` gives it.
  let plain: String
  let frameKey: FrameKey?
  let channel: Channel?
  let point: PointID
  /// Whether it is a point of a known skeleton.
  let isKnown: Bool
  /// Whether it holds world landmarks.
  let isWorld: Bool
  /// Whether it holds points of another part than the body.
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
    point = PointID(key)
    isKnown = PointReader.isKnown(key)
    isWorld = plain.contains("world") || plain.hasSuffix("3d") && plain != "position3d" && !isKnown
    let plain = plain
    isOther = Self.others.contains { plain.contains($0) } && !isKnown
  }

  private static let found = Mutex<[String: KeyFacts]>([:])
  /// A document of frames by their numbers has as many keys.
  private static let most = 10_000

  private static let others = [
    "hand", "face", "segmentation", "mask", "orientation", "rotation", "quaternion", "velocit", "angle",
  ]
}
