import PoseModel
import RealModule

/// Named moving points: markers, or the joints and ends of bones.
protocol PointMotion {
  /// The file's name in errors.
  var file: String { get }
  var names: [String] { get }
  /// Frames a second.
  var rate: Double { get }
  /// The time of each frame, if frames are not at `rate` from 0.
  var times: [Double]? { get }
  var frameCount: Int { get }
  /// The length of the file's unit in metres; `nil` if the file does not say.
  var metresPerUnit: Double? { get }
  /// The axis that points up, by the format or the file; `nil` if neither defines it.
  var upAxis: WorldAxis? { get }
  /// The recorded person, if the file names one.
  var subject: String? { get }
  /// Notes for readers of results, without the file's name.
  var remarks: [String] { get }

  /// Calls `body` with each frame's points in the file's units, in the order of `names`; NaN if missing.
  ///
  /// - Throws: `DataError` with the line of a wrong frame.
  func forEachFrame(_ body: (Int, UnsafeBufferPointer<SIMD3<Double>>) throws -> Void) throws

  /// The same for every `step`-th frame, from frame 0.
  func forEachFrame(every step: Int, _ body: (Int, UnsafeBufferPointer<SIMD3<Double>>) throws -> Void) throws
}

extension PointMotion {
  var times: [Double]? { nil }
  var subject: String? { nil }
  var remarks: [String] { [] }

  /// Reads all frames, for formats in which a frame's position is not known in advance.
  func forEachFrame(every step: Int, _ body: (Int, UnsafeBufferPointer<SIMD3<Double>>) throws -> Void) throws {
    try forEachFrame { frame, points in
      if frame.isMultiple(of: step) { try body(frame, points) }
    }
  }
}

extension SIMD3<Double> {
  static let missing = SIMD3(repeating: .nan)

  var isMissing: Bool { !(x + y + z).isFinite }
}

/// A direction along an axis of a right-handed coordinate system: `y`, `-z`.
public enum WorldAxis: String, CaseIterable, Hashable, Sendable {
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
  var sideways: WorldAxis { self == .x || self == .minusX ? .y : .x }

  /// A point in the axes of clips when this axis points up: x to the right, y up, z away from the viewer.
  func upright(_ point: SIMD3<Double>) -> SIMD3<Double> {
    let up = vector
    let right = sideways.vector
    return SIMD3(point.dot(right), point.dot(up), point.dot(up.cross(right)))
  }
}

/// The usual units of length in motion capture files.
enum LengthUnit: String, CaseIterable {
  case metre = "m"
  case millimetre = "mm"
  case centimetre = "cm"
  case inch = "in"

  var metres: Double {
    switch self {
    case .metre: 1
    case .millimetre: 0.001
    case .centimetre: 0.01
    case .inch: 0.0254
    }
  }

  /// Lengths of a leg, hip to knee to ankle, in metres, for people 1.2 to 2.2 m tall, with some tolerance at both ends:
  /// thigh and shank are 0.245 and 0.246 of stature (Drillis and Contini 1966, as in Winter, Biomechanics and Motor
  /// Control of Human Movement, 4th ed. 2009, figure 4.1).
  ///
  /// The ratio of the limits is below that of an inch to a centimetre: no leg fits two units.
  static let legs = 0.5...1.2

  /// The unit in which a leg has a human length, if a file does not say; `nil` if there is none.
  init?(leg: Double) {
    guard let unit = Self.allCases.first(where: { Self.legs.contains(leg * $0.metres) }) else { return nil }
    self = unit
  }
}

/// A rotation about the origin: a matrix of three columns.
struct Rotation {
  var x: SIMD3<Double>
  var y: SIMD3<Double>
  var z: SIMD3<Double>

  static let identity = Rotation(x: SIMD3(1, 0, 0), y: SIMD3(0, 1, 0), z: SIMD3(0, 0, 1))

  /// Counterclockwise about an axis that points towards the viewer.
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

  /// The right one is applied first, then the left one.
  static func * (a: Rotation, b: Rotation) -> Rotation { Rotation(x: a * b.x, y: a * b.y, z: a * b.z) }

  var inverse: Rotation {
    Rotation(x: SIMD3(x.x, y.x, z.x), y: SIMD3(x.y, y.y, z.y), z: SIMD3(x.z, y.z, z.z))
  }
}
