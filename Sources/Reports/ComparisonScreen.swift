import Evaluation
import Scoring
import Statistics

/// A comparison on one screen.
public struct ComparisonScreen {
  private let report: ComparisonReport
  private let folder: String
  private let showsAll: Bool

  /// The most changed clips, and the most slices shown; the report has all.
  private static let limit = 12

  /// - Parameters:
  ///   - folder: The folder of the report.
  ///   - showsAll: Whether to show metrics that neither gate nor changed, all clips and all columns.
  public init(_ report: ComparisonReport, in folder: String, showsAll: Bool = false) {
    (self.report, self.folder, self.showsAll) = (report, folder, showsAll)
  }

  private var comparison: Comparison { report.comparison }

  public var blocks: [TextBlock] {
    let results = comparison.results
    let parts: [[TextBlock]] = [
      report.conclusion.blocks, [.gap, .suite(results.suite, results.suiteVersion)], results.datasets.blocks, sides,
      [.gap], clips, [.gap], metrics, [.gap], slices, [.gap, .unbroken("report", "\(folder)/compare.md")],
    ]
    return parts.flatMap(\.self)
  }

  private var sides: [TextBlock] {
    let sides: [TextBlock] = [.fact("A", report.before), .fact("B", report.after)]
    return sides + report.notes.map { TextBlock.fact("", $0, .dim) }
      + comparison.changedParameters.map { TextBlock.unbroken("changed", $0) }
  }

  private var clips: [TextBlock] {
    let all = comparison.clipChanges
    let shown = showsAll ? all : Array(all.prefix(Self.limit))
    let blocks = [TextBlock.fact("clips", report.changedClips)] + shown.map { $0.marked(report.words($0)) }
    let others = all.dropFirst(shown.count)
    guard !others.isEmpty else { return blocks }
    let counts = [
      (others.count { ($0.gain ?? 0) < 0 }, "↓"), (others.count { ($0.gain ?? 0) > 0 }, "↑"),
      (others.count { ($0.gain ?? 0) == 0 }, "no change"),
    ].filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }.joined(separator: ", ")
    return blocks + [.line("  and \(others.count) more: \(counts); --all")]
  }

  /// Metrics that gate or changed, by detector; with all, every metric and column.
  private var metrics: [TextBlock] {
    let listed = comparison.metrics.filter(\.isListed)
    let known = listed.filter { $0.before != nil || $0.after != nil }
    let chosen = known.filter { $0.margin != nil || !$0.isUnchanged }
    let shown = showsAll || chosen.isEmpty ? known : chosen
    guard !shown.isEmpty else { return [.fact("metrics", "none has a value: these clips have no labels for them")] }
    let allGate = shown.allSatisfy { $0.margin != nil }
    let header =
      ["metric", "A", "B", "gain", "95 % interval", "p"] + (showsAll ? ["adjusted", "people", "clips"] : []) + [""]
    let rows = shown.enumerated().map { index, metric -> TextTable.Row in
      let name = ["  \(Metric.plainName(of: metric.metric)) (\(metric.metric))"]
      let adjusted = metric.adjustedP.map { NumberText.probability($0) } ?? ""
      let more = showsAll ? [adjusted, "\(metric.subjects)", "\(metric.clips)"] : []
      let isFirst = index == 0 || shown[index - 1].detector != metric.detector
      return TextTable.Row(
        name + cells(metric) + more + [notes(metric, marksGates: !allGate)], Tone.ofGain(metric.gain),
        heading: isFirst ? metric.detector : nil)
    }
    let table = TextTable([TextTable.Row(header, .dim)] + rows, right: Set(1..<header.count - 1))
    var blocks: [TextBlock] = [.columns(table)]
    let unknown = listed.filter { $0.before == nil && $0.after == nil }
    if !unknown.isEmpty {
      let names = Set(unknown.map(\.metric)).sorted().map { Metric.plainName(of: $0) }.joined(separator: ", ")
      blocks.append(.fact("n/a", "\(names): the clips' labels or the predictions lack what they need"))
    }
    return blocks + TextBlock.unshownMetrics(known.count - shown.count) + [.fact("p", report.method, .dim)]
  }

  /// From the value on A to the p value.
  private func cells(_ metric: MetricChange) -> [String] {
    let unit = metric.unit
    return [
      NumberText.value(metric.before, unit: unit), NumberText.value(metric.after, unit: unit),
      metric.isUnchanged && metric.subjects > 0 ? "0" : NumberText.signed(metric.gain, unit: unit),
      NumberText.interval(metric.interval, unit: unit) ?? "n/a", NumberText.probability(metric.p),
    ]
  }

  private func notes(_ metric: MetricChange, marksGates: Bool) -> String {
    var notes = [metric.unit]
    if marksGates, metric.margin != nil { notes.append("gates") }
    if metric.isPooled {
      notes.append("pooled")
    } else if showsAll {
      let undefined = [("A", metric.undefinedBefore), ("B", metric.undefinedAfter)].filter { $0.1 > 0 }
      if !undefined.isEmpty { notes.append("n/a on " + undefined.map { "\($0.0) \($0.1)" }.joined(separator: ", ")) }
    }
    if let words = metric.casesWords { notes.append(words) }
    return notes.filter { !$0.isEmpty }.joined(separator: ", ")
  }

  /// Slices of several subjects with a change, the most certain first.
  private var slices: [TextBlock] {
    guard let all = comparison.slices else {
      return [
        .fact("slices", "n/a: a stored run or a baseline keeps no predictions; replay both sides to compare slices")
      ]
    }
    let tested = all.filter { $0.metric.p != nil }
    let changed = tested.filter { !$0.metric.isUnchanged }.enumerated().sorted { a, b in
      let (p, q) = (a.element.metric.p ?? 1, b.element.metric.p ?? 1)
      return p != q ? p < q : a.offset < b.offset
    }.map(\.element)
    guard !changed.isEmpty else { return [.fact("slices", "no change in any slice of several people")] }
    let shown = showsAll ? changed : Array(changed.prefix(Self.limit))
    let header = ["slice", "metric", "A", "B", "gain", "95 % interval", "adjusted p"]
    let rows = shown.map { sliced -> TextTable.Row in
      let names = ["\(sliced.slice.dimension.rawValue) \(sliced.slice.value)", report.name(sliced.metric)]
      let p = NumberText.probability(sliced.metric.adjustedP)
      return TextTable.Row(names + cells(sliced.metric).dropLast() + [p], Tone.ofGain(sliced.metric.gain))
    }
    let others = changed.count > shown.count ? "; \(changed.count - shown.count) more changed: --all" : ""
    let method =
      "Benjamini and Hochberg's correction over all \(tested.count) tests on slices\(others); the report has all slices "
      + "and people"
    return [
      .columns(TextTable([TextTable.Row(header, .dim)] + rows, right: [2, 3, 4, 5, 6])), .fact("p", method, .dim),
    ]
  }
}
