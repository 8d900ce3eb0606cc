import Datasets
import Files
import Foundation
import PoseModel
import TestSupport
import Testing

/// Bad input: where it is, what was expected there and what was found.
struct DatasetFolderErrorTests {
  /// A file of the sample in which a part is replaced, and the error's text.
  private func check(
    _ file: String, _ part: String, _ replacement: String, _ message: String,
    location: SourceLocation = #_sourceLocation
  ) throws {
    let sample = try SampleDataset.folder()
    let text = SampleDataset.files[file] ?? SampleDataset.uneven
    try #require(text.contains(part), sourceLocation: location)
    try sample.write(text.replacing(part, with: replacement), to: file)
    #expect(sample.openingError() == "mine/\(message)", sourceLocation: location)
  }

  @Test func theSampleHasNoError() throws {
    let sample = try SampleDataset.folder()
    #expect(sample.openingError() == "no error")
  }

  @Test func folders() throws {
    let sample = try TestFolder()
    #expect(
      sample.openingError() == "mine: expected a folder with dataset.yaml and clips.csv, found no such folder")
    try sample.write("x", to: "dataset.yaml")
    #expect(
      sample.error { _ = try DatasetFolder(sample.path + "/dataset.yaml") }
        == "mine/dataset.yaml: expected a folder with dataset.yaml and clips.csv, found a file")
  }

  @Test(arguments: ["dataset.yaml", "clips.csv"])
  func filesThatAreMissing(_ file: String) throws {
    let sample = try SampleDataset.folder()
    try FileManager.default.removeItem(atPath: "\(sample.path)/\(file)")
    #expect(sample.openingError() == "mine/\(file): expected a file that can be read, found no such file")
  }

  @Test func filesThatAreNotFiles() throws {
    let sample = try SampleDataset.folder()
    try FileManager.default.removeItem(atPath: "\(sample.path)/reps.csv")
    try FileManager.default.createDirectory(atPath: "\(sample.path)/reps.csv", withIntermediateDirectories: false)
    #expect(sample.openingError() == "mine/reps.csv: expected a file that can be read, found a directory")
    try FileManager.default.removeItem(atPath: "\(sample.path)/reps.csv")
    #expect(mkfifo("\(sample.path)/reps.csv", 0o644) == 0)
    #expect(
      sample.openingError() == "mine/reps.csv: expected a file that can be read, found a device, pipe or socket")
  }

  @Test func filesThatNobodyReads() throws {
    let sample = try SampleDataset.folder()
    try sample.write("clip", to: "rep.csv")
    #expect(
      sample.openingError()
        == "mine/rep.csv: expected only the CSV files clips.csv, reps.csv, events.csv, intervals.csv, grades.csv, "
        + "faults.csv, drafts.csv, found \"rep.csv\", did you mean reps.csv?")
  }

  @Test func manifest() throws {
    try check(
      "dataset.yaml", "origin:", "orign:",
      "dataset.yaml:5: expected only the keys name, version, licence, source, origin, caveat, people, skeleton, "
        + "coordinates, criteria, found \"orign\", did you mean origin?")
  }

  @Test(arguments: [
    ("a02,", "a01,", "3: clip a01: expected a unique clip name, found the name of line 2"),
    (
      "a02,", "../a02,",
      "3: expected a name of up to 200 letters, digits, '.', '_' and '-' that does not begin with '.' or '-', such as a02 in "
        + "column clip, found \"../a02\""
    ),
    (
      "a03,s2", "a03,",
      "4: expected a text without spaces around it or control characters in column subject, found an empty field"
    ),
    (",10,train", ",ten,train", "2: expected a number in column fps, found \"ten\""),
    (",10,train", ",0,train", "2: clip a01: expected a number from 0.01 to 1000 in column fps, found \"0\""),
    (
      ",10,train", ",1e-300,train",
      "2: clip a01: expected a number from 0.01 to 1000 in column fps, found \"1e-300\""
    ),
    (
      ",10,train", ",1001,train",
      "2: clip a01: expected a number from 0.01 to 1000 in column fps, found \"1001\""
    ),
    (
      "a01.npy,2", "a01.npy,3",
      "2: clip a01: expected rep_count 2, the number of the clip's rows in reps.csv, found 3"
    ),
    (",,5", ",,-5", "4: clip a03: expected a number from 0 in column rep_count, found \"-5\""),
    (",,5", ",,5.0", "4: expected a whole number in column rep_count, found \"5.0\""),
    (
      ",view,", ",veiw,",
      "1: expected column view, found only \"clip\", \"subject\", \"exercise\", \"veiw\", \"fps\", \"split\", "
        + "\"poses\", \"rep_count\""
    ),
    (
      "rep_count", "reps",
      "1: expected only the columns clip, subject, exercise, view, fps, split, poses, rep_count, found column \"reps\""
    ),
    (
      "poses/a02.csv", "poses/a03.csv",
      "3: clip a02: expected a file of the folder, found \"poses/a03.csv\", which does not exist"
    ),
    (
      "poses/a02.csv", "../mine/poses/a02.csv",
      "3: clip a02: expected a path within the folder, without '.' and '..', found \"../mine/poses/a02.csv\""
    ),
    (
      "poses/a02.csv", "/etc/passwd",
      "3: clip a02: expected a path within the folder, without '.' and '..', found \"/etc/passwd\""
    ),
    (
      "poses/a02.csv", "dataset.yaml",
      "3: clip a02: expected a file ending in .npy or .csv in column poses, found \"dataset.yaml\""
    ),
    (
      "poses/a02.csv", "poses/a01.npy",
      "3: clip a02: expected a pose file of its own, found \"poses/a01.npy\" of clip a01"
    ),
  ])
  func clips(_ part: String, _ replacement: String, _ message: String) throws {
    try check("clips.csv", part, replacement, "clips.csv:\(message)")
  }

  @Test func anEmptyDataset() throws {
    let sample = try SampleDataset.folder()
    try sample.write("clip,subject,exercise,view,fps,split,poses\n", to: "clips.csv")
    #expect(sample.openingError() == "mine/clips.csv: expected at least one clip, found a header without rows")
  }

  @Test func linksThatLeadOutside() throws {
    let sample = try SampleDataset.folder()
    for file in ["poses/a02.csv", "reps.csv"] {
      let elsewhere = sample.outside.appendingPathComponent("elsewhere").path
      try FileManager.default.moveItem(atPath: "\(sample.path)/\(file)", toPath: elsewhere)
      try FileManager.default.createSymbolicLink(atPath: "\(sample.path)/\(file)", withDestinationPath: elsewhere)
      #expect(
        sample.openingError()
          == (file == "reps.csv"
            ? "mine/reps.csv: expected a file in the folder, found a link that leads outside"
            : "mine/clips.csv:3: clip a02: expected a file of the folder, found \"\(file)\", a link that leads outside")
      )
      try FileManager.default.removeItem(atPath: "\(sample.path)/\(file)")
      try FileManager.default.moveItem(atPath: elsewhere, toPath: "\(sample.path)/\(file)")
    }
    try FileManager.default.moveItem(atPath: "\(sample.path)/poses/a02.csv", toPath: "\(sample.path)/poses/b.csv")
    try FileManager.default.createSymbolicLink(atPath: "\(sample.path)/poses/a02.csv", withDestinationPath: "b.csv")
    #expect(sample.openingError() == "no error")
  }

  @Test(arguments: [
    ("a01,2,0.4", "a02x,2,0.4", "3: expected a clip of clips.csv, found \"a02x\", did you mean a02?"),
    (
      "a01,2,0.4", "a01,3,0.4",
      "3: clip a01: expected rep 2, because reps are numbered from 1 in order, found rep 3"
    ),
    (
      "a01,2,0.4", "a01,1,0.4",
      "3: clip a01: expected rep 2, because reps are numbered from 1 in order, found rep 1"
    ),
    ("0.4,0.9", "0.9,0.4", "3: clip a01: expected an end after the start 0.9 s, found 0.4 s"),
    ("0.4,0.9", "0.9,0.9", "3: clip a01: expected an end after the start 0.9 s, found 0.9 s"),
    ("0.4,0.9", "0.3,0.9", "3: clip a01: expected a start from 0.4 s on, where rep 1 ends, found 0.3 s"),
    ("0,0.4,", "-0.1,0.4,", "2: expected a time in seconds from 0 in column start_s, found \"-0.1\""),
    ("0.4,0.9", "0.4,nan", "3: expected a time in seconds from 0 in column end_s, found \"nan\""),
    ("0.25", "0.45", "2: clip a01: expected a turn from 0 s to 0.4 s, found 0.45 s"),
    ("a01,2,", "a01,two,", "3: expected a whole number in column rep, found \"two\""),
  ])
  func reps(_ part: String, _ replacement: String, _ message: String) throws {
    try check("reps.csv", part, replacement, "reps.csv:\(message)")
  }

  // The last of ten frames at 10 a second begins at 0.9 s and ends at 1 s.
  @Test func labelsBeyondTheClip() throws {
    try check(
      "reps.csv", "0.4,0.9", "0.4,1.000001",
      "reps.csv:3: clip a01: expected the end of rep 2 by 1 s, the end of the clip, found 1.000001 s")
    try check(
      "events.csv", "0.15", "0.4",
      "events.csv:2: clip a02: expected event \"impact\" by 0.35 s, the end of the clip, found 0.4 s")
    try check(
      "intervals.csv", "0.25", "7",
      "intervals.csv:2: clip a02: expected the end of interval \"swing, slow\" by 0.35 s, the end of the clip, found 7 s"
    )
    let sample = try SampleDataset.folder()
    try sample.write((SampleDataset.files["reps.csv"] ?? "").replacing("0.4,0.9", with: "0.4,1"), to: "reps.csv")
    #expect(sample.openingError() == "no error")
  }

  @Test(arguments: [
    ("anna,form,80", "anna,form,101", "2: clip a01: expected a grade of form from 0 to 100, found 101"),
    ("anna,form,80", "anna,form,-0.5", "2: clip a01: expected a grade of form from 0 to 100, found -0.5"),
    (
      "anna,form,80", "anna,from,80",
      "2: clip a01: expected a criterion of dataset.yaml, found \"from\", did you mean form?"
    ),
    ("a01,1,", "a01,3,", "2: clip a01: expected a rep from 1 to 2, or none, found rep 3"),
    ("a01,1,", "a01,0,", "2: clip a01: expected a rep from 1 to 2, or none, found rep 0"),
    ("a03,5", "a02,1", "4: clip a02: expected no rep, because the clip has none marked or counted, found rep 1"),
    (
      "a01,,", "a01,1,",
      "3: clip a01: expected one grade per rep, rater and criterion, found a second grade of form by anna"
    ),
    ("a03,5", "a05,5", "4: expected a clip of clips.csv, found \"a05\", did you mean a01 or a02 or a03?"),
  ])
  func grades(_ part: String, _ replacement: String, _ message: String) throws {
    try check("grades.csv", part, replacement, "grades.csv:\(message)")
  }

  @Test(arguments: [
    ("heels up,1", "heels up,maybe", "2: expected 1, 0, true or false in column present, found \"maybe\""),
    (
      "2,bert", "2,anna",
      "3: clip a01: expected one label per rep, rater and fault, found a second label of heels up by anna"
    ),
    ("2,anna", "9,anna", "2: clip a01: expected a rep from 1 to 2, or none, found rep 9"),
  ])
  func faults(_ part: String, _ replacement: String, _ message: String) throws {
    try check("faults.csv", part, replacement, "faults.csv:\(message)")
  }

  @Test func intervals() throws {
    try check(
      "intervals.csv", "a02,0,0.25", "a02,0.25,0",
      "intervals.csv:2: clip a02: expected an end after the start 0.25 s, found 0 s")
  }

  @Test func posesAsCSV() throws {
    try check(
      "poses/a02.csv", "0.25,,,0", "0.05,,,0",
      #"poses/a02.csv:4: expected a time after the last row's 0.1 in column time_s, found "0.05""#)
    try check(
      "poses/a02.csv", "nose_x", "nsoe_x", "poses/a02.csv:1: expected column nose_x, found only nsoe_x")
    try check(
      "poses/a02.csv", "1.25", "1.2g5", #"poses/a02.csv:3: expected a number in column nose_x, found "1.2g5""#)
    let sample = try SampleDataset.folder()
    try sample.write(SampleDataset.poseHeader, to: "poses/a02.csv")
    #expect(sample.openingError() == "mine/poses/a02.csv: clip a02: expected at least one frame, found none")
  }

  @Test func posesAsNumpyArrays() throws {
    let sample = try SampleDataset.folder()
    func message(_ shape: [Int], _ value: Float = 0) throws -> String {
      let values = [Float](repeating: 0, count: shape.reduce(1, *) - 1) + [value]
      try sample.write(NumpyArray(shape: shape, values: values).encoded, to: "poses/a01.npy")
      return sample.openingError()
    }
    let expected =
      "mine/poses/a01.npy: expected shape (frames, 17, 3) for the keypoints of coco-17 with x, y, confidence, found "
    #expect(try message([10, 33, 3]) == expected + "(10, 33, 3)")
    #expect(try message([10, 17, 2]) == expected + "(10, 17, 2)")
    #expect(try message([51]) == expected + "(51)")
    #expect(
      try message([10, 17, 3], .infinity)
        == "mine/poses/a01.npy: clip a01: expected numbers or NaN, found an infinity in frame 9, right_ankle confidence"
    )
    #expect(try message([10, 17, 3], .nan) == "no error")
    try sample.write(SampleDataset.steady.encoded.dropLast(4), to: "poses/a01.npy")
    #expect(
      sample.openingError()
        == "mine/poses/a01.npy: expected 2040 bytes of values for shape (10, 17, 3), found 2036 bytes, the file is "
        + "truncated")
  }
}
