import Datasets
import Foundation
import PoseModel
import Simulation
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
    #expect(outcome.output == "imported 3 clips as mine, content \(content)\nDetected format: folder\n")
  }

  @Test func aSetOfSeveralPartsIsADatasetAPart() throws {
    let workspace = try Workspace()
    let frame = "nose_x,nose_y,nose_z,nose_v,left_knee_x,left_knee_y,left_knee_z,left_knee_v\n"
    let values = "0.1,0.2,0,1,0.3,0.4,0,1\n"
    try workspace.write("label,\(frame)up,\(values)", to: "incoming/squat_model/test.csv")
    try workspace.write("label,\(frame)C,\(values)", to: "incoming/plank_model/test.csv")
    let outcome = try workspace.run("dataset", "import", "--from", "incoming", "--name", "frames")
    outcome.expectSuccess()
    #expect(
      outcome.output.contains(
        #/^imported 1 clip as frames-squat, content sha256:\w+\nDetected format: exercise-correction\n/#))
    #expect(try workspace.store().datasets().map(\.manifest.name) == ["frames-plank", "frames-squat"])
  }

  @Test func aFolderThatLooksLikeNothingIsRefused() throws {
    let workspace = try Workspace()
    try workspace.write("hello\n", to: "incoming/notes.txt")
    try workspace.run("dataset", "import", "--from", "incoming").expectFailure(
      1,
      saying: [
        "incoming: expected recordings in a layout that is known", "no such files",
        "incoming/notes.txt begins with \"hello\", and of .txt there are keypoints, yolo-pose",
      ])
    try workspace.write("[{\"points\": [1]}]", to: "other/a.json")
    try workspace.run("dataset", "import", "--from", "other").expectFailure(
      1, saying: ["other/a.json has [], [].points, [].points[], and of .json there are keypoints, coco, openpose"])
    #expect(try workspace.store().datasets().isEmpty)
  }

  /// A column of labels and one of a barbell: each column is accounted for, and nothing is stored.
  @Test func aLookAccountsForEachColumn() throws {
    let workspace = try Workspace()
    let joints = ["nose", "left_hip", "right_hip", "left_knee", "right_knee"]
    let header = "frame,t_ms,phase,bar_x,bar_y," + joints.map { "\($0)_x,\($0)_y" }.joined(separator: ",")
    let rows = (0..<4).map { frame in
      "\(frame),\(frame * 40),up,0.5,0.1,0.5,0.1,0.45,0.5,0.55,0.5,0.45,0.7,0.55,0.7"
    }
    try workspace.write(([header] + rows).joined(separator: "\n"), to: "incoming/anna.csv")
    let outcome = try workspace.run(
      "dataset", "import", "--from", "incoming", "--exercise", "squat", "--size", "640x480", "--look")
    outcome.expectSuccess()
    for line in [
      "anna, the first of 1 clip: 4 frames in 0.12 s, read as coco-17", "points: 5 of the 17 of coco-17",
      "numbers: x, y, shares of the image, y downwards", "frame: the frame's number, which shows missing frames",
      "t_ms: the frame's time", "nose_x to right_knee_y, 10 columns: points",
      "bar_x: ignored, as coco-17 has no such point", "phase: ignored", "drew anna-look.png; nothing was stored",
    ] { #expect(outcome.output.contains(line), "\(line) in \(outcome.output)") }
    #expect(try workspace.bytes("anna-look.png").count > 1000)
    #expect(try workspace.store().datasets().isEmpty)
  }

  @Test func aTablePackedByGzipIsStored() throws {
    let workspace = try Workspace()
    let joints = ["nose", "left_hip", "right_hip", "left_knee", "right_knee"]
    let rows = (0..<4).map { "\($0),0.5,0.1,0.45,0.5,0.55,0.5,0.45,0.7,0.55,0.7" }
    let header = "frame," + joints.map { "\($0)_x,\($0)_y" }.joined(separator: ",")
    try workspace.write(([header] + rows).joined(separator: "\n"), to: "anna.csv")
    let outcome = try workspace.shell(
      "gzip anna.csv && $bench dataset import --from anna.csv.gz --exercise squat --size 640x480 --fps 25")
    #expect(outcome.code == 0, "\(outcome.error)")
    #expect(outcome.output.contains("imported 1 clip as "))
    #expect(try workspace.store().datasets().count == 1)
  }

  @Test func whatIsPackedIsToBeUnpacked() throws {
    let workspace = try Workspace()
    let tar = [UInt8](repeating: 0x41, count: 257) + Array("ustar".utf8)
    let files: [(String, [UInt8], String)] = [
      ("a.zip", [0x50, 0x4B, 3, 4, 20], "a ZIP archive"), ("b.json", [0x50, 0x4B, 3, 4, 20], "a ZIP archive"),
      ("c.gz", [0x1F, 0x8B, 8], "a gzip file"), ("d.tar", tar, "a tar archive"),
      ("e.bz2", Array("BZh91AY".utf8), "a bzip2 file"),
    ]
    for (name, bytes, kind) in files {
      try workspace.write(Data(bytes), to: "incoming/\(name)/\(name)")
      let paths = ["incoming/\(name)", "incoming/\(name)/\(name)"]
      for outcome in try workspace.runEach(paths.map { ["dataset", "import", "--from", $0] }) {
        outcome.expectFailure(
          1, saying: ["\(name): expected files as the tool wrote them, not packed, found \(kind): unpack it"])
      }
    }
    #expect(try workspace.store().datasets().isEmpty)
  }

  @Test func noTerminalObeysWhatIsInAFile() throws {
    let workspace = try Workspace()
    try workspace.write(#"{"\u001b[31mred\u009b\u202e":1}"#, to: "incoming/a.json")
    let outcome = try workspace.run("dataset", "import", "--from", "incoming")
    outcome.expectFailure(1, saying: [#"has \u{1B}[31mred\u{009B}\u{202E}, and of"#])
    #expect(!outcome.error.unicodeScalars.contains("\u{1B}"))
  }

  private static let openPose =
    #"{"version":1.3,"people":[{"pose_keypoints_2d":[\#(Array(repeating: "5,6,0.5", count: 18).joined(separator: ","))]}]}"#

  @Test func whatAToolWritesIsTakenWithWhatItLacks() throws {
    let workspace = try Workspace()
    for number in [0, 1, 3] { try workspace.write(Self.openPose, to: "incoming/walk_\(number)_keypoints.json") }
    let outcome = try workspace.run(
      "dataset", "import", "--from", "incoming", "--fps", "30", "--size", "640x480", "--exercise", "squat")
    outcome.expectSuccess()
    #expect(outcome.output.contains(#/^imported 1 clip as incoming, content .+\nDetected format: openpose\n/#))
    #expect(outcome.output.contains("\nnote: walk: 1 of 4 frames are missing: no person\n"))
    try workspace.run("dataset", "import", "--from", "incoming", "--fps", "30").expectFailure(
      64, "incoming is openpose, which lacks some information: add --exercise NAME (the exercise)")
    try workspace.run("dataset", "import", "repcount-pose", "--from", "incoming", "--view", "side").expectFailure(
      64, "--view does not apply to repcount-pose, which takes --fps N")
    try workspace.run("dataset", "import", "pushfit", "--from", "incoming", "--fps", "30").expectFailure(
      64, "--fps does not apply to pushfit, which takes no such options")
    try workspace.run("dataset", "import", "folder", "--from", "incoming", "--fps", "30").expectFailure(
      64, "--fps does not apply to folder, which takes no such options")
    try workspace.run("dataset", "import", "--from", "incoming", "--size", "big").expectFailure(64, saying: ["--size"])
  }

  /// Whether a command or a table of the clips names the exercise.
  @Test func anExerciseThatIsNearlyKnown() throws {
    let workspace = try Workspace()
    try workspace.write(Self.openPose, to: "incoming/walk_0_keypoints.json")
    func imported(_ options: String...) throws -> String {
      let outcome = try workspace.run(["dataset", "import", "--from", "incoming", "--fps", "30"] + options)
      outcome.expectSuccess()
      return outcome.output
    }
    let known = "note: no detector supports pull_ups: did you mean pull-up? "
    #expect(
      try imported("--name", "asked", "--exercise", "pull_ups").hasSuffix(
        "\n\(known)Import again with --exercise pull-up\n"))
    #expect(
      try imported("--name", "unknown", "--exercise", "juggling").contains(
        "\nnote: no detector supports juggling; supported exercises: bench-press, "))
    #expect(try !imported("--name", "right", "--exercise", "pull-up").contains("no detector supports"))
    try workspace.write("clip,exercise\nwalk,pull_ups\n", to: "incoming/clips.csv")
    #expect(try imported("--name", "told").hasSuffix("\n\(known)Rename it and import again\n"))
    // A recording of something that nobody counts, and nobody asked about it.
    try workspace.write("clip,exercise\nwalk,juggling\n", to: "incoming/clips.csv")
    #expect(try !imported("--name", "other").contains("no detector supports"))
  }

  @Test func aMappingNamesTheColumns() throws {
    let workspace = try Workspace()
    try workspace.write("t,a,b\n0,5,6\n40,5,7\n", to: "incoming/squat.csv")
    try workspace.write(
      """
      skeleton: coco-17
      coordinates: { unit: pixel, height: 480, y_axis: down, channels: [x, y] }
      columns: { left_knee: [a, b] }
      time: { column: t, unit: ms }
      """, to: "map.yaml")
    let outcome = try workspace.run(
      "dataset", "import", "--from", "incoming", "--mapping", "map.yaml", "--exercise", "squat")
    outcome.expectSuccess()
    #expect(outcome.output.contains("imported 1 clip as incoming, content "))
  }

  @Test func aFolderThatLooksLikeTwoFormatsIsAskedAbout() throws {
    let workspace = try Workspace()
    try workspace.add(SquatClip.dataset("mine", SquatClip.three), in: "incoming")
    try workspace.write(Self.gradesHeader + "a.mov,b.mov,1,2,3,4,\n", to: "incoming/mine/grades.csv")
    try workspace.run("dataset", "import", "--from", "incoming/mine").expectFailure(
      64, "incoming/mine matches the formats graded-squats and folder: name one of them")
    #expect(try workspace.store().datasets().isEmpty)
  }
}
