import Testing

/// A suite's word on what an update may cost: ratios gate, nanoseconds and percentiles never do.
@Suite struct CostGateTests {
  private static let line = "\nmetrics:\n"

  private func accepted(_ metric: String) throws -> Workspace {
    try Workspace.shared("accepted with \(metric)") {
      let workspace = try Workspace.withSquats(SquatClip.twelve)
      try workspace.replace(Self.line, with: Self.line + metric + "\n", in: "datasets/suites/squat.yaml")
      try workspace.run("baseline", "accept", "--suite", "squat").expectSuccess()
      return workspace
    }
  }

  /// A thousand times as long is no detector's change, whatever else the machine does.
  @Test func aRatioGates() throws {
    let workspace = try accepted("- { detector: squat-states, metric: cost.ratio, margin: 1000 }")
    #expect(try workspace.text("baselines/squat.json").contains("\"costs\""))
    let same = try workspace.run("gate", "--suite", "squat")
    same.expectSuccess()
    #expect(same.output.contains(#/\npass +update cost \(cost\.ratio of squat-states\) 1\.000 → /#))
    // With other parameters it is measured in turns with the baseline's.
    let other = try workspace.run(
      "gate", "--suite", "squat", "--set", "reps.squat-states.bottomAngle=89", "--json")
    #expect(other.output.contains("with the baseline's parameters, measured in turns"))
  }

  /// Costs are no value that a baseline must repeat, but one that is far too high would let a slower update pass later.
  @Test(.enabled(if: GitProject.isThere, "no git on the PATH")) func anInflatedCostIsAFinding() throws {
    let workspace = try accepted("- { detector: squat-states, metric: cost.ratio, margin: 1000 }")
    let project = try GitProject(in: workspace)
    try workspace.edit("baselines/squat.json") { baseline in
      baseline["costs"] = ["squat-states": ["byClip": [Double](repeating: 1e9, count: 12)]]
    }
    let outcome = try project.gate("--against", "main")
    #expect(
      outcome.text.contains(
        "finding The baseline's update cost of squat-states is more than 1000 times this run's: a "),
      "\(outcome.text)")
    try workspace.edit("baselines/squat.json") { $0["costMargins"] = ["squat-states": 2000] }
    let wider = try project.gate("--against", "main")
    #expect(wider.code == 5)
    #expect(wider.text.contains("missing the baseline has other margins for update costs"), "\(wider.text)")
  }

  /// How many people a gate needs is no question of time: the ratio that gates is not measured for it.
  @Test func powerNeedsNoCosts() throws {
    let workspace = try accepted("- { detector: squat-states, metric: cost.ratio, margin: 1000 }")
    try workspace.run(
      "power", "--suite", "squat", "--metric", "grades.mae", "--set", "form.squat-posture.shallowKneeAngle=150"
    ).expectFailure(5, saying: ["expected gains that differ between people, found 12 people"])
  }

  @Test func acceptingKeepsWhatWasMeasuredWhereNothingChanged() throws {
    let workspace = try BaselineTests.accepted(SquatClip.twelve)
    #expect(!(try workspace.text("baselines/squat.json")).contains("\"costs\""))
    // A suite that now asks for a ratio has none to be held against until one is accepted.
    try workspace.replace(
      Self.line, with: Self.line + "- { detector: squat-states, metric: cost.ratio, margin: 1.2 }\n",
      in: "datasets/suites/squat.yaml")
    let outcome = try workspace.run("gate", "--suite", "squat")
    #expect(outcome.code == 5)
    #expect(outcome.error == "")
    #expect(
      outcome.output.replacing(#/\n +/#, with: " ").hasPrefix(
        "verdict  MISSING: baseline of suite squat: expected cost.ratio of squat-states, found none. "
          + "Accept a new baseline with: bench baseline accept --suite squat\n"))
  }

  /// Wilks: p99 needs 662 samples.
  @Test(arguments: ["cost.p99", "latency.report.p99"])
  func aPercentileOfTooFewSamplesIsRefused(_ metric: String) throws {
    let workspace = try Workspace.withSquats()
    try workspace.replace(
      Self.line, with: Self.line + "- { detector: squat-states, metric: \(metric) }\n",
      in: "datasets/suites/squat.yaml")
    try workspace.run("run", "--suite", "squat").expectFailure(
      5, saying: ["metric \(metric) of squat-states: expected at least 662 "])
  }

  @Test(
    arguments: [
      ("cost.p50, margin: 10", "expected none: cost.p50 is shown and does not gate, cost.ratio does"),
      ("cost.ratio, margin: 0.9", "expected a ratio of 1 or more, such as 1.2 for up to 20 % slower"),
      ("cost.ratio, floor: 1", "floor"),
    ])
  func whatCannotGateIsRefused(_ metric: String, _ message: String) throws {
    let workspace = try Workspace.withSquats()
    try workspace.replace(
      Self.line, with: Self.line + "- { detector: squat-states, metric: \(metric) }\n",
      in: "datasets/suites/squat.yaml")
    try workspace.run("run", "--suite", "squat").expectFailure(1, saying: ["datasets/suites/squat.yaml", message])
  }
}
