import ArgumentParser
import Charts
import Datasets
import Evaluation
import Files
import Foundation
import Pipeline
import Reports

struct DrawCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "draw",
    abstract: "Draw charts of stored runs, without running anything again.",
    discussion: """
      Examples:
        bench draw list
        bench draw counts --suite squat
        bench draw counts errors latency --suite squat --run latest --theme dark --scale 2
        bench draw timeline --suite squat --clip s01_side_2
        bench draw card --dataset squat-sample --output charts
        bench draw gains --suite squat --with baseline --width 400 --output gains.png
        bench draw counts --suite squat --format svg
      """,
    subcommands: [DrawListCommand.self, DrawGalleryCommand.self, DrawChartsCommand.self],
    defaultSubcommand: DrawChartsCommand.self)
}

struct DrawListCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List the charts and what each needs.", discussion: "Example: bench draw list")

  func run() throws {
    let width = ChartRecipe.all.map(\.name.count).max() ?? 0
    let lines = ChartRecipe.all.flatMap { recipe -> [TextBlock] in
      [
        .labelled(TonedText(recipe.name), TonedText(recipe.summary), indent: width + 2),
        .labelled("", TonedText("needs \(recipe.needs)", .dim), indent: width + 2, isBroken: false),
      ]
    }
    let title = "\(ChartRecipe.all.count) charts; draw one with: bench draw NAME"
    Terminal.out([.line(TonedText(title)), .gap] + lines)
  }
}

struct DrawChartsCommand: ReplayingCommand {
  static let configuration = CommandConfiguration(
    commandName: "charts", abstract: "Draw charts by name.",
    discussion: """
      Example: bench draw charts counts timeline --suite squat
      The word charts can be omitted.

      Timelines, poses and swings replay only their own clip, with the run's parameters; all other charts use stored \
      results. Every PNG names its suite, its run and the content of its datasets in its text chunks.
      """)

  @Argument(help: "Charts to draw; bench draw list names them.")
  var charts: [String]

  @Option(help: "The suite; not needed if the run's id names it.")
  var suite: String?

  @Option(
    name: .customLong("run"), help: "The run: its id, with or without the suite, or latest. (default: latest)")
  var runName: String?

  @Option(
    name: .customLong("with"),
    help: "For gains and changes: the run to compare it with, or baseline. (default: baseline)")
  var other: String?

  @Option(help: "The detector. (default: the first with the data for the chart)")
  var detector: String?

  @Option(help: "The clip. (default: the one on which the detector does worst)")
  var clip: String?

  @Option(help: "For charts of one metric: the metric.")
  var metric: String?

  @Option(
    name: .customLong("from"),
    help: ArgumentHelp("JSON written by bench sweep, tune, compare, selftest or leaderboard.", valueName: "file"))
  var file: String?

  @Option(
    name: .customLong("set"), parsing: .singleValue,
    help: ArgumentHelp(
      "For timelines: the second setting; may be repeated.", valueName: "kind.detector.parameter=value"))
  var assignments: [String] = []

  @Option(help: "For card: a dataset, without a run.")
  var dataset: String?

  @Option(
    name: [.customLong("output"), .customLong("out")],
    help: ArgumentHelp(
      "A folder or, for a single chart, a .png or .svg file. (default: the current folder)",
      valueName: "path"))
  var output: String?

  @OptionGroup var picture: PictureOptions
  @OptionGroup var consent: ConsentOptions
  @OptionGroup var storage: StoreOptions

  func run() throws {
    let recipes = try charts.map { try ChartRecipe.named($0) }
    try ChartRecipe.require(choices, of: recipes)
    guard dataset == nil || runName == nil else {
      throw EvaluationError.usage("give --dataset, or --run for the datasets of a run, not both")
    }
    let named = runName.flatMap { RunID($0)?.suite }
    // Charts without a run need no suite either.
    let isOfFile = file != nil && recipes.allSatisfy { $0.takes.contains(.from) }
    let isOfDataset = dataset != nil && recipes.allSatisfy { $0.takes.contains(.dataset) }
    let store = try storage.open()
    let context = ChartContext(
      project: storage.project, store: store, registry: try Bench.registry,
      suite: try suite ?? named ?? (isOfFile || isOfDataset ? "" : newest(in: store)), run: runName ?? "latest",
      other: other ?? "baseline",
      detector: detector, clip: clip, metric: metric, file: file, assignments: assignments, dataset: dataset,
      bench: Bench.version)
    let (pictures, failures) = try pictures(of: recipes, context)
    let destination = PictureDestination(path: output)
    let format = try picture.format(named: output)
    guard pictures.count < 2 || !destination.isFile else {
      throw EvaluationError.usage(
        "--output \(output ?? ""): expected a folder for \(pictures.count) pictures, found the name of a file")
    }
    for (file, drawn) in pictures {
      let path = destination.file(format.named(file))
      let bytes = try picture.bytes(drawn.chart, format, metadata: drawn.metadata)
      try writeWhole(Data(bytes), to: path)
      Terminal.out(.lines(["drew \(path): \(drawn.chart.title)"] + drawn.notes))
    }
    guard let first = failures.first else { return }
    for failure in failures.dropFirst() { Terminal.error("bench: \(failure.chart): \(failure.error)") }
    throw first.error
  }

  /// The possible pictures and the errors: a run need not have data for every requested chart.
  private func pictures(
    of recipes: [ChartRecipe], _ context: ChartContext
  ) throws -> (drawn: [(file: String, picture: ChartRecipe.Picture)], failures: [(chart: String, error: any Error)]) {
    var drawn: [(file: String, picture: ChartRecipe.Picture)] = []
    var failures: [(chart: String, error: any Error)] = []
    for recipe in recipes {
      do {
        drawn += try recipe.pictures(of: context).map { ($0.file(of: recipe), $0) }
      } catch EvaluationError.usage(let words) {
        // A wrong option is wrong for all.
        throw EvaluationError.usage(words)
      } catch {
        failures.append((recipe.name, error))
      }
    }
    return (drawn, failures)
  }

  /// The options besides the charts and their suite.
  private var choices: Set<ChartRecipe.Choice> {
    let given: [(ChartRecipe.Choice, Bool)] = [
      (.run, runName != nil), (.with, other != nil), (.detector, detector != nil), (.clip, clip != nil),
      (.metric, metric != nil), (.from, file != nil), (.set, !assignments.isEmpty), (.dataset, dataset != nil),
    ]
    return Set(given.filter(\.1).map(\.0))
  }

  /// The suite of the last run.
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

/// The size of a picture, and its colours.
struct PictureOptions: ParsableArguments {
  enum ThemeName: String, CaseIterable, ExpressibleByArgument {
    case light, dark

    var theme: Theme { self == .light ? .light : .dark }
  }

  enum Format: String, CaseIterable, ExpressibleByArgument {
    case png, svg

    /// A picture's file name in this format.
    func named(_ file: String) -> String {
      file.hasSuffix(".png") ? "\(file.dropLast(4)).\(rawValue)" : file
    }
  }

  @Option(help: "Colours.")
  var theme = ThemeName.light

  @Option(help: "Write png, or svg for papers and web pages. (default: from the name of the output, otherwise png)")
  var format: Format?

  @Option(
    help: ArgumentHelp(
      "Width in pixels at scale 1; above 1200 the whole chart is enlarged.",
      valueName: "pixels"))
  var width = 1200.0

  @Option(help: "Multiply the pixels: 2 for high-density displays.")
  var scale = 1.0

  func validate() throws {
    guard (200...8000).contains(width) else { throw ValidationError("--width takes 200 to 8000, found \(width)") }
    guard (0.5...4).contains(scale) else { throw ValidationError("--scale takes 0.5 to 4, found \(scale)") }
  }

  /// The format, which the name of a file also says.
  ///
  /// - Parameter path: `nil` for none.
  /// - Throws: `EvaluationError.usage` if they differ.
  func format(named path: String?) throws -> Format {
    let named = path.flatMap { path in Format.allCases.first { path.lowercased().hasSuffix(".\($0.rawValue)") } }
    if let format, let named, format != named {
      throw EvaluationError.usage(
        "--format \(format.rawValue): expected an output that ends in .\(format.rawValue), found \(path ?? "")")
    }
    return format ?? named ?? .png
  }

  /// - Throws: `ChartError`.
  func bytes(_ chart: any Chart, _ format: Format, metadata: [(key: String, value: String)]) throws -> [UInt8] {
    switch format {
    case .png: try png(chart, width: width, scale: scale, theme: theme.theme, metadata: metadata)
    case .svg: try svg(chart, width: width, scale: scale, theme: theme.theme, metadata: metadata)
    }
  }
}

/// The destination of pictures: a file whose name ends in `.png` or `.svg`, or a folder, which is created if necessary.
struct PictureDestination {
  /// The option's value; `nil` for the current folder.
  let path: String?

  /// Whether it can only take one picture.
  var isFile: Bool {
    guard let path, [".png", ".svg"].contains(where: path.lowercased().hasSuffix) else { return false }
    var isFolder: ObjCBool = false
    return !(FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder.boolValue)
  }

  /// The destination of a picture with this name.
  func file(_ name: String) -> String {
    guard let path else { return name }
    if isFile { return path }
    return (path.hasSuffix("/") ? path : path + "/") + name
  }
}
