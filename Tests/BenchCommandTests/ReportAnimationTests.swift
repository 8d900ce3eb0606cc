import Charts
import Foundation
import PoseModel
import Testing

/// The clip that broke first, as an animation in the report's folder.
@Suite struct ReportAnimationTests {
  /// With 84° instead of 90° the squat of cleo, which goes to 86.5°, no longer counts.
  @Test func aBrokenClipMoves() throws {
    let workspace = try BaselineTests.accepted()
    try workspace.run("run", "--suite", "squat", "--set", "reps.squat-states.bottomAngle=84").expectSuccess()
    let png = try workspace.bytes("reports/squat/latest/broke.png")
    #expect(png.count <= 150_000)
    #expect(png.range(of: Data("acTL".utf8)) != nil && png.range(of: Data("fdAT".utf8)) != nil)
    let title = "cleo_1: counted 1 before, 0 now, 1 labelled"
    #expect(try workspace.holds(title, in: "reports/squat/latest/broke.png"))
    #expect(try workspace.text("reports/squat/latest/report.md").contains("(broke.png)"))
    #expect(
      try workspace.run("report", "--pr").output.contains("`broke.png`: cleo_1: counted 1 before"))
  }

  /// At 120° anna's half squat counts too. It starts at 4 s, is below 155° six frames later, and above 160° again three
  /// frames before its end, after 31 frames more. With half a second on either side they are 2.03 s, of 10 frames each.
  /// The count above the skeleton, "2 so far", is another one from the first frame after its end, 16 tenths in.
  @Test func theAnimationIsOfWhatIsWrong() throws {
    let workspace = try BaselineTests.accepted()
    try workspace.run("run", "--suite", "squat", "--set", "reps.squat-states.bottomAngle=120").expectSuccess()
    let png = try workspace.bytes("reports/squat/latest/broke.png")
    #expect(try PNGTexts([UInt8](png))["Title"] == "anna_1: counted 2 before, 3 now, 2 labelled")
    let tops = tops(png)
    #expect(tops.count == 20)
    #expect(tops.indices.filter { tops[$0] < 28 } == [0, 16], "\(tops)")
  }

  /// From the shoulders up every joint circles on its own, so that each frame is a new picture of several kilobytes. At
  /// 30° the squat of three seconds, to 35.5°, is missed: four seconds are 40 frames, unless they are too large.
  @Test func aRestlessClipHasFewerFrames() throws {
    let clip = SquatClip(name: "anna_1", subject: "anna", squats: [45])
    var dataset = SquatClip.dataset("squats", [clip])
    let still = try #require(dataset.clips[0].keypoints)
    var values = still.values
    for frame in still.times.indices {
      for joint in 0..<11 {
        let (across, down) = (0.7 * Double(frame) + Double(joint), 0.9 * Double(frame) + 2 * Double(joint))
        let confidence = [0.9, 0.6, 0.4][(frame + joint) % 3]
        for (channel, value) in [500 + 400 * cos(across), 400 + 400 * sin(down), confidence].enumerated() {
          values[(joint * 3 + channel) * still.times.count + frame] = Float(value)
        }
      }
    }
    dataset.clips[0].keypoints = Keypoints(
      times: still.times, keypointCount: still.keypointCount, channels: still.channels, values: values)
    let workspace = try Workspace()
    try workspace.write(SquatSuite(content: workspace.add(dataset)).yaml, to: "datasets/suites/squat.yaml")
    try workspace.run("baseline", "accept", "--suite", "squat").expectSuccess()
    try workspace.run("run", "--suite", "squat", "--set", "reps.squat-states.bottomAngle=30").expectSuccess()
    let png = try workspace.bytes("reports/squat/latest/broke.png")
    #expect(png.count <= 150_000)
    let frames = tops(png).count
    #expect(frames > 1 && frames < 40, "\(frames)")
  }

  /// Where the part that each frame changes begins, from the top: the fifth number of its fcTL chunk.
  private func tops(_ png: Data) -> [Int] {
    let bytes = [UInt8](png)
    func number(_ at: Int) -> Int { bytes[at..<at + 4].reduce(0) { $0 << 8 | Int($1) } }
    var tops: [Int] = []
    var at = 8
    while at + 12 <= bytes.count {
      if bytes[at + 4..<at + 8].elementsEqual("fcTL".utf8) { tops.append(number(at + 24)) }
      at += 12 + number(at)
    }
    return tops
  }

  @Test func whatDidNotBreakDoesNotMove() throws {
    let workspace = try Workspace.withSquats(after: [
      ["baseline", "accept", "--suite", "squat"], ["run", "--suite", "squat"],
    ])
    #expect(!workspace.exists("reports/squat/latest/broke.png"))
    #expect(try !workspace.text("reports/squat/latest/report.md").contains("broke.png"))
  }
}
