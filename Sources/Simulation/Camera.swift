import Files
import RealModule
import Statistics

/// A pinhole camera without lens distortion.
public struct Camera: Hashable, Sendable {
  /// The image position of a point, and its distance from the camera.
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

  /// A camera with `target` in the middle of its image; z is up.
  ///
  /// - Parameter roll: Clockwise about the viewing direction, in degrees.
  /// - Precondition: The target is neither at the camera nor straight above or below it.
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

/// The direction of the camera as seen from the subject.
public enum CameraView: String, CaseIterable, Hashable, Sendable {
  case front, side, oblique
}

/// The position of the camera of generated clips, if it is not drawn: `azimuth=25,elevation=7,distance=3.5`.
///
/// - **Azimuth**, in degrees: as for `VirtualCamera`, 0 in front of the person, 90 on the left, −90 on the right.
/// - **Elevation**, in degrees from −45 to 80: how far the camera is above the middle of the exercise, which for a
///   standing person is at the hips. Default 0.
/// - **Distance**, in metres from 1 to 20, from the middle of the exercise. Default 3.5.
///
/// The camera is level, and its focal length is such that the exercise would fill 70 % of the image if all of it were at
/// that distance.
public struct CameraStand: Hashable, Sendable, CustomStringConvertible {
  public let azimuth: Double
  public let elevation: Double
  public let distance: Double

  /// The accepted texts, for errors and help.
  public static let form =
    "azimuth (-360 to 360) and elevation (-45 to 80) in degrees and distance (1 to 20) in metres: "
    + "azimuth=25,elevation=7,distance=3.5"

  /// `nil` for a text without an azimuth, with a number out of its range, or with anything else.
  public init?(_ text: String) {
    var numbers: [String: Double] = [:]
    for part in text.split(separator: ",", omittingEmptySubsequences: false) {
      let sides = part.split(separator: "=", maxSplits: 1)
      guard sides.count == 2, let number = Double(sides[1]),
        numbers.updateValue(number, forKey: String(sides[0])) == nil
      else { return nil }
    }
    guard let azimuth = numbers.removeValue(forKey: "azimuth") else { return nil }
    let elevation = numbers.removeValue(forKey: "elevation") ?? 0
    let distance = numbers.removeValue(forKey: "distance") ?? 3.5
    guard numbers.isEmpty, (-360...360).contains(azimuth), (-45...80).contains(elevation), (1...20).contains(distance)
    else { return nil }
    (self.azimuth, self.elevation, self.distance) = (azimuth, elevation, distance)
  }

  public var description: String {
    "azimuth \(azimuth.shortestDecimal)°, elevation \(elevation.shortestDecimal)°, distance \(distance.shortestDecimal) m"
  }

  /// The value of `Clip.Info.view`.
  var view: String { VirtualCamera.view(from: azimuth) }

  /// The view whose estimator errors apply: from behind, legs and arms are as easy to tell apart as from the front.
  var nearest: CameraView { CameraView(rawValue: view) ?? .front }
}

/// The part of an exercise that the camera must show, in statures of the person, who is at the origin and faces along
/// x.
public struct Framing: Hashable, Sendable {
  /// The height from the floor up.
  public var height: Double
  /// The length along x, and the breadth across it.
  public var length: Double
  public var breadth: Double
  /// The point in the middle of the image.
  public var middleAhead: Double
  public var middleHeight: Double
  /// The camera's height: 1 is between a table and a shoulder.
  public var cameraHeight = 1.0
  /// Whether the image ends above the feet, which the estimator then invents.
  public var cutsFeet = false

  /// Whether the phone is held upright or, for exercises lying down, on its side.
  var isWide: Bool { length > height }

  /// The height of the world that the image must span to show everything.
  func extent(from azimuth: Double, aspect: Double) -> Double {
    let across = length * azimuth.sineOfDegrees.magnitude + breadth * azimuth.cosineOfDegrees.magnitude
    return max(height, across / aspect)
  }

  /// A standing person.
  public static let standing = Framing(height: 1, length: 0.35, breadth: 0.35, middleAhead: 0, middleHeight: 0.48)
  /// A standing person who raises the arms.
  public static let overhead = Framing(height: 1.25, length: 0.4, breadth: 0.6, middleAhead: 0, middleHeight: 0.6)
  /// A person who lies along x, with the middle of the body at the origin.
  public static let lying = Framing(
    height: 0.5, length: 1.15, breadth: 0.6, middleAhead: 0, middleHeight: 0.14, cameraHeight: 0.6)
}

extension Camera {
  /// A phone on a shelf or tripod: the exercise of a person at the origin who faces along x fills 55 to 80 % of the
  /// image.
  init(view: CameraView, framing: Framing, stature: Double, aspect: Double, using generator: inout SeededGenerator) {
    let mirror = generator.chance(0.5) ? 1.0 : -1
    let azimuth: Double =
      switch view {
      case .front: mirror * generator.uniform(0, 9)
      case .side: mirror * generator.normal(90, sd: 4, limit: 2)
      case .oblique: mirror * generator.uniform(32, 60)
      }
    // Vertical fields of view of 37 to 53 degrees.
    let focalLength = generator.uniform(1, 1.5)
    let fill = generator.uniform(0.58, 0.77)
    let distance = focalLength * stature * framing.extent(from: azimuth, aspect: aspect) / fill
    let height = generator.uniform(0.65, 1.35) * framing.cameraHeight
    let aim = stature * generator.normal(framing.middleHeight, sd: 0.02, limit: 2)
    let place = Placement.direction(azimuth) * distance
    self.init(
      position: SIMD3(place.x, place.y, height),
      target: SIMD3(
        generator.normal(0.04 + framing.middleAhead * stature, sd: 0.03, limit: 2),
        generator.normal(0, sd: 0.03, limit: 2), aim),
      roll: generator.normal(0, sd: 1.2, limit: 2), focalLength: focalLength, aspect: aspect)
  }

  /// A camera at the given position, for a person at the origin who faces along x.
  init(_ stand: CameraStand, framing: Framing, stature: Double, aspect: Double) {
    let target = SIMD3(framing.middleAhead * stature, 0, framing.middleHeight * stature)
    let level = stand.elevation.cosineOfDegrees
    let towards = SIMD3(
      stand.azimuth.cosineOfDegrees * level, stand.azimuth.sineOfDegrees * level, stand.elevation.sineOfDegrees)
    self.init(
      position: target + towards * stand.distance, target: target,
      focalLength: Self.standingFill * stand.distance / (stature * framing.extent(from: stand.azimuth, aspect: aspect)),
      aspect: aspect)
  }

  /// The share of the image's height that the exercise fills.
  private static let standingFill = 0.7

  /// The walking direction that crosses the image from left to right, as a heading in -180...180 degrees.
  var acrossHeading: Double { Double.atan2(y: right.y, x: right.x).degreesFromRadians }

  /// Half of the visible width at the origin's distance, in metres.
  var halfWidthAtOrigin: Double { (-position).dot(forward) * aspect / 2 / focalLength }
}
