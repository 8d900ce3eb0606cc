import RealModule

/// A rotation about the origin: a matrix of three columns.
struct Rotation {
  var x: SIMD3<Double>
  var y: SIMD3<Double>
  var z: SIMD3<Double>

  static let identity = Rotation(x: SIMD3(1, 0, 0), y: SIMD3(0, 1, 0), z: SIMD3(0, 0, 1))

  /// Counterclockwise about an axis that points towards who looks.
  init(degrees: Double, about axis: Int) {
    let angle = degrees * .pi / 180
    let (c, s) = (Double.cos(angle), Double.sin(angle))
    switch axis {
    case 0: self.init(x: SIMD3(1, 0, 0), y: SIMD3(0, c, s), z: SIMD3(0, -s, c))
    case 1: self.init(x: SIMD3(c, 0, -s), y: SIMD3(0, 1, 0), z: SIMD3(s, 0, c))
    default: self.init(x: SIMD3(c, s, 0), y: SIMD3(-s, c, 0), z: SIMD3(0, 0, 1))
    }
  }

  /// About fixed axes one after the other: angles by axis, in degrees, and the axes in their order.
  init(_ angles: SIMD3<Double>, turning order: [Int]) {
    self = order.reduce(.identity) { Rotation(degrees: angles[$1], about: $1) * $0 }
  }

  init(x: SIMD3<Double>, y: SIMD3<Double>, z: SIMD3<Double>) {
    self.x = x
    self.y = y
    self.z = z
  }

  static func * (rotation: Rotation, point: SIMD3<Double>) -> SIMD3<Double> {
    rotation.x * point.x + rotation.y * point.y + rotation.z * point.z
  }

  /// The right one first, then the left one.
  static func * (a: Rotation, b: Rotation) -> Rotation { Rotation(x: a * b.x, y: a * b.y, z: a * b.z) }

  var inverse: Rotation {
    Rotation(x: SIMD3(x.x, y.x, z.x), y: SIMD3(x.y, y.y, z.y), z: SIMD3(x.z, y.z, z.z))
  }
}
