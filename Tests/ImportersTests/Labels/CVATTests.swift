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
