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
    #expect(labels.events == [LabelledInstant(time: Microseconds(1_500_000), label: "call")])
  }

  /// Boxes that are ticked are stored as `0,2`; none as an empty text.
  @Test func eachBoxThatIsTickedIsALabel() throws {
    let boxes = """
      "2": {"aname": "fault", "type": 2, "options": {"0": "knees in", "1": "shallow", "2": "lean, forward"}},
      "3": {"aname": "Note", "type": 1, "options": {}}}
      """
    let text = Self.project().replacing(#""2": {"aname": "Note", "type": 1, "options": {}}}"#, with: boxes)
      .replacing(
        #""z": [1.5], "xy": [2, 1, 1, 9, 9], "av": {"2": "call"}"#,
        with: #""z": [0.2, 0.8], "av": {"2": "0,2", "3": ""}"#
      )
      .replacing(
        #""z": [], "xy": [], "av": {"2": "of the whole file"}"#, with: #""z": [0.3, 0.4], "av": {"2": "", "3": "a,b"}"#)
    try store.label("project.json", text)
    let labels = try store.labels("ben-2")
    #expect(Set(labels.faults.filter(\.present).map(\.name)) == ["knees in", "lean, forward"])
    #expect(labels.intervals.map(\.label) == ["a,b"])
  }

  /// A text box holds lines and spaces, which no table of a dataset does.
  @Test func wordsAreThoseThatATableCanHold() throws {
    let remark = "{\"2\": \" call  me\\nlater\\t\"}"
    try store.label("project.json", Self.project().replacing("{\"2\": \"call\"}", with: remark))
    #expect(try store.labels("ben-2").events.map(\.label) == ["call me later"])
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
    ("{\"_via_settings\": {}, \"_via_img_metadata\": {}}", "expected at least one label, found none"),
    (
      "{\"_via_img_metadata\": {\"a\": {\"filename\": \"anna.png\", \"regions\": []}}}",
      "expected an image of a video's frame, with its number in its name, found \"anna.png\""
    ),
  ]

  @Test(arguments: wrongProjects) func wrongProjectsChangeNothing(_ text: String, _ words: String) throws {
    let error = try store.error("project.json", text)
    #expect(error.contains(words), "\(error)")
  }

  /// Six frames of a clip, one of them without marks; frames 3 to 9 of every third.
  static let images = """
    {"anna_0003.png9": {"filename": "anna_0003.png", "size": 9, "regions": [],
      "file_attributes": {"phase": "down", "seen": {"feet": true, "hands": false}}},
     "anna_0006.png9": {"filename": "anna_0006.png", "size": 9, "file_attributes": {"phase": "down"},
      "regions": [{"shape_attributes": {"name": "point", "cx": 1, "cy": 2}, "region_attributes": {"hit": "ball"}}]},
     "anna_0009.png9": {"filename": "anna_0009.png", "size": 9, "regions": [], "file_attributes": {"phase": "down"}},
     "anna_0012.png9": {"filename": "anna_0012.png", "size": 9, "regions": [], "file_attributes": {"phase": ""}},
     "anna_0015.png9": {"filename": "anna_0015.png", "size": 9, "regions": [], "file_attributes": {"phase": "down"}}}
    """

  /// Of VIA 2: frame 3 of 30 a second is at 0.1 s. What follows each other is an interval, one image by itself a point.
  @Test(arguments: [
    images, "{\"_via_settings\": {\"ui\": {}}, \"_via_img_metadata\": \(images), \"_via_attributes\": {}}",
  ])
  func imagesAreFrames(_ text: String) throws {
    #expect(try store.label("project.json", text).format == "via")
    let labels = try store.labels("anna")
    #expect(
      labels.intervals == [
        Segment(start: Microseconds(100_000), end: Microseconds(300_000), label: "down")
      ])
    #expect(
      labels.events == [
        LabelledInstant(time: Microseconds(100_000), label: "feet"),
        LabelledInstant(time: Microseconds(200_000), label: "ball"),
        LabelledInstant(time: Microseconds(500_000), label: "down"),
      ])
  }

  /// As VIA 2 writes them, and with the `#` of VIA 1.
  @Test(arguments: ["", "#"]) func imagesInATableAreToo(_ mark: String) throws {
    let text = """
      \(mark)filename,file_size,file_attributes,region_count,region_id,region_shape_attributes,region_attributes
      anna_3.png,9,"{""phase"":""down""}",1,0,"{""name"":""rect"",""x"":1}","{""hit"":""ball""}"
      anna_4.png,9,"{""phase"":""down""}",0,0,"{}","{}"
      """
    #expect(try store.label("export.csv", text).format == "via-csv")
    let labels = try store.labels("anna")
    #expect(
      labels.intervals == [
        Segment(start: Microseconds(100_000), end: Microseconds(133_333), label: "down")
      ])
    #expect(labels.events == [LabelledInstant(time: Microseconds(100_000), label: "ball")])
  }

  /// As VIA 3 writes all annotations: attributes and options in a comment whose quotation marks are no CSV.
  static let table = """
    # Exported using VGG Image Annotator (http://www.robots.ox.ac.uk/~vgg/software/via)
    # Notes:
    # - metadata of {""1"":""3""} indicates attribute with id "1" set to an attribute option with id "3"
    # SHAPE_ID = {"POINT":1,"RECTANGLE":2}
    # ATTRIBUTE = {"1":{"aname":"Reps","anchor_id":"FILE1_Z2_XY0","type":4,"options":{"0":"rep"}},"2":{"aname":"Note"}}
    # CSV_HEADER = metadata_id,file_list,flags,temporal_coordinates,spatial_coordinates,metadata
    "1_a","[""ben-2.mp4""]",0,"[0.1,0.9]","[]","{""1"":""0""}"
    "1_b","[""ben-2.mp4""]",0,"[1.5]","[2,1,1,9,9]","{""2"":""call""}"
    "1_c","[""ben-2.mp4""]",0,"[]","[]","{""2"":""of the whole file""}"
    """

  @Test func theTableIsTheProject() throws {
    #expect(try store.label("export.csv", Self.table).format == "via-csv")
    let labels = try store.labels("ben-2")
    #expect(labels.reps == [Rep(100, 900)])
    #expect(labels.events == [LabelledInstant(time: Microseconds(1_500_000), label: "call")])
  }

  /// As VIA 3 writes temporal segments: attributes by their names, a point without an end.
  @Test func segmentsInATableAreLabels() throws {
    let text = """
      # Exported using VGG Image Annotator (http://www.robots.ox.ac.uk/~vgg/software/via)
      # CSV_HEADER = metadata_id,file_list,temporal_segment_start,temporal_segment_end,metadata
      "1_a","[""ben-2.mp4""]",0.1,0.9,"{""Reps"":""1""}"
      "1_b","[""ben-2.mp4""]",1.5,,"{""Note"":""call""}"
      """.replacing("\n", with: "\r\n")
    try store.label("export.csv", text)
    let labels = try store.labels("ben-2")
    #expect(labels.reps == [Rep(100, 900)])
    #expect(labels.events == [LabelledInstant(time: Microseconds(1_500_000), label: "call")])
  }

  static let wrongTables: [(text: String, words: String)] = [
    (table.replacing("[0.1,0.9]", with: "[0.9,0.1]"), "export.csv:7: expected one time or a start and an end after it"),
    (table.replacing("[1.5]", with: "[-1.5]"), "export.csv:8: expected times in seconds from 0, found -1.5"),
    (table.replacing("[1.5]", with: "[1.5"), "export.csv:8: expected"),
    (
      table.replacing("\"[\"\"ben-2.mp4\"\"]\",0,\"[1.5]\"", with: "\"[]\",0,\"[1.5]\""),
      "export.csv:8: expected a recording"
    ),
    (table.replacing("{\"1\":{\"aname\"", with: "{\"1\":{aname"), "export.csv:5: expected a key in quotation marks"),
    (table.replacing(",metadata\n", with: "\n"), "export.csv:6: expected column metadata"),
  ]

  @Test(arguments: wrongTables) func wrongTablesChangeNothing(_ text: String, _ words: String) throws {
    let error = try store.error("export.csv", text)
    #expect(error.contains(words), "\(error)")
  }
}
