import Datasets
import Testing

/// `bench dataset import --from PATH`, without a format.
@Suite struct DetectedFormatTests {
  private static let gradesHeader =
    "Filename Side,Filename Front,Squat Score,Knee Stability,Core Strength,Asymmetry Score,Description\n"

  @Test func aFolderIsTakenForWhatItLooksLike() throws {
    let workspace = try Workspace()
    let content = try workspace.add(SquatClip.dataset("mine", SquatClip.three), in: "incoming")
    let outcome = try workspace.run("dataset", "import", "--from", "incoming/mine")
    outcome.expectSuccess()
    #expect(outcome.output == "taken for folder\nimported 3 clips as mine, content \(content)\n")
  }

  @Test func aSetOfSeveralPartsIsADatasetAPart() throws {
    let workspace = try Workspace()
    let frame = "nose_x,nose_y,nose_z,nose_v,left_knee_x,left_knee_y,left_knee_z,left_knee_v\n"
    let values = "0.1,0.2,0,1,0.3,0.4,0,1\n"
    try workspace.write("label,\(frame)up,\(values)", to: "incoming/squat_model/test.csv")
    try workspace.write("label,\(frame)C,\(values)", to: "incoming/plank_model/test.csv")
    let outcome = try workspace.run("dataset", "import", "--from", "incoming", "--name", "frames")
    outcome.expectSuccess()
    #expect(outcome.output.hasPrefix("taken for exercise-correction\nimported 1 clip as frames-squat, content sha256:"))
    #expect(try workspace.store().datasets().map(\.manifest.name) == ["frames-plank", "frames-squat"])
  }

  @Test func aFolderThatLooksLikeNothingIsRefused() throws {
    let workspace = try Workspace()
    try workspace.write("hello\n", to: "incoming/notes.txt")
    try workspace.run("dataset", "import", "--from", "incoming").expectFailure(
      1, saying: ["incoming: expected a folder laid out as one of the formats folder, repcount-pose, ", "none of them"])
    #expect(try workspace.store().datasets().isEmpty)
  }

  @Test func aFolderThatLooksLikeTwoFormatsIsAskedAbout() throws {
    let workspace = try Workspace()
    try workspace.add(SquatClip.dataset("mine", SquatClip.three), in: "incoming")
    try workspace.write(Self.gradesHeader + "a.mov,b.mov,1,2,3,4,\n", to: "incoming/mine/grades.csv")
    try workspace.run("dataset", "import", "--from", "incoming/mine").expectFailure(
      64, "incoming/mine looks like graded-squats and like folder: name the format that is meant")
    #expect(try workspace.store().datasets().isEmpty)
  }
}
