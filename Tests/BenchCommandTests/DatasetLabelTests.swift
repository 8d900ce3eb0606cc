import Foundation
import Testing

/// Labels from annotation tools, and cameras, as a person gives them on the command line.
@Suite struct DatasetLabelTests {
  /// A project with `mine` imported: three clips with reps.
  private func project() throws -> Workspace {
    try ImportTests.imported()
  }

  @Test func whatIsNotThereOrPackedIsSaid() throws {
    let workspace = try project()
    try workspace.run("dataset", "label", "mine", "--from", "elsewhere").expectFailure(
      5, "elsewhere: expected a file or folder of labels, found nothing there")
    try workspace.write(Data([0x50, 0x4B, 3, 4, 20]), to: "cvat/task.zip")
    for path in ["cvat", "cvat/task.zip"] {
      try workspace.run("dataset", "label", "mine", "--from", path).expectFailure(
        1, saying: ["cvat/task.zip: expected files as the tool wrote them, not packed, found a ZIP archive: unpack it"])
    }
  }

  @Test func labelsAreAddedAndSaid() throws {
    let workspace = try project()
    try workspace.write("1.5\t1.5\tcall\n2.0\t2.5\tdown\n", to: "audacity/anna_1.txt")
    let outcome = try workspace.run("dataset", "label", "mine", "--from", "audacity")
    outcome.expectSuccess()
    #expect(
      outcome.output.wholeMatch(
        of:
          #/labelled 1 clip of mine: 1 event, 1 interval, content sha256:[0-9a-f]{64}\nDetected format: audacity\nwarning: .*\n/#
      )
        != nil,
      "\(outcome.output)")
    try workspace.run("dataset", "check", "mine").expectSuccess()
    let out = try workspace.run("dataset", "export", "mine", "--to", "out")
    out.expectSuccess()
    #expect(try workspace.text("out/events.csv") == "clip,time_s,label\nanna_1,1.5,call\n")
  }

  @Test func numberedLabelsBecomeRepsOnRequest() throws {
    let workspace = try project()
    try workspace.write("1.0\t2.0\t1\n2.0\t3.0\t2\n", to: "cleo_1.txt")
    func label(_ options: String...) throws -> Outcome {
      try workspace.run(["dataset", "label", "mine", "--from", "cleo_1.txt"] + options)
    }
    let warned = try label()
    warned.expectSuccess()
    #expect(
      warned.output.hasSuffix("\nwarning: no label is a rep; 2 labels without a name; to make them reps: --as rep\n"))
    try label("--as", "reps").expectFailure(64, saying: ["--as"])
    let outcome = try label("--as", "rep", "--replace")
    outcome.expectSuccess()
    #expect(outcome.output.hasPrefix("labelled 1 clip of mine: 2 reps; 3 labels replaced, content "))
    try workspace.run("dataset", "export", "mine", "--to", "out").expectSuccess()
    let reps = try workspace.text("out/reps.csv").split(separator: "\n").filter { $0.hasPrefix("cleo_1,") }
    #expect(reps == ["cleo_1,1,1,2,", "cleo_1,2,2,3,"])
    #expect(!workspace.exists("out/intervals.csv"))
  }

  /// Time in which nobody does the exercise is labelled by itself; beside another interval a rep may be meant.
  @Test(arguments: [
    ("anna_1.txt", "0.0\t1.0\tnegative\n5.0\t6.0\tnegative-walking\n", false),
    ("intervals.csv", "clip,start_s,end_s,label\nanna_1,0,1,negative\n", false),
    ("anna_1.txt", "0.0\t1.0\tnegative\n5.0\t6.0\tdown\n", true),
    ("intervals.csv", "clip,start_s,end_s,label\nanna_1,0,1,negatively\n", true),
  ]) func negativesAloneAreNoMistake(_ file: String, _ labels: String, warns: Bool) throws {
    let workspace = try project()
    try workspace.write(labels, to: file)
    let outcome = try workspace.run("dataset", "label", "mine", "--from", file)
    outcome.expectSuccess()
    let warning = "warning: no label is a rep; to make intervals reps, call them rep or use --mapping"
    #expect(outcome.output.contains(warning) == warns, "\(outcome.output)")
  }

  @Test func labelsThatAreThereNeedAWord() throws {
    let workspace = try project()
    try workspace.write("1.0\t2.0\trep\n", to: "anna_1.txt")
    let before = try ProjectState(workspace)
    try workspace.run("dataset", "label", "mine", "--from", "anna_1.txt").expectRefusal(
      1, saying: "anna_1.txt:1: clip anna_1: expected a clip without reps, found 2; to replace them, add --replace")
    #expect(try ProjectState(workspace) == before)
  }

  @Test func anUnknownDatasetOrFormat() throws {
    let workspace = try project()
    try workspace.write("1.0\t2.0\trep\n", to: "anna_1.txt")
    try workspace.run("dataset", "label", "mime", "--from", "anna_1.txt").expectFailure(
      5, saying: ["none called \"mime\", did you mean mine?"])
    try workspace.run("dataset", "label", "mine", "elam", "--from", "anna_1.txt").expectFailure(
      1, saying: ["found \"elam\", did you mean elan?"])
  }

  /// A folder below `datasets/` holds its own labels.
  @Test func aFolderIsNotLabelledBehindItsBack() throws {
    let workspace = try Workspace.withSquats(after: [["run", "--suite", "squat"]])
    try workspace.write("1.0\t2.0\trep\n", to: "anna_1.txt")
    try workspace.run("dataset", "label", "squats", "--from", "anna_1.txt").expectFailure(
      64, saying: ["squats is read from", "first run: bench dataset sync squats"])
  }

  @Test func aCameraNeedsSpace() throws {
    let workspace = try Workspace()
    try workspace.add(SquatClip.dataset("mine", SquatClip.three), in: "incoming")
    try workspace.run("dataset", "import", "folder", "--from", "incoming/mine", "--camera", "side").expectFailure(
      1, saying: ["mine: expected a recording in 3D, with x, y and z in metres, for --camera"])
    try workspace.run("dataset", "import", "folder", "--from", "incoming/mine", "--camera", "up").expectFailure(
      64, saying: ["--camera"])
  }
}

extension Outcome {
  /// Expects an exit code with this error, whatever was said before it.
  fileprivate func expectRefusal(
    _ code: Int32, saying message: String, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    #expect(self.code == code, sourceLocation: sourceLocation)
    #expect(error.contains(message), "\(error)", sourceLocation: sourceLocation)
  }
}
