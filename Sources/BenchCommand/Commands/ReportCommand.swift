import ArgumentParser
import Datasets
import Evaluation
import Files
import Foundation
import Reports

struct ReportCommand: ReplayingCommand {
  static let configuration = CommandConfiguration(
    commandName: "report",
    abstract: "Write the report of a stored run, without running it again.",
    discussion: """
      Without an option it writes reports/<suite>/<run>/report.md with its pictures and results.json. The run is \
      compared with the same baseline as when it was made.

      Examples:
        bench report
        bench report squat/2026-03-01T10-00-00Z --html
        bench report --suite squat --terminal
        bench report --suite squat --pr | gh pr comment 7 --body-file -
      """)

  @Argument(help: ArgumentHelp("The run's id from bench history list, or latest.", valueName: "run"))
  var name = "latest"

  @Option(help: "Read only runs of this suite.")
  var suite: String?

  @Flag(help: "Print the report.")
  var terminal = false

  @Flag(help: "Write one self-contained HTML file: report.html in the run's folder.")
  var html = false

  @Flag(help: "Print a short form for a comment on a pull request, within GitHub's length limit.")
  var pr = false

  @Option(
    help: ArgumentHelp(
      "With --pr, show the clip that broke first from this address of its animation.", valueName: "url"))
  var animation: String?

  @Flag(help: "Print the report's numbers as JSON, in the form of results.json.")
  var json = false

  @Option(help: ArgumentHelp("The HTML file to write.", valueName: "file"))
  var output: String?

  @OptionGroup var recordings: VideoOptions
  @OptionGroup var consent: ConsentOptions
  @OptionGroup var storage: StoreOptions

  func validate() throws {
    guard [terminal, html, pr, json].count(where: { $0 }) <= 1 else {
      throw ValidationError("give one of --terminal, --html, --pr and --json")
    }
    if animation != nil, !pr { throw ValidationError("--animation needs --pr") }
    if output != nil, !html { throw ValidationError("--output needs --html") }
    if recordings.videos != nil, !html { throw ValidationError("--videos needs --html") }
  }

  func run() throws {
    let store = try storage.open()
    let project = storage.project
    let stored = try store.storedRun(named: name, ofSuite: suite)
    let report = try RunReport(
      stored, in: DatasetCatalogue(project: project, store: store), registry: Bench.registry, isPlayed: html)
    func folder() throws -> String {
      try project.within("\(project.reportFolder(stored.suite))/\(report.run.name)")
    }
    if terminal {
      Terminal.out(report.terminal)
    } else if pr {
      Terminal.out(try report.pullRequest(animation: animation))
    } else if json {
      Terminal.out(String(decoding: try report.numbers(), as: UTF8.self))
    } else if html {
      let path = try output ?? "\(folder())/report.html"
      let videos = try VideoFiles(in: recordings.videos)
      let page = try report.html { videos.address(for: $0, onPage: path) }
      try writeWhole(Data(page.utf8), to: path)
      say(report, at: path)
    } else {
      let folder = try folder()
      try report.rewrite(in: folder)
      say(report, at: "\(folder)/report.md")
    }
  }

  private func say(_ report: RunReport, at path: String) {
    Terminal.out([
      .line("\(report.title.prefix(1).uppercased() + report.title.dropFirst())."), .unbroken("report", path),
    ])
  }
}
