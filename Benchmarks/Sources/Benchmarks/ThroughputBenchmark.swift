import Datasets
import Files
import Foundation
import Importers
import PoseModel
import Statistics

/// The throughput on one core: files into memory, clips into the store, and a clip out of it.
///
/// The files are in the system's cache.
struct ThroughputBenchmark {
  var files: ThroughputFiles

  func measure() throws -> [Row] {
    [
      try readingCSV(), try readingMediaPipe(),
      try readingJSON(KeypointFiles.self, files.json, "keypoint JSON, six decimals,"),
      try readingJSON(COCOKeypoints.self, files.coco, "COCO's results with all digits of doubles"),
      try readingJSON(COCOKeypoints.self, files.cocoIndented, "the same, indented,"),
      try readingNumpy(),
    ] + (try storing())
  }

  private func rates(_ path: String, tries: Int = 7, _ read: () throws -> Void) throws -> Rates {
    let size = try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int ?? 0
    var rates = Rates(megabytes: Double(size) / 1e6)
    for _ in 0..<tries { rates.add(try Effort(of: read)) }
    return rates
  }

  private func readingCSV() throws -> Row {
    let rates = try rates(files.csv) {
      _ = try PoseCSV.read(
        InputFile(files.csv), skeleton: ThroughputFiles.skeleton, channels: ThroughputFiles.channels)
    }
    return Row(
      what: "numeric pose CSV into poses", claimed: "at least 600 MB/s", measured: rates.text,
      holds: rates.processor >= 600)
  }

  private func readingMediaPipe() throws -> Row {
    let rates = try rates(files.mediaPipe) {
      _ = try KeypointFiles.datasets(from: files.mediaPipe, options: options)[0].clip(0)
    }
    return Row(
      what: "MediaPipe CSV into poses of the subject", claimed: "at least 600 MB/s", measured: rates.text,
      holds: rates.processor >= 600)
  }

  private func readingJSON(_ importer: any Importer.Type, _ file: String, _ what: String) throws -> Row {
    let rates = try rates(file) { _ = try importer.datasets(from: file, options: options)[0].clip(0) }
    return Row(
      what: "\(what) into poses of the subject", claimed: "at least 400 MB/s", measured: rates.text,
      holds: rates.processor >= 400)
  }

  /// Facts that are missing from the files.
  private var options: ImportOptions {
    var options = ImportOptions()
    options.fps = 30
    options.exercise = "squat"
    options.size = ImageSize(width: 1920, height: 1080)
    return options
  }

  private func readingNumpy() throws -> Row {
    let rates = try rates(files.npy) { _ = try NumpyArray(InputFile(files.npy)) }
    // The time to copy the file from the system's cache into allocated memory.
    let descriptor = open(files.npy, O_RDONLY)
    defer { close(descriptor) }
    let size = Int(lseek(descriptor, 0, SEEK_END))
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: max(size, 0), alignment: 16)
    defer { buffer.deallocate() }
    let plain = try self.rates(files.npy) {
      guard pread(descriptor, buffer.baseAddress, size, 0) == size else { throw BenchmarkError.wrongCount(size) }
    }
    return Row(
      what: "npy into an array", claimed: "at least half of the disk cache's \(plain.processor.text(0)) MB/s",
      measured: rates.text, holds: rates.processor >= plain.processor / 2)
  }

  /// 240 MB of poses in clips of ten seconds, as a phone records them.
  private func storing() throws -> [Row] {
    let source = ClipSource(clips: 4_000, frames: 300)
    let folder = files.folder + "/store-\(getpid())"
    defer { try? FileManager.default.removeItem(atPath: folder) }
    var rates = Rates(megabytes: Double(source.byteCount) / 1e6)
    for attempt in 0..<3 {
      let store = try Store(at: "\(folder)/\(attempt).sqlite")
      rates.add(try Effort { try store.importing(source) })
    }
    return [
      Row(
        what: "clips of 61 KB into the store, hashed", claimed: "at least 400 MB/s", measured: rates.text,
        holds: rates.processor >= 400), try reading(from: Store(at: "\(folder)/0.sqlite")),
    ]
  }

  private func reading(from store: Store) throws -> Row {
    guard let dataset = try store.datasets().first else { throw BenchmarkError.wrongCount(0) }
    let clips = try store.clips(of: dataset)
    var random = SeededGenerator(seed: 2)
    let times = try (0..<20_000).map { _ in
      let clip = clips[Int.random(in: 0..<clips.count, using: &random)]
      return try Effort { _ = try store.clip(clip, of: dataset) }.wall
    }
    let median = times.sorted()[times.count / 2] * 1e6
    return Row(
      what: "a clip of 61 KB out of the store, any of 4,000, p50", claimed: "under 20 µs",
      measured: "\(median.text(1)) µs", holds: median < 20)
  }
}

enum BenchmarkError: Error {
  case wrongCount(Int)
}

/// Clips that are in memory, all with the same poses.
private struct ClipSource: DatasetSource {
  let manifest = Manifest(
    name: "throughput", version: "1", licence: "none", source: "a benchmark", origin: .synthetic,
    skeleton: ThroughputFiles.skeleton.name, coordinates: CoordinateSystem(unit: .image(aspect: 1), yAxis: .down),
    channels: ThroughputFiles.channels)
  let clipCount: Int
  private let keypoints: Keypoints

  init(clips: Int, frames: Int) {
    clipCount = clips
    keypoints = ThroughputFiles.keypoints(frames: frames)
  }

  var byteCount: Int { clipCount * keypoints.values.count * MemoryLayout<Float>.size }

  func digest() throws -> ContentHash { try ContentHash.files([], in: "") }

  func clip(_ index: Int) throws -> Clip {
    Clip(
      info: Clip.Info(name: "clip-\(index)", subject: "s", exercise: "squat", view: "side", fps: 30, split: ""),
      keypoints: keypoints, labels: GroundTruth(repCount: 5))
  }
}
