import ArgumentParser
import Evaluation
import Foundation
import Reports
import Statistics

struct BaselineCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "baseline",
    abstract: "Show, compare or accept a suite's baseline.",
    discussion: "Example: bench baseline accept --suite squat",
    subcommands: [Accept.self, Show.self, Diff.self])

  struct Accept: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Run a suite and write its result as the baseline, to be committed.",
      discussion: "Example: bench baseline accept --suite squat && git diff baselines/")

    @OptionGroup var suite: SuiteOptions
    @OptionGroup var smoothing: SmoothingOptions
    @OptionGroup var tunedSubjects: TunedSubjectsOptions

    func run() async throws {
      guard suite.datasets.isEmpty else {
        throw EvaluationError.usage("a baseline is of the suite's own datasets: leave out --dataset")
      }
      let executed = try await suite.execute(smoothing: smoothing.smoothing, requiring: tunedSubjects.require)
      let path = executed.project.baselineFile(executed.suite.name)
      let baseline = Baseline(executed.results)
      let before = try? Baseline(file: path, suite: executed.suite.name)
      // What was measured differs every time: a baseline that is the same otherwise keeps what it has, unless an update
      // now takes longer or shorter than it did.
      let stays = before.map { $0.agrees(with: baseline) && $0.overlaps(baseline) } ?? false
      if !stays { try baseline.write(to: path) }
      let done =
        stays
        ? "\(path) is as it was"
        : "wrote \(path): \(executed.results.clips.count) clips, \(baseline.metrics.count) metrics"
      Terminal.out(([done] + executed.results.tuningLines).joined(separator: "\n"))
    }
  }

  struct Show: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Print a suite's baseline.", discussion: "Example: bench baseline show --suite squat")

    @Option(help: "The suite.") var suite: String
    @OptionGroup var storage: StoreOptions

    func run() throws {
      let path = storage.project.baselineFile(suite)
      let baseline = try Baseline(file: path, suite: suite)
      var lines = ["\(path): suite \(baseline.suite) version \(baseline.suiteVersion), \(baseline.clips.count) clips"]
      lines += baseline.datasets.sorted { $0.key < $1.key }.map { "dataset  \($0.key) \($0.value)" }
      lines += baseline.detectors.map { detector in
        "detector \(detector.name) "
          + detector.parameters.sorted { $0.key < $1.key }.map { "\($0.key)=\(NumberText.plain($0.value))" }
          .joined(separator: " ")
      }
      let rows = baseline.metrics.map { metric in
        [
          metric.detector, metric.metric, NumberText.value(metric.value, unit: ""),
          "\(metric.bySubject.values.count { $0 != nil }) of \(metric.bySubject.count) subjects",
        ]
      }
      lines += [""] + Terminal.table([["detector", "metric", "value", "defined for"]] + rows, right: [2], indent: 0)
      Terminal.out(lines.joined(separator: "\n"))
    }
  }

  struct Diff: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Run a suite and show its differences from the baseline.",
      discussion: """
        Ends with 0 whatever is different; bench gate is for holding a release.

        Example: bench baseline diff --suite squat --set reps.squat-states.bottomAngle=100
        """)

    @OptionGroup var suite: SuiteOptions
    @OptionGroup var smoothing: SmoothingOptions

    func run() async throws {
      let baseline = try suite.baseline()
      let comparison = try Comparison(try await suite.execute(smoothing: smoothing.smoothing).results, with: baseline)
      Terminal.out(ComparisonText(comparison, Verdict(comparison)).text)
    }
  }
}
