/// A pinhole camera without lens distortion.
public struct Camera: Hashable, Sendable {
  /// Where a point appears, and how far in front of the camera it is.
  public struct Projection: Hashable, Sendable {
    /// 0...1 of the image's width, to the right.
    public var x: Double
    /// 0...1 of the image's height, downwards.
    public var y: Double
    /// Metres along the viewing direction.
    public var depth: Double
  }

  public let position: SIMD3<Double>
  /// Focal length in image heights.
  public let focalLength: Double
  /// Width divided by height.
  public let aspect: Double
  let forward: SIMD3<Double>
  let right: SIMD3<Double>
  let up: SIMD3<Double>

  /// A camera that has `target` in the middle of its image; z is up.
  ///
  /// - Parameter roll: clockwise about the viewing direction, in degrees.
  /// - Precondition: the target is neither at the camera nor straight above or below it.
  public init(
    position: SIMD3<Double>, target: SIMD3<Double>, roll: Double = 0, focalLength: Double, aspect: Double
  ) {
    self.position = position
    self.focalLength = focalLength
    self.aspect = aspect
    forward = (target - position).normalized
    let level = forward.cross(SIMD3(0, 0, 1)).normalized
    let upright = level.cross(forward)
    right = level * roll.cosineOfDegrees - upright * roll.sineOfDegrees
    up = upright * roll.cosineOfDegrees + level * roll.sineOfDegrees
  }

  /// `nil` for a point within 5 cm of the camera's plane or behind it.
  public func project(_ point: SIMD3<Double>) -> Projection? {
    let ray = point - position
    let depth = ray.dot(forward)
    guard depth > 0.05 else { return nil }
    return Projection(
      x: 0.5 + focalLength * ray.dot(right) / depth / aspect, y: 0.5 - focalLength * ray.dot(up) / depth, depth: depth)
  }
}
