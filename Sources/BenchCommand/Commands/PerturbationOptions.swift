import ArgumentParser
import Evaluation

/// What is to go wrong with the poses, on purpose.
struct PerturbationOptions: ParsableArguments {
  /// A line for each, for help.
  static let meanings = Perturbations.all.map {
    "  \($0.profile.name)=\($0.profile.example): \($0.profile.meaning)"
  }.joined(separator: "\n")

  @Option(
    help: ArgumentHelp(
      "Lets things go wrong before the detectors see the poses, in the order written: "
        + Perturbations.all.map { "\($0.profile.name)=\($0.profile.example)" }.joined(separator: ",")
        + ". The truth stays; such a run never gates.",
      valueName: "list"))
  var perturb: String?

  @Flag(
    help:
      "Also replays the suite under each perturbation by itself, mild to strong, and draws what is left of the scores.")
  var robustness = false

  @Option(help: "The seed of what is random in --perturb and --robustness.")
  var seed: UInt64 = 1

  /// `nil` for none.
  var perturbations: Perturbations? {
    get throws { try perturb.map { try Perturbations($0, seed: seed) } }
  }

  func validate() throws {
    do { _ = try perturbations } catch let error as PerturbationError { throw ValidationError("--perturb: \(error)") }
    guard perturb == nil || !robustness else {
      throw ValidationError("--robustness climbs from the poses as they were recorded: leave out --perturb")
    }
  }
}
