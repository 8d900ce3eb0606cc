/// A dataset in memory: its manifest and every clip.
///
/// Made by the motion generator and by tests. Reading, importing and replaying go clip by clip instead.
public struct Dataset: Sendable {
  public var manifest: Manifest
  public var clips: [Clip]

  public init(manifest: Manifest, clips: [Clip]) {
    self.manifest = manifest
    self.clips = clips
  }
}
