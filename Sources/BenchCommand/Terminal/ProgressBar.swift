import Foundation
import Synchronization

/// A bar on a terminal for what takes longer than a second; nothing in a pipe.
final class ProgressBar: Sendable {
  private let title: String
  private let total: Int
  private let start = ContinuousClock.now
  private let lastDrawn = Mutex<ContinuousClock.Instant?>(nil)

  init(_ title: String, total: Int) {
    self.title = title
    self.total = total
  }

  /// Call from any thread with how many are done.
  func update(_ done: Int) {
    guard Terminal.showsProgress, total > 0 else { return }
    let now = ContinuousClock.now
    guard now - start > .seconds(1) else { return }
    lastDrawn.withLock { last in
      if let last, now - last < .milliseconds(50), done < total { return }
      last = now
      let cells = 30
      let full = cells * done / total
      let bar = String(repeating: "█", count: full) + String(repeating: "░", count: cells - full)
      Terminal.writeBytes(Array("\r\(title) \(bar) \(done) of \(total) ".utf8), to: STDERR_FILENO)
    }
  }

  /// Clears the bar.
  func finish() {
    lastDrawn.withLock { last in
      if last != nil { Terminal.writeBytes(Array("\r\u{1B}[2K".utf8), to: STDERR_FILENO) }
      last = nil
    }
  }
}
