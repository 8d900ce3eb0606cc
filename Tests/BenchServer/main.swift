import BenchCommand
import Foundation

// Runs bench for the tests, each command in a fork of this process: half of what a short command takes is the start of
// the program, which happens here once. Each line of standard input is the path of a request, which is JSON with a list
// of texts a key: `folder`, `streams` (the files of standard output and errors), `arguments` and `environment`. The
// command's wait status is written to the named pipe PATH.end.

// On macOS Swift offers no fork: there the tests start the program anew.
#if os(Linux)
  /// Becomes the command of a request.
  func become(_ request: [String: [String]]) -> Never {
    setpgid(0, 0)
    for (number, path) in (["/dev/null"] + request["streams", default: []]).enumerated() {
      let file = open(path, number == 0 ? O_RDONLY : O_WRONLY)
      dup2(file, Int32(number))
      close(file)
    }
    clearenv()
    for variable in request["environment", default: []] {
      let parts = variable.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      setenv(parts[0], parts[1], 1)
    }
    guard let folder = request["folder"]?.first, chdir(folder) == 0 else { exit(127) }
    Task.detached { await Bench.main(request["arguments", default: []]) }
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

  try Bench.prepare()
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
