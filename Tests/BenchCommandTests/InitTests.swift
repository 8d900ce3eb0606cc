import Foundation
import Testing

/// An app's repository is set up for a dataset, and what is there is kept.
@Suite struct InitTests {
  /// A folder with nothing in it but a git checkout's mark and, in the store, the dataset `squats`.
  private func repository(datasets: [String] = ["squats"]) throws -> Workspace {
    try Workspace.shared("repository with \(datasets)") {
      let workspace = try Workspace()
      for name in datasets { try workspace.add(SquatClip.dataset(name, SquatClip.twelve), in: "../elsewhere") }
      try workspace.remove("datasets")
      try workspace.write("ref: refs/heads/main\n", to: ".git/HEAD")
      for name in datasets {
        try workspace.run("dataset", "import", "--from", "../elsewhere/\(name)").expectSuccess()
      }
      return workspace
    }
  }

  @Test func aSuiteThatRunsAndGates() throws {
    let workspace = try repository()
    let made = try workspace.run("init")
    made.expectSuccess()
    #expect(
      made.output == """
        Suite squats is ready: exercise-squat, 9 metrics, 6 of them gate.
        made     datasets/
        made     datasets/suites/
        made     baselines/
        made     datasets/suites/squats.yaml
        made     .gitignore: 2 lines added
        made     .github/workflows/form.yml
                 Replace OWNER with the account that has form-bench.
        note     squats is only in this machine's store, which CI does not have. To commit it (docs/privacy.md):
                 bench dataset export squats --to datasets/squats
        next     read the suite, make the first baseline, and commit both:
                 bench baseline accept --suite squats

        """)
    // Every key stands below a comment.
    let lines = try workspace.text("datasets/suites/squats.yaml").split(separator: "\n").map(String.init)
    let keys = lines.indices.filter { lines[$0].contains(#/^[a-z_]+:/#) }
    #expect(keys.map { lines[$0].prefix { $0 != ":" } }.count == 9)
    for key in keys { #expect(lines[key - 1].hasPrefix("#"), "\(lines[key]) has no comment") }
    // 3 % of the scale, which is 0 to 100.
    #expect(lines.contains { $0.hasPrefix("- { detector: exercise-squat, metric: grades.mae, margin: 3 } ") })
    try workspace.run("baseline", "accept", "--suite", "squats").expectSuccess()
    try workspace.run("gate", "--suite", "squats").expectSuccess()
    // What it says to do next leaves the content as the suite pins it.
    try workspace.run("dataset", "export", "squats", "--to", "datasets/squats").expectSuccess()
    try workspace.run("gate", "--suite", "squats").expectSuccess()
    #expect(!(try workspace.run("init").output.contains("note")))
  }

  /// In one frame the knee of a half squat jumps below 90°, which the exercise counts: one rep too many for each of
  /// twelve people, and none with the mean of three frames.
  @Test func aSmoothingThatClearlyHelpsIsSaidOnce() throws {
    let workspace = try Workspace()
    let squats = [SquatClip.deep, SquatClip.half, SquatClip.deep]
    try workspace.add(
      SquatClip.dataset(
        "squats",
        (1...12).map {
          SquatClip(name: "clip_\($0)", subject: "subject_\($0)", squats: squats, isJittery: true)
        }))
    try workspace.write(
      """
      exercise: squat
      summary: Counts squats by the knee.
      source: own trials
      joints: [hip, knee, ankle]
      signals:
        knee: { angle: [hip, knee, ankle] }
      count:
        signal: knee
        start: 160
        turn: { name: bottom, value: 90, range: [40, 150], source: level thighs }
        phases: [standing, descending, bottom, ascending]

      """, to: "exercises/squat.yaml")
    let made = try workspace.run("init")
    made.expectSuccess()
    let words = made.output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(
      words.contains(
        "hint smoothing: average:3 in the suite improves exact counts of exercise-squat on people left out: 0.000 to 1.000, "
          + "by 1.000 (1.000 to 1.000; 12 people)."), "\(made.output)")
    #expect(words.contains("bench compare --suite squats --smooth average:3 next"))
    #expect(!(try workspace.text("datasets/suites/squats.yaml").contains("\nsmoothing:")))
    #expect(!(try workspace.run("init").output.contains("hint")))
  }

  @Test func whatIsThereIsKept() throws {
    let workspace = try repository()
    try workspace.write("build/\n.formbench/", to: ".gitignore")
    try workspace.run("init").expectSuccess()
    let ignored = try workspace.text(".gitignore")
    #expect(ignored.hasPrefix("build/\n.formbench/\n#") && ignored.hasSuffix("\nreports/\n"))
    #expect(ignored.components(separatedBy: ".formbench/").count == 2)
    try workspace.write("mine\n", to: "datasets/suites/squats.yaml")
    try workspace.write("mine too\n", to: ".github/workflows/form.yml")
    let again = try workspace.run("init")
    again.expectSuccess()
    #expect(!again.output.contains("made "))
    #expect(again.output.contains("To gate squats too, add a step like the one in it with suite: squats\n"))
    #expect(try workspace.text("datasets/suites/squats.yaml") == "mine\n")
    #expect(try workspace.text(".github/workflows/form.yml") == "mine too\n")
    #expect(try workspace.text(".gitignore") == ignored)
    // With a slash before it, a line is about the top alone, which is where bench writes.
    try workspace.write("/reports/\n/.formbench/\n", to: ".gitignore")
    try workspace.run("init").expectSuccess()
    #expect(try workspace.text(".gitignore") == "/reports/\n/.formbench/\n")
  }

  @Test func withoutADatasetItSaysWhatIsNext() throws {
    let workspace = try repository(datasets: [])
    let made = try workspace.run("init")
    made.expectSuccess()
    #expect(made.output.contains("next     import recordings, then make a suite for them:\n"))
    #expect(workspace.exists("datasets/suites") && workspace.exists("baselines") && !workspace.exists(".github"))
  }

  @Test func amongSeveralDatasetsOneIsNamed() throws {
    let workspace = try repository(datasets: ["lunges", "squats"])
    try workspace.run("init").expectFailure(
      64, "found the datasets lunges, squats; name one: bench init lunges")
    #expect(!workspace.exists("datasets") && !workspace.exists(".gitignore"))
    try workspace.run("init", "squats").expectSuccess()
    #expect(workspace.names(in: "datasets/suites") == ["squats.yaml"])
  }

  /// Nothing could be gated: nothing is written.
  @Test func aDatasetWithoutLabels() throws {
    let workspace = try repository(datasets: [])
    try workspace.add(SquatClip.dataset("squats", SquatClip.three), in: "../elsewhere")
    for file in workspace.names(in: "../elsewhere/squats") where !["clips.csv", "dataset.yaml", "poses"].contains(file)
    {
      try workspace.remove("../elsewhere/squats/\(file)")
    }
    let table = try workspace.text("../elsewhere/squats/clips.csv").split(whereSeparator: \.isNewline)
    try #require(table[0].hasSuffix(",rep_count"))
    try workspace.write(
      table.map { $0.prefix(upTo: $0.lastIndex(of: ",") ?? $0.endIndex) + "\n" }.joined(),
      to: "../elsewhere/squats/clips.csv")
    try workspace.run("dataset", "import", "--from", "../elsewhere/squats").expectSuccess()
    try workspace.run("init").expectFailure(
      5,
      "dataset squats: expected labels that score exercise-squat: counts, reps, grades, faults or intervals, found none; "
        + "label them with: bench view --dataset squats --label")
    #expect(!workspace.exists("datasets") && !workspace.exists(".gitignore"))
  }

  /// The project's own detectors come before the built-in ones.
  @Test(.needsPython) func aDetectorOfTheApp() throws {
    let project = try CommandProject.counting(SquatClip.twelve)
    let made = try project.run("init", "squats")
    made.expectSuccess()
    #expect(made.output.hasPrefix("Suite squats is ready: knee, 7 metrics, 5 of them gate.\n"))
    // The workflow's gate and the command that it prints may run the program.
    #expect(made.output.hasSuffix("bench baseline accept --suite squats --allow-commands\n"))
    #expect(try project.workspace.text(".github/workflows/form.yml").hasSuffix("        allow-commands: true\n"))
    let suite = try project.workspace.text("datasets/suites/squats.yaml")
    #expect(suite.contains("these people can show:\n#   bench power --suite squats --metric count.exact\n"))
  }

  /// Files with counts alone have no values for reps and delays: the suite passes on the same files.
  @Test func predictionsFromFiles() throws {
    let workspace = try repository()
    try workspace.write(
      "detector: our-app\npredictions: file\nkind: reps\nexercise: squat\n", to: "detectors/our-app.yaml")
    let rows = SquatClip.twelve.map { "\($0.name),\($0.squats.count)\n" }
    try workspace.write("clip,count\n" + rows.joined(), to: "predictions.csv")
    try workspace.run("init").expectFailure(5, saying: ["expected its predictions", "give --predictions FILE"])
    #expect(!FileManager.default.fileExists(atPath: workspace.path("datasets")))
    let made = try workspace.run("init", "--predictions", "predictions.csv")
    made.expectSuccess()
    #expect(made.output.hasPrefix("Suite squats is ready: our-app, 4 metrics, 3 of them gate.\n"), "\(made.output)")
    #expect(made.output.hasSuffix("bench baseline accept --suite squats --predictions predictions.csv\n"))
    let suite = try workspace.text("datasets/suites/squats.yaml")
    #expect(
      suite.contains("metric: count.mae") && !suite.contains("metric: latency") && !suite.contains("metric: reps."))
    let workflow = try workspace.text(".github/workflows/form.yml")
    #expect(workflow.contains("        predictions: 'predictions.csv'\n") && workflow.contains("    - run: exit 1\n"))
    try workspace.run("baseline", "accept", "--suite", "squats", "--predictions", "predictions.csv").expectSuccess()
    try workspace.run("gate", "--suite", "squats", "--predictions", "predictions.csv").expectSuccess()
  }

  /// Predictions that name no detector take the place of the built-in one, with the metrics that they have values for.
  @Test func predictionsWithoutADetector() throws {
    let workspace = try repository()
    let rows = SquatClip.twelve.enumerated().map { "\($1.name),\($1.squats.count + $0 % 2)\n" }
    // No baseline can be made of a file that lacks a clip.
    try workspace.write("clip,count\n" + rows.dropLast().joined(), to: "predictions.csv")
    try workspace.run("init", "--predictions", "predictions.csv").expectFailure(
      5, saying: ["a prediction for each of the 12 clips", "found none for squats/\(SquatClip.twelve[11].name)"])
    #expect(!workspace.exists("datasets/suites"))
    try workspace.write("clip,count\n" + rows.joined(), to: "predictions.csv")
    let made = try workspace.run("init", "--predictions", "predictions.csv")
    made.expectSuccess()
    #expect(
      made.output.hasPrefix(
        "Suite squats is ready: predictions in place of exercise-squat, 4 metrics, 3 of them gate.\n"),
      "\(made.output)")
    let suite = try workspace.text("datasets/suites/squats.yaml")
    #expect(suite.contains("metric: count.mae") && !suite.contains("metric: latency"))
    #expect(suite.contains("take the place of these detectors"))
    // What the suite says of its margins.
    try workspace.run("baseline", "accept", "--suite", "squats", "--predictions", "predictions.csv").expectSuccess()
    let power = try workspace.run("power", "--suite", "squats", "--metric", "count.mae")
    power.expectSuccess()
    #expect(power.output.contains(#/\ncount\.mae of predictions: a loss of [\d.]+ reps at margin 0\.2,/#))
  }

  /// Predictions need labels, but no recordings: nothing is replayed.
  @Test func predictionsOfClipsWithLabelsOnly() throws {
    let workspace = try repository(datasets: [])
    var dataset = SquatClip.dataset("squats", SquatClip.twelve)
    for index in dataset.clips.indices { dataset.clips[index].keypoints = nil }
    try workspace.add(dataset)
    let rows = SquatClip.twelve.map { "\($0.name),\($0.squats.count)\n" }
    try workspace.write("clip,count\n" + rows.joined(), to: "predictions.csv")
    try workspace.run("init").expectFailure(
      5,
      "dataset squats: expected clips with poses to make a suite for, found labels only; for predictions from files, "
        + "run: bench init squats --predictions FILE")
    try workspace.run("init", "--predictions", "predictions.csv").expectSuccess()
    try workspace.run("baseline", "accept", "--suite", "squats", "--predictions", "predictions.csv").expectSuccess()
    try workspace.run("gate", "--suite", "squats", "--predictions", "predictions.csv").expectSuccess()
    // The step after a change of the dataset names the files.
    try workspace.replace(",subject_12,", with: ",someone,", in: "datasets/squats/clips.csv")
    try workspace.run("gate", "--suite", "squats", "--predictions", "predictions.csv").expectFailure(
      5, saying: ["again: bench baseline accept --suite squats --predictions predictions.csv; to run"])
  }

  /// GitHub reads workflows at the top of a repository alone.
  @Test func aFolderOfARepository() throws {
    let workspace = try repository(datasets: [])
    try workspace.add(SquatClip.dataset("squats", SquatClip.three), in: "coach's/datasets")
    let made = try workspace.shell("cd \"coach's\" && $bench init && cd datasets && $bench init")
    #expect(
      made.code == 64 && made.error.contains("is already a project that contains this folder; run bench init there"))
    #expect(workspace.exists("coach's/datasets/suites/squats.yaml") && !workspace.exists("coach's/.github"))
    #expect(try workspace.text(".github/workflows/form.yml").hasSuffix("  directory: 'coach''s'\n"))
  }
}
