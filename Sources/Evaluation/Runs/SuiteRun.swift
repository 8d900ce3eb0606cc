import Coaching
import Datasets
import PoseModel
import Scoring
import Statistics

/// One run of a suite: replays its clips through its detectors and scores what they say.
public struct SuiteRun: Sendable {
  public let suite: Suite
  /// What goes wrong with the poses before the detectors see them; a run with any never gates.
  public let perturbations: Perturbations?
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
  func perturbed(by perturbations: Perturbations?) -> SuiteRun { SuiteRun(self, perturbations: perturbations) }

  private init(_ other: SuiteRun, perturbations: Perturbations?) {
    self.perturbations = perturbations
    suite = other.suite
    settings = other.settings
    datasets = other.datasets
    clips = other.clips
    store = other.store
    tunings = other.tunings
  }

  public var clipCount: Int { clips.count }

  private struct Replayed: Sendable {
    var result: ClipResult
    /// In the order of the settings.
    var scored: [ScoredClip]
    var costs: [UpdateCost]
  }

  /// The results of `replay`.
  public func results(
    version: String, threads: Int, progress: @Sendable (Int) throws -> Void = { _ in }
  ) async throws -> RunResults {
    try await replay(version: version, threads: threads, progress: progress).results
  }

  /// Replays and scores. Parallel across clips; the results do not depend on the number of threads.
  ///
  /// - Parameter progress: called with the number of clips done, from any thread.
  public func replay(
    version: String, threads: Int, progress: @Sendable (Int) throws -> Void = { _ in }
  ) async throws -> ReplayedSuite {
    var parts = [Replayed?](repeating: nil, count: clips.count)
    try await withThrowingTaskGroup(of: (Int, Replayed).self) { group in
      var next = 0
      var done = 0
      func start() {
        guard next < clips.count else { return }
        let index = next
        next += 1
        group.addTask { (index, try replay(index)) }
      }
      for _ in 0..<max(1, threads) { start() }
      while let (index, result) = try await group.next() {
        parts[index] = result
        done += 1
        try progress(done)
        start()
      }
    }
    let all = parts.compactMap { $0 }
    let results = RunResults(
      bench: version, suite: suite.name, suiteVersion: suite.version, datasets: cards(all), detectors: detectorCards,
      matching: RunResults.Matching(
        instant: suite.matching.instant.rawValue, toleranceSeconds: suite.matching.tolerance.seconds),
      camera: suite.camera, smoothing: suite.smoothing?.description,
      perturbation: perturbations.map {
        RunResults.Perturbation(text: $0.text, seed: $0.seed, notes: notes(on: $0.steps.map { type(of: $0).profile }))
      },
      metrics: try metrics(all), clips: all.map(\.result), measured: measured(all),
      tunings: tunings.isEmpty ? nil : tunings)
    var replayed = ReplayedSuite(
      results: results, profiles: settings.map(\.profile), scored: all.map(\.scored), matching: suite.matching)
    replayed.results.slices = replayed.sliceResults
    return replayed
  }

  private func replay(_ index: Int) throws -> Replayed {
    let (dataset, stored) = clips[index]
    let clip = try store.clip(stored, of: dataset)
    let recorded = try poses(of: clip, in: dataset)
    let poses = suite.smoothed(recorded)
    let truth = suite.renamed(Truth(clip.labels))
    let subject = "\(dataset.manifest.name)/\(clip.info.subject)"
    var replayed = Replayed(
      result: ClipResult(
        name: clip.info.name, dataset: dataset.manifest.name, subject: clip.info.subject,
        exercise: clip.info.exercise, view: clip.info.view, fps: clip.info.fps, frames: poses.frameCount,
        duration: (poses.times.last ?? .zero).seconds - (poses.times.first ?? .zero).seconds,
        trueCount: truth.count, trueReps: truth.reps?.map(ClipResult.RepTimes.init), outcomes: [:]),
      scored: [], costs: [])
    let table = SignalTable(settings.flatMap(\.signals), on: poses)
    for setting in settings {
      let events = late(Replay.events(of: setting, on: poses, table))
      let live = late(
        Replay.liveEvents(of: setting, on: recorded, camera: suite.camera, smoothing: suite.smoothing))
      let scored = ScoredClip(
        name: clip.info.name, subject: subject, frames: poses.times, truth: truth,
        prediction: Replay.prediction(events, live: live, of: setting.profile, until: poses.times.last ?? .zero))
      replayed.result.outcomes[setting.name] = ClipResult.Outcome(
        scored, matching: suite.matching, profile: setting.profile)
      replayed.scored.append(scored)
      var cost = UpdateCost()
      cost.measure(setting, on: poses)
      replayed.costs.append(cost)
    }
    return replayed
  }

  /// What the detectors get of a clip, before any smoothing.
  func poses(of clip: Clip, in dataset: StoredDataset) throws -> PoseSequence {
    let poses = try clip.poses(dataset.manifest)
    guard let perturbations, let skeleton = Skeleton.named(dataset.manifest.skeleton) else { return poses }
    return try perturbations.poses(poses, of: skeleton, clip: "\(dataset.manifest.name)/\(clip.info.name)")
  }

  /// What is said, when it comes.
  private func late(_ events: [Event]) -> [Event] {
    guard let delay = perturbations?.delay, delay > .zero else { return events }
    return events.map { Event(time: $0.time, reported: $0.reported + delay, kind: $0.kind) }
  }

  private func metrics(_ replayed: [Replayed]) throws -> [RunResults.MetricResult] {
    var results: [RunResults.MetricResult] = []
    for (index, setting) in settings.enumerated() {
      let clips = replayed.map { $0.scored[index] }
      for family in MetricFamilies.families(for: setting.profile, matching: suite.matching) {
        results += RunResults.MetricResult.results(of: family, detector: setting.name, clips: clips)
      }
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
    let percentiles = try suite.percentiles.compactMap { try percentile($0, clips: replayed.map(\.result)) }
    for choice in suite.percentiles where choice.quantity == .cost {
      guard let index = settings.firstIndex(where: { $0.name == choice.detector }) else { continue }
      try choice.require(samples: replayed.reduce(0) { $0 + $1.costs[index].samples.count })
    }
    return listed + percentiles + results
  }

  private func cards(_ replayed: [Replayed]) -> [RunResults.DatasetCard] {
    datasets.map { dataset in
      let manifest = dataset.manifest
      let clips = replayed.map(\.result).filter { $0.dataset == manifest.name }
      return RunResults.DatasetCard(
        name: manifest.name, version: manifest.version, content: dataset.content?.description ?? "unfinished",
        origin: manifest.origin, caveat: manifest.caveat, licence: manifest.licence, source: manifest.source,
        clips: clips.count, subjects: Set(clips.map(\.subject)).count,
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

  private func measured(_ replayed: [Replayed]) -> [String: RunResults.MeasuredCost] {
    var measured: [String: RunResults.MeasuredCost] = [:]
    for (index, setting) in settings.enumerated() {
      var cost = UpdateCost()
      for clip in replayed { cost.add(clip.costs[index]) }
      measured[setting.name] = RunResults.MeasuredCost(
        cost, percentiles: suite.percentiles.filter { $0.quantity == .cost && $0.detector == setting.name })
    }
    return measured
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
