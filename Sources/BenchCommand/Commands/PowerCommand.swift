import ArgumentParser
import Datasets
import Evaluation
import Foundation
import Plots
import Reports
import Scoring

struct PowerCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "power",
    abstract: "Says how many subjects a gate would need, before anyone records them.",
    discussion: """
      Simulates gates on more or fewer subjects from the values of the baseline, or with --dataset from those of the \
      suite on that dataset. With --set, a subject's gain spreads as that of this setting over them; without, as the \
      difference between two subjects, which is more than most changes do, so that the numbers of subjects are high \
      rather than low.

      Examples:
        bench power --suite squat --metric count.mae --margin 0.2 --loss 1
        bench power --suite squat --metric count.mae --margin 0.2 --set reps.squat-states.bottomAngle=100 --chart
      """)

  @OptionGroup var suite: SuiteOptions

  @Option(help: "The metric, of the first detector that has it.")
  var metric: String

  @Option(help: "The loss that is accepted, in the metric's unit. (default: the suite's)")
  var margin: Double?

  @Option(
    help: "The true loss that is to be shown, in the metric's unit. (default: the margin and one standard deviation)")
  var loss: Double?

  @Option(help: "The seed of the simulation.")
  var seed: UInt64 = 1

  @Flag(help: "Also draws the chances to reports/<suite>/power-<metric>.png.")
  var chart = false

  @Flag(help: "Prints the chances as JSON.")
  var json = false

  func validate() throws {
    if let margin, !(margin >= 0 && margin.isFinite) {
      throw ValidationError("--margin takes a number from 0, found \(margin)")
    }
    if let loss, !loss.isFinite { throw ValidationError("--loss takes a number, found \(loss)") }
  }

  func run() async throws {
    let project = suite.storage.project
    let chosen = try project.suite(named: suite.suite, registry: Bench.registry)
    let hand = try await atHand(chosen)
    let named = hand.values.metrics.filter { $0.metric == metric }
    // One that gates says its margin.
    func choice(_ value: Baseline.Value) -> Suite.MetricChoice? {
      chosen.metrics.first { $0.metric == metric && $0.detector == value.detector && $0.margin != nil }
    }
    guard let value = named.first(where: { choice($0) != nil }) ?? named.first else {
      throw EvaluationError.missing(
        what: "metric", expected: "one of the baseline of suite \(chosen.name)",
        found: "none called " + NearNames.question(metric, in: hand.values.metrics.map(\.metric)))
    }
    guard let margin = margin ?? choice(value)?.margin else {
      throw EvaluationError.usage("\(metric) does not gate in suite \(chosen.name): give its --margin")
    }
    let report = try PowerReport(
      suite: chosen.name, source: source(hand.values),
      metric: PowerReport.Metric(
        detector: value.detector, name: metric, unit: unit(of: value, matching: chosen.matching)),
      values: value.bySubject.sorted { $0.key < $1.key }.compactMap(\.value),
      gains: hand.comparison.map { comparison in
        let change = comparison.changes.first { $0.detector == value.detector && $0.metric == metric }
        return change?.gains.sorted { $0.key < $1.key }.map(\.value) ?? []
      },
      margin: margin, loss: loss, gatingMetrics: max(1, chosen.metrics.count { $0.margin != nil }), seed: seed)
    Terminal.out(json ? String(decoding: try stableJSON(report), as: UTF8.self) : PowerText(report: report).text)
    if chart {
      let path = project.reportFolder(chosen.name) + "/power-\(metric).png"
      let content = hand.values.datasets.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
      try writeWhole(
        Data(
          try png(
            report.chart,
            metadata: [
              ("Software", "bench \(Bench.version)"), ("Suite", chosen.name),
              ("Content", content.joined(separator: ", ")),
            ])), to: path)
      Terminal.wrote("chart    \(path)", beside: json)
    }
  }

  /// The values that people were scored with, and what a change makes of them.
  private struct AtHand {
    var values: Baseline
    var comparison: Comparison?
  }

  /// The baseline's values or, of other datasets, those of the suite on them; and with a change, both sides of it.
  private func atHand(_ chosen: Suite) async throws -> AtHand {
    let isChange = !suite.assignments.isEmpty || !suite.parameterFiles.paths.isEmpty
    guard !suite.datasets.isEmpty else {
      let baseline = try suite.baseline()
      guard isChange else { return AtHand(values: baseline) }
      return AtHand(values: baseline, comparison: try Comparison(try await suite.execute().results, with: baseline))
    }
    var before = suite
    (before.assignments, before.parameterFiles) = ([], try ParameterFileOptions.parse([]))
    let values = Baseline(try await before.execute().results)
    guard isChange else { return AtHand(values: values) }
    return AtHand(values: values, comparison: try Comparison(try await suite.execute().results, with: values))
  }

  /// `SYNTHETIC squat-sample`; the name alone of a dataset that is no longer there.
  private func source(_ values: Baseline) throws -> String {
    let catalogue = DatasetCatalogue(project: suite.storage.project, store: try suite.storage.open())
    return values.datasets.keys.sorted().map { name in
      let origin = try? catalogue.dataset(named: name).manifest.origin
      return (origin == .synthetic ? "SYNTHETIC " : "") + name
    }.joined(separator: ", ")
  }

  private func unit(of value: Baseline.Value, matching: RepMatching) throws -> String {
    let profile = try Bench.registry.detector(named: value.detector).profile
    let metrics = MetricFamilies.families(for: profile, matching: matching).flatMap(\.metrics)
    return metrics.first { $0.name == value.metric }?.unit ?? ""
  }
}
