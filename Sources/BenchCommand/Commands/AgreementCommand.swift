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
        let manifests = [datasets.0.manifest, datasets.1.manifest]
        let caveats = GeneratedData.caveats(manifests.filter { $0.origin == .synthetic }.map(\.name))
        Terminal.out(
          table.format.map { agreement.table.written(as: $0, below: caveats) }
            ?? Terminal.layout.text(agreement.screen(of: other, beside: reference, caveats: caveats)))
      }
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
          table.format.map(grades.written(as:))
            ?? Terminal.layout.text([
              .columns(TextTable(grades.text, right: Set([2] + (4..<grades.columns.count))))
            ]))
        return
      }
      let report = try RaterReport(clips, criterion: criterion)
      if json {
        Terminal.out(String(decoding: try stableJSON(report), as: UTF8.self))
      } else {
        let caveats = GeneratedData.caveats(clips.isSynthetic ? [dataset] : [])
        Terminal.out(
          table.format.map { report.table.written(as: $0, below: caveats) }
            ?? Terminal.layout.text(report.screen(of: dataset, caveats: caveats)))
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
        Terminal.wrote([.line("drew \(path): \(chart.title)")], beside: json || table.format != nil)
      }
    }
  }
}
