import Evaluation
import Foundation
import Testing

/// What a run finds, prints and leaves behind.
@Suite struct RunTests {
  /// Each picture on a light and on a dark ground.
  static let reportFiles =
    (["count-errors", "counts", "grades", "latency", "timeline-1"].flatMap { ["\($0).png", "\($0)-dark.png"] }
    + ["report.md", "results.json"]).sorted()

  /// Every squat ends 3 frames before the person is back at 170.5°, when it passes 160°: 100 ms early. The deep ones
  /// have nothing wrong and are graded 100 where the raters give 90 and 80.
  @Test func theNumbersAreWhatTheJointsWerePlacedFor() throws {
    let workspace = try Workspace.withSquats(after: [["run", "--suite", "squat"]])
    let results = try workspace.results()
    let expected: [(detector: String, metric: String, value: Double)] = [
      ("squat-states", "count.exact", 1), ("squat-states", "count.mae", 0), ("squat-states", "count.bias", 0),
      ("squat-states", "reps.f1", 1), ("squat-states", "reps.timing-error", 100),
      ("squat-states", "reps.timing-bias", -100), ("squat-states", "latency.report", 0),
      ("squat-states", "latency.early", 100),
      ("squat-posture", "grades.mae", 15), ("squat-posture", "grades.human-mae", 10),
    ]
    for (detector, metric, value) in expected {
      let found = try #require(results.metric(detector, metric)?.value, "\(metric)")
      #expect(abs(found - value) < 0.001, "\(metric)")
    }
  }

  @Test func aRunIsOneScreen() throws {
    let workspace = try BaselineTests.accepted()
    let set = ["run", "--suite", "squat", "--set", "reps.squat-states.bottomAngle=84"]
    let narrow = try workspace.run(set, environment: ["COLUMNS": "80"]).output.components(separatedBy: "\n")
    // A command stays on its line, to be copied.
    #expect(narrow.filter { $0.count > 80 && !$0.hasPrefix("         bench ") } == [])
    let outcome = try workspace.run(set)
    outcome.expectSuccess()
    let lines = outcome.output.components(separatedBy: "\n")
    #expect(lines.count <= 40)
    #expect(lines[0] == "Counts right on 2 of 3 clips, 1 fewer than in the baseline (3).")
    // The squat goes to 86.5°.
    #expect(lines[1] == "why      cleo_1: rep 1: knee angle bottomed at 87°, needs < 84° (bottomAngle)")
    #expect(lines[2] == "next     see why, on the clip that lost most:")
    #expect(
      lines[3] == "         bench replay cleo_1 --suite squat --set reps.squat-states.bottomAngle=84 --chart")
    #expect(lines[4].hasPrefix("verdict  MAYBE WORSE: "))
    #expect(lines.contains("suite squat version 1"))
    #expect(outcome.output.contains(#/\ndataset  squats 1, SYNTHETIC, 3 clips of 3 people, sha256:[0-9a-f]{12}\n/#))
    #expect(outcome.output.contains("detector squat-states bottomAngle=84, else at its defaults\n"))
    // Two of three subjects with one clip each: Wilson's centre is (2/3 + 3.8415/6) / (1 + 3.8415/3) = 0.5731, his half
    // width 1.96 / 2.2805 · √(2/27 + 3.8415/36) = 0.3654. The lower median of the
    // others' counts is 1, 1 and 2, where the true ones are 2, 3 and 1: right for nobody.
    #expect(
      outcome.output.contains(
        #/\nsquat-states\n  exact counts +count\.exact +0\.667 +0\.208 to 0\.939 +−0\.333 +0\.000 +gates\n/#
      ))
    #expect(
      outcome.output.contains(
        "\nworst    clips of squat-states:\n  cleo_1  counted 0, true 1, missed 1, invented 0\n\nreport   "))
    #expect(outcome.output.contains(#/\nreport +reports\/squat\/[0-9TZ-]+\/report\.md\n$/#))
  }

  @Test func theReportIsWhereTheRunSaysAndLatestPointsThere() throws {
    let workspace = try Workspace.withSquats()
    for runs in 1...2 {
      let outcome = try workspace.run("run", "--suite", "squat")
      let latest = try FileManager.default.destinationOfSymbolicLink(
        atPath: workspace.path("reports/squat/latest"))
      #expect(outcome.output.contains("report   reports/squat/\(latest)/report.md\n"))
      #expect(workspace.names(in: "reports/squat/\(latest)") == Self.reportFiles)
      for file in Self.reportFiles where file.hasSuffix(".png") {
        #expect(try workspace.bytes("reports/squat/latest/\(file)").starts(with: PNGSignature.bytes))
      }
      // The runs, `latest`, and nothing half-written.
      #expect(try FileManager.default.contentsOfDirectory(atPath: workspace.path("reports/squat")).count == runs + 1)
      #expect(try workspace.store().runs(ofSuite: "squat").first?.id == "squat/\(latest)")
    }
  }

  @Test func runsAtTheSameTimeDoNotMeet() async throws {
    let workspace = try Workspace.withSquats()
    try workspace.run("dataset", "list").expectSuccess()
    let outcomes = try await withThrowingTaskGroup(of: Outcome.self) { group in
      for _ in 0..<4 { group.addTask { try workspace.run("run", "--suite", "squat") } }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    for outcome in outcomes { outcome.expectSuccess() }
    #expect(workspace.names(in: "reports/squat").count == 5)
    #expect(try workspace.store().runs(ofSuite: "squat").count == 4)
  }

  @Test func jsonIsTheResultsAndNothingElse() throws {
    let workspace = try Workspace.withSquats()
    let outcome = try workspace.run("run", "--suite", "squat", "--json")
    outcome.expectSuccess()
    let json = try JSONText(outcome.output)
    #expect(json.hasSortedKeys)
    #expect(json["suite"] as? String == "squat" && json["format"] as? Int == 1)
    #expect(try workspace.text("reports/squat/latest/results.json") == outcome.output)
    // The store keeps what was found; what a report makes of it follows from that.
    var printed = try #require(try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any])
    for key in ["report", "measuredPictures"] { #expect(printed.removeValue(forKey: key) != nil) }
    let kept = try #require(try workspace.store().runs(ofSuite: "squat").first?.results)
    let stored = try JSONSerialization.jsonObject(with: Data(kept.utf8)) as? NSDictionary
    #expect(stored?.isEqual(to: printed) == true)
  }

  @Test func theSameInputGivesTheSameBytesOnAnyNumberOfThreads() throws {
    let workspace = try Workspace.withSquats()
    let texts = try ["1", "4"].map { jobs in
      let outcome = try workspace.run("run", "--suite", "squat", "--json", "--jobs", jobs)
      outcome.expectSuccess()
      return try JSONText(outcome.output).withoutMeasured()
    }
    #expect(texts[0] == texts[1])
    // The same from another folder and a new store.
    let elsewhere = try Workspace.withSquats()
    let outcome = try elsewhere.run("run", "--suite", "squat", "--json")
    #expect(try JSONText(outcome.output).withoutMeasured() == texts[0])
  }

  @Test func anotherDatasetInPlaceOfTheSuites() throws {
    let workspace = try Workspace.withSquats()
    try workspace.add(SquatClip.dataset("others", [SquatClip.three[1]]))
    let outcome = try workspace.run("run", "--suite", "squat", "--dataset", "others")
    outcome.expectSuccess()
    #expect(outcome.output.contains("\ndataset  others 1, SYNTHETIC, 1 clip of 1 person, "))
    // One subject says nothing about others.
    let row = #/\nsquat-states\n  exact counts +count\.exact +1\.000 +n\/a +(gates, )?no interval from one person\n/#
    #expect(outcome.output.contains(row))
    #expect(try workspace.results().datasets.map(\.name) == ["others"])
  }

  @Test func aProjectIsFoundFromAFolderInside() throws {
    let workspace = try Workspace.withSquats()
    try workspace.write("", to: "notes/deep/file")
    let outcome = try workspace.shell("cd notes/deep && exec $bench run --suite squat")
    outcome.expectSuccess()
    #expect(outcome.output.contains("report   \(workspace.project)/reports/squat/"))
    #expect(workspace.names(in: "notes/deep") == ["file"])
  }
}
