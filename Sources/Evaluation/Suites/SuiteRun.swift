import Coaching
import Datasets
import Files
import Foundation
import PoseModel
import Scoring
import Statistics

/// One run of a suite: replays its clips through its detectors and scores what they say.
public struct SuiteRun: Sendable {
  public let suite: Suite
  /// What goes wrong with the poses before the detectors see them; a run with any never gates.
  public private(set) var perturbations: Perturbations?
  public let settings: [DetectorSetting]
  let datasets: [StoredDataset]
  let clips: [(dataset: StoredDataset, clip: StoredClip)]
  let store: Store
  /// Whom the parameters that come from files were tuned on.
  let tunings: [Tuning]

  /// Finds everything that the run needs.
  ///
  /// - Parameters:
  ///   - assignments: parameter values in place of the suite's.
  ///   - parameterFiles: more values in place of the suite's, which the assignments go before.
  ///   - datasetNames: datasets in place of the suite's; empty for the suite's own, which must be as pinned.
  ///   - perturbations: what is to go wrong with the poses.
  /// - Throws: `EvaluationError.missing` for a dataset or clip that is not there, has changed or is unfinished;
  ///   `EvaluationError.usage` or `DataError` for parameters that do not go together.
  public init(
    _ suite: Suite, assignments: [Assignment] = [], parameterFiles: [ParameterFile] = [], datasetNames: [String] = [],
    perturbations: Perturbations? = nil, in project: Project, store: Store, registry: DetectorRegistry
  ) throws {
    let assignments = parameterFiles.flatMap(\.assignments) + assignments
    self.suite = suite
    self.perturbations = perturbations
    self.store = store
    tunings = parameterFiles.map(\.tuning)
    settings = try suite.detectors.map { choice in
      let definition = try registry.detector(named: choice.name)
      var values = choice.parameters
      for assignment in assignments where assignment.detector == choice.name {
        values[assignment.parameter] = assignment.value
      }
      do {
        return try DetectorSetting(definition, replacing: values)
      } catch let error as ParameterError {
        guard assignments.contains(where: { $0.detector == choice.name }) else {
          throw DataError(
            file: project.suiteFile(suite.name), expected: "parameters of \(choice.name) that go together",
            found: "\(error)")
        }
        throw EvaluationError.usage("\(definition.profile.path): \(error)")
      }
    }
    guard Set(datasetNames).count == datasetNames.count else {
      throw EvaluationError.usage("--dataset names \(datasetNames.joined(separator: ", ")): expected each once")
    }
    let catalogue = DatasetCatalogue(project: project, store: store)
    datasets =
      try datasetNames.isEmpty
      ? suite.datasets.map { try catalogue.dataset(pinned: $0) } : datasetNames.map { try catalogue.dataset(named: $0) }
    clips = try datasets.flatMap { dataset in
      let clips = try store.clips(of: dataset).filter { suite.exercises.contains($0.info.exercise) }
      guard !clips.isEmpty else {
        throw EvaluationError.missing(
          what: "dataset \(dataset.manifest.name)",
          expected: "clips of \(suite.exercises.joined(separator: ", "))", found: "none")
      }
      if let clip = clips.first(where: { !$0.hasPoses }) {
        throw EvaluationError.missing(
          what: "dataset \(dataset.manifest.name)", expected: "poses to replay for clip \(clip.info.name)",
          found: "labels only; score predictions on it with bench score")
      }
      return clips.map { (dataset, $0) }
    }
  }

  /// The same run with other perturbations.
  func perturbed(by perturbations: Perturbations?) -> SuiteRun {
    var run = self
    run.perturbations = perturbations
    return run
  }

  public var clipCount: Int { clips.count }

  /// `squat-sample/s01`, as in a run's results.
  func subject(ofClip index: Int) -> String {
    "\(ReplayConditions(suite).people(of: clips[index].dataset.manifest))/\(clips[index].clip.info.subject)"
  }

  /// Subject names that recur in datasets of which nobody said whether they share people; `nil` where there are none.
  private var recurringSubjects: RecurringSubjects? {
    guard suite.people == nil else { return nil }
    return RecurringSubjects(
      Dictionary(grouping: clips) { $0.dataset.manifest }.map { manifest, clips in
        RecurringSubjects.Dataset(manifest, subjects: Set(clips.map(\.clip.info.subject)))
      })
  }

  /// Decodes a clip for its detectors.
  ///
  /// - Parameters:
  ///   - signals: those of the detectors.
  ///   - isLive: whether it is replayed live too.
  func prepared(
    _ index: Int, measuring signals: [any Signal] = [], isLive: Bool = false
  ) throws -> PreparedClip {
    let (dataset, stored) = clips[index]
    var conditions = ReplayConditions(suite, perturbations: perturbations)
    if !isLive { conditions.camera = nil }
    return try PreparedClip(stored, of: dataset, in: store, under: conditions, measuring: signals)
  }

  /// What the clips are from.
  var datasetCards: [RunResults.DatasetCard] {
    datasets.map { dataset in
      let manifest = dataset.manifest
      let own = clips.filter { $0.dataset.id == dataset.id }
      return RunResults.DatasetCard(
        name: manifest.name, version: manifest.version, content: dataset.content?.description ?? "unfinished",
        origin: manifest.origin, caveat: manifest.caveat, licence: manifest.licence, source: manifest.source,
        clips: own.count, subjects: Set(own.map(\.clip.info.subject)).count,
        isImported: dataset.folder == nil ? true : nil)
    }
  }

  private var detectorCards: [RunResults.DetectorCard] {
    settings.map { setting in
      RunResults.DetectorCard(
        name: setting.name, kind: setting.profile.kind.rawValue, summary: setting.profile.summary,
        parameters: setting.values.values,
        changed: setting.definition.parameters.filter { setting.values[$0] != $0.defaultValue }.map(\.name))
    }
  }
}

extension ReplayConditions {
  /// Those of a suite, live replay included.
  public init(_ suite: Suite, perturbations: Perturbations? = nil) {
    self.init(
      perturbations: perturbations, smoothing: suite.smoothing, camera: suite.camera, labels: suite.labels,
      sharesPeople: suite.people == .shared)
  }
}

/// A run together with what it was scored from, so that parts of it can be scored by themselves.
public struct ReplayedSuite: Sendable {
  public internal(set) var results: RunResults
  /// What people said of each clip, in the order of `results.clips`.
  let groundTruth: [GroundTruth]
  /// By detector, in the order of `results.detectors`, and clip, in that of `results.clips`.
  let tallies: TallyTable

  /// The metrics of some clips alone.
  ///
  /// - Parameter metrics: only those of families with one of these, by detector.
  func metrics(
    ofClips clips: [Int], among metrics: [String: Set<String>]
  ) -> [RunResults.MetricResult] {
    results.detectors.enumerated().flatMap { index, detector in
      tallies.results(
        of: index, called: detector.name, metrics: metrics[detector.name] ?? [], clips: clips)
    }
  }

  /// The gating metrics, or the suite's own where none gates, on every slice but the subjects, whose values the metrics
  /// have.
  fileprivate var sliceResults: [RunResults.SliceResult] {
    let gating = results.metrics.filter { $0.margin != nil }
    let chosen = gating.isEmpty ? results.metrics.filter(\.isListed) : gating
    let names = Dictionary(grouping: chosen, by: \.detector).mapValues { Set($0.map(\.metric)) }
    return ClipSlice.all(of: results.clips, truths: groundTruth).filter { $0.dimension != .subject }.flatMap { slice in
      let values = metrics(ofClips: slice.members, among: names)
      return results.detectors.flatMap { detector in
        chosen.filter { $0.detector == detector.name }.compactMap { metric in
          values.first { $0.detector == metric.detector && $0.metric == metric.metric }
        }
      }.map { value in
        RunResults.SliceResult(
          dimension: slice.dimension, slice: slice.value, detector: value.detector, metric: value.metric,
          unit: value.unit, value: value.value, interval: value.interval, definedSubjects: value.definedSubjects,
          subjects: value.bySubject.count, clips: value.clips,
          bySubject: value.bySubject, isPooled: value.isPooled, withoutSubject: value.withoutSubject)
      }
    }
  }
}

extension SuiteRun {
  /// A clip that every detector was replayed on.
  private struct Replayed: Sendable {
    var result: ClipResult
    var groundTruth: GroundTruth
    /// When its frames were taken; empty where no detector's metrics look at frames by their labels.
    var frames: [Microseconds]
    /// In the order of the settings.
    var tallies: [ClipTallies]
  }

  /// The results of `replay`, and what the detectors' updates cost, which is measured after it with nothing else at work.
  public func results(
    version: String, threads: Int, progress: @escaping @Sendable (Int) throws -> Void = { _ in }
  ) async throws -> RunResults {
    var kept: [Int: PoseSequence] = [:]
    var room = Self.room
    var results = try await replay(version: version, threads: threads, progress: progress) { index, poses in
      guard poses.byteCount <= room else { return }
      room -= poses.byteCount
      kept[index] = poses
    }.results
    let blocks = results.clips.reduce(0) { $0 + $1.frames / UpdateCost.blockSize }
    for choice in suite.percentiles where choice.quantity == .cost { try choice.require(samples: blocks) }
    let costs = try await updateCosts(kept) { try progress(clips.count) }
    for (setting, cost) in zip(settings, costs) {
      results.measured[setting.name] = RunResults.MeasuredCost(
        cost, percentiles: suite.percentiles.filter { $0.quantity == .cost && $0.detector == setting.name })
    }
    return results
  }

  /// Replays and scores, without costs. Parallel across clips; the results do not depend on the number of threads.
  ///
  /// - Parameter progress: called with the number of clips done.
  public func replay(
    version: String, threads: Int, progress: @Sendable (Int) throws -> Void = { _ in }
  ) async throws -> ReplayedSuite {
    try await replay(version: version, threads: threads, progress: progress) { _, _ in }
  }

  /// - Parameter keeping: called with each clip's position and its poses as the detectors saw them.
  private func replay(
    version: String, threads: Int, progress: @Sendable (Int) throws -> Void, keeping: (Int, PoseSequence) -> Void
  ) async throws -> ReplayedSuite {
    let families = settings.map { MetricFamilies.families(for: $0.profile, matching: suite.matching) }
    let signals: [any Signal] = settings.flatMap(\.signals)
    var parts = [Replayed?](repeating: nil, count: clips.count)
    try await withThrowingTaskGroup(of: (Int, Replayed, PoseSequence).self) { group in
      var next = 0
      var done = 0
      func start() {
        guard next < clips.count else { return }
        let index = next
        next += 1
        group.addTask {
          let clip = try prepared(index, measuring: signals, isLive: true)
          return (index, scored(clip, families), clip.poses)
        }
      }
      for _ in 0..<max(1, threads) { start() }
      while let (index, clip, poses) = try await group.next() {
        parts[index] = clip
        keeping(index, poses)
        done += 1
        try progress(done)
        start()
      }
    }
    let all = parts.compactMap { $0 }
    let tallies = TallyTable(
      subjects: clips.indices.map(subject(ofClip:)), clips: all.map(\.tallies), families: families)
    let found = all.map(\.result)
    let results = RunResults(
      bench: version, suite: suite.name, suiteVersion: suite.version, datasets: datasetCards,
      detectors: detectorCards, matching: RunResults.Matching(suite.matching), camera: suite.camera,
      smoothing: suite.smoothing?.description, labels: suite.labels.isEmpty ? nil : suite.labels,
      perturbation: perturbation,
      metrics: try metrics(tallies, anchors(all, families), found), clips: found, measured: [:],
      tunings: tunings.isEmpty ? nil : tunings,
      peopleNote: recurringSubjects?.note)
    var replayed = ReplayedSuite(results: results, groundTruth: all.map(\.groundTruth), tallies: tallies)
    replayed.results.slices = replayed.sliceResults
    return replayed
  }

  private func scored(_ clip: PreparedClip, _ families: [[any MetricFamily]]) -> Replayed {
    let labelsFrames = families.joined().contains { $0 is SegmentMetrics }
    var replayed = Replayed(
      result: clip.result, groundTruth: clip.groundTruth, frames: labelsFrames ? clip.poses.times : [], tallies: [])
    for (setting, families) in zip(settings, families) {
      let scored = clip.scored(setting, by: families, matching: suite.matching)
      replayed.result.outcomes[setting.name] = scored.outcome
      replayed.tallies.append(scored.tallies)
    }
    return replayed
  }

  /// What goes wrong with the poses, as results say it; `nil` for nothing.
  var perturbation: RunResults.Perturbation? {
    perturbations.map {
      RunResults.Perturbation(text: $0.text, seed: $0.seed, notes: notes(on: $0.steps.map { type(of: $0).profile }))
    }
  }

  /// What is done otherwise than these perturbations say, as the datasets don't hold what it takes.
  func notes(on perturbations: [PerturbationProfile]) -> [String] {
    let flat = datasets.filter { !$0.manifest.channels.contains(.z) }.map(\.manifest.name)
    guard !flat.isEmpty else { return [] }
    return perturbations.compactMap { profile in
      profile.withoutDepth.map { "\(profile.name): without depth \(flat.joined(separator: ", ")) \($0)" }
    }
  }

  /// Of each setting.
  private func anchors(_ clips: [Replayed], _ families: [[any MetricFamily]]) -> [Anchors] {
    let labelled = clips.enumerated().map { index, clip in
      LabelledPrediction(
        name: clip.result.name, subject: subject(ofClip: index), frames: clip.frames, groundTruth: clip.groundTruth,
        prediction: Prediction())
    }
    return families.map { Anchors(of: $0, on: labelled) }
  }

  /// The suite's own metrics in its order, then the others.
  private func metrics(
    _ tallies: TallyTable, _ anchors: [Anchors], _ clips: [ClipResult]
  ) throws -> [RunResults.MetricResult] {
    var results = settings.enumerated().flatMap { index, setting in
      anchors[index].beside(tallies.results(of: index, called: setting.name))
    }
    let listed = try suite.metrics.map { choice in
      guard
        let index = results.firstIndex(where: { $0.detector == choice.detector && $0.metric == choice.metric })
      else {
        throw EvaluationError.missing(
          what: "metric \(choice.metric)", expected: "a metric of \(choice.detector)", found: "none of that name")
      }
      var result = results.remove(at: index)
      result.isListed = true
      result.margin = choice.margin
      result.floor = choice.floor
      return result
    }
    let percentiles = try suite.percentiles.compactMap { try percentile($0, clips: clips) }
    return listed + percentiles + results
  }

  /// A percentile of a latency over all reps; `nil` for one of the update cost, which is measured.
  ///
  /// - Throws: `EvaluationError.missing` where recordings as they are have too few reps for it.
  private func percentile(_ choice: Suite.PercentileChoice, clips: [ClipResult]) throws -> RunResults.MetricResult? {
    func delays(_ clips: [ClipResult]) -> [Double] {
      clips.compactMap { $0.outcomes[choice.detector] }.flatMap {
        choice.quantity == .report ? $0.reportDelays.map(LatencyMetrics.lateness) : $0.liveDelays
      }
    }
    guard choice.quantity != .cost else { return nil }
    let all = delays(clips)
    // A perturbation may leave too few: the value is then undefined, in a run that gates nothing.
    if perturbations == nil { try choice.require(samples: all.count) }
    let isDefined = all.count >= choice.samplesNeeded
    let value = isDefined ? quantile(choice.percent / 100, of: all) : nil
    let delaysBySubject = Dictionary(grouping: clips, by: \.person).mapValues(delays)
    let subjects = delaysBySubject.mapValues { own -> Double? in
      own.count >= choice.samplesNeeded ? quantile(choice.percent / 100, of: own) : nil
    }
    return RunResults.MetricResult(
      detector: choice.detector, metric: choice.name, summary: "The \(choice.percent)th percentile over all reps.",
      unit: "ms", direction: .lowerIsBetter, value: value, pooled: value,
      interval: isDefined
        ? RunResults.MetricResult.Bounds(
          quantile: choice.percent / 100, ofClusters: delaysBySubject.sorted { $0.key < $1.key }.map(\.value),
          called: "subjects") : nil,
      bySubject: subjects,
      undefinedClips: clips.count { delays([$0]).count < choice.samplesNeeded }, clips: clips.count,
      undefined: "fewer than \(choice.samplesNeeded) reps are reported", isListed: true)
  }
}

extension SuiteRun {
  /// The room for poses that are kept from the replay to measure costs on, bytes; other clips are decoded again.
  private static let room = 64 << 20

  /// What each setting's updates cost: one clip after the other on a thread of its own, with nothing else at work.
  ///
  /// - Parameters:
  ///   - kept: poses of clips that need not be decoded again.
  ///   - progress: called before each clip; where it throws, the rest is left.
  private func updateCosts(
    _ kept: [Int: PoseSequence], progress: @escaping @Sendable () throws -> Void
  ) async throws -> [UpdateCost] {
    try await onThreadOfItsOwn {
      var costs = settings.map { _ in UpdateCost() }
      for index in clips.indices {
        try progress()
        let poses = try kept[index] ?? prepared(index).poses
        for setting in settings.indices { costs[setting].measure(settings[setting], on: poses) }
      }
      return costs
    }
  }

  /// Measures the ratios that the suite names, as `updateCosts`; none where it names none.
  ///
  /// - Parameter parameters: each detector's at the baseline, measured in turns with these where they are others.
  /// - Returns: by detector.
  public func costRatios(beside parameters: [String: [String: Double]]) async throws -> [String: MeasuredCostRatios] {
    try await onThreadOfItsOwn {
      var measured: [String: MeasuredCostRatios] = [:]
      for choice in suite.costs {
        guard let setting = settings.first(where: { $0.name == choice.detector }) else { continue }
        measured[setting.name] = try costRatios(of: setting, at: parameters[setting.name], margin: choice.margin)
      }
      return measured
    }
  }

  private func costRatios(
    of setting: DetectorSetting, at baseline: [String: Double]?, margin: Double?
  ) throws -> MeasuredCostRatios {
    // Parameters that the detector no longer takes can't be measured.
    let other = baseline.flatMap { values in
      values == setting.values.values ? nil : try? DetectorSetting(setting.definition, replacing: values)
    }
    let update = { InterleavedCost.update(of: setting) }
    var (toReference, toBaseline): ([Double], [Double]) = ([], [])
    for index in clips.indices {
      let poses = try prepared(index).poses
      if let ratio = InterleavedCost.ratio(of: update, to: InterleavedCost.reference, on: poses) {
        toReference.append(ratio)
      }
      if let other,
        let ratio = InterleavedCost.ratio(of: update, to: { InterleavedCost.update(of: other) }, on: poses)
      {
        toBaseline.append(ratio)
      }
    }
    return MeasuredCostRatios(
      toReference: CostRatio(byClip: toReference), toBaseline: other.map { _ in CostRatio(byClip: toBaseline) },
      margin: margin)
  }
}

/// Runs what must not share its thread with tasks.
private func onThreadOfItsOwn<Value: Sendable>(
  _ body: @escaping @Sendable () throws -> Value
) async throws -> Value {
  try await withCheckedThrowingContinuation { continuation in
    let thread = Thread { continuation.resume(with: Result(catching: body)) }
    // As much as a main thread has.
    thread.stackSize = 8 << 20
    thread.start()
  }
}

extension RunResults.MeasuredCost {
  /// - Parameter percentiles: that the suite asks for besides.
  init(_ cost: UpdateCost, percentiles: [Suite.PercentileChoice] = []) {
    let sorted = cost.samples.sorted()
    let asked = percentiles.compactMap { choice in
      quantile(choice.percent / 100, ofSorted: sorted).map { (p: choice.percent / 100, value: $0) }
    }
    let quantiles = cost.quantiles + asked
    let kept = min(sorted.count, 2000)
    self.init(
      blocks: sorted.count, framesPerBlock: UpdateCost.blockSize,
      quantiles: Dictionary(
        quantiles.map { (percentileName($0.p * 100), $0.value) }, uniquingKeysWith: { first, _ in first }),
      intervals: Dictionary(
        quantiles.compactMap { quantile in
          RunResults.MetricResult.Bounds(quantile: quantile.p, ofClusters: cost.byClip, called: "clips").map {
            (percentileName(quantile.p * 100), $0)
          }
        }, uniquingKeysWith: { first, _ in first }),
      clockFloor: quantile(0.5, of: cost.floor),
      samples: (0..<kept).map { sorted[$0 * sorted.count / kept] })
  }
}
