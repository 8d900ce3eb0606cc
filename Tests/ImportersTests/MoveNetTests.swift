import Files
import Foundation
import Importers
import PoseModel
import TestSupport
import Testing

@Suite struct MoveNetTests {
  let folder: ImportFolder

  init() throws { folder = try ImportFolder() }

  /// Frames of (y, x, score) = (k/100, f/10, 0.5).
  static func tensor(frames: Int, nested: Bool) -> String {
    let list = (0..<frames).map { frame in
      let rows = (0..<17).map { "[\(Double($0) / 100),\(Double(frame) / 10),0.5]" }.joined(separator: ",")
      return nested ? "[[[\(rows)]]]" : "[\(rows)]"
    }
    return "[\(list.joined(separator: ","))]"
  }

  @Test(arguments: [true, false]) func aTensorIsOfThePaddedSquare(_ nested: Bool) throws {
    try folder.write(Self.tensor(frames: 3, nested: nested), to: "a.json")
    #expect(Importers.recognising(folder.path).map { $0.format } == ["keypoints"])
    // 1920 x 1080 fills the whole width of the input and 108 of its 192 rows, between bars of 42.
    let source = try KeypointFiles.only(folder.path, said(size: ImageSize("1920x1080")))
    #expect(source.manifest.coordinates.unit == .pixel(height: 1080))
    let place = try source.clip(0).place(16, 2)
    #expect(abs(place[0] - 0.2 * 1920) < 0.01 && place[2] == 0.5)
    #expect(abs(place[1] - (0.16 * 192 - 42) * 10) < 0.01)
    // Without a size the square is kept, whose scale is unknown.
    let unsized = try KeypointFiles.only(folder.path)
    #expect(unsized.manifest.coordinates.unit == .metre)
    #expect(unsized.manifest.source.hasSuffix("; lengths are shares of a square input, not metres"))
    #expect(!source.manifest.source.contains("lengths"))
    #expect(
      unsized.remarks == [
        "numbers are taken as y, x, as MoveNet writes them, in its square input with bars beside the image "
          + "(--axes y,x: without bars); to change it: --axes x,y",
        "without --size the height of the image is unknown: lengths are scaled by each clip's trunk",
      ])
    #expect(try unsized.clip(0).place(16, 2) == [0.2, 0.16, 0.5])
  }

  @Test(arguments: [[4, 1, 1, 17, 3], [4, 17, 3]]) func anArrayIsTheSame(_ shape: [Int]) throws {
    var values: [Float] = []
    for keypoint in 0..<4 * 17 { values += [Float(keypoint) / 100, Float(keypoint) / 100 + 0.25, 0.5] }
    try NumpyArray(shape: shape, values: values).encoded.write(to: URL(fileURLWithPath: folder.path + "/a.npy"))
    #expect(Importers.recognising(folder.path).map { $0.format } == ["keypoints"])
    let clip = try KeypointFiles.only(folder.path).clip(0)
    #expect(clip.keypoints?.frameCount == 4)
    #expect(try clip.place(2, 3) == [0.78, 0.53, 0.5])
    try NumpyArray(shape: [4, 51], values: values).encoded.write(to: URL(fileURLWithPath: folder.path + "/a.npy"))
    #expect(try KeypointFiles.only(folder.path).clip(0).place(2, 3) == [0.78, 0.53, 0.5])
    try NumpyArray(shape: [12, 17], values: values).encoded.write(to: URL(fileURLWithPath: folder.path + "/a.npy"))
    #expect(!KeypointFiles.recognises(folder.path))
  }

  /// Keypoint 5 of frame 2 has its x, the second of three channels, at 2 * 51 + 5 * 3 + 1.
  @Test func anInfinityIsNoPlace() throws {
    var values = [Float](repeating: 0.5, count: 4 * 51)
    values[118] = -.infinity
    try NumpyArray(shape: [4, 17, 3], values: values).encoded
      .write(to: URL(fileURLWithPath: folder.path + "/a.npy"))
    let error = folder.error { _ = try KeypointFiles.only(folder.path).clip(0) }
    #expect(error.hasSuffix("a.npy: expected numbers or NaN, found an infinity at [2, 5, 1]"), "\(error)")
  }

  @Test func whyAnArrayIsNoneThatCouldBeReadIsSaid() throws {
    let sound = NumpyArray(shape: [4, 17, 3], values: [Float](repeating: 0.5, count: 4 * 51)).encoded
    func error(_ data: Data) throws -> String {
      try data.write(to: URL(fileURLWithPath: folder.path + "/a.npy"))
      return "\(Importers.unknown(folder.path, known: ["folder"]))"
    }
    func replacing(_ old: String, _ new: String) -> Data {
      var data = sound
      guard let range = data.range(of: Data(old.utf8)) else { return data }
      data.replaceSubrange(range, with: Data(new.utf8))
      return data
    }
    for data in [
      replacing("'<f4'", "'>f4'"), replacing("False, ", "True,  "), replacing("(4,", "(9,"), sound.dropLast(4),
    ] {
      let words = try error(data)
      #expect(words.contains("a.npy") && !words.contains("no such files"), "\(words)")
    }
    let other = NumpyArray(shape: [12, 17], values: [Float](repeating: 0.5, count: 4 * 51)).encoded
    #expect(try error(other).contains("a.npy: expected frames x points x 2 to 5 numbers"))
    #expect(try error(other).hasSuffix("found 12 x 17"))
  }

  @Test func keypointsOfTheBrowserAreInPixelsOrShares() throws {
    func frame(_ scale: Double) -> String {
      let list = (0..<17).map { #"{"x":\#(Double($0) * scale),"y":\#(Double(2 * $0) * scale),"score":0.5,"name":"a"}"# }
      return "{\"keypoints\":[\(list.joined(separator: ","))],\"score\":0.7}"
    }
    try folder.write("[\(frame(10)),{\"keypoints\":[]}]", to: "a.json")
    #expect(Importers.recognising(folder.path).map { $0.format } == ["keypoints"])
    let pixels = try KeypointFiles.only(folder.path, said(size: ImageSize("640x480")))
    #expect(pixels.manifest.coordinates.unit == .pixel(height: 480))
    #expect(try pixels.clip(0).place(3, 0) == [30, 60, 0.5])
    #expect(try pixels.clip(0).presence == [true, false])
    try folder.write("[[\(frame(0.01))],[]]", to: "a.json")
    let shares = try KeypointFiles.only(folder.path, said(size: ImageSize("640x480")))
    #expect(shares.manifest.coordinates.unit == .image(aspect: 4.0 / 3))
    #expect(try shares.clip(0).presence == [true, false])
  }

  static let wrong: [(text: String, words: String)] = [
    (#"[{"keypoints":[{"x":1,"y":2,"score":1}]}]"#, "found [].keypoints with 1 points"),
    (#"[{"keypoints":[{"x":1,"score":1}, {"x":1}]}]"#, "found [].keypoints with x alone"),
    ("[{\"pose\":[1,2,3,4,5,6,7,8,9,10]}]", "found [].pose with 10 numbers"),
  ]

  @Test(arguments: wrong) func wrongFilesAreNamed(_ text: String, _ words: String) throws {
    try folder.write(text, to: "a.json")
    let error = folder.error { _ = try KeypointFiles.only(folder.path).clip(0) }
    #expect(error.hasPrefix("a.json: expected x and y of points") && error.hasSuffix(words), "\(error)")
  }

  /// The first seconds of a recording may have nobody: of `{"keypoints":[]},` the first 4 KB have 200, 40 KB 2000.
  @Test(arguments: [200, 2000]) func aRecordingMayBeginWithoutAnybody(_ empty: Int) throws {
    let list = (0..<17).map { #"{"x":\#($0),"y":\#(2 * $0),"score":0.5}"# }.joined(separator: ",")
    let frames = String(repeating: "{\"keypoints\":[]},", count: empty)
    try folder.write("[\(frames){\"keypoints\":[\(list)]}]", to: "a.json")
    #expect(Importers.recognising(folder.path).map { $0.format } == ["keypoints"])
    let clip = try KeypointFiles.only(folder.path, said(size: ImageSize("640x480"))).clip(0)
    #expect(try clip.place(3, empty) == [3, 6, 0.5])
  }

  /// 25,000,000 numbers are 490,196 frames of 17 keypoints with x, y and confidence.
  @Test func framesWithoutAnybodyCountTowardsWhatAClipMayHave() throws {
    let person = (0..<17).map { #"{"x":\#($0),"y":1,"score":1}"# }.joined(separator: ",")
    let empty = String(repeating: ",[]", count: 490_196)
    try folder.write("[[{\"keypoints\":[\(person)]}]\(empty)]", to: "a.json")
    let error = folder.error { _ = try KeypointFiles.only(folder.path, said(size: ImageSize("640x480"))).clip(0) }
    #expect(error.contains("found 490197 frames; split the recording into clips"), "\(error)")
  }

  /// Against a reading by Python's json.
  @Test func theRecording() throws {
    guard let path = Shared.recordings("formats/movenet") else { return }
    #expect(Importers.recognising(path).map { $0.format } == ["keypoints"])
    let clip = try KeypointFiles.only(path).clip(0)
    #expect(clip.keypoints?.frameCount == 116)
    #expect(try clip.place(16, 115) == [84.9372386932373, 187.32487678527832, 0.7933066487312317])
    #expect(try clip.place(9, 57) == [449.9161148071289, 211.32749319076538, 0.500694215297699])
  }
}
