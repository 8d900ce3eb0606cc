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

/// The run where a metric changed, on one screen.
struct BlameText {
  private let blame: MetricBlame

  init(_ blame: MetricBlame) { self.blame = blame }

  /// The maximum number of clips per step, and the most steps within noise, that are shown.
  private static let limit = 8

  private var unit: String { blame.points.last?.result.unit ?? "" }

  /// The steps shown in full: those that are more than noise, or else the greatest, as every difference between two
  /// replays has a cause.
  var told: [MetricBlame.Step] { blame.shown.isEmpty ? Array(blame.unshown.prefix(1)) : blame.shown }

  /// - Parameter clips: The changes of each step shown in full.
  func lines(clips: [[ClipChange]]) -> [String] {
    let steps = zip(told, clips).flatMap { [""] + lines($0, clips: $1) }
    let about = [header, others.map { Terminal.wrap($0, indent: 0) }].compactMap(\.self)
    return wrapped("result   ", answer) + [""] + about + steps + within
  }

  private var header: String {
    let run = blame.points.last?.run
    return Terminal.bold("\(blame.trend.metric) of \(blame.trend.detector)") + ", suite \(run?.suite ?? ""), "
      + "\(Terminal.count(blame.points.count, "run")) on \(run?.shortData ?? "")"
  }

  /// Runs that cannot be compared with the newest.
  private var others: String? {
    let count = blame.trend.points.count - blame.points.count
    guard count > 0 else { return nil }
    let last = blame.trend.groups.dropFirst().first?.last?.run
    return Terminal.dim(
      "Left out: \(Terminal.count(count, "run")) on other data, matching or camera"
        + (last.map { ", the last of them \($0.id) on \($0.shortData)" } ?? ""))
  }

  private var answer: String {
    guard let overall = blame.overall else { return "only one run on this data: nothing to compare" }
    if let first = blame.shown.first {
      let more = blame.shown.count - 1
      return "changed at \(place(first.after))" + (more > 0 ? ", and at \(Terminal.count(more, "other run"))" : "")
    }
    guard !blame.unshown.isEmpty else {
      return blame.points.contains { $0.result.value != nil }
        ? "nothing changed: everybody's value is the same in all runs" : "nothing to compare: no run has a value"
    }
    let drift =
      overall.isShown
      ? "no single step is more than noise, but from the first run to the last it changed by \(amount(overall))"
      : "nothing changed beyond noise"
    let reasons = Set(blame.unshown.compactMap(\.reasonWithoutTest)).sorted()
    let greatest = told.first.map { "the greatest difference is at \(place($0.after))" }
    return ([drift, greatest].compactMap(\.self) + reasons).joined(separator: "; ")
  }

  private func lines(_ step: MetricBlame.Step, clips: [ClipChange]) -> [String] {
    let shown = clips.prefix(Self.limit)
    let facts =
      clips.isEmpty
      ? "no prediction of this detector changed"
      : "\(Set(clips.map(\.clip)).count) of \(step.after.result.clips): \(clips.nearness)"
    let name =
      !step.isShown
      ? Terminal.unsure("chance?  ")
      : (step.change.gain ?? 0) < 0 ? Terminal.bad("worse    ") : Terminal.good("better   ")
    return [name + place(step.after), "         after \(place(step.before))"]
      + wrapped(
        "value    ", "\(value(step.change.before)) → \(value(step.change.after)) \(unit)".trimmed + ", \(amount(step))")
      + why(step)
      + ["clips    " + facts]
      + shown.map { "         \($0.clip): \($0.words)" }
      + (clips.count > shown.count ? ["         and \(clips.count - shown.count) more"] : [])
  }

  private func why(_ step: MetricBlame.Step) -> [String] {
    var causes = step.changedParameters
    if let old = step.before.run.origin?.revision, let new = step.after.run.origin?.revision, old != new {
      causes.append("git log --oneline \(old.prefix(7))..\(new.prefix(7))")
    }
    if step.after.run.origin?.hasChanges == true { causes.append("files differed from the commit") }
    if step.before.run.head.bench != step.after.run.head.bench {
      causes.append("bench \(step.before.run.head.bench) → \(step.after.run.head.bench)")
    }
    if causes.isEmpty { causes = ["no known difference in parameters or commit: the detector's code must differ"] }
    return causes.enumerated().flatMap { wrapped($0.offset == 0 ? "why      " : "         ", $0.element) }
  }

  private var within: [String] {
    let steps = blame.unshown
    guard !steps.isEmpty else { return [] }
    let shown = steps.prefix(Self.limit).map { "         \(place($0.after)): \(amount($0))" }
    return ["", "noise    \(Terminal.count(steps.count, "step")) that may be noise"] + shown
      + (steps.count > shown.count ? ["         and \(steps.count - shown.count) more"] : [])
  }

  /// The run, its commit and its release.
  private func place(_ point: MetricTrend.Point) -> String {
    let marks = [
      point.run.origin?.shortRevision.map { "commit \($0)" }, point.run.releases.first.map { "release \($0)" },
    ]
    .compactMap(\.self)
    return point.run.id + (marks.isEmpty ? "" : " (\(marks.joined(separator: ", ")))")
  }

  private func value(_ value: Double?) -> String { NumberText.value(value, unit: unit) }

  /// `gain +1.300 reps (95 % 0.6 to 2.0), p 0.004`
  private func amount(_ step: MetricBlame.Step) -> String {
    let bounds = step.change.interval.map { " (95 % \(value($0.low)) to \(value($0.high)))" } ?? ""
    let p = step.change.adjustedP.map { ", p \(NumberText.probability($0))" } ?? ""
    let missing =
      step.change.oneSidedSubjects.isEmpty
      ? "" : ", \(NumberText.count(step.change.oneSidedSubjects.count, "person")) with a value on one side only"
    return "gain \(NumberText.signed(step.change.gain, unit: unit)) \(unit)".trimmed + bounds + p + missing
  }

  private func wrapped(_ label: String, _ text: String) -> [String] {
    [label + Terminal.wrap(text, indent: 9)]
  }
}

extension String {
  fileprivate var trimmed: String { hasSuffix(" ") ? String(dropLast()) : self }
}
