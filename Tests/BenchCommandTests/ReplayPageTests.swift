import Foundation
import PoseModel
import Testing

/// The page that plays a clip.
@Suite struct ReplayPageTests {
  private struct Clip: Decodable {
    struct Span: Decodable {
      var start: Double
      var end: Double
      var isMatched: Bool
      var why: String?
      var name: String?
    }

    struct Series: Decodable {
      struct Guide: Decodable {
        var value: Double
      }

      var name: String
      var values: [Double?]
      var guides: [Guide]
    }

    var id: String
    var times: [Double]
    var joints: [String]
    var reads: [Int]
    var box: [Double]
    var poses: Data
    var signals: [Series]
    var truth: [Span]
    var found: [Span]
    var before: [Span]?
    var labelledFaults: [Span]
    var model: [Clip]

    /// The height of a joint in a frame, as a share of the box.
    func y(_ joint: String, _ frame: Int) throws -> Int {
      let at = 4 * (frame * joints.count + (try #require(joints.firstIndex(of: joint)))) + 2
      return Int(poses[at]) + 256 * Int(poses[at + 1])
    }
  }

  private func page(_ workspace: Workspace, _ arguments: String...) throws -> String {
    let outcome = try workspace.run(["replay", "cleo_1", "--suite", "squat", "--html", "clip.html"] + arguments)
    outcome.expectSuccess()
    #expect(outcome.output.hasSuffix("\nwrote clip.html\n"))
    return try workspace.text("clip.html")
  }

  private func clip(in page: String) throws -> Clip {
    let start = try #require(page.range(of: "id=\"played-clips\">")).upperBound
    let end = try #require(page.range(of: "</script>", range: start..<page.endIndex)).lowerBound
    let clips = try JSONDecoder().decode([Clip].self, from: Data(page[start..<end].utf8))
    return try #require(clips.first)
  }

  /// The squat goes to 86.5°, stands at 170.5°, and takes 116 frames at 30 a second.
  @Test func aPageHoldsWhatTheReplayFound() throws {
    let clip = try clip(in: page(Workspace.withSquats()))
    #expect(clip.id == "squats/cleo_1")
    #expect(clip.times.count == 58 && clip.times[0] == 0 && abs(clip.times[1] - 2.0 / 30) < 0.001)
    #expect(clip.poses.count == clip.times.count * clip.joints.count * 4)
    // It reads the legs of either side.
    let legs = ["hip", "knee", "ankle"].flatMap { ["left_\($0)", "right_\($0)"] }
    #expect(Set(legs).isSubset(of: clip.reads.map { clip.joints[$0] }) && clip.box.max() == 1)
    // Standing, the trunk is 300 high of 300 + 200 + 200: shoulder, hip, knee and ankle are below each other in this ratio.
    let (shoulder, hip, ankle) = (
      try clip.y("left_shoulder", 0), try clip.y("left_hip", 0), try clip.y("left_ankle", 0)
    )
    #expect(abs(Double(hip - shoulder) / Double(ankle - shoulder) - 3.0 / 7) < 0.005)
    let knee = try #require(clip.signals.first)
    #expect(knee.name == "knee angle" && knee.values.count == 58)
    #expect(abs(try #require(knee.values[0]) - 170.5) < 0.1)
    // Of every second frame the deepest is a frame from the bottom at most: 3° above it.
    #expect(try #require(knee.values.compactMap { $0 }.min()) < 86.5 + 3.1)
    #expect(knee.guides.map(\.value).contains(90))
    #expect(clip.truth.map(\.isMatched) == [true] && clip.found.map(\.isMatched) == [true] && clip.before == nil)
    // A second of standing, then 56 frames.
    #expect(clip.truth.map(\.start) == [1] && abs(clip.truth[0].end - 86.0 / 30) < 0.001)
  }

  @Test func aChangedSettingIsShownBesideTheSuites() throws {
    let clip = try clip(in: page(Workspace.withSquats(), "--set", "reps.squat-states.bottomAngle=84"))
    #expect(clip.found.isEmpty && clip.before?.count == 1)
    #expect(clip.truth.map(\.why) == ["knee angle bottomed at 87°, needs < 84° (bottomAngle)"])
  }

  /// Anna squats deep: from 1 s, 60 frames.
  @Test func aClipWithoutACorrectRepHasOneOfAnother() throws {
    let workspace = try Workspace.withSquats()
    #expect(try clip(in: page(workspace)).model.isEmpty)
    let model = try #require(clip(in: page(workspace, "--set", "reps.squat-states.bottomAngle=84")).model.first)
    #expect(model.id == "squats/anna_1" && model.truth.map(\.start) == [1] && model.truth.map(\.end) == [3])
    #expect(model.times.first == 1 && model.times.last == 3 && model.poses.count == 31 * model.joints.count * 4)
    // Another view is no model.
    var dataset = SquatClip.dataset("other", SquatClip.three)
    dataset.clips[0].info.view = "front"
    dataset.clips[1].info.view = "front"
    try workspace.add(dataset)
    try workspace.run(
      "replay", "cleo_1", "--dataset", "other", "--set", "reps.squat-states.bottomAngle=84", "--html", "clip.html"
    ).expectSuccess()
    #expect(try clip(in: workspace.text("clip.html")).model.isEmpty)
  }

  /// A fault is one that most raters who looked for it saw; a rep with one is found, but no correct rep.
  @Test func labelledFaultsAreShown() throws {
    func fault(_ rep: Int?, _ rater: String, _ name: String, _ present: Bool) -> GroundTruth.Fault {
      GroundTruth.Fault(rep: rep, rater: rater, name: name, present: present)
    }
    var dataset = SquatClip.dataset("squats", SquatClip.three)
    dataset.clips[2].labels.faults = [
      fault(0, "dora", "knees_in", true), fault(0, "emil", "knees_in", true), fault(0, "fred", "knees_in", false),
      fault(0, "dora", "heels_up", true), fault(0, "emil", "heels_up", false),
    ]
    dataset.clips[0].labels.faults = [fault(nil, "dora", "rounded", true)]
    let workspace = try Workspace()
    try workspace.add(dataset)
    try workspace.run("replay", "cleo_1", "--html", "clip.html").expectSuccess()
    let clip = try clip(in: workspace.text("clip.html"))
    #expect(clip.labelledFaults.map(\.name) == ["knees_in"] && clip.labelledFaults.map(\.start) == [1])
    #expect(clip.truth.map(\.isMatched) == [true])
    // Every rep of anna's is in a clip with a fault.
    #expect(clip.model.map(\.id) == ["squats/bert_1"])
  }

  /// Only the page's own script runs, whatever the words of an exercise are.
  @Test func wordsOfAnExerciseAreNoScript() throws {
    let workspace = try Workspace.withSquats()
    try workspace.write(
      """
      exercise: dip
      summary: Dips.
      source: a test
      joints: [hip, knee, ankle]
      signals:
        knee: { angle: [hip, knee, ankle] }
      count:
        signal: knee
        start: { value: 160, range: [90, 180], source: a test }
        turn: { value: 90, range: [20, 170], source: a test }
      faults:
      - fault: always
        message: "</script><script>alert(1)</script>"
        severity: high
        when:
        - { signal: knee, statistic: minimum, above: { value: 20, range: [10, 170], source: a test } }

      """, to: "exercises/dip.yaml")
    let outcome = try workspace.run("replay", "cleo_1", "--detector", "exercise-dip", "--html", "clip.html")
    outcome.expectSuccess()
    let page = try workspace.text("clip.html")
    #expect(page.contains("alert(1)"))
    #expect(page.components(separatedBy: "<script").count == 3 && page.components(separatedBy: "</script").count == 3)
    #expect(page.contains("script-src 'sha256-"))
  }
}
