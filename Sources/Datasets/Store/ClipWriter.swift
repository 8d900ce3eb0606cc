import Dispatch
import Foundation
import GRDB
import PoseModel
import Synchronization

/// Writes the clips of an import down, a transaction for as many as make up sixteen megabytes, while the next are read.
///
/// One transaction is under way at a time, so that a kill costs an import thirty-two megabytes at most. What fails is thrown by
/// the call after it.
final class ClipWriter {
  private let store: Store
  private let dataset: Int64
  private var waiting: [NewClip] = []
  private var waitingBytes = 0
  /// Down while a transaction is under way.
  private let free = DispatchSemaphore(value: 1)
  private let failure = Failure()

  /// Bytes of poses after which clips are written down. With fewer, the disk is waited for more often.
  private static let transactionSize = 1 << 24
  /// As many that have labels only.
  private static let transactionClips = 1000

  init(_ store: Store, into dataset: Int64) {
    self.store = store
    self.dataset = dataset
  }

  /// Leaves no transaction under way.
  deinit {
    free.wait()
    free.signal()
  }

  /// - Throws: `StoreError`, of an earlier clip too.
  func add(_ clip: Clip, _ texts: ClipTexts, hash: Data) throws {
    waiting.append(NewClip(clip: clip, texts: texts, hash: hash))
    waitingBytes += (clip.keypoints?.values.count ?? 0) * MemoryLayout<Float>.size
    guard waitingBytes >= Self.transactionSize || waiting.count == Self.transactionClips else { return }
    try write()
  }

  /// Waits until all is written down.
  ///
  /// - Throws: `StoreError`.
  func finish() throws {
    if !waiting.isEmpty { try write() }
    try waitForLast()
  }

  private func write() throws {
    try waitForLast()
    // What fits into one transaction is no large import.
    if waitingBytes >= Self.transactionSize { store.use(.rollback) }
    let (clips, dataset, path, free, failure) = (waiting, dataset, store.path, free, failure)
    waiting = []
    waitingBytes = 0
    free.wait()
    store.queue.asyncWrite { db in
      for clip in clips { try clip.insert(into: dataset, in: db) }
    } completion: { _, result in
      if case .failure(let error) = result {
        failure.error.withLock { $0 = (error as? DatabaseError).map { StoreError($0, path: path) } ?? error }
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

/// A clip that is to be written.
private struct NewClip: Sendable {
  var clip: Clip
  var texts: ClipTexts
  var hash: Data

  func insert(into dataset: Int64, in db: Database) throws {
    let statement = try db.cachedStatement(
      sql: """
        INSERT OR REPLACE INTO clip (dataset, name, info, labels, hash, times, poses) VALUES (?, ?, ?, ?, ?, ?, ?)
        """)
    let info = String(decoding: texts.info, as: UTF8.self)
    let labels = String(decoding: texts.labels, as: UTF8.self)
    func insert(times: Data?, poses: Data?) throws {
      try statement.execute(arguments: [dataset, clip.info.name, info, labels, hash, times, poses])
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
  /// Bytes that are not copied, for as long as they are there.
  fileprivate init(borrowing bytes: UnsafeRawBufferPointer) {
    guard let start = bytes.baseAddress else {
      self.init()
      return
    }
    self.init(bytesNoCopy: UnsafeMutableRawPointer(mutating: start), count: bytes.count, deallocator: .none)
  }
}
