import ArgumentParser
import Evaluation
import Foundation
import Reports

struct HistoryBlameCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "blame", abstract: "Names the run at which a metric changed, and the clips that changed it.",
    discussion: """
      Holds each run against the one before it on the same data, subject by subject. A step is more than noise where \
      the t test and the sign-flip test of the subjects' gains both say so, at 5 % after Holm's correction over the steps \
      at which anything changed.

      Examples:
        bench history blame count.mae --suite squat
        bench history blame count.mae --suite squat --detector squat-states --since 2026-03-01 --json
      """)

  @Argument(help: "The metric.") var metric: String

  @OptionGroup var options: HistoryOptions

  @Flag(help: "Prints the steps as JSON.")
  var json = false

  func run() throws {
    let store = try options.storage.open()
    let blame = try MetricBlame(options.trend(of: metric, in: store))
    guard !json else {
      let records = try (blame.shown + blame.unshown).map { try BlameRecord($0, clips: $0.clips(in: store)) }
      return Terminal.out(String(decoding: try stableJSON(records), as: UTF8.self))
    }
    let text = BlameText(blame)
    let clips = try text.told.map { try $0.clips(in: store) }
    Terminal.out(text.lines(clips: clips).joined(separator: "\n"))
  }
}

/// A step at which a metric changed, for machines.
struct BlameRecord: Encodable {
  var before: String
  var after: String
  var revisionBefore: String?
  var revisionAfter: String?
  var isShown: Bool
  var valueBefore: Double?
  var valueAfter: Double?
  /// Above 0 is better.
  var gain: Double?
  var low: Double?
  var high: Double?
  var adjustedP: Double?
  var changedParameters: [String]
  var clips: [ClipChange]

  init(_ step: MetricBlame.Step, clips: [ClipChange]) {
    before = step.before.run.id
    after = step.after.run.id
    revisionBefore = step.before.run.origin?.revision
    revisionAfter = step.after.run.origin?.revision
    isShown = step.isShown
    valueBefore = step.change.before
    valueAfter = step.change.after
    gain = step.change.gain
    low = step.interval?.low
    high = step.interval?.high
    adjustedP = step.adjustedP
    changedParameters = step.changedParameters
    self.clips = clips
  }
}
