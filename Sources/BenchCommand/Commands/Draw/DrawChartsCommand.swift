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

  @Option(help: "For card: a dataset by itself, without a run.")
  var dataset: String?

  @Option(
    name: [.customLong("output"), .customLong("out")],
    help: ArgumentHelp(
      "A file that ends in .png, for a single picture, or a folder. (default: here, by the chart's name)",
      valueName: "path"))
  var output: String?

  @OptionGroup var picture: PictureOptions
  @OptionGroup var storage: StoreOptions

  func run() throws {
    let drawings = try charts.map { try Drawing.named($0) }
    try Drawing.require(choices, of: drawings)
    guard dataset == nil || runName == nil else {
      throw EvaluationError.usage("expected --dataset, or --run for the datasets of a run, found both")
    }
    let parts = (runName ?? "").split(separator: "/").map(String.init)
    let named = parts.count == 2 ? parts.first : nil
    // What needs no run needs no suite either.
    let isOfFile = file != nil && drawings.allSatisfy { $0.takes.contains(.from) }
    let isOfDataset = dataset != nil && drawings.allSatisfy { $0.takes.contains(.dataset) }
    let store = try storage.open()
    let material = DrawingMaterial(
      project: storage.project, store: store, registry: try Bench.registry,
      suite: try suite ?? named ?? (isOfFile || isOfDataset ? "" : newest(in: store)), run: runName ?? "latest",
      other: other ?? "baseline",
      detector: detector, clip: clip, metric: metric, file: file, assignments: assignments, dataset: dataset,
      bench: Bench.version)
    let (pictures, failures) = try pictures(of: drawings, material)
    let destination = PictureDestination(path: output)
    guard pictures.count < 2 || !destination.isFile else {
      throw EvaluationError.usage(
        "--output \(output ?? ""): expected a folder for \(pictures.count) pictures, found the name of a file")
    }
    for (file, drawn) in pictures {
      let path = destination.file(file)
      let bytes = try picture.png(drawn.chart, metadata: drawn.metadata)
      try writeWhole(Data(bytes), to: path)
      Terminal.out((drawn.notes + ["drew \(path)"]).joined(separator: "\n"))
    }
    guard let first = failures.first else { return }
    for failure in failures.dropFirst() { Terminal.error("bench: \(failure.chart): \(failure.error)") }
    throw first.error
  }

  /// What can be drawn, and what can't: a run need not have something for every chart that is asked for.
  private func pictures(
    of drawings: [Drawing], _ material: DrawingMaterial
  ) throws -> (drawn: [(file: String, picture: Drawing.Picture)], failures: [(chart: String, error: any Error)]) {
    var drawn: [(file: String, picture: Drawing.Picture)] = []
    var failures: [(chart: String, error: any Error)] = []
    for drawing in drawings {
      do {
        drawn += try drawing.pictures(of: material).map { ($0.file(of: drawing), $0) }
      } catch EvaluationError.usage(let words) {
        // A wrong option is wrong for all.
        throw EvaluationError.usage(words)
      } catch {
        failures.append((drawing.name, error))
      }
    }
    return (drawn, failures)
  }

  /// What is asked for beside the charts and their suite.
  private var choices: Set<Drawing.Choice> {
    let given: [(Drawing.Choice, Bool)] = [
      (.run, runName != nil), (.with, other != nil), (.detector, detector != nil), (.clip, clip != nil),
      (.metric, metric != nil), (.from, file != nil), (.set, !assignments.isEmpty), (.dataset, dataset != nil),
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
}
