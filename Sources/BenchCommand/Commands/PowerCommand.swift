import ArgumentParser
import Charts
import Datasets
import Evaluation
import Files
import Foundation
import Charts
import Pipeline
import Reports
import Scoring
import Statistics

struct PowerCommand: AsyncParsableCommand, SuiteCommand {
  static let configuration = CommandConfiguration(
    commandName: "power",
    abstract: "Estimate how many people a gate needs, before recording them.",
    discussion: """
      Simulates gates on more or fewer people from the baseline's values or, with --dataset, from the suite's values \
      on that dataset. With --set, gains vary as they do with this setting. Without it, they vary as much as two \
      people differ, which is more than with most changes: the estimate then tends to be too high.

      A loss is detected by a REGRESSION, and stops by one or by MAYBE WORSE with more than 20 %.

      Examples:
        bench power --suite squat --metric count.mae --margin 0.2 --loss 1
        bench power --suite squat --metric count.mae --margin 0.2 --set reps.squat-states.bottomAngle=100 --chart
      """)

  @OptionGroup var suite: SuiteOptions

  @Option(help: "Metric to plan for, of the first detector that has it.")
  var metric: String

  @Option(parsing: .unconditional, help: "The largest harmless loss, in the metric's unit. (default: the suite's)")
  var margin: Double?

  @Option(
    parsing: .unconditional,
    help: "The true loss to be detected, in the metric's unit. (default: the margin plus one standard deviation)")
  var loss: Double?

  @Option(help: "The seed of the simulation.")
  var seed: UInt64 = 1

  @Flag(help: "Also draw the probabilities to reports/<suite>/power-<metric>.png.")
  var chart = false

  @Flag(help: "Print the probabilities as JSON.")
  var json = false

  func validate() throws {
    if let margin, !(margin >= 0 && margin.isFinite) {
      throw ValidationError("--margin takes a number of 0 or more, found \(margin)")
    }
    if let loss, !(loss > 0 && loss.isFinite) {
      throw ValidationError("--loss takes a number above 0, found \(loss)")
    }
  }

  func run() async throws {
    let project = suite.storage.project
    let chosen = try project.suite(named: suite.suite, registry: Bench.registry)
    let hand = try await atHand(chosen)
    let named = hand.values.filter { $0.metric == metric }
    // A metric that gates brings its margin; that of predictions that name no detector is in the baseline.
    func usual(_ value: Baseline.Value) -> Double? {
      guard chosen.detectors.contains(where: { $0.name == value.detector }) else { return value.margin }
      return chosen.metrics.first { $0.metric == metric && $0.detector == value.detector && $0.margin != nil }?.margin
    }
    guard let value = named.first(where: { usual($0) != nil }) ?? named.first else {
      throw unknownMetric(of: chosen, among: hand.values.map(\.metric))
    }
    guard let margin = margin ?? usual(value) else {
      throw EvaluationError.usage("\(metric) does not gate in suite \(chosen.name): give its --margin")
    }
    let report = try PowerReport(
      suite: chosen.name, source: source(hand.datasets),
      metric: PowerReport.Metric(
        detector: value.detector, name: metric, unit: unit(of: value, in: chosen)),
      values: value.sample,
      gains: hand.comparison.map { comparison in
        comparison.metrics.first(of: MetricID(value.detector, metric))?.sortedGains ?? []
      },
      margin: margin, loss: loss, gatingMetrics: max(1, chosen.metrics.count { $0.margin != nil }), seed: seed)
    if json {
      Terminal.out(String(decoding: try stableJSON(report), as: UTF8.self))
    } else {
      Terminal.out(report.screen)
    }
    if chart {
      let path = try project.within(project.reportFolder(chosen.name) + "/power-\(metric).png")
      let content = hand.datasets.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
      try writeWhole(
        Data(
          try png(
            report.chart,
            metadata: [
              ("Software", "bench \(Bench.version)"), ("Suite", chosen.name),
              ("Content", content.joined(separator: ", ")),
            ])), to: path)
      Terminal.wrote([.unbroken("chart", path)], beside: json)
    }
  }

  /// The subjects' values, and their gains by a change.
  private struct AtHand {
    var values: [Baseline.Value]
    /// Content hash by dataset.
    var datasets: [String: String]
    var comparison: Comparison?
  }

  /// The baseline's values or, for other datasets and for a metric that the suite does not list, those of the suite
  /// replayed; with a change, both sides of it.
  private func atHand(_ chosen: Suite) async throws -> AtHand {
    let isChange = !suite.assignments.isEmpty || !suite.parameterFiles.paths.isEmpty
    if suite.datasets.isEmpty {
      let baseline = try suite.baseline()
      if baseline.metrics.contains(where: { $0.metric == metric }) {
        var hand = AtHand(values: baseline.metrics, datasets: baseline.datasets)
        if isChange {
          hand.comparison = try Comparison(
            from: .baseline(baseline), to: .replayed(try await replay(chosen, by: suite)))
        }
        return hand
      }
    }
    try requireKnown(of: chosen)
    var before = suite
    before.assignments = []
    before.parameterFiles.paths = []
    let results = try await replay(chosen, by: before).results
    var hand = AtHand(
      values: results.metrics.map(Baseline.Value.init),
      datasets: results.datasets.contentByName)
    if isChange {
      hand.comparison = try Comparison(
        from: .run(results, id: "before"), to: .run(try await replay(chosen, by: suite).results, id: "after"))
    }
    return hand
  }

  private func replay(_ chosen: Suite, by options: SuiteOptions) async throws -> ReplayedSuite {
    try await options.replay(try options.suiteRun(chosen, store: try options.storage.open()), titled: "replaying")
  }

  /// Reports a misspelt metric before minutes of replay.
  private func requireKnown(of suite: Suite) throws {
    let profiles = try suite.detectors.map { try Bench.registry.detector(named: $0.name).profile }
    let families = profiles.flatMap { MetricFamilies.families(for: $0, matching: suite.matching) }
    let known =
      families.flatMap(\.metrics).map(\.name) + suite.percentiles.filter { $0.quantity != .cost }.map(\.name)
    guard known.contains(metric) else { throw unknownMetric(of: suite, among: known) }
  }

  private func unknownMetric(of suite: Suite, among known: [String]) -> EvaluationError {
    .missing(
      what: "metric", expected: "one of suite \(suite.name)",
      found: "none called " + NearNames.question(metric, in: known))
  }

  /// `SYNTHETIC squat-sample`; the name alone if the dataset no longer exists.
  private func source(_ datasets: [String: String]) throws -> String {
    let catalogue = DatasetCatalogue(project: suite.storage.project, store: try suite.storage.open())
    return datasets.keys.sorted().map { name in
      let origin = try? catalogue.dataset(named: name).manifest.origin
      return (origin == .synthetic ? "SYNTHETIC " : "") + name
    }.joined(separator: ", ")
  }

  private func unit(of value: Baseline.Value, in suite: Suite) -> String {
    // Predictions are scored on the metrics of the suite's detectors.
    let names = [value.detector] + suite.detectors.map(\.name)
    let profiles = names.compactMap { try? Bench.registry.detector(named: $0).profile }
    let metrics = profiles.flatMap { MetricFamilies.families(for: $0, matching: suite.matching).flatMap(\.metrics) }
    return metrics.first { $0.name == value.metric }?.unit ?? ""
  }
}
