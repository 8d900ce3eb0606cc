import Foundation
import Testing

/// The page that plays a clip.
@Suite struct ReplayPageTests {
  private struct Clip: Decodable {
    struct Span: Decodable {
      var start: Double
      var end: Double
      var isMatched: Bool
      var why: String?
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
    #expect(clip.reads.allSatisfy { clip.joints.indices.contains($0) } && clip.box.max() == 1)
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
