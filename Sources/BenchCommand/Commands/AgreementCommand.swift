import ArgumentParser
import Charts
import Datasets
import Evaluation
import Files
import Foundation
import Reports
import Statistics

struct AgreementCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "agreement",
    abstract: "Measure the agreement of two pose estimators, or of a dataset's raters.",
    discussion: "Example: bench agreement raters squat-sample --criterion form",
    subcommands: [Estimators.self, Raters.self])

  struct Estimators: AsyncParsableCommand, ReplayingCommand {
    static let configuration = CommandConfiguration(
      abstract: "Compare one estimator's keypoints, angles and counts with another's on the same clips.",
      discussion: """
        Each estimator is a dataset; clips are matched by name. The first is the reference: a joint agrees if it is \
        within a fifth of the reference's torso. Only joints that both estimators report count. If one is in space, \
        in metres say, only angles and counts are compared. Every counter of the clips' exercises is replayed on both.

        Example: bench agreement estimators squats-vision squats-movenet
        """)

    @Argument(help: "The dataset of the reference estimator.") var reference: String
    @Argument(help: "The dataset of the other estimator.") var other: String
    @OptionGroup var table: TableOptions
    @Flag(help: "Print the agreement as JSON.") var json = false
    @OptionGroup var work: JobOptions
    @OptionGroup var consent: ConsentOptions
    @OptionGroup var storage: StoreOptions

    func validate() throws { try table.validate(beside: json, "--json") }

    func run() async throws {
      Interruption.watch()
      defer { Interruption.unwatch() }
      let (project, store) = (storage.project, try storage.open())
      let catalogue = DatasetCatalogue(project: project, store: store)
      let datasets = (try catalogue.dataset(named: reference), try catalogue.dataset(named: other))
      var agreement = try EstimatorAgreement(reference: datasets.0, other: datasets.1, in: store)
      let bar = ProgressBar("replaying", total: datasets.0.clipCount + datasets.1.clipCount)
      do {
        defer { bar.finish() }
        agreement.detectors = try await EstimatorEffect.all(
          reference: datasets.0, other: datasets.1, in: project, store: store, registry: Bench.registry,
          version: Bench.version, threads: work.threads
        ) { try bar.update($0) }
      }
      if json {
        Terminal.out(String(decoding: try stableJSON(agreement), as: UTF8.self))
      } else {
        Terminal.out(table.format.map(agreement.table.written) ?? text(agreement))
      }
    }

    private func text(_ agreement: EstimatorAgreement) -> String {
      var lines =
        Terminal.opening(agreement.conclusion(of: other, beside: reference)) + [
          "",
          "\(other) against \(reference): \(Terminal.count(agreement.clips.count, "clip")) of "
            + NumberText.count(agreement.subjects, "person"), "",
        ]
      lines += AgreementCommand.table(agreement.results, undefined: "clip")
      if !agreement.angles.isEmpty {
        let rows = agreement.angles.map { angle in
          [
            angle.angle, AgreementCommand.text(angle.limits.bias, decimals: 1),
            AgreementCommand.range(angle.limits, decimals: 1), AgreementCommand.text(angle.correlation),
            "\(angle.frames)",
          ]
        }
        let header = ["angle (degrees)", "\(other) − \(reference)", "limits of agreement", "ICC(2,1)", "frames"]
        lines += [""] + Terminal.table([header] + rows, right: [1, 2, 3, 4], indent: 0)
      }
      if !agreement.detectors.isEmpty {
        let rows = agreement.detectors.map { effect in
          [
            effect.detector, effect.exercise, AgreementCommand.text(effect.same),
            AgreementCommand.text(effect.difference), AgreementCommand.text(effect.reps), "\(effect.clips)",
          ]
        }
        let header = ["detector", "exercise", "same count", "\(other) − \(reference), reps", "same reps (F1)", "clips"]
        lines += [""] + Terminal.table([header] + rows, right: [2, 3, 4, 5], indent: 0)
      }
      if !agreement.notes.isEmpty { lines += [""] + agreement.notes.map { Terminal.wrap($0, indent: 0) } }
      if !agreement.leftOut.isEmpty {
        lines += ["", "left out, in one dataset only: \(agreement.leftOut.joined(separator: ", "))"]
      }
      return lines.joined(separator: "\n")
    }
  }

  struct Raters: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Measure the agreement of raters with each other, or of one rater with an earlier time.",
      discussion: """
        Compares the grades by a criterion and the faults in the dataset. With --raters it compares files of bench view \
        --label instead, and the reps that they mark; two files of one rater are that rater's labels at two times.

        Examples:
          bench agreement raters squat-sample --criterion form
          bench agreement raters squat-sample --criterion form --latex --charts charts
          bench agreement raters squat-sample --grades --csv > grades.csv
          bench agreement raters my-squats --raters labels/my-squats-anna.json labels/my-squats-ben.json
        """)

    @Argument(help: "The dataset.") var dataset: String
    @Option(help: "The graded criterion. (default: faults and reps only)") var criterion: String?
    @Option(
      parsing: .upToNextOption, help: ArgumentHelp("Compare the labels in these files of raters.", valueName: "json"))
    var raters: [String] = []
    @Flag(help: "Print the grades and faults themselves: one row per rep and criterion, one column per rater.")
    var grades = false
    @Option(
      help: ArgumentHelp(
        "Also draw all pairs of raters, and a Bland-Altman plot of each, to this folder; needs --criterion.",
        valueName: "folder"))
    var charts: String?
    @OptionGroup var table: TableOptions
    @Flag(help: "Print the agreement as JSON.") var json = false
    @OptionGroup var picture: PictureOptions
    @OptionGroup var storage: StoreOptions

    func validate() throws {
      try table.validate(beside: json, "--json")
      if grades, json { throw ValidationError("give one of --grades and --json") }
      if raters.count == 1 { throw ValidationError("--raters needs at least two files") }
      if charts != nil, criterion == nil || grades {
        throw ValidationError("--charts needs --criterion, without --grades")
      }
    }

    func run() throws {
      let store = try storage.open()
      let stored = try DatasetCatalogue(project: storage.project, store: store).dataset(named: dataset)
      let clips =
        try raters.isEmpty
        ? RatedClips(stored, in: store)
        : RatedClips(raters.map { try RaterLabels.content(of: InputFile($0)) }, of: stored, in: store)
      if grades {
        let grades = try clips.grades(criterion: criterion)
        Terminal.out(
          table.format.map(grades.written)
            ?? Terminal.table(grades.text, right: Set([2] + (4..<grades.columns.count)), indent: 0)
            .joined(separator: "\n"))
        return
      }
      let report = try RaterReport(clips, criterion: criterion)
      if json {
        Terminal.out(String(decoding: try stableJSON(report), as: UTF8.self))
      } else {
        Terminal.out(table.format.map(report.table.written) ?? text(report))
      }
      if let charts, let agreement = report.grades { try draw(agreement, of: clips, to: charts) }
    }

    private func draw(_ agreement: RaterAgreement, of clips: RatedClips, to folder: String) throws {
      let source = (clips.isSynthetic ? "SYNTHETIC " : "") + "\(clips.dataset), \(agreement.criterion.name)"
      var pictures: [(file: String, chart: any Chart)] = [("raters", RaterCorrelations(agreement, source: source))]
      for (index, pair) in agreement.pairs.enumerated() {
        // Names of raters may hold what a file's name must not.
        let plot = BlandAltmanPlot(pair, criterion: agreement.criterion.name, source: source)
        pictures.append(("limits-\(index + 1)", plot))
      }
      let format = try picture.format(named: nil)
      guard makeFolder(folder) else { throw DataError.cannotWrite(folder) }
      for (file, chart) in pictures {
        let path = PathParts.join(folder, format.named("\(file).png"))
        try writeWhole(
          Data(try picture.bytes(chart, format, metadata: [("Software", "bench \(Bench.version)")])), to: path)
        Terminal.wrote("drew \(path): \(chart.title)", beside: json || table.format != nil)
      }
    }

    private func text(_ report: RaterReport) -> String {
      var lines = Terminal.opening(report.conclusion)
      if let agreement = report.grades { lines += [""] + text(agreement) }
      if !report.reps.isEmpty {
        let shares = report.reps.map { pair in
          [
            pair.raters.joined(separator: ", "), "\(pair.matched) of \(pair.marked)",
            AgreementCommand.text(pair.share), "\(pair.clips)",
          ]
        }
        let instants = report.reps.flatMap { pair in
          pair.differences.map { difference in
            [
              pair.raters.joined(separator: ", "), "\(difference.instant.rawValue)s", "\(difference.count)",
              NumberText.fixed(difference.median, decimals: 2),
              AgreementCommand.text(difference.limits.bias, decimals: 2),
              AgreementCommand.range(difference.limits, decimals: 2),
            ]
          }
        }
        let header = ["raters", "seconds between", "reps", "median apart", "second − first", "limits of agreement"]
        lines +=
          [""] + Terminal.table([["raters", "same reps", "share", "clips"]] + shares, right: [1, 2, 3], indent: 0)
        if !instants.isEmpty {
          lines += [""] + Terminal.table([header] + instants, right: [2, 3, 4, 5], indent: 0)
        }
      }
      if !report.faults.isEmpty {
        let rows = report.faults.map { fault in
          [
            fault.fault, fault.present.map { NumberText.fixed($0, decimals: 3) } ?? NumberText.missing,
            AgreementCommand.text(fault.same), AgreementCommand.text(fault.ac1), AgreementCommand.text(fault.kappa),
            "\(fault.items)",
          ]
        }
        let header = ["fault", "present", "same judgement", "AC1", "κ", "items"]
        lines += [""] + Terminal.table([header] + rows, right: [1, 2, 3, 4, 5], indent: 0)
      }
      return lines.joined(separator: "\n")
    }

    private func text(_ agreement: RaterAgreement) -> [String] {
      let rows = agreement.pairs.map { pair in
        [
          pair.raters.joined(separator: ", "), AgreementCommand.text(pair.spearman), AgreementCommand.text(pair.kappa),
          pair.limits.map { NumberText.fixed($0.bias.value, decimals: 1) } ?? NumberText.missing,
          pair.limits.map { AgreementCommand.range($0, decimals: 1) } ?? NumberText.missing,
        ]
      }
      let header = ["raters", "rank correlation", "κ, quadratic", "second − first", "limits of agreement"]
      return [
        "\(dataset), \(agreement.criterion.name): \(agreement.raters.count) raters, \(agreement.rated) graded, "
          + "\(agreement.ratedByAll) by all of them", "",
      ] + AgreementCommand.table(agreement.results, undefined: "rater")
        + [""] + Terminal.table([header] + rows, right: [1, 2, 3, 4], indent: 0)
    }
  }

  /// The results as lines.
  private static func table(_ results: [AgreementResult], undefined: String) -> [String] {
    let rows = results.map { result in
      [
        result.metric.name, NumberText.value(result.value, unit: result.metric.unit),
        NumberText.interval(result.interval, unit: result.metric.unit) ?? "",
        [
          result.metric.plainName, result.metric.unit, result.method ?? "",
          result.undefined == 0 ? "" : "\(Terminal.count(result.undefined, undefined)) n/a",
        ].filter { !$0.isEmpty }.joined(separator: ", "),
      ]
    }
    return Terminal.table([["metric", "value", "95 % interval", ""]] + rows, right: [1, 2], indent: 0)
  }

  /// `0.749 (0.688 to 0.805)`
  private static func text(_ result: AgreementResult) -> String { text(result.value, result.interval, decimals: 3) }

  private static func text(_ level: AgreementLimits.Level, decimals: Int) -> String {
    text(level.value, level.interval, decimals: decimals)
  }

  private static func text(_ value: Double?, _ interval: Interval?, decimals: Int) -> String {
    guard let value else { return NumberText.missing }
    let number = { NumberText.fixed($0, decimals: decimals) }
    return number(value) + (interval.map { " (\(number($0.low)) to \(number($0.high)))" } ?? "")
  }

  /// `−10.4 to 23.3`
  private static func range(_ limits: AgreementLimits, decimals: Int) -> String {
    [limits.lower, limits.upper].map { level in
      level.map { NumberText.fixed($0.value, decimals: decimals) } ?? NumberText.missing
    }.joined(separator: " to ")
  }
}
