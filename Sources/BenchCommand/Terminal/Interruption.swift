import Foundation
import Synchronization

/// Ctrl-C during work that can be left in good order: the first is noted, and `check` then ends the work; the second
/// ends the process.
///
/// Where nothing watches, Ctrl-C ends the process at once, as it does any.
enum Interruption {
  /// The exit code that shells give what SIGINT ended.
  static let exitCode: Int32 = 128 + SIGINT

  private static let isNoted = Atomic(false)
  private static let watchers = Mutex(0)

  /// Begins to watch; what watches already goes on.
  static func watch() {
    watchers.withLock { count in
      count += 1
      guard count == 1 else { return }
      isNoted.store(false, ordering: .relaxed)
      let before = signal(SIGINT, note)
      // Whoever had it ignored, as `nohup` and shells do for work in the background, wants it so.
      if unsafeBitCast(before, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self) { signal(SIGINT, SIG_IGN) }
    }
  }

  /// Ends what `watch` began.
  static func unwatch() {
    watchers.withLock { count in
      count -= 1
      if count == 0, unsafeBitCast(signal(SIGINT, SIG_DFL), to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self) {
        signal(SIGINT, SIG_IGN)
      }
    }
  }

  /// - Throws: `CancellationError` after a Ctrl-C.
  static func check() throws {
    if isNoted.load(ordering: .relaxed) { throw CancellationError() }
  }

  /// Does no more than a signal's handler may.
  private static let note: @convention(c) (Int32) -> Void = { _ in
    isNoted.store(true, ordering: .relaxed)
    signal(SIGINT, SIG_DFL)
  }
}

/// Work that was interrupted, with what became of it.
struct Interrupted: Error, CustomStringConvertible {
  let description: String
}
