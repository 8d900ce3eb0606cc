import Foundation
import Testing

/// A program that goes wrong ends in an error that says where, and leaves nothing running.
@Suite struct HostileCommandTests {
  /// The start of a script that notes its processes and then answers some frames.
  private static func answering(_ frames: Int) -> String {
    "echo $$ >>pids; read -r start; "
      + String(repeating: "read -r frame; echo '{}'; ", count: frames)
  }

  private static let hostile: [(name: String, program: String, parts: [String])] = [
    (
      "crash", answering(2) + "echo 'no model' >&2; exit 3",
      ["an answer to frame 2 (0.066667 s) from [/bin/sh, coach/knee], found an exit with code 3", "\n  no model"]
    ),
    ("signal", answering(1) + "kill -SEGV $$", ["frame 1", "an exit by signal 11"]),
    ("hang", answering(1) + "sleep 60 & echo $! >>pids; wait", ["nothing for 0.4 s", "frame 1"]),
    (
      "hang at the start", "echo $$ >>pids; sleep 60 & echo $! >>pids; wait",
      [
        "nothing for 0.6 s", "frame 0",
        "; its answers may be in its buffer: flush after each, in Python with print(answer, flush=True), in Node with",
      ]
    ),
    (
      "deaf to signals", "trap '' TERM INT HUP PIPE; " + answering(1) + "while :; do sleep 0.1; done",
      ["nothing for 0.4 s", "frame 1"]
    ),
    ("garbage", answering(1) + "echo 'Hello, world'; cat >/dev/null", ["in the answer to frame 1"]),
    ("half a message", answering(1) + "echo '{\"events\":['; cat >/dev/null", ["in the answer to frame 1"]),
    ("no UTF-8", answering(0) + "printf '{\"error\":\"\\377\"}\\n'; cat >/dev/null", ["UTF-8", "frame 0"]),
    ("unknown key", answering(0) + "echo '{\"event\":[]}'; cat >/dev/null", ["did you mean events?", "frame 0"]),
    (
      "future", answering(0) + "echo '{\"events\":[{\"type\":\"rep\",\"start\":0,\"end\":1}]}'; cat >/dev/null",
      ["the end no later than the frame, 0 s of a rep", "found 1 s"]
    ),
    (
      "own error", answering(1) + "echo '{\"error\":\"no model at \\u001b[2J\"}'; cat >/dev/null",
      ["found the error no model at \\u{1B}[2J"]
    ),
    (
      "endless line", answering(0) + "head -c 100000000 /dev/zero | tr '\\0' a; cat >/dev/null",
      ["a line of more than 1048576 bytes"]
    ),
    ("endless errors", answering(0) + "yes 'word word word' >&2", ["nothing for 0.6 s", "word word word"]),
    ("closed output", answering(1) + "exec >&-; cat >/dev/null", ["frame 1", "closed standard output"]),
    (
      "a child that holds the pipe", answering(1) + "sleep 60 & echo $! >>pids; exit 4",
      ["frame 1", "an exit with code 4"]
    ),
    (
      "one line too many", "echo $$ >>pids; echo '{}'; echo '{}'; " + CommandProject.silent,
      ["an extra line"]
    ),
  ]

  @Test(arguments: hostile.map(\.name)) func isNamedAndEnded(name: String) throws {
    let hostile = try #require(Self.hostile.first { $0.name == name })
    let project = try CommandProject(
      program: hostile.program,
      // Only where nothing comes; a busy machine may need more for the others.
      keys: hostile.parts.contains("nothing for 0.6 s")
        ? ["start_timeout: 0.6"] : hostile.parts.contains("nothing for 0.4 s") ? ["frame_timeout: 0.4"] : [],
      clips: [SquatClip.three[0]])
    let outcome = try project.run("run", "--suite", "squat", "--allow-commands", "--jobs", "1")
    outcome.expectFailure(1, saying: ["bench: detectors/knee.yaml: clip squats/anna_1: expected "] + hostile.parts)
    let pids = try project.workspace.text("pids").split(separator: "\n").compactMap { Int32($0) }
    #expect(!pids.isEmpty)
    for pid in pids { #expect(isGone(pid), "\(name) left \(pid)") }
    #expect(!project.workspace.exists("reports/squat/latest"))
  }

  /// Thirty frames with nobody moving.
  private static let still = (1...2).map { SquatClip(name: "clip_\($0)", subject: "s\($0)", squats: []) }

  /// 30 answers take 0.9 s at least. The limit is between one answer and the next.
  @Test func aSlowProgramIsNoSilentOne() throws {
    let slow = CommandProject.silent.replacing("*) echo", with: "*) sleep 0.03; echo")
    let project = try CommandProject(program: slow, keys: ["frame_timeout: 0.7"], clips: [Self.still[0]])
    try project.run("replay", "clip_1", "--suite", "squat", "--allow-commands").expectSuccess()
  }

  /// A program that runs has no model to load, also before the first frame of a clip.
  @Test func aHangInALaterClip() throws {
    let hanging = CommandProject.silent
      .replacing("'\"start\"'*)", with: "'\"start\"'*) clips=x$clips")
      .replacing("*) echo", with: "*) [ $clips = x ] || sleep 60; echo")
    let project = try CommandProject(
      program: hanging, keys: ["start_timeout: 5", "frame_timeout: 0.4"], clips: Self.still)
    try project.run("run", "--suite", "squat", "--allow-commands", "--jobs", "1").expectFailure(
      1, saying: ["clip squats/clip_2: expected an answer to frame 0 (0 s)", "found nothing for 0.4 s"])
  }

  /// The last eight lines of ten, each cut after 300 letters.
  @Test func theLastErrorLinesAreShown() throws {
    let long = String(repeating: "a", count: 301)
    let program = "for n in 1 2 3 4 5 6 7 8 9; do echo line $n; done >&2; echo \(long) >&2; exit 3\n"
    let project = try CommandProject(program: program, clips: [Self.still[0]])
    let outcome = try project.run("run", "--suite", "squat", "--allow-commands", "--jobs", "1")
    let last = (3...9).map { "line \($0)" } + [String(repeating: "a", count: 300) + "…"]
    outcome.expectFailure(
      1, saying: ["; its last lines on standard error:" + last.map { "\n  \($0)" }.joined() + "\n"])
  }

  /// All answers after an extra line belong to earlier frames.
  @Test func oneLineTooManyInTheOnlyClip() throws {
    let twice = "read -r start; read -r frame; echo '{}'; echo '{}'; " + CommandProject.silent
    try CommandProject(program: twice).run("replay", "anna_1", "--suite", "squat", "--allow-commands").expectFailure(
      1, saying: ["clip squats/anna_1: expected an answer to the end", "an extra line"])
  }

  @Test func aProgramThatLeavesAfterAClip() throws {
    let leaving = CommandProject.silent.replacing("*) echo", with: "*'\"end\"'*) echo '{}'; exit ;; *) echo")
    let project = try CommandProject(program: leaving)
    try project.run("run", "--suite", "squat", "--allow-commands", "--jobs", "1").expectFailure(
      1, saying: ["clip squats/bert_1: expected an answer to frame 0 (0 s)", "an exit with code 0"])
  }

  @Test func aProgramThatIsNotThere() throws {
    let project = try CommandProject(program: "", command: "[no-such-program]")
    try project.run("run", "--suite", "squat", "--allow-commands").expectFailure(
      1, saying: ["no-such-program: expected a program that can be run, found no such file or directory"])
  }

  @Test func ctrlCEndsIt() throws {
    let project = try CommandProject(program: Self.answering(1) + "sleep 60 & echo $! >>pids; wait")
    let process = try Self.started(in: project)
    process.interrupt()
    process.waitUntilExit()
    #expect(process.exitCode == 130)
    for pid in try Self.pids(project) { #expect(isGone(pid)) }
  }

  @Test func aKilledBenchLeavesNothing() throws {
    let project = try CommandProject(
      program: "trap '' PIPE TERM INT HUP; " + Self.answering(1)
        + "sleep 60 & echo $! >>pids; while :; do sleep 0.1; done")
    let process = try Self.started(in: project)
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
    for pid in try Self.pids(project) { #expect(isGone(pid)) }
  }

  @Test func secretsStayOut() throws {
    let project = try CommandProject(program: "env >seen\n" + CommandProject.silent)
    var environment = project.environment
    environment["API_TOKEN"] = "abc"
    environment["AWS_SECRET_ACCESS_KEY"] = "def"
    try project.workspace.run(["run", "--suite", "squat", "--allow-commands"], environment: environment).expectSuccess()
    let seen = try project.workspace.text("seen")
    #expect(seen.contains("PATH=") && !seen.contains("TOKEN") && !seen.contains("AWS"))
  }

  /// A program serves clip after clip: of twelve, there is one for each job, and as many new ones that are asked again.
  @Test(arguments: [1, 3]) func thereIsOneForEachJob(jobs: Int) throws {
    let project = try CommandProject(program: "echo $$ >>pids\n" + CommandProject.silent, clips: SquatClip.twelve)
    try project.run("run", "--suite", "squat", "--allow-commands", "--jobs", "\(jobs)").expectSuccess()
    let pids = try Self.pids(project)
    #expect((2...2 * jobs).contains(pids.count) && Set(pids).count == pids.count, "\(pids)")
    for pid in pids { #expect(isGone(pid)) }
  }

  /// What `bench` was given when it was started, it keeps for itself.
  @Test(.enabled(if: FileManager.default.fileExists(atPath: "/proc/self/fd"), "there is no /proc"))
  func descriptorsStayOut() throws {
    let project = try CommandProject(program: "ls -l /proc/$$/fd >seen\n" + CommandProject.silent)
    let outcome = try project.workspace.shell(
      "XDG_STATE_HOME=$PWD/../state $bench run --suite squat --allow-commands --jobs 1 7</etc/passwd")
    outcome.expectSuccess()
    let seen = try project.workspace.text("seen")
    #expect(seen.contains(" 0 -> ") && !seen.contains("passwd"), "\(seen)")
  }

  /// Run from a folder below, a program still works in the project's.
  @Test func itWorksInTheProjectsFolder() throws {
    let project = try CommandProject(program: "pwd >seen\n" + CommandProject.silent)
    var outcome = try project.workspace.shell(
      "mkdir -p below && cd below && XDG_STATE_HOME=$PWD/../../state $bench run --suite squat --allow-commands")
    outcome.expectSuccess()
    #expect(try project.workspace.text("seen").hasSuffix("/project\n"))
    try project.workspace.replace("/bin/sh, coach/knee", with: "no-such-program", in: "detectors/knee.yaml")
    outcome = try project.workspace.shell(
      "cd below && XDG_STATE_HOME=$PWD/../../state $bench run --suite squat --allow-commands")
    outcome.expectFailure(1, saying: ["an exit with code 127", "no-such-program"])
  }

  /// A run whose program has noted all its processes.
  private static func started(in project: CommandProject) throws -> Process {
    let process = Process.bench(
      try BenchExecutable.command(["run", "--suite", "squat", "--allow-commands", "--jobs", "1"]),
      in: project.workspace.project, environment: project.environment)
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    signal(SIGINT, SIG_DFL)
    try process.run()
    let deadline = ContinuousClock.now + .seconds(20)
    while (try? pids(project).count) ?? 0 < 2 {
      try #require(process.isRunning && ContinuousClock.now < deadline)
      usleep(10_000)
    }
    return process
  }

  private static func pids(_ project: CommandProject) throws -> [Int32] {
    try project.workspace.text("pids").split(separator: "\n").compactMap { Int32($0) }
  }
}
