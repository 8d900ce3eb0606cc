import Datasets
import Foundation
import Importers
import PoseModel
import TestSupport
import Testing

@Suite struct MediaPipeCSVTests {
  let folder: ImportFolder
  let options = said(size: ImageSize("1000x500"))

  init() throws { folder = try ImportFolder() }

  /// A table of numbered landmarks, each value a hundredth of its number + 0.001 a channel, from `first` on.
  static func numbered(_ first: Int, _ name: (Int, String) -> String, rows: Int = 2) -> String {
    let channels = ["x", "y", "z", "v"]
    let header = (first..<first + 33).flatMap { number in channels.map { name(number, $0) } }
    let row = (0..<33).flatMap { number in channels.indices.map { "\((Double(number) * 10 + Double($0 + 1)) / 1000)" } }
    let lines = [["class"] + header] + (0..<rows).map { _ in ["up"] + row }
    return lines.map { $0.joined(separator: ",") }.joined(separator: "\r\n") + "\r\n"
  }

  @Test(arguments: [0, 1]) func numberedColumnsBeginWithNoneOrOne(_ first: Int) throws {
    try folder.write(Self.numbered(first) { "\($1)\($0)" }, to: "a.csv")
    #expect(Importers.recognising(folder.path).map { $0.format } == ["keypoints"])
    let source = try KeypointFiles.only(folder.path, options)
    #expect(source.manifest.channels == [.x, .y, .z, .confidence])
    #expect(source.manifest.coordinates.unit == .image(aspect: 2))
    let clip = try source.clip(0)
    #expect(clip.keypoints?.times.map(\.count) == [0, 100_000])
    #expect(try clip.place(25, 1) == [0.251, 0.252, 0.254])
    #expect(clip.keypoints?.values(25, .z) == [0.253, 0.253])
  }

  @Test func otherNamesOfNumberedColumnsAreKnown() throws {
    try folder.write(Self.numbered(0) { "landmark_\($0)_\($1)" }, to: "a.csv")
    #expect(try KeypointFiles.only(folder.path, options).clip(0).place(32, 0) == [0.321, 0.322, 0.324])
  }

  /// R quotes the header, Python on demand everything.
  @Test(arguments: [false, true]) func namesAndNumbersMayBeQuoted(_ all: Bool) throws {
    let lines = Self.numbered(0) { "\($1)\($0)" }.split(separator: "\r\n").enumerated().map { index, line in
      index == 0 || all ? line.split(separator: ",").map { "\"\($0)\"" }.joined(separator: ",") : String(line)
    }
    try folder.write(lines.joined(separator: "\n"), to: "a.csv")
    #expect(Importers.recognising(folder.path).map { $0.format } == ["keypoints"])
    let clip = try KeypointFiles.only(folder.path, options).clip(0)
    #expect(try clip.place(25, 1) == [0.251, 0.252, 0.254])
  }

  @Test(arguments: ["a.csv", "a.json", "a_1.txt", "a.trc"]) func utf16WithoutAMarkIsCalledThat(_ name: String) throws {
    let text = Self.numbered(0) { "\($1)\($0)" }
    var bytes = Data()
    for unit in text.utf16 { bytes.append(contentsOf: [UInt8(unit & 0xFF), UInt8(unit >> 8)]) }
    try bytes.write(to: URL(fileURLWithPath: "\(folder.path)/\(name)"))
    let named: any Importer.Type =
      ["a.json": KeypointFiles.self, "a_1.txt": YOLOPose.self, "a.trc": TRC.self][name] ?? KeypointFiles.self
    var errors = [
      folder.error {
        _ = try Importers.datasets(named, from: folder.path, options: named == TRC.self ? .capture() : options)
      }
    ]
    if named != TRC.self {
      errors.append("\(Importers.unknown(folder.path, known: []))".replacing(folder.path + "/", with: ""))
    }
    for error in errors {
      #expect(error.hasPrefix("\(name): expected text in UTF-8, found text in UTF-16"), "\(error)")
    }
  }

  @Test func jsonThatEndsEarlyIsCalledThat() throws {
    try folder.write("[{\"landmarks\": [", to: "a.json")
    let error = "\(Importers.unknown(folder.path, known: []))".replacing(folder.path + "/", with: "")
    #expect(error.hasPrefix("a.json:1: expected"), "\(error)")
  }

  /// A line at each of the times.
  private func timed(_ column: String, _ times: [Double], frames: [Int]? = nil) throws -> (
    clip: Clip, remarks: [String]
  ) {
    let lines = times.enumerated().map { index, time in
      "\(frames?[index] ?? index),\(time),0.5,0.5"
    }
    try folder.write((["frame,\(column),nose_x,nose_y"] + lines).joined(separator: "\n"), to: "a.csv")
    var options = options
    options.fps = nil
    return try KeypointFiles.only(folder.path, options).read(0)
  }

  /// 33 and 50 ms in turns are no 30 frames a second, and no 20: ten steps of 33 ms and nine of 50 make 19 in 0.78 s.
  @Test func aVariableRateIsItsMean() throws {
    var times = [0.0]
    for step in 0..<19 { times.append((times[step] * 1000 + (step % 2 == 0 ? 33 : 50)) / 1000) }
    let (clip, remarks) = try timed("time", times)
    #expect(clip.info.fps == 24.36)
    #expect(remarks == ["a: no fixed frame rate, 33 to 50 ms apart: assumed the mean, 24.36 frames a second"])
  }

  @Test func whatFrameNumbersLeaveOutIsSaid() throws {
    let times = (0..<12).map { Double($0) / 10 }
    let numbers = times.indices.map { $0 < 6 ? $0 : $0 + 5 }
    let (clip, remarks) = try timed("time", times, frames: numbers)
    #expect(clip.info.fps == 10)
    #expect(remarks == ["a: frame numbers skip 5, first 6 to 10; times are used as given"])
  }

  @Test func timesInAnotherUnitThanTheirNameSaysAreRefused() throws {
    let error = folder.error { _ = try timed("time_s", (0..<10).map { Double($0) * 33.3 }) }
    #expect(error.hasPrefix("a.csv: clip a: expected frames 1 to 1000 ms apart, as times in seconds"), "\(error)")
    #expect(error.hasSuffix("found frames 33300 ms apart"), "\(error)")
    for name in ["time_ms", "time"] {
      #expect(try timed(name, (0..<10).map { Double($0) * 33.3 }).clip.info.fps == 30.03)
    }
  }

  @Test func aTimeFarOffIsRefused() throws {
    let error = folder.error { _ = try timed("time", (0..<10).map { Double($0) / 10 } + [1e7]) }
    #expect(error == "a.csv: clip a: expected a time at most an hour after 0.9 s, found 10000000.0 s")
  }

  @Test func namedColumnsMayBeSome() throws {
    try folder.write(
      """
      frame_num,LEFT_KNEE_X,LEFT_KNEE_Y,left_knee_visibility,note
      0,0.5,0.25,0.9,a
      1,,,,
      1,0.9,0.9,0.9,b
      3,0.75,nan,0.5,c
      """, to: "a.csv")
    let (clip, remarks) = try KeypointFiles.only(folder.path, options).read(0)
    #expect(clip.keypoints?.times.map(\.count) == [0, 100_000, 200_000, 300_000])
    #expect(clip.presence == [true, false, false, true])
    // The knees in COCO's order, the shortest that has them.
    #expect(try clip.place(13, 0) == [0.5, 0.25, 0.9])
    #expect(try clip.place(14, 0)[0].isNaN)
    #expect(
      remarks == [
        "a: 1 of 4 frames are missing: no person; no person found in 1 of 3 frames; 1 duplicate frame, the first used"
      ])
  }

  @Test func timesAreTakenAsTheyAre() throws {
    try folder.write(
      "timestamp_ms,nose_x,nose_y\n0,0.1,0.2\n40,0.1,0.2\n80,0.2,0.3\n180,0.3,0.4\n", to: "a.csv")
    var options = options
    options.fps = nil
    let (clip, remarks) = try KeypointFiles.only(folder.path, options).read(0)
    #expect(clip.keypoints?.times.map(\.count) == [0, 40_000, 80_000, 180_000])
    #expect(clip.info.fps == 25)
    #expect(remarks.first?.contains("frames lie 40 to 100 ms apart, mostly 40") == true, "\(remarks)")
    options.fps = 30
    #expect(
      try KeypointFiles.only(folder.path, options).remarks.first
        == "--fps is not used: \(folder.path) has the time of each frame")
  }

  @Test func wrongFieldsAreNamed() throws {
    try folder.write("nose_x,nose_y\n0.1,0.2\n0.1,low\n", to: "a.csv")
    #expect(
      folder.error { _ = try KeypointFiles.only(folder.path, options).clip(0) }
        == "a.csv:3: expected a number in column nose_y, found \"low\"")
    try folder.write("nose_x,nose_y\n", to: "a.csv")
    #expect(
      folder.error { _ = try KeypointFiles.only(folder.path, options).clip(0) }
        == "a.csv: expected at least one frame, found none")
    try folder.write("nose_x,left_knee_y\n0.1,0.2\n", to: "a.csv")
    #expect(!KeypointFiles.recognises(folder.path))
  }

  /// Against a reading by Python's csv.
  @Test func theRecording() throws {
    guard let path = Shared.recordings("formats/mediapipe") else { return }
    #expect(Importers.recognising(path).map { $0.format } == ["keypoints"])
    let clip = try KeypointFiles.only(path, options).clip(0)
    #expect(clip.keypoints?.frameCount == 138)
    #expect(try clip.place(27, 100) == [0.45654574036598206, 0.8819969296455383, 0.8255963325500488])
    #expect(try clip.place(16, 137) == [0.4408056139945984, 0.3180897831916809, 0.14484457671642303])
  }
}
