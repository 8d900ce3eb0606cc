import Datasets
import Files
import Foundation
import Importers
import PoseModel
import TestSupport
import Testing

/// The same three frames in the layouts in which people write them.
@Suite struct LandmarkLayoutsTests {
  let folder: ImportFolder

  init() throws { folder = try ImportFolder() }

  private static let names = Skeleton.blazePose33.keypoints

  /// x, y, z and visibility of a landmark: in a frame f, x is 0.3 + k / 100 + f / 1000.
  private static func values(_ landmark: Int, _ frame: Int) -> [String] {
    func thousandths(_ number: Int) -> String { "\(Double(number) / 1000)" }
    return [thousandths(300 + 10 * landmark + frame), thousandths(200 + 20 * landmark), thousandths(-landmark), "0.9"]
  }

  private static func frames(_ text: (Int) -> String) -> String { (0..<3).map(text).joined(separator: ",") }

  private static func landmarks(_ frame: Int, _ text: (Int, [String]) -> String) -> String {
    (0..<33).map { text($0, values($0, frame)) }.joined(separator: ",")
  }

  private static func object(_ values: [String]) -> String {
    "\"x\":\(values[0]),\"y\":\(values[1]),\"z\":\(values[2]),\"visibility\":\(values[3])"
  }

  private static func list(_ frame: Int) -> String { "[\(landmarks(frame) { "{\(object($1))}" })]" }

  private static let json: [(name: String, text: String)] = [
    ("MessageToDict", "[\(frames { "{\"landmark\":\(list($0))}" })]"),
    ("pose_landmarks", "[\(frames { "{\"frame\":\($0),\"pose_landmarks\":{\"landmark\":\(list($0))}}" })]"),
    (
      "Gson",
      "[\(frames { frame in "{\"landmarks\":[[\(landmarks(frame) { "{\"x\":\($1[0]),\"y\":\($1[1]),\"z\":\($1[2]),\"visibility\":{\"value\":\($1[3])}}" })]]}" })]"
    ),
    (
      "ML Kit",
      "[\(frames { frame in "{\"landmarks\":[\(landmarks(frame) { "{\"type\":\($0),\"position3D\":{\"x\":\($1[0]),\"y\":\($1[1]),\"z\":\($1[2])},\"inFrameLikelihood\":\($1[3])}" })]}" })]"
    ),
    ("by name", "[\(frames { frame in "{\(landmarks(frame) { "\"\(names[$0])\":{\(object($1))}" })}" })]"),
    (
      "lists by NAME",
      "[\(frames { frame in "{\"landmarks\":{\(landmarks(frame) { "\"\(names[$0].uppercased())\":[\($1.joined(separator: ","))]" })}}" })]"
    ),
    ("nested", "[\(frames { frame in "[\(landmarks(frame) { "[\($1.joined(separator: ","))]" })]" })]"),
    ("flat", "[\(frames { frame in "[\(landmarks(frame) { $1.joined(separator: ",") })]" })]"),
    ("by number", "{\(frames { "\"\($0)\":\(list($0))" })}"),
    ("data", "{\"metadata\":{\"fps\":10},\"data\":[\(frames { "{\"frame_id\":\($0),\"pose\":\(list($0))}" })]}"),
    (
      "beside world landmarks",
      "[\(frames { "{\"poseWorldLandmarks\":[\(list(0))],\"poseLandmarks\":[\(list($0))]}" })]"
    ),
  ]

  private func check(_ clip: Clip, hasConfidence: Bool = true) throws {
    let keypoints = try #require(clip.keypoints)
    #expect(keypoints.times.map(\.count) == [0, 100_000, 200_000])
    for (landmark, frame) in [(0, 0), (25, 1), (32, 2)] {
      let values = Self.values(landmark, frame).compactMap { Float($0) }
      #expect(keypoints.values(landmark, .x)[frame] == values[0])
      #expect(keypoints.values(landmark, .y)[frame] == values[1])
      #expect(keypoints.values(landmark, .z)[frame] == values[2])
      #expect(keypoints.values(landmark, .confidence) == (hasConfidence ? [0.9, 0.9, 0.9] : []))
    }
  }

  private func clip(_ format: String) throws -> Clip {
    #expect(Importers.recognising(folder.path).map { $0.format } == [format])
    let importer = try #require(Importers.recognising(folder.path).first)
    let sources = try Importers.datasets(importer, from: folder.path, options: said(size: ImageSize("1000x500")))
    #expect(sources[0].manifest.coordinates.unit == .image(aspect: 2))
    return try sources[0].clip(0)
  }

  @Test(arguments: json.map(\.name)) func jsonInAnyStructure(_ name: String) throws {
    let text = try #require(Self.json.first { $0.name == name }).text
    try folder.write(text, to: "anna.json")
    try check(clip("keypoints"))
  }

  /// The first frames tell what each number is; a later one has its keys in another order, lacks a point, or has spaces.
  @Test func laterFramesMayDiffer() throws {
    let plain = (0..<8).map { "{\"frame\":\($0),\"landmarks\":\(Self.list($0))}" }
    var frames = plain
    frames[4] = "{\"landmarks\":\(Self.list(4)),\"frame\":4}"
    frames[5] = plain[5].replacing("{\(Self.object(Self.values(25, 5)))}", with: "{\"x\":null,\"y\":null}")
    frames[6] = plain[6].replacing(",", with: ", ")
    try folder.write("[\(frames.joined(separator: ","))]", to: "anna.json")
    let keypoints = try #require(try clip("keypoints").keypoints)
    #expect(keypoints.times.map(\.count) == (0..<8).map { 100_000 * $0 })
    for frame in 0..<8 {
      for landmark in [0, 25, 32] where (landmark, frame) != (25, 5) {
        let values = Self.values(landmark, frame).compactMap { Float($0) }
        #expect(keypoints.values(landmark, .x)[frame] == values[0], "\(landmark) in \(frame)")
        #expect(keypoints.values(landmark, .z)[frame] == values[2], "\(landmark) in \(frame)")
      }
    }
    #expect(keypoints.values(25, .x)[5].isNaN && keypoints.values(25, .y)[5].isNaN)
  }

  /// Numbers of points that change places are no part of a structure.
  @Test func laterFramesMayHaveTheirPointsInAnotherOrder() throws {
    func frame(_ frame: Int, _ order: [Int]) -> String {
      let points = order.map { "{\"id\":\($0),\(Self.object(Self.values($0, frame)))}" }
      return "[\(points.joined(separator: ","))]"
    }
    let frames = (0..<6).map { frame($0, $0 < 4 ? Array(0..<33) : (0..<33).reversed()) }
    try folder.write("[\(frames.joined(separator: ","))]", to: "anna.json")
    let keypoints = try #require(try clip("keypoints").keypoints)
    for frame in 0..<6 {
      let values = Self.values(25, frame).compactMap { Float($0) }
      #expect(keypoints.values(25, .x)[frame] == values[0] && keypoints.values(25, .y)[frame] == values[1], "\(frame)")
    }
  }

  @Test func jsonLines() throws {
    try folder.write((0..<3).map { "{\"landmarks\":\(Self.list($0))}\n" }.joined(), to: "anna.jsonl")
    try check(clip("keypoints"))
    try folder.write("{\"landmarks\":\(Self.list(0))}\n{\"landmarks\":[\n", to: "anna.jsonl")
    #expect(folder.error { _ = try clip("keypoints") }.hasPrefix("anna.jsonl:2: expected"))
  }

  @Test func aFileAFrame() throws {
    for frame in 0..<3 { try folder.write(Self.list(frame), to: "anna/frame_000\(frame).json") }
    let clip = try clip("keypoints")
    #expect(clip.info.name == "anna")
    try check(clip)
  }

  private static func rows(_ separator: String, _ lead: (Int) -> String = { _ in "" }, channels: Int = 4) -> String {
    (0..<3).map { frame in
      let numbers = (0..<33).flatMap { values($0, frame).prefix(channels) }
      return lead(frame) + numbers.joined(separator: separator) + "\n"
    }.joined()
  }

  private static let tables: [(name: String, text: String, hasConfidence: Bool)] = [
    ("132 columns", rows(","), true),
    ("99 columns", rows(",", channels: 3), false),
    ("a number and 132 columns", rows(",", { "\($0)," }), true),
    ("a name, a class and 99 columns", rows(",", { "anna_\($0).jpg,up," }, channels: 3), false),
    (
      "decimal commas",
      (["frame"] + names.flatMap { name in ["x", "y", "z", "v"].map { "\(name)_\($0)" } }).joined(separator: ";") + "\n"
        + rows(";", { "\($0);" }).replacing(".", with: ","), true
    ),
    (
      "tabs",
      names.flatMap { name in ["x", "y", "z", "v"].map { "\(name)_\($0)" } }.joined(separator: "\t") + "\n"
        + rows("\t"), true
    ),
    (
      "tuples",
      (["frame"] + names).joined(separator: ",") + "\n"
        + (0..<3).map { frame in
          "\(frame)," + landmarks(frame) { "\"(\($1.joined(separator: ", ")))\"" } + "\n"
        }.joined(), true
    ),
    (
      "a line a landmark, by number",
      "frame,landmark_id,x,y,z,visibility\n"
        + (0..<3).flatMap { frame in
          (0..<33).map { "\(frame),\($0),\(values($0, frame).joined(separator: ","))\n" }
        }.joined(), true
    ),
    (
      "a line a landmark, by name",
      "timestamp,landmark,x,y,z,visibility\n"
        + (0..<3).flatMap { frame in
          (0..<33).map {
            "\(Double(frame) / 10),PoseLandmark.\(names[$0].uppercased()),\(values($0, frame).joined(separator: ","))\n"
          }
        }.joined(), true
    ),
  ]

  @Test(arguments: tables.map(\.name)) func tablesInAnySpelling(_ name: String) throws {
    let table = try #require(Self.tables.first { $0.name == name })
    try folder.write(table.text, to: name == "tabs" ? "anna.tsv" : "anna.csv")
    try check(clip("keypoints"), hasConfidence: table.hasConfidence)
  }

  @Test func aWrongFieldOfATableIsNamed() throws {
    try folder.write(Self.rows(",").replacing("0.302,", with: "far,"), to: "anna.csv")
    #expect(
      folder.error { _ = try clip("keypoints") } == "anna.csv:3: expected a number in column 1, found \"far\"")
  }

  private static let shapes: [(name: String, shape: [Int])] = [
    ("frames x 33 x 4", [3, 33, 4]), ("frames x 33 x 3", [3, 33, 3]), ("frames x 132", [3, 132]),
    ("frames x 99", [3, 99]), ("frames x 1 x 33 x 4", [3, 1, 33, 4]),
  ]

  @Test(arguments: shapes.map(\.name)) func arraysOfAnyShape(_ name: String) throws {
    let shape = try #require(Self.shapes.first { $0.name == name }).shape
    let channels = shape.reduce(1, *) / 99
    let values = (0..<3).flatMap { frame in
      (0..<33).flatMap { Self.values($0, frame).prefix(channels).compactMap { Float($0) } }
    }
    try TestArray.write(shape, values, to: folder.path + "/anna.npy")
    try check(clip("keypoints"), hasConfidence: channels == 4)
  }

  // MARK: What the numbers are

  /// World landmarks have the middle of the hips at 0,0.
  @Test func worldLandmarksAreMetres() throws {
    let text = (0..<3).map { frame in
      (0..<33).flatMap { k in
        ["\(Double(k - 23) / 100 - 0.005)", "\(Double(abs(k - 23) - (k == 24 ? 1 : 0)) / 50)", "0"]
      }
      .joined(separator: ",")
    }.joined(separator: "\n")
    try folder.write(text, to: "anna.csv")
    let source = try KeypointFiles.only(folder.path, said(size: ImageSize("1000x500")))
    #expect(source.manifest.coordinates.unit == .metre)
    #expect(
      source.remarks == [
        "coordinates are metres about the hips, inferred from their range: the movement of the hips is lost"
      ])
  }

  /// Hips in the image's corner in one frame of three are no origin.
  @Test func hipsThatAreLostInSomeFramesMakeNoMetres() throws {
    let rows = (0..<3).map { frame in
      (0..<33).flatMap { landmark in
        frame == 1 && [23, 24].contains(landmark) ? ["0", "0", "0", "0.9"] : Self.values(landmark, frame)
      }.joined(separator: ",") + "\n"
    }
    try folder.write(rows.joined(), to: "anna.csv")
    let source = try KeypointFiles.only(folder.path, said(size: ImageSize("1000x500")))
    #expect(source.manifest.coordinates.unit == .image(aspect: 2))
    #expect(source.remarks == [])
  }

  @Test func pixelsAreNoShares() throws {
    try folder.write(
      "[" + Self.frames { frame in "[\(Self.landmarks(frame) { "[\($0 * 10 + 100),\($1[1])e3]" })]" } + "]",
      to: "anna.json")
    let source = try KeypointFiles.only(folder.path, said(size: ImageSize("1000x500")))
    #expect(source.manifest.coordinates.unit == .pixel(height: 500))
    #expect(source.remarks == ["coordinates are pixels, inferred from their range"])
    #expect(try source.clip(0).keypoints?.values(25, .x).first == 350)
  }

  @Test func anotherUnitInALaterFileIsRefused() throws {
    try folder.write(Self.rows(","), to: "a.csv")
    try folder.write(Self.rows(",").replacing("0.", with: "30."), to: "b.csv")
    let source = try KeypointFiles.only(folder.path, said(size: ImageSize("1000x500")))
    #expect(
      folder.error { _ = try source.clip(1) }
        == "b.csv: clip b: expected shares of the image, as in the first recording; import others separately, found pixels"
    )
  }

  // MARK: Size, rate and names

  @Test func theFileSaysSizeAndTimes() throws {
    let frames = Self.frames { "{\"timestamp\":\($0 * 50),\"landmarks\":\(Self.list($0))}" }
    try folder.write("{\"width\":1000,\"height\":250,\"frames\":[\(frames)]}", to: "anna.json")
    var options = said(fps: nil)
    options.size = nil
    let source = try KeypointFiles.only(folder.path, options)
    #expect(source.manifest.coordinates.unit == .image(aspect: 4))
    #expect(try source.clip(0).keypoints?.times.map(\.count) == [0, 50_000, 100_000])
  }

  /// A table gives each clip its own; positions become image heights, in which a wide image's x counts more.
  @Test func aTableSaysWhatClipsAre() throws {
    try folder.write(Self.rows(","), to: "anna/a.csv")
    try folder.write(Self.rows(","), to: "ben/b.csv")
    try folder.write(
      "clip,width,height,fps,exercise,subject,view\nanna_a,500,1000,10,squat,anna,front\nb.mp4,1000,500,20,lunge,ben,side\n",
      to: "clips.csv")
    let source = try KeypointFiles.only(folder.path, said(fps: nil, exercise: nil))
    #expect(source.manifest.coordinates.unit == .imageHeight)
    let clips = try source.clips()
    #expect(clips.map(\.info.exercise) == ["squat", "lunge"])
    #expect(clips.map(\.info.subject) == ["anna", "ben"])
    #expect(clips.map(\.info.view) == ["front", "side"])
    #expect(clips.map(\.info.fps) == [10, 20])
    #expect(clips.map { $0.keypoints?.values(0, .x).first } == [0.15, 0.6])
    #expect(clips.map { $0.keypoints?.values(0, .y).first } == [0.2, 0.2])
  }

  @Test func aWrongRowOfTheTableIsNamed() throws {
    try folder.write(Self.rows(","), to: "a.csv")
    try folder.write("clip,width,height\na,0,1000\n", to: "clips.csv")
    #expect(folder.error { _ = try KeypointFiles.only(folder.path) }.hasPrefix("clips.csv:2: expected"))
  }

  /// Upright limbs of a person's lengths and a forearm that is level at times: level lengths are right in 9:16 alone.
  @Test(arguments: [9.0 / 16, 16.0 / 9]) func theLimbsTellTheImagesSides(_ aspect: Double) throws {
    var pose = [Double](repeating: 0.5, count: 66)
    func put(_ landmark: Int, _ x: Double, _ y: Double) {
      (pose[landmark * 2], pose[landmark * 2 + 1]) = (x / aspect, y)
    }
    for side in 0..<2 {
      let x = 0.2 + 0.05 * Double(side)
      put(11 + side, x, 0.2)
      put(13 + side, x + 0.186 / 2, 0.2)
      put(15 + side, x + 0.186 / 2 + 0.146 / 2, 0.2)
      put(23 + side, x, 0.2 + 0.288 / 2)
      put(25 + side, x + 0.245 / 2, 0.2 + 0.288 / 2)
      put(27 + side, x + 0.245 / 2, 0.2 + 0.288 / 2 + 0.246 / 2)
    }
    let line = pose.map { "\($0)" }.joined(separator: ",")
    try folder.write([String](repeating: line, count: 12).joined(separator: "\n"), to: "anna.csv")
    let (clip, remarks) = try KeypointFiles.only(folder.path, said()).read(0)
    let words = aspect < 1 ? "9:16" : "16:9"
    #expect(remarks.first?.contains("assumed \(words), which fits the limbs of a person") == true, "\(remarks)")
    let x = try #require(clip.keypoints?.values(11, .x).first)
    #expect(abs(x - 0.2) < 1e-6)
    let wrong = said(size: aspect < 1 ? ImageSize("1600x900") : ImageSize("900x1600"))
    let warning = try KeypointFiles.only(folder.path, wrong).read(0).remarks
    let fitting = aspect < 1 ? "portrait image, not landscape" : "landscape image, not portrait"
    #expect(warning.first?.contains("the limbs fit a \(fitting): import again with ") == true, "\(warning)")
  }

  /// All limbs upright say nothing of the width.
  @Test func withoutATellingLimbTheSizeIsAskedFor() throws {
    try folder.write(Self.rows(","), to: "anna.csv")
    let error = folder.error { _ = try KeypointFiles.only(folder.path, said()).clip(0) }
    #expect(error.hasPrefix("anna.csv: clip anna: expected the size of the image, as --size WxH"), "\(error)")
  }

  /// Three frames of a stream from 5167 on.
  @Test func aStreamBeginsWhereItsNumbersDo() throws {
    try folder.write(Self.rows(",", { "\(5167 + $0)," }), to: "anna.csv")
    try check(clip("keypoints"))
  }

  @Test func aVideoBesideSaysSizeAndRate() throws {
    try folder.write(Self.rows(","), to: "anna.csv")
    try TestVideo(width: 1920, height: 1080, quarterTurns: 1).write(to: folder.path + "/anna.mp4")
    let (clip, remarks) = try KeypointFiles.only(folder.path, said(fps: nil)).read(0)
    #expect(clip.info.fps == 30)
    // 1080 wide and 1920 high: 0.3 x 1080 / 1920.
    #expect(clip.keypoints?.values(0, .x).first == 0.16875)
    #expect(remarks.first?.contains("as anna.mp4 says: 30 frames a second, 1080x1920") == true, "\(remarks)")
  }

  /// The table's word counts before the file's, the file's before the options', and theirs before the video's.
  @Test func theFirstWordCounts() throws {
    let frames = Self.frames { "{\"landmarks\":\(Self.list($0))}" }
    try TestVideo(width: 1920, height: 1080).write(to: folder.path + "/anna.mp4")
    func expect(_ fps: Double, aspect: Double, sourceLocation: SourceLocation = #_sourceLocation) throws {
      let source = try KeypointFiles.only(folder.path, said(fps: 20, size: ImageSize("1000x500")))
      #expect(source.manifest.coordinates.unit == .image(aspect: aspect), sourceLocation: sourceLocation)
      let clip = try source.clip(0)
      #expect(clip.info.fps == fps, sourceLocation: sourceLocation)
      // The shares of the image are as they were written.
      #expect(clip.keypoints?.values(0, .x).first == 0.3, sourceLocation: sourceLocation)
    }
    // The video has 30 frames a second and 16:9.
    try folder.write("{\"frames\":[\(frames)]}", to: "anna.json")
    try expect(20, aspect: 2)
    try folder.write("{\"width\":1000,\"height\":250,\"fps\":25,\"frames\":[\(frames)]}", to: "anna.json")
    try expect(25, aspect: 4)
    try folder.write("clip,width,height,fps\nanna,500,1000,10\n", to: "clips.csv")
    try expect(10, aspect: 0.5)
  }

  /// Cameras write capitals, and people do not.
  @Test func aTablesNamesMayHaveOtherCapitals() throws {
    try folder.write(Self.rows(","), to: "IMG_0042.csv")
    for name in ["IMG_0042.MOV", "img_0042.mov", "IMG_0042", "Img_0042.csv"] {
      try folder.write("clip,width,height,fps,subject\n\(name),1000,500,10,anna\n", to: "clips.csv")
      let clip = try KeypointFiles.only(folder.path, said(fps: nil)).clip(0)
      #expect(clip.info.name == "IMG_0042" && clip.info.fps == 10 && clip.info.subject == "anna", "\(name)")
    }
  }

  /// The same twice is no contradiction.
  @Test func aTableSaysOneThingOfAClip() throws {
    try folder.write(Self.rows(","), to: "anna.csv")
    try folder.write("clip,fps\nanna,10\nanna.mp4,10\n", to: "clips.csv")
    #expect(try KeypointFiles.only(folder.path, said(fps: nil, size: ImageSize("1000x500"))).clip(0).info.fps == 10)
    try folder.write("clip,fps\nanna,10\nanna.mp4,20\n", to: "clips.csv")
    #expect(
      folder.error { _ = try KeypointFiles.only(folder.path) }
        == "clips.csv:3: expected each clip once in column clip, found \"anna.mp4\"")
  }

  @Test func aVideoHeaderThatIsCutOffIsRefused() throws {
    let video = TestVideo(width: 640, height: 480)
    try video.write(to: folder.path + "/a.mp4")
    #expect(try VideoHeader(InputFile(folder.path + "/a.mp4")).size == ImageSize("640x480"))
    #expect(throws: DataError.self) { try VideoHeader(InputFile(name: "a.mp4", bytes: video.bytes.prefix(60))) }
  }

  /// A telephone held upside down turns the picture by a half, which leaves its sides as they are.
  @Test(arguments: [(0, "640x480"), (1, "480x640"), (2, "640x480"), (3, "480x640")])
  func aTurnedPicture(quarterTurns: Int, size: String) throws {
    let header = try TestVideo(width: 640, height: 480, quarterTurns: quarterTurns).header()
    #expect(header.size == ImageSize(size) && header.fps == 30)
  }

  /// Times of 64 bits, boxes whose lengths have 64, and a sound track before the picture's.
  @Test func aVideoHeaderInItsLongForms() throws {
    var video = TestVideo(width: 640, height: 480)
    video.hasLongTimes = true
    #expect(try video.header().size == ImageSize("640x480"))
    #expect(try video.header().fps == 30)
    video.quarterTurns = 1
    #expect(try video.header().size == ImageSize("480x640"))
    video.hasLongBoxes = true
    #expect(try video.header().size == ImageSize("480x640"))
    video.hasSoundFirst = true
    #expect(try video.header().size == ImageSize("480x640"))
    #expect(try video.header().fps == 30)
    video.hasPicture = false
    #expect(throws: DataError.self) { try video.header() }
  }

  /// 100 frames of 20 ticks and 200 of 40, 600 ticks a second: 300 frames in (2000 + 8000) / 600 s are 18 a second.
  @Test func aVideosRateIsThatOfAllItsFrames() throws {
    var video = TestVideo(width: 640, height: 480)
    video.samples = [(100, 20), (200, 40)]
    #expect(try video.header().fps == 18)
  }
}

/// A `.npy` file of float32.
private enum TestArray {
  static func write(_ shape: [Int], _ values: [Float], to path: String) throws {
    try NumpyArray(shape: shape, values: values).encoded.write(to: URL(fileURLWithPath: path))
  }
}

/// The boxes of an MP4 file with a video track and no samples: 30 frames a second.
private struct TestVideo {
  var width: Int
  var height: Int
  /// By how many quarters the picture is turned.
  var quarterTurns = 0
  /// Whether times have 64 bits (version 1).
  var hasLongTimes = false
  /// Whether the lengths of boxes have 64 bits.
  var hasLongBoxes = false
  var hasSoundFirst = false
  var hasPicture = true
  /// Numbers of frames, with the ticks of each; 600 ticks are a second.
  var samples = [(frames: 300, ticks: 20)]

  func header() throws -> VideoHeader { try VideoHeader(InputFile(name: "a.mp4", bytes: bytes)) }

  func write(to path: String) throws { try bytes.write(to: URL(fileURLWithPath: path)) }

  var bytes: Data {
    let tracks =
      (hasSoundFirst ? track("soun", width: 0, height: 0) : [])
      + (hasPicture ? track("vide", width: width, height: height) : [])
    return Data(box("ftyp", Array("isom".utf8) + zeros(4)) + box("moov", tracks))
  }

  private func track(_ kind: String, width: Int, height: Int) -> [UInt8] {
    let one = 0x10000
    let turn = [(one, 0), (0, one), (-one, 0), (0, -one)][quarterTurns]
    let matrix = [turn.0, turn.1, 0, -turn.1, turn.0, 0, 0, 0, 0x4000_0000].flatMap { number($0) }
    let version: [UInt8] = [hasLongTimes ? 1 : 0, 0, 0, 0]
    let size = number(width << 16) + number(height << 16)
    let header = box("tkhd", version + zeros(hasLongTimes ? 32 : 20) + zeros(16) + matrix + size)
    let length = samples.reduce(0) { $0 + $1.frames * $1.ticks }
    let times = zeros(hasLongTimes ? 16 : 8) + number(600) + number(length, hasLongTimes ? 8 : 4)
    let media = box("mdhd", version + times + zeros(4))
    let handler = box("hdlr", zeros(8) + Array(kind.utf8) + zeros(13))
    let entries = samples.flatMap { number($0.frames) + number($0.ticks) }
    let table = box("stts", zeros(4) + number(samples.count) + entries)
    return box("trak", header + box("mdia", media + handler + box("minf", box("stbl", table))))
  }

  private func number(_ value: Int, _ length: Int = 4) -> [UInt8] {
    (0..<length).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }

  private func box(_ type: String, _ content: [UInt8]) -> [UInt8] {
    let name = Array(type.utf8)
    return hasLongBoxes
      ? number(1) + name + number(content.count + 16, 8) + content : number(content.count + 8) + name + content
  }

  private func zeros(_ count: Int) -> [UInt8] { [UInt8](repeating: 0, count: count) }
}
