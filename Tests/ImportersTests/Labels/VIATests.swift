import Datasets
import Importers
import PoseModel
import Testing

@Suite struct VIATests {
  let store: LabelStore

  init() throws { store = try LabelStore() }

  /// A project of VIA 3: metadata on a view of a file, `z` in seconds, `av` by attribute.
  static func project(z: String = "[0.1, 0.9]", view: String = "1", value: String = "0") -> String {
    """
    {"project": {"pid": "__VIA_PROJECT_ID__", "vid_list": ["1"]}, "config": {},
     "attribute": {"1": {"aname": "Reps", "anchor_id": "FILE1_Z2_XY0", "type": 4, "options": {"0": "rep"}},
                   "2": {"aname": "Note", "type": 1, "options": {}}},
     "file": {"1": {"fid": "1", "fname": "ben-2.mp4", "type": 4, "loc": 1, "src": ""}},
     "view": {"1": {"fid_list": ["1"]}},
     "metadata": {"1_a": {"vid": "\(view)", "flg": 0, "z": \(z), "xy": [], "av": {"1": "\(value)"}},
                  "1_b": {"vid": "1", "flg": 0, "z": [1.5], "xy": [2, 1, 1, 9, 9], "av": {"2": "call"}},
                  "1_c": {"vid": "1", "flg": 0, "z": [], "xy": [], "av": {"2": "of the whole file"}}}}
    """
  }

  @Test func segmentsAreLabels() throws {
    #expect(try store.label("project.json", Self.project()).format == "via")
    let labels = try store.labels("ben-2")
    #expect(labels.reps == [Rep(100, 900)])
    #expect(labels.events == [Labels.Event(time: Microseconds(1_500_000), label: "call")])
  }

  static let wrongProjects: [(text: String, words: String)] = [
    (
      project(z: "[0.9, 0.1]"),
      "project.json: expected one time or a start and an end after it of metadata 1_a, found 0.9, 0.1"
    ),
    (project(z: "[-1, 0.1]"), "expected times in seconds from 0 of metadata 1_a, found -1.0"),
    (project(z: "[1e300, 2e300]"), "expected times in seconds from 0 of metadata 1_a"),
    (project(z: "[0.1, 0.2, 0.3]"), "expected one time or a start and an end"),
    (project(view: "9"), "expected a view with a file of metadata 1_a, found view 9"),
    (
      project().replacing("\"av\": {\"1\"", with: "\"av\": {\"7\""),
      "expected a known attribute of metadata 1_a, found 7"
    ),
    (project().replacing("ben-2.mp4", with: "eva.mp4"), "expected a recording that is a clip of the dataset"),
    ("{\"_via_settings\": {}, \"_via_img_metadata\": {}}", "expected a project of VIA 3, the video annotator"),
  ]

  @Test(arguments: wrongProjects) func wrongProjectsChangeNothing(_ text: String, _ words: String) throws {
    let error = try store.error("project.json", text)
    #expect(error.contains(words), "\(error)")
  }
}
