import Datasets
import Foundation
import Importers
import PoseModel
import Testing

/// A store with a dataset of the clips `anna` and `ben-2`, or others, each of 60 frames at 30 a second, and files to label it with.
final class LabelStore {
  let folder: ImportFolder
  let store: Store

  private struct Clips: DatasetSource {
    let names: [String]
    var clipCount: Int { names.count }
    let manifest = Manifest(
      name: "mine", version: "1", licence: "none", source: "test", origin: .recorded, skeleton: Skeleton.coco17.name,
      coordinates: CoordinateSystem(unit: .pixel(height: 100), yAxis: .down), channels: [.x, .y],
      criteria: [Manifest.Criterion(name: "form", minimum: 0, maximum: 10)])

    func digest() throws -> ContentHash { try #require(ContentHash(String(repeating: "0", count: 64))) }

    func clip(_ index: Int) throws -> Clip {
      Clip(
        info: Clip.Info(
          name: names[index], subject: "s\(index)", exercise: "squat", view: "", fps: 30, split: ""),
        keypoints: Keypoints(
          times: (0..<60).map { Microseconds(frame: $0, rate: 30) }, keypointCount: 17, channels: [.x, .y],
          values: [Float](repeating: 1, count: 60 * 34)), labels: GroundTruth())
    }
  }

  init(clips names: [String] = ["anna", "ben-2"]) throws {
    folder = try ImportFolder()
    store = try Store(at: folder.path + "/store.sqlite")
    try store.importing(Clips(names: names))
  }

  func dataset() throws -> StoredDataset { try #require(try store.datasets().first) }

  @discardableResult
  func label(
    _ file: String, _ text: String, format: String? = nil, mapping: String? = nil, replacing: Bool = false,
    areReps: Bool = false
  ) throws -> LabelImport.Outcome {
    let path = "labels-\(UUID().uuidString.prefix(4))"
    try folder.write(text, to: "\(path)/\(file)")
    if let mapping { try folder.write(mapping, to: "mapping.yaml") }
    let labels = try LabelImport(
      from: "\(folder.path)/\(path)", format: format, mapping: mapping.map { _ in folder.path + "/mapping.yaml" },
      wordlessAreReps: areReps)
    return try labels.put(into: dataset(), of: store, replacing: replacing)
  }

  /// The words of the error that labelling throws, without the folders; the store must then be as it was.
  func error(_ file: String, _ text: String, format: String? = nil, mapping: String? = nil) throws -> String {
    let before = try dataset().content
    let words = folder.error { try label(file, text, format: format, mapping: mapping) }
    #expect(try dataset().content == before)
    return words.replacing(/labels-[0-9A-F]{4}\//, with: "")
  }

  func labels(_ clip: String) throws -> GroundTruth {
    try #require(try store.clips(of: dataset()).first { $0.info.name == clip }).labels
  }
}

extension Rep {
  /// In milliseconds.
  init(_ start: Int64, _ end: Int64, turn: Int64? = nil) {
    self.init(
      start: Microseconds(start * 1000), end: Microseconds(end * 1000), turn: turn.map { Microseconds($0 * 1000) })
  }
}
