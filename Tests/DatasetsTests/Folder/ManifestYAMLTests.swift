import Datasets
import Files
import Foundation
import PoseModel
import TestSupport
import Testing

struct ManifestYAMLTests {
  private static let text = SampleDataset.files["dataset.yaml"] ?? ""

  private static let manifest = Manifest(
    name: "mine", version: "1.0", licence: "CC0-1.0", source: "made up", origin: .synthetic, caveat: "Nobody moved.",
    skeleton: "coco-17", coordinates: CoordinateSystem(unit: .pixel(height: 720), yAxis: .down),
    channels: [.x, .y, .confidence], criteria: [Manifest.Criterion(name: "form", minimum: 0, maximum: 100)])

  private func read(_ text: String) throws -> Manifest { try Manifest(yaml: InputFile("dataset.yaml", text: text)) }

  @Test func readsEveryKey() throws {
    #expect(try read(Self.text) == Self.manifest)
  }

  @Test func writesWhatItReads() throws {
    #expect(try Self.manifest.yamlText() == Self.text)
  }

  @Test func readsPlainScalarsAsText() throws {
    #expect(try read(Self.text.replacing("\"1.0\"", with: "1.0")).version == "1.0")
  }

  @Test(arguments: [
    ("unit: image\n  aspect: 1.5", CoordinateSystem.Unit.image(aspect: 1.5)),
    ("unit: pixel\n  height: 1080", .pixel(height: 1080)), ("unit: metre", .metre), ("unit: relative", .relative),
  ])
  func readsAndWritesUnits(_ text: String, _ unit: CoordinateSystem.Unit) throws {
    let text = Self.text.replacing("unit: pixel\n  height: 720", with: text)
    let manifest = try read(text)
    #expect(manifest.coordinates.unit == unit)
    #expect(try manifest.yamlText() == text)
  }

  @Test(arguments: [
    "yes", "1", "1e3", "~", "null", "2024-01-01", "a: b", "# not a comment", "- item", "[x]", "'quoted'", "\"quoted\"",
    "two\nlines", "ends with a line feed\n", "\nstarts with one", " space ", "é 😀 \u{FEFF}x", "back\\slash", "a #b",
    "&anchor", "*alias", "!tag", "%", "@", "`", "{", "}", "key:", String(repeating: "long ", count: 100) + "end",
  ])
  func roundTripsAnyText(_ text: String) throws {
    var manifest = Self.manifest
    manifest.source = text
    manifest.caveat = text
    manifest.criteria[0].name = text
    #expect(try read(try manifest.yamlText()) == manifest)
  }

  @Test func leavesOutWhatThereIsNot() throws {
    var manifest = Self.manifest
    manifest.caveat = nil
    manifest.criteria = []
    let text = try manifest.yamlText()
    #expect(!text.contains("caveat") && !text.contains("criteria"))
    #expect(try read(text) == manifest)
  }

  private static let keys = "name, version, licence, source, origin, caveat, people, skeleton, coordinates, criteria"

  @Test(arguments: [
    ("licence: CC0", "licens: CC0", "3: expected only the keys \(keys), found \"licens\", did you mean licence?"),
    ("version: \"1.0\"\n", "", "1: expected key version, found no such key"),
    ("version: \"1.0\"", "version:", "2: expected a text for version, found nothing"),
    ("version: \"1.0\"", "version: ~", "2: expected a text for version, found nothing"),
    ("version: \"1.0\"", "version: [1, 0]", "2: expected a text for version, found a list"),
    ("source: made up", "source: \"\\e[1m\"", "4: expected a text for source, found \"\\u{1B}[1m\""),
    (
      "name: mine", "name: ../mine",
      "1: expected a name of up to 200 letters, digits, '.', '_' and '-' that does not begin with '.' or '-' for name, found \"../mine\""
    ),
    (
      "origin: synthetic", "origin: made",
      "5: expected recorded or synthetic for origin, found \"made\""
    ),
    (
      "skeleton: coco-17", "skeleton: coco17",
      "7: expected one of coco-17, blazepose-33, body-25, openpose-18, halpe-26, apple-vision-19, motion-capture, common for skeleton, found \"coco17\", did you mean coco-17?"
    ),
    (
      "unit: pixel", "unit: inch",
      "9: expected image or pixel or metre or relative for coordinates.unit, found \"inch\""
    ),
    ("height: 720", "height: tall", "10: expected a number for coordinates.height, found \"tall\""),
    ("height: 720", "height: 0", "10: expected a number above 0 for coordinates.height, found \"0\""),
    ("height: 720", "height: .nan", "10: expected a number for coordinates.height, found \".nan\""),
    ("height: 720", "heigth: 720", "9: expected key coordinates.height, found no such key"),
    (
      "height: 720", "height: 720\n  aspect: 1.5",
      "11: expected only the keys coordinates.unit, coordinates.height, coordinates.y_axis, coordinates.channels, "
        + "found \"aspect\""
    ),
    ("y_axis: down", "y_axis: left", "11: expected down or up for coordinates.y_axis, found \"left\""),
    (
      "[x, y, confidence]", "[x, y, w]",
      "12: expected some of x, y, z, confidence for coordinates.channels, found \"w\", did you mean x or y or z?"
    ),
    (
      "[x, y, confidence]", "[x, confidence]",
      "12: expected x and y, each channel once for coordinates.channels, found [x, confidence]"
    ),
    (
      "[x, y, confidence]", "[x, y, y]",
      "12: expected x and y, each channel once for coordinates.channels, found [x, y, y]"
    ),
    ("[x, y, confidence]", "xy", "12: expected a list for coordinates.channels, found \"xy\""),
    (
      "maximum: 100", "maximum: 0",
      "14: expected a number above the minimum 0 for criteria[1].maximum, found \"0\""
    ),
    (
      "maximum: 100}", "maximum: 100}\n- {name: form, minimum: 0, maximum: 1}",
      "15: expected a unique criterion name for criteria[2].name, found \"form\""
    ),
    (
      "maximum: 100", "maximum: 100, weight: 2",
      "14: expected only the keys criteria[1].name, criteria[1].minimum, criteria[1].maximum, found \"weight\""
    ),
    (
      "- {name: form, minimum: 0, maximum: 100}", "- form",
      "14: expected keys and values for criteria[1], found \"form\""
    ),
    ("caveat: Nobody moved.", "name: again", "1: expected each key once, found name twice"),
    (
      "caveat: Nobody moved.", "caveat: \"open",
      "15: expected YAML, found unexpected end of stream while scanning a quoted scalar from line 6"
    ),
    (
      "caveat: Nobody moved.", "? [a]\n: b",
      "6: expected only the keys \(keys), found a key that is a list"
    ),
  ])
  func refuses(_ part: String, _ replacement: String, _ message: String) {
    #expect(errorText { _ = try read(Self.text.replacing(part, with: replacement)) } == "dataset.yaml:\(message)")
  }

  @Test func refusesOtherFiles() {
    func message(_ text: String) -> String { errorText { _ = try read(text) } }
    #expect(message("") == "dataset.yaml:1: expected keys and values, found an empty file")
    #expect(message("- a\n") == "dataset.yaml:1: expected keys and values, found a list")
    #expect(message("hello") == "dataset.yaml:1: expected keys and values, found a text")
    let file = InputFile(name: "dataset.yaml", bytes: Data("name: a\nsource: ".utf8) + [0xFF, 0xFE])
    #expect(
      errorText { _ = try Manifest(yaml: file) }
        == "dataset.yaml:2: expected UTF-8 text, found bytes that are not UTF-8")
    for nested in ["[", "- ", "{a: ", "? "] {
      #expect(message(String(repeating: nested, count: 100_000)).hasPrefix("dataset.yaml:"), "\(nested)")
    }
  }
}
