import Foundation
import Testing

/// What a gate writes for CI systems, also where it could not run.
@Suite struct GateOutputTests {
  private func gate(_ workspace: Workspace, _ more: String...) throws -> Outcome {
    try workspace.run(
      [
        "gate", "--suite", "squat", "--junit", "out/j.xml", "--bencher", "out/b.json", "--github-benchmark",
        "out/g.json",
      ]
        + more, environment: ["GITHUB_ACTIONS": "true", "GITHUB_STEP_SUMMARY": workspace.path("summary.md")])
  }

  @Test func whatIsMissingIsWrittenAndEndsWithFive() throws {
    let workspace = try BaselineTests.accepted()
    try workspace.remove(BaselineTests.file)
    let outcome = try gate(workspace)
    #expect(outcome.code == 5)
    #expect(outcome.error.hasPrefix("::error title=MISSING%3A gate squat::baseline of suite squat: expected "))
    #expect(try workspace.text("out/j.xml").contains("errors=\"1\""))
    #expect(try workspace.text("out/b.json").hasPrefix("{\n  \"error\" : \"baseline of suite squat"))
    #expect(try workspace.text("out/g.json").hasPrefix("{\n  \"error\" : \"baseline of suite squat"))
    #expect(try workspace.text("summary.md").hasPrefix("### bench gate squat: MISSING: "))
  }

  @Test func aRegressionIsAFailureAndTheSummaryIsAddedTo() throws {
    let workspace = try BaselineTests.accepted(SquatClip.twelve)
    try workspace.write("before\n", to: "summary.md")
    let outcome = try gate(workspace, "--set", "reps.squat-states.bottomAngle=75")
    #expect(outcome.code == 2)
    #expect(outcome.error.hasPrefix("::error title=REGRESSION%3A count.exact of squat-states::"))
    #expect(try workspace.text("out/j.xml").contains("type=\"regression\""))
    #expect(try workspace.text("summary.md").hasPrefix("before\n### bench gate squat: REGRESSION: "))
    // Every count was exact and none is: a shortfall of 1.
    let entries = try JSONSerialization.jsonObject(with: workspace.bytes("out/g.json")) as? [[String: Any]]
    let exact = entries?.first { $0["name"] as? String == "1 − squat-states count.exact" }
    #expect(exact?["value"] as? Double == 1)
  }

  @Test func aFloorHoldsWhateverTheBaselineWas() throws {
    let workspace = try BaselineTests.accepted()
    let file = "datasets/suites/squat.yaml"
    try workspace.replace("metric: count.mae, margin: 0.2", with: "metric: count.mae, margin: 0.2, floor: -1", in: file)
    let outcome = try workspace.run("gate", "--suite", "squat")
    #expect(outcome.code == 2)
    #expect(outcome.output.contains("count error of squat-states is 0.000 reps, worse than its floor of −1.000 reps"))
    try workspace.replace("floor: -1", with: "flor: -1", in: file)
    let wrong = try gate(workspace, "--json")
    #expect(wrong.code == 1)
    let json = try JSONText(wrong.output)
    #expect(json["verdict"] as? String == "error" && json["exitCode"] as? Int == 1)
    #expect((json["reason"] as? String)?.contains("datasets/suites/squat.yaml:") == true)
    #expect((json["missing"] as? [String])?.isEmpty == true && (json["metrics"] as? [Any])?.isEmpty == true)
    #expect(try workspace.text("out/j.xml").contains("type=\"error\""))
  }
}
