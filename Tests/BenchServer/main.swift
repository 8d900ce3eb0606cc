import BenchCommand
import Foundation

// Runs bench for the tests, the commands of a request in a fork of this process: half of what a short command takes is
// the start of the program, which happens here once. Each line of standard input is the path of a request, which is JSON
// with a list of texts a key: `folder`, `environment`, `arguments` (those of all its commands), `counts` (how many of
// them each command has), `streams` (the files of each command's standard output and errors) and `codes` (the files for
// the exit codes of all commands but the last). The last command's wait status is written to the named pipe PATH.end.

// On macOS Swift offers no fork: there the tests start the program anew.
#if os(Linux)
  /// Has a file as a standard stream.
  func direct(_ stream: Int32, to path: String) {
    let file = open(path, stream == STDIN_FILENO ? O_RDONLY : O_WRONLY)
    dup2(file, stream)
    close(file)
  }

  /// Runs the commands of a request in turn, and ends as the last one does.
  func runAll(_ request: [String: [String]]) async {
    // As the program itself does first.
    signal(SIGPIPE, SIG_IGN)
    let (streams, codes) = (request["streams", default: []], request["codes", default: []])
    var arguments = request["arguments", default: []][...]
    for (number, count) in request["counts", default: []].compactMap(Int.init).enumerated() {
      direct(STDOUT_FILENO, to: streams[2 * number])
      direct(STDERR_FILENO, to: streams[2 * number + 1])
      let command = Array(arguments.prefix(count))
      arguments = arguments.dropFirst(count)
      guard number < codes.count else { await Bench.main(command) }
      let code = await Bench.run(command)
      try? Data("\(code)".utf8).write(to: URL(fileURLWithPath: codes[number]))
    }
  }

  /// Becomes the commands of a request.
  func become(_ request: [String: [String]]) -> Never {
    setpgid(0, 0)
    direct(STDIN_FILENO, to: "/dev/null")
    clearenv()
    for variable in request["environment", default: []] {
      let parts = variable.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      setenv(parts[0], parts[1], 1)
    }
    guard let folder = request["folder"]?.first, chdir(folder) == 0 else { exit(127) }
    Task.detached { await runAll(request) }
    while true { pause() }
  }

  func answer(_ path: String) throws {
    let request = try JSONDecoder().decode([String: [String]].self, from: Data(contentsOf: URL(fileURLWithPath: path)))
    signal(SIGCHLD, SIG_DFL)
    let command = fork()
    if command == 0 { become(request) }
    var status: Int32 = 0
    while waitpid(command, &status, 0) < 0, errno == EINTR {}
    let end = open(path + ".end", O_WRONLY)
    write(end, &status, MemoryLayout.size(ofValue: status))
  }

  let checkout = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(path: "../..")
  try Bench.prepare(in: checkout.standardizedFileURL.path)
  // Each answer reads a request.
  _ = try JSONDecoder().decode([String: [String]].self, from: Data(#"{"arguments": ["run"]}"#.utf8))
  // A fork of a process with threads may wait for locks that nobody in it holds.
  let threads = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")
  precondition(threads.count == 1)
  // Nobody waits for the forks that answer.
  signal(SIGCHLD, SIG_IGN)

  // Not readLine, whose buffer the forks would share.
  var line: [UInt8] = []
  var byte: UInt8 = 0
  while read(STDIN_FILENO, &byte, 1) == 1 {
    if byte != UInt8(ascii: "\n") {
      line.append(byte)
    } else {
      if fork() == 0 {
        try answer(String(decoding: line, as: UTF8.self))
        exit(0)
      }
      line = []
    }
  }
#endif
