import Evaluation
import Reports

/// A comparison on one screen.
struct ComparisonSummary {
  var report: ComparisonReport
  /// Where the report is.
  var folder: String

  /// No more changed clips, and no more slices than this are shown; the report has all.
  private static let limit = 12

  private var comparison: PairedComparison { report.comparison }

  var text: String {
    ([header] + datasets + sides + [""] + clips + [""] + metrics + [""] + slices + [
      "", "report   \(folder)/compare.md",
    ])
    .joined(separator: "\n")
  }

  private var header: String {
    "\(Terminal.bold("suite \(comparison.results.suite)")) version \(comparison.results.suiteVersion)"
  }

  private var datasets: [String] { comparison.results.datasets.flatMap(\.lines) }

  private var sides: [String] {
    ["A        \(report.before)", "B        \(report.after)"]
      + report.notes.map { "         " + Terminal.dim(Terminal.wrap($0, indent: 9)) }
      + comparison.changedParameters.map { "changed  \($0)" }
  }

  private var clips: [String] {
    let shown = comparison.clipChanges.prefix(Self.limit)
    let others = comparison.clipChanges.dropFirst(Self.limit)
    let rows = shown.map { change in
      let gain = change.gain ?? 0
      let line = (gain < 0 ? "worse    " : gain > 0 ? "better   " : "         ") + report.words(change)
      return gain < 0 ? Terminal.bad(line) : gain > 0 ? Terminal.good(line) : line
    }
    guard !others.isEmpty else { return ["clips    \(report.changedClips)"] + rows }
    let counts = [
      (others.count { ($0.gain ?? 0) < 0 }, "worse"), (others.count { ($0.gain ?? 0) > 0 }, "better"),
      (others.count { ($0.gain ?? 0) == 0 }, "neither"),
    ].filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
    return ["clips    \(report.changedClips)"] + rows
      + ["         and \(others.count) more: \(counts.joined(separator: ", "))"]
  }

  private var metrics: [String] {
    let listed = comparison.metrics.filter(\.isListed)
    let header = ["detector", "metric", "A", "B", "gain", "95 % interval", "p", "Holm", "subjects", "clips", ""]
    let rows = listed.map { metric in
      [metric.change.detector, metric.change.metric] + cells(metric) + [
        "\(metric.pairs)", "\(metric.clips)", notes(metric),
      ]
    }
    let lines = Terminal.table([header] + rows, right: [2, 3, 4, 5, 6, 7, 8, 9], indent: 0)
    return zip(lines, [nil] + listed).map { colored($0, $1) }
      + ["p        " + Terminal.dim(Terminal.wrap(report.method, indent: 9))]
  }

  /// From the value on A to the adjusted p value.
  private func cells(_ metric: PairedMetric) -> [String] {
    let (change, unit) = (metric.change, metric.change.unit)
    return [
      NumberText.value(change.before, unit: unit), NumberText.value(change.after, unit: unit),
      change.isUnchanged && !change.gains.isEmpty ? "=" : NumberText.signed(change.gain, unit: unit),
      NumberText.interval(metric), NumberText.probability(metric.signFlip?.twoSided),
      metric.adjustedP.map { NumberText.probability($0) } ?? "",
    ]
  }

  private func notes(_ metric: PairedMetric) -> String {
    var notes = [metric.change.unit]
    if metric.change.margin != nil { notes.append("gates") }
    if metric.change.isPooled {
      notes.append("pooled")
      return notes.filter { !$0.isEmpty }.joined(separator: ", ")
    }
    let undefined = [("A", metric.undefinedBefore), ("B", metric.undefinedAfter)].filter { $0.1 > 0 }
    if !undefined.isEmpty { notes.append("n/a on " + undefined.map { "\($0.0) \($0.1)" }.joined(separator: ", ")) }
    return notes.filter { !$0.isEmpty }.joined(separator: ", ")
  }

  private func colored(_ line: String, _ metric: PairedMetric?) -> String {
    guard let metric else { return Terminal.dim(line) }
    guard let gain = metric.change.gain, gain != 0 else { return line }
    return gain > 0 ? Terminal.good(line) : Terminal.bad(line)
  }

  /// Slices of several subjects in which something changed, the surest first.
  private var slices: [String] {
    guard let all = comparison.slices else {
      return [
        "slices   "
          + Terminal.wrap(
            "need both sides to be replayed: a stored run and a baseline keep no predictions to score again", indent: 9)
      ]
    }
    let tested = all.filter { $0.metric.signFlip != nil }
    let changed = tested.filter { !$0.metric.change.isUnchanged }.enumerated().sorted { a, b in
      let (p, q) = (a.element.metric.signFlip?.twoSided ?? 1, b.element.metric.signFlip?.twoSided ?? 1)
      return p != q ? p < q : a.offset < b.offset
    }.map(\.element)
    guard !changed.isEmpty else { return ["slices   nothing changed in any of several subjects"] }
    let shown = Array(changed.prefix(Self.limit))
    let header = ["slice", "metric", "A", "B", "gain", "95 % interval", "p", "BH", "subjects", "clips"]
    let rows = shown.map { sliced in
      ["\(sliced.slice.dimension.rawValue) \(sliced.slice.value)", report.name(sliced.metric)] + cells(sliced.metric)
        + ["\(sliced.metric.pairs)", "\(sliced.metric.clips)"]
    }
    let lines = Terminal.table([header] + rows, right: [2, 3, 4, 5, 6, 7, 8, 9], indent: 0)
    let others = changed.count > shown.count ? ", and \(changed.count - shown.count) more that changed" : ""
    return zip(lines, [nil] + shown.map(\.metric)).map { colored($0, $1) } + [
      "BH       "
        + Terminal.dim(
          Terminal.wrap(
            "Benjamini and Hochberg over all \(tested.count) tests on slices; the report has the rest\(others), and each "
              + "subject by itself", indent: 9))
    ]
  }
}
