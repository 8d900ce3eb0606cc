import Datasets
import Foundation
import Importers

extension FuzzTarget {
  static let bvh = importing(BVH.self)
  static let c3d = importing(C3D.self)
  static let trc = importing(TRC.self)

  /// A file by itself, imported as it is.
  private static func importing(_ importer: any Importer.Type) -> FuzzTarget {
    FuzzTarget(importer.format) { input in
      var options = ImportOptions()
      options.exercise = "squat"
      try withTemporaryFile(input.bytes, named: "clip.\(importer.format)") { path in
        for source in try importer.datasets(from: path, options: options) {
          guard source.clipCount > 0, let poses = try source.clip(0).keypoints else { continue }
          guard !poses.values.contains(where: \.isInfinite) else { throw RoundTripError(what: "an infinity") }
          guard zip(poses.times, poses.times.dropFirst()).allSatisfy({ $0 < $1 }) else {
            throw RoundTripError(what: "times that do not grow")
          }
        }
      }
    }
  }
}
