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
      reports/<suite>/compare-<time>/. Ends with 0 when it is done: bench gate is for holding a release.

      Examples:
        bench compare --suite squat --set reps.squat-states.bottomAngle=100
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

  @Option(help: ArgumentHelp("Compares two detectors of the same kind on the same metrics.", valueName: "a,b"))
  var detectors: String?

  @Option(
    parsing: .upToNextOption,
    help: ArgumentHelp(
      "Compares stored runs: one's name, latest or baseline. With one, B is the suite replayed with --set.",
      valueName: "run"))
  var runs: [String] = []

  @Flag(help: "Prints compare.json instead of the summary.")
  var json = false

  func validate() throws {
    guard runs.count <= 2 else { throw ValidationError("--runs takes one or two, found \(runs.count)") }
    if runs.isEmpty {
      guard
        !suite.assignments.isEmpty || !suite.parameterFiles.paths.isEmpty || !fromAssignments.isEmpty
          || detectors != nil
      else {
        throw ValidationError("nothing to compare: give --set, --from-set, --parameters, --detectors or --runs")
      }
      return
    }
    let excluded =
      (fromAssignments.isEmpty ? [] : ["--from-set"]) + (detectors == nil ? [] : ["--detectors"])
      + (runs.count == 2 && !suite.assignments.isEmpty ? ["--set"] : [])
      + (runs.count == 2 && !suite.parameterFiles.paths.isEmpty ? ["--parameters"] : [])
      + (runs.count == 2 && !suite.datasets.isEmpty ? ["--dataset"] : [])
    guard excluded.isEmpty else {
      throw ValidationError("a stored run is as it is: leave out \(excluded.joined(separator: ", "))")
    }
  }

  func run() async throws {
    let report = try await report()
    let folder = try report.write(
      to: suite.storage.project.reportFolder(report.comparison.results.suite),
      at: Date().formatted(.iso8601).replacing(":", with: "-"))
    if json {
      Terminal.out(String(decoding: try stableJSON(report.record), as: UTF8.self))
    } else {
      Terminal.out(ComparisonSummary(report: report, folder: folder).text)
    }
  }
}
