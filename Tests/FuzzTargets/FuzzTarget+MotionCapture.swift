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
      let folder = FileManager.default.temporaryDirectory.appendingPathComponent("fuzz-\(UUID().uuidString)")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(at: folder) }
      let file = folder.appendingPathComponent("clip.\(importer.format)")
      try input.bytes.write(to: file)
      var options = ImportOptions()
      options.exercise = "squat"
      for source in try importer.datasets(from: file.path, options: options) {
        guard source.clipCount > 0, let poses = try source.clip(0).keypoints else { continue }
        guard !poses.values.contains(where: \.isInfinite) else { throw RoundTripError(what: "an infinity") }
        guard zip(poses.times, poses.times.dropFirst()).allSatisfy({ $0 < $1 }) else {
          throw RoundTripError(what: "times that do not grow")
        }
      }
    }
  }
}
