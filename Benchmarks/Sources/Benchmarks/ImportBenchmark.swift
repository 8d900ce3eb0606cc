import Datasets
import Foundation
import Importers

/// The speed and memory of importing clips from files into a store, as in `bench dataset import`.
///
/// Includes the SHA-256 of files and of clips, reading, checking, and the store's journal.
struct ImportBenchmark {
  var files: ThroughputFiles
  var clips: ThroughputFiles.Clips

  func measure() throws -> Row {
    let folder = files.folder + "/store-\(getpid())"
    defer { try? FileManager.default.removeItem(atPath: folder) }
    var rates = Rates(megabytes: Double(try files.byteCount(clips)) / 1e6)
    for _ in 0..<3 {
      // A new store. The previous one is deleted, which frees memory for the system's cache.
      try? FileManager.default.removeItem(atPath: folder)
      let store = try Store(at: "\(folder)/store.sqlite")
      rates.add(try Effort { _ = try store.importing(source) })
    }
    return Row(
      what: "import of \(clips.description)", claimed: "under 300 MB of memory",
      measured: "\(rates.text), \(rates.peakMemory.text(0)) MB", holds: rates.peakMemory < 300)
  }

  private var source: any DatasetSource {
    get throws {
      guard clips.areForeign else { return try DatasetFolder(files.path(clips)) }
      var options = ImportOptions()
      options.fps = 30
      options.exercise = "squat"
      options.size = ImageSize(width: 1920, height: 1080)
      let importer: any Importer.Type = clips == .json ? KeypointFiles.self : COCOKeypoints.self
      return try importer.datasets(from: files.path(clips), options: options)[0]
    }
  }
}
