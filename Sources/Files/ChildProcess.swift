import Foundation

/// Another program, run to its end.
///
/// Not Foundation's `Process`, which on Linux waits for a child through a socket of the loopback interface, for ever where a
/// sandbox has none.
package enum ChildProcess {
  /// What a child that has ended left.
  package struct Outcome: Sendable {
    /// Where a signal ended it, 128 and the signal, as shells have it.
    package let code: Int32
    package let output: Data
  }

  /// Runs a program that reads nothing and whose standard error nobody reads.
  ///
  /// - Parameters:
  ///   - command: a program on the PATH and its arguments.
  ///   - environment: all that it has.
  ///   - limit: after which it is killed.
  /// - Throws: `DataError` where there is no such program.
  package static func run(
    _ command: [String], environment: [String: String], limit: Duration = .seconds(60)
  ) throws -> Outcome {
    func failure(_ code: Int32) -> DataError {
      DataError(
        file: command.first ?? "", expected: "a program that can be run",
        found: String(cString: strerror(code)).lowercased())
    }
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { throw failure(errno) }
    defer { for end in ends where end >= 0 { close(end) } }
    // No other child may keep the pipe open.
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    let child = try spawned(command, environment: environment, output: ends[1], failure)
    close(ends[1])
    ends[1] = -1
    let output = read(ends[0], until: ContinuousClock.now + limit)
    if output == nil { kill(child, SIGKILL) }
    var status: Int32 = 0
    while waitpid(child, &status, 0) < 0, errno == EINTR {}
    let signal = status & 0x7F
    return Outcome(code: signal == 0 ? status >> 8 & 0xFF : 128 + signal, output: output ?? Data())
  }

  private static func spawned(
    _ command: [String], environment: [String: String], output: Int32, _ failure: (Int32) -> DataError
  ) throws -> pid_t {
    #if canImport(Darwin)
      var actions: posix_spawn_file_actions_t?
    #else
      var actions = posix_spawn_file_actions_t()
    #endif
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO)
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0)
    var words: [UnsafeMutablePointer<CChar>?] = command.map { strdup($0) } + [nil]
    var variables: [UnsafeMutablePointer<CChar>?] = environment.map { strdup("\($0)=\($1)") } + [nil]
    defer { for text in words + variables { free(text) } }
    var child: pid_t = 0
    let code = posix_spawnp(&child, command.first ?? "", &actions, nil, &words, &variables)
    guard code == 0 else { throw failure(code) }
    return child
  }

  /// All that comes until the other end is closed; `nil` where that takes too long.
  private static func read(_ pipe: Int32, until deadline: ContinuousClock.Instant) -> Data? {
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
    }
  }
}
