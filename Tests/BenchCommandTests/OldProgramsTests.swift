import Foundation
import Testing

/// A change is judged by its own program and predictions, not by those of before.
@Suite(.enabled(if: GitProject.isThere, "no git on the PATH")) struct OldProgramsTests {
  /// A project whose predictions are in git.
  private static func predicted(files: String) throws -> GitProject {
    GitProject(
      of: try Workspace.shared("git with predictions \(files)") {
        let workspace = try Workspace.withSquats {
          $0.detectors = ["- name: our-app"]
          $0.metrics = [("our-app", "count.exact", 0.05)]
        }
        let detector = "detector: our-app\npredictions: file\nkind: reps\nexercise: squat\n\(files)"
        try workspace.write(detector, to: "detectors/our-app.yaml")
        try workspace.write("clip,count\nanna_1,2\nbert_1,3\ncleo_1,1\n", to: "predictions.csv")
        try workspace.write("print(1)\n", to: "coach/main.py")
        try workspace.run("baseline", "accept", "--suite", "squat", "--predictions", "predictions.csv").expectSuccess()
        let project = try GitProject(in: workspace)
        try project.git("add", "-A", "predictions.csv", "coach", "detectors")
        try project.git("commit", "-q", "-m", "app")
        try project.git("branch", "-f", "main")
        return project.workspace
      })
  }

  private static func gate(_ project: GitProject) throws -> Outcome {
    try project.workspace.run(
      "gate", "--suite", "squat", "--predictions", "predictions.csv", "--against", "main")
  }

  @Test func oldPredictionsOfKnownFilesAreNoPass() throws {
    let project = try Self.predicted(files: "files: [coach/]\n")
    try project.workspace.write("# A note.\n", to: "README.md")
    try Self.gate(project).expectSuccess()
    try project.workspace.write("print(2)\n", to: "coach/main.py")
    let outcome = try Self.gate(project)
    #expect(outcome.code == 5)
    #expect(
      outcome.text.contains(
        #/MISSING: the predictions of our-app are older than its program: predictions\.csv is as at main \(.{7}\), but coach/main\.py changed\./#
      ))
    // Predictions that were made anew, though equal in effect.
    try project.workspace.write("clip,count\nbert_1,3\nanna_1,2\ncleo_1,1\n", to: "predictions.csv")
    let same = try Self.gate(project)
    same.expectSuccess()
    #expect(
      same.text.contains(
        #/finding predictions\.csv predicts the same on every clip as at main \(.{7}\), but coach/main\.py changed: see/#
      ),
      "\(same.text)")
  }

  @Test func newPredictionsOfAnOldProgramAreAFinding() throws {
    let project = try Self.predicted(files: "files: [coach/]\n")
    try project.workspace.write("clip,count\nanna_1,1\nbert_1,3\ncleo_1,1\n", to: "predictions.csv")
    let words = "predictions.csv predicts otherwise, but none of the files of our-app changed: the same program"
    #expect(try Self.gate(project).text.contains("finding \(words)"))
    try project.workspace.write("print(2)\n", to: "coach/main.py")
    #expect(try !Self.gate(project).text.contains(words))
  }

  /// A shorter list of files makes no old predictions new.
  @Test func filesThatAreListedNoLongerAreAFinding() throws {
    let project = try Self.predicted(files: "files: [coach/, datasets/]\n")
    try project.workspace.write("print(2)\n", to: "coach/main.py")
    try project.workspace.replace("[coach/, datasets/]", with: "[datasets/]", in: "detectors/our-app.yaml")
    let outcome = try Self.gate(project)
    outcome.expectSuccess()
    #expect(
      outcome.text.contains(
        #/finding predictions\.csv is as at main \(.{7}\), but coach/main\.py changed, of the files: of our-app there/#
      ),
      "\(outcome.text)")
  }

  /// Nor does another name.
  @Test func oldPredictionsUnderAnotherNameAreNoPass() throws {
    let project = try Self.predicted(files: "files: [coach/]\n")
    try project.git("mv", "predictions.csv", "new.csv")
    func gate() throws -> Outcome {
      try project.workspace.run("gate", "--suite", "squat", "--predictions", "new.csv", "--against", "main")
    }
    try gate().expectSuccess()
    try project.workspace.write("print(2)\n", to: "coach/main.py")
    let outcome = try gate()
    #expect(outcome.code == 5)
    #expect(
      outcome.text.contains(
        #/: new\.csv, formerly predictions\.csv, is as at main \(.{7}\), but coach/main\.py changed/#),
      "\(outcome.text)")
    // A file that git does not know may have been made just now.
    try project.git("rm", "-q", "--cached", "new.csv")
    try gate().expectSuccess()
  }

  @Test func oldPredictionsOfUnknownFilesAreAFinding() throws {
    let project = try Self.predicted(files: "")
    try project.workspace.write("print(2)\n", to: "coach/main.py")
    let outcome = try Self.gate(project)
    outcome.expectSuccess()
    #expect(
      outcome.text.contains(
        #/finding predictions\.csv is as at main \(.{7}\), but coach/main\.py changed\. If it is part of the coach, its predictions are old/#
      ))
  }

  @Test func oldTalliesAreAFinding() throws {
    let project = try GitProject()
    let workspace = project.workspace
    try workspace.run("tally", "--suite", "squat", "--shard", "1/1", "--to", "tallies.jsonl").expectSuccess()
    try workspace.write("print(1)\n", to: "coach.py")
    try project.git("add", "tallies.jsonl", "coach.py")
    try project.git("commit", "-q", "-m", "tallies")
    try project.git("branch", "-f", "main")
    try workspace.write("print(2)\n", to: "coach.py")
    let outcome = try project.gate("--tallies", "tallies.jsonl", "--against", "main")
    outcome.expectSuccess()
    #expect(
      outcome.text.contains(
        #/finding tallies\.jsonl is as at main \(.{7}\), but coach\.py changed\. If it is part of a/#),
      "\(outcome.text)")
  }

  @Test(.needsPython) func anOldBuildIsNoPass() throws {
    let project = try CommandProject(
      program: CommandProject.counter, command: "[python3, build/knee]")
    let workspace = project.workspace
    try workspace.write(CommandProject.counter, to: "build/knee")
    try project.run("baseline", "accept", "--suite", "squat", "--allow-commands").expectSuccess()
    let git = try GitProject(in: workspace)
    try git.git("add", "-A", "build", "coach", "detectors")
    try git.git("commit", "-q", "-m", "app")
    try git.git("branch", "-f", "main")
    try workspace.write(CommandProject.silent, to: "coach/knee")
    let outcome = try project.run("gate", "--suite", "squat", "--against", "main")
    #expect(outcome.code == 5)
    #expect(
      outcome.text.contains(
        #/the program of knee is older than its files: build/knee is as at main \(.{7}\), but coach/knee changed/#))
    // A build that git does not know is as old as its time says.
    try git.git("rm", "-q", "--cached", "build/knee")
    try git.git("commit", "-q", "-m", "no builds")
    try git.git("branch", "-f", "main")
    let other = try project.run("gate", "--suite", "squat", "--against", "main")
    #expect(other.text.contains("finding coach/knee is newer than build/knee, the program of knee: build it again"))
    // A program that the change itself adds may be a copy of the earlier one.
    try git.git("add", "build/knee")
    let copied = try project.run("gate", "--suite", "squat", "--against", "main")
    #expect(
      copied.text.contains("finding build/knee, the program of knee, is new and none of its files, and coach/knee"))
  }
}
