import ArgumentParser
import Datasets
import Evaluation
import Foundation
import Pipeline
import Reports
import Statistics

struct SweepCommand: AsyncParsableCommand, SuiteCommand {
  static let configuration = CommandConfiguration(
    commandName: "sweep",
    abstract: "Score one metric at many settings of a detector's parameters.",
    discussion: """
      Values are a list (80,90,100), a range with a step (70...110:2), or with --sample a range without one (70...110). \
      Several --sweep make a grid. Settings whose values contradict each other are skipped and counted. The optimum is \
      chosen on the suite's own people, so its score is optimistic.

      Examples:
        bench sweep --suite squat --sweep reps.squat-states.bottomAngle=70...110:2
        bench sweep --suite squat --sweep reps.squat-states.bottomAngle=70...130:5 \\
          --sweep reps.squat-states.standingAngle=145,150,155,160 --metric count.mae
        bench sweep --suite squat --sweep reps.squat-states.bottomAngle=70...130 \\
          --sweep reps.squat-states.hysteresis=0...10 --sample 200 --seed 1
      """)

  @OptionGroup var suite: SuiteOptions

  @OptionGroup var sweep: SweepOptions

  @OptionGroup var study: StudyOptions

  func validate() throws {
    if sweep.sweeps.isEmpty {
      throw ValidationError("Missing expected argument '--sweep <kind.detector.parameter=values>'")
    }
  }

  func run() async throws {
    let project = suite.storage.project
    let chosen = try project.suite(named: suite.suite, registry: Bench.registry)
    let store = try suite.storage.open()
    let run = try sweep.run(
      on: suite.suiteRun(chosen, perturbations: sweep.perturbations, store: store), setting: suite.assignments)
    let bar = ProgressBar("sweeping \(run.settingCount) settings", total: run.clipCount)
    defer { bar.finish() }
    let results = try await run.results(
      version: Bench.version, threads: suite.threads
    ) { try bar.update($0) }
    bar.finish()
    try study.finish(results, on: suite.datasets, in: project, store: store)
  }
}

extension StudyOptions {
  /// Writes the report of a sweep and prints its summary.
  ///
  /// - Parameter datasets: Those that replaced the suite's.
  func finish(_ results: SweepResults, on datasets: [String] = [], in project: Project, store: Store) throws {
    let report = SweepReport(results)
    let path = try Bench.registry.detector(named: results.detector).profile.path
    try finish(report.study, in: project, of: results.suite, store: store) {
      SweepSummary(report: report, path: path, datasets: datasets, folder: $0).text
    }
  }
}

/// A sweep on one screen.
struct SweepSummary {
  var report: SweepReport
  /// The detector's path, as `--set` takes it.
  var path: String
  /// Those that replaced the suite's.
  var datasets: [String]
  /// The folder of the report.
  var folder: String

  /// Rows of the table, without the suite's own setting.
  static let shownSettings = 8

  private var results: SweepResults { report.results }

  var text: String {
    let head = ["\(Terminal.bold("suite \(results.suite)")) version \(results.suiteVersion)"]
    return
      (Terminal.opening(report.conclusion(path: path, datasets: datasets)) + [""] + head + results.datasets.lines
      + (results.perturbation?.lines ?? []) + plan + [""] + table + [""] + findings + ["", end])
      .joined(separator: "\n")
  }

  private var plan: [String] {
    var lines = [
      entry(
        "sweep",
        "\(results.detector) \(results.axes.map(\.parameter).joined(separator: ", ")): \(results.settings.count) settings, "
          + report.metricWords)
    ]
    if let sampling = results.sampling {
      lines.append(entry("sample", "Halton sequence with permuted digits, seed \(sampling.seed)"))
    }
    if let first = results.contradictions.first {
      lines.append(
        entry(
          "skipped",
          "\(results.contradictions.count) settings whose values contradict each other, such as "
            + "\(report.words(first.values)): \(first.reason)"))
    }
    return lines
  }

  private var table: [String] {
    let unit = results.metric.unit
    var best = report.ranking.prefix(Self.shownSettings).map { (report.mark($0), results.settings[$0]) }
    if !best.contains(where: { $0.1.values == results.base.values }) {
      best.append((results.base.isOnPlateau ? "plateau, default" : "default", results.base))
    }
    let phantoms = results.base.phantoms == nil ? [] : ["phantoms/min"]
    let header =
      [""] + results.axes.map(\.parameter) + ["value", "loss", "95 % interval"] + phantoms + ["best for people", ""]
    let rows = best.map { mark, setting -> [String] in
      var notes: [String] = []
      let undefined = setting.bySubject.count - setting.definedSubjects
      if undefined > 0 {
        notes.append("\(NumberText.count(undefined, "person")) n/a")
      } else if setting.undefinedClips > 0, setting.isPooled != true {
        notes.append("\(setting.undefinedClips) clip\(setting.undefinedClips == 1 ? "" : "s") n/a")
      }
      return [mark] + setting.values.map(NumberText.plain) + [
        NumberText.value(setting.value, unit: unit), NumberText.value(setting.loss, unit: unit),
        NumberText.bounds(setting.lossInterval, unit: unit),
      ] + phantoms.map { _ in NumberText.value(setting.phantoms, unit: "reps/min") } + [
        "\(setting.bestFor.count) of \(setting.bySubject.count)", notes.joined(separator: ", "),
      ]
    }
    let lines = Terminal.table([header] + rows, right: Set(1...results.axes.count + 4 + phantoms.count), indent: 0)
    return zip(lines, [nil] + best.map(\.0)).map { line, mark in
      guard let mark else { return Terminal.dim(line) }
      return mark.hasPrefix("optimum") ? Terminal.good(line) : mark.hasSuffix("default") ? Terminal.bold(line) : line
    }
  }

  private var findings: [String] {
    var lines = [entry("plateau", report.plateauWords)]
    if let expected = report.expectationWords { lines.append(entry("expected", "on new people \(expected)")) }
    if let edge = report.edgeWords { lines.append(entry("edge", edge)) }
    let outliers = report.outlierWords
    if !outliers.isEmpty {
      lines.append(
        entry(
          "people",
          "best setting outside the plateau: \(outliers.prefix(3).joined(separator: ", "))"
            + (outliers.count > 3 ? " and \(outliers.count - 3) others" : "")))
    }
    return lines
  }

  private var end: String {
    "report   \(folder)/sweep.md\n"
      + "warning  \(Terminal.unsure("optimistic")): " + Terminal.wrap(SweepResults.optimism, indent: 9, from: 21)
  }

  private func entry(_ name: String, _ words: String) -> String {
    name + String(repeating: " ", count: 9 - name.count) + Terminal.wrap(words, indent: 9)
  }
}
