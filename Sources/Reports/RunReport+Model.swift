import Datasets
import Evaluation
import PoseModel
import Scoring

extension RunReport {
  /// The report as templates are filled with it; pictures come in a file each.
  ///
  /// - Parameters:
  ///   - drawn: the pictures of the report, in its order, with what stands in their place in HTML.
  ///   - limit: no more clips whose count changed are listed.
  func model(_ drawn: [DrawnPicture], limit: Int = 20) -> ReportModel {
    var model = ReportModel()
    model.suite = results.suite
    model.suiteVersion = "\(results.suiteVersion)"
    (model.run, model.created, model.bench) = (run.name, run.created, results.bench)
    model.verdict = verdictModel
    model.warnings = warnings
    model.summary = summary
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
      model.noSlices = "This run was kept before slices were, and keeps no predictions to score again."
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

  /// What changed in more metrics than these is for who wants it.
  private static let changeLimit = 3

  private var verdictModel: VerdictModel {
    var model = VerdictModel()
    guard let verdict else {
      model.outcome = "NO VERDICT"
      model.reason = reasonWithoutVerdict ?? "there is no baseline"
      model.advice = "Nothing is compared here. The numbers stand for themselves."
      model.isUnsure = true
      return model
    }
    model.outcome = verdict.outcome.rawValue.uppercased()
    model.reason = verdict.reason
    model.advice =
      switch verdict.outcome {
      case .pass: "As far as this suite can tell, it can be released."
      case .regression:
        "Hold the release. If the loss is meant, accept it with: bench baseline accept --suite \(results.suite)"
      case .inconclusive: verdict.detail ?? "More people in the data would decide."
      case .missing: "Something that the verdict needs is not there, so that nothing can be released on it."
      case .improvement: "Accept the better result with: bench baseline accept --suite \(results.suite)"
      }
    model.isPass = verdict.outcome == .pass
    model.isRegression = verdict.outcome == .regression
    model.isUnsure = !model.isPass && !model.isRegression
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
      + (results.perturbationText.map {
        [WarningModel(label: "Perturbed", about: results.perturbation?.text ?? "", text: $0)]
      } ?? [])
  }

  private func metric(_ result: RunResults.MetricResult) -> MetricModel {
    let change = change(of: result)
    let gain = change?.gain
    var model = MetricModel()
    model.detector = result.detector
    model.metric = result.metric
    model.summary = result.summary
    model.unit = result.value == nil ? "" : result.unit
    model.reading = [result.unit, result.direction.words].filter { !$0.isEmpty }.joined(separator: ", ")
    model.value = NumberText.value(result.value, unit: result.unit)
    model.interval = NumberText.interval(result)
    model.intervalBy = result.interval?.method ?? "n/a"
    model.baseline = NumberText.value(change?.before, unit: result.unit)
    if let change, !change.isUnchanged, !change.isPooled {
      model.gainInterval = NumberText.interval(change.interval(level: Verdict.level), unit: result.unit)
    }
    model.gain = change.map { $0.isUnchanged ? "unchanged" : NumberText.signed($0.gain, unit: result.unit) } ?? "n/a"
    if let change, !change.isUnchanged, !change.isPooled, !change.oneSided.isEmpty {
      model.gainOf = "\(change.gains.count) of \(result.bySubject.count) subjects"
    }
    model.margin = result.margin.map(NumberText.plain)
    model.floor = result.floor.map(NumberText.plain)
    model.outcome =
      verdict?.metrics.first {
        $0.change.detector == result.detector && $0.change.metric == result.metric
      }?.outcome.rawValue
    model.trend = Sparkline.text(trail.values(result.detector, result.metric))
    model.subjects = "\(result.definedSubjects) of \(result.bySubject.count)"
    model.clipsWithout = "\(result.undefinedClips) of \(result.clips)"
    model.isBetter = (gain ?? 0) > 0
    model.isWorse = (gain ?? 0) < 0
    model.isShown = change?.isShown ?? false
    model.isGating = result.margin != nil
    model.isPooled = result.isPooled == true
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
        detector, cell(detector, "latency.report"), cell(detector, "latency.live"),
        cell(detector, "latency.live-lost"), cost(detector, "p50"), cost(detector, "p99"),
      ]
    }
    return TableModel(
      [
        ["detector", "rep's end to report", "report to cue, live", "reps lost live", "update p50", "update p99"]
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
