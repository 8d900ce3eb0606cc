import Coaching
import Datasets
import Evaluation
import Files
import Foundation
import Testing

/// What a wrong file of an exercise is told, with its line and key.
@Suite struct ExerciseFileTests {
  static let lines = [
    "exercise: calf-raise", "summary: Counts calf raises.", "source: a coach", "joints: [heel, toe]", "signals:",
    "  heel: { height: heel, above: toe, per: [ankle, toe] }", "  knee: { angle: [hip, knee, ankle], side: minimum }",
    "count:", "  signal: heel", "  start: 0.1", "  turn: { value: 0.4, name: top, range: [0.2, 2] }", "faults:",
    "- fault: bent_knees", "  message: Straighten your legs", "  severity: normal", "  when:",
    "  - { signal: knee, statistic: minimum, below: 150 }",
  ]

  private func read(_ lines: [String]) throws -> ExerciseDefinition {
    try ExerciseDefinition(yaml: InputFile(name: "calf-raise.yaml", bytes: Data(lines.joined(separator: "\n").utf8)))
  }

  @Test func aRightFile() throws {
    let exercise = try read(Self.lines)
    let definition = exercise.definition
    #expect(definition.profile.path == "reps.exercise-calf-raise")
    #expect(definition.profile.tasks.faults == ["bent_knees"])
    #expect(definition.profile.tasks.criterion == "form")
    #expect(
      definition.parameters.map(\.name) == [
        "start", "top", "hysteresis", "cooldown", "minimumDuration", "finish", "bentKnees", "bentKneesDeduction",
        "speechCooldown", "minimumConfidence", "usesDepth",
      ])
    let top = try #require(definition.parameters.first { $0.name == "top" })
    #expect(top.defaultValue == 0.4 && top.range == 0.2...2 && top.source == "a coach" && top.unit == .ratio)
    let hysteresis = try #require(definition.parameters.first { $0.name == "hysteresis" })
    #expect(abs(hysteresis.defaultValue - 0.03) < 1e-12)
  }

  /// Line by line, what is put there and what is said of it.
  @Test(arguments: [
    (1, "exercise: Calf Raise", ":1: expected lowercase letters and digits with hyphens between them for exercise"),
    (
      4, "joints: [heal, toe]",
      ":4: expected a joint such as knee, left_knee or nose for joints, found \"heal\", did you mean heel"
    ),
    (4, "joint: [heel, toe]", ":4: expected only the keys exercise, summary, source, joints,"),
    (6, "  heel: { height: heel, abov: toe }", ":6: expected key signals.heel.above, found no such key"),
    (6, "  heel: { height: heel, above: toe, sid: left }", ":6: expected only the keys signals.heel.height"),
    (6, "  heel: { hight: heel, above: toe }", ":6: expected only the keys signals.heel.angle"),
    (6, "  heel: { height: nose, above: neck, side: left }", ":6: expected no side, as each of its joints"),
    (
      6, "  heel: { height: heel, above: toe, reference: shortest }",
      ":6: expected current or longest for signals.heel.reference, found \"shortest\""
    ),
    (7, "  knee: { angle: [hip, knee, ankle], reference: longest }", ":7: expected only the keys signals.knee.angle"),
    (10, "  start: 0.1\n  average: 2", ":11: expected 0 to 0.25 seconds for count.average, found \"2\""),
    (7, "  knee: { angle: [hip, knee] }", ":7: expected 3 joints for signals.knee.angle, found 2"),
    (7, "  knee: { angle: [hip, knee, ankle], side: minimal }", ":7: expected left or right or mean"),
    (9, "  signal: heels", ":9: expected one of heel, knee for count.signal, found \"heels\", did you mean heel?"),
    (10, "  start: low", ":10: expected a number for count.start, found \"low\""),
    (10, "  start: 40", ":10: expected -10 to 10 ratio for count.start, found \"40\""),
    (10, "  start: 0.4", ":11: expected another value than the start's for count.turn"),
    (11, "  turn: { value: 0.1, range: [0.2, 2] }", ":11: expected 0.2 to 2 ratio for count.turn.value, found \"0.1\""),
    (
      11, "  turn: { value: 0.4, name: start }",
      ":11: expected a name that no other number in the file uses for count.turn.name, found start again"
    ),
    (
      11, "  turn: { value: 0.4, range: [2, 1] }", ":11: expected the lowest and the highest value for count.turn.range"
    ),
    (11, "  turns: 0.4", ":11: expected only the keys count.signal"),
    (13, "- fault: Bent knees", ":13: expected lowercase letters, digits and underscores for faults[1].fault"),
    (15, "  severity: bad", ":15: expected low or normal or high for faults[1].severity, found \"bad\""),
    (17, "  - { signal: knee, statistic: least, below: 150 }", ":17: expected minimum or maximum or mean"),
    (17, "  - { signal: knee, statistic: minimum }", ":17: expected either above or below"),
    (
      17, "  - { signal: knee, statistic: minimum, phase: top, below: 150 }",
      ":17: expected one of start, away, turn, back"
    ),
    (17, "  - { signal: knee, statistic: minimum, below: 190 }", ":17: expected 0 to 180 degrees"),
  ])
  func aWrongLine(_ line: Int, _ text: String, _ message: String) throws {
    var lines = Self.lines
    lines[line - 1] = text
    let error = #expect(throws: DataError.self) { try read(lines) }
    let said = error?.description ?? ""
    #expect(said.hasPrefix("calf-raise.yaml" + message), "\(said)")
  }

  @Test func neitherRepsNorAHold() throws {
    let error = #expect(throws: DataError.self) { try read(Array(Self.lines[..<7])) }
    #expect(
      error?.description
        == "calf-raise.yaml:1: expected reps under count, or a posture under hold for count, found no such key")
  }

  @Test func numbersThatDoNotGoTogether() throws {
    var lines = Self.lines
    lines.insert("  hysteresis: 0.2", at: 10)
    let error = #expect(throws: DataError.self) { try read(lines) }
    #expect(error?.line == 9)
    #expect(error?.description.contains("start + hysteresis (0.30000000000000004) must be less than top") == true)
  }

  /// A hold has no statistics: its conditions look at each frame.
  @Test func aStatisticInAHold() throws {
    var lines = Array(Self.lines[..<7])
    lines += ["hold:", "  while:", "  - { signal: knee, above: 150, statistic: mean }"]
    let error = #expect(throws: DataError.self) { try read(lines) }
    #expect(error?.description.hasPrefix("calf-raise.yaml:10: expected only the keys hold.while[1].signal") == true)
  }
}
