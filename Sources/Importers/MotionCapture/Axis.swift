/// A direction along an axis of a right-handed coordinate system: `y`, `-z`.
public enum Axis: String, CaseIterable, Hashable, Sendable {
  case x, y, z
  case minusX = "-x"
  case minusY = "-y"
  case minusZ = "-z"

  var vector: SIMD3<Double> {
    switch self {
    case .x: SIMD3(1, 0, 0)
    case .y: SIMD3(0, 1, 0)
    case .z: SIMD3(0, 0, 1)
    case .minusX: SIMD3(-1, 0, 0)
    case .minusY: SIMD3(0, -1, 0)
    case .minusZ: SIMD3(0, 0, -1)
    }
  }

  /// A direction in the floor when this axis points up: x or, where x is vertical, y.
  var sideways: Axis { self == .x || self == .minusX ? .y : .x }

  /// A point as clips have it when this axis points up: x to the right, y up, z away from who looks.
  func upright(_ point: SIMD3<Double>) -> SIMD3<Double> {
    let up = vector
    let right = sideways.vector
    return SIMD3(point.dot(right), point.dot(up), point.dot(up.cross(right)))
  }
}
