import RealModule

/// Angles between points, in degrees.
public enum Angle {
  /// The angle at `vertex` between the directions to `a` and `b`: 0...180 degrees, in the plane or in space.
  ///
  /// NaN if a coordinate is NaN or a side has no length. Computed as `atan2(|u x v|, u · v)`, which unlike the arc
  /// cosine keeps its precision near 0 and 180 (Kahan, How Futile are Mindless Assessments of Roundoff, 2006, §12).
  @inlinable
  public static func at(
    _ vertex: SIMD3<Float>, between a: SIMD3<Float>, and b: SIMD3<Float>
  ) -> Float {
    let u = a - vertex
    let v = b - vertex
    let cx = u.y * v.z - u.z * v.y
    let cy = u.z * v.x - u.x * v.z
    let cz = u.x * v.y - u.y * v.x
    let cross = (cx * cx + cy * cy + cz * cz).squareRoot()
    let dot = u.x * v.x + u.y * v.y + u.z * v.z
    guard cross != 0 || dot != 0 else { return .nan }
    return Float.atan2(y: cross, x: dot) * (180 / .pi)
  }

  /// How far the direction from `lower` to `upper` leans from the vertical: 0 upright, 90 horizontal, 180 upside down.
  ///
  /// y points down. NaN if a coordinate is NaN or the points coincide.
  @inlinable
  public static func fromVertical(lower: SIMD3<Float>, upper: SIMD3<Float>) -> Float {
    at(lower, between: upper, and: lower - SIMD3(0, 1, 0))
  }
}

/// Directions and lengths in space.
extension SIMD3<Double> {
  @inlinable
  package func dot(_ other: Self) -> Double { x * other.x + y * other.y + z * other.z }

  @inlinable
  package func cross(_ other: Self) -> Self {
    SIMD3(y * other.z - z * other.y, z * other.x - x * other.z, x * other.y - y * other.x)
  }

  @inlinable package var length: Double { dot(self).squareRoot() }

  /// The direction; undefined for a vector of no length.
  @inlinable package var normalized: Self { self / length }

  /// The component at right angles to a direction of length 1.
  @inlinable
  package func perpendicular(to direction: Self) -> Self { self - direction * dot(direction) }

  @inlinable
  package func distance(to other: Self) -> Double { (self - other).length }
}
