import Datasets
import Importers
import PoseModel
import Testing

@Suite struct CVATTests {
  let store: LabelStore

  init() throws { store = try LabelStore() }

  /// As CVAT documents its XML 1.1 of a video: frames count from 0, `outside` ends an object.
  static func document(_ tracks: String = tracks, source: String = "anna.mp4") -> String {
    """
    <?xml version="1.0" encoding="utf-8"?>
    <annotations>
      <version>1.1</version>
      <meta><task><id>5</id><name>my task</name><size>60</size><mode>interpolation</mode>
        <labels><label><name>rep</name></label></labels><source>\(source)</source></task></meta>
    \(tracks)
    </annotations>
    """
  }

  static func box(_ frame: Int, outside: Int = 0) -> String {
    "<box frame=\"\(frame)\" outside=\"\(outside)\" occluded=\"0\" keyframe=\"1\" xtl=\"1\" ytl=\"1\" xbr=\"2\" ybr=\"2\"/>"
  }

  static let tracks = """
    <track id="0" label="rep" source="manual">\(box(3))\(box(15))\(box(27, outside: 1))\(box(30))\(box(54, outside: 1))</track>
    <track id="1" label="bar"><box frame="6" outside="0"><attribute name="rater">vera</attribute></box></track>
    <tag frame="45" label="call" source="manual"></tag>
    """

  @Test func tracksAreIntervalsAndTagsPoints() throws {
    #expect(try store.label("annotations.xml", Self.document()).format == "cvat")
    let labels = try store.labels("anna")
    #expect(labels.reps == [Rep(100, 900), Rep(1000, 1800)])
    #expect(
      labels.events == [
        Labels.Event(time: Microseconds(200_000), label: "bar"),
        Labels.Event(time: Microseconds(1_500_000), label: "call"),
      ])
  }

  /// CVAT ends a shape on a single frame on the next one that the task has.
  @Test(arguments: [("", 31), ("<frame_filter>step=5</frame_filter>", 35)])
  func aShapeOnOneFrameIsAPoint(_ filter: String, _ end: Int) throws {
    let track = """
      <track id="0" label="touch"><points frame="30" outside="0" keyframe="1" points="1,2"></points>
      <points frame="\(end)" outside="1" keyframe="1" points="1,2"></points></track>
      """
    try store.label("annotations.xml", Self.document(track).replacing("</labels>", with: "</labels>\(filter)"))
    let labels = try store.labels("anna")
    #expect(labels.events == [Labels.Event(time: Microseconds(1_000_000), label: "touch")])
    #expect(labels.intervals.isEmpty)
  }

  /// As CVAT exports a video, or images in folders, "for images": all images are listed.
  @Test(arguments: [("frame_%06d", "<source>anna.mp4</source>"), ("anna/%04d.png", ""), ("set/anna_%d.jpg", "")])
  func whatIsOnImagesThatFollowEachOtherIsAnInterval(_ name: String, _ source: String) throws {
    let images = (0..<60).map { frame -> String in
      let digits = name.contains("%06d") ? 6 : name.contains("%04d") ? 4 : 1
      let number = String(repeating: "0", count: max(digits - "\(frame)".count, 0)) + "\(frame)"
      let path = name.replacing(/%[0-9]*d/, with: number)
      let rep = (3...27).contains(frame) ? "<tag label=\"rep\" source=\"manual\"></tag>" : ""
      let ball =
        frame == 45
        ? "<box label=\"contact\" xtl=\"1\" ytl=\"1\" xbr=\"2\" ybr=\"2\"><attribute name=\"rater\">vera</attribute></box>"
        : ""
      return "<image id=\"\(frame)\" name=\"\(path)\" width=\"640\" height=\"480\">\(rep)\(ball)</image>"
    }
    let text =
      "<annotations><version>1.1</version><meta><task><name>mine</name>\(source)</task></meta>\n"
      + images.joined(separator: "\n") + "</annotations>"
    try store.label("annotations.xml", text)
    let labels = try store.labels("anna")
    #expect(labels.reps == [Rep(100, 900)])
    #expect(labels.events == [Labels.Event(time: Microseconds(1_500_000), label: "contact")])
  }

  static let wrongDocuments: [(text: String, words: String)] = [
    (document(source: "dora.mp4"), "annotations.xml:6: expected a recording that is a clip of the dataset"),
    (document().replacing("frame=\"54\"", with: "frame=\"99\""), "clip anna: expected a frame up to 60, found 99"),
    (
      document().replacing("frame=\"27\"", with: "frame=\"1099511627776\""),
      "annotations.xml:6: expected a frame from 0, found 1099511627776"
    ),
    (document().replacing("frame=\"45\"", with: "frame=\"x\""), "expected a frame from 0, found x"),
    (document().replacing("label=\"call\"", with: ""), "expected a label of the tag, found none"),
    (document(""), "expected at least one label, found none"),
  ]

  @Test(arguments: wrongDocuments) func wrongDocumentsChangeNothing(_ text: String, _ words: String) throws {
    let error = try store.error("annotations.xml", text)
    #expect(error.contains(words), "\(error)")
  }
}
