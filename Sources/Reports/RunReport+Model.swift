import Charts
import Datasets
import Evaluation
import Pipeline
import PoseModel
import Scoring
import Statistics

extension RunReport {
  /// The report as the input of templates; each picture is a file.
  ///
  /// - Parameters:
  ///   - drawn: The pictures of the report, in its order, with their HTML replacements.
  ///   - limit: The most changed clips that are listed.
  func model(_ drawn: [DrawnPicture], limit: Int = 20) -> ReportModel {
    var model = ReportModel()
    model.suite = results.suite
    model.suiteVersion = "\(results.suiteVersion)"
    (model.run, model.bench) = (run.name, results.bench)
    model.verdict = verdictModel
    model.warnings = warnings
    model.summary = summary
    model.animation = animation?.title
    let changes = changes
    model.changes = Array(changes.prefix(Self.changeLimit))
    model.moreChanges = Array(changes.dropFirst(Self.changeLimit))
    if !model.moreChanges.isEmpty { model.moreChangesCount = "\(model.moreChanges.count)" }
    model.changedParameters = comparison?.changedParameters ?? []
    let changed = changedClips
    model.changedClips = Array(changed.prefix(limit))
    model.hasChangedClips = !changed.isEmpty
    if changed.count > limit { model.moreChangedClips = "\(changed.count - limit)" }
    model.metrics = results.metrics.filter(\.isListed).map(metric)
    model.otherMetrics = results.metrics.filter { !$0.isListed }.map(metric)
    model.hasOtherMetrics = !model.otherMetrics.isEmpty
    func pictures(_ part: ReportPicture.Part) -> [PictureModel] { drawn.filter { $0.part == part }.map(\.model) }
    model.clips = clips(pictures(.clip))
    model.pictures = pictures(.allClips)
    model.changedSlices = changedSlices
    model.slices = sliceModels
    if results.slices == nil {
      model.noSlices = "This run is older than slices and has no predictions to score again."
    } else if model.slices.isEmpty {
      model.noSlices = "All clips are alike in exercise, view, frame rate, dataset, labels and number of reps."
    }
    model.latency = latencyTable
    model.latencyPictures = pictures(.latency)
    model.costs = results.costLines
    model.robustness = robustness(pictures(.robustness))
    model.datasets = results.datasets.map(DatasetModel.init)
    model.detectors = results.detectors.map(DetectorModel.init)
    model.method = method
    model.versions = versions
    model.commands = commands
    model.commandsCaveat = commandsCaveat
    model.limits = limits
    return model
  }

  /// The most metrics whose changes are shown at once; others are collapsed.
  private static let changeLimit = 3

  private var verdictModel: VerdictModel {
    var model = VerdictModel()
    guard let verdict else {
      model.outcome = "NO VERDICT"
      model.reason = reasonWithoutVerdict ?? "there is no baseline"
      model.advice = "Nothing is compared. The numbers stand for themselves."
      return model
    }
    model.outcome = verdict.outcome.title
    model.reason = verdict.reason
    model.advice =
      switch verdict.outcome {
      case .pass: "As far as this suite can tell, it can be released."
      case .regression:
        "Hold the release. If the loss is intended, accept it with: bench baseline accept --suite \(results.suite)"
          + results.predictionOptions
      case .worseNotProven, .betterNotProven: verdict.detail ?? "More people in the data would decide."
      case .missing: "Cannot decide: required data is missing."
      case .acceptedLoss: "The loss was accepted on purpose. It can be released."
      case .improvement:
        "Accept the better result with: bench baseline accept --suite \(results.suite)\(results.predictionOptions)"
      }
    model.isPass = [.pass, .acceptedLoss].contains(verdict.outcome)
    model.isRegression = verdict.outcome == .regression
    return model
  }

  private var warnings: [WarningModel] {
    results.datasets.warnings
      + zip(results.tunedSubjects, results.tuningSentences).map { tuned, sentence in
        WarningModel(
          label: "Tuned",
          about: tuned.judged.isEmpty
            ? "\(tuned.tuning.detector), on others" : "\(tuned.tuning.detector), on people of this run",
          text: sentence)
      }
      + [results.perturbation?.warning].compactMap(\.self)
  }

  private func metric(_ result: RunResults.MetricResult) -> MetricModel {
    let change = change(of: result)
    let gain = change?.gain
    var model = MetricModel()
    model.detector = result.detector
    model.metric = result.metric
    model.name = Metric.plainName(of: result.metric)
    model.summary = result.summary
    model.unit = result.value == nil ? "" : result.unit
    model.reading = [result.unit, result.direction.words].filter { !$0.isEmpty }.joined(separator: ", ")
    model.value = NumberText.value(result.value, unit: result.unit)
    model.interval = NumberText.interval(result)
    model.intervalBy = result.interval?.method ?? "n/a"
    model.baseline = NumberText.value(change?.before, unit: result.unit)
    if let change, !change.isUnchanged {
      model.gainInterval = NumberText.interval(change.interval, unit: result.unit)
    }
    model.gain = change.map { $0.isUnchanged ? "unchanged" : NumberText.signed($0.gain, unit: result.unit) } ?? "n/a"
    if let change, !change.isUnchanged, (change.oneSided ?? 0) > 0 {
      model.gainOf = "\(change.subjects) of \(result.bySubject.count) subjects"
    }
    model.margin = result.margin.map(NumberText.plain)
    model.outcome =
      verdict?.metrics.first {
        $0.change.detector == result.detector && $0.change.metric == result.metric
      }?.outcome.title.lowercased()
    model.trend = Sparkline.text(trail.values(result.detector, result.metric))
    model.subjects = "\(result.definedSubjects) of \(result.bySubject.count)"
    model.clipsWithout = "\(result.undefinedClips) of \(result.clips)"
    model.unanswered = result.unanswered.map { "\($0)" } ?? ""
    model.kind = result.isPooled == true ? "pooled" : "mean of subjects"
    model.trivial =
      result.trivial.map { "\(NumberText.value($0.value, unit: result.unit)) (\($0.answer.rawValue))" } ?? ""
    model.isWorseThanTrivial = result.isWorseThanTrivial
    model.humanCeiling = result.humanCeiling.map { NumberText.value($0, unit: result.unit) } ?? ""
    model.isBetter = (gain ?? 0) > 0
    model.isWorse = (gain ?? 0) < 0
    model.isShown = change?.isShown ?? false
    return model
  }

  private var sliceModels: [SliceModel] {
    let all = results.slices ?? []
    return ClipSlice.Dimension.allCases.compactMap { dimension in
      let own = all.filter { $0.dimension == dimension }
      guard !own.isEmpty else { return nil }
      let rows = own.map { slice in
        let interval = slice.interval.map {
          "\(NumberText.value($0.low, unit: slice.unit)) to \(NumberText.value($0.high, unit: slice.unit))"
        }
        return [
          slice.slice, slice.detector, slice.metric,
          NumberText.quantity(slice.value, unit: slice.unit), interval ?? "n/a",
          "\(slice.definedSubjects) of \(slice.subjects)", "\(slice.clips)",
        ]
      }
      let header = [dimension.rawValue, "detector", "metric", "value", "95 % interval", "subjects", "clips"]
      return SliceModel(dimension: dimension.rawValue, table: TableModel([header] + rows))
    }
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
          "detector", "rep's end to report", "report before the end", "report to cue, live", "reps lost live",
          "update p50", "update p99",
        ]
      ] + rows)
  }
}

extension DatasetModel {
  init(_ card: RunResults.DatasetCard) {
    name = card.name
    version = card.version
    origin = card.origin == .synthetic ? "SYNTHETIC" : "recorded"
    caveat = card.caveat
    licence = card.licence
    source = card.source
    clips = "\(card.clips)"
    subjects = "\(card.subjects)"
    content = card.content
  }
}

extension DetectorModel {
  fileprivate init(_ card: RunResults.DetectorCard) {
    name = card.name
    summary = card.summary
    let others = card.changed.sorted().compactMap { name in
      card.parameters[name].map { "\(name) \(NumberText.plain($0))" }
    }
    changed = others.isEmpty ? nil : others.joined(separator: ", ")
    parameters = card.parameters.sorted { $0.key < $1.key }.map { name, value in
      ParameterModel(
        owner: card.name, name: name, value: NumberText.plain(value), isChanged: card.changed.contains(name))
    }
  }
}

extension RunReport {
  /// The clips that the shown detector gets most wrong; none if none can be wrong.
  func clips(_ timelines: [PictureModel]) -> [ClipsModel] {
    guard let detector = results.shownDetector else { return [] }
    let words = mistakeWords
    let worst = worstClips
    var model = ClipsModel()
    model.heading = "Worst and most changed clips"
    model.detector = detector
    model.hasTable = !worst.isEmpty
    if worst.isEmpty {
      model.allRight = words.allRight(results, detector) ?? unlabelledWords(detector)
    } else {
      let changes = worst.map { clip in
        (comparison?.clipChanges ?? []).filter { $0.clip == clip.id && $0.detector == detector }
          .map(\.sentence).joined(separator: "; ")
      }
      let isChanged = changes.contains { !$0.isEmpty }
      let reasons = worst.map { results.missedWords(detector, on: $0) }
      let isExplained = reasons.contains { $0 != nil }
      model.table = TableModel(
        [
          ["clip", "subject", "view"] + words.header + (isExplained ? ["why missed"] : [])
            + (isChanged ? ["since the baseline"] : [])
        ]
          + zip(worst, zip(changes, reasons)).map { clip, words in
            [clip.name, clip.subject, clip.view.isEmpty ? "unknown" : clip.view]
              + mistakeWords.cells(results.mistakes(detector, on: clip)) + (isExplained ? [words.1 ?? ""] : [])
              + (isChanged ? [words.0.isEmpty ? "the same" : words.0] : [])
          })
    }
    model.timelines = timelines
    if !gone.isEmpty {
      model.noTimelines =
        "Timelines are left out of clips that can't be replayed: \(gone.joined(separator: ", ")) no longer has "
        + "the content of the run."
    }
    return [model]
  }

  /// The sentence if no clip can be scored: the counts.
  private func unlabelledWords(_ detector: String) -> String {
    let counts = results.clips.compactMap { clip in clip.outcomes[detector]?.count.map { "\(clip.name) \($0)" } }
    guard detector == results.counter, !counts.isEmpty else {
      return "No clip has labels to score \(detector) on."
    }
    let others = counts.count - 20
    return "No clip has a labelled count. Counted by \(detector): \(counts.prefix(20).joined(separator: ", "))"
      + (others > 0 ? " and \(others) more." : ".")
  }

  /// The worst first.
  var worstClips: [ClipResult] {
    results.shownDetector.map { Array(results.worstClips($0).prefix(Self.worstClipLimit)) } ?? []
  }

  /// The words for the errors of the shown detector.
  var mistakeWords: ClipMistakeWords {
    ClipMistakeWords(kind: results.detectors.first { $0.name == results.shownDetector }?.kind ?? "")
  }

  /// The clip to look at first: the one that moved farthest from the ground truth, by the shown detector or else by
  /// another, or else the worst.
  var firstClip: String? {
    let worse = (comparison?.clipChanges ?? []).filter { ($0.gain ?? 0) < 0 }
    if let broke = worse.first(where: { $0.detector == results.shownDetector }) ?? worse.first {
      return "Look first at \(withoutDataset(broke.clip)): \(broke.detector) \(broke.sentence)."
    }
    guard let detector = results.shownDetector, let worst = worstClips.first else { return nil }
    let words = mistakeWords.sentence(results.mistakes(detector, on: worst))
    return "Worst is \(withoutDataset(worst.id)): \(detector) \(words)."
  }
}

extension RunReport {
  /// The slices on which a gating metric differs from the baseline, by dimension.
  var changedSlices: [ChangedSliceModel] {
    ClipSlice.Dimension.allCases.compactMap { dimension in
      let changed = (slices ?? []).filter { $0.slice.dimension == dimension && !$0.metric.isUnchanged }
      guard !changed.isEmpty else { return nil }
      let header = [
        dimension.rawValue, "detector", "metric", "baseline", "now", "gain", "95 % interval", "adjusted p",
        "subjects on both sides", "clips",
      ]
      return ChangedSliceModel(
        dimension: dimension.rawValue, isFolded: dimension != .view, table: TableModel([header] + changed.map(row)))
    }
  }

  private func row(_ sliced: SliceChange) -> [String] {
    let (change, unit) = (sliced.metric, sliced.metric.unit)
    return [
      sliced.slice.value, change.detector, change.metric, NumberText.value(change.pairedBefore, unit: unit),
      NumberText.quantity(change.pairedAfter, unit: unit),
      NumberText.signed(change.gain, unit: unit), NumberText.interval(change.interval, unit: unit) ?? "n/a",
      change.adjustedP.map { NumberText.probability($0) } ?? "n/a", "\(change.subjects)", "\(change.clips)",
    ]
  }
}

extension RunReport {
  /// How the numbers were computed, a sentence or two each.
  var method: [String] {
    [
      (results.matching.toleranceSeconds.map {
        "A rep is found if its \(results.matching.instant) is within \($0) s of a true rep's."
      } ?? "A rep is found if it overlaps a true rep with an intersection over union of at least "
        + "\(NumberText.plain(results.matching.overlap ?? 0)).")
        + " Each rep is paired with at most one other.",
      "A subject's value is computed from all its clips. The value shown is the mean over subjects, with Student's t "
        + "interval. It is n/a with fewer than two subjects.",
      "A share of clips has Wilson's interval with the effective number of clips. Precision, recall, F1, correlations and "
        + "areas under a curve are computed from all clips together, marked pooled. Their intervals and gains come from "
        + "leaving out one subject at a time.",
      "The trivial predictor is the best one that ignores the recording, scored on the same clips. Typical human is the "
        + "agreement of raters with each other.",
      "Quantiles of latency and cost have Woodruff's interval for clustered samples. All intervals are 95 % intervals.",
      "A gain above 0 is better, whatever the metric's direction. It is the mean of the subjects' gains over the "
        + "baseline. The margin is the accepted loss. A metric of found cases only, such as the latency of matched reps, "
        + "is compared on the cases found by both.",
      "A slice is scored on its own clips. Changes use subjects with a value on both sides. p is from the sign-flip test, "
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
      return results.datasets.importCommands + ["./bench run --suite \(results.suite)"]
    }
    return origin.commands(on: results.datasets)
  }

  var commandsCaveat: String? {
    guard let origin = run.origin else {
      return "The command of this run was not stored. This runs the suite as it is now."
    }
    return origin.commandsCaveat
  }

  /// What the report cannot show.
  var limits: [String] {
    results.datasets.limits + [results.peopleNote].compactMap(\.self) + results.predictionLimits + [
      "Many slices and clips are shown, and some differ by chance. They do not affect the verdict.",
      "An interval that includes no change does not prove that nothing changed.",
      "This report does not measure the pose estimator. A detector cannot correct its errors.",
    ]
  }
}
