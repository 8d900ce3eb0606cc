import Datasets
import Foundation
import PoseModel
import TestSupport
import Testing

struct DatasetFolderWriteTests {
  private struct Stop: Error {}

  private func dataset(_ change: (inout Clip) -> Void) throws -> Dataset {
    let sample = try SampleDataset.folder()
    let folder = try DatasetFolder(sample.path)
    var clip = try folder.clip(0)
    change(&clip)
    return Dataset(manifest: folder.manifest, clips: [clip])
  }

  private func message(_ change: (inout Clip) -> Void) throws -> String {
    let folder = try TestFolder()
    let dataset = try dataset(change)
    let text = folder.error { try DatasetFolder.write(dataset, to: folder.path) }
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.outside.path) == [])
    return text
  }

  @Test func refusesWhatItWouldNotRead() throws {
    #expect(
      try message { $0.info.name = "../a" }
        == "mine/clips.csv: clip ../a: expected a name of up to 200 letters, digits, '.', '_' and '-' that does not begin with "
        + "'.' or '-', found \"../a\"")
    #expect(
      try message { $0.info.fps = .nan }
        == "mine/clips.csv: clip a01: expected 0.01 to 1000 frames a second, found nan")
    #expect(
      try message { $0.info.subject = "" }
        == "mine/clips.csv:2: expected a text without spaces around it or control characters in column subject, "
        + "found an empty field")
    #expect(
      try message { $0.labels.reps?[1].end = Microseconds(0) }
        == "mine/reps.csv:3: clip a01: expected an end after the start 0.4 s, found 0 s")
    #expect(
      try message { $0.labels.repCount = 7 }
        == "mine/clips.csv:2: clip a01: expected rep_count 2, the number of the clip's rows in reps.csv, found 7")
    #expect(
      try message { $0.labels.grades[0].value = .nan }
        == "mine/grades.csv:2: expected a number in column grade, found \"nan\"")
    #expect(
      try message { $0.labels.events = [LabelledInstant(time: Microseconds(2_000_000), label: "late")] }
        == "mine/events.csv: clip a01: expected event \"late\" by 1 s, the end of the clip, found 2 s")
  }

  @Test func refusesPosesThatAreNotTheManifests() throws {
    func poses(_ count: Int, _ channels: [Channel], _ times: [Int64], _ value: Float = 0) -> Keypoints {
      Keypoints(
        times: times.map { Microseconds($0) }, keypointCount: count, channels: channels,
        values: [Float](repeating: value, count: count * channels.count * times.count))
    }
    let all: [Channel] = [.x, .y, .confidence]
    #expect(
      try message { $0.keypoints = poses(33, all, [0]) }
        == "mine/poses/a01.npy: clip a01: expected 17 keypoints (coco-17), found 33")
    #expect(
      try message { $0.keypoints = poses(17, [.x, .y], [0]) }
        == "mine/poses/a01.npy: clip a01: expected channels x, y, confidence, found x, y")
    #expect(
      try message { $0.keypoints = poses(17, all, []) }
        == "mine/poses/a01.npy: clip a01: expected at least one frame, found none")
    #expect(
      try message { $0.keypoints = poses(17, all, [0, 5, 5]) }
        == "mine/poses/a01.csv: clip a01: expected a time after 0.000005 s, found 0.000005 s")
    #expect(
      try message { $0.keypoints = poses(17, all, [-1, 5]) }
        == "mine/poses/a01.csv: clip a01: expected times from 0, found -0.000001 s")
    #expect(
      try message { $0.keypoints = poses(17, all, [0], -.infinity) }
        == "mine/poses/a01.npy: clip a01: expected numbers or NaN, found an infinity in frame 0, nose x")
  }

  @Test func refusesTwoClipsOfOneNameAndNone() throws {
    let folder = try TestFolder()
    var dataset = try dataset { _ in }
    dataset.clips.append(dataset.clips[0])
    #expect(
      folder.error { try DatasetFolder.write(dataset, to: folder.path) }
        == "mine/clips.csv: clip a01: expected a unique clip name, found the name of another clip")
    dataset.clips = []
    #expect(
      folder.error { try DatasetFolder.write(dataset, to: folder.path) }
        == "mine/clips.csv: expected at least one clip, found a header without rows")
  }

  @Test func leavesNothingHalfThere() throws {
    let folder = try TestFolder()
    let dataset = try dataset { _ in }
    var calls = 0
    #expect(throws: Stop.self) {
      try DatasetFolder.write(dataset.manifest, to: folder.path) {
        calls += 1
        // What is written so far is beside the place, not in it.
        #expect(!FileManager.default.fileExists(atPath: folder.path))
        if calls == 2 { throw Stop() }
        return dataset.clips[0]
      }
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.outside.path) == [])
  }

  @Test func clearsAwayWhatAKilledWriterLeft() throws {
    let folder = try TestFolder()
    let left = folder.outside.appendingPathComponent(".mine.partial/poses")
    try FileManager.default.createDirectory(at: left, withIntermediateDirectories: true)
    try Data("half".utf8).write(to: left.appendingPathComponent("a01.npy"))
    try DatasetFolder.write(try dataset { _ in }, to: folder.path)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.outside.path) == ["mine"])
    #expect(folder.openingError() == "no error")
  }

  @Test func keepsTwoWritersApart() throws {
    let folder = try TestFolder()
    let dataset = try dataset { _ in }
    var clips = dataset.clips.makeIterator()
    try DatasetFolder.write(dataset.manifest, to: folder.path) {
      #expect(
        folder.error { try DatasetFolder.write(dataset, to: folder.path) }
          == "mine: expected no other writer, found another process writing it; wait until it ends")
      return clips.next()
    }
    #expect(folder.openingError() == "no error")
  }

  @Test func replacesNothing() throws {
    let folder = try TestFolder()
    let dataset = try dataset { _ in }
    try folder.write("keep", to: "notes.txt")
    #expect(
      folder.error { try DatasetFolder.write(dataset, to: folder.path) }
        == "mine: expected a new or an empty folder, found a folder that is not empty")
    #expect(try folder.snapshot() == ["notes.txt": Data("keep".utf8)])
    #expect(
      folder.error { try DatasetFolder.write(dataset, to: folder.path + "/notes.txt") }
        == "mine/notes.txt: expected a new or an empty folder, found something else with that name")
    try FileManager.default.removeItem(atPath: folder.path + "/notes.txt")
    try DatasetFolder.write(dataset, to: folder.path + "/")
    #expect(folder.openingError() == "no error")
  }

  /// A microsecond beside the frame's place is not the frame's place.
  @Test(arguments: [(0, "npy"), (1, "csv")] as [(Int64, String)])
  func choosesTheFormatByTheTimes(_ shift: Int64, _ format: String) throws {
    let folder = try TestFolder()
    let dataset = try dataset { clip in
      // 1/29.97 s = 33366.7 µs
      clip.info.fps = 29.97
      clip.labels = GroundTruth()
      clip.keypoints = Keypoints(
        times: [Microseconds(0), Microseconds(33_367 + shift)], keypointCount: 17, channels: [.x, .y, .confidence],
        values: [Float](repeating: 1, count: 102))
    }
    try DatasetFolder.write(dataset, to: folder.path)
    let back = try DatasetFolder(folder.path)
    #expect(back.clips[0].posesFile == "poses/a01.\(format)")
    #expect(try back.clip(0).keypoints?.times == dataset.clips[0].keypoints?.times)
  }
}
