import Datasets
import Foundation
import PoseModel
import Testing

/// Predictions of another system, scored against a dataset's labels.
@Suite struct ScoreTests {
  /// True counts: anna 2, bert 3, cleo 1. Reps end at anna 3 and 8.333333, bert 3, 6 and 9, cleo 2.866667 s.
  private func score(_ csv: String, _ more: [String] = ["--dataset", "squats"]) throws -> Outcome {
    let workspace = try Workspace.withSquats()
    try workspace.write(csv, to: "mine.csv")
    return try workspace.run(["score", "--predictions", "mine.csv"] + more)
  }

  /// The values that were printed, by metric.
  private func values(_ outcome: Outcome) -> [String: String] {
    Dictionary(
      outcome.output.split(separator: "\n").compactMap { line -> (String, String)? in
        let cells = line.split(separator: " ")
        return cells.count > 1 ? (String(cells[0]), String(cells[1])) : nil
      }, uniquingKeysWith: { first, _ in first })
  }

  @Test func countsAClip() throws {
    let outcome = try score("clip,count\nanna_1,2\nbert_1,5\ncleo_1,0\n")
    outcome.expectSuccess()
    #expect(outcome.output.hasPrefix("Counts right on 1 of 3 clips.\n\nmine.csv: 3 clips of 3 people\n"))
    let values = values(outcome)
    // Errors 0, +2 and -1 of 2, 3 and 1 reps.
    #expect(values["count.exact"] == "0.3333")
    #expect(values["count.off-by-one"] == "0.6667")
    #expect(values["count.mae"] == "1.0000")
    // (0/2 + 2/3 + 1/1) / 3 = 5/9, and (0/2.1 + 2/3.1 + 1/1.1) / 3.
    #expect(values["count.nmae"] == "0.5556")
    #expect(values["count.nmae-shifted"] == "0.5181")
    #expect(values["count.bias"] == "0.3333")
    // Counts tell no times.
    #expect(values["reps.f1"] == nil)
  }

  /// As RepCountExp writes its counts.
  @Test func columnsWithoutAMeaningAreNamed() throws {
    let outcome = try score(
      """
      video_id,action,pred_count,status,method,mean_confidence
      anna_1,squat,2,ok,fsm,0.9
      bert_1,squat,5,ok,fsm,0.9
      cleo_1,squat,0,ok,fsm,0.9

      """)
    outcome.expectSuccess()
    #expect(outcome.output.hasPrefix("Counts right on 1 of 3 clips.\n"))
    #expect(
      outcome.output.contains("note: mine.csv: the columns action, status, method, mean_confidence are not used\n"))
  }

  /// Two strokes are labelled, and the predictions say nothing of any kind: both are missed.
  @Test func whatIsLabelledAndNotPredictedIsMissed() throws {
    let workspace = try Workspace.withSquats()
    try workspace.write("clip,time_s,label\nanna_1,2,hit\nbert_1,2,hit\n", to: "datasets/squats/events.csv")
    try workspace.write(
      ["anna_1", "bert_1", "cleo_1"].map { "{\"clip\": \"\($0)\"}\n" }.joined(), to: "mine.jsonl")
    let outcome = try workspace.run("score", "--predictions", "mine.jsonl", "--dataset", "squats")
    outcome.expectSuccess()
    #expect(values(outcome)["strokes.recall"] == "0.0000")
    #expect(!outcome.output.contains("is labelled"))
  }

  @Test func repsAClip() throws {
    // anna: one found 0.25 s late, one missed, one made up. bert: all found. cleo: none said.
    let outcome = try score(
      """
      clip,start_s,end_s
      anna_1,1,3.25
      anna_1,4,5
      bert_1,1,3
      bert_1,4,6
      bert_1,7,9
      cleo_1,,

      """)
    outcome.expectSuccess()
    let values = values(outcome)
    #expect(values["count.exact"] == "0.6667")
    // Ratios of the reps of all clips: anna has 1 of 2 right and of 2 found, bert 3 of 3 and of 3, cleo none and 0 of 1.
    #expect(values["reps.precision"] == "0.8000")  // (1 + 3) / (2 + 3)
    #expect(values["reps.recall"] == "0.6667")  // (1 + 3 + 0) / (2 + 3 + 1)
    #expect(values["reps.timing-error"] == "125.0000")  // (250 + 0) / 2 ms
    #expect(outcome.output.contains(#/\nreps\.timing-bias +125\.0000 /#))
  }

  @Test func theToleranceDecidesWhatIsFound() throws {
    let late = "clip,start_s,end_s\nanna_1,1,3.25\nanna_1,6,8.333333\n"
    let strict = try score(late, ["--dataset", "squats", "--tolerance", "0.2"])
    strict.expectSuccess()
    // anna 1 of 2 and bert, cleo none of theirs: (1/2 + 0 + 0) / 3.
    #expect(values(strict)["reps.recall"] == "0.1667")
    #expect(try values(score(late))["reps.recall"] == "0.3333")
    try score(late, ["--tolerance=-1"]).expectFailure(64, "--tolerance takes seconds from 0, found -1.0")
  }

  @Test func foreignNamesOfColumns() throws {
    let usual = try score("video_id,confidence,pred_count\nanna_1,high,2\nbert_1,low,3\ncleo_1,low,1\n")
    usual.expectSuccess()
    #expect(values(usual)["count.exact"] == "1.0000")
    let told = try score(
      "film,reps\nanna_1,2\nbert_1,3\ncleo_1,1\n", ["--dataset", "squats", "--columns", "clip=film,count=reps"])
    told.expectSuccess()
    #expect(values(told)["count.exact"] == "1.0000")
    try score("clip,count\nanna_1,2\n", ["--columns", "clips=film"]).expectFailure(
      64, saying: ["--columns takes pairs such as clip=video,count=reps", "found clips=film"])
  }

  @Test func theTruthInTheFileItself() throws {
    let outcome = try score("clip,count,true_count\na,2,2\nb,5,4\n", [])
    outcome.expectSuccess()
    #expect(values(outcome)["count.exact"] == "0.5000")
    #expect(outcome.output.contains("true counts of 2 clips from the file's own true_count\n"))
    try score("clip,count,true_count\nanna_1,2,7\n").expectFailure(
      1, "mine.csv:2: clip anna_1: expected the true count 2 of dataset squats, found 7")
  }

  /// Also beside times.
  @Test func theTruthBesideReps() throws {
    let outcome = try score("clip,start_s,end_s,true_count\na,1,2,2\na,3,4,2\nb,,,1\n", [])
    outcome.expectSuccess()
    #expect(values(outcome)["count.exact"] == "0.5000")
    try score("clip,start_s,end_s,true_count\na,1,2,2\na,3,4,3\n", []).expectFailure(
      1, "mine.csv:3: clip a: expected the true count 2 of line 2, found 3")
  }

  @Test func clipsWithoutAPredictionAreScoredAsNone() throws {
    let outcome = try score("clip,count\nbert_1,3\n")
    outcome.expectSuccess()
    #expect(outcome.output.contains("2 clips without a prediction are scored as zero reps: anna_1, cleo_1\n"))
    #expect(values(outcome)["count.exact"] == "0.3333")
    #expect(values(outcome)["count.bias"] == "−1.0000")
  }

  @Test func jsonIsTheMetricsAlone() throws {
    let outcome = try score("clip,count\nanna_1,2\nbert_1,5\ncleo_1,0\n", ["--dataset", "squats", "--json"])
    outcome.expectSuccess()
    let metrics = try #require(
      try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [[String: Any]])
    #expect(metrics.first?["metric"] as? String == "count.exact")
    #expect(metrics.first { $0["metric"] as? String == "count.mae" }?["value"] as? Double == 1)
  }

  @Test(arguments: [
    (
      "clip,count\nana_1,2\n",
      "mine.csv:2: clip ana_1: expected a clip of dataset squats, found none called \"ana_1\", did you mean anna_1?"
    ),
    (
      "clip,count\nanna_1,2\nbert_1,3\nanna_1,2\n",
      "mine.csv:4: clip anna_1: expected one count per clip, found another on line 2"
    ),
    ("clip,count\nanna_1,-2\n", "mine.csv:2: expected a count of 0 or more in column count, found \"-2\""),
    ("clip,count\nanna_1,two\n", "mine.csv:2: expected a whole number in column count, found \"two\""),
    ("clip,count\nanna_1,2.5\n", "mine.csv:2: expected a whole number in column count, found \"2.5\""),
    (
      "clip,start_s,end_s\nanna_1,3,1\n",
      "mine.csv:2: clip anna_1: expected an end after the start 3.0 s, found 1.0 s"
    ),
    ("count\n2\n", "mine.csv:1: expected a column clip, found only \"count\""),
    (
      "clip,reps\nanna_1,2\n",
      "mine.csv:1: expected a column count, count_confidence, time_s, grade or fault, or start_s and end_s, found only "
        + "\"clip\", \"reps\""
    ),
    ("clip,count\n", "mine.csv: expected at least one prediction, found none"),
    (
      "clip,start_s,end_s\nanna_1,1,3\nanna_1,6,60\n",
      "mine.csv:3: clip anna_1: expected a rep that ends by the end of the clip, \(end) s, found 60.0 s"
    ),
    (
      "clip,count,start_s,end_s\nanna_1,2,1,3\n",
      "mine.csv:1: expected a count of the clip without times and labels, found count, start_s, end_s"
    ),
    (
      "clip,count,time_s,label\nanna_1,3,1000,x\n",
      "mine.csv:1: expected a count of the clip without times and labels, found count, time_s, label"
    ),
    (
      "clip,count,turn\nanna_1,3,1\n",
      "mine.csv:1: expected a count of the clip without times and labels, found count, turn"
    ),
    (
      "clip,count_confidence,reported_s\nanna_1,0.5,1\n",
      "mine.csv:1: expected a count of the clip without times and labels, found count_confidence, reported_s"
    ),
    (
      "clip,start_s,end_s,count_confidence\nanna_1,1,3,0.5\n",
      "mine.csv:1: expected count_confidence beside a count or in a file of its own, found it in a table of reps"
    ),
    (
      "clip,time_s,fault\nanna_1,1,shallow\n",
      "mine.csv:1: expected start_s and end_s, rep or neither in a table of faults, found time_s"
    ),
    (
      "clip,start_s,end_s,turn_s\nanna_1,,,2\n",
      "mine.csv:2: clip anna_1: expected a time in seconds from 0 in column start_s, found an empty field"
    ),
    (
      "clip,time_s,label\nanna_1,,serve\n",
      "mine.csv:2: clip anna_1: expected a time in seconds from 0 in column time_s, found an empty field"
    ),
    (
      "clip,start_s,end_s,reported_s\nanna_1,1,3,500\n",
      "mine.csv:2: clip anna_1: expected a report within a minute after the end of the clip, \(end) s, found 500.0 s"
    ),
    (
      "{\"clip\":\"anna_1\"}\n{\"clip\":\"anna_1\",\"type\":\"rep\",\"start\":1,\"end\":3}\n",
      "mine.csv:2: clip anna_1: expected a line for each rep of the clip, or a single one without events, found another on line 1"
    ),
    (
      "{\"clip\":\"anna_1\",\"type\":\"rep\",\"start\":1,\"end\":3}\n{\"clip\":\"anna_1\",\"events\":[]}\n",
      "mine.csv:2: clip anna_1: expected a line for each rep of the clip, or a single one without events, found another on line 1"
    ),
    (
      "{\"clip\":\"anna_1\"}\n{\"clip\":\"anna_1\",\"count\":3}\n",
      "mine.csv:2: clip anna_1: expected a count of 0, as nothing was found on line 1, found 3"
    ),
    (
      "clip,start_s,end_s\nanna_1,1,3\nanna_1,,\n",
      "mine.csv:3: clip anna_1: expected a row for each rep of the clip, or a single one without times, found another on line 2"
    ),
    (
      "clip,start_s,end_s\nanna_1,,\nanna_1,1,3\n",
      "mine.csv:3: clip anna_1: expected a row for each rep of the clip, or a single one without times, found another on line 2"
    ),
    (
      "clip,start_s,end_s\nanna_1,,\nanna_1,,\n",
      "mine.csv:3: clip anna_1: expected a row for each rep of the clip, or a single one without times, found another on line 2"
    ),
  ])
  func predictionsThatCannotBeScored(csv: String, message: String) throws {
    try score(csv).expectFailure(1, message)
  }

  /// A report may come up to a minute after the end of the clip.
  @Test func lateReports() throws {
    try score("clip,start_s,end_s,reported_s\nanna_1,1,3,\(Self.end + 60)\n").expectSuccess()
    try score("clip,time_s,reported_s\nanna_1,3,\(Self.end + 61)\n").expectFailure(
      1, saying: ["mine.csv:2: clip anna_1: expected a report within a minute after the end of the clip"])
  }

  /// A count is compared with what other files say, but a file of strokes says nothing about reps.
  @Test func nothingFoundBesideACount() throws {
    let workspace = try Workspace.withSquats()
    let command = ["score", "--dataset", "squats", "--predictions", "counts.csv", "others"]
    try workspace.write("clip,count\nanna_1,2\nbert_1,3\n", to: "counts.csv")
    try workspace.write("clip,start_s,end_s\nanna_1,,\n", to: "others")
    try workspace.run(command).expectFailure(
      1, "counts.csv:2: clip anna_1: expected a count of 0, as nothing was found on others:2, found 2")
    try workspace.write(
      "{\"clip\":\"bert_1\",\"type\":\"stroke\",\"contact\":1}\n{\"clip\":\"anna_1\"}\n", to: "others")
    try workspace.run(command).expectSuccess()
    try workspace.write("clip,count\nanna_1,0\nbert_1,3\n", to: "counts.csv")
    try workspace.write("{\"clip\":\"anna_1\"}\n", to: "others")
    try workspace.run(command).expectSuccess()
  }

  /// When anna's clip ends: a frame after its last.
  private static let end = Microseconds(frame: SquatClip.three[0].kneeAngles.count, rate: SquatClip.fps).seconds

  @Test func aTruthThatNobodyTells() throws {
    try score("clip,count\nanna_1,2\n", []).expectFailure(
      1, saying: ["mine.csv:2: clip anna_1: expected a column true_count, or --dataset"])
  }

  @Test func filesAndDatasetsThatAreAbsent() throws {
    let workspace = try Workspace.withSquats()
    try workspace.run("score", "--predictions", "mine.csv").expectFailure(
      1, "mine.csv: expected a file that can be read, found no such file or directory")
    try workspace.write("clip,count\nanna_1,2\n", to: "mine.csv")
    try workspace.run("score", "--predictions", "mine.csv", "--dataset", "squatz").expectFailure(
      5, saying: ["dataset squatz: expected ", "did you mean squats?"])
  }
}
