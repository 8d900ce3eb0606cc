/// A clip of a dataset; its text `squat-sample/s01_side_1` is its name in results, baselines and predictions.
public struct ClipID: Hashable, Sendable {
  public var dataset: String
  /// The name in the dataset.
  public var clip: String

  public init(dataset: String, clip: String) {
    (self.dataset, self.clip) = (dataset, clip)
  }

  /// - Parameter text: `squat-sample/s01_side_1`
  ///
  /// - Returns: `nil` for a text without a slash.
  public init?(_ text: String) {
    guard let parts = SlashedName(text) else { return nil }
    self.init(dataset: parts.owner, clip: parts.name)
  }
}

extension ClipID: CustomStringConvertible {
  public var description: String { "\(dataset)/\(clip)" }
}

extension Clip.Info {
  /// `squat-sample/s01_side_1`
  package func id(in manifest: Manifest) -> String { ClipID(dataset: manifest.name, clip: name).description }
}
