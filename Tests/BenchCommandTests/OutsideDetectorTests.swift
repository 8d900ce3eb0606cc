import BenchCommand
import Coaching
import Evaluation
import Foundation
import PoseModel
import Testing

/// Every command on an app's own detectors, which know the package by its public names only.
///
/// `Bench.run` works in the process's current folder and prints on its standard output, so that each call has a process
/// of its own.
@Suite struct OutsideDetectorTests {
  private func project(_ clips: [SquatClip] = SquatClip.three) throws -> Workspace {
    try Workspace.withSquats(clips) {
      $0.detectors = ["- { name: hip-drop, parameters: { low: 0.72 } }", "- name: hip-height"]
      $0.metrics = [("hip-drop", "count.exact", 0.05), ("hip-height", "count.exact", 0.05)]
    }
  }

  @Test func aSuiteMayNameThem() async throws {
    let workspace = try project()
    await #expect(processExitsWith: .exitCode(0)) { [project = workspace.project as String] in
      #expect(FileManager.default.changeCurrentDirectoryPath(project))
      exit(await Bench.run(["run", "--suite", "squat"], adding: [HipDropCounter.self, HipHeightCounter.self]))
    }
    // The hip is 0.733 below the top at 80.5° (0.7 - 0.2 cos 80.5°), 0.712 at 86.5°, and 0.630 at 110.5°: with 0.72,
    // cleo's squat is not low enough. It is 0.167, 0.188 and 0.270 above the ankle.
    let results = try workspace.results()
    #expect(results.clips.map { $0.outcomes["hip-drop"]?.count } == [2, 3, 0])
    #expect(results.clips.map { $0.outcomes["hip-height"]?.count } == [2, 3, 1])
    #expect(results.detectors.first?.changed == ["low"])
    #expect(try workspace.text("reports/squat/latest/report.md").contains("hip-drop"))
  }

  @Test func theGateHoldsThem() async throws {
    let workspace = try project(SquatClip.twelve)
    await #expect(processExitsWith: .exitCode(2)) { [project = workspace.project as String] in
      #expect(FileManager.default.changeCurrentDirectoryPath(project))
      let own: [any Detector.Type] = [HipDropCounter.self, HipHeightCounter.self]
      func run(_ command: [String], low: String) async -> Int32 {
        await Bench.run(command + ["--suite", "squat", "--set", "reps.hip-drop.low=\(low)"], adding: own)
      }
      let accepted = await run(["baseline", "accept"], low: "0.7")
      let same = await run(["gate"], low: "0.7")
      let worse = await run(["gate"], low: "0.9")
      exit(accepted == 0 && same == 0 ? worse : 99)
    }
  }

  @Test func theyAreListedBesideTheBuiltInOnes() async throws {
    let result = await #expect(processExitsWith: .exitCode(0), observing: [\.standardOutputContent]) {
      exit(await Bench.run(["detector", "list"], adding: [HipDropCounter.self]))
    }
    let lines = String(decoding: try #require(result).standardOutputContent, as: UTF8.self)
      .split(separator: "\n").map { $0.split(separator: " ").prefix(3).joined(separator: " ") }
    for line in ["hip-drop reps squat", "squat-posture form squat", "squat-states reps squat"] {
      #expect(lines.contains(line), "\(line) in \(lines)")
    }
  }

  @Test func theirParametersAreShown() async throws {
    let result = await #expect(processExitsWith: .exitCode(0), observing: [\.standardOutputContent]) {
      exit(await Bench.run(["detector", "show", "hip-drop"], adding: [HipDropCounter.self]))
    }
    let output = String(decoding: try #require(result).standardOutputContent, as: UTF8.self)
    #expect(output.contains("hip-drop: Counts dips of the left hip."))
    #expect(output.contains("reps.hip-drop.low      0.7  0 to 1  image heights"))
  }

  @Test func oneOfABuiltInNameTakesItsPlace() async throws {
    struct Silent: Detector {
      static let profile = DetectorProfile(
        name: "squat-states", kind: .reps, exercise: "squat", summary: "Says nothing.", source: "an app")
      static let parameters: [Parameter] = []
      init(_ values: ParameterValues) throws(ParameterError) {}
      mutating func update(
        _ poses: borrowing PoseColumns, _ signals: borrowing SignalColumns, events: inout [Event]
      ) {}
    }
    let workspace = try Workspace.withSquats { $0.metrics = [("squat-states", "count.exact", 0.05)] }
    await #expect(processExitsWith: .exitCode(0)) { [project = workspace.project as String] in
      #expect(FileManager.default.changeCurrentDirectoryPath(project))
      exit(await Bench.run(["run", "--suite", "squat"], adding: [Silent.self]))
    }
    #expect(try workspace.results().clips.map { $0.outcomes["squat-states"]?.count } == [0, 0, 0])
  }

  @Test func withoutThemTheSuiteIsRefused() throws {
    try project().run("run", "--suite", "squat").expectFailure(
      1, saying: ["datasets/suites/squat.yaml:7", "squat-posture, squat-states", "\"hip-drop\""])
  }

  @Test func replayDrawsTheirSignals() async throws {
    let workspace = try project()
    let result = await #expect(processExitsWith: .exitCode(0), observing: [\.standardOutputContent]) {
      [project = workspace.project as String] in
      #expect(FileManager.default.changeCurrentDirectoryPath(project))
      exit(
        await Bench.run(["replay", "anna_1", "--detector", "hip-height", "--chart"], adding: [HipHeightCounter.self]))
    }
    let output = String(decoding: try #require(result).standardOutputContent, as: UTF8.self)
    #expect(output.contains("drew anna_1-hip-height.png"))
    #expect(try workspace.bytes("anna_1-hip-height.png").starts(with: PNGSignature.bytes))
  }
}
