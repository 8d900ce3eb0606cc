import Foundation
import Testing

/// A project whose suite has a detector that is a command.
struct CommandProject {
  let workspace: Workspace
  /// The environment of every call: no test writes to the state of whoever runs it.
  var environment: [String: String]

  /// - Parameters:
  ///   - program: what `coach/knee` is, a script of the shell or of Python.
  ///   - keys: more lines of the detector's file.
  init(
    program: String, command: String = "[/bin/sh, coach/knee]", keys: [String] = [],
    clips: [SquatClip] = SquatClip.three
  ) throws {
    workspace = try Workspace.withSquats(clips) {
      $0.detectors = ["- name: knee"]
      $0.metrics = [("knee", "count.exact", 0.05)]
    }
    environment = ["XDG_STATE_HOME": workspace.outside + "/state"]
    try workspace.write(program, to: "coach/knee")
    let lines =
      ["detector: knee", "command: \(command)", "kind: reps", "exercise: squat", "poses: recorded", "files: [coach/]"]
      + ["signals:", "- { name: knee angle, unit: degrees, guides: [low] }", "parameters:"]
      + ["- { name: low, value: 90, range: [10, 150], unit: degrees, summary: A squat goes below. }"] + keys
    try workspace.write(lines.joined(separator: "\n") + "\n", to: "detectors/knee.yaml")
  }

  func run(_ arguments: String...) throws -> Outcome { try workspace.run(arguments, environment: environment) }

  /// Says nothing of any frame.
  static let silent = "while read -r line; do case $line in *'\"start\"'*) ;; *) echo '{}' ;; esac; done\n"

  /// Counts squats by the left knee's angle, with nothing but Python.
  static let counter = """
    import json, math, sys
    for line in sys.stdin:
        message = json.loads(line)
        if message["type"] == "start":
            places = [message["joints"].index("left_" + name) for name in ("hip", "knee", "ankle")]
            low, down = message["parameters"]["low"], None
            continue
        answer = {}
        if message["type"] == "frame":
            a, b, c = [message["keypoints"][place] for place in places]
            turn = math.atan2(a[1] - b[1], a[0] - b[0]) - math.atan2(c[1] - b[1], c[0] - b[0])
            knee = abs((math.degrees(turn) + 180) % 360 - 180)
            answer = {"signals": [knee], "nanoseconds": 1500}
            if knee < low and down is None:
                down = message["time"]
            elif knee > 160 and down is not None:
                answer["events"] = [{"type": "rep", "start": down, "end": message["time"]}]
                down = None
        print(json.dumps(answer), flush=True)

    """

  static func counting(_ clips: [SquatClip] = SquatClip.three, keys: [String] = []) throws -> CommandProject {
    try CommandProject(program: counter, command: "[python3, coach/knee]", keys: keys, clips: clips)
  }
}

/// The languages of the examples, where this machine has them.
enum Interpreter {
  static let python = find("python3")
  static let node = find("node")
  static let jq = find("jq")
  static let compiler = find("c++") ?? find("g++") ?? find("clang++")

  /// The folder of Python itself where the one on the PATH is a version manager's scripts, which take twice as long as
  /// Python to start.
  static let managedPython: String? = python.flatMap { python in
    let (process, output) = (Process(), Pipe())
    process.executableURL = URL(fileURLWithPath: python)
    process.arguments = ["-c", "import os, sys; print(os.path.dirname(sys.executable), end='')"]
    process.standardOutput = output
    guard (try? process.run()) != nil, let bytes = try? output.fileHandleForReading.readToEnd() else { return nil }
    process.waitUntilExit()
    let folder = String(decoding: bytes, as: UTF8.self)
    return folder == URL(fileURLWithPath: python).deletingLastPathComponent().path ? nil : folder
  }

  private static func find(_ name: String) -> String? {
    (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").map { "\($0)/\(name)" }
      .first { FileManager.default.isExecutableFile(atPath: $0) }
  }
}

extension Trait where Self == ConditionTrait {
  static var needsPython: Self { .enabled(if: Interpreter.python != nil, "there is no python3 on the PATH") }
  static var needsNode: Self { .enabled(if: Interpreter.node != nil, "there is no node on the PATH") }
  static var needsJQ: Self { .enabled(if: Interpreter.jq != nil, "there is no jq on the PATH") }
  static var needsCompiler: Self { .enabled(if: Interpreter.compiler != nil, "there is no C++ compiler on the PATH") }
}

/// Whether a process is gone, at the latest after two seconds.
func isGone(_ process: Int32) -> Bool {
  for _ in 0..<200 {
    if kill(process, 0) != 0, errno == ESRCH { return true }
    usleep(10_000)
  }
  return false
}
