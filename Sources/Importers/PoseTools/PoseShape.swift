import PoseModel

/// Thrown to leave off reading a file whose beginning says enough.
struct EnoughRead: Error {}

/// What the poses of a source are made of, as its files show.
struct PoseShape: Sendable {
  enum Unit: Sendable {
    /// 0…1 of the image's width and height.
    case image
    case pixels
    /// Whatever the coordinate system says.
    case other(CoordinateSystem)
  }

  var skeleton: Skeleton
  var channels: [Channel] = [.x, .y, .confidence]
  var unit: Unit
  var yAxis = CoordinateSystem.YAxis.down
  /// Whether the files say when each frame was.
  var hasTimes = false
  /// Which keypoints a file has and where they stand in the skeleton, where they are others than the skeleton's.
  var names: KeypointNames?
  /// How many of the skeleton's keypoints the files have; all, or those that are named, where nothing is said.
  var given: Int?

  /// How the numbers are to be read; pixels of an image of unknown size are a length that stays the same in a clip.
  ///
  /// Returns `nil` where the image's size is needed and not given.
  func coordinates(_ size: ImageSize?) -> CoordinateSystem? {
    switch unit {
    case .image: size.map { CoordinateSystem(unit: .image(aspect: $0.aspect), yAxis: yAxis) }
    case .pixels: CoordinateSystem(unit: size.map { .pixel(height: Double($0.height)) } ?? .metre, yAxis: yAxis)
    case .other(let coordinates): coordinates
    }
  }
}
