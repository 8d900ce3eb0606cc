import Foundation

/// How long somebody waits for a store that others are writing: five seconds, and longer as long as one of its files is
/// being written, at most ten minutes.
///
/// A dozen imports at once, of a hundred megabytes each, take turns that last longer than five seconds together.
package struct StorePatience: Sendable {
  private let files: [String]

  package init(_ path: String) { files = ["", "-wal", "-journal"].map { path + $0 } }

  /// Waits a moment; says whether that was of use.
  ///
  /// SQLite's own way of waiting looks every tenth of a second, and would miss the moments that an import leaves between its
  /// transactions.
  func wait(_ tries: Int) -> Bool {
    usleep(Self.pause)
    return isWorthwhile(after: Double(tries) * Double(Self.pause) / 1e6, at: Date().timeIntervalSince1970)
  }

  /// Microseconds.
  private static let pause: UInt32 = 2_000

  /// Whether to go on waiting.
  ///
  /// - Parameters:
  ///   - waited: seconds.
  ///   - now: seconds since 1970.
  package func isWorthwhile(after waited: Double, at now: Double) -> Bool {
    guard waited >= 5 else { return true }
    return waited < 600 && files.contains { Self.lastWrite(of: $0).map { abs(now - $0) < 5 } ?? false }
  }

  /// In seconds since 1970; `nil` where there is no such file.
  private static func lastWrite(of file: String) -> Double? {
    var status = stat()
    guard stat(file, &status) == 0 else { return nil }
    #if os(Linux)
      return Double(status.st_mtim.tv_sec)
    #else
      return Double(status.st_mtimespec.tv_sec)
    #endif
  }
}
