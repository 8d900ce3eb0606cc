import Importers
import PoseModel
import TestSupport
import Testing

@Suite struct MediaPipeJSONTests {
  let folder: ImportFolder
  let options = said(size: ImageSize("1000x500"))

  init() throws { folder = try ImportFolder() }

  /// Landmark k at (x + k/100, k/50).
  static func landmarks(_ x: Double, count: Int = 33) -> String {
    let list = (0..<count).map {
      #"{"x":\#(x + Double($0) / 100),"y":\#(Double($0) / 50),"z":-0.5,"visibility":0.9,"presence":1}"#
    }
    return "[\(list.joined(separator: ","))]"
  }

  @Test(arguments: ["landmarks", "poseLandmarks", "pose_landmarks", "keypoints", ""], [true, false])
  func framesAreAList(_ key: String, _ isWrapped: Bool) throws {
    func frame(_ landmarks: String) -> String {
      key.isEmpty ? landmarks : "{\"\(key)\":\(landmarks),\"worldLandmarks\":[[{\"x\":9,\"y\":9}]]}"
    }
    let list = "[\(frame(Self.landmarks(0.25))),\(frame("[]")),\(frame("[" + Self.landmarks(0.5) + "]"))]"
    try folder.write(isWrapped ? "{\"fps\":30,\"frames\":\(list)}" : list, to: "a.json")
    #expect(Importers.recognising(folder.path).map { $0.format } == ["keypoints"])
    let clip = try KeypointFiles.only(folder.path, options).clip(0)
    #expect(clip.presence == [true, false, true])
    #expect(try clip.place(25, 0) == [0.5, 0.5, 0.9])
    #expect(try clip.place(25, 2) == [0.75, 0.5, 0.9])
    #expect(clip.keypoints?.values(25, .z).first == -0.5)
  }

  @Test func framesMayHaveNumbersOrTimes() throws {
    let numbered =
      "[{\"frame\":0,\"landmarks\":\(Self.landmarks(0.1))},{\"frame\":4,\"landmarks\":\(Self.landmarks(0.1))}]"
    try folder.write(numbered, to: "a.json")
    #expect(try KeypointFiles.only(folder.path, options).clip(0).presence == [true, false, false, false, true])
    try folder.write(numbered.replacing("\"frame\"", with: "\"timestamp_ms\""), to: "a.json")
    var options = options
    options.fps = nil
    #expect(
      try KeypointFiles.only(folder.path, options).clip(0).keypoints?.times.map(\.count) == [0, 4000])
  }

  static let wrong: [(text: String, words: String)] = [
    ("[{\"landmarks\":\(landmarks(0, count: 32))}]", "found [].landmarks with 32 points"),
    ("[{\"landmarks\":[{\"x\":1,\"visibility\":1}]}]", "found [].landmarks with x alone"),
  ]

  @Test(arguments: wrong) func wrongFilesAreNamed(_ text: String, _ words: String) throws {
    try folder.write(text, to: "a.json")
    let error = folder.error { _ = try KeypointFiles.datasets(from: folder.path, options: options)[0].clip(0) }
    #expect(error.hasSuffix(words), "\(error)")
  }

  /// Against a reading by Python's json.
  @Test func aRecording() throws {
    guard let path = Shared.recordings("pushfit") else { return }
    let clips = try KeypointFiles.only(path + "/mediapipe/correct/correct1.json", options).clips()
    #expect(clips.map(\.info.name) == ["correct1"])
    #expect(try clips[0].place(0, 0) == [0.8143925666809082, 0.37448692321777344, 0.9893381595611572])
  }
}
