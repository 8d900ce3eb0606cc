import ArgumentParser
import Evaluation
import Files
import Foundation
import Pipeline
import Reports
import Statistics

struct SelftestCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "selftest",
    abstract: "Check the gate's error rates by simulation.",
    discussion: "Example: bench selftest gate",
    subcommands: [Gate.self])

  struct Gate: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Measure how often the gate is wrong, and check that missing data never passes.",
      discussion: """
        Applies the gate's rule to thousands of simulated comparisons with a known result: synthetic gains, and gains of \
        the suite's own people. Writes selftest.md, selftest.json and charts of the error rates and detected losses \
        to reports/<suite>/selftest-<time>/. Exit codes: 0 if all claimed rates hold and no missing part passes, 1 \
        otherwise.

        Example: bench selftest gate --seed 2
        """)

    @Option(help: "Draw values of this suite's people, if it has a baseline.")
    var suite = "squat"

    @Option(help: "The seed of all random numbers.")
    var seed: UInt64 = 1

    @Option(help: "Simulations per setting (minimum 2000).")
    var trials = GateSimulation.trials

    @OptionGroup var work: JobOptions

    @OptionGroup var study: StudyOptions

    @OptionGroup var storage: StoreOptions

    func validate() throws {
      guard (2000...1_000_000).contains(trials) else {
        throw ValidationError(
          "--trials takes a whole number from 2000 to 1000000, found \(trials): fewer are too vague, more take days")
      }
    }

    func run() async throws {
      let project = storage.project
      let suite = try project.suite(named: suite, registry: Bench.registry)
      let baseline = try project.baseline(ofSuite: suite.name)
      guard let real = SubjectValues(baseline, suite: suite) else {
        throw EvaluationError.missing(
          what: "baseline of suite \(suite.name)",
          expected: "at least two people with a value on every gating metric",
          found: "fewer; label more clips, then: bench baseline accept --suite \(suite.name)")
      }
      let simulation = GateSimulation(seed: seed, trials: trials)
      let results = await simulation.results(real: real, threads: work.threads)
      let looks = SequentialSimulation(seed: seed, trials: 2 * trials)
      let sequential = (looks, await looks.result(threads: work.threads))
      let folder = try TemporaryFolder("selftest")
      let selftest = GateSelftest(
        simulation, results, FailingClosed().checks(in: folder.path), sequential: sequential, suite: suite.name,
        datasets: baseline.datasets, bench: Bench.version)
      let report = GateSelftestReport(selftest)
      try study.finish(report.study, in: project, of: suite.name, store: storage.open()) {
        SelftestScreen(report, in: $0).blocks
      }
      if !selftest.holds { throw ExitCode(1) }
    }
  }
}
