import Datasets
import Foundation
import Importers
import PoseModel
import Testing

/// What a person would say of a squat filmed at 10 frames a second.
func said(
  fps: Double? = 10, size: ImageSize? = nil, exercise: String? = "squat", mapping: String? = nil
) -> ImportOptions {
  var options = ImportOptions()
  options.fps = fps
  options.size = size
  options.exercise = exercise
  options.mapping = mapping
  return options
}

/// A figure whose keypoint k stands at (x + k, 2 x + k) with confidence 0.5, as flat numbers.
func figure(_ x: Double, keypoints: Int = 17) -> [Double] {
  (0..<keypoints).map(Double.init).flatMap { (k: Double) -> [Double] in [x + k, 2 * x + k, 0.5] }
}

func numbers(_ values: [Double]) -> String { "[" + values.map { "\($0)" }.joined(separator: ",") + "]" }

extension Importer {
  /// The only dataset of a path.
  static func only(_ path: String, _ options: ImportOptions = said()) throws -> any Importer {
    let sources = try Importers.datasets(Self.self, from: path, options: options)
    return try #require(sources.count == 1 ? sources.first : nil)
  }
}

extension Clip {
  /// x, y and confidence of a keypoint in a frame.
  func place(_ keypoint: Int, _ frame: Int) throws -> [Float] {
    let keypoints = try #require(keypoints)
    return [Channel.x, .y, .confidence].compactMap { keypoints.column(keypoint, $0).map { $0[$0.startIndex + frame] } }
  }

  /// In which frames somebody is there.
  var presence: [Bool] {
    guard let keypoints else { return [] }
    return (0..<keypoints.frameCount).map { frame in
      (0..<keypoints.keypointCount).contains { keypoint in
        keypoints.column(keypoint, .x).map { $0[$0.startIndex + frame].isFinite } ?? false
      }
    }
  }
}
