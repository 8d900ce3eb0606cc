import Datasets
import Foundation
import Importers

/// How fast clips come from files into a store, as `bench dataset import` does it, and how much memory that takes.
///
/// Everything counts: two SHA-256, of the files and of the clips, reading, checking, and the store's journal.
struct ImportBenchmark {
  var files: ThroughputFiles
  var clips: ThroughputFiles.Clips

  func measure() throws -> Row {
    let folder = files.folder + "/store-\(getpid())"
    defer { try? FileManager.default.removeItem(atPath: folder) }
    var rates = Rates(megabytes: Double(try files.byteCount(clips)) / 1e6)
    for attempt in 0..<clips.tries {
      let store = try Store(at: "\(folder)/\(attempt).sqlite")
      rates.add(try Effort { _ = try store.importing(source) })
    }
    return Row(
      what: "import of \(clips.description)", claimed: "under 300 MB of memory",
      measured: "\(rates.text), \(rates.peakMemory.text(0)) MB", holds: rates.peakMemory < 300)
  }

  private var source: any DatasetSource {
    get throws {
      guard clips == .json else { return try DatasetFolder(files.path(clips)) }
      var options = ImportOptions()
      options.fps = 30
      options.exercise = "squat"
      options.size = ImageSize(width: 100, height: 100)
      return try MoveNet.datasets(from: files.path(clips), options: options)[0]
    }
  }
}
