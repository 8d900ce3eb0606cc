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
    // What is not bound before the forks, each of them would bind anew.
    process.environment = ProcessInfo.processInfo.environment.merging(["LD_BIND_NOW": "1"]) { $1 }
    try process.run()
    requests = input.fileHandleForWriting
    _ = fcntl(requests.fileDescriptor, F_SETFD, FD_CLOEXEC)
  }

  /// Runs commands in turn, in one process.
  ///
  /// - Parameters:
  ///   - process: One that has not begun, in their folder and environment.
  ///   - commands: The arguments of each.
  ///   - streams: The files of each one's standard output and errors.
  ///   - scratch: The beginning of the paths of files for this.
  /// - Returns: The exit code of each, as `Process.exitCode` has it.
  func run(_ process: Process, commands: [[String]], streams: [String], scratch: String) throws -> [Int32] {
    let codes = commands.indices.dropLast().map { "\(scratch).\($0).code" }
    let request: [String: [String]] = [
      "folder": [try #require(process.currentDirectoryURL).path], "streams": streams, "codes": codes,
      "arguments": commands.flatMap { $0 }, "counts": commands.map { "\($0.count)" },
      "environment": (process.environment ?? [:]).map { "\($0)=\($1)" },
    ]
    let path = scratch + ".request"
    try JSONEncoder().encode(request).write(to: URL(fileURLWithPath: path))
    try #require(mkfifo(path + ".end", 0o600) == 0)
    // Short enough to reach the server in one piece.
    try requests.write(contentsOf: Data((path + "\n").utf8))
    let answer = try FileHandle(forReadingFrom: URL(fileURLWithPath: path + ".end"))
    let bytes = try #require(try answer.readToEnd(), "the server gave no answer to \(commands)")
    let status = bytes.withUnsafeBytes { $0.loadUnaligned(as: Int32.self) }
    let signal = status & 0x7F
    let earlier = try zip(codes, commands).map { file, command in
      try #require(Int32(try String(contentsOfFile: file, encoding: .utf8)), "\(command) has no exit code")
    }
    for file in [path, path + ".end"] + codes { try FileManager.default.removeItem(atPath: file) }
    return earlier + [signal == 0 ? status >> 8 & 0xFF : 128 + signal]
  }
}
