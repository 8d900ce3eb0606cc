import Files
import Pipeline
import Scoring
import Statistics
import Evaluation
import Foundation
import Charts

/// The report of a comparison.
public struct ComparisonReport: Sendable {
  public let comparison: Comparison
  /// The sides in words: `the suite without changes`.
  public let before: String
  public let after: String
  /// Further notes for the reader, one sentence each.
  public let notes: [String]
  /// Of two detectors, the run of side B under its own name; `nil` for two sides of a suite.
  let pair: RunResults?
  /// The clips that changed, for a page.
  let played: [Player.Entry]
  let bench: String

  public init(
    _ comparison: Comparison, before: String, after: String, notes: [String] = [], pair: RunResults? = nil,
    played: [Player.Entry] = [], bench: String
  ) {
    self.comparison = comparison
    self.before = before
    self.after = after
    self.pair = pair
    self.played = played
    self.notes = notes + comparison.missingMetrics.map(\.words)
    self.bench = bench
  }

  /// Every number of the comparison, for machines.
  public var record: ComparisonRecord {
    ComparisonRecord(comparison, before: before, after: after, notes: notes, method: method, bench: bench)
  }
}

extension MissingMetric {
  /// `count.bias of squat-states is not compared: missing from A, present in B`
  fileprivate var words: String {
    let sides = missingFrom == .before ? "missing from A, present in B" : "missing from B, present in A"
    return "\(metric) of \(detector) is not compared: \(sides)"
  }
}

extension ComparisonReport {
  /// A row for each metric of the suite and of each detector.
  ///
  /// `A` and `B` are over the cases that each side found; the gain is over those found on both sides, whose number is
  /// there where it differs.
  public var table: ChartTable {
    ChartTable(
      ["detector", "metric", "unit", "A", "B", .init("gain", .signedFixed(3)), "low", "high", "p", "adjusted p"],
      ["people", "clips", "cases on both"],
      rows: comparison.metrics.filter(\.isListed).map { change in
        let decimals = NumberText.decimals(change.unit)
        func number(_ value: Double?) -> ChartTable.Cell { .number(value, .fixed(decimals)) }
        func signed(_ value: Double?) -> ChartTable.Cell { .number(value, .signedFixed(decimals)) }
        func probability(_ p: Double?) -> ChartTable.Cell { .number(p, .fixed(3)) }
        var cases = ChartTable.Cell.empty
        if let found = change.cases, !found.areEqual { cases = .count(found.onBoth) }
        return [
          .text(change.detector), .text(change.metric), .text(change.unit), number(change.before),
          number(change.after), signed(change.gain), signed(change.interval?.low), signed(change.interval?.high),
          probability(change.p), probability(change.adjustedP), .count(change.subjects), .count(change.clips),
          cases,
        ]
      })
  }
}

extension ComparisonReport {
  var names: ComparisonNames { ComparisonNames(comparison.results) }

  /// `s04_side_2: 14 → 13, true 14`; names the dataset and the detector if there are several.
  public func words(_ change: ClipChange) -> String {
    "\(names.clip(change)): \(change.words)"
  }

  /// `count.mae`, with the detector if there are several of its kind.
  public func name(_ metric: MetricChange) -> String { names.metric(metric) }

  /// `12 of 30 clips: 9 better, 3 worse`
  public var changedClips: String {
    let changes = comparison.clipChanges
    let clips = Set(changes.map(\.clip)).count
    guard clips > 0 else {
      return comparison.knowsCountsOnly ? "no count changed" : "no clip changed"
    }
    return "\(clips) of \(comparison.clips) clips changed; their changes: \(changes.nearness)"
  }

  /// How the p-values were computed, and the smallest p-value that so few subjects allow.
  public var method: String {
    let subjects = comparison.metrics.map(\.subjects).max() ?? 0
    let gating = comparison.metrics.count { $0.margin != nil }
    let tests = comparison.metrics.filter { $0.p != nil }
    guard !tests.isEmpty else {
      return (["a p-value needs at least two people"] + [pooledMethod].compactMap(\.self)).joined(separator: "; ")
    }
    var words = "two-sided sign-flip test of the people's paired differences"
    if let flips = tests.lazy.compactMap(\.test?.flips).first {
      words += ", \(flips) random flips with seed \(MetricChange.seed) if more than 20 people differ, else exact"
    } else {
      words += ", exact"
      if subjects < 20 {
        words +=
          "; the smallest p-value for \(subjects) people is \(NumberText.probability(SignFlip.smallestP(of: subjects)))"
      }
    }
    if gating > 0 { words += "; Holm's correction over the \(NumberText.count(gating, "gating metric"))" }
    return ([words] + [pooledMethod].compactMap(\.self)).joined(separator: "; ")
  }

  /// How gains of pooled metrics are computed; `nil` without such metrics.
  private var pooledMethod: String? {
    guard comparison.metrics.contains(where: \.isPooled) else { return nil }
    return
      "a pooled metric is computed from all clips together, a person's gain by leaving the person out on both sides"
  }
}

extension ComparisonReport {
  public var study: StudyReport {
    get throws {
      let record = record
      return StudyReport(
        kind: "compare", suite: record.suite, version: bench, datasets: record.datasets, content: content,
        pictures: record.pictures, json: try stableJSON(record), played: played,
        marks: [("Before", before), ("After", after)])
    }
  }

  private var content: StudyContent {
    let listed = comparison.metrics.filter(\.isListed)
    let changed = listed.filter { !$0.isUnchanged }
    // Without a change, the report shows the values.
    let same = changed.isEmpty ? [] : listed.filter(\.isUnchanged)
    let isGated = listed.contains { $0.margin != nil }
    let clips = comparison.clipChanges
    var model = StudyContent()
    model.title = String(conclusion.finding.dropLast())
    model.summary =
      ["A: \(before). B: \(after)."] + notes.map { "\($0)." } + [
        "\(changedClips.prefix(1).uppercased())\(changedClips.dropFirst()).",
        "Of \(NumberText.count(listed.count, "metric")), \(changed.count { $0.shown == .better }) better on B, "
          + "\(changed.count { $0.shown == .worse }) worse, "
          + "\(changed.count { !$0.isShown }) changed by what may be chance.",
      ]
      + (comparison.changedParameters.isEmpty ? [] : ["Set: \(comparison.changedParameters.joined(separator: ", "))."])
    model.sections = [
      SectionModel(
        anchor: "metrics", heading: "Metrics", table: Self.table(of: changed.isEmpty ? listed : changed),
        notes: ["A gain above 0 is better. Ranges in parentheses are 95 % intervals."]
          + ["Better and worse are claimed only where chance cannot explain the change, corrected for all metrics."]
          + (isGated ? ["The gate also considers margins."] : [])),
      SectionModel(
        heading: "\(NumberText.count(same.count, "metric")) that did not change", table: Self.table(of: same),
        isFolded: true),
      SectionModel(
        anchor: "clips", heading: "Clips that changed, the worst first",
        items: clips.prefix(Self.mostClips).map(words)
          + (clips.count > Self.mostClips ? ["and \(clips.count - Self.mostClips) more"] : [])),
    ]
    model.sections += slices
    model.method = method(slicesTested: comparison.slices?.count { $0.metric.p != nil } ?? 0)
    return model
  }

  private static let mostClips = 20

  private static func table(of metrics: [MetricChange], on slices: (name: String, values: [String])? = nil)
    -> TableModel
  {
    let header = ["metric", "A", "B", "gain (95 %)", "margin", "p", "adjusted p", "people"]
    let rows = metrics.enumerated().map { index, change -> RowModel in
      let unit = change.unit
      let pooled = change.isPooled ? ", pooled" : ""
      let interval = NumberText.interval(change.interval, unit: unit).map { " (\($0))" } ?? ""
      let cells: [String] = [
        "\(Metric.plainName(of: change.metric)) (\(change.metric)) of \(change.detector)\(pooled)",
        NumberText.value(change.before, unit: unit), NumberText.quantity(change.after, unit: unit),
        NumberText.signed(change.gain, unit: unit) + interval, change.margin.map(NumberText.plain) ?? "",
        NumberText.probability(change.p), change.adjustedP.map { NumberText.probability($0) } ?? "",
        [String(change.subjects), change.casesWords].compactMap(\.self).joined(separator: ", "),
      ]
      let slice = slices.map { [$0.values[index]] } ?? []
      var row = RowModel(slice + cells, gain: 3 + slice.count)
      row.mark(change)
      return row
    }
    return TableModel(header: (slices.map { [$0.name] } ?? []) + header, rows: rows)
  }

  /// The slices on which a metric changed, smallest p-value first.
  private var slices: [SectionModel] {
    guard let slices = comparison.slices else {
      return [
        SectionModel(
          heading: "Slices",
          texts: [
            "Slices need both sides replayed: stored runs and baselines keep no predictions to score again."
          ])
      ]
    }
    guard !slices.isEmpty else {
      return [
        SectionModel(
          heading: "Slices",
          texts: ["All clips are alike in exercise, view, frame rate, person, dataset, labels and reps."]
        )
      ]
    }
    let changed = ClipSlice.Dimension.allCases.compactMap { dimension -> SectionModel? in
      // The pictures show the clips of a single person.
      let rows = slices.filter { $0.slice.dimension == dimension && !$0.metric.isUnchanged && $0.metric.subjects > 1 }
        .sorted { ($0.metric.p ?? 2) < ($1.metric.p ?? 2) }
      guard !rows.isEmpty else { return nil }
      let shown = rows.prefix(Self.mostSlices)
      return SectionModel(
        heading: "By \(dimension.rawValue)",
        table: Self.table(of: shown.map(\.metric), on: (dimension.rawValue, shown.map(\.slice.value))),
        notes: rows.count > shown.count ? ["and \(rows.count - shown.count) more, in compare.json"] : [], isFolded: true
      )
    }
    return [
      SectionModel(
        anchor: "slices", heading: "Slices",
        texts: [changed.isEmpty ? "No metric changed on any slice." : "Metrics that changed on a slice of the clips."])
    ] + changed
  }

  private static let mostSlices = 15

  private func method(slicesTested tests: Int) -> [String] {
    let correction = tests > 0 ? "; on slices, Benjamini and Hochberg's correction over all \(tests) tests" : ""
    return [
      "Suite \(comparison.results.suite) version \(comparison.results.suiteVersion), \(comparison.clips) clips of "
        + "\(NumberText.count(comparison.subjects, "person")); the same clips on both sides.",
      "A gain above 0 is better for every metric. It is the mean over people with a value on both sides, and can "
        + "differ from B minus A, which are means over all people with a value on that side.",
      "A metric of found cases only, such as the latency of matched reps, is compared on the cases that both sides "
        + "found. A and B are over all cases that each side found.",
      "The interval is Student's t interval on the people's paired differences; p-value: \(method)\(correction).",
      "A slice is scored on its own clips. A slice of a single person shows the difference without a test.",
      "An interval that includes 0 does not prove that nothing changed. A small p-value does not prove that the change "
        + "matters; the margin defines that.",
      "All numbers are in compare.json beside this report.",
    ]
  }
}
