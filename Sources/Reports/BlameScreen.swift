import Evaluation
import Statistics

/// The run where a metric changed, on one screen.
public struct BlameScreen {
  private let blame: MetricBlame

  public init(_ blame: MetricBlame) { self.blame = blame }

  /// The maximum number of clips per step, and the most steps within noise, that are shown.
  private static let limit = 8

  private var unit: String { blame.points.last?.result.unit ?? "" }

  /// The steps shown in full: those that are more than noise, or else the greatest, as every difference between two
  /// replays has a cause.
  public var told: [MetricBlame.Step] { blame.shown.isEmpty ? Array(blame.unshown.prefix(1)) : blame.shown }

  /// - Parameter clips: The changes of each step shown in full.
  public func blocks(clips: [[ClipChange]]) -> [TextBlock] {
    let steps = zip(told, clips).flatMap { [TextBlock.gap] + blocks($0, clips: $1) }
    return [TextBlock.fact("result", answer), .gap, header] + others + steps + within
  }

  private var header: TextBlock {
    let run = blame.points.last?.run
    let runs = "\(NumberText.count(blame.points.count, "run")) on \(run?.shortData ?? "")"
    return .line("\("\(blame.trend.metric) of \(blame.trend.detector)", .bold), suite \(run?.suite ?? ""), \(runs)")
  }

  /// Runs that cannot be compared with the newest.
  private var others: [TextBlock] {
    let count = blame.trend.points.count - blame.points.count
    guard count > 0 else { return [] }
    let last = blame.trend.groups.dropFirst().first?.last?.run
    let words =
      "Left out: \(NumberText.count(count, "run")) on other data, matching or camera"
      + (last.map { ", the last of them \($0.id) on \($0.shortData)" } ?? "")
    return [.words(words, .dim)]
  }

  private var answer: String {
    guard let overall = blame.overall else { return "only one run on this data: nothing to compare" }
    if let first = blame.shown.first {
      let more = blame.shown.count - 1
      return "changed at \(place(first.after)): \(values(first))"
        + (more > 0 ? ", and at \(NumberText.count(more, "other run"))" : "")
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
    let greatest = told.first.map { "the greatest difference, \(values($0)), is at \(place($0.after))" }
    return ([drift, greatest].compactMap(\.self) + reasons).joined(separator: "; ")
  }

  private func blocks(_ step: MetricBlame.Step, clips: [ClipChange]) -> [TextBlock] {
    let shown = clips.prefix(Self.limit)
    let facts =
      clips.isEmpty
      ? "no prediction of this detector changed"
      : "\(Set(clips.map(\.clip)).count) of \(step.after.result.clips): \(clips.nearness)"
    let isWorse = (step.change.gain ?? 0) < 0
    let name =
      !step.isShown ? TonedText("chance?", .unsure) : isWorse ? TonedText("worse", .bad) : TonedText("better", .good)
    let parts: [[TextBlock]] = [
      [.labelled(name, TonedText(place(step.after)), isBroken: false), .unbroken("", "after \(place(step.before))")],
      [.fact("value", "\(values(step)), \(amount(step))")], why(step), [.unbroken("clips", facts)],
      shown.map { TextBlock.unbroken("", "\($0.clip): \($0.words)") }, Self.more(clips.count - shown.count),
    ]
    return parts.flatMap(\.self)
  }

  private func why(_ step: MetricBlame.Step) -> [TextBlock] {
    var causes = step.changedParameters
    if let old = step.before.run.origin?.revision, let new = step.after.run.origin?.revision, old != new {
      causes.append("git log --oneline \(old.prefix(7))..\(new.prefix(7))")
    }
    if step.after.run.origin?.hasChanges == true { causes.append("files differed from the commit") }
    if step.before.run.head.bench != step.after.run.head.bench {
      causes.append("bench \(step.before.run.head.bench) → \(step.after.run.head.bench)")
    }
    if causes.isEmpty { causes = ["no known difference in parameters or commit: the detector's code must differ"] }
    return causes.enumerated().map { TextBlock.fact($0.offset == 0 ? "why" : "", $0.element) }
  }

  private var within: [TextBlock] {
    let steps = blame.unshown
    guard !steps.isEmpty else { return [] }
    let shown = steps.prefix(Self.limit).map { TextBlock.unbroken("", "\(place($0.after)): \(amount($0))") }
    return [TextBlock.gap, .unbroken("noise", "\(NumberText.count(steps.count, "step")) that may be noise")] + shown
      + Self.more(steps.count - shown.count)
  }

  private static func more(_ count: Int) -> [TextBlock] {
    count > 0 ? [TextBlock.unbroken("", "and \(count) more")] : []
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

  /// `1.000 → 0.667 reps`
  private func values(_ step: MetricBlame.Step) -> String {
    "\(value(step.change.before)) → \(value(step.change.after)) \(unit)".trimmed
  }

  /// `gain +1.300 reps (95 % 0.6 to 2.0), p 0.004`
  private func amount(_ step: MetricBlame.Step) -> String {
    let bounds = step.change.interval.map { " (95 % \(value($0.low)) to \(value($0.high)))" } ?? ""
    let p = step.change.adjustedP.map { ", p \(NumberText.probability($0))" } ?? ""
    let missing =
      step.change.oneSidedSubjects.isEmpty
      ? "" : ", \(NumberText.count(step.change.oneSidedSubjects.count, "person")) with a value on one side only"
    return "gain \(NumberText.signed(step.change.gain, unit: unit)) \(unit)".trimmed + bounds + p + missing
  }
}

extension String {
  fileprivate var trimmed: String { hasSuffix(" ") ? String(dropLast()) : self }
}
