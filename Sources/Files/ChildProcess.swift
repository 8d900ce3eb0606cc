import Foundation

/// Runs another program to its end.
///
/// Not Foundation's `Process`, which on Linux waits for a child through a loopback socket, and waits forever in a
/// sandbox without one.
package enum ChildProcess {
  /// The result of a finished child.
  package struct Outcome: Sendable {
    /// The exit code; 128 plus the signal if a signal ended it, as in shells.
    package let code: Int32
    package let output: Data
    /// Whether it was killed because it took too long.
    package let isLate: Bool
  }

  /// Runs a program without standard input, ignoring its standard error.
  ///
  /// - Parameters:
  ///   - command: A program on the PATH and its arguments.
  ///   - environment: Its whole environment.
  ///   - limit: The time after which it is killed.
  ///   - largest: The number of bytes of output after which it is killed.
  /// - Returns: Without output if it was killed.
  /// - Throws: `DataError` if there is no such program.
  package static func run(
    _ command: [String], environment: [String: String], limit: Duration, largest: Int = 1 << 26
  ) throws -> Outcome {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { throw failure(command, errno) }
    defer { for end in ends where end >= 0 { close(end) } }
    // No other child may keep the pipe open.
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    let child = try spawn(command, environment: environment, streams: Streams(output: ends[1]))
    close(ends[1])
    ends[1] = -1
    let deadline = ContinuousClock.now + limit
    let output = read(ends[0], until: deadline, atMost: largest)
    let isLate = output == nil && ContinuousClock.now >= deadline
    if output == nil { kill(child, SIGKILL) }
    return Outcome(code: status(of: child, waiting: true) ?? 0, output: output ?? Data(), isLate: isLate)
  }

  /// Starts a program without standard streams, in its own process group, and does not wait for it.
  ///
  /// - Parameters:
  ///   - command: A program on the PATH and its arguments.
  ///   - environment: Its whole environment.
  ///   - end: Called on another thread with its exit code.
  /// - Throws: `DataError` if there is no such program.
  package static func start(
    _ command: [String], environment: [String: String], end: @escaping @Sendable (Int32) -> Void
  ) throws {
    keepDescriptors()
    let child = try spawn(command, environment: environment, streams: Streams(), isLeader: true)
    Thread.detachNewThread { end(status(of: child, waiting: true) ?? 0) }
  }

  /// The user's PATH, without folders relative to the current one: their contents may belong to a checkout.
  package static var path: String {
    let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").filter { $0.hasPrefix("/") }
    return folders.isEmpty ? "/usr/bin:/bin" : folders.joined(separator: ":")
  }

  /// Keeps programs from inheriting descriptors of this process, such as a CI's pipes.
  static func keepDescriptors() {
    for name in (try? FileManager.default.contentsOfDirectory(atPath: "/dev/fd")) ?? [] {
      if let descriptor = Int32(name), descriptor > STDERR_FILENO { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
    }
  }

  /// The exit code of a child, 128 plus the signal if a signal ended it; `nil` while it runs, and after the code was
  /// read once.
  static func status(of child: pid_t, waiting: Bool = false) -> Int32? {
    var status: Int32 = 0
    while true {
      let found = waitpid(child, &status, waiting ? 0 : WNOHANG)
      if found < 0, errno == EINTR { continue }
      guard found == child else { return nil }
      let signal = status & 0x7F
      return signal == 0 ? status >> 8 & 0xFF : 128 + signal
    }
  }

  /// A child's standard streams; `/dev/null` by default.
  struct Streams {
    var input: Int32?
    var output: Int32?
    var errors: Int32?
  }

  /// Starts a program.
  ///
  /// - Parameter isLeader: Whether it gets a process group of its own, with default signal handling.
  static func spawn(
    _ command: [String], environment: [String: String], streams: Streams, isLeader: Bool = false
  ) throws -> pid_t {
    #if canImport(Darwin)
      var actions: posix_spawn_file_actions_t?
      var attributes: posix_spawnattr_t?
    #else
      var actions = posix_spawn_file_actions_t()
      var attributes = posix_spawnattr_t()
    #endif
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    for (number, stream) in [streams.input, streams.output, streams.errors].enumerated() {
      if let stream {
        posix_spawn_file_actions_adddup2(&actions, stream, Int32(number))
      } else {
        posix_spawn_file_actions_addopen(
          &actions, Int32(number), "/dev/null", number == 0 ? O_RDONLY : O_WRONLY, 0)
      }
    }
    if isLeader {
      var none = sigset_t()
      var usual = sigset_t()
      sigemptyset(&none)
      sigemptyset(&usual)
      for number in [SIGINT, SIGPIPE, SIGTERM, SIGHUP, SIGQUIT] { sigaddset(&usual, number) }
      posix_spawnattr_setpgroup(&attributes, 0)
      posix_spawnattr_setsigmask(&attributes, &none)
      posix_spawnattr_setsigdefault(&attributes, &usual)
      posix_spawnattr_setflags(
        &attributes, Int16(POSIX_SPAWN_SETPGROUP) | Int16(POSIX_SPAWN_SETSIGMASK) | Int16(POSIX_SPAWN_SETSIGDEF))
    }
    var words: [UnsafeMutablePointer<CChar>?] = command.map { strdup($0) } + [nil]
    var variables: [UnsafeMutablePointer<CChar>?] = environment.map { strdup("\($0)=\($1)") } + [nil]
    defer { for text in words + variables { free(text) } }
    var child: pid_t = 0
    let code = posix_spawnp(&child, command.first ?? "", &actions, &attributes, &words, &variables)
    guard code == 0 else { throw failure(command, code) }
    return child
  }

  private static func failure(_ command: [String], _ code: Int32) -> DataError {
    DataError(
      file: command.first ?? "", expected: "a program that can be run",
      found: String(cString: strerror(code)).lowercased())
  }

  /// Reads until the other end is closed; `nil` if that takes too long or there is too much.
  private static func read(_ pipe: Int32, until deadline: ContinuousClock.Instant, atMost largest: Int) -> Data? {
    var output = Data()
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let left = (deadline - ContinuousClock.now) / .milliseconds(1)
      guard left > 0 else { return nil }
      var event = pollfd(fd: pipe, events: Int16(POLLIN), revents: 0)
      guard poll(&event, 1, Int32(min(left.rounded(.up), 1e6))) > 0 else { continue }
      let count = Foundation.read(pipe, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return output }
      output.append(contentsOf: buffer[..<count])
      guard output.count <= largest else { return nil }
    }
  }
}
