import Coaching
import Evaluation
import Foundation
import Pipeline
import Testing

/// A detector in another language goes through every command as one in Swift.
@Suite(.needsPython) struct CommandDetectorTests {
  @Test func aRunCountsAsItsProgramSays() throws {
    let project = try CommandProject.counting()
    try project.run("run", "--suite", "squat", "--allow-commands").expectSuccess()
    let results = try project.workspace.results()
    #expect(results.clips.map { $0.outcomes["knee"]?.count } == [2, 3, 1])
    // Bert's first squat leaves 170.5° at frame 30 and goes by 3° a frame: below 90° from frame 57 (89.5°) on, above 160°
    // again at frame 87 (161.5°), which is when it is reported.
    let rep = try #require(results.clips[1].outcomes["knee"]?.reps?.first)
    #expect(rep.rep.start == 1.9 && rep.rep.end == 2.9 && rep.reported == 2.9)
    #expect(rep.matches == 0)
    let hash = try #require(results.detectors.first?.files)
    #expect(hash.hasPrefix("sha256:"))
    // As the program says of each frame.
    #expect(results.measured["knee"]?.quantiles["p50"] == 1500)
  }

  @Test func jobsDoNotChangeWhatIsFound() throws {
    let project = try CommandProject.counting(SquatClip.twelve)
    try project.run("run", "--suite", "squat", "--allow-commands", "--jobs", "1").expectSuccess()
    let one = try project.workspace.results()
    try project.run("run", "--suite", "squat", "--jobs", "4").expectSuccess()
    #expect(try project.workspace.results().clips == one.clips)
  }

  /// A program may be slow: a run replays each clip once, and again only the clip that the report shows, a tenth of the
  /// clips to see whether it answers alike, here one, and the frames that a camera sees if it drops others. A sweep replays each setting once, also that of the suite.
  ///
  /// An estimator of 60 ms sees every second frame. All reps are reported on odd ones, and then on the next, 1/30 s later.
  @Test(arguments: [(estimator: 20, replays: 1, live: 20.0), (60, 2, 60 + 1000 / 30.0)])
  func noClipIsReplayedMoreOftenThanNeeded(camera: (estimator: Int, replays: Int, live: Double)) throws {
    let project = try CommandProject.counting()
    let counter = CommandProject.counter.replacing(", \"nanoseconds\": 1500", with: "")
      .replacing("places =", with: "open('starts', 'a').write(message['clip'] + ' '); places =")
    try project.workspace.write(counter, to: "coach/knee")
    let suite = try project.workspace.text("datasets/suites/squat.yaml")
    try project.workspace.write(
      suite.replacing("estimator_ms: 20", with: "estimator_ms: \(camera.estimator)"), to: "datasets/suites/squat.yaml")
    func starts() throws -> [String: Int] {
      defer { try? project.workspace.remove("starts") }
      return Dictionary(
        grouping: try project.workspace.text("starts").split(separator: " ").map(String.init), by: \.self
      ).mapValues(\.count)
    }
    try project.run("run", "--suite", "squat", "--allow-commands").expectSuccess()
    let once = camera.replays
    // Each clip has a name that says nothing, the same throughout a command.
    let started = try starts().values.sorted()
    #expect(started.first == once && started.reduce(0, +) == 3 * once + 1 + once, "\(started)")
    let live = try project.workspace.results().metrics.first { $0.metric == "latency.live" }?.value
    #expect(try abs(#require(live) - camera.live) < 0.01)
    try project.run("sweep", "--suite", "squat", "--sweep", "reps.knee.low=85...95:5").expectSuccess()
    #expect(try starts().values.sorted() == [3, 3, 3])
  }

  @Test func aSweepSetsItsParameters() throws {
    let project = try CommandProject.counting()
    let swept = try project.run(
      "sweep", "--suite", "squat", "--sweep", "reps.knee.low=75...90:15", "--metric", "count.exact", "--json",
      "--allow-commands")
    #expect(swept.code == 0, "\(swept.error)")
    // No knee bends below 80.5°.
    struct Sweep: Decodable {
      struct Setting: Decodable {
        var values: [String: Double]
        var value: Double?
      }
      var settings: [Setting]
    }
    let settings = try JSONDecoder().decode(Sweep.self, from: Data(swept.output.utf8)).settings
    #expect(settings.first { $0.values == ["low": 75] }?.value == 0)
    #expect(settings.first { $0.values == ["low": 90] }?.value == 1)
  }

  @Test func aReplayDrawsItsSignals() throws {
    let project = try CommandProject.counting()
    let replayed = try project.run(
      "replay", "anna_1", "--suite", "squat", "--chart", "--output", "anna.png", "--allow-commands")
    replayed.expectSuccess()
    #expect(replayed.output.contains("matched 2, missed 0, invented 0"))
    #expect(project.workspace.exists("anna.png"))
  }

  @Test func aBaselineKnowsItsFiles() throws {
    let project = try CommandProject.counting(SquatClip.twelve)
    try project.run("baseline", "accept", "--suite", "squat", "--allow-commands").expectSuccess()
    let same = try project.run("gate", "--suite", "squat")
    #expect(same.code == 0 && !same.output.contains("knee.files"), "\(same.output)\(same.error)")
    // Its own output is no file of it.
    try project.workspace.write("x", to: "coach/__pycache__/knee.pyc")
    try project.workspace.write("x", to: "coach/.cache")
    #expect(try !project.run("gate", "--suite", "squat").output.contains("knee.files"))
    try project.workspace.write(
      CommandProject.counter.replacing("knee > 160", with: "knee > 171"), to: "coach/knee")
    let worse = try project.run("gate", "--suite", "squat")
    #expect(worse.code == 2, "\(worse.output)\(worse.error)")
    #expect(worse.output.contains("changed  knee.files: "))
  }

  /// Perturbed poses go to the recording's keypoints and units; nothing that is perturbed by nothing changes.
  @Test(arguments: ["recorded", "normalised"]) func perturbedPosesReachIt(poses: String) throws {
    let project = try CommandProject.counting()
    try project.workspace.replace("poses: recorded", with: "poses: \(poses)", in: "detectors/knee.yaml")
    try project.run("run", "--suite", "squat", "--perturb", "noise=0%", "--allow-commands").expectSuccess()
    let clips = try project.workspace.results().clips
    #expect(clips.map { $0.outcomes["knee"]?.count } == [2, 3, 1])
    // The same frames as above: nothing is stretched on the way.
    let rep = try #require(clips[1].outcomes["knee"]?.reps?.first)
    #expect(rep.rep.start == 1.9 && rep.rep.end == 2.9)
    // Without knees the counter above could not go on: it is told of a missing point as null.
    let blind = try project.run("run", "--suite", "squat", "--perturb", "dropout=100%")
    blind.expectFailure(1, saying: ["detectors/knee.yaml: clip squats/", "TypeError"])
  }

  @Test func listAndShowKnowIt() throws {
    let project = try CommandProject.counting()
    let list = try project.run("detector", "list")
    list.expectSuccess()
    #expect(list.output.contains("detectors/knee.yaml runs [python3, coach/knee]"))
    let shown = try project.run("detector", "show", "knee")
    shown.expectSuccess()
    #expect(shown.output.contains("runs     [python3, coach/knee]\nposes    recorded\n"))
    #expect(shown.output.contains("reps.knee.low"))
  }

  @Test func aCheckFindsWhatIsKept() throws {
    let project = try CommandProject.counting()
    let same = try project.run("detector", "check", "knee", "--allow-commands")
    same.expectSuccess()
    #expect(
      same.output.hasPrefix("knee is deterministic: 3 clips, in another order, in a new process, frame by frame")
    )
    // Names each clip by how many it has seen: anna is first and, in the other order, sixth.
    try project.workspace.write(
      """
      import json, sys
      clips = 0
      for line in sys.stdin:
          if '"start"' in line:
              clips, first = clips + 1, True
              continue
          print(json.dumps({"events": [{"type": "phase", "phase": "clip %d" % clips}]} if first else {}), flush=True)
          first = False

      """, to: "coach/knee")
    let other = try project.run("detector", "check", "knee")
    #expect(other.code == 1 && other.output.hasPrefix("knee is not deterministic"), "\(other)")
    #expect(
      other.output.contains(
        "differs  squats/anna_1, in another order: phase clip 6 at 0 s, at first phase clip 1 at 0 s"))
    #expect(
      other.output.contains(
        "differs  squats/bert_1, in a new process: phase clip 1 at 0 s, at first phase clip 2 at 0 s"))
  }

  @Test func aCheckFindsWhatReadsAhead() throws {
    // Answers a frame when it has seen the next.
    let ahead = """
      import sys
      held = 0
      for line in sys.stdin:
          if '"start"' in line: continue
          if '"end"' in line: print("{}\\n" * (held + 1), end="", flush=True); held = 0
          elif held: print("{}", flush=True)
          else: held = 1

      """
    let project = try CommandProject(
      program: ahead, command: "[python3, coach/knee]", keys: ["frame_timeout: 0.5"])
    try project.run("run", "--suite", "squat", "--allow-commands").expectSuccess()
    // It flushes: what it lacks is the next frame.
    try project.run("detector", "check", "knee").expectFailure(
      1, saying: ["an answer to frame 0 (0 s)", "nothing for 0.5 s\n"])
  }

  /// Only what is drawn differs. The dataset that is asked for comes before the suite's.
  @Test func aCheckFindsOtherSignals() throws {
    let program = """
      while read -r line; do case $line in
      *'"start"'*) clips=$((clips + 1)) ;;
      *) echo "{\\"signals\\":[$clips]}" ;;
      esac; done

      """
    let project = try CommandProject(program: program)
    let dora = (1...2).map { SquatClip(name: "dora_\($0)", subject: "dora", squats: [SquatClip.deep]) }
    try project.workspace.add(SquatClip.dataset("more", dora))
    let own = try project.run("detector", "check", "knee", "--allow-commands")
    #expect(own.code == 1, "\(own)")
    // anna is the first clip of the process and, in the other order, the sixth.
    #expect(own.output.contains("differs  squats/anna_1, in another order: other signals\n"), "\(own)")
    let other = try project.run("detector", "check", "knee", "--dataset", "more")
    #expect(other.code == 1 && other.output.contains("differs  more/dora_1, in another order: other signals\n"))
    #expect(!other.output.contains("squats/"))
  }

  /// A detector in Swift has neither a process nor a pipe.
  @Test func aDetectorInSwiftIsCheckedInAnotherOrder() throws {
    let checked = try Workspace.withSquats().run("detector", "check", "squat-states")
    checked.expectSuccess()
    #expect(checked.output == "squat-states is deterministic: 3 clips, in another order\n")
  }

  @Test func aCostOfTheClockIsRefused() throws {
    let project = try CommandProject.counting()
    try project.workspace.replace(
      "metrics:\n", with: "metrics:\n- { detector: knee, metric: cost.ratio, margin: 1.2 }\n",
      in: "datasets/suites/squat.yaml")
    try project.run("run", "--suite", "squat").expectFailure(
      1, saying: ["datasets/suites/squat.yaml:", "knee is a command, which is not timed from outside"])
  }
}

/// What a detector's file says wrong.
@Suite struct CommandFileTests {
  @Test(arguments: [
    ("detector: knee", "detector: hip", "detectors/knee.yaml:1: expected knee, the name of the file, for detector"),
    ("kind: reps", "kind: sets", "detectors/knee.yaml:3: expected reps or form or swing or posture for kind"),
    ("kind: reps", "kind: posture", "detectors/knee.yaml:1: expected the labels that it reports"),
    ("poses: recorded", "poses: raw", "expected recorded or normalised for poses"),
    ("poses: recorded", "pose: recorded", "did you mean poses?"),
    ("command: [/bin/sh, coach/knee]", "command: []", "expected a program and its arguments for command"),
    ("guides: [low]", "guides: [lo]", "\"lo\", did you mean low?"),
    ("value: 90", "value: 9", "expected a number from 10 to 150 for parameters[1].value"),
    ("unit: degrees, summary", "unit: degree, summary", "\"degree\", did you mean degrees?"),
    ("files: [coach/]", "joints: [left_kne]", "\"left_kne\", did you mean left_knee"),
  ])
  func isNamedWithItsLine(old: String, new: String, message: String) throws {
    let project = try CommandProject(program: CommandProject.silent)
    try project.workspace.replace(old, with: new, in: "detectors/knee.yaml")
    try project.run("detector", "show", "knee").expectFailure(1, saying: [message])
  }

  /// Its own file, and the files in every folder of those that it names. Interpreters' files are none of them.
  @Test func itsHashIsThatOfAllItsFiles() throws {
    let project = try CommandProject(program: CommandProject.silent)
    try project.workspace.write("weights", to: "coach/models/deep/w.bin")
    func hash() throws -> String {
      let commands = try Project(root: project.workspace.project).commands()
      let definition = try DetectorRegistry(commands, consent: CommandConsent()).detector(named: "knee")
      let observer = try definition.detector(ParameterValues(definition.parameters, replacing: [:]))
      return try #require(observer as? any OutsideObserver).filesHash()
    }
    let first = try hash()
    try project.workspace.write("x", to: "coach/models/__pycache__/a.pyc")
    try project.workspace.write("x", to: "coach/models/.cache")
    #expect(try hash() == first)
    try project.workspace.write("other weights", to: "coach/models/deep/w.bin")
    let second = try hash()
    #expect(second != first)
    try project.workspace.write("weights", to: "coach/models/deep/w.bin")
    #expect(try hash() == first)
    try project.workspace.replace("[/bin/sh, coach/knee]", with: "[/bin/sh, -e, coach/knee]", in: "detectors/knee.yaml")
    #expect(try !Set([first, second]).contains(hash()))
  }

  @Test(arguments: [("[/etc/passwd]", "without '.' and '..'"), ("[out/key]", "a link that leads outside")])
  func filesStayInTheProject(files: String, message: String) throws {
    let project = try CommandProject(program: CommandProject.silent)
    try project.workspace.replace("files: [coach/]", with: "files: \(files)", in: "detectors/knee.yaml")
    try project.workspace.write("secret", to: "../elsewhere/key")
    try FileManager.default.createSymbolicLink(
      atPath: project.workspace.path("out"), withDestinationPath: project.workspace.outside + "/elsewhere")
    try project.run("run", "--suite", "squat", "--allow-commands").expectFailure(1, saying: [message])
  }
}
