import Importers
import PoseModel
import TestSupport
import Testing

@Suite struct COCOKeypointsTests {
  let folder: ImportFolder

  init() throws { folder = try ImportFolder() }

  /// Keypoints with visibility 2 but for the second, which is hidden, and the third, which is not labelled.
  static func labelled(_ x: Double) -> String {
    var pose = figure(x)
    for place in stride(from: 2, to: pose.count, by: 3) { pose[place] = 2 }
    pose[5] = 1
    pose[8] = 0
    return numbers(pose)
  }

  static func annotation(_ image: Int, _ x: Double, _ more: String = "") -> String {
    #"{"id":1,"image_id":\#(image),"category_id":1,"num_keypoints":16,"segmentation":[[1,2]],"keypoints":\#(labelled(x))\#(more)}"#
  }

  static func document(_ images: [String], _ annotations: [String]) -> String {
    #"{"info":{"year":2024},"images":[\#(images.joined(separator: ","))],"annotations":[\#(annotations.joined(separator: ","))],"#
      + #""categories":[{"id":1,"name":"person","keypoints":["nose","left_eye"]}]}"#
  }

  @Test func annotationsBelongToTheVideosOfTheirImages() throws {
    let images = [
      #"{"id":9,"file_name":"b/0003.png","width":640,"height":480}"#,
      #"{"id":5,"file_name":"a/0001.png","width":640,"height":480}"#,
      #"{"id":4,"file_name":"a/0003.png","width":640,"height":480}"#,
    ]
    let annotations = [
      Self.annotation(5, 10), Self.annotation(4, 30), Self.annotation(9, 50), Self.annotation(9, 70, #","iscrowd":1"#),
    ]
    try folder.write(Self.document(images, annotations), to: "labels.json")
    #expect(Importers.recognising(folder.path).map { $0.format } == ["coco"])
    let source = try COCOKeypoints.only(folder.path)
    #expect(source.manifest.coordinates == CoordinateSystem(unit: .pixel(height: 480), yAxis: .down))
    let clips = try source.clips()
    #expect(clips.map(\.info.name) == ["labels_a", "labels_b"])
    #expect(clips.map(\.presence) == [[true, false, true], [true]])
    #expect(try clips[0].place(0, 2) == [30, 60, 1])
    #expect(try clips[0].place(1, 2) == [31, 61, 0.5])
    #expect(try clips[0].place(2, 2)[0].isNaN)
    let remarks = try COCOKeypoints.only(folder.path, said(size: ImageSize("640x480"))).remarks
    #expect(remarks.contains("--size is not used: \(folder.path) has the size of each image"))
  }

  @Test func filesOfAnImageEachAreClipsOfAFrame() throws {
    for frame in 0..<2 {
      let image = #"{"id":1,"file_name":"\#(frame).png","width":640,"height":480}"#
      try folder.write(Self.document([image], [Self.annotation(1, 10)]), to: "anna/\(frame).json")
    }
    let remarks = try COCOKeypoints.only(folder.path).remarks
    #expect(remarks.joined().contains("each file has one image and is a clip of one frame"), "\(remarks)")
  }

  @Test func partsMayStandInAnyOrder() throws {
    // Two videos whose images and annotations alternate, ids that neither begin at 0 nor follow each other, and
    // annotations before the images that say whose they are.
    let images = [(40, 1, 0), (7, 2, 0), (41, 1, 1), (-3, 2, 1), (42, 1, 2), (43, 1, 3)].map { id, video, frame in
      #"{"id":\#(id),"file_name":"x.png","height":480,"video_id":\#(video),"frame_id":\#(frame)}"#
    }
    let annotations = [
      Self.annotation(43, 13), Self.annotation(7, 20), Self.annotation(41, 11),
      Self.annotation(40, 90, #","iscrowd":1"#), Self.annotation(40, 10), Self.annotation(-3, 21),
    ]
    let text =
      #"{"annotations":[\#(annotations.joined(separator: " ,\n"))],"images":[\#(images.joined(separator: ",\n "))]}"#
    try folder.write(text, to: "a.json")
    let clips = try COCOKeypoints.only(folder.path).clips()
    #expect(clips.map(\.info.name) == ["a_video_1", "a_video_2"])
    #expect(clips.map(\.presence) == [[true, true, false, true], [true, true]])
    #expect(try [0, 1, 3].map { try clips[0].place(0, $0)[0] } == [10, 11, 13])
    #expect(try [0, 1].map { try clips[1].place(0, $0)[0] } == [20, 21])
    try folder.write(text.replacing(#""id":-3"#, with: #""id":42"#), to: "a.json")
    #expect(
      folder.error { _ = try COCOKeypoints.only(folder.path) } == "a.json: expected each image id once, found 42 twice")
  }

  @Test func categoriesNameOtherKeypoints() throws {
    func write(_ names: String) throws {
      try folder.write(
        #"{"images":[{"id":1,"file_name":"1.png","height":400}],"annotations":[{"image_id":1,"keypoints":[1,2,2,3,4,1,5,6,0]}],"#
          + #""categories":[{"keypoints":[\#(names)]}]}"#, to: "a.json")
    }
    try write(#""pelvis","R_Knee","tail""#)
    let source = try COCOKeypoints.only(folder.path)
    #expect(source.remarks.contains { $0.hasSuffix("except those that are not joints of the body: tail") })
    let clip = try source.clip(0)
    #expect(try clip.place(Joint.root.index, 0) == [1, 2, 1])
    #expect(try clip.place(Joint.rightKnee.index, 0) == [3, 4, 0.5])
    try write(#""thumb","index","tail""#)
    let error = folder.error { _ = try COCOKeypoints.only(folder.path) }
    #expect(error.hasPrefix("a.json: expected keypoints in categories that are joints of the body, each once: nose"))
    #expect(error.hasSuffix("found thumb, index, tail"))
  }

  @Test func imagesOfSeveralSizesAreBroughtToHeights() throws {
    let images = [
      #"{"id":1,"file_name":"1.png","width":640,"height":500,"frame_id":0,"video_id":3}"#,
      #"{"id":2,"file_name":"2.png","width":640,"height":1000,"frame_id":0,"video_id":12}"#,
    ]
    try folder.write(Self.document(images, [Self.annotation(1, 100), Self.annotation(2, 100)]), to: "a.json")
    let clips = try COCOKeypoints.only(folder.path).clips()
    #expect(clips.map(\.info.name) == ["a_video_3", "a_video_12"])
    #expect(try clips[0].place(0, 0) == [0.2, 0.4, 1])
    #expect(try clips[1].place(0, 0) == [0.1, 0.2, 1])
  }

  @Test func resultsAreFramesByTheirImage() throws {
    func result(_ image: Int, _ x: Double) -> String {
      #"{"image_id":\#(image),"category_id":1,"keypoints":\#(numbers(figure(x))),"score":0.9}"#
    }
    try folder.write("[\(result(2, 20)),\(result(0, 5))]", to: "results.json")
    #expect(Importers.recognising(folder.path).map { $0.format } == ["coco"])
    let clip = try COCOKeypoints.only(folder.path).clip(0)
    #expect(clip.presence == [true, false, true])
    #expect(try clip.place(3, 2) == [23, 43, 0.5])
    try folder.write("[\(result(2, 20)),\(result(90_000, 5))]", to: "results.json")
    let error = folder.error { _ = try COCOKeypoints.only(folder.path).clip(0) }
    #expect(
      error
        == "results.json: clip results: expected frame numbers of one recording, at most 10000 apart, found 90000 after 2"
    )
  }

  /// Once a confidence tells that the third values are no flags, poses are only read with their clip: an empty one is still
  /// nobody's, and a wrong one still named with its line.
  @Test func posesAreCheckedWithTheirClip() throws {
    func result(_ image: Int, _ keypoints: String) -> String {
      #"{"image_id":\#(image),"category_id":1,"keypoints":\#(keypoints),"score":0.9,"bbox":[1,2.5,3e1,null]}"#
    }
    let first = numbers(figure(20))
    try folder.write(
      "[\(result(0, first)),\n\(result(1, "[ ]")),\n\(result(2, numbers(figure(5))))]", to: "results.json")
    let clip = try COCOKeypoints.only(folder.path).clip(0)
    #expect(clip.presence == [true, false, true])
    #expect(try clip.place(3, 2) == [8, 13, 0.5])
    for wrong in ["[1,,2]", "[1,2,.5]", "[1,2,\"x\"]", "[[1,2,3]]", "[01]"] {
      try folder.write("[\(result(0, first)),\n\(result(1, first)),\n\(result(2, wrong))]", to: "results.json")
      let error = folder.error { _ = try COCOKeypoints.only(folder.path).clip(0) }
      #expect(error.hasPrefix("results.json:3: expected a number or null at [2].keypoints["), "\(wrong): \(error)")
    }
    try folder.write("[\(result(0, first)),\n\(result(1, "[1,2,3]"))]", to: "results.json")
    #expect(
      folder.error { _ = try COCOKeypoints.only(folder.path).clip(0) }
        == "results.json: expected an image_id and 51 numbers for each annotation, found 3 numbers for image_id 1")
  }

  @Test func wrongFilesAreNamed() throws {
    try folder.write(Self.document([#"{"id":1,"file_name":"1.png"}"#], [Self.annotation(2, 1)]), to: "a.json")
    #expect(
      folder.error { _ = try COCOKeypoints.only(folder.path) }
        == "a.json: expected an image for each annotation, found image_id 2 without")
    try folder.write(Self.document([#"{"id":1,"file_name":"1.png"}"#], []), to: "a.json")
    #expect(
      folder.error { _ = try COCOKeypoints.only(folder.path) }
        == "a.json: expected annotations with keypoints, found none")
  }

  /// Against a reading by Python's json.
  @Test func theRecording() throws {
    guard let path = Shared.recordings("formats/coco_results") else { return }
    // Photographs of different people: two seconds apart, nobody is taken for who was in the one before.
    let (clip, remarks) = try COCOKeypoints.only(path, said(fps: 0.5)).read(0)
    // Images 136 to 1292, counted from 1; image 139 has one person, whose left shoulder is visible.
    #expect(clip.keypoints?.frameCount == 1292)
    #expect(try clip.place(5, 138) == [443, 177, 1])
    #expect(try clip.place(5, 293) == [179, 224, 1])
    #expect(try clip.place(5, 396)[0].isNaN)
    #expect(remarks.first?.contains("1245 of 1292 frames are missing") == true)
    #expect(remarks.first?.contains("up to 11 people in a frame, several in 27 of 1292") == true)
    #expect(remarks.first?.hasSuffix("649 of 2125 keypoints not found") == true)
  }
}
