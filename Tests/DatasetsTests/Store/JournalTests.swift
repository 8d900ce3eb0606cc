import Datasets
import Foundation
import GRDB
import PoseModel
import Testing

/// Imports so large that they have SQLite use another journal, and what others see of the store meanwhile.
@Suite final class JournalTests {
  let folder = NSTemporaryDirectory() + "journal-" + UUID().uuidString
  var path: String { folder + "/store.sqlite" }

  deinit { try? FileManager.default.removeItem(atPath: folder) }

  /// Twelve clips of more than 4 MB, four of which are a transaction.
  private struct Large: DatasetSource {
    var name = "large"
    var frames = 1 << 16
    let clipCount = 12

    var manifest: Manifest {
      Manifest(
        name: name, version: "1", licence: "none", source: "a test", origin: .synthetic,
        skeleton: Skeleton.coco17.name, coordinates: CoordinateSystem(unit: .image(aspect: 1), yAxis: .down),
        channels: [.x])
    }

    func digest() throws -> ContentHash { try #require(ContentHash(String(repeating: "a", count: 64))) }

    func clip(_ index: Int) throws -> Clip {
      Clip(
        info: Clip.Info(name: "c\(index)", subject: "s", exercise: "squat", view: "side", fps: 30, split: ""),
        keypoints: Keypoints(
          times: (0..<frames).map { Microseconds(frame: $0, rate: 30) }, keypointCount: 17, channels: [.x],
          values: [Float](repeating: Float(index), count: frames * 17)),
        labels: GroundTruth())
    }
  }

  private func journal() throws -> String? {
    var configuration = Configuration()
    // The last transaction may be under way.
    configuration.busyMode = .timeout(5)
    return try DatabaseQueue(path: path, configuration: configuration).read {
      try String.fetchOne($0, sql: "PRAGMA journal_mode")
    }
  }

  private func files() throws -> Set<String> { Set(try FileManager.default.contentsOfDirectory(atPath: folder)) }

  @Test func onlyALargeImportDoesWithoutTheLog() throws {
    let store = try Store(at: path)
    var journals: [String?] = []
    try store.importing(Large()) { _ in journals.append(try journal()) }
    #expect(journals == [String?](repeating: "wal", count: 3) + [String?](repeating: "delete", count: 9))
    // What fits into one transaction has no need of it.
    journals = []
    try store.importing(Large(name: "small", frames: 1 << 12)) { _ in journals.append(try journal()) }
    #expect(journals == [String?](repeating: "wal", count: 12))
    #expect(try journal() == "wal")
    #expect(try !files().contains("store.sqlite-journal"))
  }

  @Test func whatIsStoppedGoesOnFromTheLastTransaction() throws {
    let store = try Store(at: path)
    #expect(throws: CancellationError.self) {
      try store.importing(Large()) { if $0.clips == 6 { throw CancellationError() } }
    }
    #expect(try journal() == "wal")
    let again = try Store(at: path)
    let outcome = try again.importing(Large())
    #expect(outcome == .imported(outcome.content, clips: 12, resumed: 6))
  }

  @Test func anotherProcessMayReadAndWriteMeanwhile() throws {
    let store = try Store(at: path)
    let alone = try Store(at: folder + "/alone.sqlite").importing(Large())
    var others: [ImportOutcome] = []
    let outcome = try store.importing(Large()) { progress in
      guard progress.clips == 9 else { return }
      // A connection of its own, as another process has.
      let other = try Store(at: path)
      let unfinished = try #require(try other.datasets().first)
      #expect(unfinished.content == nil)
      // The second transaction may be under way or done.
      let there = try other.clips(of: unfinished).count
      #expect(there == 4 || there == 8)
      #expect(try journal() == "wal")
      others.append(try other.importing(Large(name: "other")))
    }
    #expect(outcome == .imported(alone.content, clips: 12, resumed: 0))
    #expect(others == [.imported(others[0].content, clips: 12, resumed: 0)])
    for dataset in try store.datasets() {
      let clips = try store.clips(of: dataset)
      #expect(clips.count == 12)
      let last = try #require(clips.first(where: { $0.info.name == "c11" }))
      #expect(try store.clip(last, of: dataset).keypoints?.values.allSatisfy { $0 == 11 } == true)
    }
  }
}
