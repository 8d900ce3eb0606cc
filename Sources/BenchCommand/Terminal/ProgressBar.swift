import Foundation
import Synchronization

/// A bar with rate and time left on a terminal, for what takes longer than a second; nothing in a pipe.
///
/// Ctrl-C ends what it shows: see `Interruption`.
final class ProgressBar: Sendable {
  private let title: String
  private let total: Int
  private let start = ContinuousClock.now
  private let lastDrawn = Mutex<ContinuousClock.Instant?>(nil)
  private let isFinished = Atomic(false)

  init(_ title: String, total: Int) {
    self.title = title
    self.total = total
    Interruption.watch()
  }

  /// Call from any thread with how many are done.
  ///
  /// - Parameter bytes: how much has been read, where that says more than how many.
  /// - Throws: `CancellationError` after a Ctrl-C.
  func update(_ done: Int, bytes: Int? = nil) throws {
    try Interruption.check()
    guard Terminal.showsProgress, total > 0 else { return }
    let now = ContinuousClock.now
    guard now - start > .seconds(1) else { return }
    lastDrawn.withLock { last in
      if let last, now - last < .milliseconds(50), done < total { return }
      last = now
      let text = Self.text(title, done: done, of: total, bytes: bytes, after: now - start, width: Terminal.width)
      Terminal.writeBytes(Array("\r\(text)\u{1B}[K".utf8), to: STDERR_FILENO)
    }
  }

  /// `importing ███░░░ 512 of 2048, 210 MB/s, 40 s left `, with as much of a bar as there is room for.
  ///
  /// - Parameter width: columns of the terminal.
  static func text(_ title: String, done: Int, of total: Int, bytes: Int?, after time: Duration, width: Int) -> String {
    let seconds = Double(time.components.seconds) + Double(time.components.attoseconds) / 1e18
    let rate = bytes.map { "\(digits(Double($0) / 1e6 / seconds)) MB/s" } ?? "\(digits(Double(done) / seconds))/s"
    let left = done > 0 ? ", \(span(seconds / Double(done) * Double(total - done))) left" : ""
    let figures = "\(done) of \(total), \(rate)\(left) "
    let cells = max(5, min(30, width - title.count - figures.count - 3))
    let full = cells * done / total
    return "\(title) \(String(repeating: "█", count: full))\(String(repeating: "░", count: cells - full)) \(figures)"
  }

  /// Two digits at least.
  private static func digits(_ number: Double) -> String {
    number < 10 ? String(format: "%.1f", number) : String(format: "%.0f", number)
  }

  private static func span(_ seconds: Double) -> String {
    let whole = Int(seconds.rounded(.up))
    if whole < 120 { return "\(whole) s" }
    if whole < 7200 { return "\(whole / 60) min" }
    return "\(whole / 3600) h \(whole / 60 % 60) min"
  }

  /// Clears the bar.
  func finish() {
    guard !isFinished.exchange(true, ordering: .relaxed) else { return }
    Interruption.unwatch()
    lastDrawn.withLock { last in
      if last != nil { Terminal.writeBytes(Array("\r\u{1B}[2K".utf8), to: STDERR_FILENO) }
      last = nil
    }
  }

  deinit { finish() }
}
