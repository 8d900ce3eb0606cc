import Datasets
import Files
import Foundation
import PoseModel

extension FuzzTarget {
  static let npy = FuzzTarget("npy") { file in
    let array = try NumpyArray(file)
    let again = try NumpyArray(InputFile(name: "again", bytes: array.encoded))
    guard again.shape == array.shape, again.values.map(\.bitPattern) == array.values.map(\.bitPattern) else {
      throw RoundTripError(what: "shape \(array.shape)")
    }
  }

  /// Poses of 17 keypoints with x and y.
  static let poseCSV = FuzzTarget("pose-csv") { file in
    func read(_ file: InputFile) throws -> Keypoints {
      try PoseCSV.read(file, skeleton: .coco17, channels: [.x, .y])
    }
    let poses = try read(file)
    let again = try read(InputFile(name: "again", bytes: PoseCSV.encode(poses, skeleton: .coco17)))
    guard again.times == poses.times, again.values.map(\.bitPattern) == poses.values.map(\.bitPattern) else {
      throw RoundTripError(what: "\(poses.frameCount) frames")
    }
  }

  static let manifest = FuzzTarget("manifest") { file in
    let manifest = try Manifest(yaml: file)
    let again = try Manifest(yaml: InputFile(name: "again", bytes: Data(manifest.yamlText().utf8)))
    guard again == manifest else { throw RoundTripError(what: "\(manifest)") }
  }
}
