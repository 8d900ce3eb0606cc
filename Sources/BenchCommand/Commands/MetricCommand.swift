import ArgumentParser
import Evaluation
import Files
import Pipeline
import PoseModel
import Reports
import Scoring
import Statistics

struct MetricCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "metric",
    abstract: "List the metrics and show their definitions.",
    discussion: "Example: bench metric show count.mae",
    subcommands: [List.self, Show.self])

  /// With the tolerance of the sample's suite; a suite's own is in its file.
  private static let matching = RepMatching(instant: .end, tolerance: Microseconds(500_000))

  fileprivate static let catalogue = MetricCatalogue(matching: matching)

  struct List: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "List the metrics by family.",
      discussion: """
        Those marked "suite" can be listed in a suite; the others are functions of the library Scoring.

        Example: bench metric list
        """)

    @Flag(help: "Print the tables of docs/metrics.md.") var markdown = false

    func run() {
      guard !markdown else {
        Terminal.out(MetricPage(MetricCommand.catalogue).markdown)
        return
      }
      let rows = MetricCommand.catalogue.sections.flatMap { section in
        [["", "", "", ""], [section.title, "", "", ""]]
          + section.metrics.map { metric in
            [
              "  \(metric.name)", metric.direction.words, metric.unit,
              (MetricCommand.catalogue.suiteMetrics.contains(metric.name) ? "suite  " : "       ") + metric.summary,
            ]
          }
      }
      let metrics = MetricCommand.catalogue.sections.flatMap(\.metrics)
      let listed = metrics.count { MetricCommand.catalogue.suiteMetrics.contains($0.name) }
      let title = "\(NumberText.count(metrics.count, "metric")); suites can list the \(listed) that are marked suite"
      Terminal.out([.line(TonedText(title)), .columns(TextTable(rows))])
    }
  }

  struct Show: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Show a metric's direction, unit, range, when it is undefined, and its source.",
      discussion: "Example: bench metric show count.mae")

    @Argument(help: "The metric.") var name: String

    func run() throws {
      guard let metric = MetricCommand.catalogue.metric(named: name) else {
        let names = MetricCommand.catalogue.all.map(\.name)
        let family = names.filter { $0.hasPrefix("\(name).") }
        throw EvaluationError.missing(
          what: "metric \(name)", expected: "a metric (see: bench metric list)",
          found: family.isEmpty
            ? "none called " + NearNames.question(name, in: names)
            : "the family of \(family.joined(separator: ", "))")
      }
      func line(_ title: String, _ text: String) -> TextBlock {
        .labelled(TonedText(title), TonedText(text), indent: 11)
      }
      Terminal.out(
        [
          line(metric.name + ":", metric.summary), line("better", metric.direction.words),
          line("unit", metric.unit.isEmpty ? "a plain number" : metric.unit),
          line("range", metric.rangeText), line("undefined", metric.undefined),
          line("people", metric.aggregation.words),
          line(
            "trivial",
            metric.trivial.isEmpty
              ? "none" : "shown beside it: " + metric.trivial.map(\.rawValue).joined(separator: "; ")),
          line("source", metric.source),
          line(
            "in suites",
            MetricCommand.catalogue.suiteMetrics.contains(metric.name) ? "yes" : "no, in the library Scoring"),
          line("reached by", metric.reach(isInSuites: MetricCommand.catalogue.suiteMetrics.contains(metric.name))),
        ])
    }
  }
}

extension Metric {
  /// The commands that measure it, and what they need.
  fileprivate func reach(isInSuites: Bool) -> String {
    if topic == .keypoints {
      return "bench agreement estimators A B, on the keypoints of two estimators; predictions have none"
    }
    guard isInSuites else {
      return "bench agreement raters DATASET --criterion CRITERION, on the grades of people; no detector changes it"
    }
    guard !LatencyMetrics.live.contains(name) else {
      return "bench run, on a suite whose detector is replayed before a live camera; files do not have it"
    }
    return "bench run, on a suite with it"
      + (columns.map { "; bench score --suite or --dataset, from predictions with \($0)" } ?? "")
  }

  /// The columns of files of predictions that it needs; `nil` for none.
  private var columns: String? {
    switch topic {
    case .count where CountConfidence.plainNames.keys.contains(name):
      "clip,count_confidence and clip,count or clip,start_s,end_s"
    case .count: "clip,count or clip,start_s,end_s"
    case .reps: "clip,start_s,end_s"
    case .latency: "clip,start_s,end_s,reported_s"
    case .grades: "clip,start_s,end_s,grade"
    case .faults: "clip,start_s,end_s,fault"
    case .strokes: "clip,time_s,label"
    case .events: "clip,time_s,label,score"
    case .classes: "clip,start_s,end_s,label"
    case .segments: "clip,start_s,end_s,label,score"
    case .scores: "clip,start_s,end_s,fault,score"
    case .cues: "JSON lines with clip, time and type cue"
    case .keypoints, nil: nil
    }
  }
}

extension Metric.Direction {
  fileprivate var words: String {
    switch self {
    case .higherIsBetter: "higher"
    case .lowerIsBetter: "lower"
    case .zeroIsBest: "near 0"
    }
  }
}

extension Metric.Aggregation {
  /// How several subjects' values become one.
  fileprivate var words: String {
    switch self {
    case .subjectMean: "the mean of each person's value"
    case .share: "the mean of each person's share of clips"
    case .ratio: "pooled: the counts of all clips are added before they are divided"
    case .pooled: "pooled: the value of all clips together"
    }
  }
}
