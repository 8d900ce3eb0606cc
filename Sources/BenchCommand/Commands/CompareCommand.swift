import ArgumentParser
import Evaluation
import Foundation
import Reports

struct CompareCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "compare",
    abstract: "Compares two settings, detectors or runs on the same clips, subject by subject.",
    discussion: """
      Says first which clips changed and how, then by how much each metric got better, with a 95 % interval and an exact \
      p value over subjects, then where. Writes compare.md, compare.json and charts into \
      reports/<suite>/compare-<time>/. --smooth is for the second side, B, as --set is; with --detectors for both. Ends with 0 when it is done: bench gate is for holding a release.

      Examples:
        bench compare --suite squat --set reps.squat-states.bottomAngle=100
        bench compare --suite squat --smooth one-euro
        bench compare --suite squat --detectors squat-states,my-counter
        bench compare --suite squat --runs baseline latest
      """)

  @OptionGroup var suite: SuiteOptions

  @Option(
    name: .customLong("from-set"), parsing: .singleValue,
    help: ArgumentHelp(
      "Sets a parameter of the first side, A; --set is for B. May be repeated.",
      valueName: "kind.detector.parameter=value"))
  var fromAssignments: [String] = []

  /// As `--set` of side B; of two detectors both see the same poses.
  @OptionGroup var smoothing: SmoothingOptions

  @Option(help: ArgumentHelp("Compares two detectors of the same kind on the same metrics.", valueName: "a,b"))
  var detectors: String?

  @Option(
    parsing: .upToNextOption,
    help: ArgumentHelp(
      "Compares stored runs: one's name, latest or baseline. With one, B is the suite replayed with --set.",
      valueName: "run"))
  var runs: [String] = []

  @OptionGroup var study: StudyOptions

  func validate() throws {
    guard runs.count <= 2 else { throw ValidationError("--runs takes one or two, found \(runs.count)") }
    if runs.isEmpty {
      guard
        !suite.assignments.isEmpty || !suite.parameterFiles.paths.isEmpty || !fromAssignments.isEmpty
          || smoothing.smooth != nil || detectors != nil
      else {
        throw ValidationError(
          "nothing to compare: give --set, --from-set, --parameters, --smooth, --detectors or --runs")
      }
      return
    }
    let given: [(option: String, isGiven: Bool, isOfTheReplay: Bool)] = [
      ("--from-set", !fromAssignments.isEmpty, false), ("--detectors", detectors != nil, false),
      ("--set", !suite.assignments.isEmpty, true), ("--parameters", !suite.parameterFiles.paths.isEmpty, true),
      ("--dataset", !suite.datasets.isEmpty, true), ("--smooth", smoothing.smooth != nil, true),
    ]
    // Beside one stored run the suite is replayed.
    let excluded = given.filter { $0.isGiven && (runs.count == 2 || !$0.isOfTheReplay) }.map(\.option)
    guard excluded.isEmpty else {
      throw ValidationError("a stored run is as it is: leave out \(excluded.joined(separator: ", "))")
    }
  }

  func run() async throws {
    let project = suite.storage.project
    let templates = try study.templates(project)
    let report = try await report()
    try study.finish(
      report.study, in: project, of: report.comparison.results.suite, store: suite.storage.open(), templates
    ) { ComparisonSummary(report: report, folder: $0).text }
  }
}
