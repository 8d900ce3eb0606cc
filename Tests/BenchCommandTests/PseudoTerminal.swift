import Foundation
import Testing

/// A terminal that a test is at the other end of.
final class PseudoTerminal {
  private let descriptor: Int32
  private let device: FileHandle

  init(columns: UInt16 = 100) throws {
    var (near, far): (Int32, Int32) = (-1, -1)
    var size = winsize(ws_row: 50, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
    try #require(openpty(&near, &far, nil, nil, &size) == 0)
    // Another test's process that begins meanwhile must not keep the far end open.
    for end in [near, far] { try #require(fcntl(end, F_SETFD, FD_CLOEXEC) == 0) }
    descriptor = near
    device = FileHandle(fileDescriptor: far)
  }

  deinit { close(descriptor) }

  /// Runs a command whose standard output and error are this terminal, and returns all that it shows.
  ///
  /// - Parameter isEnough: ends the process as soon as it holds of what has been shown, at the latest after ten seconds.
  func show(
    _ command: [String], in directory: String, environment: [String: String] = [:],
    until isEnough: (String) -> Bool = { _ in false }
  ) throws -> String {
    let process = Process.bench(command, in: directory, environment: environment)
    process.standardOutput = device
    process.standardError = device
    try process.run()
    // The process's own copies are now the only ones, so that its end is the end of what can be read.
    try device.close()
    defer { process.waitUntilExit() }
    var shown: [UInt8] = []
    var text: String { String(decoding: shown, as: UTF8.self).replacingOccurrences(of: "\r\n", with: "\n") }
    var buffer = [UInt8](repeating: 0, count: 4096)
    let deadline = ContinuousClock.now + .seconds(10)
    while true {
      var event = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      let isReady = poll(&event, 1, 100) > 0
      let count = isReady ? read(descriptor, &buffer, buffer.count) : -1
      if count > 0 { shown += buffer[..<count] }
      if isReady && count <= 0 { return text }
      if isEnough(text) || ContinuousClock.now > deadline {
        kill(process.processIdentifier, SIGKILL)
        return text
      }
    }
  }
}
