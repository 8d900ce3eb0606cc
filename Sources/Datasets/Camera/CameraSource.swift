import PoseModel

/// A 3D dataset as a virtual camera sees it: the same clips and labels in 2D, in pixels.
public struct CameraSource<Base: DatasetSource>: DatasetSource {
  public let manifest: Manifest
  private let base: Base
  private let camera: VirtualCamera
  private let skeleton: Skeleton

  /// - Parameter name: what the dataset shall be called; that of the 3D one with the camera's behind it where none is given.
  /// - Throws: `DataError` where the dataset is not 3D in metres: a scale that changes from frame to frame, or a depth
  ///   that an estimator guessed, says nothing of where a camera would see a joint.
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
        file: base.manifest.name, clip: clip, expected: "hips or shoulders that show where the subject faces",
        found: "none, or as much one way as the other")
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
