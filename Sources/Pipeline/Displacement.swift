import PoseModel
import Statistics

/// The same motion later and at another place of the picture, as a phone's clock and stand change between two days.
///
/// A coach cannot depend on either, but a program that recognises a recording does.
public struct Displacement: Hashable, Sendable {
  /// Added to the time of each frame: 3 to 9 seconds.
  public let time: Microseconds
  /// To the right and down, in image heights: 1/64 to 1/16 either way; 0 for recordings in metres or relative units,
  /// which have their own origin, often the hips.
  public let x: Float
  public let y: Float

  /// - Parameter clip: `squat-sample/s01_side_1`: each clip is displaced in its own way, always the same.
  init(of clip: String, in coordinates: CoordinateSystem) {
    var random = SeededGenerator(seed: 1, stream: clip.utf8.map { Int($0) })
    let isPlaced = coordinates.unit != .metre && coordinates.unit != .relative
    func place() -> Float {
      isPlaced ? Float(16 + random.index(below: 49)) / 1024 * (random.chance(0.5) ? 1 : -1) : 0
    }
    time = Microseconds(Int64(3000 + random.index(below: 6001)) * 1000)
    (x, y) = (place(), place())
  }
}

extension Keypoints {
  /// The keypoints at the displaced times and places.
  func displaced(by displacement: Displacement, in coordinates: CoordinateSystem) -> Keypoints {
    let scale = coordinates.scale
    let x = displacement.x / scale.x
    let y = displacement.y / scale.y * (coordinates.yAxis == .up ? -1 : 1)
    var values = values
    for keypoint in 0..<keypointCount {
      for (place, channel) in channels.enumerated() where channel == .x || channel == .y {
        let start = (keypoint * channels.count + place) * frameCount
        for index in start..<start + frameCount { values[index] += channel == .x ? x : y }
      }
    }
    return Keypoints(
      times: times.map { Microseconds($0.count + displacement.time.count) }, keypointCount: keypointCount,
      channels: channels, values: values)
  }
}
