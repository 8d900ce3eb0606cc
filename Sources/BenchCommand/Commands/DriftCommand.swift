import ArgumentParser
import Charts
import Evaluation
import Files
import Reports
import Statistics

struct DriftCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "drift",
    abstract: "Show how predictions without labels changed between two versions, by people.",
    discussion: """
      For a nightly run on production logs. Compares counts, confidences, abstentions, report delays, grades, faults and \
      --number columns such as a cost, in the files that bench score takes. It says how much they changed over people, \
      never which version is right: that takes labels.

      If the same clips are in both, each is compared with itself; if not, each person with themselves; if the people \
      are others too, the two groups. A column subject names a clip's person.

      Examples:
        bench drift yesterday.csv today.csv
        bench drift 2.0.csv 2.1.csv --people datasets/my-squats/clips.csv --number cost_ms
        bench drift monday.jsonl tuesday.jsonl --names 2.0,2.1 --other-clips --json
      """)

  @Argument(help: "Predictions of the old version: CSV or JSON Lines.") var old: String
  @Argument(help: "Predictions of the new version.") var new: String

  @Option(help: ArgumentHelp("The names of the two versions. (default: those of the files)", valueName: "old,new"))
  var names: String?

  @Option(
    help: ArgumentHelp("Take the clips' people from the columns clip and subject of this table.", valueName: "csv"))
  var people: String?

  @Option(
    help: ArgumentHelp(
      "The person is the part of a clip's name before this text: _ for anna_1.", valueName: "text"))
  var personBefore: String?

  @Option(
    name: .customLong("number"), parsing: .singleValue,
    help: ArgumentHelp("Compare this column of numbers too, such as a cost. May be repeated.", valueName: "column"))
  var numbers: [String] = []

  @Option(help: ArgumentHelp("Column names in the files, if different.", valueName: "column=name,…"))
  var columns: String?

  @Flag(help: "The clips are other recordings on each side, even if they have the same names.")
  var otherClips = false

  @OptionGroup var table: TableOptions
  @Flag(help: "Print the drift as JSON.") var json = false

  func validate() throws {
    try table.validate(beside: json, "--json")
    if people != nil, personBefore != nil { throw ValidationError("give one of --people and --person-before") }
    if personBefore?.isEmpty == true { throw ValidationError("--person-before takes a text such as _, found none") }
    if let names, Self.pair(names) == nil {
      throw ValidationError("--names takes two different names such as 2.0,2.1, found \(names)")
    }
  }

  /// `nil` if it is no two different names.
  private static func pair(_ text: String) -> (old: String, new: String)? {
    let names = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    guard names.count == 2, !names[0].isEmpty, !names[1].isEmpty, names[0] != names[1] else { return nil }
    return (names[0], names[1])
  }

  /// The names of the versions: those of the files, unless they are the same.
  private var versions: (old: String, new: String) {
    let stems = "\(PathParts(old).stem),\(PathParts(new).stem)"
    return names.flatMap(Self.pair) ?? Self.pair(stems) ?? ("before", "after")
  }

  func run() throws {
    let drift = try PredictionDrift(
      from: .init(versions.old, files: [InputFile(old)]), to: .init(versions.new, files: [InputFile(new)]),
      columns: ScoreCommand.columnNames(columns, besides: [PredictionFiles.subject]), numbers: numbers,
      people: source(), areOtherClips: otherClips)
    if json {
      Terminal.out(String(decoding: try stableJSON(drift), as: UTF8.self))
    } else {
      Terminal.out(table.format.map(drift.table.written(as:)) ?? Terminal.layout.text(drift.screen))
    }
  }

  private func source() throws -> PredictionDrift.People {
    if let people { return .table(try InputFile(people)) }
    return personBefore.map { PredictionDrift.People.names(before: $0) } ?? .column
  }
}
