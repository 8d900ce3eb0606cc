import Foundation
import Synchronization

/// A program that is sent lines and answers with lines, in a process group of its own.
///
/// Lines are sent ahead while it answers, so that neither side waits for the other. It and all that it starts are killed by
/// `end`, or by a watcher of its own when this process ends in whatever way.
package struct LineProcess: Sendable {
  /// Why a program does not answer any more.
  package enum Failure: Error, Hashable, Sendable {
    /// It ended by itself; where a signal ended it, 128 and the signal, as shells have it.
    case ended(Int32)
    /// It closed its standard output.
    case closed
    /// It said nothing for so long.
    case silent(Duration)
    /// A line is longer than so many bytes.
    case tooLong(Int)
    /// It said something that nobody asked for.
    case unasked
  }

  /// How long a program may take, and how much it may say.
  package struct Limits: Hashable, Sendable {
    /// Until its first line, its start included.
    package var first: Duration
    /// From one line to the next.
    package var next: Duration
    /// Bytes of a line.
    package var line: Int

    package init(first: Duration, next: Duration, line: Int) {
      self.first = first
      self.next = next
      self.line = line
    }
  }

  private let child: pid_t
  private let watcher: pid_t
  /// Kept open as long as the program may live.
  private let lifeline: Int32
  private let input: Int32
  private let output: Int32
  private let errors: Int32
  /// What was read and not yet taken as lines.
  private var received: [UInt8] = []
  private var piece = [UInt8](repeating: 0, count: Self.pieceSize)
  private var errorEnd: [UInt8] = []
  private var isNew = true
  private var isErrorClosed = false

  /// Starts a program.
  ///
  /// - Parameters:
  ///   - command: a program on the PATH, or a path from `folder` on, and its arguments.
  ///   - environment: all that it has.
  ///   - folder: where it works; that of this process where nothing is given.
  /// - Throws: `DataError` where there is no such program.
  package init(_ command: [String], environment: [String: String], in folder: String? = nil) throws {
    // A program that ended must not end this process when it is written to.
    signal(SIGPIPE, SIG_IGN)
    // Where two are started at the same time, one could get an end of the other's pipes.
    self = try Self.starting.withLock { _ in
      var pipes: [(read: Int32, write: Int32)] = []
      var kept: [Int32] = []
      defer { for end in pipes.flatMap({ [$0.read, $0.write] }) where !kept.contains(end) { close(end) } }
      for _ in 0..<4 { pipes.append(try Self.pipe(for: command)) }
      Self.keepDescriptors()
      // The system's call that starts a program somewhere else is not to be had in Swift on Linux.
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

  /// Keeps from programs what this process was given when it was started, such as a CI's own pipes.
  private static func keepDescriptors() {
    for name in (try? FileManager.default.contentsOfDirectory(atPath: "/dev/fd")) ?? [] {
      if let descriptor = Int32(name), descriptor > STDERR_FILENO { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
    }
  }

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

  /// Kills the program and all that it started.
  package func end() {
    kill(-child, SIGKILL)
    _ = ChildProcess.status(of: child, waiting: true)
    // The watcher must not kill what is called by this number later.
    withUnsafeBytes(of: UInt8(ascii: "\n")) { _ = writeAll($0, to: lifeline) }
    for end in [lifeline, input, output, errors] { close(end) }
    _ = ChildProcess.status(of: watcher, waiting: true)
  }

  /// The last lines that it wrote on standard error.
  package var lastErrorLines: [String] {
    String(decoding: errorEnd, as: UTF8.self).split(whereSeparator: \.isNewline).suffix(Self.errorLines)
      .map { $0.count > 300 ? "\($0.prefix(300))…" : String($0) }
  }

  private static let errorLines = 8
  private static let errorBytes = 8192
  private static let pieceSize = 1 << 16
  /// Where so few answers came at once and so many are to come, it is waited for more of them, in microseconds.
  private static let fewLines = 16
  private static let manyLines = 64
  private static let nap: UInt32 = 200
  /// How often it is looked whether to go on, while nothing comes, in milliseconds.
  private static let turn: Int32 = 50

  /// Sends lines and takes the answers to them.
  ///
  /// - Parameters:
  ///   - more: appends the lines to be sent next and returns how many answers they ask for; nothing where there are none
  ///     before another answer has come. Called again after answers.
  ///   - answer: takes a line without its line feed, and says whether it was the last.
  /// - Throws: `Failure`, `CancellationError` where nobody waits for the answers any more, and what `answer` throws. Only
  ///   `end` may be called then.
  package mutating func exchange(
    within limits: Limits, more: (inout [UInt8]) throws -> Int, answer: (UnsafeBufferPointer<UInt8>) throws -> Bool
  ) throws {
    guard received.isEmpty, isNew || !Self.isReadable(output) else { throw Failure.unasked }
    var pending: [UInt8] = []
    var sent = 0
    var (limit, deadline) = (limits.first, ContinuousClock.now + limits.first)
    if !isNew { (limit, deadline) = (limits.next, ContinuousClock.now + limits.next) }
    isNew = false
    var isInputClosed = false
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
          // What it said before it ended is still to be read.
          isInputClosed = true
        }
      }
      if ready[1].revents != 0 { readErrors() }
      if ready[0].revents != 0 {
        guard receive() else { throw endOfOutput() }
        let (lines, isLast) = try takeLines(limits, answer)
        if isLast { return }
        if lines > 0 { (limit, deadline) = (limits.next, ContinuousClock.now + limits.next) }
        outstanding -= lines
        // To be woken for each line costs both sides more than the line does.
        if lines < Self.fewLines, outstanding > Self.manyLines { usleep(Self.nap) }
      }
      guard ContinuousClock.now < deadline else {
        readErrors()
        throw Failure.silent(limit)
      }
    }
  }

  /// Reads what is there; `false` at the end.
  private mutating func receive() -> Bool {
    let count = read(output, &piece, Self.pieceSize)
    if count > 0 { received += piece[..<count] }
    return count > 0 || count < 0 && (errno == EAGAIN || errno == EINTR)
  }

  /// Hands over the whole lines that were read.
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

  /// What became of a program whose standard output has ended.
  private mutating func endOfOutput() -> Failure {
    // It is closed shortly before its program is gone.
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
    // A program that never stops writing must not keep us here.
    for _ in 0..<16 {
      let count = read(errors, &piece, Self.pieceSize)
      if count == 0 { isErrorClosed = true }
      guard count > 0 else { return }
      errorEnd += piece[..<count].suffix(Self.errorBytes)
      errorEnd.removeFirst(max(0, errorEnd.count - Self.errorBytes))
    }
  }

  private static func isReadable(_ descriptor: Int32) -> Bool {
    var event = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return poll(&event, 1, 0) > 0
  }
}

/// Whether somebody asked to end what is under way, as with Ctrl-C: what waits for another program must see it.
package enum InterruptionRequest {
  package static let isMade = Atomic(false)
}
