import Datasets
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
    #expect(labels.faults == [Labels.Fault(rep: 0, rater: "vera@example.org", fault: "shallow", present: true)])
    #expect(labels.intervals.isEmpty)
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
