import Charts
import Datasets
import Foundation
import PoseModel
import Testing

/// Charts of a stored run.
@Suite struct DrawTests {
  private func workspace() throws -> Workspace {
    let workspace = try Workspace.withSquats(after: [["run", "--suite", "squat"]])
    return workspace
  }

  private func size(_ file: String, in workspace: Workspace) throws -> (width: Int, height: Int) {
    let pixels = try PNGPixels([UInt8](workspace.bytes(file)))
    return (pixels.width, pixels.height)
  }

  @Test func everyChartIsListedWithWhatItNeeds() throws {
    let list = try Workspace().run("draw", "list")
    list.expectSuccess()
    for name in ["counts", "people", "timeline", "roc", "gains", "sweep"] {
      #expect(list.output.contains("\(name) "))
    }
    #expect(list.output.contains("needs a run"))
  }

  /// What the report draws of a run is what is drawn from the store, to the byte.
  @Test func aStoredRunIsDrawnAsItsReportIs() throws {
    let workspace = try workspace()
    let outcome = try workspace.run("draw", "counts", "errors", "--suite", "squat", "--out", "charts/")
    outcome.expectSuccess()
    #expect(outcome.output.contains(#/^drew charts/counts.png: .+\ndrew charts/errors.png: .+\n$/#))
    for (drawn, reported) in [("counts", "counts"), ("errors", "count-errors")] {
      let (mine, report) = (
        try workspace.bytes("charts/\(drawn).png"), try workspace.bytes("reports/squat/latest/\(reported).png")
      )
      #expect(mine == report, "\(drawn)")
    }
    let run = try #require(try workspace.store().runs(ofSuite: "squat").first)
    let name = String(run.id.dropFirst("squat/".count))
    for part in ["Suite\0squat", "Run\0\(name)", "Content\0squats sha256:", "Software\0bench "] {
      #expect(try workspace.holds(part, in: "charts/counts.png"), "\(part)")
    }
  }

  @Test func theDatasetsNeedNotBeThere() throws {
    let workspace = try workspace()
    try workspace.remove("datasets/squats")
    try workspace.run("draw", "counts", "people", "grades", "limits", "raters", "latency", "--suite", "squat")
      .expectSuccess()
    #expect(workspace.exists("limits.png") && workspace.exists("raters.png"))
  }

  @Test func widthScaleAndThemeAreAskedFor() throws {
    let workspace = try workspace()
    try workspace.run(
      "draw", "counts", "--suite", "squat", "--width", "400", "--scale", "2", "--theme", "dark", "--out", "c.png"
    ).expectSuccess()
    #expect(try size("c.png", in: workspace).width == 800)
    try workspace.run("draw", "counts", "--suite", "squat", "--width", "9", "--out", "c.png").expectFailure(
      64, saying: ["--width takes 200 to 8000"])
  }

  @Test func theFormatIsAskedForOrSaidByTheName() throws {
    let workspace = try workspace()
    let outcome = try workspace.run("draw", "counts", "--suite", "squat", "--format", "svg", "--out", "charts/")
    outcome.expectSuccess()
    #expect(outcome.output.contains(#/^drew charts/counts.svg: .+\n$/#))
    try workspace.run("draw", "counts", "--suite", "squat", "--out", "named.svg").expectSuccess()
    let picture = try workspace.bytes("named.svg")
    #expect(picture.starts(with: "<?xml".utf8))
    #expect(try workspace.bytes("charts/counts.svg") == picture)
    for part in ["Suite: squat\n", "Run: 2", "Content: squats sha256:"] {
      #expect(try workspace.holds(part, in: "named.svg"), "\(part)")
    }
    try workspace.run("draw", "counts", "--suite", "squat", "--theme", "dark", "--out", "dark.svg").expectSuccess()
    #expect(try workspace.bytes("dark.svg") != picture)
    try workspace.run("draw", "counts", "--suite", "squat", "--format", "svg", "--out", "c.png").expectFailure(
      64, saying: ["--format svg: expected an output that ends in .svg, found c.png"])
  }

  @Test func aTimelineIsReplayedOnTheSameContentOnly() throws {
    let workspace = try workspace()
    let outcome = try workspace.run("draw", "timeline", "--suite", "squat", "--clip", "anna_1")
    outcome.expectSuccess()
    #expect(
      outcome.output.contains(
        #/^drew timeline.png: .+\nreplayed squats/anna_1 with the run's parameters and data\n$/#))
    try workspace.replace("placed by hand", with: "placed by foot", in: "datasets/squats/dataset.yaml")
    try workspace.run("draw", "timeline", "--suite", "squat", "--clip", "anna_1").expectFailure(
      5, saying: ["dataset squats: expected the content of the run, sha256:", "to replay its clips, found sha256:"])
    // What needs no poses is drawn all the same.
    try workspace.run("draw", "counts", "--suite", "squat").expectSuccess()
  }

  /// At 75° no squat counts: anna's two are missed, bert's three, cleo's one.
  @Test func theWorstClipIsDrawnWhereNoneIsNamed() throws {
    let workspace = try Workspace.withSquats()
    try workspace.run("run", "--suite", "squat", "--set", "reps.squat-states.bottomAngle=75").expectSuccess()
    let outcome = try workspace.run("draw", "timeline", "--suite", "squat")
    outcome.expectSuccess()
    #expect(outcome.output.hasSuffix("\nreplayed squats/bert_1 with the run's parameters and data\n"))
  }

  /// What a timeline says below its title.
  private func subtitle(of clip: String, by detector: String, in workspace: Workspace) throws -> String {
    try workspace.run("draw", "timeline", "--suite", "squat", "--clip", clip, "--detector", detector).expectSuccess()
    let text = String(decoding: try workspace.bytes("timeline.png"), as: UTF8.self)
    return String(try #require(text.split(separator: "SYNTHETIC squats · \(detector)").dropFirst().first).prefix(200))
  }

  @Test func repsAreMissedByWhatCountsOnly() throws {
    let workspace = try workspace()
    let counted = try subtitle(of: "anna_1", by: "squat-states", in: workspace)
    #expect(counted.contains(" · 2 true reps, 0 missed · 2 predicted, 0 invented"))
    let graded = try subtitle(of: "anna_1", by: "squat-posture", in: workspace)
    #expect(graded.contains(" · 2 true reps") && !graded.contains("missed") && !graded.contains("predicted"))
  }

  /// A squat is no stroke, so that what is labelled as one is missed.
  @Test func aSwingDetectorsTimelineShowsStrokes() throws {
    let workspace = try Workspace()
    var dataset = SquatClip.dataset("squats", SquatClip.three)
    for index in dataset.clips.indices {
      dataset.clips[index].labels = GroundTruth(events: [.init(time: Microseconds(2_000_000), label: "serve")])
    }
    var suite = SquatSuite(content: try workspace.add(dataset))
    suite.detectors = ["- name: swing-peaks"]
    suite.metrics = [("swing-peaks", "strokes.recall", nil)]
    try workspace.write(suite.yaml, to: "datasets/suites/squat.yaml")
    try workspace.run("run", "--suite", "squat").expectSuccess()
    let drawn = try subtitle(of: "anna_1", by: "swing-peaks", in: workspace)
    #expect(drawn.contains(" · 1 true stroke, 1 missed · 0 predicted, 0 invented") && !drawn.contains("rep"))
    let report = try workspace.text("reports/squat/latest/report.md")
    #expect(!report.contains("wrong count"))
  }

  @Test func twoSettingsOfAClipStandOneBelowTheOther() throws {
    let workspace = try workspace()
    try workspace.run("draw", "timelines", "--suite", "squat").expectFailure(64, saying: ["the second one with --set"])
    let outcome = try workspace.run(
      "draw", "timelines", "--suite", "squat", "--clip", "anna_1", "--set", "reps.squat-states.bottomAngle=120")
    outcome.expectSuccess()
    #expect(outcome.output.contains("and replayed with reps.squat-states.bottomAngle=120"))
  }

  @Test func aRunIsHeldAgainstAnother() throws {
    let workspace = try workspace()
    try workspace.run("draw", "changes", "--suite", "squat", "--with", "latest").expectFailure(
      5, saying: ["expected a change, found no changed count"])
    let first = try #require(try workspace.store().runs(ofSuite: "squat").first).id
    try workspace.run("run", "--suite", "squat", "--set", "reps.squat-states.bottomAngle=120").expectSuccess()
    try workspace.run("draw", "gains", "--suite", "squat", "--with", first).expectSuccess()
    try workspace.run("draw", "changes", "--suite", "squat", "--with", first, "--output", "c.png").expectFailure(
      64, saying: ["--output c.png: expected a folder for ", " pictures, found the name of a file"])
    try workspace.run("draw", "changes", "--suite", "squat", "--with", first, "--output", "changed").expectSuccess()
    #expect(workspace.exists("changed/changes-counts.png"))
    let one = "count.exact"
    try workspace.run(
      "draw", "changes", "--suite", "squat", "--with", first, "--metric", one, "--output", "one.png"
    ).expectSuccess()
    try workspace.run(
      "draw", "changes", "--suite", "squat", "--with", first, "--metric", "latency.report", "--output", "two.png"
    ).expectFailure(5, saying: ["found no change of latency.report"])
    #expect(workspace.exists("gains.png"))
  }

  @Test func whatIsNotThereIsNamed() throws {
    let workspace = try workspace()
    let refusals: [(command: [String], code: Int32, words: [String])] = [
      (["count", "--suite", "squat"], 64, ["did you mean counts?"]),
      (["counts", "--run", "squat/never"], 5, ["run squat/never"]),
      (["counts", "--detector", "squat-state"], 64, ["did you mean squat-states?"]),
      (["timeline", "--clip", "ana_1"], 5, ["did you mean anna_1?"]),
      (["confusion"], 5, ["expected labelled strokes or postures"]),
      (
        ["counts", "--clip", "anna_1"], 64,
        ["--clip: expected a chart that takes it, such as timeline", "found counts"]
      ),
      (
        ["gains", "--from", "compare.json", "--with", "baseline"], 64,
        ["gains: expected either --from, whose file has both sides", "found --from and --with"]
      ),
      (["roc"], 5, ["expected grades of both faulty and correct reps"]),
      (["sweep", "--suite", "squat"], 5, ["bench sweep --suite squat"]),
      (["tuning", "--suite", "squat"], 5, ["bench tune --suite squat"]),
      (["selftest", "--suite", "squat"], 5, ["bench selftest gate --suite squat"]),
      (["robustness", "--suite", "squat"], 5, ["bench run --suite squat --robustness"]),
    ]
    for (refusal, outcome) in zip(refusals, try workspace.runEach(refusals.map { ["draw"] + $0.command })) {
      outcome.expectFailure(refusal.code, saying: refusal.words)
    }
  }

  @Test func whatCanBeDrawnIsDrawnBesideWhatCannot() throws {
    let workspace = try workspace()
    let outcome = try workspace.run("draw", "roc", "counts", "swing", "--suite", "squat", "--output", "new/charts")
    #expect(outcome.code == 5)
    #expect(outcome.error.contains("expected grades of both faulty and correct reps"))
    #expect(outcome.error.contains("bench: swing: "))
    #expect(outcome.output.contains(#/^drew new/charts/counts.png: .+\n$/#))
    #expect(workspace.names(in: "new/charts") == ["counts.png"])
  }

  /// An imported copy is what the run saw, wherever its folder went.
  @Test func posesThatTheStoreKeepsAreDrawnWithoutTheirFolder() throws {
    let workspace = try workspace()
    let drawings = ["draw", "timeline", "skeletons", "card", "--suite", "squat", "--output"]
    try workspace.run(drawings + ["there"]).expectSuccess()
    try workspace.remove("datasets/squats")
    try workspace.run(drawings + ["gone"]).expectSuccess()
    for name in ["timeline.png", "skeletons.png", "card.png"] {
      #expect(try workspace.bytes("gone/\(name)") == workspace.bytes("there/\(name)"), "\(name)")
    }
  }

  @Test func aDatasetsCardNeedsNoRun() throws {
    let workspace = try Workspace.withSquats()
    try workspace.run("draw", "card", "--dataset", "squats").expectSuccess()
    try workspace.run("dataset", "show", "squats", "--chart", "shown.png").expectSuccess()
    #expect(try workspace.bytes("card.png") == workspace.bytes("shown.png"))
    // 696 frames at 30 a second; no face is in any of them.
    let rows = try #require(PNGTexts([UInt8](workspace.bytes("card.png")))["Table"]).split(separator: "\n")
    for row in [
      #"fact,frames,"696, 0.4 min""#, #"fact,reps,"6, marked in 3 clips""#, "clips by view,side,3",
      "labels by kind,grades,12", #""missing in 1,000 frames",nose,1000"#,
    ] {
      #expect(rows.contains { $0 == row }, "\(row) in \(rows)")
    }
    #expect(!rows.contains { $0.contains("ankle") })
    try workspace.run("draw", "card", "--dataset", "squats", "--run", "latest").expectFailure(
      64, saying: ["give --dataset, or --run for the datasets of a run, not both"])
  }

  /// One question has one answer: of the same values, in words and drawn.
  @Test func powerIsTheSameWhoeverAsks() throws {
    let workspace = try Workspace.withSquats { $0.metrics[1].margin = 0.25 }
    // At 84° anna and bert are counted rightly, and cleo's only squat is missed: errors of 0, 0 and 1.
    let setting = ["--set", "reps.squat-states.bottomAngle=84"]
    try workspace.run(["run", "--suite", "squat"] + setting).expectSuccess()
    try workspace.run(["baseline", "accept", "--suite", "squat"] + setting).expectSuccess()
    let outcome = try workspace.run("power", "--suite", "squat", "--metric", "count.mae", "--chart")
    outcome.expectSuccess()
    // Differences of two of them: 0 twice, 1 twice and −1 twice, whose variance is 4/5.
    let first =
      #/^\d+ people are needed to detect a loss of 1\.144 reps in count error of squat-states four times in five; 3 at hand\.\n/#
    #expect(outcome.output.contains(first))
    #expect(
      outcome.output.contains("\ncount.mae of squat-states: a loss of 1.144 reps at margin 0.25, 3 gating metrics"))
    #expect(outcome.output.contains("SYNTHETIC squats: differences between people, standard deviation 0.894, 3 peop"))
    try workspace.run("draw", "power", "--suite", "squat", "--metric", "count.mae").expectSuccess()
    // With 200 people a loss is seen and a change without one passes, nearly always.
    let table = try #require(PNGTexts([UInt8](workspace.bytes("power.png")))["Table"]).split(separator: "\n")
    #expect(table.first == "subjects,detects the loss,low,high,passes a change without a loss,low,high")
    let chances = try #require(table.last).split(separator: ",").compactMap { Double($0) }
    #expect(chances.count == 7 && chances[0] == 200 && chances[1] > 0.9 && chances[4] > 0.9, "\(chances)")
    let asked = try PNGPixels([UInt8](workspace.bytes("reports/squat/power-count.mae.png")))
    #expect(try asked == PNGPixels([UInt8](workspace.bytes("power.png"))))
    // A metric that nobody has is told before a dataset is looked for.
    try workspace.run("power", "--suite", "squat", "--metric", "count.mea", "--dataset", "nobodys").expectFailure(
      5, saying: ["metric: expected one of suite squat, found none called \"count.mea\", did you mean count.mae or "])
    // Of other recordings it is what the suite makes of them, not the baseline's values.
    try workspace.add(SquatClip.dataset("others", SquatClip.three))
    let other = try workspace.run("power", "--suite", "squat", "--metric", "count.mae", "--dataset", "others")
    other.expectFailure(5, saying: ["expected values that differ between people, found 3 people, all equal"])
  }

  @Test func aSweepIsDrawnFromItsFile() throws {
    let workspace = try workspace()
    try workspace.run("sweep", "--suite", "squat", "--sweep", "reps.squat-states.bottomAngle=80,90,100").expectSuccess()
    let outcome = try workspace.run("draw", "sweep", "--suite", "squat")
    outcome.expectSuccess()
    #expect(outcome.output.contains(#/^drew sweep.png: .+\nfrom .+sweep.json\n/#))
    // What a file holds needs neither a run nor its suite.
    let folder = try #require(workspace.names(in: "reports/squat").last { $0.hasPrefix("sweep-") })
    let elsewhere = try Workspace()
    try elsewhere.write(try workspace.text("reports/squat/\(folder)/sweep.json"), to: "sweep.json")
    try elsewhere.run("draw", "sweep", "--from", "sweep.json").expectSuccess()
    try workspace.write("{\"format\": 7}", to: "other.json")
    try workspace.run("draw", "sweep", "--suite", "squat", "--from", "other.json").expectFailure(
      5, saying: ["other.json: expected format 2, found format 7"])
    try workspace.write("[]", to: "other.json")
    try workspace.run("draw", "sweep", "--suite", "squat", "--from", "other.json").expectFailure(
      1, saying: ["other.json: expected the results of a sweep"])
  }
}
