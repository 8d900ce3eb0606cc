import ArgumentParser
import Evaluation
import Files
import Foundation
import Reports
import Statistics

struct HistoryBlameCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "blame", abstract: "Find the run where a metric changed, and the clips that changed it.",
    discussion: """
      Compares each run with the previous one on the same data, person by person. A step counts as more than noise \
      if the t test and the sign-flip test of the people's gains are both significant at 5 %, after Holm's correction \
      over all steps with a change.

      Examples:
        bench history blame count.mae --suite squat
        bench history blame count.mae --suite squat --detector squat-states --since 2026-03-01 --json
      """)

  @Argument(help: "The metric.") var metric: String

  @OptionGroup var options: HistoryOptions

  @Flag(help: "Print the steps as JSON.")
  var json = false

  func run() throws {
    let store = try options.storage.open()
    let blame = try MetricBlame(options.trend(of: metric, in: store))
    guard !json else {
      let records = try (blame.shown + blame.unshown).map { try BlameRecord($0, clips: $0.clips(in: store)) }
      return Terminal.out(String(decoding: try stableJSON(records), as: UTF8.self))
    }
    let screen = BlameScreen(blame)
    Terminal.out(screen.blocks(clips: try screen.told.map { try $0.clips(in: store) }))
  }
}

/// A step at which a metric changed, for machines.
struct BlameRecord: Encodable {
  var before: String
  var after: String
  var revisionBefore: String?
  var revisionAfter: String?
  var isShown: Bool
  var change: MetricChange
  var changedParameters: [String]
  var clips: [ClipChange]

  init(_ step: MetricBlame.Step, clips: [ClipChange]) {
    before = step.before.run.id
    after = step.after.run.id
    revisionBefore = step.before.run.origin?.revision
    revisionAfter = step.after.run.origin?.revision
    isShown = step.isShown
    change = step.change
    changedParameters = step.changedParameters
    self.clips = clips
  }
}
