import Evaluation

extension ComparisonReport {
  /// The report as GitHub-flavoured Markdown.
  func markdown(_ pictures: [Picture]) -> String {
    let listed = comparison.metrics.filter(\.isListed)
    let others = comparison.metrics.filter { !$0.isListed }
    var sections = [
      "# \(comparison.results.suite): \(before), and \(after)", Markdown.warnings(comparison.results.datasets), sides,
      "## What changed", facts, "## Metrics",
      Markdown.table([Self.metricHeader] + listed.map { Self.row($0) }),
    ]
    if !others.isEmpty {
      sections.append(
        Markdown.details("All other metrics", Markdown.table([Self.metricHeader] + others.map { Self.row($0) })))
    }
    for picture in pictures {
      sections += [
        "## \(picture.heading)",
        "![\(Markdown.text("\(picture.chart.title): \(picture.chart.subtitle)"))](\(picture.file))",
        Markdown.details("The same as text", Markdown.table(picture.chart.table)),
      ]
    }
    sections += ["## Slices", slices, "## How this was computed", explanation]
    return sections.filter { !$0.isEmpty }.joined(separator: "\n\n") + "\n"
  }

  private var sides: String {
    (["- A: \(before)", "- B: \(after)"] + notes.map { "- \($0)" }).joined(separator: "\n")
  }

  private var facts: String {
    let lines = comparison.changedParameters.map { "- \($0)" } + ["- \(changedClips)"]
    let clips = comparison.clipChanges.map { "- " + Markdown.text(words($0)) }
    guard !clips.isEmpty else { return lines.joined(separator: "\n") }
    return lines.joined(separator: "\n") + "\n\n"
      + Markdown.details("Every change, the worse first", clips.joined(separator: "\n"))
  }

  private static let metricHeader = [
    "detector", "metric", "A", "B", "gain", "95 % interval", "margin", "p", "adjusted p", "subjects", "n/a on A",
    "n/a on B", "clips",
  ]

  private static func row(_ metric: PairedMetric) -> [String] {
    let (change, unit) = (metric.change, metric.change.unit)
    return [
      change.detector, change.metric + (change.isPooled ? " (pooled)" : ""),
      NumberText.value(change.before, unit: unit),
      "\(NumberText.value(change.after, unit: unit)) \(unit)".trimmingSuffix(" "),
      NumberText.signed(change.gain, unit: unit), NumberText.interval(metric),
      change.margin.map(NumberText.plain) ?? "", NumberText.probability(metric.signFlip?.twoSided),
      metric.adjustedP.map { NumberText.probability($0) } ?? "", "\(metric.pairs)",
      change.isPooled ? "" : "\(metric.undefinedBefore)", change.isPooled ? "" : "\(metric.undefinedAfter)",
      "\(metric.clips)",
    ]
  }

  private var slices: String {
    guard let slices = comparison.slices else {
      return "Slices need both sides to be replayed: a stored run and a baseline keep no predictions to score again."
    }
    guard !slices.isEmpty else {
      return "All clips are alike in exercise, view, frame rate, subject, dataset, labels and reps."
    }
    return ClipSlice.Dimension.allCases.compactMap { dimension in
      let rows = slices.filter { $0.slice.dimension == dimension }
      guard !rows.isEmpty else { return nil }
      return Markdown.details(
        "By \(dimension.rawValue)",
        Markdown.table([[dimension.rawValue] + Self.metricHeader] + rows.map { [$0.slice.value] + Self.row($0.metric) })
      )
    }.joined(separator: "\n\n")
  }

  private var explanation: String {
    let tests = comparison.slices?.count { $0.metric.signFlip != nil } ?? 0
    let correction =
      tests > 0
      ? ", on slices that of Benjamini and Hochberg over all \(tests) tests on slices" : ""
    return """
      - Suite \(comparison.results.suite) version \(comparison.results.suiteVersion), bench \(bench), \
      \(comparison.clips) clips of \(comparison.subjects) subjects; the same clips on both sides.
      - A gain above 0 is better, whatever the metric's direction; it is the mean over subjects with a value on both \
      sides, so that it need not be the difference of A and B, which are means over all subjects with a value there.
      - The interval is Student's t interval on the subjects' paired differences; p: \(method)\
      \(correction).
      - A slice is its clips scored anew by themselves. One of a single subject shows the difference without inference.
      - An interval that holds 0 is no proof that nothing changed, and a small p is none that the change matters: the \
      margin says what matters.
      - `compare.json` beside this report holds every number.
      """
  }
}
