import ArgumentParser
import Charts
import Datasets
import Evaluation
import Files
import Foundation
import Pipeline
import Reports
import Statistics

struct DrawGalleryCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "gallery", abstract: "Draw one of each chart from the sample datasets.",
    discussion: """
      Runs the suites squat, tennis and any-exercise on their sample datasets in a separate store and draws the \
      results. --check compares a folder's files with a fresh drawing and exits with 1 if one differs: in the data \
      behind a picture, in its words, or in its pixels, apart from small differences between font versions. With \
      another font installed only the data are compared.

      Examples:
        bench draw gallery --output reports/gallery
        bench draw gallery --check reports/gallery
      """)

  @Option(name: [.customLong("output"), .customLong("out")], help: "The folder to draw to.")
  var out: String?

  @Option(help: "Compare this gallery with a fresh drawing.")
  var check: String?

  func validate() throws {
    guard (out == nil) != (check == nil) else { throw ValidationError("expected either --output or --check") }
  }

  func run() async throws {
    let folder = out ?? check ?? ""
    let gallery = try await Gallery(in: StoreOptions.parse([]).project, folder: folder)
    let files = try gallery.files()
    let pictures = files.count { $0.texts != nil }
    guard check != nil else {
      for file in files { try writeWhole(file.data, to: "\(folder)/\(file.name)") }
      return Terminal.out([.line("drew \(pictures) pictures to \(folder)")])
    }
    let check = try GalleryCheck(folder: folder, files: files)
    if !check.inOtherFont.isEmpty {
      Terminal.error(
        "\(check.inOtherFont.count) of \(pictures) pictures are drawn in a font other than \(TextStyle.fontMeasures): "
          + "their data were compared, their pixels were not")
    }
    guard check.differences.isEmpty else {
      Terminal.error(
        (check.differences + ["redraw it: bench draw gallery --output \(folder)"]).joined(separator: "\n"))
      throw ExitCode(1)
    }
    Terminal.out([.line("\(folder) is up to date: \(pictures) pictures and the report")])
  }
}

/// One of each chart, from runs of the sample datasets in a separate store.
///
/// Clock measurements come from a file beside the pictures if there is one, to draw the same pictures on any machine.
struct Gallery {
  struct Picture {
    var file: String
    var drawn: DrawnChart
    var title: String
    var summary: String
    /// The commands that draw this chart of a user's own runs, one per line.
    var commands: [String]
  }

  private static let measuredFile = "measured.json"
  /// The folder of the full report within the gallery.
  private static let reportFolder = "report"
  private static let suites = ["squat", "tennis", "any-exercise"]
  /// The change in charts that compare two settings.
  private static let change = "reps.squat-states.bottomAngle=100"
  private static let smallerChange = "reps.squat-states.bottomAngle=95"
  private static let sweeps = [
    "sweep.json": ["reps.squat-states.bottomAngle=70...130:2"],
    "sweep-2.json": [
      "reps.squat-states.bottomAngle=70...130:5", "reps.squat-states.standingAngle=145,150,155,160,165",
    ],
  ]
  private static let tuned = ["reps.squat-states.bottomAngle", "reps.squat-states.standingAngle"]
  private static let tuningBudget = 60
  private static let board = "leaderboard.json"
  /// The datasets of the leaderboard.
  private static let ranked = ["squat", "push-up", "lunge", "pull-up", "sit-up", "jumping-jack"].map { "\($0)-sample" }

  /// Values that depend on the machine.
  private struct Measured: Codable {
    var machine: RunOrigin.Machine
    /// The versions of the program's parts, by name.
    var versions: [String: String]
    /// By suite and detector.
    var costs: [String: [String: RunResults.MeasuredCost]] = [:]
  }

  private var measured: Measured
  private let project: Project
  private let store: Store
  private let temporary: TemporaryFolder
  /// Always has the same name, which pictures give as their run.
  private let folder: String

  /// Makes the runs for the pictures.
  ///
  /// - Parameter output: The folder of the pictures.
  init(in project: Project, folder output: String) async throws {
    self.project = project
    temporary = try TemporaryFolder("gallery")
    folder = "\(temporary.path)/gallery"
    store = try Store(at: "\(folder)/store.sqlite")
    let file = "\(output)/\(Self.measuredFile)"
    if FileManager.default.fileExists(atPath: file) {
      do {
        measured = try JSONDecoder().decode(Measured.self, from: InputFile(file).bytes)
      } catch let error as DecodingError {
        throw DataError(file: file, expected: "a file of bench draw gallery", found: "\(error)")
      }
    } else {
      let here = try RunOrigin(arguments: [], bench: Bench.version, root: project.root, store: store)
      measured = Measured(machine: here.machine, versions: here.versions)
    }
    for suite in Self.suites { try await run(suite, [], as: "first") }
    try await run("squat", [Self.smallerChange], as: "between")
    try await run("squat", [Self.change], as: "second")
    for (file, texts) in Self.sweeps { try await sweep(texts, to: "\(folder)/\(file)") }
    try await tune(to: "\(folder)/tune.json")
    try await selftest(to: "\(folder)/selftest.json")
    try await leaderboard(to: "\(folder)/\(Self.board)")
  }

  private func suiteRun(_ name: String, _ assignments: [String]) throws -> SuiteRun {
    let suite = try project.suite(named: name, registry: Bench.registry)
    let detectors = try suite.detectors.map { try Bench.registry.detector(named: $0.name) }
    return try SuiteRun(
      suite, assignments: assignments.flatMap { try Assignment.all($0, of: detectors) }, in: project, store: store,
      registry: Bench.registry)
  }

  private mutating func run(
    _ suite: String, _ assignments: [String], as name: String
  ) async throws {
    let run = try suiteRun(suite, assignments)
    var results = try await run.results(version: Bench.version, threads: threads)
    if suite == "squat", name == "first" {
      results.robustness = try await run.robustness(
        beside: results, seed: 1, version: Bench.version, threads: threads)
    }
    // If the suite no longer runs a detector, its costs are measured again with all others.
    if let known = measured.costs[suite], known.keys == results.measured.keys {
      results.measured = known
    } else {
      measured.costs[suite] = results.measured
    }
    try store.add(
      StoredRun(
        id: RunID(suite: suite, name: name).description, suite: suite,
        created: "2000-01-0\(name == "first" ? 1 : name == "between" ? 2 : 3)T00:00:00Z",
        results: String(decoding: try stableJSON(results), as: UTF8.self)))
  }

  private func sweep(_ texts: [String], to file: String) async throws {
    let run = try suiteRun("squat", [])
    let detectors = run.settings.map(\.definition)
    let plan = try SweepPlan(texts.map { try SweepAxis($0, of: detectors) })
    let results = try await SweepRun(plan, metric: "count.mae", on: run).results(
      version: Bench.version, threads: threads
    ) { _ in }
    try writeWhole(try stableJSON(results), to: file)
  }

  private func tune(to file: String) async throws {
    let run = try suiteRun("squat", [])
    let plan = try TunePlan(
      Self.tuned, detector: nil, search: TuneSearch(method: .coordinate, budget: Self.tuningBudget, seed: 1),
      of: run.settings.map(\.definition))
    let results = try await TuneRun(plan, metric: "count.mae", on: run).results(
      version: Bench.version, threads: threads
    ) { _ in }
    try writeWhole(try stableJSON(results), to: file)
  }

  /// With as few comparisons as the command allows, for a picture.
  private func selftest(to file: String) async throws {
    let suite = try project.suite(named: "squat", registry: Bench.registry)
    let baseline = try project.baseline(ofSuite: "squat")
    guard let real = SubjectValues(baseline, suite: suite) else {
      throw EvaluationError.missing(what: "baseline of suite squat", expected: "two people", found: "fewer")
    }
    let simulation = GateSimulation(seed: 1, trials: 2000)
    let selftest = GateSelftest(
      simulation, await simulation.results(real: real, threads: threads), [], suite: "squat",
      datasets: baseline.datasets, bench: Bench.version)
    try writeWhole(try stableJSON(selftest), to: file)
  }

  private func leaderboard(to file: String) async throws {
    let plan = try LeaderboardPlan(
      datasets: Self.ranked, suites: [], detectors: [], metrics: ["count.exact"], in: project, store: store,
      registry: Bench.registry)
    try writeWhole(
      try stableJSON(try await plan.leaderboard(version: Bench.version, threads: threads)), to: file)
  }

  private var threads: Int { availableCores }

  /// A chart of the gallery: its data, and the commands that draw it of a user's own runs.
  fileprivate struct Item {
    /// The commands to run before, if the charts above did not need them.
    var after: [String] = []
    var chart: String
    var suite = "squat"
    var run = "first"
    var detector: String?
    var clip: String?
    var metric: String?
    var from: String?
    var assignments: [String] = []
    var file: String?
    var width = 1200.0
    var theme = PictureOptions.ThemeName.light
  }

  /// In an order in which the commands can be run one after another.
  private static let items = [
    Item(after: ["run --suite squat --robustness"], chart: "card"),
    Item(chart: "counts"), Item(chart: "counts", file: "counts-narrow.png", width: 400), Item(chart: "errors"),
    Item(chart: "people"),
    Item(chart: "grades", detector: "squat-posture"), Item(chart: "limits", detector: "squat-posture"),
    Item(chart: "raters", detector: "squat-posture"),
    Item(chart: "roc", detector: "exercise-squat"), Item(chart: "pr", detector: "exercise-squat"),
    Item(chart: "reliability", detector: "exercise-squat"), Item(chart: "latency"),
    Item(chart: "timeline", clip: "s01_front_1"),
    Item(chart: "timeline", clip: "s01_front_1", file: "timeline-dark.png", theme: .dark),
    Item(chart: "timelines", clip: "s09_front_2", assignments: [change]),
    Item(chart: "skeletons", clip: "s01_front_1"), Item(chart: "robustness", detector: "squat-states"),
    Item(chart: "power"),
    Item(after: ["run --suite tennis"], chart: "confusion", suite: "tennis", detector: "swing-peaks"),
    Item(chart: "swing", suite: "tennis", detector: "swing-peaks"),
    Item(after: ["run --suite any-exercise"], chart: "coverage", suite: "any-exercise"),
    Item(
      after: ["run --suite squat --set \(smallerChange)", "run --suite squat --set \(change)"], chart: "gains",
      run: "second"),
    Item(chart: "changes", run: "second"),
    Item(chart: "history", run: "second", detector: "squat-states", metric: "count.mae"),
    Item(after: [sweep("sweep.json")], chart: "sweep", from: "sweep.json"),
    Item(after: [sweep("sweep-2.json")], chart: "sweep", from: "sweep-2.json", file: "heat-map.png"),
    Item(
      after: [
        "tune --suite squat --metric count.mae \(tuned.map { "--tune \($0)" }.joined(separator: " ")) "
          + "--budget \(tuningBudget) --to tuned.yaml"
      ], chart: "tuning", from: "tune.json"),
    Item(after: ["selftest gate --suite squat"], chart: "selftest", from: "selftest.json"),
    Item(
      after: ["leaderboard --datasets \(ranked.joined(separator: " ")) --metrics count.exact --json > \(board)"],
      chart: "leaderboard", suite: "", from: board),
  ]

  private static func sweep(_ file: String) -> String {
    "sweep --suite squat --metric count.mae "
      + sweeps[file, default: []].map { "--sweep \($0)" }.joined(separator: " ")
  }

  /// All files of the gallery.
  func files() throws -> [ReportFile] {
    let pictures = try pictures()
    let report = try report().files()
    return pictures.map { ReportFile(name: $0.file, $0.drawn) } + [
      ReportFile(name: Self.measuredFile, data: try stableJSON(measured)),
      ReportFile(name: "README.md", data: Data(index(pictures).utf8)),
    ]
      + report.map { ReportFile(name: "\(Self.reportFolder)/\($0.name)", data: $0.data, texts: $0.texts) }
  }

  private func pictures() throws -> [Picture] {
    // A chart without special needs is drawn from the first run.
    let others = ChartRecipe.all.filter { recipe in !Self.items.contains { $0.chart == recipe.name } }
    return try (Self.items + others.map { Item(chart: $0.name) }).flatMap { item -> [Picture] in
      let recipe = try ChartRecipe.named(item.chart)
      let context = ChartContext(
        project: project, store: store, registry: try Bench.registry, suite: item.suite, run: item.run,
        detector: item.detector, clip: item.clip, metric: item.metric,
        file: item.from.map { "\(folder)/\($0)" }, assignments: item.assignments, bench: Bench.version)
      return try recipe.pictures(of: context).prefix(2).enumerated().map { index, drawn in
        Picture(
          file: item.file ?? drawn.file(of: recipe),
          drawn: try DrawnChart(drawn.chart, width: item.width, theme: item.theme.theme, metadata: drawn.metadata),
          title: drawn.chart.title, summary: recipe.summary, commands: index == 0 ? item.commands : [item.command])
      }
    }
  }

  /// A full report: the changed setting compared with the first run.
  private func report() throws -> RunReport {
    let catalogue = DatasetCatalogue(project: project, store: store)
    let results = try store.run(named: "second", ofSuite: "squat").results
    var clips = try RunClips(results, in: catalogue, registry: Bench.registry)
    return try RunReport(
      results,
      run: RunReport.Run(name: Self.reportFolder, created: "2000-01-03T00:00:00Z", origin: origin(of: Self.change)),
      baseline: Baseline(try store.run(named: "first", ofSuite: "squat").results)
    ) { clip, detector, changed in
      try clips.replay(clip, detector: detector, replacing: changed)
    }
  }

  /// Without a commit, whose id would change with every commit of the gallery itself.
  private func origin(of change: String) -> RunOrigin {
    RunOrigin(
      arguments: ["run", "--suite", "squat", "--set", change], revision: nil, hasChanges: nil,
      machine: measured.machine, versions: measured.versions)
  }

  /// The page that shows them.
  private func index(_ pictures: [Picture]) -> String {
    let parts = pictures.map { picture in
      """
      ## \(picture.title)

      \(picture.summary)

      \(picture.commands.map { "    \($0)" }.joined(separator: "\n"))

      ![\(picture.title)](\(picture.file))
      """
    }
    return """
      # Gallery

      One of each chart, from the SYNTHETIC sample datasets, drawn by `bench draw gallery --output reports/gallery`. They \
      are no evidence about people. The checks fail if a fresh drawing differs: data and words must be the same, and no \
      square of \(PictureDifference.square) x \(PictureDifference.square) pixels may differ by more than \
      \(Int(PictureDifference.markTolerance)) of 255 levels on average (in text \(Int(PictureDifference.textTolerance)), \
      because outlines of fonts vary). With another font only data are compared.

      The last command above each picture draws this chart of your own newest run; the others make the runs that it \
      needs. In this order they work in a fresh clone.

      The pages that `bench report --html`, `bench replay --html`, `bench view` and `bench dataset show --html` make, as \
      `scripts/browser-check reports/gallery/pages` photographs them. Skeletons move, and the first clip plays automatically:

      ![A report: the verdict in a sentence, who changed, and a player of the clip that got worse](pages/report.png)

      ![The same on a phone](pages/report-phone.png)

      ![A missed squat beside the nearest one that was found: it is not as deep](pages/player.png)

      ![bench view: clips, the player, and a slider for each parameter](pages/view.png)

      ![bench view --label: reps, faults and grades by the keyboard](pages/label.png)

      ![bench view --label --raters: where two raters differ](pages/adjudicate.png)

      ![A dataset: a moving skeleton for each clip, with labels and what the checks found](pages/dataset.png)

      [A full report](report/report.md) of the squat suite with `\(Self.change)`, compared with the suite without changes. \
      `bench report --html` makes one HTML file of any run.

      \(parts.joined(separator: "\n\n"))

      """
  }
}

extension Gallery.Item {
  fileprivate var commands: [String] { after.map { "bench \($0)" } + [command] }

  fileprivate var command: String {
    var words = ["bench draw \(chart)"]
    // Without a suite the file must be named; else it is the suite's newest.
    words.append(suite.isEmpty ? "--from \(from ?? "")" : "--suite \(suite)")
    if let detector { words.append("--detector \(detector)") }
    if let clip { words.append("--clip \(clip)") }
    if let metric { words.append("--metric \(metric)") }
    words += assignments.map { "--set \($0)" }
    if width != 1200 { words.append("--width \(Int(width))") }
    if theme != .light { words.append("--theme \(theme.rawValue)") }
    return words.joined(separator: " ")
  }
}
