import ArgumentParser
import Evaluation
import Foundation

struct HistoryExportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export", abstract: "Writes the history as one tidy table for a spreadsheet, pandas or DuckDB.",
    discussion: """
      A row for each run, detector and metric; with --by subject for each subject's value as well, with --by clip for \
      each detector's count on a clip in place of metrics. An undefined value is an empty field.

      Examples:
        bench history export --csv --suite squat > history.csv
        bench history export --json --suite squat --by subject > history.json
        python3 -c 'import pandas; print(pandas.read_csv("history.csv").groupby(["data", "detector", "metric"]).value.last())'
      """)

  @OptionGroup var options: HistoryOptions

  @Flag(help: "CSV, RFC 4180.")
  var csv = false

  @Flag(help: "JSON, a list of rows.")
  var json = false

  @Option(help: "What has a row of its own: run, subject or clip.")
  var by = HistoryTable.Grain.run

  func validate() throws {
    guard csv != json else { throw ValidationError("give --csv or --json") }
  }

  func run() throws {
    let table = HistoryTable(
      try options.history(in: options.storage.open()), by: by, detector: options.detector)
    if csv {
      try table.csv(Terminal.piece)
    } else {
      try table.json(Terminal.piece)
    }
  }
}

extension HistoryTable.Grain: ExpressibleByArgument {}
