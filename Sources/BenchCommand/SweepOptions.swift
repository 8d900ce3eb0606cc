import ArgumentParser
import Evaluation
import Pipeline

/// The settings of a sweep and their metric.
struct SweepOptions: ParsableArguments {
  @Option(
    name: .customLong("sweep"), parsing: .singleValue,
    help: ArgumentHelp("Vary a parameter; may be repeated.", valueName: "kind.detector.parameter=values"))
  var sweeps: [String] = []

  @Option(help: "Metric to score. (default: the first metric that the suite names for the detector)")
  var metric: String?

  @Option(
    parsing: .unconditional, help: "Try this many settings, spread evenly over the ranges, instead of all combinations."
  )
  var sample: Int?

  @OptionGroup var perturb: PerturbOptions

  @Option(help: "The seed of --sample and --perturb. (default: 1)")
  var seed: UInt64?

  func validate() throws {
    if let sample, sample < 1 { throw ValidationError("--sample takes a whole number of 1 or more, found \(sample)") }
    if seed != nil, sample == nil, perturb.perturb == nil {
      throw ValidationError("--seed is the seed of --sample and --perturb: give one of them, or leave --seed out")
    }
  }

  /// `nil` for none.
  var perturbations: Perturbations? { get throws { try perturb.perturbations(seed: seed ?? 1) } }

  /// The sweep on the clips of a run.
  func run(on suiteRun: SuiteRun, setting assignments: [String]) throws -> SweepRun {
    let detectors = suiteRun.settings.map(\.definition)
    let plan = try SweepPlan(
      sweeps.map { try SweepAxis($0, of: detectors) },
      sampling: sample.map { SweepPlan.Sampling(count: $0, seed: seed ?? 1) })
    let assignments = try assignments.flatMap { try Assignment.all($0, of: detectors) }
    if let axis = plan.axes.first(where: { axis in
      assignments.contains { $0.detector == plan.detector && $0.parameter == axis.parameter.name }
    }) {
      throw EvaluationError.usage("\(axis.parameter.name) is both set and swept: expected one of them")
    }
    return try SweepRun(plan, metric: metric, on: suiteRun)
  }
}
