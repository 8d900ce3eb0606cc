import Datasets
import Evaluation
import Foundation
import Plots
import Reports

/// One of each chart, made of runs of the sample datasets in a store of its own.
///
/// What a run measures with a clock comes from a file beside the pictures where there is one, so that the same program
/// draws the same pictures on any machine.
struct Gallery {
  struct Picture {
    var file: String
    var drawn: DrawnChart
    var title: String
    var summary: String
    /// How to draw such a chart of one's own runs.
    var command: String
  }

  private static let measuredFile = "measured.json"
  /// Where the full report is, within the gallery.
  private static let reportFolder = "report"
  private static let dataset = "squat-sample"
  private static let suites = ["squat", "tennis"]
  /// The change that is shown where a chart compares two settings.
  private static let change = "reps.squat-states.bottomAngle=100"
  private static let sweeps = [
    "sweep.json": ["reps.squat-states.bottomAngle=70...130:2"],
    "sweep-2.json": [
      "reps.squat-states.bottomAngle=70...130:5", "reps.squat-states.standingAngle=145,150,155,160,165",
    ],
  ]

  /// By suite and detector.
  private var measured: [String: [String: RunResults.MeasuredCost]] = [:]
  private let project: Project
  private let store: Store
  private let folder: TemporaryFolder

  /// Runs what the pictures are made of.
  ///
  /// - Parameter output: where the pictures are, or will be.
  init(in project: Project, folder output: String) async throws {
    self.project = project
    folder = try TemporaryFolder()
    store = try Store(at: "\(folder.path)/store.sqlite")
    let file = "\(output)/\(Self.measuredFile)"
    if FileManager.default.fileExists(atPath: file) {
      do {
        measured = try JSONDecoder().decode(type(of: measured), from: InputFile(file).bytes)
      } catch let error as DecodingError {
        throw DataError(file: file, expected: "what bench draw gallery wrote", found: "\(error)")
      }
    }
    for suite in Self.suites { try await run(suite, [], as: "first") }
    try await run("squat", ["reps.squat-states.bottomAngle=95"], as: "between")
    try await run("squat", [Self.change], as: "second")
    for (file, texts) in Self.sweeps { try await sweep(texts, to: "\(folder.path)/\(file)") }
    try await tune(to: "\(folder.path)/tune.json")
    try await selftest(to: "\(folder.path)/selftest.json")
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
    // Those of a detector that the suite runs no more are measured anew with all others.
    if let known = measured[suite], known.keys == results.measured.keys {
      results.measured = known
    } else {
      measured[suite] = results.measured
    }
    try store.add(
      StoredRun(
        id: "\(suite)/\(name)", suite: suite,
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
      ["reps.squat-states.bottomAngle", "reps.squat-states.standingAngle"], detector: nil,
      search: TuneSearch(method: .coordinate, budget: 60, seed: 1), of: run.settings.map(\.definition))
    let results = try await TuneRun(plan, metric: "count.mae", on: run).results(
      version: Bench.version, threads: threads
    ) { _ in }
    try writeWhole(try stableJSON(results), to: file)
  }

  /// With as few comparisons as the command takes, for a picture of it.
  private func selftest(to file: String) async throws {
    let suite = try project.suite(named: "squat", registry: Bench.registry)
    let baseline = try Baseline(file: project.baselineFile("squat"), suite: "squat")
    guard let real = SubjectValues(baseline, suite: suite) else {
      throw EvaluationError.missing(what: "baseline of suite squat", expected: "two subjects", found: "fewer")
    }
    let simulation = GateSimulation(seed: 1, trials: 2000)
    let selftest = GateSelftest(
      simulation, await simulation.results(real: real, threads: threads), [], suite: "squat",
      datasets: baseline.datasets, bench: Bench.version)
    try writeWhole(try stableJSON(selftest), to: file)
  }

  private var threads: Int { ProcessInfo.processInfo.activeProcessorCount }

  /// A chart of the gallery: what it is drawn from, and how a reader draws their own.
  fileprivate struct Item {
    var chart: String
    var suite = "squat"
    var run = "first"
    var other: String?
    var detector: String?
    var clip: String?
    var metric: String?
    var from: String?
    var assignments: [String] = []
    var file: String?
    var width = 1200.0
    var theme = PictureOptions.ThemeName.light
  }

  private static let items = [
    Item(chart: "counts"), Item(chart: "errors"), Item(chart: "subjects"),
    Item(chart: "grades", detector: "squat-posture"), Item(chart: "limits", detector: "squat-posture"),
    Item(chart: "raters", detector: "squat-posture"),
    Item(chart: "confusion", suite: "tennis", detector: "swing-peaks"),
    Item(chart: "roc", detector: "exercise-squat"), Item(chart: "pr", detector: "exercise-squat"),
    Item(chart: "reliability", detector: "exercise-squat"), Item(chart: "latency"),
    Item(chart: "timeline", clip: "s01_side_2"), Item(chart: "timelines", clip: "s09_front_2", assignments: [change]),
    Item(chart: "skeletons", clip: "s01_side_2"), Item(chart: "swing", suite: "tennis", detector: "swing-peaks"),
    Item(chart: "gains", run: "second", other: "first"), Item(chart: "changes", run: "second", other: "first"),
    Item(chart: "history", run: "second", detector: "squat-states", metric: "count.mae"),
    Item(chart: "sweep", from: "sweep.json"), Item(chart: "sweep", from: "sweep-2.json", file: "heat-map.png"),
    Item(chart: "robustness", detector: "squat-states"),
    Item(chart: "tuning", from: "tune.json"), Item(chart: "power"), Item(chart: "selftest", from: "selftest.json"),
    Item(chart: "counts", file: "counts-narrow.png", width: 400),
    Item(chart: "timeline", clip: "s01_side_2", file: "timeline-dark.png", theme: .dark),
  ]

  /// All files of the gallery.
  func files() throws -> [ReportFile] {
    let pictures = try pictures()
    let report = try report().files(ReportTemplates(folder: ""))
    return pictures.map { ReportFile(name: $0.file, $0.drawn) } + [
      ReportFile(name: Self.measuredFile, data: try stableJSON(measured)),
      ReportFile(name: "README.md", data: Data(index(pictures).utf8)),
    ]
      + report.map { ReportFile(name: "\(Self.reportFolder)/\($0.name)", data: $0.data, texts: $0.texts) }
  }

  /// A dataset's card, and charts of its runs.
  private func pictures() throws -> [Picture] {
    try [card()]
      + Self.items.flatMap { item -> [Picture] in
        let drawing = try Drawing.named(item.chart)
        let material = DrawingMaterial(
          project: project, store: store, registry: try Bench.registry, suite: item.suite, run: item.run,
          other: item.other ?? "baseline", detector: item.detector, clip: item.clip, metric: item.metric,
          file: item.from.map { "\(folder.path)/\($0)" }, assignments: item.assignments, bench: Bench.version)
        return try drawing.pictures(of: material).prefix(2).map { drawn in
          Picture(
            file: item.file ?? drawn.file(of: drawing),
            drawn: try DrawnChart(
              drawn.chart, width: item.width, theme: item.theme.theme, metadata: drawn.metadata),
            title: drawn.chart.title, summary: drawing.summary, command: item.command)
        }
      }
  }

  private func card() throws -> Picture {
    let dataset = try DatasetCatalogue(project: project, store: store).dataset(named: Self.dataset)
    let summary = try DatasetSummary(dataset, in: store) { _ in }
    let card = summary.card
    return Picture(
      file: "card.png", drawn: try DrawnChart(card, metadata: summary.metadata(bench: Bench.version)),
      title: card.title,
      summary: "What a dataset holds and where it comes from.",
      command: "bench dataset show \(Self.dataset) --chart card.png")
  }

  /// A full report: the changed setting held against the first run.
  private func report() throws -> RunReport {
    let catalogue = DatasetCatalogue(project: project, store: store)
    let results = try store.run(named: "second", ofSuite: "squat").results
    return try RunReport(
      results, run: RunReport.Run(name: Self.reportFolder, created: "2000-01-02T00:00:00Z", origin: nil),
      baseline: Baseline(try store.run(named: "first", ofSuite: "squat").results)
    ) { clip, detector in
      try ReplayedClip(
        clip, of: results, detector: detector, in: catalogue, registry: Bench.registry)
    }
  }

  /// The page that shows them.
  private func index(_ pictures: [Picture]) -> String {
    let parts = pictures.map { picture in
      "## \(picture.title)\n\n\(picture.summary)\n\n    \(picture.command)\n\n![\(picture.title)](\(picture.file))"
    }
    return """
      # Gallery

      One of each chart, from the SYNTHETIC sample datasets, drawn by `bench draw gallery --out reports/gallery`. They \
      show what the charts look like and are no evidence about people. The checks fail where this folder no longer shows \
      what the command draws. The data behind a picture and its words must be the same; off its texts no square of \
      \(PictureDifference.square) x \(PictureDifference.square) pixels may differ by more than \
      \(Int(PictureDifference.markTolerance)) of 255 levels in the mean, nor within them a piece of text by more than \
      \(Int(PictureDifference.textTolerance)), as another version of the font's outlines may. Where another font is \
      installed, only data are compared.

      [A full report](report/report.md) of the squat suite with `\(Self.change)`, held against the suite as it stands. \
      `bench report --html` makes one HTML file of any run.

      \(parts.joined(separator: "\n\n"))

      """
  }
}

extension Gallery.Item {
  fileprivate var command: String {
    var words = ["bench draw \(chart) --suite \(suite)"]
    if let detector { words.append("--detector \(detector)") }
    if let clip { words.append("--clip \(clip)") }
    if let metric { words.append("--metric \(metric)") }
    if other != nil { words.append("--with RUN") }
    if let from { words.append("--from \(from)") }
    words += assignments.map { "--set \($0)" }
    if width != 1200 { words.append("--width \(Int(width))") }
    if theme != .light { words.append("--theme \(theme.rawValue)") }
    return words.joined(separator: " ")
  }
}

/// A folder that is gone when nobody needs it any more. Its own name is always the same, as pictures name it as their run.
private final class TemporaryFolder {
  let path: String
  private let unique: String

  init() throws {
    unique = NSTemporaryDirectory() + "bench-gallery-\(UUID().uuidString)"
    path = "\(unique)/gallery"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: unique) }
}
