import PoseModel

/// What `dataset.yaml` says of a dataset as a whole.
public struct Manifest: Hashable, Codable, Sendable {
  /// Whether people were recorded or a program made the motion.
  public enum Origin: String, CaseIterable, Hashable, Codable, Sendable {
    case recorded, synthetic
  }

  /// What raters grade, and the ends of its scale.
  public struct Criterion: Hashable, Codable, Sendable {
    public var name: String
    public var minimum: Double
    public var maximum: Double

    public init(name: String, minimum: Double, maximum: Double) {
      self.name = name
      self.minimum = minimum
      self.maximum = maximum
    }
  }

  public var name: String
  public var version: String
  public var licence: String
  public var source: String
  public var origin: Origin
  /// What a reader of every report must know, such as that the raters are scripted.
  public var caveat: String?
  /// The name of a `Skeleton`.
  public var skeleton: String
  public var coordinates: CoordinateSystem
  /// What each keypoint of a `.npy` file has, in order.
  public var channels: [Channel]
  public var criteria: [Criterion]

  public init(
    name: String, version: String, licence: String, source: String, origin: Origin, caveat: String? = nil,
    skeleton: String, coordinates: CoordinateSystem, channels: [Channel], criteria: [Criterion] = []
  ) {
    self.name = name
    self.version = version
    self.licence = licence
    self.source = source
    self.origin = origin
    self.caveat = caveat
    self.skeleton = skeleton
    self.coordinates = coordinates
    self.channels = channels
    self.criteria = criteria
  }
}
