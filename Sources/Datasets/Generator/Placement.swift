/// A spot on the floor and the direction that a person on it faces.
struct Placement: Hashable, Sendable {
  /// Metres along the floor.
  var x = 0.0
  var y = 0.0
  /// Degrees, counted from the x axis towards the y axis, which is counterclockwise seen from above.
  var heading = 0.0

  var forward: SIMD3<Double> { Self.direction(heading) }
  /// To the person's own left.
  var left: SIMD3<Double> { Self.direction(heading + 90) }

  /// The point so far ahead, to the left and up.
  func point(forward ahead: Double, left sideways: Double, up height: Double) -> SIMD3<Double> {
    SIMD3(x, y, height) + forward * ahead + left * sideways
  }

  static func direction(_ heading: Double) -> SIMD3<Double> {
    SIMD3(heading.cosineOfDegrees, heading.sineOfDegrees, 0)
  }
}
