import Datasets
import Foundation
import PoseModel
import Testing

/// `bench dataset show --html`.
@Suite struct DatasetPageTests {
  private struct Card: Decodable {
    struct Finding: Decodable {
      var severity: String
      var words: String
    }
    var id: String
    var subject: String
    var labels: String
    var findings: [Finding]
  }

  private struct Clip: Decodable {
    struct Span: Decodable {
      var start: Double
      var turn: Double?
      var name: String?
    }
    var id: String
    var times: [Double]
    var truth: [Span]
    var hasDetector: Bool
  }

  private func data<Value: Decodable>(_ id: String, in page: String, as type: Value.Type) throws -> Value {
    let start = try #require(page.range(of: "id=\"\(id)\">")).upperBound
    let end = try #require(page.range(of: "</script>", range: start..<page.endIndex)).lowerBound
    return try JSONDecoder().decode(type, from: Data(page[start..<end].utf8))
  }

  /// Names and labels are other people's text; none is a script or a link.
  @Test func clipsAreShownWithLabelsAndFindings() throws {
    let hostile = "</script><script>alert(1)</script><a href=\"javascript:alert(2)\">"
    var dataset = SquatClip.dataset("squats", SquatClip.three)
    dataset.clips[0].labels.events = [LabelledInstant(time: Microseconds(1_500_000), label: hostile)]
    dataset.clips[1].info.subject = hostile
    dataset.clips[1].labels.faults = [
      GroundTruth.Fault(rep: 0, rater: "dora", name: "knees_in", present: true),
      GroundTruth.Fault(rep: 0, rater: "dora", name: "heels_up", present: false),
    ]
    // People who stand sway: otherwise their frames would be found frozen. Confidences are 0 or 1.
    for index in 0..<2 {
      let still = try #require(dataset.clips[index].keypoints)
      dataset.clips[index].keypoints = Keypoints(
        times: still.times, keypointCount: still.keypointCount, channels: still.channels,
        values: still.values.enumerated().map { [0, 1].contains($1) ? $1 : $1 + 1e-4 * Float($0 % 97) })
    }
    // 30 frames a second are said, 60 come.
    let cleo = try #require(dataset.clips[2].keypoints)
    dataset.clips[2].keypoints = Keypoints(
      times: cleo.times.indices.map { Microseconds(frame: $0, rate: 60) }, keypointCount: cleo.keypointCount,
      channels: cleo.channels, values: cleo.values)
    dataset.clips[2].labels = GroundTruth()
    let workspace = try Workspace()
    try workspace.add(dataset)
    try workspace.run("dataset", "show", "squats", "--html", "page.html").expectSuccess()
    let page = try workspace.text("page.html")
    #expect(page.components(separatedBy: "<script").count == 5 && page.components(separatedBy: "</script>").count == 5)
    let scripts = try PageScripts(page)
    #expect(scripts.hashes.count == 2 && scripts.allowed == scripts.hashes)
    #expect(!page.contains("<a href=\"javascript"))
    let cards = try data("cards", in: page, as: [Card].self)
    let clips = try data("played-clips", in: page, as: [Clip].self)
    #expect(
      cards.map(\.id) == clips.map(\.id) && Set(cards.map(\.id)) == ["squats/anna_1", "squats/bert_1", "squats/cleo_1"])
    // The one with a finding comes first.
    #expect(
      cards[0].id == "squats/cleo_1" && cards[0].findings.contains { $0.words.contains("(frame-rate)") }, "\(cards)")
    // Her recording stands still too, which is less serious than a wrong frame rate.
    let severities = cards[0].findings.map(\.severity)
    let ranks = severities.compactMap { ["problem", "warning", "note"].firstIndex(of: $0) }
    #expect(severities.first == "problem" && severities.contains("warning"), "\(severities)")
    #expect(ranks.count == severities.count && ranks == ranks.sorted())
    // Three people are the whole dataset's finding.
    #expect(page.contains("<title>squats, SYNTHETIC</title>") && page.contains("<h1>squats, SYNTHETIC</h1>"))
    #expect(page.contains("<li>note: 3 people; a gate passes no change with fewer than 10 (subjects)</li>"))
    let anna = try #require(clips.first { $0.id == "squats/anna_1" })
    #expect(!anna.hasDetector && anna.truth.map(\.name) == [nil, nil, hostile])
    #expect(anna.truth[0].start == 1 && anna.truth[0].turn == 2)
    #expect(cards.first { $0.id == anna.id }?.labels == "2 reps, 1 event: \(hostile), form by 2 raters")
    let bert = try #require(cards.first { $0.id == "squats/bert_1" })
    // Nobody saw the other fault.
    #expect(bert.subject == hostile && bert.labels == "3 reps, form by 2 raters, faults: knees_in")
  }
}
