import Foundation
import Datasets
import Importers
import PoseModel
import TestSupport
import Testing

@Suite struct OpenPoseTests {
  let folder: ImportFolder

  init() throws { folder = try ImportFolder() }

  static func frame(_ people: [Double], keypoints: Int = 25, ids: Bool = false) -> String {
    let list = people.enumerated().map { index, x in
      let id = ids ? #""person_id":[\#(index + 3)],"# : #""person_id":[-1],"#
      return
        "{\(id)\"pose_keypoints_2d\":\(numbers(figure(x, keypoints: keypoints))),\"hand_left_keypoints_2d\":[1,2,3]}"
    }
    return #"{"version":1.3,"people":[\#(list.joined(separator: ","))]}"#
  }

  func write(_ text: String, _ number: Int, of video: String = "walk", in path: String = "") throws {
    let digits = String(repeating: "0", count: 12 - "\(number)".count) + "\(number)"
    try folder.write(text, to: "\(path)\(video)_\(digits)_keypoints.json")
  }

  @Test func framesAreInTheOrderOfTheirNumbers() throws {
    for number in [0, 1, 2, 4, 10] { try write(Self.frame([Double(number + 1)]), number) }
    try write(Self.frame([]), 3)
    #expect(Importers.recognising(folder.path).map { $0.format } == ["openpose"])
    let source = try OpenPose.only(folder.path, said(size: ImageSize("640x480")))
    #expect(source.manifest.skeleton == "body-25")
    #expect(source.manifest.coordinates == CoordinateSystem(unit: .pixel(height: 480), yAxis: .down))
    let (clip, remarks) = try source.read(0)
    #expect(clip.info == Clip.Info(name: "walk", subject: "walk", exercise: "squat", view: "", fps: 10, split: ""))
    #expect(clip.keypoints?.times.map(\.count) == (0...10).map { $0 * 100_000 })
    #expect(clip.presence == [true, true, true, false, true, false, false, false, false, false, true])
    // Keypoint 2 of frame 10, whose x is 11.
    #expect(try clip.place(2, 10) == [13, 24, 0.5])
    #expect(remarks == ["walk: 5 of 11 frames are missing: no person; no person found in 1 of 6 frames"])
  }

  /// The right shoulder is number 2, and the hips are 8 and 11.
  @Test func fifteenKeypointsAreOfTheModelMPI() throws {
    try write(Self.frame([11], keypoints: 15), 0)
    let source = try OpenPose.only(folder.path, said(size: ImageSize("640x480")))
    #expect(source.manifest.skeleton == "common")
    let clip = try source.clip(0)
    #expect(try clip.place(Joint.rightShoulder.index, 0) == [13, 24, 0.5])
    #expect(try clip.place(Joint.root.index, 0)[0] == 20.5)
    #expect(try clip.place(Joint.nose.index, 0)[0].isNaN)
  }

  @Test func zerosAreMissing() throws {
    var pose = figure(5, keypoints: 18)
    pose.replaceSubrange(9..<12, with: [0, 0, 0])
    try write(#"{"people":[{"pose_keypoints_2d":\#(numbers(pose))}]}"#, 0)
    let (clip, remarks) = try OpenPose.only(folder.path).read(0)
    #expect(clip.keypoints?.keypointCount == 18)
    #expect(try clip.place(3, 0).prefix(2).allSatisfy(\.isNaN))
    #expect(try clip.place(4, 0) == [9, 14, 0.5])
    #expect(remarks == ["walk: 1 of 18 keypoints not found"])
  }

  @Test func aFolderHoldsSeveralVideos() throws {
    for video in ["a", "b"] {
      for number in 0...1 { try write(Self.frame([7]), number, of: video, in: "anna/front/") }
    }
    var options = said()
    options.folders = [.subject, .view]
    let source = try OpenPose.only(folder.path, options)
    let clips = try source.clips()
    #expect(clips.map(\.info.name) == ["anna_front_a", "anna_front_b"])
    #expect(clips.map(\.info.subject) == ["anna", "anna"])
    #expect(clips.map(\.info.view) == ["front", "front"])
    #expect(source.manifest.caveat == nil)
    options.folders = [.subject]
    let error = folder.error { _ = try OpenPose.only(folder.path, options) }
    #expect(
      error.hasSuffix(
        "expected 1 folders between \(folder.path) and it, as in --folders (- is a folder without a meaning), found 2"
      ), "\(error)")
  }

  /// Two people do not become one by the letters that a name can have, and a new name is said.
  @Test func foldersWithOtherLettersKeepPeopleApart() throws {
    var options = said()
    options.folders = [.subject]
    try write(Self.frame([7]), 0, of: "a", in: "Zoë/")
    #expect(try OpenPose.only(folder.path, options).clips().map(\.info.subject) == ["Zoe"])
    #expect(try OpenPose.only(folder.path, options).remarks.contains("the subject Zoë is called Zoe"))
    try write(Self.frame([7]), 0, of: "b", in: "Zoe/")
    let two = folder.error { _ = try OpenPose.only(folder.path, options) }
    #expect(two.hasSuffix("found Zoe and Zoë, both Zoe; rename one of them"), "\(two)")
    try FileManager.default.removeItem(atPath: folder.path + "/Zoe")
    try write(Self.frame([7]), 0, of: "c", in: "王/")
    let none = folder.error { _ = try OpenPose.only(folder.path, options) }
    #expect(
      none.hasSuffix(
        "expected a folder whose name has letters from A to Z or digits, as the name of its subject, found 王; rename it, "
          + "to p01, say"), "\(none)")
  }

  /// As one `--write_json` folder a video is often called; labels name the video once.
  @Test func aFolderCalledLikeItsVideoIsNotSaidTwice() throws {
    for video in ["IMG 1", "IMG_2"] { try write(Self.frame([7]), 0, of: video, in: "anna/front/\(video)/") }
    var options = said()
    #expect(
      try OpenPose.only(folder.path, options).clips().map(\.info.name) == ["anna_front_IMG-1", "anna_front_IMG_2"])
    for folders in [[FolderMeaning.subject, .view], [.subject, .view, .any]] {
      options.folders = folders
      let clips = try OpenPose.only(folder.path, options).clips()
      #expect(clips.map(\.info.subject) == ["anna", "anna"])
      #expect(clips.map(\.info.view) == ["front", "front"])
    }
    try write(Self.frame([7]), 0, of: "IMG_2", in: "anna/front/")
    let error = folder.error { _ = try OpenPose.only(folder.path) }
    #expect(error.contains("expected a unique clip name, found anna_front_IMG_2, found the same for"), "\(error)")
  }

  @Test func framesCalledByNumbersAloneAreCalledAfterTheirFolder() throws {
    try folder.write(Self.frame([7]), to: "run/000000000000_keypoints.json")
    #expect(try OpenPose.only(folder.path + "/run").clips().map(\.info.name) == ["run"])
    #expect(try OpenPose.only(folder.path).clips().map(\.info.name) == ["run"])
  }

  @Test func theSubjectGoesByTheToolsNumber() throws {
    // Number 4 is the surest in all: it is there in both frames.
    try write(Self.frame([10, 200], ids: true), 0)
    try write(#"{"people":[{"person_id":[4],"pose_keypoints_2d":\#(numbers(figure(210, keypoints: 25)))}]}"#, 1)
    let (clip, remarks) = try OpenPose.only(folder.path).read(0)
    #expect(try [clip.place(0, 0)[0], clip.place(0, 1)[0]] == [200, 210])
    #expect(
      remarks == [
        "walk: up to 2 people in a frame, several in 1 of 2: the subject is number 4, the most confident overall, in 2 frames; to change it: --person largest or the number"
      ])
    // Whom the user names is taken.
    var options = ImportOptions()
    options.exercise = "squat"
    options.person = .number(3)
    let named = try #require(try Importers.datasets(OpenPose.self, from: folder.path, options: options).first)
    #expect(try named.clip(0).place(0, 0)[0] == 10)
    options.person = .number(9)
    let error = folder.error {
      _ = try Importers.datasets(OpenPose.self, from: folder.path, options: options)[0].clip(0)
    }
    #expect(error.hasSuffix("expected a person with the number 9, found 3, 4"), "\(error)")
  }

  @Test func withoutNumbersTheSubjectIsFollowed() throws {
    // The order of the people changes; the surer one of frame 0 is followed.
    func body(_ x: Double, _ confidence: Double) -> String {
      var values: [Double] = []
      for keypoint in 0..<25 { values += [x + Double(keypoint % 3) * 10, 100 + Double(keypoint) * 12, confidence] }
      return #"{"pose_keypoints_2d":\#(numbers(values))}"#
    }
    try write("{\"people\":[\(body(100, 0.6)),\(body(400, 0.9))]}", 0)
    try write("{\"people\":[\(body(402, 0.5)),\(body(101, 0.9))]}", 1)
    try write("{\"people\":[\(body(102, 0.9))]}", 2)
    let (clip, remarks) = try OpenPose.only(folder.path, said(size: ImageSize("640x480"))).read(0)
    #expect(try (0...1).map { try clip.place(0, $0)[0] } == [400, 402])
    #expect(clip.presence == [true, true, false])
    #expect(remarks.first?.contains("from frame to frame, in 2 frames, changed 0 times") == true, "\(remarks)")
  }

  @Test func whatIsMissingIsAskedFor() throws {
    try write(Self.frame([5]), 0)
    let error = folder.error { _ = try OpenPose.only(folder.path, ImportOptions()) }
    #expect(
      error == "\(folder.path) is openpose, which lacks some information: add --exercise NAME (the exercise)")
    let other = folder.error { _ = try OpenPose.only(folder.path, said(mapping: "a.yaml")) }
    #expect(
      other == "--mapping does not apply to openpose, which takes --fps N, --size WxH, --exercise NAME, --view NAME, "
        + "--subject NAME, --folders MEANINGS, --person WHO")
  }

  static let wrong: [(text: String, words: String)] = [
    (
      #"{"people":[{"pose_keypoints_2d":[1,2,3]}]}"#,
      "expected 75 numbers per person (BODY_25), 54 (COCO) or 45 (MPI), found 3"
    ),
    (
      #"{"people":[{"pose_keypoints_2d":[1,2,"#,
      ":1: expected a number or null at people[0].pose_keypoints_2d[2], found the end of the file"
    ),
    (
      #"{"people":[{"pose_keypoints_2d":7}]}"#, "expected a list of numbers at people[0].pose_keypoints_2d, found \"7\""
    ),
    (#"{"people":[{"person_id":["x"]}]}"#, "expected a whole number at people[0].person_id[0], found the text \"x\""),
  ]

  @Test(arguments: wrong) func wrongFilesAreNamed(_ text: String, _ words: String) throws {
    try write(text, 0)
    let error = folder.error { _ = try OpenPose.only(folder.path) }
    #expect(error.hasPrefix("walk_000000000000_keypoints.json:") && error.hasSuffix(words), "\(error)")
  }

  /// Against a reading by Python's json.
  @Test func theRecording() throws {
    guard let path = Shared.recordings("formats/openpose") else { return }
    let clip = try OpenPose.only(path).clip(0)
    #expect(clip.info.name == "im" && clip.keypoints?.frameCount == 1)
    #expect(try clip.place(0, 0) == [66.4171, 47.0342, 0.614349])
    #expect(try clip.place(10, 0) == [53.2337, 120.705, 0.680349])
    #expect(try clip.place(3, 0)[0].isNaN)
  }
}
