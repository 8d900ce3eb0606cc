import Files
import Importers
import PoseModel
import Testing

@Suite struct ELANTests {
  let store: LabelStore

  init() throws { store = try LabelStore() }

  /// Written as ELAN writes a document: reps, a fault of the second one, a phase that refers to the first rep, a point.
  static func document(_ tiers: String = tiers, media: String = "file:///C:/videos/anna.mp4", header: String = "")
    -> String
  {
    """
    <?xml version="1.0" encoding="UTF-8"?>
    \(header)<ANNOTATION_DOCUMENT AUTHOR="" DATE="2026-01-01T00:00:00+00:00" FORMAT="3.0" VERSION="3.0"
        xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">
        <HEADER MEDIA_FILE="" TIME_UNITS="milliseconds">
            <MEDIA_DESCRIPTOR MEDIA_URL="\(media)" MIME_TYPE="video/mp4"/>
        </HEADER>
        <TIME_ORDER>
            <TIME_SLOT TIME_SLOT_ID="ts1" TIME_VALUE="100"/>
            <TIME_SLOT TIME_SLOT_ID="ts2" TIME_VALUE="900"/>
            <TIME_SLOT TIME_SLOT_ID="ts3" TIME_VALUE="1000"/>
            <TIME_SLOT TIME_SLOT_ID="ts4" TIME_VALUE="1800"/>
            <TIME_SLOT TIME_SLOT_ID="ts5"/>
        </TIME_ORDER>
    \(tiers)
    </ANNOTATION_DOCUMENT>
    """
  }

  static let tiers =
    tier("Reps", annotation("a1", "ts1", "ts2", "") + annotation("a2", "ts3", "ts4", ""))
    + tier("Faults", annotation("a3", "ts3", "ts4", "knees &amp; toes"), rater: "Vera")
    + tier(
      "Phase",
      """
      <ANNOTATION><REF_ANNOTATION ANNOTATION_ID="a4" ANNOTATION_REF="a1"><ANNOTATION_VALUE>deep</ANNOTATION_VALUE>
      </REF_ANNOTATION></ANNOTATION>
      """)
    + tier("Calls", annotation("a5", "ts3", "ts3", "<![CDATA[go]]>"))

  static func tier(_ name: String, _ annotations: String, rater: String? = nil) -> String {
    "<TIER LINGUISTIC_TYPE_REF=\"default\" TIER_ID=\"\(name)\"\(rater.map { " ANNOTATOR=\"\($0)\"" } ?? "")>\(annotations)</TIER>\n"
  }

  static func annotation(_ id: String, _ start: String, _ end: String, _ value: String) -> String {
    """
    <ANNOTATION><ALIGNABLE_ANNOTATION ANNOTATION_ID="\(id)" TIME_SLOT_REF1="\(start)" TIME_SLOT_REF2="\(end)">
    <ANNOTATION_VALUE>\(value)</ANNOTATION_VALUE></ALIGNABLE_ANNOTATION></ANNOTATION>
    """
  }

  @Test func aRemarkWithoutAValueIsLeftOut() throws {
    let text = Self.document(Self.tiers + Self.tier("Remarks", Self.annotation("a6", "ts1", "ts2", " ")))
    let outcome = try store.label("session.eaf", text)
    #expect(outcome.counts == ["reps": 2, "faults": 1, "intervals": 1, "events": 1])
    try store.folder.write(text, to: "b.eaf")
    let labels = try LabelImport(from: "\(store.folder.path)/b.eaf", format: nil, mapping: nil)
    #expect(labels.empty == ["Remarks": 1])
  }

  @Test func tiersAreLabels() throws {
    let outcome = try store.label("session.eaf", Self.document())
    #expect(outcome.format == "elan")
    #expect(outcome.counts == ["reps": 2, "faults": 1, "intervals": 1, "events": 1])
    let labels = try store.labels("anna")
    #expect(labels.reps == [Rep(100, 900), Rep(1000, 1800)])
    #expect(labels.repCount == 2)
    // Who marks a fault in one rep says that the other has it not.
    #expect(
      labels.faults == [
        GroundTruth.Fault(rep: 0, rater: "Vera", name: "knees & toes", present: false),
        GroundTruth.Fault(rep: 1, rater: "Vera", name: "knees & toes", present: true),
      ])
    #expect(
      labels.intervals == [Segment(start: Microseconds(100_000), end: Microseconds(900_000), label: "deep")])
    #expect(labels.events == [LabelledInstant(time: Microseconds(1_000_000), label: "go")])
    #expect(try store.labels("ben-2") == GroundTruth())
    #expect(try store.dataset().content == outcome.content)
  }

  /// Of the clip's video 100 ms were left out at the beginning, of another one 9 s.
  @Test(arguments: [false, true]) func mediaThatWereSynchronised(isFirst: Bool) throws {
    let clip = "<MEDIA_DESCRIPTOR MEDIA_URL=\"anna.mp4\" MIME_TYPE=\"video/mp4\" TIME_ORIGIN=\"100\"/>"
    let other = "<MEDIA_DESCRIPTOR MEDIA_URL=\"room.mp4\" MIME_TYPE=\"video/mp4\" TIME_ORIGIN=\"9000\"/>"
    let document = Self.document().replacing(
      "<MEDIA_DESCRIPTOR MEDIA_URL=\"file:///C:/videos/anna.mp4\" MIME_TYPE=\"video/mp4\"/>",
      with: isFirst ? clip + other : other + clip)
    _ = try store.label("session.eaf", document)
    #expect(try store.labels("anna").reps == [Rep(200, 1000), Rep(1100, 1900)])
  }

  @Test func originsThatAreNoTimeAndOtherUnitsAreRefused() throws {
    for (old, new, words) in [
      (
        "MIME_TYPE=", "TIME_ORIGIN=\"1 s\" MIME_TYPE=",
        "session.eaf:5: expected a TIME_ORIGIN in milliseconds, found 1 s"
      ),
      ("\"milliseconds\"", "\"PAL-frames\"", "session.eaf:4: expected TIME_UNITS of milliseconds, found PAL-frames"),
    ] {
      let error = #expect(throws: DataError.self) {
        try store.label("session.eaf", Self.document().replacing(old, with: new))
      }
      #expect("\(error.map { "\($0)" } ?? "")".hasSuffix(words), "\(String(describing: error))")
    }
  }

  /// Text is looked at a megabyte at a time, wherever a character of two bytes lies.
  @Test(arguments: ["", "x"]) func longTextsOfManyBytesACharacter(before: String) throws {
    let remark = "<!--\(before)\(String(repeating: "é", count: 550_000))-->\n"
    _ = try store.label("session.eaf", Self.document().replacing("<TIME_ORDER>", with: remark + "<TIME_ORDER>"))
    #expect(try store.labels("anna").reps == [Rep(100, 900), Rep(1000, 1800)])
  }

  /// A subdivision of a rep in three, as ELAN writes it: what stands between has no times.
  @Test func slotsWithoutTimesShareWhatIsBetween() throws {
    let slots = "<TIME_SLOT TIME_SLOT_ID=\"ts5\"/><TIME_SLOT TIME_SLOT_ID=\"ts6\"/>"
    let tiers = Self.tier(
      "Phase",
      Self.annotation("a1", "ts1", "ts5", "down") + Self.annotation("a2", "ts5", "ts6", "hold")
        + Self.annotation("a3", "ts6", "ts3", "up"))
    let text = Self.document(tiers).replacing("<TIME_SLOT TIME_SLOT_ID=\"ts5\"/>", with: slots)
    try store.label("session.eaf", text)
    // 100 ms to 1000 ms in three.
    #expect(
      try store.labels("anna").intervals == [
        Segment(start: Microseconds(100_000), end: Microseconds(400_000), label: "down"),
        Segment(start: Microseconds(400_000), end: Microseconds(700_000), label: "hold"),
        Segment(start: Microseconds(700_000), end: Microseconds(1_000_000), label: "up"),
      ])
    // Slots that lead in a circle have no time.
    let circle = Self.tier("Phase", Self.annotation("a1", "ts5", "ts6", "a") + Self.annotation("a2", "ts6", "ts5", "b"))
    let error = try store.error(
      "x.eaf", Self.document(circle).replacing("<TIME_SLOT TIME_SLOT_ID=\"ts5\"/>", with: slots))
    #expect(error.contains("expected a time for TIME_SLOT_REF1, found time slot ts5 without one"), "\(error)")
  }

  static let wrongDocuments: [(text: String, words: String)] = [
    (
      document(media: "carl.mp4"),
      "x.eaf:14: expected a recording that is a clip of the dataset (anna, ben-2) or listed in the mapping's clips, found \"carl\""
    ),
    (
      document(tier("Reps", annotation("a1", "ts1", "ts5", ""))),
      "x.eaf:14: expected a time for TIME_SLOT_REF2, found time slot ts5 without one"
    ),
    (
      document(tier("Reps", annotation("a1", "ts2", "ts1", ""))), "x.eaf:14: expected an end after 0.9 s, found 0.1 s"
    ),
    (
      document(tier("Reps", annotation("a1", "ts1", "ts3", "") + annotation("a2", "ts2", "ts4", ""))),
      "x.eaf:15: clip anna: expected a rep from 1.0 s on, when the one before ends, found 0.9 s"
    ),
    (
      document(tier("Phase", annotation("a1", "ts1", "ts2", ""))),
      "expected at least one label, found only annotations without a value, on Phase"
    ),
    (
      document().replacing("ANNOTATION_REF=\"a1\"", with: "ANNOTATION_REF=\"a4\""),
      "expected an annotation that refers to one with times, found ANNOTATION_REF a4"
    ),
    (
      document().replacing("1800", with: "99000"),
      "clip anna: expected a time up to 2.0 s, when the clip ends, found 99.0 s"
    ),
    (
      document().replacing("\"900\"", with: "\"-900\""),
      "x.eaf:9: expected a TIME_VALUE in milliseconds from 0, found -900"
    ),
    (
      document().replacing("\"900\"", with: "\"1e99\""),
      "x.eaf:9: expected a TIME_VALUE in milliseconds from 0, found 1e99"
    ),
    (document().replacing("</TIER>", with: "</TIRE>"), "expected </TIER>, found </TIRE>"),
    (String(document().prefix(900)), "expected"),
    (
      document(header: "<!DOCTYPE a [<!ENTITY a \"aaaa\"><!ENTITY b \"&a;&a;&a;\">]>\n"),
      "x.eaf:2: expected no document type, which could define entities, found <!"
    ),
    (
      document().replacing("&amp;", with: "&boom;"),
      "expected one of the entities of XML itself or a character's number, found &boom;"
    ),
  ]

  @Test(arguments: wrongDocuments) func wrongDocumentsChangeNothing(_ text: String, _ words: String) throws {
    let error = try store.error("x.eaf", text)
    #expect(error.contains(words), "\(error)")
  }

  @Test func deepElementsNeedNoStack() throws {
    let deep = "<ANNOTATION_DOCUMENT>" + String(repeating: "<a>", count: 50_000)
    #expect(try store.error("x.eaf", deep).contains("expected </a>, found the end of the file"))
  }
}
