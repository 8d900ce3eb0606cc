import Foundation
import PoseModel

/// The image of a push-up video, found from what MediaPipe and MoveNet wrote of it.
///
/// MoveNet looks at a square of the longer side S to which the image was padded, but its positions in that square were
/// multiplied by the image's own width and height. Where MediaPipe's x goes from 0 to 1, MoveNet's then grows by
/// width² / S, and by height² / S in y. So the root of both slopes' ratio is width / height, and the greater slope is S.
/// Both are fitted on the keypoints that both are sure of, and rounded to the nearest usual shape (16:9, 4:3, 1:1 and
/// upright) and size, so that no estimator's places are fitted to the other's.
struct PushFitImage: Hashable {
  /// Width by height.
  let aspect: Double
  /// The longer side in pixels.
  let side: Double

  private static let usualAspects = [9.0 / 16, 3.0 / 4, 1, 4.0 / 3, 16.0 / 9]
  private static let usualSides: [Double] = [320, 480, 640, 854, 960, 1280, 1920, 2560, 3840]

  var width: Double { min(side, side * aspect) }
  var height: Double { min(side, side / aspect) }

  /// `nil` where the two recordings have too little in common.
  init?(mediapipe: PushFitRecording, movenet: PushFitRecording) {
    var x = SlopeFit()
    var y = SlopeFit()
    let common = Skeleton.coco17.keypoints.enumerated().compactMap { place, name in
      Skeleton.blazePose33.keypoints.firstIndex(of: name).map { (coco: place, blaze: $0) }
    }
    for (first, second) in zip(mediapipe.frames, movenet.frames) where !first.isEmpty && !second.isEmpty {
      for place in common {
        let from = first[place.blaze]
        let to = second[place.coco]
        guard from.visibility > 0.8, to.score > 0.5, from.x.isFinite, from.y.isFinite, to.x.isFinite, to.y.isFinite
        else { continue }
        x.add(Double(from.x), Double(to.x))
        y.add(Double(from.y), Double(to.y))
      }
    }
    guard let slopeX = x.slope, let slopeY = y.slope, slopeX > 0, slopeY > 0 else { return nil }
    aspect = Self.nearest((slopeX / slopeY).squareRoot(), Self.usualAspects)
    side = Self.nearest(max(slopeX, slopeY), Self.usualSides)
  }

  /// What is assumed where only one estimator's file is there: 16:9, as large as MoveNet's places need.
  init(alone movenet: PushFitRecording?) {
    aspect = 16.0 / 9
    var extent: Float = 0
    for frame in movenet?.frames ?? [] {
      for keypoint in frame where keypoint.x.isFinite { extent = max(extent, keypoint.x) }
    }
    side = Self.usualSides.first { $0 >= Double(extent) } ?? Double(extent)
  }

  private static func nearest(_ value: Double, _ usual: [Double]) -> Double {
    usual.min { abs($0 / value - value / $0) < abs($1 / value - value / $1) } ?? value
  }

  /// A place of MediaPipe's, in image heights.
  func place(mediapipe keypoint: PushFitRecording.Keypoint) -> (x: Float, y: Float) {
    (keypoint.x * Float(aspect), keypoint.y)
  }

  /// A place of MoveNet's, in image heights.
  func place(movenet keypoint: PushFitRecording.Keypoint) -> (x: Float, y: Float) {
    func undone(_ value: Float, _ length: Double) -> Float {
      Float((Double(value) / length * side - (side - length) / 2) / height)
    }
    return (undone(keypoint.x, width), undone(keypoint.y, height))
  }
}
