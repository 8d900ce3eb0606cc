import Datasets
import Foundation
import PoseModel
import Testing

/// Dataset folders with one thing wrong are refused by name and line, and nothing that was there before is touched.
@Suite struct BadDatasetTests {
  /// Imports `incoming/mine` after `change` has spoilt it, into a store that has a dataset and a run already.
  ///
  /// - Parameter found: what `check` says of it where that is another text.
  private func expectRefusal(
    _ message: String, found: String? = nil, sourceLocation: SourceLocation = #_sourceLocation,
    after change: (Workspace) throws -> Void
  ) throws {
    let workspace = try Workspace.withSquats(after: [["run", "--suite", "squat"]])
    try workspace.add(SquatClip.dataset("mine", SquatClip.three), in: "incoming")
    try change(workspace)
    let before = try ProjectState(workspace)
    let outcomes = try workspace.runEach([
      ["dataset", "import", "folder", "--from", "incoming/mine"],
      ["dataset", "check", "incoming/mine", "--strict", "--json"],
    ])
    outcomes[0].expectFailure(1, message, sourceLocation: sourceLocation)
    #expect(try ProjectState(workspace) == before, sourceLocation: sourceLocation)
    // The same by `check`, which reads all and needs no store: an error where there is nothing to check, else a finding.
    let check = outcomes[1]
    guard check.code == 5 else {
      return check.expectFailure(1, message, sourceLocation: sourceLocation)
    }
    let findings = try JSONText(check.output).object["findings"] as? [[String: Any]] ?? []
    let told = findings.contains { finding in
      let line = (finding["line"] as? Int).map { ":\($0)" } ?? ""
      let clip = message.contains(": clip ") ? ": clip \(finding["clip"] as? String ?? "")" : ""
      let (file, text) = (finding["file"] as? String ?? "", finding["found"] as? String ?? "")
      let isSaid = found.map { $0 == text } ?? (message == "\(file)\(line)\(clip): \(text)")
      return isSaid && message.hasPrefix("\(file)\(line): ") && finding["severity"] as? String == "problem"
        && !(finding["remedy"] as? String ?? "").isEmpty
    }
    #expect(told, "\(findings)", sourceLocation: sourceLocation)
  }

  @Test func aTruncatedNumpyFile() throws {
    // (30 + 60 + 30 + 40 + 30 + 60 + 30) frames x 17 keypoints x 3 channels x 4 bytes
    try expectRefusal(
      "incoming/mine/poses/anna_1.npy: expected 57120 bytes of values for shape (280, 17, 3), found 57119 bytes, "
        + "the file is truncated"
    ) {
      try $0.write($0.bytes("incoming/mine/poses/anna_1.npy").dropLast(), to: "incoming/mine/poses/anna_1.npy")
    }
  }

  @Test func labelsWithAMissingColumn() throws {
    try expectRefusal(
      "incoming/mine/reps.csv:1: expected column end_s, found only \"clip\", \"rep\", \"start_s\", \"turn_s\""
    ) {
      try $0.write("clip,rep,start_s,turn_s\nanna_1,1,1,2\n", to: "incoming/mine/reps.csv")
    }
  }

  @Test func posesWithAMissingColumn() throws {
    try expectRefusal(
      "incoming/mine/poses/cleo_1.csv:1: expected column left_knee_x, found only left_kne_x"
    ) { workspace in
      try workspace.posesAsCSV { $0[0] = $0[0].replacingOccurrences(of: "left_knee_x", with: "left_kne_x") }
    }
  }

  @Test func aNumberThatIsNoneInLabels() throws {
    try expectRefusal(
      "incoming/mine/reps.csv:3: expected a time in seconds from 0 in column start_s, found \"four\""
    ) { try $0.replace("\nanna_1,2,6.333333,", with: "\nanna_1,2,four,", in: "incoming/mine/reps.csv") }
  }

  @Test func aNumberThatIsNoneInPoses() throws {
    try expectRefusal("incoming/mine/poses/cleo_1.csv:5: expected a number in column nose_x, found \"left\"") {
      try $0.posesAsCSV { $0[4] = $0[4].replacingOccurrences(of: "3,0.1,,", with: "3,0.1,left,") }
    }
  }

  @Test func timesThatGoBack() throws {
    try expectRefusal(
      "incoming/mine/poses/cleo_1.csv:5: expected a time after the last row's 0.066667 in column time_s, found \"0.05\""
    ) { try $0.posesAsCSV { $0[4] = $0[4].replacingOccurrences(of: "3,0.1,", with: "3,0.05,") } }
  }

  @Test func aRepThatEndsBeforeItStarts() throws {
    try expectRefusal(
      "incoming/mine/reps.csv:2: clip anna_1: expected an end after the start 1 s, found 0.5 s",
      found: "rep 1 ends before it starts"
    ) { try $0.replace("\nanna_1,1,1,3,2\n", with: "\nanna_1,1,1,0.5,\n", in: "incoming/mine/reps.csv") }
  }

  @Test func aRepAfterTheEndOfTheClip() throws {
    // 30 + 56 + 30 frames of cleo at 30 a second end at 3.866667 s.
    try expectRefusal(
      "incoming/mine/reps.csv:7: clip cleo_1: expected the end of rep 1 by 3.866666 s, the end of the clip, found 60 s",
      found: "rep 1 is 56.13 s outside 0.0…3.83 s"
    ) { try $0.replace("\ncleo_1,1,1,2.866667,", with: "\ncleo_1,1,1,60,", in: "incoming/mine/reps.csv") }
  }

  @Test func aLabelForAnUnknownClip() throws {
    try expectRefusal(
      "incoming/mine/reps.csv:2: expected a clip of clips.csv, found \"ana_1\", did you mean anna_1?"
    ) { try $0.replace("\nanna_1,1,", with: "\nana_1,1,", in: "incoming/mine/reps.csv") }
  }

  @Test func aGradeOutOfItsScale() throws {
    try expectRefusal(
      "incoming/mine/grades.csv:2: clip anna_1: expected a grade of form from 0 to 100, found 101"
    ) { try $0.replace("\nanna_1,1,dora,form,90", with: "\nanna_1,1,dora,form,101", in: "incoming/mine/grades.csv") }
  }

  @Test func anUnknownKeyInTheManifest() throws {
    try expectRefusal(
      "incoming/mine/dataset.yaml:2: expected only the keys name, version, licence, source, origin, caveat, people, "
        + "skeleton, coordinates, criteria, found \"verison\", did you mean version?"
    ) { try $0.replace("\nversion:", with: "\nverison:", in: "incoming/mine/dataset.yaml") }
  }

  @Test func twoClipsOfOneName() throws {
    try expectRefusal(
      "incoming/mine/clips.csv:3: clip anna_1: expected a unique clip name, found the name of line 2"
    ) { try $0.replace("\nbert_1,", with: "\nanna_1,", in: "incoming/mine/clips.csv") }
  }

  @Test func anEmptyDataset() throws {
    try expectRefusal("incoming/mine/clips.csv: expected at least one clip, found a header without rows") {
      try $0.write("clip,subject,exercise,view,fps,split,poses,rep_count\n", to: "incoming/mine/clips.csv")
    }
  }

  @Test func aPoseFileThatIsAbsent() throws {
    try expectRefusal(
      "incoming/mine/clips.csv:4: clip cleo_1: expected a file of the folder, found \"poses/cleo_1.npy\", which does not exist"
    ) { try $0.remove("incoming/mine/poses/cleo_1.npy") }
  }

  @Test func checkTellsEveryClipThatIsWrong() throws {
    let workspace = try Workspace()
    try workspace.add(SquatClip.dataset("mine", SquatClip.three))
    for clip in ["anna_1", "cleo_1"] {
      let file = "datasets/mine/poses/\(clip).npy"
      try workspace.write(workspace.bytes(file).dropLast(4), to: file)
    }
    let outcome = try workspace.run("dataset", "check", "mine")
    #expect(outcome.code == 1)
    #expect(outcome.output.contains("problem  unreadable  rows or files break the rules of the format: 2 of 3 clips\n"))
    #expect(outcome.output.contains("\n  datasets/mine/poses/anna_1.npy: anna_1: expected "))
    #expect(outcome.output.contains("\n  datasets/mine/poses/cleo_1.npy: cleo_1: expected "))
    #expect(!workspace.exists(".formbench"))
  }

  @Test func aFolderThatIsAbsent() throws {
    let workspace = try Workspace()
    try workspace.run("dataset", "check", "mine").expectFailure(
      5, "dataset mine: expected a folder, or an imported dataset, found neither")
    try workspace.run("dataset", "import", "folder", "--from", "mine").expectFailure(
      5, "mine: expected a file or folder to import, found nothing there")
    try workspace.run("dataset", "check", "datasets").expectFailure(
      1, saying: ["datasets/dataset.yaml: expected a file"])
  }

  @Test func aCheckoutsFolderWithAnotherNameThanItsDataset() throws {
    let workspace = try Workspace.withSquats()
    try workspace.add(SquatClip.dataset("mine", SquatClip.three))
    try workspace.replace("name: mine", with: "name: yours", in: "datasets/mine/dataset.yaml")
    let before = try ProjectState(workspace)
    try workspace.run("dataset", "show", "mine").expectFailure(
      1, "datasets/mine/dataset.yaml:1: expected the folder's name mine for name, found \"yours\"")
    #expect(try ProjectState(workspace) == before)
    let list = try workspace.run("dataset", "list")
    #expect(list.code == 1 && list.output.contains("squats "))
    #expect(list.error.contains("datasets/mine/dataset.yaml:1: "))
  }
}

extension Workspace {
  /// Has the poses of `cleo_1` in a CSV file, whose lines `change` may spoil.
  fileprivate func posesAsCSV(_ change: (inout [String]) -> Void) throws {
    let data = PoseCSV.encode(SquatClip.three[2].keypoints, skeleton: .coco17)
    var lines = String(decoding: data, as: UTF8.self).components(separatedBy: "\n")
    let before = lines
    change(&lines)
    try #require(lines != before)
    try write(lines.joined(separator: "\n"), to: "incoming/mine/poses/cleo_1.csv")
    try remove("incoming/mine/poses/cleo_1.npy")
    try replace("poses/cleo_1.npy", with: "poses/cleo_1.csv", in: "incoming/mine/clips.csv")
  }
}
