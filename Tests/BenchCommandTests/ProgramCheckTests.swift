import Foundation
import Testing

/// A program is judged by what it sees of the motion: one that knows the recordings, reads their labels or throws dice
/// does not pass.
@Suite(.needsPython) struct ProgramCheckTests {
  /// Counts as `reps` says, a function of the start's message and of the first frame's.
  private static func program(_ reps: String) -> String {
    """
    import glob, json, os, random, sys
    \(reps)
    for line in sys.stdin:
        message = json.loads(line)
        if message["type"] == "start":
            start, due = message, None
            continue
        answer = {}
        if message["type"] == "frame":
            if due is None:
                due = list(reps(start, message))
            while due and due[0][1] <= message["time"]:
                begin, end = due.pop(0)
                answer.setdefault("events", []).append({"type": "rep", "start": begin, "end": end})
        print(json.dumps(answer), flush=True)

    """
  }

  private func gate(_ reps: String, accept: Bool = true) throws -> Outcome {
    let project = try CommandProject(program: Self.program(reps), command: "[python3, coach/knee]")
    if accept { try project.run("baseline", "accept", "--suite", "squat", "--allow-commands").expectSuccess() }
    return try project.run("gate", "--suite", "squat", "--allow-commands")
  }

  @Test func aCounterOfTheMotionPasses() throws {
    let project = try CommandProject.counting()
    try project.run("baseline", "accept", "--suite", "squat", "--allow-commands").expectSuccess()
    let outcome = try project.run("gate", "--suite", "squat")
    outcome.expectSuccess()
    #expect(!outcome.output.contains("finding"))
  }

  /// Clips that were tallied elsewhere cannot be replayed again, and the gate says so.
  @Test func talliedClipsAreNotAskedAgain() throws {
    let project = try CommandProject.counting()
    try project.run("baseline", "accept", "--suite", "squat", "--allow-commands").expectSuccess()
    try project.run("tally", "--suite", "squat", "--shard", "1/1", "--to", "1.jsonl").expectSuccess()
    let outcome = try project.run("gate", "--suite", "squat", "--tallies", "1.jsonl")
    outcome.expectSuccess()
    #expect(
      outcome.text.contains(#/finding \S+ was replayed elsewhere: nothing shows here whether it predicts the same/#),
      "\(outcome.text)")
  }

  /// Before any gate: one of three clips is asked again.
  @Test func aRunAndABaselineSayThatAProgramThrowsDice() throws {
    let memory = FileManager.default.temporaryDirectory.appending(path: "dice-\(UUID())").path
    defer { try? FileManager.default.removeItem(atPath: memory) }
    // One rep more each time it is asked: no two answers agree by chance.
    let dice = """
      def reps(start, frame):
          with open("\(memory)", "a") as file: file.write(".")
          return [(0.01 * i, 0.01 * i + 0.01) for i in range(os.path.getsize("\(memory)"))]
      """
    let project = try CommandProject(program: Self.program(dice), command: "[python3, coach/knee]")
    for outcome in [
      try project.run("run", "--suite", "squat", "--allow-commands"),
      try project.run("baseline", "accept", "--suite", "squat", "--allow-commands"),
    ] {
      outcome.expectSuccess()
      #expect(
        outcome.output.replacing(#/\s+/#, with: " ").contains(
          "random knee predicts otherwise when it is asked again, on 1 of 1 clip"))
    }
    let counting = try CommandProject.counting().run("run", "--suite", "squat", "--allow-commands")
    counting.expectSuccess()
    #expect(!counting.output.contains("random"))
  }

  @Test func aProgramThatThrowsDiceIsNoPass() throws {
    let outcome = try gate("def reps(start, frame): return [(0.5, 1 + i) for i in range(random.randrange(7))]")
    #expect(outcome.code == 5)
    #expect(
      outcome.text.contains(
        "MISSING: knee predicts otherwise when it is asked again: on "))
  }

  /// It counts 2, 3 and 1 squats by where the left hip is in the first frame.
  @Test func aProgramThatKnowsTheRecordingsIsNoPass() throws {
    let hip = 500 + 200 * sin(SquatClip.standing * .pi / 180)
    let known = SquatClip.three.map { "\(Int((hip + $0.place).rounded())): \($0.reps.count)" }
    let outcome = try gate(
      """
      def reps(start, frame):
          hip = frame["keypoints"][start["joints"].index("left_hip")]
          return [(i, i + 0.5) for i in range({\(known.joined(separator: ", "))}.get(round(hip[0]), 0))]
      """)
    #expect(outcome.code == 5)
    #expect(
      outcome.text.contains(
        "MISSING: knee scores worse on the same motion some seconds later and elsewhere in the picture: count.exact "
          + "1.000 → 0.000, with other predictions on 3 of 3 clips, such as squats/anna_1: 2 → 0."))
  }

  /// It counts two squats in each clip, as long as it lives, if it knows the first one: each replay has a new process.
  @Test func aProgramThatRemembersTheRecordingsIsNoPass() throws {
    let hip = 500 + 200 * sin(SquatClip.standing * .pi / 180)
    let known = SquatClip.three.map { "\(Int((hip + $0.place).rounded()))" }
    let outcome = try gate(
      """
      known = []
      def reps(start, frame):
          hip = frame["keypoints"][start["joints"].index("left_hip")]
          known.append(round(hip[0]) in [\(known.joined(separator: ", "))])
          return [(0, 0.5), (1, 1.5)] if known[0] else []
      """)
    #expect(outcome.code == 5)
    #expect(
      outcome.text.contains(
        "MISSING: knee scores worse on the same motion some seconds later and elsewhere in the picture: count.exact "
          + "0.333 → 0.000, with other predictions on 3 of 3 clips"), "\(outcome.text)")
  }

  @Test func aProgramThatDependsOnItsPlaceIsAFinding() throws {
    // One more squat where the clip begins at 0, which the labels know nothing of: it scores no worse elsewhere.
    let outcome = try gate("def reps(start, frame): return [(0, 0.5)] * 7 if frame['time'] == 0 else [(3, 3.5)] * 8")
    outcome.expectSuccess()
    #expect(
      outcome.text.contains(
        "finding knee predicts otherwise on the same motion some seconds later and elsewhere in the picture: on 3 of 3 "
          + "clips, such as squats/anna_1: 7 → 8"))
  }

  @Test func aProgramSeesNoNames() throws {
    let outcome = try gate("def reps(start, frame): return [(0, 0.5)] * 2 if 'anna' in start['clip'] else []")
    outcome.expectSuccess()
    let project = try CommandProject(
      program: Self.program("def reps(start, frame): sys.exit(start['clip'])"), command: "[python3, coach/knee]")
    let asked = try project.run("run", "--suite", "squat", "--allow-commands")
    #expect(asked.error.contains(#/clip squats\/[a-z]+_1: .*\n +clip-[0-9a-f]{12}\n?/#))
  }

  @Test(.enabled(if: MountNamespace.isAvailable, MountNamespace.needed)) func aProgramSeesNoLabels() throws {
    let project = try CommandProject(
      program: Self.program(
        "def reps(start, frame): sys.exit(' '.join(sorted(glob.glob('*/*') + glob.glob('.f*/*'))))"),
      command: "[python3, coach/knee]")
    let outcome = try project.run("run", "--suite", "squat", "--allow-commands")
    #expect(outcome.error.contains("\n  coach/knee detectors/knee.yaml"))
  }

  /// Of `bench` and of what started it: this process.
  @Test(.enabled(if: MountNamespace.isAvailable, MountNamespace.needed)) func aProgramSeesNotWhatStartedIt() throws {
    let project = try CommandProject(
      program: Self.program(
        "def reps(start, frame): sys.exit(' '.join(f'{len(glob.glob(f\"/proc/{one}/*\"))} of {one}' "
          + "for one in [os.getppid(), \(getpid())]))"),
      command: "[python3, coach/knee]")
    let outcome = try project.run("run", "--suite", "squat", "--allow-commands")
    #expect(outcome.error.contains(try Regex("\n  0 of [0-9]+ 0 of \(getpid())")), "\(outcome)")
  }

  @Test func aProgramAmongTheLabelsIsRefused() throws {
    let project = try CommandProject(program: CommandProject.silent, command: "[/bin/sh, datasets/knee]")
    try project.workspace.write(CommandProject.silent, to: "datasets/knee")
    let outcome = try project.run("run", "--suite", "squat", "--allow-commands")
    #expect(outcome.code == 1)
    #expect(
      outcome.error.hasSuffix(
        "detectors/knee.yaml: expected a program and files outside of datasets, baselines, reports, .formbench, .git, "
          + "which it must not see, found datasets/knee\n"))
  }
}

/// Copies of a person under other names do not make more people.
@Suite struct CopiedPeopleTests {
  @Test func copiesAreNoPeople() throws {
    let workspace = try Workspace()
    var clips = SquatClip.three.map(\.clip)
    for index in 0..<2 {
      var copy = clips[0]
      copy.info.name = "copy_\(index)"
      copy.info.subject = "copy \(index)"
      clips.append(copy)
    }
    var dataset = SquatClip.dataset("squats", [])
    dataset.clips = clips
    let suite = SquatSuite(content: try workspace.add(dataset))
    try workspace.write(suite.yaml, to: "datasets/suites/squat.yaml")
    try workspace.run("baseline", "accept", "--suite", "squat").expectSuccess()
    for shard in ["1/2", "2/2"] {
      try workspace.run(
        "tally", "--suite", "squat", "--shard", shard, "--to", "\(shard.prefix(1)).jsonl"
      ).expectSuccess()
    }
    // The copies of one recording are in both files of tallies.
    for tallies in [[], ["--tallies", "1.jsonl", "2.jsonl"]] as [[String]] {
      let outcome = try workspace.run(["gate", "--suite", "squat"] + tallies)
      #expect(outcome.code == 5)
      #expect(
        outcome.text.contains(
          "MISSING: 1 person counts as 3: recordings under several names are copies of each other, such as squats/anna_1 "
            + "and squats/copy_0."))
    }
  }

  @Test func similarNamesAreAFinding() throws {
    let workspace = try Workspace.withSquats([
      SquatClip(name: "anna_1", subject: "Anna", squats: [SquatClip.deep]),
      SquatClip(name: "anna_2", subject: "anna", squats: [SquatClip.deep]),
    ])
    try workspace.run("baseline", "accept", "--suite", "squat").expectSuccess()
    let outcome = try workspace.run("gate", "--suite", "squat")
    outcome.expectSuccess()
    #expect(outcome.text.contains("finding Anna and anna may be one person under several names"))
  }
}

extension Outcome {
  /// The output with each gap between words as one space.
  var text: String { output.replacing(#/\s+/#, with: " ") }
}
