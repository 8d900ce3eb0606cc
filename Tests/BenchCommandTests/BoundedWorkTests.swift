import Foundation
import Testing

/// What asks for no end of work or memory is refused at once, or done without it.
@Suite struct BoundedWorkTests {
  /// Ends a command that does not end.
  private static let limited = Workspace.limited(seconds: 60)
  /// Ends a command that takes more than ten seconds of a processor, however busy the machine is.
  private static let fewSteps = "ulimit -t 10"

  @Test(arguments: [["detector", "list"], ["run", "--suite", "squat"], ["dataset", "list"], ["metric", "list"]])
  func aCurrentFolderThatWasDeleted(_ command: [String]) throws {
    let workspace = try Workspace()
    let outcome = try workspace.shell(
      "mkdir gone && cd gone && rmdir ../gone && exec $bench \(command.joined(separator: " "))", wrapper: Self.limited)
    outcome.expectFailure(
      5,
      "current folder: expected an existing one, found one that was deleted or can't be read; change to another with: cd"
    )
  }

  @Test(.enabled(if: MountNamespace.isAvailable, MountNamespace.needed)) func withoutALoopbackInterface() throws {
    let workspace = try BaselineTests.accepted()
    let git = "git -c user.name=a -c user.email=a@example.org -c commit.gpgsign=false"
    let outcome = try workspace.shell(
      """
      git init -q . && \(git) add -A datasets baselines && \(git) commit -q -m one || exit 99
      $bench run --suite squat >../run || exit 98
      $bench gate --suite squat >../gate || exit 97
      $bench compare --suite squat --set reps.squat-states.bottomAngle=75 >../compare || exit 96
      """, wrapper: Self.limited + ["/usr/bin/unshare", "--map-root-user", "--net"])
    outcome.expectSuccess()
    for file in ["run", "gate", "compare"] { #expect(try !workspace.text("../\(file)").isEmpty) }
  }

  @Test(arguments: ["9999999999", "9223372036854775807", "1025"]) func moreJobsThanAnybodyHasCores(_ jobs: String)
    throws
  {
    let workspace = try Workspace.withSquats()
    let commands = ["run", "gate", "sweep", "tune"].map { [$0, "--suite", "squat"] } + [["selftest", "gate"]]
    for outcome in try workspace.runEach(commands.map { $0 + ["--jobs", jobs] }) {
      outcome.expectFailure(64, saying: ["--jobs", "1024", jobs])
    }
  }

  @Test func moreTrialsThanAnybodyWaitsFor() throws {
    try Workspace().run("selftest", "gate", "--trials", "9999999999").expectFailure(
      64, saying: ["--trials", "1000000"])
  }

  @Test(arguments: [[], ["openpose"], ["trc"]]) func theRootOfTheFileSystem(_ format: [String]) throws {
    let workspace = try Workspace()
    let command = ["dataset", "import"] + format + ["--from", "/", "--exercise", "squat"]
    let outcome = try workspace.shell("exec $bench \(command.joined(separator: " "))", wrapper: Self.limited)
    outcome.expectFailure(
      1, "/: expected a folder of recordings, found the root of the file system; name a folder in it")
  }

  /// Forty gigabytes that take no room on the disk.
  @Test(arguments: ["folder", "keypoints"]) func aSparseArray(_ format: String) throws {
    let workspace = try Workspace()
    try workspace.add(SquatClip.dataset("mine", SquatClip.three), in: "incoming")
    let file = "incoming/mine/poses/anna_1.npy"
    let frames = 40_000_000_000 / (17 * 3 * 4)
    var header = "{'descr': '<f4', 'fortran_order': False, 'shape': (\(frames), 17, 3), }"
    header += String(repeating: " ", count: 117 - header.utf8.count) + "\n"
    try workspace.write(Data([0x93] + Array("NUMPY".utf8) + [1, 0, 118, 0]) + Data(header.utf8), to: file)
    let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: workspace.path(file)))
    try handle.truncate(atOffset: UInt64(128 + frames * 17 * 3 * 4))
    try handle.close()
    let options = format == "folder" ? "incoming/mine" : "\(file) --exercise squat --fps 30 --size 640x480"
    let outcome = try workspace.shell("exec $bench dataset import \(format) --from \(options)", wrapper: Self.limited)
    outcome.expectFailure(1, saying: [file, "at most 25000000 numbers in a clip"])
  }

  /// Text of more gigabytes than any that is read, which take no room on the disk: with a NUL in its first bytes or, as
  /// lines come first, without.
  @Test(arguments: ["folder", "mapped"], [true, false]) func aSparseTable(_ format: String, isEmpty: Bool) throws {
    let workspace = try Workspace()
    try workspace.add(SquatClip.dataset("mine", SquatClip.three), in: "incoming")
    let file = "incoming/mine/poses/cleo_1.csv"
    try workspace.replace("poses/cleo_1.npy", with: "poses/cleo_1.csv", in: "incoming/mine/clips.csv")
    try workspace.remove("incoming/mine/poses/cleo_1.npy")
    let line = "frame,time_s\n" + String(repeating: "1,2\n", count: 1 << 15)
    try workspace.write(isEmpty ? "" : line, to: file)
    let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: workspace.path(file)))
    try handle.truncate(atOffset: 40_000_000_000)
    try handle.close()
    try workspace.write(
      "skeleton: coco-17\ncoordinates: { unit: pixel, height: 480, y_axis: down, channels: [x, y] }\n"
        + "columns: { nose: [frame, time_s] }\n", to: "map.yaml")
    let options =
      format == "folder" ? "incoming/mine" : "\(file) --mapping map.yaml --exercise squat --fps 30"
    let command = "dataset import \(format) --from \(options)"
    try workspace.shell("\(Self.fewSteps); exec $bench \(command)", wrapper: Self.limited).expectFailure(
      1, saying: [file, isEmpty ? "expected text, found a NUL character" : "expected at most 4294967296 bytes"])
  }

  /// Files of more bytes than any that is read, which take no room on the disk: with a NUL in their first bytes or, as
  /// text comes first, without.
  @Test(arguments: [
    ("bvh", "HIERARCHY ROOT a ", "dataset import bvh --from a.bvh --exercise squat"),
    ("amc", "1\n", "dataset import amc --from a.amc --exercise squat"),
    ("jsonl", "{\"plan\":\n", "merge a.jsonl"), ("jsonl", "{\"clip\":\"a\"}\n", "score --predictions a.jsonl"),
    ("csv", "clip,count\n", "score --predictions a.csv"),
    ("key", "", "dataset export squats --pseudonyms --pseudonym-key a.key --to out"),
    ("phrase", "", "dataset export squats --encrypt --passphrase-file a.phrase --to out"),
  ])
  func aSparseFile(ending: String, text: String, command: String) throws {
    let workspace = try Workspace.withSquats()
    let file = "a.\(ending)"
    // The skeleton of the motion.
    try workspace.write(":root\norder TX TY TZ RX RY RZ\n", to: "a.asf")
    for (text, size) in [("", 40_000_000_000), (text + String(repeating: " ", count: 1 << 16), 4_000_000_000)] {
      try workspace.write(text, to: file)
      let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: workspace.path(file)))
      try handle.truncate(atOffset: UInt64(size))
      try handle.close()
      try workspace.shell("\(Self.fewSteps); exec $bench \(command)", wrapper: Self.limited).expectFailure(
        1, saying: ["\(file):"])
    }
    #expect(!workspace.exists("out"))
  }

  /// What an archive asks for before its passphrase can be judged: 2^22 blocks of 1 KiB are 4 GiB.
  @Test(arguments: [["gate"], ["run"], ["baseline", "show"], ["power", "--metric", "count.mae", "--loss", "1"]])
  func aSparseBaseline(_ command: [String]) throws {
    let workspace = try Workspace.withSquats()
    let path = workspace.path("baselines/squat.json")
    try workspace.write("", to: "baselines/squat.json")
    try FileHandle(forWritingTo: URL(fileURLWithPath: path)).truncate(atOffset: 40_000_000_000)
    try workspace.run(command + ["--suite", "squat"]).expectFailure(
      1, "baselines/squat.json: expected at most 134217728 bytes, found 40000000000")
  }

  /// A search that begins anew after each of a million longer names must not read the rest again.
  @Test func aReportFullOfLongerNames() throws {
    let workspace = try Workspace.withSquats()
    try workspace.run("dataset", "list").expectSuccess()
    try workspace.write(String(repeating: "squats-2 ", count: 1_000_000), to: "reports/squat/a/report.md")
    try workspace.write("of squats, once", to: "reports/squat/b/report.md")
    let outcome = try workspace.shell("exec $bench dataset remove squats", wrapper: Self.limited)
    outcome.expectSuccess()
    #expect(outcome.output.contains("reports/squat/b") && !outcome.output.contains("reports/squat/a"))
  }

  @Test func anArchiveThatAsksForMemory() throws {
    let workspace = try Workspace()
    let salt = Data(count: 16).base64EncodedString().prefix { $0 != "=" }
    let body = Data(count: 32).base64EncodedString().prefix { $0 != "=" }
    try workspace.write(
      "age-encryption.org/v1\n-> scrypt \(salt) 22\n\(body)\n--- \(body)\n", to: "mine.age")
    let outcome = try workspace.run(
      "dataset", "import", "archive", "--from", "mine.age", environment: ["BENCH_PASSPHRASE": "a passphrase"])
    outcome.expectFailure(1, "mine.age: expected a work factor of at most 19, found 22")
  }

  @Test func aMillionColumns() throws {
    let workspace = try Workspace.withSquats()
    try workspace.write((0..<1_000_000).map { "c\($0)" }.joined(separator: ",") + "\n", to: "mine.csv")
    let outcome = try workspace.run("score", "--dataset", "squats", "--predictions", "mine.csv")
    outcome.expectFailure(1, "mine.csv:1: expected at most 1000 columns, found 1000000")
  }

  /// Similar names are searched for one of them alone.
  @Test func manyUnknownClips() throws {
    let workspace = try Workspace.withSquats()
    try workspace.write("clip,count\n" + (0..<50_000).map { "unknown_\($0),1\n" }.joined(), to: "mine.csv")
    let command = "score --dataset squats --predictions mine.csv"
    try workspace.shell("\(Self.fewSteps); exec $bench \(command)", wrapper: Self.limited).expectFailure(
      1,
      "mine.csv:2: clip unknown_0: expected a clip of dataset squats, found none called \"unknown_0\"; and 49999 more "
        + "such clips")
  }
}
