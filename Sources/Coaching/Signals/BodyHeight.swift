import PoseModel

/// How tall a person is in the picture, from the highest part of the face to the lower ankle, in image heights.
///
/// NaN where neither the face nor an ankle is in sight.
public struct BodyHeight: Signal {
  public var visibility: Visibility

  public init(_ visibility: Visibility) { self.visibility = visibility }

  public var name: String { "body height" }
  public var unit: String { "image heights" }

  private static let face: [Joint] = [.nose, .leftEye, .rightEye, .leftEar, .rightEar]
  private static let feet: [Joint] = [.leftAnkle, .rightAnkle]

  public func measure(_ poses: borrowing PoseColumns, into output: UnsafeMutableBufferPointer<Float>) {
    for frame in 0..<poses.count {
      var top = Float.infinity
      var bottom = -Float.infinity
      for index in Self.face.indices {
        if let point = visibility.point(Self.face[index], poses, frame) { top = min(top, point.y) }
      }
      for index in Self.feet.indices {
        if let point = visibility.point(Self.feet[index], poses, frame) { bottom = max(bottom, point.y) }
      }
      let height = bottom - top
      output[frame] = height.isFinite ? height : .nan
    }
  }
}
