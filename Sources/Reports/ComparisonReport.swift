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
  /// The sides in words: `the suite as it stands`.
  public let before: String
  public let after: String
  /// Further notes for the reader, one sentence each.
  public let notes: [String]
  let bench: String

  public init(_ comparison: Comparison, before: String, after: String, notes: [String] = [], bench: String) {
    self.comparison = comparison
    self.before = before
    self.after = after
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

  /// How the p values were computed, and the smallest p that so few subjects can give.
  public var method: String {
    let subjects = comparison.metrics.map(\.subjects).max() ?? 0
    let gating = comparison.metrics.count { $0.margin != nil }
    let tests = comparison.metrics.filter { $0.p != nil }
    guard !tests.isEmpty else {
      return (["no p value from fewer than two subjects"] + [pooledMethod].compactMap(\.self)).joined(separator: "; ")
    }
    var words = "two-sided sign-flip test of the subjects' paired differences"
    if let flips = tests.lazy.compactMap(\.flips).first {
      words += ", by \(flips) flips with seed \(MetricChange.seed) where more than 20 differ, else exact"
    } else {
      words += ", exact"
      if subjects < 20 {
        words +=
          "; \(subjects) subjects give no p below \(NumberText.probability(2 / Double(1 << subjects)))"
      }
    }
    if gating > 0 { words += "; Holm over the \(gating) metrics that gate" }
    return ([words] + [pooledMethod].compactMap(\.self)).joined(separator: "; ")
  }

  /// The source of the gains of pooled values; `nil` if there are none.
  private var pooledMethod: String? {
    guard comparison.metrics.contains(where: { $0.isPooled == true }) else { return nil }
    return
      "a pooled metric is of all clips together, and a subject's gain in it is from leaving the subject out on both sides"
  }
}

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
    let changed = listed.filter { !$0.isUnchanged }
    var model = StudyModel()
    model.title = "\(before), and \(after)"
    model.summary =
      ["A: \(before).", "B: \(after)."] + notes.map { "\($0)." } + [
        "\(changedClips.prefix(1).uppercased())\(changedClips.dropFirst()).",
        "Of \(listed.count) metrics \(changed.count { ($0.gain ?? 0) > 0 }) got better on B and "
          + "\(changed.count { ($0.gain ?? 0) < 0 }) worse.",
      ]
    if !comparison.changedParameters.isEmpty {
      model.sections.append(SectionModel(heading: "What was set otherwise", items: comparison.changedParameters))
    }
    if !comparison.clipChanges.isEmpty {
      model.sections.append(
        SectionModel(
          heading: "Every change of a clip, the worst first", items: comparison.clipChanges.map(words), isFolded: true))
    }
    // The changes are the purpose of a comparison.
    let same = changed.isEmpty ? [] : listed.filter(\.isUnchanged)
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
    model.method = method(slicesTested: comparison.slices?.count { $0.metric.p != nil } ?? 0)
    return model
  }

  private static let metricHeader = [
    "detector", "metric", "A", "B", "gain", "95 % interval", "margin", "p", "adjusted p", "subjects", "n/a on A",
    "n/a on B", "clips",
  ]

  private static func row(_ change: MetricChange) -> [String] {
    let (unit, isPooled) = (change.unit, change.isPooled == true)
    return [
      change.detector, "\(Metric.plainName(of: change.metric)) (\(change.metric))" + (isPooled ? " (pooled)" : ""),
      NumberText.value(change.before, unit: unit),
      NumberText.quantity(change.after, unit: unit), NumberText.signed(change.gain, unit: unit),
      NumberText.interval(change.interval, unit: unit) ?? "n/a", change.margin.map(NumberText.plain) ?? "",
      NumberText.probability(change.p), change.adjustedP.map { NumberText.probability($0) } ?? "",
      "\(change.subjects)" + (change.casesWords.map { ", \($0)" } ?? ""), "\(change.undefinedBefore)",
      "\(change.undefinedAfter)",
      "\(change.clips)",
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
      "A metric of found cases only, such as a latency of matched reps, is compared on the cases that both sides found; A and "
        + "B are of all that each found.",
      "The interval is Student's t interval on the subjects' paired differences; p: \(method)\(correction).",
      "A slice is its clips scored anew by themselves. One of a single subject shows the difference without inference.",
      "An interval that holds 0 is no proof that nothing changed, and a small p is none that the change matters: the "
        + "margin says what matters.",
      "compare.json beside this report holds every number.",
    ]
  }
}
