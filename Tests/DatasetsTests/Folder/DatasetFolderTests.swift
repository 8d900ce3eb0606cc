import Datasets
import Foundation
import PoseModel
import Testing

struct DatasetFolderTests {
  private func s(_ tenths: Int64) -> Microseconds { Microseconds(tenths * 100_000) }

  @Test func readsEverythingButThePoses() throws {
    let sample = try SampleDataset.folder()
    let folder = try DatasetFolder(sample.path)
    #expect(folder.manifest.name == "mine")
    #expect(folder.skeleton.name == "coco-17")
    #expect(folder.clips.map(\.info.name) == ["a01", "a02", "a03", "a04"])
    #expect(folder.clips.map(\.posesFile) == ["poses/a01.npy", "poses/a02.csv", nil, nil])
    #expect(
      folder.clips[0].info
        == Clip.Info(name: "a01", subject: "s1", exercise: "squat", view: "side", fps: 10, split: "train"))
    #expect(
      folder.clips[2].info
        == Clip.Info(name: "a03", subject: "s2", exercise: "lunge", view: "", fps: 29.97, split: ""))
    #expect(
      folder.clips[0].labels
        == GroundTruth(
          reps: [Rep(start: s(0), end: s(4), turn: Microseconds(250_000)), Rep(start: s(4), end: s(9))],
          grades: [
            GroundTruth.Grade(rep: 0, rater: "anna", criterion: "form", value: 80),
            GroundTruth.Grade(rep: nil, rater: "anna", criterion: "form", value: 72.5),
          ],
          faults: [
            GroundTruth.Fault(rep: 1, rater: "anna", name: "heels up", present: true),
            GroundTruth.Fault(rep: 1, rater: "bert", name: "heels up", present: false),
          ]))
    #expect(
      folder.clips[1].labels
        == GroundTruth(
          events: [LabelledInstant(time: Microseconds(150_000), label: "impact")],
          intervals: [Segment(start: s(0), end: Microseconds(250_000), label: "swing, slow")]))
  }

  /// Nobody marked reps, somebody counted five, somebody saw that there are none.
  @Test func tellsUnlabelledFromNone() throws {
    let sample = try SampleDataset.folder()
    let labels = try DatasetFolder(sample.path).clips.map(\.labels)
    #expect(labels.map(\.repCount) == [2, nil, 5, 0])
    #expect(labels.map(\.reps?.count) == [2, nil, nil, 0])
  }

  @Test func readsPoses() throws {
    let sample = try SampleDataset.folder()
    let folder = try DatasetFolder(sample.path)
    let steady = try #require(try folder.clip(0).keypoints)
    #expect(steady.times == (0..<10).map { s($0) })
    #expect(steady.column(16, .y).map(Array.init) == [Float](repeating: 16, count: 10))
    #expect(steady.column(16, .x).map(Array.init) == (0..<10).map(Float.init))
    #expect(steady.column(3, .confidence)?.allSatisfy { $0 == 0.5 } == true)
    let uneven = try #require(try folder.clip(1).keypoints)
    #expect(uneven.times == [s(0), s(1), Microseconds(250_000)])
    #expect(uneven.column(0, .x)?.first == 1.5)
    #expect(uneven.column(0, .x)?.last?.isNaN == true)
    #expect(try folder.clip(2).keypoints == nil)
  }

  @Test func listsTheFilesThatBelongToIt() throws {
    let sample = try SampleDataset.folder()
    try sample.write("not of the dataset", to: "README.md")
    try sample.write("", to: "poses/other.csv")
    #expect(
      try DatasetFolder(sample.path).files == [
        "clips.csv", "dataset.yaml", "events.csv", "faults.csv", "grades.csv", "intervals.csv", "poses/a01.npy",
        "poses/a02.csv", "reps.csv",
      ])
  }

  @Test func namesFilesAsTheFolderWasGiven() throws {
    let sample = try SampleDataset.folder()
    let folder = try DatasetFolder(sample.path + "//")
    #expect(folder.path("reps.csv") == sample.path + "/reps.csv")
  }

  @Test func writesWhatItHasRead() throws {
    let sample = try SampleDataset.folder()
    let folder = try DatasetFolder(sample.path)
    let dataset = Dataset(manifest: folder.manifest, clips: try folder.clips.indices.map { try folder.clip($0) })
    let copy = sample.outside.appendingPathComponent("deep/copy").path
    try DatasetFolder.write(dataset, to: copy)
    let (files, copied) = try (sample.snapshot(), sample.snapshot("deep/copy"))
    #expect(Set(files.keys) == Set(copied.keys))
    // Frame numbers are not kept, and what had no field of its own is written in full.
    var expected = files
    expected["poses/a02.csv"] = Data(
      SampleDataset.uneven.replacingOccurrences(of: "\n3,", with: "\n2,").utf8)
    for (name, bytes) in expected { #expect(copied[name] == bytes, "\(name)") }
  }

  @Test func writesTheSameBytesAgain() throws {
    let sample = try SampleDataset.folder()
    for (from, to) in [("mine", "one"), ("one", "two")] {
      let folder = try DatasetFolder(sample.outside.appendingPathComponent(from).path)
      var indices = folder.clips.indices.makeIterator()
      try DatasetFolder.write(folder.manifest, to: sample.outside.appendingPathComponent(to).path) {
        try indices.next().map { try folder.clip($0) }
      }
    }
    #expect(try sample.snapshot("one") == sample.snapshot("two"))
  }

  @Test func writesNoFilesThatNobodyNeeds() throws {
    let sample = try SampleDataset.folder()
    var dataset = Dataset(manifest: try DatasetFolder(sample.path).manifest, clips: [])
    dataset.clips = [
      Clip(
        info: Clip.Info(name: "x", subject: "=s", exercise: "squat", view: "", fps: 30, split: ""), keypoints: nil,
        labels: GroundTruth())
    ]
    try DatasetFolder.write(dataset, to: sample.outside.appendingPathComponent("other").path)
    #expect(Set(try sample.snapshot("other").keys) == ["clips.csv", "dataset.yaml"])
    let back = try DatasetFolder(sample.outside.appendingPathComponent("other").path)
    #expect(back.clips.map(\.info) == dataset.clips.map(\.info))
    #expect(back.clips.map(\.labels) == [GroundTruth()])
  }
}
