import Foundation
import Testing

/// A gating detector that a change renames or replaces, beside the branch that it began at.
@Suite(.enabled(if: GitProject.isThere, "no git on the PATH")) struct ReplacedDetectorTests {
  /// The base's suite is read with the detectors of its commit. Under another name a detector is judged as the former one.
  @Test func aDetectorOfTheAppThatIsRenamed() throws {
    let workspace = try Workspace.withSquats(SquatClip.twelve) {
      $0.detectors = ["- name: our-app"]
      $0.metrics = [("our-app", "count.exact", 0.05)]
    }
    func predict(missing: Int = 0) throws {
      let rows = SquatClip.twelve.map { "\($0.name),\($0.squats.count - missing)\n" }
      try workspace.write("clip,count\n" + rows.joined(), to: "p.csv")
      try workspace.run("baseline", "accept", "--suite", "squat", "--predictions", "p.csv").expectSuccess()
    }
    func declare(_ name: String) throws {
      let text = "detector: \(name)\npredictions: file\nkind: reps\nexercise: squat\n"
      try workspace.write(text, to: "detectors/\(name).yaml")
    }
    try declare("our-app")
    try predict()
    let project = try GitProject(in: workspace)
    try project.git("add", "detectors")
    try project.git("commit", "-q", "-m", "detectors")
    try project.git("branch", "-f", "main")
    try workspace.remove("detectors/our-app.yaml")
    try workspace.write(
      workspace.text(GitProject.suite).replacing("our-app", with: "our-counter"), to: GitProject.suite)
    try declare("our-counter")
    try predict()
    let outcome = try project.gate("--predictions", "p.csv", "--against", "main", "--json")
    #expect(outcome.code == 5)
    let json = try JSONText(outcome.output)
    #expect(json["missing"] as? [String] == ["detector our-app is replaced by our-counter"])
    let findings = try #require(json["findings"] as? [String])
    #expect(
      findings.contains { $0.hasPrefix("our-counter is judged as the former our-app, on its values at main (") },
      "\(findings)")
    try project.gate("--predictions", "p.csv", "--against", "main", "--accept-suite-change").expectSuccess()
    try predict(missing: 1)
    let worse = try project.gate("--predictions", "p.csv", "--against", "main", "--accept-suite-change")
    #expect(worse.code == 2)
    #expect(worse.output.contains("REGRESSION: exact counts of our-counter are worse by 1.000"), "\(worse.output)")
  }

  /// A detector in code that the program no longer has under its name: its suite is read with the new one.
  @Test func aDetectorInCodeThatIsRenamed() throws {
    let project = try GitProject()
    func rename(_ old: String, _ new: String) throws {
      for file in [GitProject.suite, BaselineTests.file] {
        let text = try project.workspace.text(file)
        try project.workspace.write(text.replacing(old, with: new), to: file)
      }
    }
    try rename("squat-states", "our-states")
    try project.commit()
    try project.git("branch", "-f", "main")
    try rename("our-states", "squat-states")
    try project.set(bottomAngle: 75)
    try project.accept()
    for outcome in [
      try project.gate("--against", "main"), try project.gate("--against", "main", "--accept-suite-change"),
    ] {
      #expect(outcome.code == 2)
      let text = outcome.output.replacing(#/\n +/#, with: " ")
      #expect(text.contains("REGRESSION: exact counts of squat-states are worse by 1.000"), "\(text)")
      #expect(text.contains("squat-states is judged as the former our-states, on its values at main ("), "\(text)")
      #expect(text.contains("detector our-states is replaced by squat-states"), "\(text)")
    }
    // A reason accepts the loss of the new name.
    try project.accept("--because", GitProject.reason, "--against", "main")
    try project.gate("--against", "main", "--accept-suite-change").expectSuccess()
  }

  /// A program with a built-in detector's name is what the suite runs: the detector itself is gated by nothing.
  @Test func aDetectorInCodeThatAProgramReplaces() throws {
    let workspace = try Workspace.withSquats(SquatClip.twelve) {
      $0.detectors = ["- name: squat-states"]
      $0.metrics = [("squat-states", "count.exact", 0.05)]
    }
    try workspace.run("baseline", "accept", "--suite", "squat").expectSuccess()
    let project = try GitProject(in: workspace)
    try workspace.write(
      "detector: squat-states\npredictions: file\nkind: reps\nexercise: squat\n", to: "detectors/squat-states.yaml")
    let rows = SquatClip.twelve.map { "\($0.name),\($0.squats.count)\n" }
    try workspace.write("clip,count\n" + rows.joined(), to: "p.csv")
    let outcome = try project.gate("--predictions", "p.csv", "--against", "main")
    #expect(
      outcome.text.contains(
        #/finding squat-states is read from prediction files now and built-in at main \(.{7}\): another detector has its name/#
      ),
      "\(outcome.text)")
  }
}
