import RealModule

extension SIMD3<Double> {
  package func dot(_ other: Self) -> Double { x * other.x + y * other.y + z * other.z }

  package func cross(_ other: Self) -> Self {
    SIMD3(y * other.z - z * other.y, z * other.x - x * other.z, x * other.y - y * other.x)
  }

  package var length: Double { dot(self).squareRoot() }

  /// The direction; undefined for a vector of no length.
  package var normalized: Self { self / length }

  /// The part that is at right angles to a direction of length 1.
  package func perpendicular(to direction: Self) -> Self { self - direction * dot(direction) }

  package func distance(to other: Self) -> Double { (self - other).length }
}

extension Double {
  var sineOfDegrees: Double { Double.sin(self * .pi / 180) }
  var cosineOfDegrees: Double { Double.cos(self * .pi / 180) }
  var degreesFromRadians: Double { self * 180 / .pi }

  /// Between `a` at 0 and `b` at 1.
  static func blend(_ a: Double, _ b: Double, _ fraction: Double) -> Double { a + (b - a) * fraction }

  /// 0 up to `zero`, 1 from `one` on, linear between; `one` may be the lower of the two.
  func ramp(from zero: Double, to one: Double) -> Double { Swift.min(Swift.max((self - zero) / (one - zero), 0), 1) }
}
