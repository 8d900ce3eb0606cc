import Foundation
import Testing

/// What a program of each kind says comes out as a detector in Swift would have said it.
@Suite struct CommandEventTests {
  struct Saying: Sendable, CustomTestStringConvertible {
    var kind: String
    /// More lines of the detector's file.
    var keys: [String]
    /// Of the answer to the fifth frame, at 0.133 s.
    var events: String
    /// The line of the event in `bench replay`.
    var shown: String

    var testDescription: String { shown }
  }

  static let sayings = [
    Saying(
      kind: "reps", keys: [], events: #"{"type":"rep","start":0,"end":0.1}"#, shown: "rep     from 0.00 to 0.10 s"),
    Saying(
      kind: "form", keys: ["criterion: form"],
      events: #"{"type":"grade","criterion":"form","value":81.5,"start":0,"end":0.1,"turn":0.05}"#,
      shown: "grade  form 81.5 for the rep from 0.00 to 0.10 s"),
    Saying(
      kind: "form", keys: ["faults: [shallow]"],
      events: #"{"type":"fault","fault":"shallow","start":0,"end":0.1,"turn":null}"#,
      shown: "fault  shallow in the rep from 0.00 to 0.10 s"),
    Saying(
      kind: "form", keys: ["faults: [shallow]", "speaks: on"],
      events: #"{"type":"cue","text":"Go \u001blower","fault":"shallow","priority":"high"}"#,
      shown: #"cue  "Go \u{1B}lower" (high priority)"#),
    Saying(
      kind: "posture", keys: ["labels: [plank, rest]"], events: #"{"type":"phase","phase":"plank","time":0.05}"#,
      shown: "phase  plank"),
    Saying(
      kind: "swing", keys: ["labels: [forehand]"],
      events: #"{"type":"stroke","start":0,"contact":0.05,"end":0.1,"label":"forehand"}"#,
      shown: "stroke  forehand, contact at 0.05, from 0.00 to 0.10 s"),
    Saying(
      kind: "swing", keys: ["labels: [forehand]"], events: #"{"type":"stroke","start":0,"contact":0.05,"end":0.1}"#,
      shown: "stroke  unknown, contact at 0.05, from 0.00 to 0.10 s"),
  ]

  /// Says the events on the fifth frame, and nothing else.
  private static func project(_ kind: String, _ keys: [String], _ events: String) throws -> CommandProject {
    let project = try CommandProject(
      program: """
        while read -r line; do case $line in
        *'"start"'*) ;;
        *'"frame":4,'*) cat coach/answer ;;
        *) echo '{}' ;;
        esac; done

        """, keys: keys)
    try project.workspace.write("{\"events\":[\(events)]}\n", to: "coach/answer")
    try project.workspace.replace("kind: reps", with: "kind: \(kind)", in: "detectors/knee.yaml")
    return project
  }

  @Test(arguments: sayings) func isShown(_ saying: Saying) throws {
    let outcome = try Self.project(saying.kind, saying.keys, saying.events)
      .run("replay", "anna_1", "--dataset", "squats", "--detector", "knee", "--allow-commands")
    #expect(outcome.code == 0, "\(outcome.error)")
    let lines = outcome.output.split(separator: "\n").map { $0.split(separator: " ").joined(separator: " ") }
    #expect(lines.contains("0.13 s " + saying.shown.split(separator: " ").joined(separator: " ")), "\(outcome.output)")
  }

  @Test(arguments: [
    (
      "form", ["criterion: form"], #"{"type":"grade","criterion":"depth","value":1,"start":0,"end":0.1}"#,
      "one of the criterion"
    ),
    ("form", ["criterion: form"], #"{"type":"grade","criterion":"form","start":0,"end":0.1}"#, "the value of a grade"),
    ("form", ["faults: [shallow]"], #"{"type":"fault","fault":"shalow","start":0,"end":0.1}"#, "did you mean shallow?"),
    ("form", ["faults: [shallow]"], #"{"type":"fault","fault":"shallow","start":0}"#, "the end of a fault"),
    ("form", [], #"{"type":"cue","text":"Lower"}"#, "speaks: on"),
    ("posture", ["labels: [plank]"], #"{"type":"phase","phase":"squat"}"#, "one of the labels"),
    (
      "swing", ["labels: [serve]"], #"{"type":"stroke","start":0,"contact":0.12,"end":0.1}"#,
      "start, contact and end in order"
    ),
    ("reps", [], #"{"type":"rep","start":0.1,"end":0.1}"#, "start < end with turn between them"),
    ("reps", [], #"{"type":"rep","start":0,"end":0.1,"turn":0.12}"#, "start < end with turn between them"),
    ("reps", [], #"{"type":"repp","start":0,"end":0.1}"#, "did you mean rep?"),
    ("reps", [], #"{"start":0,"end":0.1}"#, "an event whose type is one of rep, phase"),
    ("reps", [], #"{"type":"rep","start":0,"end":1e300}"#, "a time in seconds"),
    ("reps", [], #"{"type":"rep","begin":0,"end":0.1}"#, "\"begin\""),
  ])
  func whatCannotBeIsRefused(kind: String, keys: [String], events: String, message: String) throws {
    try Self.project(kind, keys, events).run(
      "replay", "anna_1", "--dataset", "squats", "--detector", "knee", "--allow-commands"
    ).expectFailure(
      1, saying: ["detectors/knee.yaml: clip squats/anna_1: expected", "answer to frame 4 (0.133333 s)", message])
  }

  /// A confidence is part of the answer to the end, of a detector whose file says that it tells one.
  @Test func aConfidenceIsSaidAtTheEnd() throws {
    func replay(_ pattern: String, keys: [String]) throws -> Outcome {
      let program = """
        while read -r line; do case $line in
        *'"start"'*) ;;
        \(pattern)) echo '{"confidence":0.25}' ;;
        *) echo '{}' ;;
        esac; done

        """
      return try CommandProject(program: program, keys: keys)
        .run("replay", "anna_1", "--dataset", "squats", "--detector", "knee", "--allow-commands")
    }
    let outcome = try replay("*'\"end\"'*", keys: ["confidence: on"])
    #expect(outcome.code == 0, "\(outcome.error)")
    #expect(outcome.output.contains("confidence 0.25"), "\(outcome.output)")
    try replay("*'\"end\"'*", keys: []).expectFailure(1, saying: ["confidence: on in detectors/knee.yaml"])
    try replay("*'\"frame\":4,'*", keys: ["confidence: on"])
      .expectFailure(1, saying: ["answer to frame 4", "one in the answer to a frame"])
  }

  /// What a program says after the last frame counts as said on it: anna's recording has 280 frames, 30 + 60, 30 + 40,
  /// 30 + 60 and 30, and the last is 279 / 30 s after the first.
  @Test func eventsMayComeWithTheEnd() throws {
    let program = """
      while read -r line; do case $line in
      *'"start"'*) ;;
      *'"end"'*) echo '{"events":[{"type":"rep","start":0,"end":9.3}]}' ;;
      *) echo '{}' ;;
      esac; done

      """
    let outcome = try CommandProject(program: program)
      .run("replay", "anna_1", "--dataset", "squats", "--detector", "knee", "--json", "--allow-commands")
    #expect(outcome.code == 0, "\(outcome.error)")
    let reps = try JSONDecoder().decode(ReplayedReps.self, from: Data(outcome.output.utf8)).reps.predicted
    #expect(reps.map(\.end) == [9.3] && reps.map(\.reported) == [9.3])
  }

  private struct ReplayedReps: Decodable {
    struct Reps: Decodable {
      struct Rep: Decodable {
        var end: Double
        var reported: Double
      }
      var predicted: [Rep]
    }
    var reps: Reps
  }

  /// A program may leave out the signals and the time of a frame. Other frames keep theirs, and a cost that is not that of
  /// all frames is none.
  @Test func aFrameMayHaveNoSignals() throws {
    let program = """
      while read -r line; do case $line in
      *'"start"'*) ;;
      *'"end"'*|*'"frame":2,'*) echo '{}' ;;
      *'"frame":0,'*) echo '{"signals":[10],"nanoseconds":1500}' ;;
      *) echo '{"signals":[20],"nanoseconds":1500}' ;;
      esac; done

      """
    let project = try CommandProject(program: program)
    try project.run("run", "--suite", "squat", "--allow-commands").expectSuccess()
    #expect(try project.workspace.results().measured["knee"] == nil)
    let page = try project.run("replay", "anna_1", "--suite", "squat", "--html", "anna.html")
    #expect(page.code == 0, "\(page.error)")
    // The page plays every second frame: 0, 2, 4 and 6 come first.
    let html = try project.workspace.text("anna.html")
    #expect(html.contains(#""name":"knee angle","unit":"degrees","values":[10,null,20,20,"#))
  }

  /// A scorer of form whose reps are a count as well, and a counter whose reps are none.
  @Test func aFileSaysWhetherRepsCount() throws {
    let still = SquatClip(name: "anna_1", subject: "anna", squats: [])
    let counting = try CommandProject(
      program: CommandProject.silent, keys: ["criterion: form", "counts: on"], clips: [still])
    try counting.workspace.replace("kind: reps", with: "kind: form", in: "detectors/knee.yaml")
    let outcome = try counting.run("run", "--suite", "squat", "--allow-commands")
    outcome.expectSuccess()
    #expect(outcome.output.hasPrefix("Counts right on 1 of 1 clip.\n"))
    // Nobody moves, and the program says nothing.
    #expect(try counting.workspace.results().metric("knee", "count.exact")?.value == 1)
    let silent = try CommandProject(program: CommandProject.silent, keys: ["criterion: form", "counts: off"])
    try silent.run("run", "--suite", "squat", "--allow-commands").expectFailure(1, saying: ["\"count.exact\""])
  }

  /// With `spots: on` the metrics for a full score come with those of the kind.
  @Test(arguments: [("on", true), ("off", false)]) func aFileAsksForAFullScore(spots: String, isFull: Bool) throws {
    let project = try CommandProject(
      program: CommandProject.silent, keys: ["criterion: form", "spots: \(spots)"], clips: [SquatClip.three[0]])
    try project.workspace.replace("kind: reps", with: "kind: form", in: "detectors/knee.yaml")
    try project.workspace.replace("metric: count.exact", with: "metric: grades.bias", in: "datasets/suites/squat.yaml")
    let outcome = try project.run("run", "--suite", "squat", "--allow-commands")
    if isFull { outcome.expectSuccess() } else { outcome.expectFailure(1, saying: ["\"grades.bias\""]) }
  }

  /// Grades are scored beside the raters' 90 and 80.
  @Test(.needsPython) func gradesAreScored() throws {
    let program = CommandProject.counter.replacing(
      "[{\"type\": \"rep\", \"start\": down, \"end\": message[\"time\"]}]",
      with:
        "[{\"type\": \"grade\", \"criterion\": \"form\", \"value\": 79, \"start\": down, \"end\": message[\"time\"]}]")
    let project = try CommandProject(
      program: program, command: "[python3, coach/knee]", keys: ["criterion: form"])
    try project.workspace.replace("kind: reps", with: "kind: form", in: "detectors/knee.yaml")
    try project.workspace.replace("metric: count.exact", with: "metric: grades.mae", in: "datasets/suites/squat.yaml")
    try project.run("run", "--suite", "squat", "--allow-commands").expectSuccess()
    let metric = try project.workspace.results().metrics.first { $0.metric == "grades.mae" }
    // The raters' mean is 85.
    #expect(metric?.value == 6)
  }
}
