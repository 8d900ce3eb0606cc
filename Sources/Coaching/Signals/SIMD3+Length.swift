extension SIMD3<Float> {
  var length: Float { (self * self).sum().squareRoot() }

  /// Of its part along the floor: x, and z where there is depth.
  var levelLength: Float { (x * x + z * z).squareRoot() }
}
