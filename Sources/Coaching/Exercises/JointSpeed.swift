import PoseModel

/// The speed of a point, from where it is and where it was a tenth of a second ago.
///
/// Over a window and not from frame to frame: an error of a pixel is a large speed over one frame. Holds 32 places, which
/// reach back that far at up to 300 frames a second.
struct JointSpeed: Sendable {
  private struct Place: Sendable {
    var time: Microseconds
    var point: SIMD2<Float>
  }

  private static let window = Microseconds(100_000)
  /// What is older says nothing of the speed now.
  private static let oldest = Microseconds(200_000)

  private var places = RingBuffer(capacity: 32, filler: Place(time: .zero, point: .zero))

  /// Takes the next place; an unknown one (NaN) is left out.
  ///
  /// - Returns: units a second, NaN where the place is unknown or nothing is known of the window before it.
  mutating func add(_ point: SIMD2<Float>, at time: Microseconds) -> Float {
    guard point.x.isFinite && point.y.isFinite else { return .nan }
    defer { places.append(Place(time: time, point: point)) }
    var index = places.count - 1
    while index >= 0, time - places[index].time < Self.window { index -= 1 }
    guard index >= 0, time - places[index].time <= Self.oldest else { return .nan }
    let d = point - places[index].point
    return (d.x * d.x + d.y * d.y).squareRoot() / Float((time - places[index].time).seconds)
  }
}
