import Importers
import PoseModel
import Testing

@Suite struct LabelStudioTests {
  let store: LabelStore

  init() throws { store = try LabelStore() }

  /// Frames count from 1. The second annotation was cancelled, the prediction is no annotation.
  static func export(
    _ ranges: String = "[{\"start\": 4, \"end\": 28}]", video: String = "/data/upload/1/0a1b2c3d-anna.mp4"
  ) -> String {
    """
    [{"id": 1, "data": {"video": "\(video)"}, "file_upload": "0a1b2c3d-anna.mp4",
      "annotations": [
       {"id": 7, "completed_by": {"id": 1, "email": "vera@example.org"}, "was_cancelled": false, "result": [
         {"type": "timelinelabels", "from_name": "Reps", "to_name": "video",
          "value": {"ranges": \(ranges), "timelinelabels": ["rep"]}},
         {"type": "timelinelabels", "from_name": "Faults", "value": {"ranges": [{"start": 5, "end": 5}], "timelinelabels": ["shallow"]}},
         {"type": "videorectangle", "value": {"labels": ["hand"], "sequence": []}}]},
       {"id": 8, "was_cancelled": true, "result": [
         {"from_name": "Reps", "value": {"ranges": [{"start": 1, "end": 60}], "timelinelabels": ["rep"]}}]}],
      "predictions": [{"result": [{"value": {"ranges": [{"start": 1, "end": 9}], "timelinelabels": ["x"]}}]}]}]
    """
  }

  @Test func timelineLabelsAreFramesFromOne() throws {
    #expect(try store.label("export.json", Self.export()).format == "label-studio")
    let labels = try store.labels("anna")
    #expect(labels.reps == [Rep(100, 900)])
    #expect(labels.faults == [GroundTruth.Fault(rep: 0, rater: "vera@example.org", name: "shallow", present: true)])
    #expect(labels.intervals.isEmpty)
  }

  /// The tool's files do not say how many frames a second it counted; clips have 30. Of 25 a second, frames 3 and 27 are
  /// at 0.12 and 1.08 s.
  @Test func timelineLabelsMayHaveTheToolsOwnRate() throws {
    #expect(try store.label("export.json", Self.export()).timelineRates == [30])
    let outcome = try store.label("export.json", Self.export(), mapping: "fps: 25\n", replacing: true)
    #expect(outcome.timelineRates.isEmpty)
    #expect(try store.labels("anna").reps == [Rep(120, 1080)])
    let error = try store.error("export.json", Self.export(), mapping: "fps: 0\n")
    #expect(error.contains("expected frames a second from 0.01 to 1000 for fps"), "\(error)")
  }

  static func task(_ results: String, data: String = "\"video\": \"anna.mp4\"") -> String {
    "[{\"id\": 1, \"data\": {\(data)}, \"annotations\": [{\"completed_by\": 3, \"result\": [\(results)]}]}]"
  }

  /// A sound track is marked in seconds, a text in letters.
  @Test func aVideoMayBeMarkedByItsSound() throws {
    let results = """
      {"from_name": "tricks", "to_name": "audio", "type": "labels", "original_length": 2,
       "value": {"start": 0.25, "end": 0.75, "channel": 0, "labels": ["warm-up"]}},
      {"from_name": "tricks", "type": "labels", "value": {"start": 1.5, "end": 1.5, "channel": 0, "labels": ["call"]}},
      {"from_name": "ner", "type": "labels", "value": {"start": 1, "end": 9, "text": "sentence", "labels": ["noun"]}}
      """
    try store.label("export.json", Self.task(results))
    let labels = try store.labels("anna")
    #expect(
      labels.intervals == [Segment(start: Microseconds(250_000), end: Microseconds(750_000), label: "warm-up")])
    #expect(labels.events == [LabelledInstant(time: Microseconds(1_500_000), label: "call")])
  }

  /// A series has the unit of its own time column, which the mapping tells.
  @Test(arguments: [("seconds", "0.5", "1.25"), ("milliseconds", "500", "1250"), ("frames", "15", "37.5")])
  func aTimeSeriesHasTheUnitOfItsTimes(_ unit: String, _ start: String, _ end: String) throws {
    let results = """
      {"from_name": "label", "to_name": "ts", "type": "timeserieslabels",
       "value": {"start": \(start), "end": \(end), "instant": false, "timeserieslabels": ["Run"]}}
      """
    try store.label(
      "export.json", Self.task(results, data: "\"csv\": \"/data/upload/1/0a1b2c3d-anna.csv\""),
      mapping: "times: \(unit)\n")
    // 37.5 frames are taken for the nearest whole one.
    let end = unit == "frames" ? Microseconds(frame: 38, rate: 30) : Microseconds(1_250_000)
    #expect(
      try store.labels("anna").intervals == [Segment(start: Microseconds(500_000), end: end, label: "Run")])
  }

  /// A box is there from an enabled keyframe to the next that is not, or to the end; the copy of it that Label Studio
  /// exports under a timeline's name has no ranges.
  @Test func aBoxIsAnIntervalWhileItIsThere() throws {
    let sequence =
      "[{\"frame\": 4, \"enabled\": true, \"x\": 1, \"time\": 0.1}, {\"frame\": 10, \"enabled\": true}, "
      + "{\"frame\": 16, \"enabled\": false}, {\"frame\": 31, \"enabled\": true}]"
    let results = """
      {"id": "a", "from_name": "box", "type": "videorectangle",
       "value": {"framesCount": 60, "duration": 2, "sequence": \(sequence), "labels": ["bar"]}},
      {"id": "a", "from_name": "line", "type": "timelinelabels",
       "value": {"framesCount": 60, "sequence": \(sequence), "timelinelabels": ["bar"]}}
      """
    try store.label("export.json", Self.task(results))
    #expect(
      try store.labels("anna").intervals == [
        Segment(start: Microseconds(100_000), end: Microseconds(500_000), label: "bar"),
        Segment(start: Microseconds(1_000_000), end: Microseconds(frame: 59, rate: 30), label: "bar"),
      ])
  }

  /// Fifty frames in the two seconds of 60 frames are 25 a second: frame 11 is at 10/25 s, frame 26 at 25/25 s.
  @Test func aBoxHasTheTimesOfTheToolsFrames() throws {
    let results = """
      {"from_name": "box", "type": "videorectangle",
       "value": {"framesCount": 50, "duration": 2.0, "labels": ["bar"],
        "sequence": [{"frame": 11, "time": 0.44, "enabled": true}, {"frame": 26, "time": 1.04, "enabled": false}]}}
      """
    try store.label("export.json", Self.task(results))
    #expect(
      try store.labels("anna").intervals == [
        Segment(start: Microseconds(400_000), end: Microseconds(1_000_000), label: "bar")
      ])
  }

  /// As JSON-MIN has it: what the tags say stands beside what the task is of.
  @Test func aCompactExportSaysTheSame() throws {
    let text = """
      [{"video": "/data/upload/1/0a1b2c3d-anna.mp4", "id": 1,
        "Reps": [{"ranges": [{"start": 4, "end": 28}], "timelinelabels": ["rep"]}],
        "Faults": [{"ranges": [{"start": 5, "end": 5}], "timelinelabels": ["shallow"]}],
        "quality": "good", "notes": ["a", "b"], "annotator": 7, "annotation_id": 3,
        "created_at": "2026-01-01T00:00:00Z", "updated_at": "2026-01-01T00:00:00Z", "lead_time": 4.5}]
      """
    #expect(try store.label("export.json", text).format == "label-studio")
    let labels = try store.labels("anna")
    #expect(labels.reps == [Rep(100, 900)])
    #expect(labels.faults == [GroundTruth.Fault(rep: 0, rater: "7", name: "shallow", present: true)])
  }

  /// As CSV has it, sorted by column and quoted.
  @Test func aTableSaysTheSame() throws {
    let header =
      #""Faults","Reps","annotation_id","annotator","created_at","id","lead_time","notes","updated_at","video","was_cancelled""#
    func line(_ reps: String, cancelled: String = "False") -> String {
      #""[{""ranges"": [{""start"": 5, ""end"": 5}], ""timelinelabels"": [""shallow""]}]","\#(reps)",3,"vera@example.org","#
        + #""2026-01-01T00:00:00Z",1,4.5,"two\#nlines","2026-01-01T00:00:00Z","/data/upload/1/0a1b2c3d-anna.mp4","\#(cancelled)""#
    }
    let reps = #"[{""ranges"": [{""start"": 4, ""end"": 28}], ""timelinelabels"": [""rep""]}]"#
    let text = [header, line(reps), line(reps, cancelled: "True")].joined(separator: "\n") + "\n"
    #expect(try store.label("export.csv", text).format == "label-studio-csv")
    let labels = try store.labels("anna")
    #expect(labels.reps == [Rep(100, 900)])
    #expect(labels.faults == [GroundTruth.Fault(rep: 0, rater: "vera@example.org", name: "shallow", present: true)])
    let error = try store.error(
      "export.csv", [header, line(reps.replacing("28}", with: "2}"))].joined(separator: "\n"))
    #expect(error.hasPrefix("export.csv:2: expected a range of frames from 1"), "\(error)")
  }

  @Test func whatMarksNoTimeIsNamed() throws {
    let results = """
      {"from_name": "kp", "type": "keypointlabels", "value": {"x": 1, "y": 2, "keypointlabels": ["nose"]}},
      {"from_name": "good", "type": "choices", "value": {"choices": ["yes"]}}
      """
    let error = try store.error("export.json", Self.task(results))
    #expect(error.hasSuffix("found only choices, keypointlabels, which mark no usable time"), "\(error)")
  }

  /// No table of a dataset could hold it.
  @Test func aLabelWithoutWordsIsRefused() throws {
    let results = """
      {"from_name": "label", "type": "timeserieslabels", "value": {"start": 0.1, "end": 0.9, "timeserieslabels": [" "]}}
      """
    let error = try store.error("export.json", Self.task(results))
    #expect(error.contains("clip anna: expected a label, found none"), "\(error)")
  }

  @Test func datesAreNotLeftOutInSilence() throws {
    let results = """
      {"from_name": "label", "type": "timeserieslabels", "value": {"start": 0.1, "end": 0.9, "timeserieslabels": ["a"]}},
      {"from_name": "label", "type": "timeserieslabels",
       "value": {"start": "2023-01-10T10:15:00Z", "end": "2023-01-10T10:15:01Z", "timeserieslabels": ["b"]}}
      """
    let error = try store.error("export.json", Self.task(results))
    #expect(error.contains("expected numbers for start and end before this place"), "\(error)")
    #expect(error.contains("found the date 2023-01-10T10:15:00Z"), "\(error)")
  }

  static let wrongExports: [(text: String, words: String)] = [
    (export("[{\"start\": 0, \"end\": 3}]"), "expected a range of frames from 1"),
    (export("[{\"start\": 9, \"end\": 3}]"), "expected a range of frames from 1"),
    (export("[{\"start\": 9, \"end\": 1099511627776}]"), "expected a range of frames from 1"),
    (export("[{\"start\": 9, \"end\": 99}]"), "clip anna: expected a frame up to 60, found 98"),
    (export("7"), "expected a list"),
    (
      export(video: "eva.mp4").replacing("0a1b2c3d-anna", with: "eva"),
      "expected a recording that is a clip of the dataset"
    ),
    (String(export().prefix(300)), "export.json"),
    (
      export().replacing("\"value\": {\"labels\"", with: "\"value\": " + String(repeating: "[", count: 100_000)),
      "expected"
    ),
  ]

  @Test(arguments: wrongExports) func wrongExportsChangeNothing(_ text: String, _ words: String) throws {
    let error = try store.error("export.json", text)
    #expect(error.contains(words), "\(error.prefix(300))")
  }
}
