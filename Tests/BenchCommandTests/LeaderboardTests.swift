import Charts
import Datasets
import Evaluation
import Foundation
import Pipeline
import Testing

/// Detectors ranked on the clips of their own exercise.
@Suite struct LeaderboardTests {
  /// Three squats, and the same recordings as an exercise that nobody has a detector for.
  private func project() throws -> Workspace {
    let workspace = try Workspace.withSquats()
    var dataset = SquatClip.dataset("others", SquatClip.three)
    for index in dataset.clips.indices { dataset.clips[index].info.exercise = "juggling" }
    try workspace.add(dataset)
    return workspace
  }

  @Test func eachDetectorOnItsOwnExercise() throws {
    let outcome = try project().run(
      "leaderboard", "--datasets", "squats", "others", "--detectors", "squat-states", "--csv")
    outcome.expectSuccess()
    let lines = outcome.output.split(separator: "\n").map(String.init)
    #expect(lines.first == "exercise,dataset,origin,clips,people,place,role,detector,metric,value,low,high")
    #expect(lines.contains("juggling,others,synthetic,3,3,,,,,,,"))
    // It counts all three right: see `SquatClip.three`.
    #expect(lines.contains { $0.hasPrefix("squat,squats,synthetic,3,3,1,detector,squat-states,count.exact,1,") })
    #expect(lines.contains { $0.hasPrefix("squat,squats,synthetic,3,3,1,detector,squat-states,count.mae,0,") })
    #expect(lines.contains { $0.hasPrefix("squat,squats,synthetic,3,3,,offline peaks,") })
    // The lower median of the other two people: 1 for anna and bert, who do 2 and 3, and 2 for cleo, who does 1.
    #expect(lines.contains("squat,squats,synthetic,3,3,,trivial,trivial predictor,count.exact,0,,"))
    #expect(lines.contains { $0.hasPrefix("squat,squats,synthetic,3,3,,trivial,trivial predictor,count.mae,1.33") })
  }

  @Test func theTableSaysWhatIsNotCovered() throws {
    let workspace = try project()
    let arguments = ["leaderboard", "--datasets", "squats", "others", "--detectors", "squat-states"]
    let table = try workspace.run(arguments)
    table.expectSuccess()
    #expect(
      table.output.hasPrefix(
        "Best on squat: squat-states, exact counts 1.000. No detector with exact counts is made for juggling.\n"))
    #expect(table.output.contains("squat, squats: 3 clips of 3 people\n"))
    #expect(table.output.contains("SYNTHETIC: generated data, not real people: others, squats.\n"))
    let markdown = try workspace.run(arguments + ["--markdown"])
    markdown.expectSuccess()
    #expect(markdown.output.contains("\n| 1 | squat-states | 1.000 ("))
    #expect(
      markdown.output.contains("\n## juggling, others: 3 clips of 3 people\n\nNo detector supports this exercise.\n"))
  }

  /// Four people do one squat each. `exact` counts it, `once` counts two too many of one person, `always` one too many of
  /// everybody.
  ///
  /// `once` errs by 2, 0, 0 and 0 more than `exact`: 0.5 ± 3.182 · 1 / √4 may be chance, so both are first. `always` errs
  /// by 1, 1, 1 and 1 more, which is not. Compared with `once`, it errs by -1, 1, 1 and 1 more, which might be.
  @Test func detectorsShareAPlaceWithTheFirstOfIt() throws {
    let clips = (1...4).map { SquatClip(name: "clip_\($0)", subject: "s\($0)", squats: [SquatClip.deep]) }
    let workspace = try Workspace.withSquats(clips)
    let program = #"""
      while read -r line; do case $line in
      *'"start"'*) case $1 in always) reps='0 1' ;; *) reps=0 ;; esac ;;
      *'"frame":0,'*'[PLACE.0,700.0,1.0]'*) [ $1 != once ] || reps='0 1 2'; echo '{}' ;;
      *'"end"'*)
        said=
        for rep in $reps; do
          said="$said${said:+,}{\"type\":\"rep\",\"start\":0.$rep,\"end\":0.$((rep + 1))}"
        done
        echo "{\"events\":[$said]}" ;;
      *) echo '{}' ;;
      esac; done

      """#.replacing("PLACE", with: "\(Int(500 + clips[0].place))")
    try workspace.write(program, to: "coach/count")
    let names = ["always", "exact", "once"]
    for name in names {
      try workspace.write(
        "detector: \(name)\ncommand: [/bin/sh, coach/count, \(name)]\nkind: reps\nexercise: squat\nposes: recorded\n",
        to: "detectors/\(name).yaml")
    }
    let outcome = try workspace.run(
      ["leaderboard", "--datasets", "squats", "--csv", "--allow-commands", "--metrics", "count.mae", "count.exact"]
        + ["--detectors"] + names, environment: ["XDG_STATE_HOME": workspace.outside + "/state"])
    outcome.expectSuccess()
    let lines = outcome.output.split(separator: "\n")
    let ranked = lines.filter { $0.contains(",count.mae,") }
    // The lowest error first; then what is no detector, and has no place.
    let expected = [
      "1,detector,exact,count.mae,0,", "1,detector,once,count.mae,0.5,", "3,detector,always,count.mae,1,",
      ",offline peaks,offline-peaks,count.mae,0,", ",trivial,trivial predictor,count.mae,0,",
    ]
    try #require(ranked.count == expected.count)
    for (line, rest) in zip(ranked, expected) {
      #expect(line.hasPrefix("squat,squats,synthetic,4,4,\(rest)"), "\(line)")
    }
    // One squat takes the knee by 90° down and up again.
    #expect(lines.contains { $0.hasPrefix("squat,squats,synthetic,4,4,,offline peaks,offline-peaks,count.exact,1,") })
  }

  /// A detector that takes any exercise is ranked everywhere and made for none.
  @Test func aDetectorForAnyExerciseCoversNone() throws {
    let outcome = try project().run(
      "leaderboard", "--datasets", "squats", "others", "--detectors", "squat-states", "reps-any")
    outcome.expectSuccess()
    #expect(
      outcome.output.split(whereSeparator: \.isWhitespace).joined(separator: " ").hasPrefix(
        "Best on juggling: reps-any, exact counts 0.333; on squat: squat-states, exact counts 1.000, no better than "
          + "reps-any beyond chance. No detector with exact counts is made for juggling."))
    #expect(outcome.output.contains(#/\njuggling, others: 3 clips of 3 people\n.*\n +1 +reps-any /#))
  }

  /// Of a dataset with other exercises a suite's own are ranked.
  @Test func aSuiteSaysTheExercises() throws {
    let workspace = try Workspace()
    var dataset = SquatClip.dataset("squats", SquatClip.three)
    dataset.clips[2].info.exercise = "juggling"
    try workspace.write(SquatSuite(content: workspace.add(dataset)).yaml, to: "datasets/suites/squat.yaml")
    let outcome = try workspace.run("leaderboard", "--suites", "squat", "--csv")
    outcome.expectSuccess()
    #expect(outcome.output.contains("\nsquat,squats,synthetic,2,2,1,detector,squat-states,count.exact,1,"))
    #expect(!outcome.output.contains("juggling"))
  }

  /// The best of one detector has no others beside it, and nobody says how well people count. All three clips are right:
  /// Wilson's interval begins at 1 / (1 + 1.96² / 3). To a peak counter anna's half squat is one more, in one of three.
  @Test func aChartHasARowForEachExercise() throws {
    let workspace = try project()
    let board = try workspace.run(
      "leaderboard", "--datasets", "squats", "others", "--detectors", "squat-states", "--json")
    board.expectSuccess()
    try workspace.write(board.output, to: "board.json")
    try workspace.run("draw", "leaderboard", "--from", "board.json", "--out", "board.png").expectSuccess()
    let texts = try PNGTexts([UInt8](workspace.bytes("board.png")))
    #expect(texts["Title"] == "The best detector is ahead of an offline peak counter in 1 of 1 exercise")
    let rows = try #require(texts["Table"]).split(separator: "\n")
    #expect(rows.first == "exercise,best detector,score,from,to,offline peaks,trivial predictor,people")
    #expect(rows.contains("squat,squat-states,1.000,0.439,1.000,0.667,0.000,"), "\(rows)")
    #expect(rows.contains { $0.hasPrefix("juggling,none,") })
    let words = try #require(texts["Texts"]).split(separator: "\n")
    #expect(words.contains("best detector") && words.contains("trivial predictor"))
    #expect(!words.contains("other detectors") && !words.contains("people"))
  }

  /// With a suite its detectors and parameters: nobody's knee gets below 10°.
  @Test func aSuiteSaysTheParameters() throws {
    let workspace = try Workspace.withSquats {
      $0.detectors = ["- name: squat-states", "  parameters: { bottomAngle: 20 }"]
      $0.metrics = [("squat-states", "count.exact", nil)]
    }
    let outcome = try workspace.run("leaderboard", "--suites", "squat", "--csv")
    outcome.expectSuccess()
    #expect(outcome.output.contains("\nsquat,squats,synthetic,3,3,1,detector,squat-states,count.exact,0,"))
    let board = try workspace.run("leaderboard", "--suites", "squat", "--json")
    try workspace.write(board.output, to: "board.json")
    let chart = LeaderboardChart(try Leaderboard(file: workspace.path("board.json")))
    #expect(chart.title == "The best detector is ahead of an offline peak counter in 0 of 1 exercise")
  }

  /// A detector with learned weights may have seen the recordings on which it is ranked.
  @Test func trainedDetectorsAreMarked() throws {
    let workspace = try project()
    var dataset = SquatClip.dataset("court", SquatClip.three)
    for index in dataset.clips.indices { dataset.clips[index].info.exercise = "tennis" }
    try workspace.add(dataset)
    let arguments = ["leaderboard", "--datasets", "court", "--metrics", "strokes.f1"]
    let board = try workspace.run(arguments + ["--markdown"])
    board.expectSuccess()
    #expect(
      board.output.contains(
        "\n> swing-strokes was trained on tennis-shots and tennis-stream: its scores on those recordings are optimistic.\n"
      ))
    let untrained = try workspace.run(arguments + ["--markdown", "--detectors", "swing-peaks"])
    untrained.expectSuccess()
    #expect(!untrained.output.contains("trained on"))
    let trained = DetectorRegistry.builtIn.detectors.filter { $0.profile.trainedOn != nil }
    #expect(trained.count >= 5)
    let profiles = trained.map(\.profile)
    for (profile, shown) in zip(profiles, try workspace.runEach(profiles.map { ["detector", "show", $0.name] })) {
      #expect(shown.output.contains("\ntrained  on \(profile.trainedOn ?? "")\n"), "\(profile.name)")
    }
  }

  @Test func whatCannotBeRanked() throws {
    let workspace = try project()
    try workspace.run("leaderboard").expectFailure(64, saying: ["give --datasets or --suites"])
    try workspace.run("leaderboard", "--datasets", "squats", "--metrics", "count.exat").expectFailure(
      5, saying: ["metric count.exat: expected a metric of one of the detectors", "did you mean count.exact or "])
    try workspace.run("leaderboard", "--datasets", "others", "--detectors", "squat-states").expectFailure(
      5, saying: ["leaderboard: expected a detector for one of the exercises juggling"])
  }
}
