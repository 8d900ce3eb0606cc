import Datasets
import Foundation
import Testing

@Suite struct BusyTimeoutTests {
  /// Which file was written last, how many seconds ago, how long somebody has waited, and whether to go on.
  static let waits: [(file: String, age: Double, waited: Double, isWorthwhile: Bool)] = [
    ("store.sqlite", 3600, 4, true), ("store.sqlite", 3600, 6, false), ("store.sqlite", 2, 6, true),
    ("store.sqlite-wal", 2, 60, true), ("store.sqlite-journal", 2, 500, true), ("other.sqlite", 2, 6, false),
    ("store.sqlite", 2, 601, false),
  ]

  @Test(arguments: waits)
  func whoeverFindsAStoreBeingWrittenWaits(
    _ file: String, _ age: Double, _ waited: Double, _ isWorthwhile: Bool
  ) throws {
    let folder = NSTemporaryDirectory() + "timeout-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let now = 1_700_000_000.0
    for name in Set(["store.sqlite", file]) {
      try Data().write(to: URL(fileURLWithPath: "\(folder)/\(name)"))
      let written = Date(timeIntervalSince1970: now - (name == file ? age : 3600))
      try FileManager.default.setAttributes([.modificationDate: written], ofItemAtPath: "\(folder)/\(name)")
    }
    #expect(BusyTimeout(folder + "/store.sqlite").isWorthwhile(after: waited, at: now) == isWorthwhile)
  }
}
