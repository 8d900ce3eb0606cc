import Datasets
import Evaluation
import Foundation
import PoseModel
import Scoring
import Testing

/// Every metric is reached by a file of predictions, or `bench metric show` says by what else.
@Suite struct MetricReachTests {
  /// Three people with everything that can be labelled. The predictions are off here and there, so that nothing is
  /// undefined.
  private func project() throws -> Workspace {
    let workspace = try Workspace()
    var dataset = SquatClip.dataset("squats", SquatClip.three)
    for index in dataset.clips.indices {
      let reps = dataset.clips[index].labels.reps ?? []
      let (start, end) = (reps[0].start, reps[0].end)
      dataset.clips[index].labels.grades = reps.indices.flatMap { rep in
        zip(["dora", "emil"], [0, 1]).map {
          GroundTruth.Grade(rep: rep, rater: $0, criterion: "form", value: Double(70 + 5 * (index + rep) + $1))
        }
      }
      dataset.clips[index].labels.faults = reps.indices.map {
        .init(rep: $0, rater: "dora", name: "shallow", present: ($0 + index) % 2 == 0)
      }
      dataset.clips[index].labels.events = [
        .init(time: start, label: "address"), .init(time: end, label: "impact"),
      ]
      dataset.clips[index].labels.intervals = [
        Segment(start: .zero, end: start, label: "up"), Segment(start: start, end: end, label: "down"),
      ]
    }
    try workspace.add(dataset)
    for (name, rows) in predictions(dataset) { try workspace.write(rows.joined(separator: "\n") + "\n", to: name) }
    return workspace
  }

  private func predictions(_ dataset: Dataset) -> [(name: String, rows: [String])] {
    var files = [
      "reps.csv": ["clip,start_s,end_s,reported_s"], "grades.csv": ["clip,rep,grade"],
      "faults.csv": ["clip,rep,fault,score"], "events.csv": ["clip,time_s,label,score"],
      "phases.csv": ["clip,start_s,end_s,label,score"], "cues.jsonl": [],
      "confidence.csv": ["clip,count_confidence"],
    ]
    for (index, clip) in dataset.clips.enumerated() {
      files["confidence.csv"]?.append("\(clip.info.name),\(0.9 - 0.1 * Double(index))")
      for (number, rep) in (clip.labels.reps ?? []).enumerated() {
        let (start, end) = (rep.start.seconds, rep.end.seconds)
        files["reps.csv"]?.append("\(clip.info.name),\(start),\(end - 0.1),\(end + (index == 0 ? -0.05 : 0.2))")
        files["grades.csv"]?.append("\(clip.info.name),\(number + 1),\(72 + 5 * (index + number))")
        files["faults.csv"]?.append("\(clip.info.name),\(number + 1),shallow,\(0.2 * Double(1 + (index + number) % 4))")
      }
      for event in clip.labels.events {
        files["events.csv"]?.append("\(clip.info.name),\(event.time.seconds + 0.1),\(event.label),0.5")
      }
      for segment in clip.labels.intervals {
        files["phases.csv"]?.append(
          "\(clip.info.name),\(segment.start.seconds),\(segment.end.seconds),\(segment.label),1")
      }
      for time in [3, 3.5] {
        files["cues.jsonl"]?.append(
          "{\"clip\":\"\(clip.info.name)\",\"type\":\"cue\",\"time\":\(time),\"text\":\"lower\",\"fault\":\"shallow\"}")
      }
    }
    return files.map { ($0.key, $0.value) }
  }

  @Test func everyMetricIsReachedOrSaysWhyNot() throws {
    let workspace = try project()
    let outcome = try workspace.run(
      "score", "--dataset", "squats", "--json", "--predictions", "reps.csv", "grades.csv", "faults.csv", "events.csv",
      "phases.csv", "cues.jsonl", "confidence.csv")
    outcome.expectSuccess()
    let results = try JSONDecoder().decode([RunResults.MetricResult].self, from: Data(outcome.output.utf8))
    let reached = Set(results.filter { $0.value != nil }.map(\.metric))
    // What is for any fault or label stands for the dataset's own.
    let own = [
      ("faults.<fault>", ["faults.shallow"]), ("strokes.<label>", ["strokes.impact"]),
      ("classes.<label>", ["classes.down"]),
    ]
    let catalogue = MetricCatalogue(matching: RepMatching(instant: .end, tolerance: Microseconds(500_000)))
    var others: [String] = []
    for metric in catalogue.all {
      let name = own.reduce(metric.name) { $0.replacing($1.0, with: $1.1[0]) }
      if !reached.contains(name) { others.append(metric.name) }
    }
    let expected = catalogue.all.map(\.name).filter { name in
      [
        "count.phantoms", "reps.same-end", "keypoints.", "latency.live", "grades.human-pearson", "grades.human-kendall",
        "grades.human-rmse", "grades.sem-", "grades.mdc-", "grades.ac",
      ]
      .contains(where: name.hasPrefix)
    }
    #expect(others == expected)
    let words = [
      "keypoints": "predictions have none", "latency": "files do not have it", "grades": "no detector changes it",
      "count": "without reps", "reps": "no rep is matched",
    ]
    func topic(_ name: String) -> String { String(name.prefix { $0 != "." }) }
    func shown(_ names: [String]) throws -> [(name: String, text: String)] {
      zip(names, try workspace.runEach(names.map { ["metric", "show", $0] })).map { ($0, $1.text) }
    }
    for (name, text) in try shown(others) {
      let said = try #require(words[topic(name)])
      #expect(text.contains(said), "\(name)")
    }
    // One metric of each topic that files reach.
    let topics = Dictionary(catalogue.all.filter { !others.contains($0.name) }.map { (topic($0.name), $0.name) }) {
      first, _ in first
    }
    #expect(topics.count > 8)
    for (name, text) in try shown(Array(topics.values)) {
      #expect(
        text.contains("from predictions with "),
        "add the columns of \(name) to Metric.columns in MetricCommand.swift")
    }
  }

  /// A fault that is less likely than not is scored, and not reported.
  @Test func aScoreIsNoReport() throws {
    let workspace = try project()
    try workspace.write("clip,rep,fault,score\nanna_1,1,shallow,0.4\nanna_1,2,shallow,0.6\n", to: "faults.csv")
    let outcome = try workspace.run(
      "score", "--dataset", "squats", "--json", "--predictions", "reps.csv", "faults.csv")
    outcome.expectSuccess()
    let results = try JSONDecoder().decode([RunResults.MetricResult].self, from: Data(outcome.output.utf8))
    func value(_ name: String) -> Double? { results.first { $0.metric == name }?.value ?? nil }
    // Faults: anna's first, bert's second and cleo's. Only anna's second is reported, which has none.
    #expect(value("faults.shallow.precision") == 0)
    #expect(value("faults.shallow.recall") == 0)
    #expect(value("scores.roc-auc") != nil)
  }

  /// Of six reps anna's first, bert's second and cleo's have the fault. One is reported, rightly: precision 1, recall 1 / 3.
  @Test(arguments: [
    // A half is enough.
    ("clip,rep,fault,score\nanna_1,1,shallow,0.5\nanna_1,2,shallow,0.4999\n", "reps.csv"),
    // What is said outright counts, whatever its score.
    ("clip,rep,fault,present,score\nanna_1,2,shallow,0,0.9\nbert_1,2,shallow,1,0.1\n", "reps.csv"),
    // The second row is the file's rep 1.
    ("clip,rep,fault\nanna_1,2,shallow\n", "numbered.csv"),
  ])
  func whatCountsAsReported(faults: String, reps: String) throws {
    let workspace = try project()
    try workspace.write("clip,start_s,end_s,rep\nanna_1,1,2.9,2\nanna_1,6.333333,8.233333,1\n", to: "numbered.csv")
    try workspace.write(faults, to: "faults.csv")
    let outcome = try workspace.run("score", "--dataset", "squats", "--json", "--predictions", reps, "faults.csv")
    outcome.expectSuccess()
    let results = try JSONDecoder().decode([RunResults.MetricResult].self, from: Data(outcome.output.utf8))
    func value(_ name: String) throws -> Double {
      try #require(results.first { $0.metric == "faults.shallow.\(name)" }?.value)
    }
    #expect(try value("precision") == 1)
    #expect(try abs(value("recall") - 1.0 / 3) < 1e-9)
  }
}
