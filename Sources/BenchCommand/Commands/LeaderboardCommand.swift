import ArgumentParser
import Datasets
import Evaluation
import Files
import Foundation
import Pipeline
import Reports
import Scoring
import Statistics

struct LeaderboardCommand: AsyncParsableCommand, ReplayingCommand {
  static let configuration = CommandConfiguration(
    commandName: "leaderboard",
    abstract: "Rank detectors on the clips of their own exercise, dataset by dataset.",
    discussion: """
      For reference it also lists a trivial predictor, a peak counter that sees the whole recording at once, and human \
      raters where several graded. Detectors share a place if their differences from the first of them, person by \
      person, may be chance. Nothing is stored.

      Examples:
        bench leaderboard --datasets repcount-pose
        bench leaderboard --datasets squat-sample --metrics reps.f1 --markdown > board.md
        bench leaderboard --suites squat push-up --csv
        bench leaderboard --datasets squat-sample push-up-sample --json > board.json
        bench draw leaderboard --from board.json
      """)

  @Option(
    parsing: .upToNextOption, help: ArgumentHelp("Datasets; with --suites, instead of the suites'.", valueName: "name"))
  var datasets: [String] = []

  @Option(
    parsing: .upToNextOption,
    help: ArgumentHelp(
      "Take detectors, parameters, matching and smoothing from these suites. (default: every detector at its defaults)",
      valueName: "name"))
  var suites: [String] = []

  @Option(
    parsing: .upToNextOption, help: ArgumentHelp("Compare only these detectors. (default: all)", valueName: "name"))
  var detectors: [String] = []

  @Option(
    parsing: .upToNextOption, help: ArgumentHelp("Metrics to show; the first decides the places.", valueName: "metric"))
  var metrics = ["count.exact", "count.off-by-one", "count.mae", "count.phantoms"]

  @OptionGroup var table: TableOptions

  @Flag(help: "Print JSON.")
  var json = false

  @OptionGroup var work: JobOptions
  @OptionGroup var consent: ConsentOptions
  @OptionGroup var storage: StoreOptions

  func validate() throws {
    guard !datasets.isEmpty || !suites.isEmpty else { throw ValidationError("give --datasets or --suites") }
    try table.validate(beside: json, "--json")
  }

  func run() async throws {
    Interruption.watch()
    defer { Interruption.unwatch() }
    let (project, registry) = (storage.project, try Bench.registry)
    let store = try storage.open()
    let plan = try LeaderboardPlan(
      datasets: datasets, suites: suites.map { try project.suite(named: $0, registry: registry) },
      detectors: detectors, metrics: metrics, in: project, store: store, registry: registry)
    let board = try await board(plan)
    guard !json else {
      Terminal.out(String(decoding: try stableJSON(board), as: UTF8.self))
      return
    }
    let text = LeaderboardText(board)
    Terminal.out(table.format.map(text.written) ?? Terminal.layout.text(text.screen))
  }

  private func board(_ plan: LeaderboardPlan) async throws -> Leaderboard {
    let bar = ProgressBar("replaying", total: plan.clipCount)
    defer { bar.finish() }
    return try await plan.leaderboard(version: Bench.version, threads: work.threads) { try bar.update($0) }
  }
}
