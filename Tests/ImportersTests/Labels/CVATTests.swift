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
        LabelledInstant(time: Microseconds(200_000), label: "bar"),
        LabelledInstant(time: Microseconds(1_500_000), label: "call"),
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
    #expect(labels.events == [LabelledInstant(time: Microseconds(1_000_000), label: "touch")])
    #expect(labels.intervals.isEmpty)
  }

  /// The skeleton itself never says that it is outside; a single one, too, is ended by the next frame's.
  @Test func aSkeletonEndsWhereAllOfItsPointsDo() throws {
    func skeleton(_ frame: Int, _ outside: [Int]) -> String {
      let points = outside.enumerated().map { "<points label=\"p\($0)\" outside=\"\($1)\" points=\"1,2\"></points>" }
      return "<skeleton frame=\"\(frame)\" keyframe=\"1\" z_order=\"0\">\(points.joined())</skeleton>"
    }
    let tracks = """
      <track id="0" label="rep">\(skeleton(3, [0, 0]))\(skeleton(15, [1, 0]))\(skeleton(27, [1, 1]))</track>
      <track id="1" label="touch">\(skeleton(30, [0, 1]))\(skeleton(31, [1, 1]))</track>
      """
    try store.label("annotations.xml", Self.document(tracks))
    let labels = try store.labels("anna")
    #expect(labels.reps == [Rep(100, 900)])
    #expect(labels.events == [LabelledInstant(time: Microseconds(1_000_000), label: "touch")])
  }

  /// A project's export has several tasks, and each track and image says whose it is.
  private static func project(_ body: String) -> String {
    """
    <annotations><version>1.1</version>
      <meta><project><id>9</id><name>gym</name><tasks>
        <task><id>5</id><name>first</name><source>anna.mp4</source></task>
        <task><id>6</id><name>second</name><frame_filter>step=5</frame_filter><source>ben-2.mp4</source></task>
      </tasks></project></meta>
    \(body)
    </annotations>
    """
  }

  @Test func tracksOfAProjectBelongToTheirTasks() throws {
    let tracks = [("5", 4), ("6", 5)].map { id, end in
      """
      <track id="0" label="rep" task_id="\(id)">\(Self.box(3))\(Self.box(27, outside: 1))</track>
      <track id="1" label="touch" task_id="\(id)">\(Self.box(30))\(Self.box(30 + end, outside: 1))</track>
      """
    }
    try store.label("annotations.xml", Self.project(tracks.joined()))
    let (anna, ben) = (try store.labels("anna"), try store.labels("ben-2"))
    #expect(anna.reps == [Rep(100, 900)])
    #expect(anna.intervals.map(\.label) == ["touch"])
    #expect(ben.reps == [Rep(100, 900)])
    #expect(ben.events.map(\.label) == ["touch"])
  }

  @Test func imagesOfAProjectBelongToTheirTasks() throws {
    let images = ["5", "6"].flatMap { id in
      (0..<30).map { frame in
        let isRep = id == "5" ? (3...27).contains(frame) : (6...24).contains(frame)
        return "<image id=\"\(frame)\" name=\"frame_\(frame)\" task_id=\"\(id)\">"
          + (isRep ? "<tag label=\"rep\"></tag>" : "") + "</image>"
      }
    }
    try store.label("annotations.xml", Self.project(images.joined()))
    #expect(try store.labels("anna").reps == [Rep(100, 900)])
    #expect(try store.labels("ben-2").reps == [Rep(200, 800)])
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
    #expect(labels.events == [LabelledInstant(time: Microseconds(1_500_000), label: "contact")])
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
    (
      project("<track id=\"0\" label=\"rep\">\(box(3))\(box(9, outside: 1))</track>"),
      "expected a task_id, one of the 2 tasks of the project, found none"
    ),
    (
      project("<track id=\"0\" label=\"rep\" task_id=\"7\">\(box(3))\(box(9, outside: 1))</track>"),
      "expected a task_id, one of the 2 tasks of the project, found 7"
    ),
  ]

  @Test(arguments: wrongDocuments) func wrongDocumentsChangeNothing(_ text: String, _ words: String) throws {
    let error = try store.error("annotations.xml", text)
    #expect(error.contains(words), "\(error)")
  }
}
