import Datasets
import Evaluation
import Pipeline
import PoseModel
import Scoring
import Statistics

/// A run on one screen.
public struct RunScreen {
  private let report: RunReport
  private let folder: String
  private let showsAll: Bool

  /// - Parameters:
  ///   - folder: The folder of the report.
  ///   - showsAll: Whether to show metrics that neither gate nor changed, and all counts.
  public init(_ report: RunReport, in folder: String, showsAll: Bool = false) {
    (self.report, self.folder, self.showsAll) = (report, folder, showsAll)
  }

  private var results: RunResults { report.results }

  public var blocks: [TextBlock] {
    let parts: [[TextBlock]] = [
      conclusion, verdict, [.gap, .suite(results.suite, results.suiteVersion)], results.datasets.blocks,
      results.perturbationBlocks, smoothing, detectors, results.predictionBlocks, results.tuningBlocks,
      results.peopleBlocks, [.gap], metrics, trivial, sample, costs, counts, worst, robustness,
      [.gap, .unbroken("report", "\(folder)/report.md")],
    ]
    return parts.flatMap(\.self)
  }

  /// The finding, why the clip to look at first is wrong, and the next step.
  private var conclusion: [TextBlock] {
    let why = report.first.flatMap { first in
      report.firstReason.map { TextBlock.fact("why", "\(report.withoutDataset(first.clip)): \($0)") }
    }
    let all = report.conclusion.blocks
    return Array(all.prefix(1)) + [why].compactMap(\.self) + Array(all.dropFirst())
  }

  private var verdict: [TextBlock] {
    guard let verdict = report.verdict else {
      let reason = report.reasonWithoutVerdict ?? "no baseline"
      return [.labelled("verdict", "\("not compared", .unsure): \(reason)")]
    }
    return verdict.blocks()
  }

  /// The filter before the detectors, and its delay.
  private var smoothing: [TextBlock] {
    guard let text = results.smoothing, let smoothing = try? Smoothing(text) else { return [] }
    return [.line("smoothing \(text, .bold), \(smoothing.delayText)")]
  }

  /// The changed parameters of each detector; bench detector show and the report list the defaults.
  private var detectors: [TextBlock] {
    let changed = results.detectors.filter { !$0.changed.isEmpty }.map { detector -> TextBlock in
      let values = detector.parameters.filter { detector.changed.contains($0.key) }.sorted { $0.key < $1.key }
        .map { "\($0.key)=\(NumberText.plain($0.value))" }.joined(separator: " ")
      return .labelled(
        "detector \(detector.name, .bold)", TonedText(values + ", else at its defaults", .dim),
        indent: 9 + detector.name.count + 1)
    }
    let others = results.detectors.filter { $0.changed.isEmpty && !results.isPredicted($0.name) }.map(\.name)
    guard !others.isEmpty else { return changed }
    let words = others.joined(separator: ", ") + (others.count == 1 ? " at its defaults" : " at their defaults")
    return changed + [.fact("detector", words)]
  }

  /// Metrics that gate or changed, by detector; the suite's other metrics by number. Metrics without a value are one
  /// line.
  private var metrics: [TextBlock] {
    let listed = results.metrics.filter(\.isListed)
    let known = listed.filter { $0.value != nil || change(of: $0)?.before != nil }
    let chosen = known.filter { $0.margin != nil || change(of: $0)?.isUnchanged == false }
    let shown = showsAll || chosen.isEmpty ? known : chosen
    let allGate = shown.allSatisfy { $0.margin != nil }
    let rows = shown.enumerated().map { index, metric -> TextTable.Row in
      let cells: [String] = [
        "  \(Metric.plainName(of: metric.metric))", metric.metric,
        NumberText.quantity(metric.value, unit: metric.unit), NumberText.interval(metric), gain(metric),
        metric.trivial.map { NumberText.value($0.value, unit: metric.unit) } ?? "", notes(metric, marksGates: !allGate),
      ]
      let isFirst = index == 0 || shown[index - 1].detector != metric.detector
      return TextTable.Row(cells, Tone.ofGain(change(of: metric)?.gain), heading: isFirst ? metric.detector : nil)
    }
    let header = TextTable.Row(["metric", "", "value", "95 % interval", "gain", "trivial", ""], .dim)
    var blocks: [TextBlock] = rows.isEmpty ? [] : [.columns(TextTable([header] + rows, right: [2, 3, 4, 5]))]
    let unknown = listed.filter { !known.contains($0.metricID) }
    if !unknown.isEmpty {
      let names = Set(unknown.map(\.metric)).sorted().map { Metric.plainName(of: $0) }.joined(separator: ", ")
      let reason =
        unknown.contains { results.isPredicted($0.detector) }
        ? "the predictions or these clips' labels lack what they need, such as times"
        : "these clips have no labels for them"
      blocks.append(.fact("n/a", "\(names): \(reason)"))
    }
    return blocks + TextBlock.unshownMetrics(known.count - shown.count)
  }

  private func gain(_ metric: RunResults.MetricResult) -> String {
    guard report.comparison != nil else { return "" }
    return change(of: metric).map { $0.isUnchanged ? "0" : NumberText.signed($0.gain, unit: metric.unit) } ?? "n/a"
  }

  private func notes(_ metric: RunResults.MetricResult, marksGates: Bool) -> String {
    var notes: [String] = []
    if marksGates, metric.margin != nil { notes.append("gates") }
    if showsAll {
      if metric.isPooled == true { notes.append("pooled") }
      if let human = metric.humanCeiling { notes.append("human \(NumberText.value(human, unit: metric.unit))") }
      if let method = metric.interval?.method, metric.isPooled != true { notes.append(method) }
      if let count = metric.unanswered { notes.append("\(count) without a prediction") }
    }
    if metric.definedSubjects == 1 { notes.append("no interval from one person") }
    if metric.definedSubjects < metric.bySubject.count {
      notes.append("\(NumberText.count(metric.bySubject.count - metric.definedSubjects, "person")) n/a")
    } else if showsAll, metric.undefinedClips > 0, metric.isPooled != true {
      notes.append("\(NumberText.count(metric.undefinedClips, "clip")) n/a")
    }
    return notes.joined(separator: ", ")
  }

  private func change(of metric: RunResults.MetricResult) -> MetricChange? {
    report.comparison?.metrics.first(of: metric.metricID)
  }

  /// Metrics in which ignoring the recording scores better.
  private var trivial: [TextBlock] {
    results.metrics.filter { $0.isListed && $0.isWorseThanTrivial }.map { metric in
      let (name, answer) = (metric.trivial?.answer.rawValue ?? "", metric.trivial?.value)
      let words =
        "\(metric.detector): \(metric.metric) \(NumberText.quantity(metric.value, unit: metric.unit)) is worse than always "
        + "predicting “\(name)” (\(NumberText.quantity(answer, unit: metric.unit)))."
      return .labelled(TonedText("trivial", .unsure), TonedText(words))
    }
  }

  /// The data behind the values.
  private var sample: [TextBlock] {
    let subjects = NumberText.count(Set(results.clips.map(\.person)).count, "person")
    let clips = NumberText.count(results.clips.count, "clip")
    let words = "\(subjects), \(clips); ranges are 95 % intervals"
    return [TextBlock.labelled(TonedText("over", .dim), TonedText(words, .dim))] + cases
  }

  /// The cases of a gain, if the two sides found different ones.
  private var cases: [TextBlock] {
    results.metrics.filter(\.isListed).compactMap { metric in
      change(of: metric)?.casesWords.map { TextBlock.fact("cases", "gain of \(metric.metric) \($0)") }
    }
  }

  private var costs: [TextBlock] { results.costLines.map { TextBlock.fact("cost", $0) } }

  /// The counts on clips without a labelled count.
  private var counts: [TextBlock] {
    guard let detector = results.counter else { return [] }
    let clips = results.clips.filter {
      $0.trueCount == nil && !results.isNegative($0) && $0.outcomes[detector]?.count != nil
    }
    guard !clips.isEmpty else { return [] }
    let shown = showsAll ? clips : Array(clips.prefix(10))
    let words = shown.map { "\($0.name) \($0.outcomes[detector]?.count ?? 0)" }.joined(separator: ", ")
    let others = clips.count - shown.count
    let more = others > 0 ? "; \(others) more: --all" : ""
    return [.gap, .fact("counted", "by \(detector) on unlabelled clips: \(words)\(more)")]
  }

  /// The clips to look at, their errors, and why reps were missed.
  private var worst: [TextBlock] {
    guard let detector = results.shownDetector else { return [] }
    let words = ClipMistakeWords(kind: results.detectors.first { $0.name == detector }?.kind ?? "")
    let clips = results.worstClips(detector).prefix(3)
    guard !clips.isEmpty else {
      return words.allRight(results, detector).map { [TextBlock.gap, .fact("worst", $0)] } ?? []
    }
    let rows = clips.map { clip in
      TextTable.Row(
        [clip.name, words.sentence(results.mistakes(detector, on: clip))],
        // The first lines say it of the clip to look at first.
        note: report.first.map { $0.clip == clip.id && $0.detector == detector } == true
          ? nil : report.reasonWords(detector, on: clip))
    }
    return [.gap, .fact("worst", "clips of \(detector):"), .columns(TextTable(rows, indent: 2))]
  }

  /// The remaining share of each metric under its worst perturbation.
  private var robustness: [TextBlock] {
    guard let robustness = results.robustness else { return [] }
    let rows = RobustnessText.rows(robustness)
    // The perturbation is a heading of its own: its name may be as long as half a line.
    let shown = rows.enumerated().map { index, row in
      TextTable.Row(
        ["  \(row[1])", Metric.plainName(of: row[2])] + row.dropFirst(3),
        heading: index == 0 || rows[index - 1][0] != row[0] ? row[0] : nil)
    }
    let header = TextTable.Row(["under a perturbation", "metric"] + RobustnessText.header.dropFirst(3), .dim)
    let notes = "\(robustness.seed)\((robustness.notes ?? []).map { "; \($0)" }.joined())"
    return [
      .gap, .columns(TextTable([header] + shown, right: [2, 3, 4])),
      .labelled(TonedText("seed", .dim), TonedText(notes, .dim)),
    ]
  }
}

// MARK: What screens have in common

extension Tone {
  /// `nil` for no gain and no loss.
  static func ofGain(_ gain: Double?) -> Tone? {
    let gain = gain ?? 0
    return gain > 0 ? .good : gain < 0 ? .bad : nil
  }
}

extension TextBlock {
  static func suite(_ name: String, _ version: Int) -> TextBlock {
    .line("\("suite \(name)", .bold) version \(version)")
  }

  /// The number of metrics that a screen leaves out, if any.
  static func unshownMetrics(_ count: Int) -> [TextBlock] {
    guard count > 0 else { return [] }
    let metrics = "\(NumberText.count(count, "metric")) \(count == 1 ? "does" : "do")"
    return [.fact("more", "\(metrics) not gate and did not change: --all")]
  }
}

extension Verdict {
  /// - Parameter stopAt: The suite's limit; `nil` where nothing is gated.
  func blocks(stopAt: Double? = nil) -> [TextBlock] {
    let limit = stopAt.map { limitWords(stopAt: $0) } ?? ""
    var blocks: [TextBlock] = [.labelled("verdict", "\(title, .bold, outcome.tone): \(reason)\(limit)")]
    if let detail { blocks.append(.fact("", detail)) }
    return blocks + findings.map { TextBlock.fact("finding", $0, .unsure) }
  }
}

extension Verdict.Outcome {
  var tone: Tone { self == .pass ? .good : self <= .missing ? .bad : .unsure }
}

extension RunResults {
  /// A warning for each tuned detector; empty if none was tuned.
  public var tuningBlocks: [TextBlock] { tuningSentences.map { TextBlock.fact("tuned", $0, .unsure) } }

  /// A warning that the poses were perturbed.
  var perturbationBlocks: [TextBlock] { perturbation?.blocks ?? [] }

  /// The files of predictions, and the clips that they lack.
  var predictionBlocks: [TextBlock] {
    (predicted ?? []).map { TextBlock.labelled("detector", "\($0.name, .bold), from \($0.files)") }
      + predictionLimits.map { TextBlock.fact("", $0, .unsure) }
  }

  /// Doubts about who is the same person, and another matching than the suite's.
  var peopleBlocks: [TextBlock] {
    Self.blocks("people", copyNote) + Self.blocks("people", peopleNote) + matchingBlocks
      + Self.blocks("drafts", draftNote) + repeatBlocks
  }

  /// That a program answers by chance.
  public var repeatBlocks: [TextBlock] { Self.blocks("random", repeatNote) }

  var matchingBlocks: [TextBlock] { Self.blocks("matching", matchingNote) }

  private static func blocks(_ name: String, _ note: String?) -> [TextBlock] {
    note.map { [TextBlock.fact(name, $0, .unsure)] } ?? []
  }
}

extension RunResults.Perturbation {
  /// A warning.
  var blocks: [TextBlock] { [.labelled(TonedText("perturbed", .unsure), TonedText(words), indent: 10)] }
}

extension [RunResults.DatasetCard] {
  /// The data behind a result, and its caveats, each below the last dataset that has it.
  var blocks: [TextBlock] {
    indices.flatMap { index -> [TextBlock] in
      let caveat = self[index].caveat
      let isRepeated = self[(index + 1)...].contains { $0.caveat == caveat }
      guard let caveat, !isRepeated else { return [self[index].block] }
      return [self[index].block, .fact("", caveat, .dim)]
    }
  }
}

extension RunResults.DatasetCard {
  fileprivate var block: TextBlock {
    let size = "\(NumberText.count(clips, "clip")) of \(NumberText.count(subjects, "person"))"
    let data = "\(size), \(content.prefix(19))"
    let text: TonedText =
      origin == .synthetic
      ? "\(name) \(version), \("SYNTHETIC", .unsure), \(data)" : "\(name) \(version), recorded, \(data)"
    return .labelled("dataset", text, isBroken: false)
  }
}
