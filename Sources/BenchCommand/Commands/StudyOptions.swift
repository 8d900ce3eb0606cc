import ArgumentParser
import Datasets
import Evaluation
import Foundation
import Reports

/// What is told of a sweep, a tuning, a comparison or a self-test, and in which form it is written.
struct StudyOptions: ParsableArguments {
  @Flag(help: "Prints the numbers as JSON instead of the summary.")
  var json = false

  @Flag(help: "Prints the whole report instead of the summary.")
  var terminal = false

  @Flag(help: "Also writes the report as one HTML file that needs no other.")
  var html = false

  func validate() throws {
    if json, terminal { throw ValidationError("give one of --json and --terminal") }
  }

  /// A project's templates: what is wrong with one is told before minutes of replay.
  func templates(_ project: Project) throws -> ReportTemplates { try ReportTemplates(folder: project.templateFolder) }

  /// Writes the report and tells of it.
  ///
  /// - Parameter summary: of the folder where the report is.
  func finish(
    _ study: StudyReport, in project: Project, of suite: String, store: Store, _ templates: ReportTemplates,
    summary: (String) -> String
  ) throws {
    let origin = StudyReport.Origin(
      created: Date().formatted(.iso8601),
      origin: try RunOrigin(arguments: Bench.arguments, bench: Bench.version, root: project.root, store: store))
    let folder = try study.write(to: project.reportFolder(suite), by: origin, templates, html: html)
    let html = html ? ["html     \(folder)/\(study.kind).html"] : []
    if json {
      Terminal.out(String(decoding: study.json, as: UTF8.self))
    } else if terminal {
      Terminal.out(TerminalLayout(width: Terminal.width).text(try study.terminal(by: origin, templates)) + "\n")
    } else {
      Terminal.out(summary(folder))
    }
    let files = (json || terminal ? ["report   \(folder)/\(study.kind).md"] : []) + html
    if !files.isEmpty { Terminal.wrote(files.joined(separator: "\n"), beside: json) }
  }
}
