import ArgumentParser
import Datasets
import Evaluation
import Foundation
import Reports

struct DrawChartsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "charts", abstract: "Draws charts by name.",
    discussion: """
      Example: bench draw charts counts timeline --suite squat
      The word charts may be left out.

      Timelines, poses and swings replay their clip, and no other, with the run's parameters; all else comes from what \
      the run kept. Every picture names its suite, its run and the content of its datasets in its text chunks.
      """)

  @Argument(help: "The charts: bench draw list names them.")
  var charts: [String]

  @Option(help: "The suite; not needed where the run's id names it.")
  var suite: String?

  @Option(
    name: .customLong("run"), help: "The run: its id, the part of it behind the suite, or latest. (default: latest)")
  var runName: String?

  @Option(
    name: .customLong("with"),
    help: "For gains and changes: the run to hold it against, or baseline. (default: baseline)")
  var other: String?

  @Option(help: "The detector. (default: the first that has what the chart needs)")
  var detector: String?

  @Option(help: "The clip. (default: the one on which the detector does worst)")
  var clip: String?

  @Option(help: "The metric, for charts of one.")
  var metric: String?

  @Option(
    name: .customLong("from"),
    help: ArgumentHelp("A file of numbers that bench sweep, tune, compare or selftest wrote.", valueName: "file"))
  var file: String?

  @Option(
    name: .customLong("set"), parsing: .singleValue,
    help: ArgumentHelp(
      "For timelines: the second setting; may be repeated.", valueName: "kind.detector.parameter=value"))
  var assignments: [String] = []

  @Option(help: ArgumentHelp("The file of a single picture, or a folder. (default: here, by the chart's name)"))
  var out: String?

  @OptionGroup var picture: PictureOptions
  @OptionGroup var storage: StoreOptions

  func run() throws {
    let drawings = try charts.map { try Drawing.named($0) }
    try Drawing.require(choices, of: drawings)
    let parts = (runName ?? "").split(separator: "/").map(String.init)
    let named = parts.count == 2 ? parts.first : nil
    let isOfFile = file != nil && drawings.allSatisfy { $0.takes.contains(.from) }
    let store = try storage.open()
    let material = DrawingMaterial(
      project: storage.project, store: store, registry: try Bench.registry,
      suite: try suite ?? named ?? (isOfFile ? "" : newest(in: store)), run: runName ?? "latest",
      other: other ?? "baseline",
      detector: detector, clip: clip, metric: metric, file: file, assignments: assignments, bench: Bench.version)
    let pictures = try drawings.flatMap { drawing in
      try drawing.pictures(of: material).map { (file: $0.file(of: drawing), picture: $0) }
    }
    for (file, drawn) in pictures {
      let path = try path(of: file, isOnly: pictures.count == 1)
      let bytes = try picture.png(drawn.chart, metadata: drawn.metadata)
      try writeWhole(Data(bytes), to: path)
      Terminal.out((drawn.notes + ["drew \(path)"]).joined(separator: "\n"))
    }
  }

  /// What is asked for beside the charts and their suite.
  private var choices: Set<Drawing.Choice> {
    let given: [(Drawing.Choice, Bool)] = [
      (.run, runName != nil), (.with, other != nil), (.detector, detector != nil), (.clip, clip != nil),
      (.metric, metric != nil), (.from, file != nil), (.set, !assignments.isEmpty),
    ]
    return Set(given.filter(\.1).map(\.0))
  }

  /// The suite that was run last.
  private func newest(in store: Store) throws -> String {
    let suites = storage.project.suiteNames
    guard let newest = try store.runHeads(ofSuite: nil).first(where: { suites.contains($0.suite) }) else {
      throw EvaluationError.missing(
        what: "the store \(store.path)", expected: "a run to draw",
        found: "none; make one with: bench run --suite squat")
    }
    return newest.suite
  }

  private func path(of file: String, isOnly: Bool) throws -> String {
    guard let out else { return file }
    var isFolder: ObjCBool = false
    let exists = FileManager.default.fileExists(atPath: out, isDirectory: &isFolder)
    if out.hasSuffix("/") || exists && isFolder.boolValue {
      return (out.hasSuffix("/") ? out : out + "/") + file
    }
    guard isOnly else {
      throw EvaluationError.usage("--out \(out): expected a folder for several pictures, or --detector to pick one")
    }
    return out
  }
}
