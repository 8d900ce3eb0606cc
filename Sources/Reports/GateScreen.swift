import Evaluation
import Pipeline
import Scoring
import Statistics

/// A gate's verdict on one screen.
public struct GateScreen {
  private let comparison: Comparison
  private let verdict: Verdict
  private let results: RunResults
  /// The commit that the run is compared with; `nil` for the baseline in the work tree.
  private let base: BaseSuite?
  private let baseline: Baseline?
  private let stopAt: Double
  private let why: String?
  private let showsAll: Bool

  /// - Parameters:
  ///   - results: The run.
  ///   - baseline: The baseline in the work tree.
  ///   - stopAt: The suite's limit.
  ///   - why: What `Comparison.why` says.
  ///   - showsAll: Whether to show each metric that did not change, and all clips.
  public init(
    _ verdict: Verdict, _ comparison: Comparison, of results: RunResults, against base: BaseSuite?,
    own baseline: Baseline?, stopAt: Double, why: String?, showsAll: Bool
  ) {
    (self.verdict, self.comparison, self.results) = (verdict, comparison, results)
    (self.base, self.baseline, self.stopAt) = (base, base?.baseline ?? baseline, stopAt)
    (self.why, self.showsAll) = (why, showsAll)
  }

  public var blocks: [TextBlock] {
    let parts: [[TextBlock]] = [
      base?.blocks ?? [], comparison.screen(verdict, stopAt: stopAt, why: why, showsAll: showsAll), looks, remedy,
      results.tuningBlocks, results.matchingBlocks,
    ]
    return parts.flatMap(\.self)
  }

  private var looks: [TextBlock] {
    guard let words = baseline?.looksWords(results) else { return [] }
    return [.unbroken("looks", words)]
  }

  /// The next step for an intended loss.
  private var remedy: [TextBlock] {
    guard verdict.outcome == .regression, let base else { return [] }
    return [results.remedy(against: base.commit.ref)]
  }
}

extension RunResults {
  /// The next step for an intended loss.
  ///
  /// - Parameter ref: Of the branch that it is measured from.
  public func remedy(against ref: String) -> TextBlock {
    let command = "bench baseline accept --suite \(suite)\(predictionOptions)"
    return .unbroken("", "If the loss is intended: \(command) --against \(RunOrigin.quoted(ref)) --because …")
  }
}

extension BaseSuite {
  /// The commit that a run is compared with.
  fileprivate var blocks: [TextBlock] {
    let itself =
      commit.isCheckedOut
      ? ["It is the checked-out commit itself, and no tracked file differs from it."] : []
    return [TextBlock.unbroken("against", "the merge base with \(commit.title)")]
      + (notes + itself).map { TextBlock.fact("", $0) } + [.gap]
  }
}

extension ClipChange {
  /// `squat-sample/s01_side_1: squat-states 5 → 4, true 5`
  public var line: String { "\(clip): \(detector) \(words)" }

  /// A line after ↓ for farther from the labels, ↑ for closer.
  func marked(_ line: String) -> TextBlock {
    let gain = gain ?? 0
    guard let tone = Tone.ofGain(gain) else { return .labelled("", TonedText(line), indent: 2) }
    return .labelled(TonedText(gain < 0 ? "↓" : "↑", tone), TonedText(line, tone), indent: 2)
  }
}

extension Comparison {
  /// The most changed clips that are shown.
  private static let mostClips = 10

  /// The verdict, the metrics behind it, and the clips that changed.
  ///
  /// - Parameters:
  ///   - stopAt: The suite's limit; `nil` where nothing is gated.
  ///   - why: What `why` says.
  ///   - showsAll: Whether to show each metric that did not change, and all clips.
  public func screen(
    _ verdict: Verdict, stopAt: Double? = nil, why: String?, showsAll: Bool = false
  ) -> [TextBlock] {
    let changed = changedParameters.map { TextBlock.unbroken("changed", $0) }
    let clips = clipBlocks(showsAll: showsAll)
    let parts: [[TextBlock]] = [
      verdict.blocks(stopAt: stopAt), nextStep(verdict, why), suiteBlocks(verdict), [.gap],
      metricBlocks(verdict, showsAll: showsAll), clips.isEmpty ? [] : [.gap], clips, changed.isEmpty ? [] : [.gap],
      changed,
    ]
    return parts.flatMap(\.self)
  }

  /// Missing parts other than metrics, with remedies, and accepted ones.
  private func suiteBlocks(_ verdict: Verdict) -> [TextBlock] {
    let leftOut = subjectsLeftOut.joined(separator: ", ")
    let lines: [(label: String, texts: [String])] = [
      ("left out", leftOut.isEmpty ? [] : ["\(leftOut): other clips than the baseline's"]),
      ("missing", verdict.missing.lines), ("", verdict.missing.remedies.map { "\($0)." }), ("grown", growth),
      ("accepted", acceptedSuiteChanges),
    ]
    return lines.flatMap { label, texts in texts.map { TextBlock.fact(label, $0) } }
  }

  /// The clip to look at where the gate does not pass, and what to say of it: the one that lost most; of a detector that
  /// no metric gates, whose clips the baseline does not have, its worst one.
  private func telling(_ verdict: Verdict) -> (clip: String, detector: String, words: String)? {
    guard verdict.outcome != .pass else { return nil }
    let detector = verdict.metrics.worstFirst.first { $0.outcome == verdict.outcome }?.change.detector
    if let detector, !results.gated.contains(where: { $0.detector == detector }),
      let clip = results.worstClips(detector).first
    {
      return (clip.id, detector, "see why, on its worst clip:")
    }
    guard let worst = clipChanges.first, (worst.gain ?? 0) < 0 else { return nil }
    return (worst.clip, worst.detector, "see why, on the clip that lost most:")
  }

  /// Why the clip to look at where the gate does not pass is wrong; `nil` if there is none or the reason is unknown.
  ///
  /// - Parameter replay: Replays a clip with a detector, if the results do not say it.
  public func why(
    _ verdict: Verdict, replay: (ClipResult, String) throws -> ReplayedClip?
  ) rethrows -> String? {
    guard let (id, detector, _) = telling(verdict), let clip = results.clips.first(where: { $0.id == id }) else {
      return nil
    }
    return try results.reasonWords(detector, on: clip) { try replay(clip, detector) }.map { "\(id): \($0)" }
  }

  /// Why that clip is wrong, and the next step.
  private func nextStep(_ verdict: Verdict, _ why: String?) -> [TextBlock] {
    guard let (clip, detector, words) = telling(verdict) else { return [] }
    let command = results.commandToShow(results.nameToReplay(clip), of: detector)
    return [why.map { TextBlock.fact("why", $0) }].compactMap(\.self) + [.step(Conclusion.Step(words, command))]
  }

  /// The worst first; unchanged ones are one line.
  private func metricBlocks(_ verdict: Verdict, showsAll: Bool) -> [TextBlock] {
    let sorted = verdict.metrics.worstFirst
    let shown = sorted.filter { showsAll || $0.outcome != .pass || !$0.change.isUnchanged }
    let column = max(4, shown.map(\.words.count).max() ?? 0) + 2
    let lines = shown.flatMap { metric -> [TextBlock] in
      // The verdict gives the first one's reason; other reasons include the gain and its interval.
      let isSaid = metric.outcome == .pass || verdict.reason.hasPrefix(metric.reason)
      let outcome = TonedText(metric.words, metric.outcome.tone)
      let line = TextBlock.labelled(outcome, TonedText(metric.line(withGain: isSaid)), indent: column)
      return isSaid ? [line] : [line, .labelled("", TonedText(metric.reason), indent: column)]
    }
    let same = sorted.filter { metric in
      !shown.contains { $0.change.metricID == metric.change.metricID }
    }
    guard !same.isEmpty else { return lines }
    let names = same.map { Metric.plainName(of: $0.change.metric) }.reduce(into: [String]()) { names, name in
      if !names.contains(name) { names.append(name) }
    }.joined(separator: ", ")
    return lines + [.labelled(TonedText("pass", .good), "unchanged: \(names)", indent: column)]
  }

  /// Marked ↓ if farther from the labels than before, ↑ if closer.
  private func clipBlocks(showsAll: Bool) -> [TextBlock] {
    let shown = showsAll ? clipChanges : Array(clipChanges.prefix(Self.mostClips))
    let others = Set(clipChanges.map(\.clip)).subtracting(shown.map(\.clip)).count
    let more = others > 0 ? [TextBlock.line("  and \(NumberText.count(others, "other clip")): --all")] : []
    return shown.map { $0.marked($0.line) } + more
  }
}

extension Verdict.MetricVerdict {
  /// `exact counts (count.exact of squat-states) 1.000 → 0.667, gain −0.333, margin 0.05`
  fileprivate func line(withGain: Bool) -> String {
    let unit = change.unit
    let after = NumberText.quantity(change.after, unit: unit)
    var values = "\(after), unchanged"
    if !change.isUnchanged {
      values = "\(NumberText.value(change.before, unit: unit)) → \(after)"
      if withGain {
        let interval = NumberText.interval(change.interval, unit: unit).map { " (95 % \($0))" } ?? ""
        values += ", gain \(NumberText.signed(change.gain, unit: unit))\(interval)"
      }
    }
    return "\(Metric.plainName(of: change.metric)) (\(change.metric) of \(change.detector)) \(values), margin "
      + NumberText.plain(change.margin ?? 0) + (change.casesWords.map { ", \($0)" } ?? "")
  }
}
