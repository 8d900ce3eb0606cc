import Evaluation

extension ComparisonReport {
  public var study: StudyReport {
    get throws {
      let record = record
      return StudyReport(
        kind: "compare", suite: record.suite, version: bench, datasets: record.datasets, content: content,
        pictures: record.pictures, json: try stableJSON(record), marks: [("Before", before), ("After", after)])
    }
  }

  private var content: StudyModel {
    let listed = comparison.metrics.filter(\.isListed)
    let others = comparison.metrics.filter { !$0.isListed }
    let changed = listed.filter { !$0.change.isUnchanged }
    var model = StudyModel()
    model.title = "\(before), and \(after)"
    model.summary =
      ["A: \(before).", "B: \(after)."] + notes.map { "\($0)." } + [
        "\(changedClips.prefix(1).uppercased())\(changedClips.dropFirst()).",
        "Of \(listed.count) metrics \(changed.count { ($0.change.gain ?? 0) > 0 }) got better on B and "
          + "\(changed.count { ($0.change.gain ?? 0) < 0 }) worse.",
      ]
    if !comparison.changedParameters.isEmpty {
      model.sections.append(SectionModel(heading: "What was set otherwise", items: comparison.changedParameters))
    }
    if !comparison.clipChanges.isEmpty {
      model.sections.append(
        SectionModel(
          heading: "Every change of a clip, the worse first", items: comparison.clipChanges.map(words), isFolded: true))
    }
    // What changed is what a comparison is read for.
    let same = changed.isEmpty ? [] : listed.filter(\.change.isUnchanged)
    model.sections.append(
      SectionModel(
        heading: "Metrics",
        table: TableModel([Self.metricHeader] + (changed.isEmpty ? listed : changed).map(Self.row))))
    if !same.isEmpty {
      model.sections.append(
        SectionModel(
          heading: "\(same.count) metric\(same.count == 1 ? "" : "s") that did not change",
          table: TableModel([Self.metricHeader] + same.map(Self.row)), isFolded: true))
    }
    if !others.isEmpty {
      model.sections.append(
        SectionModel(
          heading: "All other metrics", table: TableModel([Self.metricHeader] + others.map(Self.row)), isFolded: true))
    }
    model.sections += slices
    model.method = method(slicesTested: comparison.slices?.count { $0.metric.signFlip != nil } ?? 0)
    return model
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
      NumberText.quantity(change.after, unit: unit),
      NumberText.signed(change.gain, unit: unit), NumberText.interval(metric),
      change.margin.map(NumberText.plain) ?? "", NumberText.probability(metric.signFlip?.twoSided),
      metric.adjustedP.map { NumberText.probability($0) } ?? "", "\(metric.pairs)",
      change.isPooled ? "" : "\(metric.undefinedBefore)", change.isPooled ? "" : "\(metric.undefinedAfter)",
      "\(metric.clips)",
    ]
  }

  private var slices: [SectionModel] {
    guard let slices = comparison.slices else {
      return [
        SectionModel(
          heading: "Slices",
          texts: [
            "Slices need both sides to be replayed: a stored run and a baseline keep no predictions to score again."
          ])
      ]
    }
    guard !slices.isEmpty else {
      return [
        SectionModel(
          heading: "Slices",
          texts: ["All clips are alike in exercise, view, frame rate, subject, dataset, labels and reps."]
        )
      ]
    }
    return ClipSlice.Dimension.allCases.compactMap { dimension in
      let rows = slices.filter { $0.slice.dimension == dimension }
      guard !rows.isEmpty else { return nil }
      return SectionModel(
        heading: "By \(dimension.rawValue)",
        table: TableModel(
          [[dimension.rawValue] + Self.metricHeader] + rows.map { [$0.slice.value] + Self.row($0.metric) }),
        isFolded: true)
    }
  }

  private func method(slicesTested tests: Int) -> [String] {
    let correction = tests > 0 ? ", on slices that of Benjamini and Hochberg over all \(tests) tests on slices" : ""
    return [
      "Suite \(comparison.results.suite) version \(comparison.results.suiteVersion), \(comparison.clips) clips of "
        + "\(comparison.subjects) subjects; the same clips on both sides.",
      "A gain above 0 is better, whatever the metric's direction; it is the mean over subjects with a value on both "
        + "sides, so that it need not be the difference of A and B, which are means over all subjects with a value there.",
      "The interval is Student's t interval on the subjects' paired differences; p: \(method)\(correction).",
      "A slice is its clips scored anew by themselves. One of a single subject shows the difference without inference.",
      "An interval that holds 0 is no proof that nothing changed, and a small p is none that the change matters: the "
        + "margin says what matters.",
      "compare.json beside this report holds every number.",
    ]
  }
}
