import Foundation
import Synchronization

/// A program that reads lines and answers with lines, in its own process group.
///
/// Lines are sent before earlier ones are answered, so neither side waits for the other. `end` kills the program and its
/// children. If this process dies, a watcher process kills them.
package struct LineProcess: Sendable {
  /// Why a program stopped answering.
  package enum Failure: Error, Hashable, Sendable {
    /// It exited with this code; after a signal, 128 plus the signal, as in shells.
    case ended(Int32)
    /// It closed its standard output.
    case closed
    /// It was silent for this long.
    case silent(Duration)
    /// A line has more than this many bytes.
    case tooLong(Int)
    /// It sent a line that was not requested.
    case unasked
  }

  /// Limits of time and size.
  package struct Limits: Hashable, Sendable {
    /// The time from its start to its first line.
    package var first: Duration
    /// The time from one line to the next.
    package var next: Duration
    /// The length of a line, in bytes.
    package var line: Int
    /// The silence after which a note is due, though the program may go on.
    package var notable: Duration

    package init(first: Duration, next: Duration, line: Int, notable: Duration = .seconds(10)) {
      self.first = first
      self.next = next
      self.line = line
      self.notable = notable
    }
  }

  private let child: pid_t
  private let watcher: pid_t
  /// Open for as long as the program may run.
  private let lifeline: Int32
  private let input: Int32
  private let output: Int32
  private let errors: Int32
  /// Bytes that were read but not yet split into lines.
  private var received: [UInt8] = []
  private var piece = [UInt8](repeating: 0, count: Self.pieceSize)
  private var errorEnd: [UInt8] = []
  private var isNew = true
  private var isErrorClosed = false

  /// Starts a program.
  ///
  /// - Parameters:
  ///   - command: A program on the PATH or a path relative to `folder`, and its arguments.
  ///   - environment: Its whole environment.
  ///   - folder: Its working directory; `nil` for that of this process.
  /// - Throws: `DataError` if the program does not exist.
  package init(_ command: [String], environment: [String: String], in folder: String? = nil) throws {
    // Writing to a program that has exited must not kill this process.
    signal(SIGPIPE, SIG_IGN)
    // Two programs started at the same time could inherit each other's pipes.
    self = try Self.starting.withLock { _ in
      var pipes: [(read: Int32, write: Int32)] = []
      var kept: [Int32] = []
      defer { for end in pipes.flatMap({ [$0.read, $0.write] }) where !kept.contains(end) { close(end) } }
      for _ in 0..<4 { pipes.append(try Self.pipe(for: command)) }
      ChildProcess.keepDescriptors()
      // Swift on Linux lacks posix_spawn_file_actions_addchdir_np.
      let moved = folder.map { ["/bin/sh", "-c", "cd -- \"$0\" && exec \"$@\"", $0] + command }
      let child = try ChildProcess.spawn(
        moved ?? command, environment: environment,
        streams: ChildProcess.Streams(input: pipes[0].read, output: pipes[1].write, errors: pipes[2].write),
        isLeader: true)
      let watcher: pid_t
      do {
        watcher = try ChildProcess.spawn(
          ["/bin/sh", "-c", "read line || kill -s KILL -- \"-$1\"", "sh", "\(child)"], environment: [:],
          streams: ChildProcess.Streams(input: pipes[3].read), isLeader: true)
      } catch {
        kill(-child, SIGKILL)
        _ = ChildProcess.status(of: child, waiting: true)
        throw error
      }
      kept = [pipes[0].write, pipes[1].read, pipes[2].read, pipes[3].write]
      for end in kept.dropLast() { _ = fcntl(end, F_SETFL, fcntl(end, F_GETFL) | O_NONBLOCK) }
      return Self(
        child: child, watcher: watcher, lifeline: kept[3], input: kept[0], output: kept[1], errors: kept[2])
    }
  }

  private init(child: pid_t, watcher: pid_t, lifeline: Int32, input: Int32, output: Int32, errors: Int32) {
    (self.child, self.watcher, self.lifeline) = (child, watcher, lifeline)
    (self.input, self.output, self.errors) = (input, output, errors)
  }

  private static let starting = Mutex<Void>(())

  private static func pipe(for command: [String]) throws -> (read: Int32, write: Int32) {
    var ends: [Int32] = [-1, -1]
    guard Foundation.pipe(&ends) == 0 else {
      throw DataError(
        file: command.first ?? "", expected: "a pipe to the program",
        found: String(cString: strerror(errno)).lowercased())
    }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    return (ends[0], ends[1])
  }

  /// Kills the program and its children.
  package func end() {
    kill(-child, SIGKILL)
    _ = ChildProcess.status(of: child, waiting: true)
    // The watcher must not kill a later process with the same number.
    withUnsafeBytes(of: UInt8(ascii: "\n")) { _ = writeAll($0, to: lifeline) }
    for end in [lifeline, input, output, errors] { close(end) }
    _ = ChildProcess.status(of: watcher, waiting: true)
  }

  /// The last lines of its standard error.
  package var lastErrorLines: [String] {
    String(decoding: errorEnd, as: UTF8.self).split(whereSeparator: \.isNewline).suffix(Self.errorLines)
      .map { $0.count > 300 ? "\($0.prefix(300))…" : String($0) }
  }

  private static let errorLines = 8
  private static let errorBytes = 8192
  private static let pieceSize = 1 << 16
  /// If fewer than `fewLines` answers came at once and more than `manyLines` are due, waits `nap` microseconds for more.
  private static let fewLines = 16
  private static let manyLines = 64
  private static let nap: UInt32 = 200
  /// The interval between checks for cancellation while no answer comes, in milliseconds.
  private static let turn: Int32 = 50
  /// How long an extra line may take after the first exchange, in milliseconds; later ones are noticed by the next
  /// exchange.
  private static let grace: Int32 = 20

  /// Sends lines and reads their answers.
  ///
  /// - Parameters:
  ///   - more: Appends the next lines and returns the number of answers they require; 0 if another answer must come
  ///     first. Called again after answers.
  ///   - answer: Receives a line without its line feed; returns whether it was the last.
  ///   - silent: Called at most once, after a silence of `limits.notable`, with the longest allowed silence.
  /// - Throws: `Failure`, `CancellationError` if the task was cancelled, and the errors of `answer`. Only `end` may be
  ///   called afterwards.
  package mutating func exchange(
    within limits: Limits, more: (inout [UInt8]) throws -> Int,
    answer: (UnsafeBufferPointer<UInt8>) throws -> Bool, silent: (Duration) -> Void = { _ in }
  ) throws {
    guard received.isEmpty, isNew || !Self.isReadable(output) else { throw Failure.unasked }
    var pending: [UInt8] = []
    var sent = 0
    var (limit, deadline) = (limits.first, ContinuousClock.now + limits.first)
    if !isNew { (limit, deadline) = (limits.next, ContinuousClock.now + limits.next) }
    let isFirst = isNew
    isNew = false
    var isInputClosed = false
    var isNoted = false
    var outstanding = 0
    while true {
      if sent == pending.count {
        pending.removeAll(keepingCapacity: true)
        sent = 0
        outstanding += try more(&pending)
      }
      let isSending = sent < pending.count && !isInputClosed
      var ready = [
        pollfd(fd: output, events: Int16(POLLIN), revents: 0),
        pollfd(fd: isErrorClosed ? -1 : errors, events: Int16(POLLIN), revents: 0),
        pollfd(fd: isSending ? input : -1, events: Int16(POLLOUT), revents: 0),
      ]
      let count = poll(&ready, 3, Self.turn)
      if InterruptionRequest.isMade.load(ordering: .relaxed) || Task.isCancelled { throw CancellationError() }
      if count <= 0, let code = ChildProcess.status(of: child) {
        readErrors()
        throw Failure.ended(code)
      }
      if ready[2].revents != 0 {
        let written = pending[sent...].withUnsafeBytes { write(input, $0.baseAddress, min($0.count, Self.pieceSize)) }
        if written > 0 {
          sent += written
        } else if written < 0, errno == EPIPE {
          // Its last output must still be read.
          isInputClosed = true
        }
      }
      if ready[1].revents != 0 { readErrors() }
      if ready[0].revents != 0 {
        guard receive() else { throw endOfOutput() }
        let (lines, isLast) = try takeLines(limits, answer)
        if isLast {
          guard !isFirst || !Self.isReadable(output, within: Self.grace) else { throw Failure.unasked }
          return
        }
        if lines > 0 { (limit, deadline) = (limits.next, ContinuousClock.now + limits.next) }
        outstanding -= lines
        // Waking up for each line would cost more than the line.
        if lines < Self.fewLines, outstanding > Self.manyLines { usleep(Self.nap) }
      }
      let left = deadline - ContinuousClock.now
      guard left > .zero else {
        readErrors()
        throw Failure.silent(limit)
      }
      if !isNoted, limit - left > limits.notable {
        isNoted = true
        silent(limit)
      }
    }
  }

  /// Reads the available bytes; `false` at the end.
  private mutating func receive() -> Bool {
    let count = read(output, &piece, Self.pieceSize)
    if count > 0 { received += piece[..<count] }
    return count > 0 || count < 0 && (errno == EAGAIN || errno == EINTR)
  }

  /// Passes on the complete lines.
  private mutating func takeLines(
    _ limits: Limits, _ answer: (UnsafeBufferPointer<UInt8>) throws -> Bool
  ) throws -> (count: Int, isLast: Bool) {
    var (start, count, isLast) = (0, 0, false)
    try received.withUnsafeBufferPointer { bytes in
      guard let base = bytes.baseAddress else { return }
      while !isLast, start < bytes.count,
        let found = memchr(base + start, Int32(UInt8(ascii: "\n")), bytes.count - start)
      {
        var end = UnsafeRawPointer(base).distance(to: UnsafeRawPointer(found))
        let next = end + 1
        if end > start, bytes[end - 1] == UInt8(ascii: "\r") { end -= 1 }
        guard end - start <= limits.line else { throw Failure.tooLong(limits.line) }
        isLast = try answer(UnsafeBufferPointer(rebasing: bytes[start..<end]))
        count += 1
        start = next
      }
    }
    received.removeFirst(start)
    guard received.count <= limits.line else { throw Failure.tooLong(limits.line) }
    guard !isLast || received.isEmpty else { throw Failure.unasked }
    return (count, isLast)
  }

  /// The failure of a program whose standard output has ended.
  private mutating func endOfOutput() -> Failure {
    // Standard output closes shortly before the program exits.
    for _ in 0..<20 {
      if let code = ChildProcess.status(of: child) {
        readErrors()
        return .ended(code)
      }
      usleep(10_000)
    }
    readErrors()
    return .closed
  }

  private mutating func readErrors() {
    guard !isErrorClosed else { return }
    // A program may write forever.
    for _ in 0..<16 {
      let count = read(errors, &piece, Self.pieceSize)
      if count == 0 { isErrorClosed = true }
      guard count > 0 else { return }
      errorEnd += piece[..<count].suffix(Self.errorBytes)
      errorEnd.removeFirst(max(0, errorEnd.count - Self.errorBytes))
    }
  }

  /// Whether there are bytes to read; the end of the output is none.
  private static func isReadable(_ descriptor: Int32, within milliseconds: Int32 = 0) -> Bool {
    var event = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    guard poll(&event, 1, milliseconds) > 0, event.revents & Int16(POLLIN) != 0 else { return false }
    // On macOS the end counts as readable too. A byte that is taken here is missed by nobody: it was not requested.
    var byte: UInt8 = 0
    return event.revents & Int16(POLLHUP) == 0 || read(descriptor, &byte, 1) > 0
  }
}

/// Whether cancellation was requested, as with Ctrl-C. Loops that wait for another program must check it.
package enum InterruptionRequest {
  package static let isMade = Atomic(false)

  /// - Throws: `CancellationError` after the request.
  package static func check() throws { if isMade.load(ordering: .relaxed) { throw CancellationError() } }
}
