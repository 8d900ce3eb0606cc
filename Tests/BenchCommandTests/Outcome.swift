import Foundation
import Testing

/// What a process that has ended left: its exit code and what it printed.
struct Outcome: Sendable {
  /// Where a signal ended it, 128 and the signal, as shells have it.
  let code: Int32
  let output: String
  let error: String

  /// Runs a command to its end.
  ///
  /// Prints go to files and not through pipes, so that no process waits for a reader.
  ///
  /// - Parameters:
  ///   - command: an executable's path and its arguments.
  ///   - scratch: a folder for the files.
  init(of command: [String], in directory: String, environment: [String: String], scratch: String) throws {
    let process = Process.bench(command, in: directory, environment: environment)
    if try command[0] == BenchExecutable.path(), let server = try BenchServer.shared {
      self = try Self.each(of: [Array(command.dropFirst())], from: server, as: process, scratch: scratch)[0]
      return
    }
    let files = try ["out", "err"].map { suffix in
      let url = URL(fileURLWithPath: "\(scratch)/\(UUID().uuidString).\(suffix)")
      try Data().write(to: url)
      return (url: url, handle: try FileHandle(forWritingTo: url))
    }
    process.standardOutput = files[0].handle
    process.standardError = files[1].handle
    try process.run()
    process.waitUntilExit()
    try self.init(code: process.exitCode, output: files[0].url, error: files[1].url)
  }

  private init(code: Int32, output: URL, error: URL) throws {
    self.code = code
    self.output = String(decoding: try Data(contentsOf: output), as: UTF8.self)
    self.error = String(decoding: try Data(contentsOf: error), as: UTF8.self)
  }

  /// Runs commands of bench in turn. Where there is a server they share a process: most of what a short one takes is its
  /// start.
  ///
  /// - Parameter commands: The arguments of each.
  static func each(
    of commands: [[String]], in directory: String, environment: [String: String], scratch: String
  ) throws -> [Outcome] {
    guard let server = try BenchServer.shared else {
      return try commands.map {
        try Outcome(
          of: BenchExecutable.command($0), in: directory, environment: environment, scratch: scratch)
      }
    }
    let process = Process.bench(try BenchExecutable.command([]), in: directory, environment: environment)
    return try each(of: commands, from: server, as: process, scratch: scratch)
  }

  private static func each(
    of commands: [[String]], from server: BenchServer, as process: Process, scratch: String
  ) throws -> [Outcome] {
    let name = "\(scratch)/\(UUID().uuidString)"
    let files = commands.indices.map { number in
      ["out", "err"].map { URL(fileURLWithPath: "\(name).\(number).\($0)") }
    }
    for file in files.joined() { try Data().write(to: file) }
    let codes = try server.run(process, commands: commands, streams: files.joined().map(\.path), scratch: name)
    return try zip(codes, files).map { try Outcome(code: $0, output: $1[0], error: $1[1]) }
  }

  /// Expects an end without an error, and nothing on standard error.
  func expectSuccess(sourceLocation: SourceLocation = #_sourceLocation) {
    #expect(code == 0, sourceLocation: sourceLocation)
    #expect(error == "", sourceLocation: sourceLocation)
  }

  /// Expects an end without an error, which says on standard error where it wrote: numbers have standard output.
  func expectSuccess(beside file: String, sourceLocation: SourceLocation = #_sourceLocation) {
    #expect(code == 0, sourceLocation: sourceLocation)
    #expect(error.hasPrefix("report   reports/") && error.hasSuffix("/\(file)\n"), sourceLocation: sourceLocation)
  }

  /// Expects an exit code with exactly this error, and nothing on standard output.
  func expectFailure(_ code: Int32, _ message: String, sourceLocation: SourceLocation = #_sourceLocation) {
    #expect(self.code == code, sourceLocation: sourceLocation)
    #expect(error == "bench: \(message)\n", sourceLocation: sourceLocation)
    #expect(output == "", sourceLocation: sourceLocation)
  }

  /// Expects an exit code with an error that says all of this.
  func expectFailure(_ code: Int32, saying parts: [String], sourceLocation: SourceLocation = #_sourceLocation) {
    #expect(self.code == code, sourceLocation: sourceLocation)
    for part in parts { #expect(error.contains(part), sourceLocation: sourceLocation) }
    // What people cannot read: a system's error object, or a crash.
    for noise in ["Error Domain", "UserInfo", "Fatal error", "Thread 0"] {
      #expect(!error.contains(noise), sourceLocation: sourceLocation)
    }
    #expect(output == "", sourceLocation: sourceLocation)
  }
}

/// Does what mostly waits on a thread of its own: tests share as many threads as there are cores.
func aside<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
  try await withCheckedThrowingContinuation { continuation in
    Thread.detachNewThread { continuation.resume(with: Result(catching: work)) }
  }
}

extension Process {
  /// A process that has not begun, in a plain environment: no colour setting of whoever runs the tests reaches it.
  static func bench(_ command: [String], in directory: String, environment: [String: String] = [:]) -> Process {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: command[0])
    process.arguments = Array(command.dropFirst())
    process.currentDirectoryURL = URL(fileURLWithPath: directory)
    var variables = ProcessInfo.processInfo.environment
    variables["NO_COLOR"] = nil
    variables["GITHUB_ACTIONS"] = nil
    variables["GITHUB_STEP_SUMMARY"] = nil
    // What a CI compares this checkout with is not what a test's own is.
    for name in ["CI", "BENCH_BASE_REF", "GITHUB_BASE_REF"] { variables[name] = nil }
    variables["TERM"] = "xterm"
    if let folder = Interpreter.managedPython { variables["PATH"] = "\(folder):\(variables["PATH"] ?? "")" }
    process.environment = variables.merging(environment) { $1 }
    process.standardInput = FileHandle.nullDevice
    return process
  }

  var exitCode: Int32 { terminationReason == .uncaughtSignal ? 128 + terminationStatus : terminationStatus }
}
