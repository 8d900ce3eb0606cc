import Charts
import Datasets
import Evaluation
import Foundation
import Pipeline
import PoseModel
import Scoring
import Statistics

extension RunReport {
  /// The report as the input of its templates.
  ///
  /// - Parameter drawn: The pictures in the order of the report, drawn for the form.
  func model(_ drawn: [DrawnPicture], for form: ReportForm) -> ReportModel {
    var model = ReportModel()
    model.suite = results.suite
    (model.outcome, model.title) = (decision?.title ?? verdict?.title ?? "NO VERDICT", title)
    model.isPass = outcome.map { [.pass, .acceptedLoss].contains($0) } ?? false
    model.isRegression = outcome == .regression
    model.warnings = warnings
    model.summary = summary
    model.animation = animation?.title
    let lead =
      drawn.first { $0.picture.file == Self.leadFile }
      ?? drawn.first { $0.picture.part == .allClips && !$0.picture.isAside }
    model.lead = [lead?.model].compactMap(\.self)
    func pictures(_ part: ReportPicture.Part, isAside: Bool = false) -> [PictureModel] {
      drawn.filter {
        $0.picture.part == part && $0.picture.isAside == isAside && $0.picture.file != lead?.picture.file
      }.map(\.model)
    }
    let (limit, played): (Int, Set<String>) =
      switch form {
      case .file, .terminal: (10, [])
      case .page(let played): (200, played)
      case .comment(let clips): (clips, [])
      }
    let people = whoChanged
    // The people's values are in the table below.
    if people.first?.table?.rows.isEmpty == false { model.lead = model.lead.map { $0.withoutTable } }
    let sections =
      people + clipSections(pictures(.clip), limit: limit, played: played)
      + [SectionModel(heading: "More clips over time", pictures: pictures(.clip, isAside: true), isFolded: true)]
      + sliceSections
      + metricSections(form)
      + [
        SectionModel(anchor: "pictures", heading: "All clips together", pictures: pictures(.allClips)),
        SectionModel(
          heading: "More charts of all clips", pictures: pictures(.allClips, isAside: true), isFolded: true),
      ] + robustness(pictures(.robustness) + pictures(.robustness, isAside: true))
      + [
        SectionModel(
          anchor: "latency", heading: "Latency and cost", items: results.costLines, table: latencyTable,
          notes: ["Ranges in parentheses are 95 % intervals."]),
        SectionModel(
          heading: "Charts of latency", pictures: pictures(.latency) + pictures(.latency, isAside: true),
          isFolded: true),
      ] + making
    model.sections = sections.filter { $0.isShown(in: form) }
    // In a pull request only the changes are open.
    if case .comment = form {
      for index in model.sections.indices.dropFirst() { model.sections[index].isFolded = true }
    }
    return model
  }

  /// What the gate decided on the run; `nil` if no gate made it.
  var decision: GateDecision? { run.origin?.decision }

  /// `nil` without a verdict.
  private var outcome: Verdict.Outcome? { decision?.outcome ?? verdict?.outcome }

  /// The verdict's finding, or the result without a verdict; without a full stop.
  public var title: String { decision?.finding ?? verdict?.finding ?? String(conclusion.finding.dropLast()) }

  /// The next step after the verdict.
  var advice: String {
    guard let outcome else { return "Not compared: \(reasonWithoutVerdict ?? "there is no baseline")." }
    return switch outcome {
    case .pass:
      results.datasets.allSatisfy { $0.origin == .synthetic }
        ? "No loss beyond the margins on generated data."
        : "It can be released: this suite found no loss beyond its margins."
    case .regression:
      "Hold the release. If the loss is intended, accept it and say why: bench baseline accept --suite \(results.suite)"
        + results.predictionOptions + (run.origin?.against.map { " --against \(RunOrigin.quoted($0))" } ?? "")
        + " --because …"
    case .maybeWorse: adviceWhereUndecided
    case .missing:
      // The finding ends with the first next step.
      (["Cannot decide"] + (decision?.remedies ?? []).filter { !title.contains($0) }).map { "\($0)." }
        .joined(separator: " ")
    case .acceptedLoss: "It can be released: the loss was accepted on purpose."
    case .improvement:
      "Accept the better result with: bench baseline accept --suite \(results.suite)\(results.predictionOptions)"
    }
  }

  /// Whether it stops the release, and what would decide it.
  private var adviceWhereUndecided: String {
    let policy: String? = decision.map { $0.policy.prefix(1).uppercased() + $0.policy.dropFirst() + "." }
    let parts = [policy, verdict?.detail].compactMap(\.self)
    return parts.isEmpty ? "Add more people to the data to decide." : parts.joined(separator: " ")
  }

  private var warnings: [WarningModel] {
    results.datasets.warnings
      + zip(results.tunedSubjects, results.tuningSentences).map { tuned, sentence in
        let judged = tuned.judged.isEmpty ? "on other people" : "on people of this run"
        return WarningModel(label: "Tuned", about: "\(tuned.tuning.detector), \(judged)", text: sentence)
      }
      + [results.perturbation?.warning].compactMap(\.self)
  }
}

extension Verdict {
  /// `count error 1.000 → 1.444 reps, worse for 9 of 12 people; and 1 more`: the worst metric that changed, otherwise
  /// the reason.
  public var finding: String {
    let alike = metrics.worstFirst.filter { $0.outcome == outcome }
    guard ![.pass, .missing].contains(outcome), alike.first?.saysItself != true,
      let change = alike.first?.change, change.direction != nil,
      let gain = change.gain, gain < 0 || [.improvement, .maybeWorse].contains(outcome), gain != 0,
      let before = change.pairedBefore, let after = change.pairedAfter
    else { return reason }
    let changed = gain < 0 ? change.people?.worse : change.people?.better
    let people = changed.map { "\(gain < 0 ? "worse" : "better") for \($0) of \(change.subjects) people" }
    let parts = [change.valuesWords(from: before, to: after), people, change.likelihood]
    return parts.compactMap(\.self).joined(separator: ", ")
      + (alike.count > 1 ? "; and \(NumberText.count(alike.count - 1, "more metric"))" : "")
  }
}

extension RunReport {
  /// The maximum number of changed metrics shown; others are collapsed.
  private static let changeLimit = 3

  /// The changed metrics and people; empty without a baseline.
  private var whoChanged: [SectionModel] {
    guard comparison != nil else { return [] }
    let changes = changes
    let more = Array(changes.dropFirst(Self.changeLimit))
    return [
      SectionModel(
        anchor: "people", heading: "Changed metrics and people", texts: changeSentences,
        items: (comparison?.changedParameters ?? []).map { "Set: \($0)" } + changes.prefix(Self.changeLimit),
        table: changedPeople,
        notes: [changedPeople.flatMap { _ in leadPicture.map { "\($0.heading)." } }].compactMap(\.self),
        isShort: true),
      SectionModel(
        heading: "\(NumberText.count(more.count, "more metric")) that changed", items: more, isFolded: true),
    ]
  }

  /// The people with a changed value, as in the first picture; `nil` without one.
  private var changedPeople: TableModel? {
    guard let text = leadPicture?.chart.table.text, let header = text.first, header.first == "person" else {
      return nil
    }
    let changed = text.dropFirst().filter { ["+", "−"].contains($0.last?.prefix(1)) }
    // Metrics have no true value.
    let columns = header.indices.filter { column in changed.contains { !$0[column].isEmpty } }
    return changed.isEmpty ? nil : TableModel(([header] + changed).map { row in columns.map { row[$0] } })
  }

  /// The gating metrics on slices of the clips: the changes, or without a baseline the values by view.
  private var sliceSections: [SectionModel] {
    let changed = changedSlices
    let values = sliceValues
    let none: String? =
      results.slices == nil
      ? "This run was stored without slices. Run the suite again to get them."
      : values.isEmpty ? "All clips are alike in exercise, view, frame rate, dataset, labels and number of reps." : nil
    var first = SectionModel(anchor: "slices", heading: "Slices", texts: [none].compactMap(\.self))
    var others = changed + values
    // The view usually matters most.
    func isView(_ section: SectionModel) -> Bool { section.heading.hasSuffix(" by view") }
    let shown =
      comparison == nil ? others.firstIndex(where: isView) ?? others.indices.first : changed.firstIndex(where: isView)
    if let shown {
      let own = others.remove(at: shown)
      (first.texts, first.table, first.notes) = (["\(own.heading)."], own.table, own.notes)
    } else if none == nil {
      first.texts = ["No gating metric changed on any view."]
    }
    return [first] + others
  }

  /// The slices on which a gating metric differs from the baseline, a table for each dimension.
  private var changedSlices: [SectionModel] {
    ClipSlice.Dimension.allCases.compactMap { dimension -> SectionModel? in
      let changed = (slices ?? []).filter { $0.slice.dimension == dimension && ($0.metric.gain ?? 0) != 0 }
      guard !changed.isEmpty else { return nil }
      let header = [dimension.rawValue, "metric", "baseline", "now", "gain (95 %)", "adjusted p", "people"]
      let rows = changed.map { sliced -> RowModel in
        let (change, unit) = (sliced.metric, sliced.metric.unit)
        var row = RowModel(
          [
            sliced.slice.value, name(change.metric, of: change.detector),
            NumberText.value(change.pairedBefore, unit: unit), NumberText.quantity(change.pairedAfter, unit: unit),
            NumberText.signed(change.gain, unit: unit)
              + (NumberText.interval(change.interval, unit: unit).map { " (\($0))" } ?? ""),
            change.adjustedP.map { NumberText.probability($0) } ?? "n/a", "\(change.subjects)",
          ], gain: 4)
        row.mark(change)
        return row
      }
      return SectionModel(
        heading: "Changes by \(dimension.rawValue)", table: TableModel(header: header, rows: rows),
        notes: ["Over people with a value on both sides."], isFolded: true,
        place: .page)
    }
  }

  private var sliceValues: [SectionModel] {
    ClipSlice.Dimension.allCases.compactMap { dimension -> SectionModel? in
      let own = (results.slices ?? []).filter { $0.dimension == dimension }
      guard !own.isEmpty else { return nil }
      let rows = own.map { slice in
        let interval = slice.interval.map {
          "\(NumberText.value($0.low, unit: slice.unit)) to \(NumberText.value($0.high, unit: slice.unit))"
        }
        return [
          slice.slice, name(slice.metric, of: slice.detector), NumberText.quantity(slice.value, unit: slice.unit),
          interval ?? "n/a", "\(slice.definedSubjects) of \(slice.subjects)", "\(slice.clips)",
        ]
      }
      let header = [dimension.rawValue, "metric", "value", "95 % interval", "people", "clips"]
      return SectionModel(
        heading: "All values by \(dimension.rawValue)", table: TableModel([header] + rows), isFolded: true,
        place: .page)
    }
  }

  /// The suite's metrics: those that changed, then the others.
  private func metricSections(_ form: ReportForm) -> [SectionModel] {
    // A comment shows only metrics that can block the release.
    let isComment = if case .comment = form { true } else { false }
    let listed = results.metrics.filter { $0.isListed && (!isComment || $0.margin != nil) }
    let changed = listed.filter { change(of: $0).map { !$0.isUnchanged } ?? true }
    let same = changed.isEmpty ? [] : listed.filter { change(of: $0)?.isUnchanged == true }
    let unnamed = results.metrics.count { !$0.isListed }
    let hasTrend = listed.contains { !trend(of: $0).isEmpty }
    let people = eachPerson(listed)
    return [
      SectionModel(
        anchor: "metrics", heading: "Metrics", table: metricTable(changed.isEmpty ? listed : changed),
        notes: [
          "Ranges in parentheses are 95 % intervals. A gain above 0 is better. Metrics without a margin never block a "
            + "release.\(hasTrend ? " Block characters show the last runs on the same data." : "")"
        ] + (unnamed > 0 ? ["results.json has \(NumberText.count(unnamed, "other metric"))."] : []), isShort: true),
      SectionModel(
        heading: "\(NumberText.count(same.count, "metric")) that did not change", table: metricTable(same),
        isFolded: true),
      SectionModel(
        heading: "Definitions of the metrics, with people, clips and intervals",
        table: TableModel([Self.basisHeader] + listed.map(basis)), isFolded: true, place: .page),
      SectionModel(
        target: Self.eachPersonTarget, heading: "The value of each person", table: people,
        notes: ["A person's name shows that person's clips. With a change: the baseline's value → now."],
        isFolded: true,
        place: .page),
    ]
  }

  private static let eachPersonTarget = "each-person"
  private static let peopleLimit = 100

  /// A person a row, with a link to the person's clips.
  private func eachPerson(_ metrics: [RunResults.MetricResult]) -> TableModel {
    let own = metrics.filter { metric in metric.bySubject.contains { $0.value != nil } }
    let people = Set(own.flatMap(\.bySubject.keys)).sorted().prefix(Self.peopleLimit)
    let rows = people.map { person -> RowModel in
      var row = RowModel(
        [withoutDataset(person)]
          + own.map { metric in
            let change = change(of: metric)?.bySubject[person]
            let now = NumberText.value(metric.bySubject[person] ?? nil, unit: metric.unit)
            guard let gain = change?.gain, gain != 0 else { return now }
            return "\(NumberText.value(change?.before, unit: metric.unit)) → \(now)"
          })
      row.cells[0].link = "#person=\(person.linkEscaped)"
      return row
    }
    return TableModel(header: ["person"] + own.map { name($0.metric, of: $0.detector) }, rows: rows)
  }

  private func metricTable(_ metrics: [RunResults.MetricResult]) -> TableModel {
    let isCompared = metrics.contains { change(of: $0)?.isUnchanged == false }
    let gates = metrics.contains { $0.margin != nil }
    var rows = metrics.map { result -> RowModel in
      let change = change(of: result)
      let value = NumberText.quantity(result.value, unit: result.unit)
      let now = result.interval == nil ? value : "\(value) (\(NumberText.interval(result)))"
      var row = RowModel(
        [name(result.metric, of: result.detector), now + trend(of: result)]
          + (isCompared
            ? [NumberText.value(change?.before, unit: result.unit), gain(change, of: result)] : [])
          + (gates ? [result.margin.map(NumberText.plain) ?? ""] : []), gain: isCompared ? 3 : nil)
      row.cells[0].link = result.bySubject.contains { $0.value != nil } ? "#\(Self.eachPersonTarget)" : nil
      if let change { row.mark(change) }
      return row
    }
    // A value below the trivial predictor's is marked.
    for (row, result) in metrics.enumerated() where result.isWorseThanTrivial {
      rows[row].cells[1].text += ", worse than trivial"
    }
    return TableModel(
      header: ["metric", "now (95 %)"] + (isCompared ? ["baseline", "gain (95 %)"] : []) + (gates ? ["margin"] : []),
      rows: rows)
  }

  /// The values of the last runs as block characters, after a space; empty if they are all equal.
  private func trend(of result: RunResults.MetricResult) -> String {
    let past = trail.values(result.detector, result.metric)
    return Set(past).count > 1 ? Sparkline.text(past).map { " \($0)" } ?? "" : ""
  }

  /// `−0.069 (−0.103 to −0.036)`, `unchanged` or `n/a`
  private func gain(_ change: MetricChange?, of result: RunResults.MetricResult) -> String {
    guard let change else { return "n/a" }
    guard !change.isUnchanged else { return "unchanged" }
    return NumberText.signed(change.gain, unit: result.unit)
      + (NumberText.interval(change.interval, unit: result.unit).map { " (\($0))" } ?? "")
      + (change.oneSided > 0 ? ", over \(change.subjects) of \(result.bySubject.count) people" : "")
  }

  private static let basisHeader = [
    "metric", "measures", "people with a value", "clips without one", "no prediction", "aggregation", "interval method",
    "trivial predictor", "typical human",
  ]

  private func basis(_ result: RunResults.MetricResult) -> [String] {
    let reading = [result.unit, result.direction.words].filter { !$0.isEmpty }.joined(separator: ", ")
    let trivial =
      result.trivial.map { "\(NumberText.value($0.value, unit: result.unit)) (\($0.answer.rawValue))" } ?? ""
    return [
      name(result.metric, of: result.detector), "\(result.summary) (\(reading))",
      "\(result.definedSubjects) of \(result.bySubject.count)", "\(result.undefinedClips) of \(result.clips)",
      result.unanswered.map { "\($0)" } ?? "", result.isPooled == true ? "pooled" : "mean of people",
      result.interval?.method ?? "n/a", (result.isWorseThanTrivial ? "worse than " : "") + trivial,
      result.humanCeiling.map { NumberText.value($0, unit: result.unit) } ?? "",
    ]
  }

  private var latencyTable: TableModel {
    func cell(_ detector: String, _ name: String) -> String {
      guard let metric = results.metric(detector, name), metric.value != nil else { return "n/a" }
      let value = NumberText.quantity(metric.value, unit: metric.unit)
      return metric.interval == nil ? value : "\(value) (\(NumberText.interval(metric)))"
    }
    func cost(_ detector: String, _ quantile: String) -> String {
      guard let cost = results.measured[detector], let value = cost.quantiles[quantile] else { return "n/a" }
      func whole(_ value: Double) -> String { NumberText.fixed(value, decimals: 0) }
      let interval = cost.intervals?[quantile].map { " (\(whole($0.low)) to \(whole($0.high)))" }
      return "\(whole(value)) ns\(interval ?? "")"
    }
    let rows = results.detectors.map(\.name).map { detector in
      [
        detector, cell(detector, "latency.report"), cell(detector, "latency.early"), cell(detector, "latency.live"),
        cell(detector, "latency.live-lost"), cost(detector, "p50"), cost(detector, "p99"),
      ]
    }
    return TableModel(
      [
        [
          "detector", "end of rep to report", "report before the end", "report to cue, live", "reps lost live",
          "update p50", "update p99",
        ]
      ] + rows)
  }
}

extension String {
  /// The text encoded for the fragment of an address.
  var linkEscaped: String { addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? "" }
}

extension RowModel {
  /// Marks the row as better or worse if the change is shown.
  mutating func mark(_ change: MetricChange) {
    guard change.isShown, let gain = change.gain else { return }
    (isBetter, isWorse) = (gain > 0, gain < 0)
  }
}

extension RunReport {
  /// The data, the parameters, the method and its limits.
  private var making: [SectionModel] {
    let detectors = results.detectors
    let plain = detectors.filter(\.changed.isEmpty).map(\.name).joined(separator: ", ")
    let set = detectors.filter { !$0.changed.isEmpty }.map { card in
      let values = card.changed.sorted().compactMap { name in
        card.parameters[name].map { "\(name) \(NumberText.plain($0))" }
      }
      return "\(card.name), not at its defaults: \(values.joined(separator: ", "))"
    }
    return [
      SectionModel(anchor: "method", heading: "Data and method", items: results.datasets.map(\.sentence)),
      SectionModel(
        heading: "Parameters", items: set + (plain.isEmpty ? [] : ["\(plain): at their defaults"]), isFolded: true),
      .making(commands, caveat: commandsCaveat), .versions(versions),
      SectionModel(
        heading: "How numbers are computed", items: method + ["All numbers are in results.json."], isFolded: true,
        isOnTerminal: false),
      SectionModel(heading: "Limits", items: limits),
    ]
  }
}

extension SectionModel {
  /// The commands that make a report again.
  static func making(_ commands: [String], caveat: String?) -> SectionModel {
    SectionModel(
      heading: "Repeat this", commands: commands, notes: [caveat].compactMap(\.self), isFolded: true, isShort: true)
  }

  /// The versions that made a report.
  static func versions(_ facts: [FactModel]) -> SectionModel {
    SectionModel(
      heading: "Versions", table: TableModel([["made by", "version"]] + facts.map { [$0.name, $0.value] }),
      isFolded: true)
  }
}

extension RunResults.DatasetCard {
  /// The dataset with its origin, licence and content in a sentence.
  var sentence: String {
    "\(name) \(version), \(origin == .synthetic ? "SYNTHETIC" : "recorded"): \(NumberText.count(clips, "clip")) of "
      + "\(NumberText.count(subjects, "person")). Licence: \(licence). Source: \(source). Content: \(content)"
  }
}

extension RunReport {
  private var matchingRule: String {
    let rule = results.matching.rule
    return switch rule.rule {
    case .tolerance(let tolerance):
      "A rep is found if its \(rule.instant.rawValue) is within \(tolerance.seconds) s of a true rep's."
    case .overlap(let overlap):
      "A rep is found if it overlaps a true rep with an intersection over union of at least "
        + "\(NumberText.plain(overlap))."
    case .turnInside: "A rep is found if its turning point lies in a true rep, because people pause between reps."
    }
  }

  /// The method of each number, one or two sentences each.
  var method: [String] {
    [
      matchingRule + " Each true rep is matched with at most one found rep.",
      "A person's value is computed from all their clips. The value shown is the mean over people, with Student's t "
        + "interval. It is n/a with fewer than two people.",
      "A share of clips has Wilson's interval with the effective number of clips. Precision, recall, F1, correlations and "
        + "areas under a curve are computed from all clips together. Their intervals and gains come from "
        + "leaving out one person at a time.",
      "The trivial predictor is the best one that ignores the recording, scored on the same clips. Typical human is the "
        + "agreement of raters with each other.",
      "Quantiles of latency and cost have Woodruff's interval for clustered samples. All intervals are 95 % intervals.",
      "A gain above 0 is better, whatever the metric's direction. It is the mean of the people's gains over the "
        + "baseline. The margin is the largest harmless loss. A metric of found cases only, such as the latency of matched reps, "
        + "is compared on the cases found by both.",
      "A slice is scored on its own clips. Changes use people with a value on both sides. p is from the sign-flip test, "
        + "with Benjamini and Hochberg's correction over all slices.",
      "Report latency is the time from the labelled end of a rep to its report; early reports have a metric of their own. "
        + "Live latency adds the delay of a camera with \(NumberText.plain(results.camera.fps)) frames a second and a pose "
        + "estimator that takes \(NumberText.plain(results.camera.estimator.milliseconds)) ms a frame and drops frames "
        + "that arrive in between.",
      "Update cost is the processing time per frame on the machine of this run. Nanoseconds are never compared between "
        + "runs; a suite can compare a ratio measured in turns."
        + (results.detectors.contains { $0.files != nil } ? " A command reports its own cost, without the pipe." : ""),
      smoothing,
    ]
  }

  private var smoothing: String {
    guard let text = results.smoothing, let smoothing = try? Smoothing(text) else {
      return "Detectors get the recorded poses, without smoothing."
    }
    return
      "Every pose is smoothed by \(text), which \(smoothing.delayText). Both latencies include this delay. "
      + "The update cost excludes the filter."
  }

  /// The versions that made the run.
  var versions: [FactModel] {
    let own = [
      FactModel(name: "suite", value: "\(results.suite) version \(results.suiteVersion)"),
      FactModel(name: "run", value: run.name), FactModel(name: "made", value: run.created),
      FactModel(name: "bench", value: results.bench),
    ]
    return own + (run.origin?.facts ?? [])
  }

  /// The commands that repeat this report.
  var commands: [String] {
    guard let origin = run.origin else {
      return results.datasets.importCommands + ["bench run --suite \(results.suite)"]
    }
    return origin.commands(on: results.datasets)
  }

  var commandsCaveat: String? {
    guard let origin = run.origin else {
      return "The command of this run was not stored. This runs the suite as it is now."
    }
    return origin.commandsCaveat
  }

  /// The limits of the report.
  var limits: [String] {
    results.datasets.limits
      + [results.repeatNote, results.copyNote, results.peopleNote, results.matchingNote, results.draftNote]
      .compactMap(\.self)
      + results.predictionLimits
      + [
        "Many slices and clips are shown, and some differ by chance. They do not affect the verdict.",
        "An interval that includes no change does not prove that nothing changed.",
        "This report does not measure the pose estimator. A detector cannot correct its errors.",
      ]
  }
}
