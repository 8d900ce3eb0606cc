import Datasets
import Files
import Foundation
import PoseModel
import Testing

/// Names that say nothing of their own.
@Suite struct PseudonymTests {
  private func key(_ text: String) throws -> Pseudonyms {
    let path = NSTemporaryDirectory() + "key-" + UUID().uuidString
    defer { try? FileManager.default.removeItem(atPath: path) }
    try Data(text.utf8).write(to: URL(fileURLWithPath: path))
    return try Pseudonyms(keyFile: path)
  }

  /// `printf 'subject\0anna' | openssl dgst -sha256 -hmac 0123456789abcdef`, and the same of the rater dora.
  @Test func theyAreTheHMACOfTheName() throws {
    let names = try key("0123456789abcdef")
    #expect(names.subject("anna") == "p4fee3699ba0d")
    #expect(names.rater("dora") == "r3273fa88420a")
    #expect(names.subject("") == "")
  }

  @Test func aPersonHasOneNameInAnExportAndAnotherInTheNext() {
    let (one, two) = (Pseudonyms(), Pseudonyms())
    #expect(one.subject("anna") == one.subject("anna"))
    #expect(one.subject("anna") != one.subject("bert"))
    #expect(one.subject("anna") != two.subject("anna"))
    #expect(one.subject("anna").dropFirst() != one.rater("anna").dropFirst())
  }

  @Test func aClipLosesItsNamesAndKeepsTheRest() throws {
    let clip = Clip(
      info: Clip.Info(name: "anna_1", subject: "anna", exercise: "squat", view: "side", fps: 30, split: "test"),
      keypoints: nil,
      labels: GroundTruth(
        repCount: 2, grades: [GroundTruth.Grade(rep: 0, rater: "dora", criterion: "form", value: 7)],
        faults: [GroundTruth.Fault(rep: 1, rater: "dora", name: "shallow", present: true)]))
    let names = Pseudonyms()
    let hidden = names.applied(to: clip)
    #expect(hidden.info.subject == names.subject("anna"))
    #expect(hidden.labels.grades[0].rater == names.rater("dora"))
    #expect(hidden.labels.faults[0].rater == names.rater("dora"))
    var restored = hidden
    restored.info.name = "anna_1"
    restored.info.subject = "anna"
    restored.labels.grades[0].rater = "dora"
    restored.labels.faults[0].rater = "dora"
    #expect(restored.info == clip.info)
    #expect(restored.labels == clip.labels)
    #expect(!hidden.info.name.contains("anna"))
  }

  @Test func aShortKeyIsRefused() {
    #expect(throws: DataError.self) { try key("0123456789abcde") }
  }

  @Test func aKeyOfAtMost64KiB() throws {
    _ = try key(String(repeating: "k", count: 1 << 16))
    #expect(throws: DataError.self) { try key(String(repeating: "k", count: (1 << 16) + 1)) }
  }
}
