import Dispatch
import Files
import Foundation
import GRDB
import PoseModel
import Synchronization

/// Writes the clips of an import in transactions of sixteen megabytes, while the next clips are read.
///
/// Only one transaction runs at a time: a killed import loses thirty-two megabytes at most. An error is thrown by the
/// next call.
final class ClipWriter {
  private let store: Store
  private let rows: ClipRows
  private let dataset: String
  private var waiting: [NewClip] = []
  private var waitingBytes = 0
  /// Taken while a transaction runs.
  private let free = DispatchSemaphore(value: 1)
  private let failure = Failure()

  /// The bytes of poses per transaction. With fewer, the import would wait for the disk more often.
  private static let transactionSize = 1 << 24
  /// The number of clips per transaction, for clips with labels only.
  private static let transactionClips = 1000

  /// - Parameter dataset: Its name.
  init(_ store: Store, into rows: ClipRows, of dataset: String) {
    self.store = store
    self.rows = rows
    self.dataset = dataset
  }

  /// Waits until no transaction is running.
  deinit {
    free.wait()
    free.signal()
  }

  /// - Throws: `StoreError`, also for an earlier clip.
  func add(_ clip: Clip, _ texts: ClipTexts, hash: Data) throws {
    waiting.append(NewClip(clip: clip, texts: texts, hash: hash))
    waitingBytes += (clip.keypoints?.values.count ?? 0) * MemoryLayout<Float>.size
    guard waitingBytes >= Self.transactionSize || waiting.count == Self.transactionClips else { return }
    try write()
  }

  /// Waits until everything is written.
  ///
  /// - Throws: `StoreError`.
  func finish() throws {
    if !waiting.isEmpty { try write() }
    try waitForLast()
  }

  private func write() throws {
    try waitForLast()
    // An import that fits into one transaction is not large.
    if waitingBytes >= Self.transactionSize { store.use(.rollback) }
    let (clips, rows, dataset, path, free, failure) = (waiting, rows, dataset, store.path, free, failure)
    waiting = []
    waitingBytes = 0
    free.wait()
    store.queue.asyncWrite { db in
      let isRemoved = try Bool.fetchOne(db, sql: "SELECT removed FROM dataset WHERE id = ?", arguments: [rows.dataset])
      guard isRemoved == false else { throw StoreError.changedMeanwhile(path: path, dataset: dataset) }
      for clip in clips { try clip.insert(into: rows, in: db) }
    } completion: { _, result in
      if case .failure(let error) = result {
        failure.error.withLock { $0 = StoreError.meaning(of: error, path: path) }
      }
      free.signal()
    }
  }

  private func waitForLast() throws {
    free.wait()
    free.signal()
    if let error = failure.error.withLock({ $0 }) { throw error }
  }

  private final class Failure: Sendable {
    let error = Mutex<(any Error)?>(nil)
  }
}

/// A clip to be written.
private struct NewClip: Sendable {
  var clip: Clip
  var texts: ClipTexts
  var hash: Data

  func insert(into rows: ClipRows, in db: Database) throws {
    let statement = try db.cachedStatement(
      sql: """
        INSERT OR REPLACE INTO \(rows.table) (dataset, name, info, labels, hash, times, poses)
        VALUES (?, ?, ?, ?, ?, ?, ?)
        """)
    let info = String(decoding: texts.info, as: UTF8.self)
    let labels = String(decoding: texts.labels, as: UTF8.self)
    func insert(times: Data?, poses: Data?) throws {
      try statement.execute(arguments: [rows.dataset, clip.info.name, info, labels, hash, times, poses])
    }
    guard let keypoints = clip.keypoints else { return try insert(times: nil, poses: nil) }
    try keypoints.times.withUnsafeBytes { times in
      try keypoints.values.withUnsafeBytes { poses in
        try insert(times: Data(borrowing: times), poses: Data(borrowing: poses))
      }
    }
  }
}

extension Data {
  /// Bytes that are borrowed, not copied.
  fileprivate init(borrowing bytes: UnsafeRawBufferPointer) {
    guard let start = bytes.baseAddress else {
      self.init()
      return
    }
    self.init(bytesNoCopy: UnsafeMutableRawPointer(mutating: start), count: bytes.count, deallocator: .none)
  }
}
