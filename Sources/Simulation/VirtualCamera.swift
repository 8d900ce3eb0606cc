import Datasets
import Files
import PoseModel
import RealModule

/// A virtual camera for motion capture: `front`, `side`, or azimuth, elevation and field of view.
///
/// - **Azimuth**, in degrees: the camera's direction from the subject, seen from above, counterclockwise from where the
///   subject faces: 0 is in front, 90 on the subject's left, −90 on the right, 180 behind.
/// - **Elevation**, in degrees from −80 to 80: how far the camera is above its target.
/// - **Field of view**, in degrees from 10 to 120: the vertical angle of the image.
///
/// The subject faces across the mean line over the clip from right to left hip and shoulder. The camera is still and
/// level. It looks at the middle of the smallest axis-parallel box around all joints of all frames, from the least
/// distance at which every joint lies within the middle 80 % of the image's width and height, and at least half a metre
/// from the nearest joint. The image has 1920 x 1080 pixels.
///
/// The result is exact: pinhole projections of the joints, not rounded to pixels, with no joint hidden and none missing
/// unless it was missing before.
public struct VirtualCamera: Hashable, Sendable {
  public let azimuth: Double
  public let elevation: Double
  public let fieldOfView: Double

  public static let imageWidth = 1920.0
  public static let imageHeight = 1080.0
  /// The greatest share of the image's width and height that the joints fill.
  static let fill = 0.8
  static let leastDistance = 0.5

  public static let description =
    "front, side, or azimuth (-360 to 360), elevation (-80 to 80) and field of view (10 to 120) in degrees: 45,10,50"

  /// A level camera with the 50 degrees that a phone held on its side shows from top to bottom.
  public static let front = VirtualCamera(azimuth: 0, elevation: 0, fieldOfView: 50)
  public static let side = VirtualCamera(azimuth: 90, elevation: 0, fieldOfView: 50)

  private init(azimuth: Double, elevation: Double, fieldOfView: Double) {
    self.azimuth = azimuth
    self.elevation = elevation
    self.fieldOfView = fieldOfView
  }

  /// `nil` for anything but `front`, `side` or three numbers within their ranges.
  public init?(_ text: String) {
    switch text {
    case "front": self = .front
    case "side": self = .side
    default:
      let parts = text.split(separator: ",", omittingEmptySubsequences: false).map { Double($0) }
      guard parts.count == 3, let azimuth = parts[0], let elevation = parts[1], let fieldOfView = parts[2],
        (-360...360).contains(azimuth), (-80...80).contains(elevation), (10...120).contains(fieldOfView)
      else { return nil }
      self.init(azimuth: azimuth, elevation: elevation, fieldOfView: fieldOfView)
    }
  }

  /// The value of `Clip.Info.view`: within 20 degrees of `front`, `side` or `back`, otherwise `oblique`.
  public var view: String { Self.view(from: azimuth) }

  /// The view from an azimuth in degrees.
  static func view(from azimuth: Double) -> String {
    let turn = abs(azimuth.remainder(dividingBy: 360))
    if turn <= 20 { return "front" }
    if turn >= 160 { return "back" }
    return abs(turn - 90) <= 20 ? "side" : "oblique"
  }

  /// The suffix for the name of a dataset seen by this camera.
  public var name: String {
    if self == .front { return "front" }
    if self == .side { return "side" }
    return [azimuth, elevation, fieldOfView].map(\.shortestDecimal).joined(separator: "_")
  }

  /// The camera for one clip.
  ///
  /// - Parameter clip: The joints of the clip in metres.
  /// - Returns: `nil` if hips and shoulders never show the direction of the subject.
  func placed(before clip: UprightPoints) -> Camera? {
    let forwards = clip.facing
    guard forwards.length > 0 else { return nil }
    var lowest = SIMD3<Double>(repeating: .infinity)
    var highest = -lowest
    clip.forEach { point in
      lowest = pointwiseMin(lowest, point)
      highest = pointwiseMax(highest, point)
    }
    let target = (lowest + highest) / 2
    let turn = Double.atan2(y: forwards.y, x: forwards.x) + azimuth * .pi / 180
    let level = elevation.cosineOfDegrees
    // The direction from the target to the camera.
    let towards = SIMD3(Double.cos(turn) * level, Double.sin(turn) * level, elevation.sineOfDegrees)
    let focalLength = 0.5 / Double.tan(fieldOfView / 2 * .pi / 180)
    let aspect = Self.imageWidth / Self.imageHeight
    // The camera's axes are the same at any distance.
    let axes = Camera(position: target + towards, target: target, focalLength: focalLength, aspect: aspect)
    var distance = 0.0
    clip.forEach { point in
      let place = point - target
      let across = focalLength * abs(place.dot(axes.right)) / (Self.fill / 2 * aspect)
      let upwards = focalLength * abs(place.dot(axes.up)) / (Self.fill / 2)
      distance = max(distance, place.dot(towards) + max(across, upwards, Self.leastDistance))
    }
    return Camera(position: target + towards * distance, target: target, focalLength: focalLength, aspect: aspect)
  }
}

/// The joints of a clip in metres in the camera's world: right-handed, z up.
struct UprightPoints {
  private let keypoints: Keypoints
  private let skeleton: Skeleton
  private let columns: [(x: ArraySlice<Float>, y: ArraySlice<Float>, z: ArraySlice<Float>)]
  private let sign: Double

  /// `nil` if the keypoints have no depth.
  init?(_ keypoints: Keypoints, skeleton: Skeleton, yAxis: CoordinateSystem.YAxis) {
    self.keypoints = keypoints
    self.skeleton = skeleton
    sign = yAxis == .up ? 1 : -1
    var columns: [(ArraySlice<Float>, ArraySlice<Float>, ArraySlice<Float>)] = []
    for keypoint in 0..<keypoints.keypointCount {
      guard let x = keypoints.column(keypoint, .x), let y = keypoints.column(keypoint, .y),
        let z = keypoints.column(keypoint, .z)
      else { return nil }
      columns.append((x, y, z))
    }
    self.columns = columns
  }

  var count: Int { keypoints.frameCount }

  /// `nil` if the joint is missing. A clip's z points away from the viewer, which is a viewer's y when z is up.
  func point(_ keypoint: Int, _ frame: Int) -> SIMD3<Double>? {
    let column = columns[keypoint]
    let point = SIMD3(
      Double(column.x[column.x.startIndex + frame]), Double(column.z[column.z.startIndex + frame]),
      sign * Double(column.y[column.y.startIndex + frame]))
    return (point.x + point.y + point.z).isFinite ? point : nil
  }

  func forEach(_ body: (SIMD3<Double>) -> Void) {
    for keypoint in columns.indices {
      var frame = 0
      while frame < count {
        if let point = point(keypoint, frame) { body(point) }
        frame += 1
      }
    }
  }

  /// The direction that the subject faces, horizontal and of any length; of length 0 if unknown.
  var facing: SIMD3<Double> {
    var across = SIMD3<Double>.zero
    for (left, right) in [(Joint.leftHip, Joint.rightHip), (.leftShoulder, .rightShoulder)] {
      guard case .keypoint(let left)? = skeleton[left], case .keypoint(let right)? = skeleton[right] else { continue }
      var frame = 0
      while frame < count {
        if let left = point(left, frame), let right = point(right, frame) { across += left - right }
        frame += 1
      }
    }
    // Forward is x, left is y and up is z.
    return SIMD3(across.y, -across.x, 0)
  }
}

/// A 3D dataset as a virtual camera sees it: the same clips and labels in 2D, in pixels.
public struct CameraSource<Base: DatasetSource>: DatasetSource {
  public let manifest: Manifest
  private let base: Base
  private let camera: VirtualCamera
  private let skeleton: Skeleton

  /// - Parameter name: The name of the dataset; by default the 3D one's with the camera's appended.
  /// - Throws: `DataError` if the dataset is not 3D in metres: a scale that changes from frame to frame, or a depth
  ///   that an estimator guessed, does not tell where a camera would see a joint.
  public init(_ base: Base, camera: VirtualCamera, name: String? = nil) throws {
    var manifest = base.manifest
    guard manifest.coordinates.unit == .metre, manifest.channels.contains(.z) else {
      let unit =
        switch manifest.coordinates.unit {
        case .image: "parts of the image"
        case .pixel: "pixels"
        case .metre: "metres"
        case .relative: "no unit"
        }
      throw DataError(
        file: manifest.name, expected: "a recording in 3D, with x, y and z in metres, for --camera",
        found: "\(unit) with \(manifest.channels.map(\.name).joined(separator: ", "))")
    }
    skeleton = try Skeleton(of: manifest, file: manifest.name)
    self.base = base
    self.camera = camera
    manifest.name = name ?? "\(manifest.name)-\(camera.name)"
    manifest.source += "; seen by a virtual camera: \(Self.words(camera))"
    manifest.coordinates = CoordinateSystem(unit: .pixel(height: VirtualCamera.imageHeight), yAxis: .down)
    manifest.channels = [.x, .y] + (manifest.channels.contains(.confidence) ? [.confidence] : [])
    self.manifest = manifest
  }

  private static func words(_ camera: VirtualCamera) -> String {
    let angles = [camera.azimuth, camera.elevation, camera.fieldOfView].map(\.shortestDecimal)
    return "azimuth \(angles[0])°, elevation \(angles[1])°, field of view \(angles[2])°"
  }

  public var clipCount: Int { base.clipCount }

  public func digest() throws -> ContentHash {
    let hash = SHA256()
    hash.update("camera 1 \(Self.words(camera))")
    hash.update(try base.digest().hex)
    return ContentHash(hash.finish())
  }

  public func clip(_ index: Int) throws -> Clip {
    var clip = try base.clip(index)
    clip.info.view = camera.view
    clip.keypoints = try clip.keypoints.map { try seen($0, clip: clip.info.name) }
    return clip
  }

  private func seen(_ keypoints: Keypoints, clip: String) throws -> Keypoints {
    let yAxis = base.manifest.coordinates.yAxis
    guard let points = UprightPoints(keypoints, skeleton: skeleton, yAxis: yAxis),
      let placed = camera.placed(before: points)
    else {
      throw DataError(
        file: base.manifest.name, clip: clip, expected: "hips or shoulders that show the direction of the subject",
        found: "none, or as many frames one way as the other")
    }
    let count = keypoints.frameCount
    var values: [Float] = []
    values.reserveCapacity(keypoints.keypointCount * manifest.channels.count * count)
    for keypoint in 0..<keypoints.keypointCount {
      var x = [Float](repeating: .nan, count: count)
      var y = x
      var frame = 0
      while frame < count {
        if let point = points.point(keypoint, frame), let seen = placed.project(point) {
          x[frame] = Float(seen.x * VirtualCamera.imageWidth)
          y[frame] = Float(seen.y * VirtualCamera.imageHeight)
        }
        frame += 1
      }
      values += x
      values += y
      if let confidence = keypoints.column(keypoint, .confidence) { values += confidence }
    }
    return Keypoints(
      times: keypoints.times, keypointCount: keypoints.keypointCount, channels: manifest.channels, values: values)
  }
}
