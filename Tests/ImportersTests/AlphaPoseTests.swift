import Importers
import PoseModel
import TestSupport
import Testing

@Suite struct AlphaPoseTests {
  let folder: ImportFolder

  init() throws { folder = try ImportFolder() }

  static func person(_ image: String, _ x: Double, idx: String = "[0.0]") -> String {
    #"{"image_id":"\#(image)","category_id":1,"keypoints":\#(numbers(figure(x))),"score":2.5,"box":[1,2,3,4],"idx":\#(idx)}"#
  }

  @Test func aVideosImagesAreItsFrames() throws {
    try folder.write(
      "[\(Self.person("0.jpg", 3)), \(Self.person("2.jpg", 5)), \(Self.person("10.jpg", 13))]",
      to: "anna/alphapose-results.json")
    #expect(Importers.recognising(folder.path).map { $0.format } == ["alphapose"])
    let (clip, remarks) = try AlphaPose.only(folder.path).read(0)
    #expect(clip.info.name == "anna_alphapose-results")
    #expect(clip.presence == (0...10).map { [0, 2, 10].contains($0) })
    #expect(try clip.place(16, 2) == [21, 26, 0.5])
    #expect(remarks == ["anna_alphapose-results: 8 of 11 frames are missing: no person"])
  }

  @Test func otherImagesAreTakenInTheirOrder() throws {
    try folder.write(
      "[\(Self.person("b.jpg", 3)), \(Self.person("7.jpg", 5)), \(Self.person("b.jpg", 90))]", to: "results.json")
    let (clip, remarks) = try AlphaPose.only(folder.path + "/results.json").read(0)
    #expect(clip.keypoints?.frameCount == 2)
    #expect(try clip.place(0, 1) == [5, 10, 0.5])
    #expect(
      remarks.first?.hasPrefix("results: images are not numbered: the order of the file is used; up to 2") == true)
  }

  /// Names in the order of the file, and the frame of each, counted from 1 where none is 0; `nil` where they are no numbers.
  static let named: [([String], [Int]?)] = [
    (["walk_0009.jpg", "walk_0010.jpg", "walk_10000.jpg"], [8, 9, 9999]),
    (["walk_0009.jpg", "walk_0010.jpg", "walk_0012.jpg"], [8, 9, 11]),
    (["10.jpg", "11.jpg", "09.jpg", "10.jpg", "08.jpg"], [9, 10, 8, 9, 7]),
    (["9.jpg", "10.jpg", "3.jpg", "10.jpg", "3.jpg"], [8, 9, 2, 9, 2]),
    // Made in two ways: the numbers count all the same, where each is there once.
    (["9.jpg", "08.jpg", "7.jpg", "9.jpg"], [8, 7, 6, 8]), (["1.jpg", "2.png", "1.jpg"], [0, 1, 0]),
    (["1.jpg", "01.jpg", "1.jpg"], nil), (["1.jpg", "1.png"], nil), (["a1.jpg", "a2.jpg", "b3.jpg", "a1.jpg"], nil),
    (["1.jpg", "2.jpg", "x.jpg", "2.jpg"], nil),
  ]

  @Test(arguments: named) func imagesAreFramesByTheNumbersOfTheirNames(_ names: [String], _ frames: [Int]?) throws {
    let people = names.map { Self.person($0, 3) }
    try folder.write("[\(people.joined(separator: ","))]", to: "results.json")
    let (clip, remarks) = try AlphaPose.only(folder.path).read(0)
    #expect((remarks.first?.contains("images are not numbered") ?? false) == (frames == nil))
    var order: [String] = []
    for name in names where !order.contains(name) { order.append(name) }
    let expected = Set(frames ?? names.compactMap { order.firstIndex(of: $0) })
    let presence = clip.presence
    #expect(Set(presence.indices.filter { presence[$0] }) == expected)
  }

  @Test func peopleWithNumbersAreTheSame() throws {
    try folder.write(
      "[\(Self.person("0.jpg", 3, idx: "1")), \(Self.person("0.jpg", 90, idx: "2")), \(Self.person("1.jpg", 91, idx: "2"))]",
      to: "results.json")
    let clip = try AlphaPose.only(folder.path).clip(0)
    #expect(try [clip.place(0, 0)[0], clip.place(0, 1)[0]] == [90, 91])
  }

  @Test(arguments: [("bodies", "joints"), ("people", "pose_keypoints_2d")])
  func theOtherFormatsHaveAKeyForEachImage(_ list: String, _ key: String) throws {
    func image(_ name: String, _ x: Double) -> String {
      #""\#(name)":{"version":"AlphaPose v0.3","\#(list)":[{"\#(key)":\#(numbers(figure(x, keypoints: 18)))}]}"#
    }
    try folder.write("{\(image("1.jpg", 4)), \(image("2.jpg", 6))}", to: "results.json")
    #expect(Importers.recognising(folder.path).map { $0.format } == ["alphapose"])
    let source = try AlphaPose.only(folder.path)
    #expect(source.manifest.skeleton == "openpose-18")
    let clip = try source.clip(0)
    // Images that are numbered from 1 are a video whose first frame is number 1.
    #expect(clip.keypoints?.times.map(\.count) == [0, 100_000])
    #expect(try clip.place(17, 1) == [23, 29, 0.5])
  }

  @Test(arguments: [26, 136]) func halpesBodyHasFeet(_ count: Int) throws {
    let person = #"{"image_id":"0.jpg","category_id":1,"keypoints":\#(numbers(figure(3, keypoints: count))),"score":2}"#
    try folder.write("[\(person)]", to: "results.json")
    let source = try AlphaPose.only(folder.path)
    #expect(source.manifest.skeleton == "halpe-26")
    // The left big toe.
    #expect(Skeleton.halpe26[.leftToe] == .keypoint(20))
    #expect(try source.clip(0).place(20, 0) == [23, 26, 0.5])
  }

  @Test func wrongFilesAreNamed() throws {
    try folder.write("[\(Self.person("0.jpg", 3)), {\"image_id\":\"1.jpg\",\"keypoints\":[1,2]}]", to: "r.json")
    let error = folder.error { _ = try AlphaPose.only(folder.path).clip(0) }
    #expect(error == "r.json: expected 51 numbers for a person in 1.jpg, as for the others, found 2")
  }

  /// Against a reading by Python's json.
  @Test func theRecordings() throws {
    guard let path = Shared.recordings("formats/alphapose") else { return }
    // Photographs of different people: two seconds apart, nobody is taken for who was in the one before.
    let clips = try AlphaPose.only(path, said(fps: 0.5)).clips()
    #expect(clips.map(\.info.name) == ["alphapose-results", "alphapose-results_old"])
    #expect(clips.map { $0.keypoints?.frameCount } == [206, 13])
    // One person in the image: the second of 13, its left knee; and the last of all, its right ankle.
    #expect(try clips[1].place(13, 1) == [387.585693359375, 428.0622863769531, 0.7810584306716919])
    #expect(try clips[1].place(16, 12) == [631.1787719726562, 393.0746765136719, 0.7951631546020508])
    #expect(try clips[0].place(10, 0) == [420.4565124511719, 253.07652282714844, 0.7054345607757568])
  }
}
