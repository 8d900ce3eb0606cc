import ArgumentParser
import Datasets
import Evaluation
import Foundation
import Plots
import Reports

struct PowerCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "power",
    abstract: "Says how many subjects a gate would need, before anyone records them.",
    discussion: """
      Simulates gates on more or fewer subjects from the runs at hand. With --set, a subject's gain spreads as that of \
      this setting over the baseline; without, as the difference between two of the baseline's subjects, which is more \
      than most changes do, so that the numbers of subjects are high rather than low.

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

  static let subjects = [5, 6, 8, 10, 12, 15, 20, 25, 30, 40, 50, 60, 80, 100, 150, 200]

  func validate() throws {
    if let margin, !(margin >= 0 && margin.isFinite) {
      throw ValidationError("--margin takes a number from 0, found \(margin)")
    }
    if let loss, !loss.isFinite { throw ValidationError("--loss takes a number, found \(loss)") }
  }

  func run() async throws {
    let project = suite.storage.project
    let chosen = try project.suite(named: suite.suite, registry: Bench.registry)
    let baseline = try suite.baseline()
    guard let value = baseline.metrics.first(where: { $0.metric == metric }) else {
      let names = baseline.metrics.map(\.metric)
      throw EvaluationError.missing(
        what: "metric", expected: "one of the baseline of suite \(chosen.name)",
        found: "none called " + NearNames.question(metric, in: names))
    }
    let choice = chosen.metrics.first { $0.metric == metric && $0.detector == value.detector }
    guard let margin = margin ?? choice?.margin else {
      throw EvaluationError.usage("\(metric) does not gate in suite \(chosen.name): give its --margin")
    }
    let gains = try await gains(of: value, with: baseline)
    let gating = max(1, chosen.metrics.count { $0.margin != nil })
    guard let study = PowerStudy(gains: gains, rule: GateRule(margin: margin, gatingMetrics: gating)) else {
      throw EvaluationError.missing(
        what: "metric \(metric) of \(value.detector)", expected: "gains that differ between subjects",
        found: "\(gains.count) subjects, all alike")
    }
    let loss = loss ?? margin + study.spread
    guard loss > margin else {
      throw EvaluationError.usage("--loss \(loss): expected more than the margin of \(margin), which is accepted")
    }
    let record = PowerRecord(
      suite: chosen.name, detector: value.detector, metric: metric, margin: margin, loss: loss, gatingMetrics: gating,
      subjectsAtHand: value.bySubject.values.count { $0 != nil }, spread: study.spread,
      isChange: isChange, seed: seed,
      whenLost: Self.subjects.map { study.shares(loss: loss, subjects: $0, seed: seed) },
      whenUnharmed: Self.subjects.map { study.shares(loss: 0, subjects: $0, seed: seed) })
    Terminal.out(json ? String(decoding: try stableJSON(record), as: UTF8.self) : record.text)
    if chart {
      let path = project.reportFolder(chosen.name) + "/power-\(metric).png"
      try writeWhole(
        Data(try png(record.curve, metadata: [("Software", "bench \(Bench.version)"), ("Suite", chosen.name)])),
        to: path)
      if !json { Terminal.out("chart    \(path)") }
    }
  }

  /// Whether a change is given whose gains are those to go by.
  private var isChange: Bool { !suite.assignments.isEmpty || !suite.parameterFiles.paths.isEmpty }

  private func gains(of value: Baseline.Value, with baseline: Baseline) async throws -> [Double] {
    guard !isChange else {
      let comparison = try Comparison(try await suite.execute().results, with: baseline)
      let change = comparison.changes.first { $0.detector == value.detector && $0.metric == metric }
      return change?.gains.sorted { $0.key < $1.key }.map(\.value) ?? []
    }
    let values = value.bySubject.sorted { $0.key < $1.key }.compactMap(\.value)
    return values.indices.flatMap { one in
      values.indices.compactMap { other in one == other ? nil : values[other] - values[one] }
    }
  }
}
