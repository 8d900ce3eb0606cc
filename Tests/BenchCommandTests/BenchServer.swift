import Foundation
import Testing

/// The process whose forks are the commands of the tests; see `Tests/BenchServer`.
final class BenchServer: Sendable {
  /// `nil` where there is no fork.
  static var shared: BenchServer? {
    get throws {
      #if os(Linux)
        try started.get()
      #else
        nil
      #endif
    }
  }

  private static let started = Result { try BenchServer() }

  /// Its standard input: it ends with these tests, which alone hold the other end.
  private let requests: FileHandle

  private init() throws {
    let (process, input) = (Process(), Pipe())
    process.executableURL = URL(fileURLWithPath: try BenchExecutable.path("bench-server"))
    process.standardInput = input
    try process.run()
    requests = input.fileHandleForWriting
    _ = fcntl(requests.fileDescriptor, F_SETFD, FD_CLOEXEC)
  }

  /// Runs a process that has not begun to its end.
  ///
  /// - Parameters:
  ///   - streams: The files of its standard output and errors.
  ///   - scratch: The beginning of the paths of files for this.
  /// - Returns: Its exit code, as `Process.exitCode` has it.
  func run(_ process: Process, streams: [String], scratch: String) throws -> Int32 {
    let request = [
      "folder": [try #require(process.currentDirectoryURL).path], "streams": streams,
      "arguments": process.arguments ?? [], "environment": (process.environment ?? [:]).map { "\($0)=\($1)" },
    ]
    let path = scratch + ".request"
    try JSONEncoder().encode(request).write(to: URL(fileURLWithPath: path))
    try #require(mkfifo(path + ".end", 0o600) == 0)
    // Short enough to reach the server in one piece.
    try requests.write(contentsOf: Data((path + "\n").utf8))
    let answer = try FileHandle(forReadingFrom: URL(fileURLWithPath: path + ".end"))
    let bytes = try #require(try answer.readToEnd(), "the server gave no answer to \(process.arguments ?? [])")
    for file in [path, path + ".end"] { try FileManager.default.removeItem(atPath: file) }
    let status = bytes.withUnsafeBytes { $0.loadUnaligned(as: Int32.self) }
    let signal = status & 0x7F
    return signal == 0 ? status >> 8 & 0xFF : 128 + signal
  }
}
