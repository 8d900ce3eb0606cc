import Files
import Foundation
import TestSupport
import Testing

struct LineProcessTests {
  /// A line that nobody asked for would be taken for the answer to the next question, however late it comes.
  ///
  /// In a process of its own, as one that talks to programs ignores SIGPIPE, and the programs of other tests would too.
  @Test func aLineBetweenTwoExchangesIsUnasked() async {
    await #expect(processExitsWith: .success) { try Self.askThreeTimes() }
  }

  /// The program answers only after somebody noticed that it is silent.
  @Test func aSilentProgramIsNoticedAndMayGoOn() async {
    await #expect(processExitsWith: .success) { try Self.askASilentProgram() }
  }

  private static func askASilentProgram() throws {
    let folder = try TestFolder()
    try folder.write("read -r line; until [ -e go ]; do sleep 0.01; done; echo one", to: "program")
    var process = try LineProcess(["/bin/sh", "program"], environment: ["PATH": "/usr/bin:/bin"], in: folder.path)
    defer { process.end() }
    let answer = try answer(of: &process) {
      _ = FileManager.default.createFile(atPath: folder.path + "/go", contents: nil)
    }
    if answer != "one" { exit(1) }
  }

  private static func askThreeTimes() throws {
    let folder = try TestFolder()
    try folder.write(
      """
      read -r line; echo one
      read -r line; echo two
      sleep 0.05; echo three
      touch done
      read -r line
      """, to: "program")
    var process = try LineProcess(["/bin/sh", "program"], environment: ["PATH": "/usr/bin:/bin"], in: folder.path)
    defer { process.end() }
    try #require(try answer(of: &process) == "one")
    try #require(try answer(of: &process) == "two")
    let deadline = ContinuousClock.now + .seconds(10)
    while !FileManager.default.fileExists(atPath: folder.path + "/done"), ContinuousClock.now < deadline {
      usleep(1000)
    }
    do {
      let answer = try answer(of: &process)
      Issue.record("\(answer) was taken for an answer")
      exit(1)
    } catch LineProcess.Failure.unasked {}
  }

  /// The answer to a line.
  private static func answer(of process: inout LineProcess, silent: () -> Void = {}) throws -> String {
    var isSent = false
    var answer = ""
    let limits = LineProcess.Limits(first: .seconds(10), next: .seconds(10), line: 100, notable: .milliseconds(20))
    try process.exchange(within: limits) { pending in
      guard !isSent else { return 0 }
      isSent = true
      pending += Array("question\n".utf8)
      return 1
    } answer: { line in
      answer = String(decoding: line, as: UTF8.self)
      return true
    } silent: { _ in
      silent()
    }
    return answer
  }
}
