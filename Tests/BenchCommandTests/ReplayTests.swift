import Foundation
import Testing

/// One clip through one detector.
@Suite struct ReplayTests {
  /// anna stands for a second, goes below 155° 6 frames later, below 90° with frame 27, above 95° 5 frames after the
  /// turn at frame 30, and above 160° with frame 57. Her second squat turns at 110.5° and counts nothing.
  @Test func eventsComeInOrder() throws {
    let workspace = try Workspace.withSquats()
    let outcome = try workspace.run("replay", "anna_1")
    outcome.expectSuccess()
    let lines = outcome.output.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
    #expect(lines.first == "squats/anna_1: SYNTHETIC, squat, 280 frames at 30 fps, true count 2")
    let events = lines.dropFirst().map { $0.split(separator: " ").joined(separator: " ") }
    #expect(
      events == [
        "1.20 s phase descending", "1.90 s phase bottom", "2.17 s phase ascending",
        "2.90 s rep from 1.20 to 2.90 s", "2.90 s phase standing",
        // Half a squat from 4 s on: 155° after 6 of its 40 frames, 160° after 37.
        "4.20 s phase descending", "5.23 s phase standing",
        // From 6.33 s on.
        "6.53 s phase descending", "7.23 s phase bottom", "7.50 s phase ascending",
        "8.23 s rep from 6.53 to 8.23 s", "8.23 s phase standing",
      ])
  }

  @Test func aParameterMayBeSet() throws {
    let workspace = try Workspace.withSquats()
    let outcome = try workspace.run("replay", "squats/anna_1", "--set", "reps.squat-states.bottomAngle=120")
    outcome.expectSuccess()
    // The half squat to 110.5° is one now.
    #expect(outcome.output.matches(of: #/ rep +from /#).count == 3)
    try workspace.run("replay", "anna_1", "--set", "form.squat-posture.goodScore=50").expectFailure(
      64, saying: ["expected one of the detectors reps.squat-states"])
  }

  @Test func aFormScorerGradesAndSpeaks() throws {
    let workspace = try Workspace.withSquats()
    let outcome = try workspace.run("replay", "anna_1", "--detector", "squat-posture")
    outcome.expectSuccess()
    #expect(outcome.output.contains("form 100.0 for the rep from 1.20 to 2.90 s"))
    #expect(outcome.output.contains("shallow in the rep from 4.20 to 5.23 s"))
    #expect(outcome.output.contains("cue"))
  }

  @Test func eventsAreJSONWhereAsked() throws {
    let workspace = try Workspace.withSquats()
    let outcome = try workspace.run("replay", "anna_1", "--detector", "squat-posture", "--json")
    outcome.expectSuccess()
    let object = try JSONSerialization.jsonObject(with: Data(outcome.output.utf8))
    let record = try #require(object as? [String: Any])
    #expect(record["clip"] as? String == "anna_1")
    #expect(record["isSynthetic"] as? Bool == true)
    let events = try #require(record["events"] as? [[String: Any]])
    let grade = try #require(events.first { $0["kind"] as? String == "grade" })
    #expect(grade["name"] as? String == "form")
    #expect(grade["value"] as? Double == 100)
    #expect(grade["start"] as? Double == 1.2)
    #expect(grade["end"] as? Double == 2.9)
    let kinds = Set(events.compactMap { $0["kind"] as? String })
    #expect(kinds == ["grade", "fault", "cue"])
  }

  @Test func aChartIsDrawnWhereAsked() throws {
    let workspace = try Workspace.withSquats()
    let usual = try workspace.run("replay", "anna_1", "--chart")
    usual.expectSuccess()
    #expect(usual.output.hasSuffix("drew anna_1-squat-states.png\n"))
    #expect(try workspace.bytes("anna_1-squat-states.png").starts(with: PNGSignature.bytes))
    let other = try workspace.run("replay", "anna_1", "--chart", "--output", "charts/anna.png")
    other.expectSuccess()
    #expect(try workspace.bytes("charts/anna.png") == workspace.bytes("anna_1-squat-states.png"))
    try workspace.run("replay", "anna_1", "--chart", "--output", "folder").expectSuccess()
    #expect(workspace.exists("folder/anna_1-squat-states.png"))
    for part in ["Clip\0squats/anna_1", "Detector\0reps.squat-states", "Content\0squats sha256:"] {
      #expect(try workspace.holds(part, in: "charts/anna.png"), "\(part)")
    }
    try workspace.run("replay", "anna_1", "--output", "nothing.png").expectFailure(
      64, saying: ["--output takes --chart, --frames or both"])
  }

  @Test func aClipThatIsNotThere() throws {
    let workspace = try Workspace.withSquats()
    try workspace.run("replay", "ana_1").expectFailure(
      5, "clip ana_1: expected a clip of squats, found none called \"ana_1\", did you mean anna_1?")
    try workspace.run("replay", "squat/anna_1").expectFailure(5, saying: ["dataset squat: expected "])
    try workspace.run("replay", "anna").expectFailure(
      5, "clip anna: expected a clip of squats, found none called \"anna\"; there are anna_1")
  }

  @Test func aClipOfTwoDatasets() throws {
    let workspace = try Workspace.withSquats()
    try workspace.add(SquatClip.dataset("others", [SquatClip.three[0]]))
    try workspace.run("replay", "anna_1").expectFailure(
      64, "anna_1 is in several datasets: write others/anna_1 or squats/anna_1")
    try workspace.run("replay", "others/anna_1").expectSuccess()
  }

  @Test func recipesOfOtherExercisesAreLeftUnmadeUntilNoneElseHoldsTheClip() throws {
    let workspace = try Workspace.withSquats()
    let recipe = "exercise: push-up\nseed: 4\nsubjects: 1\nclips_per_subject: 1\n"
    try workspace.write(recipe, to: "datasets/pushes/recipe.yaml")
    func made() throws -> Set<String> { Set(try workspace.store().datasets().map(\.manifest.name)) }
    try workspace.run("replay", "anna_1").expectSuccess()
    #expect(try made() == ["squats"])
    try workspace.run("replay", "s01_side_1").expectSuccess()
    #expect(try made() == ["squats", "pushes"])
  }

  @Test func aClipWithoutPoses() throws {
    let workspace = try Workspace.withSquats()
    try workspace.replace(",poses/cleo_1.npy,", with: ",,", in: "datasets/squats/clips.csv")
    try workspace.run("replay", "cleo_1").expectFailure(5, "clip cleo_1: expected poses, found labels only")
  }
}
