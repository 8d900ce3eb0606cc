import Coaching
import Datasets
import Files
import Pipeline
import PoseModel
import Scoring
import Statistics

/// One run of a suite: replays its clips to its detectors and scores the predictions.
public struct SuiteRun: Sendable {
  /// As it is run: with the chosen smoothing, and the detector of the predictions if the suite names none for them.
  public private(set) var suite: Suite
  /// The smoothing in place of the suite's own; `nil` for its own.
  let smoothing: SmoothingChoice?
  /// The detectors whose predictions come from files.
  public let predicted: [PredictedDetector]
  /// The corruption of the poses before detection; a corrupted run never gates.
  public private(set) var perturbations: Perturbations?
  public private(set) var settings: [DetectorSetting]
  let datasets: [StoredDataset]
  private(set) var clips: [(dataset: StoredDataset, clip: StoredClip)]
  let store: Store
  /// The subjects that file parameters were tuned on.
  let tunings: [Tuning]
  /// See `ReplayConditions.isDisplaced`.
  private var isDisplaced = false
  /// That reps are matched by another rule than the suite's, and why; `nil` if they are not.
  private var matchingNote: String?

  /// Finds everything that the run needs.
  ///
  /// - Parameters:
  ///   - assignments: Parameter values that override the suite's.
  ///   - parameterFiles: Further values that override the suite's; assignments override them.
  ///   - smoothing: Overrides the suite's and the parameter files'.
  ///   - datasetNames: Datasets that replace the suite's; empty for the suite's own, which must match their pins.
  ///   - perturbations: The perturbations of the poses.
  ///   - predictions: Predictions that were made elsewhere: of detectors of the suite, which are then not replayed, or
  ///     of one that the suite does not know, which is then scored alone on the suite's metrics.
  /// - Throws: `EvaluationError.missing` for a dataset or clip that is missing, changed or unfinished;
  ///   `EvaluationError.usage` or `DataError` for parameters that contradict each other; `DataError` for predictions
  ///   that cannot be joined with the clips.
  public init(
    _ suite: Suite, assignments: [Assignment] = [], parameterFiles: [ParameterFile] = [],
    smoothing: SmoothingChoice? = nil, datasetNames: [String] = [], perturbations: Perturbations? = nil,
    predictions: PredictionFiles? = nil, in project: Project, store: Store, registry: DetectorRegistry
  ) throws {
    let assignments = parameterFiles.flatMap(\.assignments) + assignments
    self.smoothing = smoothing ?? parameterFiles.smoothing
    self.perturbations = perturbations
    self.store = store
    tunings = parameterFiles.map(\.tuning)
    guard Set(datasetNames).count == datasetNames.count else {
      throw EvaluationError.usage("--dataset names \(datasetNames.joined(separator: ", ")): expected each once")
    }
    let catalogue = DatasetCatalogue(project: project, store: store)
    let datasets =
      try datasetNames.isEmpty
      ? suite.datasets.map { try catalogue.dataset(pinned: $0) } : datasetNames.map { try catalogue.dataset(named: $0) }
    self.datasets = datasets
    predicted = try predictions?.detectors(of: suite, on: datasets, in: store, registry: registry) ?? []
    let suite = try predicted.reduce(suite.smoothed(by: self.smoothing)) { try $0.judging($1) }
    self.suite = suite
    let registry = registry.adding(DetectorRegistry(predicted.map(\.definition)))
    settings = try Self.settings(of: suite, assignments, in: project, registry)
    if let unpredicted = settings.lazy.compactMap({ $0.outside as? UnpredictedObserver }).first {
      throw unpredicted.missing
    }
    let needsPoses = settings.contains { $0.outside?.needsPoses ?? true }
    clips = try datasets.flatMap { dataset in
      let all = try store.clips(of: dataset)
      let clips = all.filter { suite.takes($0.info.exercise) }
      guard !clips.isEmpty else {
        let others = Dictionary(grouping: all, by: \.info.exercise).sorted { $0.key < $1.key }
          .map { "\($0.value.count) of \($0.key)" }
        throw EvaluationError.missing(
          what: "dataset \(dataset.manifest.name)",
          expected: "clips of \(suite.exercises.joined(separator: ", "))",
          found: others.isEmpty ? "none" : "none, but \(others.joined(separator: ", "))")
      }
      if needsPoses, let clip = clips.first(where: { !$0.hasPoses }) {
        throw EvaluationError.missing(
          what: "dataset \(dataset.manifest.name)", expected: "poses to replay for clip \(clip.info.name)",
          found: "labels only; score predictions on it with bench score")
      }
      return clips.map { (dataset, $0) }
    }
    // The suite's rule was made for its own datasets.
    if !datasetNames.isEmpty, settings.allSatisfy({ $0.profile.kind != .swing }) {
      let own = clips.filter { self.suite.exercises.contains($0.clip.info.exercise) }
      (self.suite.matching, matchingNote) = try suite.matching.fitting(own, in: store)
    }
    for choice in suite.detectors
    where !clips.map(\.clip.info.exercise).contains(where: { !suite.isNegative($0) && choice.takes($0) }) {
      throw EvaluationError.missing(
        what: "detector \(choice.name)",
        expected: "clips of \(choice.exercises?.joined(separator: ", ") ?? "any exercise") in "
          + datasets.map(\.manifest.name).joined(separator: ", "),
        found: "none")
    }
  }

  /// A run whose clips were tallied elsewhere: it needs no datasets here.
  public init(
    _ suite: Suite, assignments: [Assignment], parameterFiles: [ParameterFile], smoothing: SmoothingChoice?,
    tallied files: TallyFiles, in project: Project, store: Store, registry: DetectorRegistry
  ) throws {
    self.smoothing = smoothing ?? parameterFiles.smoothing
    (self.suite, self.store) = (suite.smoothed(by: self.smoothing), store)
    (predicted, datasets, clips, tunings) = ([], [], [], parameterFiles.map(\.tuning))
    settings = try Self.settings(
      of: suite, parameterFiles.flatMap(\.assignments) + assignments, in: project, registry)
    try files.require(TallyPlan(self, of: files, in: project))
  }

  /// - Throws: `EvaluationError.usage` or `DataError` for parameters that contradict each other.
  private static func settings(
    of suite: Suite, _ assignments: [Assignment], in project: Project, _ registry: DetectorRegistry
  ) throws -> [DetectorSetting] {
    try suite.detectors.map { choice in
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
            file: project.suiteFile(suite.name),
            expected: "parameters of \(choice.name) that do not contradict each other",
            found: "\(error)")
        }
        throw EvaluationError.usage("\(definition.profile.path): \(error)")
      }
    }
  }

  /// Whether a detector is replayed on a clip: one of its exercises or, for counters, one without reps of them, but none
  /// whose labels began as its own reps.
  func isReplayed(_ setting: Int, on clip: StoredClip) -> Bool {
    guard clip.labels.draft != settings[setting].name else { return false }
    guard suite.isNegative(clip.info.exercise) else { return suite.detectors[setting].takes(clip.info.exercise) }
    let profile = settings[setting].profile
    // A counter for any exercise is right to count another one.
    return profile.counts && (!profile.exercise.isEmpty || clip.labels.repCount == 0)
  }

  /// The same run on the clips of one of its detectors.
  func onClips(ofDetector name: String) -> SuiteRun {
    var run = self
    guard let setting = settings.firstIndex(where: { $0.name == name }) else { return run }
    run.clips = clips.filter { isReplayed(setting, on: $0.clip) }
    return run
  }

  /// The positions of clips among the run's.
  ///
  /// - Parameters:
  ///   - names: `squat-sample/s01_side_1` or, if only one dataset has it, `s01_side_1`.
  ///   - file: Their file's name in errors.
  /// - Throws: `DataError` with the line of a name that is unknown, ambiguous or there twice.
  public func positions(of names: [String], from file: String) throws -> [Int] {
    let ids = clips.indices.map(id)
    let byName = Dictionary(
      grouping: clips.indices.map { (ids[$0], $0) } + clips.indices.map { (clips[$0].clip.info.name, $0) }, by: \.0)
    var seen: [Int: Int] = [:]
    return try names.enumerated().map { line, name in
      let found = byName[name] ?? []
      guard found.count == 1, seen.updateValue(line + 1, forKey: found[0].1) == nil else {
        throw DataError(
          file: file, line: line + 1,
          expected: found.count > 1 ? "the clip with its dataset" : "a clip of the run, once",
          found: found.isEmpty ? NearNames.question(name, in: ids + clips.map(\.clip.info.name)) : name)
      }
      return found[0].1
    }
  }

  /// The same run on some of its clips.
  func onClips(_ positions: [Int]) -> SuiteRun {
    var run = self
    run.clips = positions.map { clips[$0] }
    return run
  }

  /// The same run on the clips that can have cases of a metric family.
  func concerning(_ family: any MetricFamily) -> SuiteRun {
    var run = self
    run.clips = clips.filter { _, clip in
      let isNegative = suite.isNegative(clip.info.exercise)
      guard family is PhantomMetrics else { return !isNegative }
      return isNegative || clip.labels.repCount == 0 || clip.labels.hasNegativeTime
    }
    return run
  }

  /// The same run with other perturbations.
  func perturbed(by perturbations: Perturbations?) -> SuiteRun {
    var run = self
    run.perturbations = perturbations
    return run
  }

  /// The same run by some of its detectors.
  func onDetectors(_ names: [String]) -> SuiteRun {
    var run = self
    let chosen = settings.indices.filter { names.contains(settings[$0].name) }
    run.settings = chosen.map { settings[$0] }
    run.suite.detectors = chosen.map { suite.detectors[$0] }
    run.suite.metrics.removeAll { !names.contains($0.detector) }
    run.suite.costs.removeAll { !names.contains($0.detector) }
    run.suite.percentiles.removeAll { !names.contains($0.detector) }
    return run
  }

  /// The same run with other settings of some of its detectors.
  func replacing(_ changed: [DetectorSetting]) -> SuiteRun {
    var run = self
    run.settings = settings.map { own in changed.first { $0.name == own.name } ?? own }
    return run
  }

  /// The same run with programs that get the clips at a later time and another place of the picture.
  func displaced() -> SuiteRun {
    var run = self
    run.isDisplaced = true
    return run
  }

  /// The same run with other smoothing.
  func smoothed(by choice: SmoothingChoice) -> SuiteRun {
    var run = self
    run.suite = suite.smoothed(by: choice)
    return run
  }

  public var clipCount: Int { clips.count }

  /// `squat-sample/s01_side_1`, as in a run's results.
  func id(ofClip index: Int) -> String { clips[index].clip.info.id(in: clips[index].dataset.manifest) }

  /// `squat-sample/s01`, as in a run's results.
  func subject(ofClip index: Int) -> String {
    let people = ReplayConditions(suite).people(of: clips[index].dataset.manifest)
    return PersonID(people: people, subject: clips[index].clip.info.subject).description
  }

  /// Subject names that recur without saying whether they are the same people; `nil` if there are none.
  private var recurringSubjects: RecurringSubjects? {
    guard suite.people == nil else { return nil }
    return RecurringSubjects(
      Dictionary(grouping: clips) { $0.dataset.manifest }.map { manifest, clips in
        RecurringSubjects.Dataset(manifest, subjects: Set(clips.map(\.clip.info.subject)))
      })
  }

  /// The doubts about who is the same person; `nil` for none.
  private var peopleNote: String? {
    let byPeople = Dictionary(grouping: clips) { ReplayConditions(suite).people(of: $0.dataset.manifest) }
    let similar = byPeople.sorted { $0.key < $1.key }.compactMap { _, clips in
      SimilarSubjects(Set(clips.map(\.clip.info.subject)))?.note
    }
    let notes = [recurringSubjects?.note].compactMap(\.self) + similar
    return notes.isEmpty ? nil : notes.joined(separator: " ")
  }

  /// Decodes a clip for its detectors.
  ///
  /// - Parameters:
  ///   - signals: The signals of the detectors.
  ///   - isLive: Whether it is also replayed live.
  func prepared(
    _ index: Int, measuring signals: [any Signal] = [], isLive: Bool = false
  ) throws -> PreparedClip {
    let (dataset, stored) = clips[index]
    var conditions = ReplayConditions(suite, perturbations: perturbations)
    conditions.isDisplaced = isDisplaced
    if !isLive { conditions.camera = nil }
    conditions.needsPoses = settings.contains { $0.outside?.needsPoses ?? true }
    return try PreparedClip(stored, of: dataset, in: store, under: conditions, measuring: signals)
  }

  /// The datasets of the clips.
  var datasetCards: [RunResults.DatasetCard] {
    datasets.map { dataset in
      RunResults.DatasetCard(dataset, clips: clips.filter { $0.dataset.id == dataset.id }.map(\.clip.info))
    }
  }

  func detectorCards() throws -> [RunResults.DetectorCard] {
    try settings.map { setting in
      RunResults.DetectorCard(
        name: setting.name, kind: setting.profile.kind.rawValue, summary: setting.profile.summary,
        parameters: setting.values.values,
        changed: setting.definition.parameters.filter { setting.values[$0] != $0.defaultValue }.map(\.name),
        files: try setting.outside?.filesHash())
    }
  }
}

extension ReplayConditions {
  /// The conditions of a suite, live replay included.
  public init(_ suite: Suite, perturbations: Perturbations? = nil) {
    self.init(
      perturbations: perturbations, smoothing: suite.smoothing, camera: suite.camera, labels: suite.labels,
      sharesPeople: suite.people == .shared, isNegative: { suite.isNegative($0) })
  }
}

extension RunResults.DatasetCard {
  /// - Parameter clips: The used clips.
  init(_ dataset: StoredDataset, clips: [Clip.Info]) {
    let manifest = dataset.manifest
    self.init(
      name: manifest.name, version: manifest.version, content: dataset.content?.description ?? "unfinished",
      origin: manifest.origin, caveat: manifest.caveat, licence: manifest.licence, source: manifest.source,
      clips: clips.count, subjects: Set(clips.map(\.subject)).count, isImported: dataset.folder == nil ? true : nil)
  }
}

/// A run with the tallies that it was scored from, which allow scoring parts of it.
public struct ReplayedSuite: Sendable {
  public internal(set) var results: RunResults
  /// The ground truth of each clip, in the order of `results.clips`.
  let groundTruth: [GroundTruth]
  /// By detector in the order of `results.detectors`, then by clip in the order of `results.clips`.
  let tallies: TallyTable

  /// The metrics of some clips alone.
  ///
  /// - Parameter metrics: Only families with one of these, by detector.
  func metrics(
    ofClips clips: [Int], among metrics: [String: Set<String>]
  ) -> [RunResults.MetricResult] {
    results.detectors.enumerated().flatMap { index, detector in
      tallies.results(
        of: index, called: detector.name, metrics: metrics[detector.name] ?? [], clips: clips)
    }
  }

  /// The gating metrics, or the suite's own if none gates, on every slice except subjects, whose values the metrics
  /// already have.
  fileprivate var sliceResults: [RunResults.SliceResult] {
    let gating = results.metrics.filter { $0.margin != nil }
    let chosen = gating.isEmpty ? results.metrics.filter(\.isListed) : gating
    let names = Dictionary(grouping: chosen, by: \.detector).mapValues { Set($0.map(\.metric)) }
    let slices = ClipSlice.all(of: results.clips, truths: groundTruth).filter { $0.dimension != .subject }
    return concurrently(slices.count) { index in
      let slice = slices[index]
      let values = metrics(ofClips: slice.members, among: names)
      return results.detectors.flatMap { detector in
        chosen.filter { $0.detector == detector.name }.compactMap { metric in
          values.first { $0.detector == metric.detector && $0.metric == metric.metric }
        }
      }.filter { $0.clips > 0 }.map { value in
        RunResults.SliceResult(
          dimension: slice.dimension, slice: slice.value, detector: value.detector, metric: value.metric,
          unit: value.unit, value: value.value, interval: value.interval, definedSubjects: value.definedSubjects,
          subjects: value.bySubject.count, clips: value.clips,
          bySubject: value.bySubject, isPooled: value.isPooled, withoutSubject: value.withoutSubject)
      }
    }.flatMap(\.self)
  }
}

extension SuiteRun {
  /// The results of `replay` and the cost of the detectors' updates, measured afterwards with nothing else running.
  public func results(
    version: String, threads: Int, progress: @escaping @Sendable (Int) throws -> Void = { _ in }
  ) async throws -> RunResults {
    var sample = CostSample(clips: clips.count)
    var parts: [TalliedClip] = []
    var copies = CopiedPeople()
    try await replay(threads: threads, progress: progress) { index, clip, poses, timed in
      sample.keep(poses, of: index, timed: timed)
      copies.add(clip.result, poses)
      parts.append(clip)
    }
    var results = try replayed(parts, head(version: version)).results
    results.copyNote = copies.note
    try requireCostPercentiles(results)
    let costs = try await updateCosts(sample) { try progress(clips.count) }
    results.measured = measured(costs)
    return results
  }

  /// Replays and scores, without costs. Parallel across clips; the results do not depend on the number of threads.
  ///
  /// - Parameter progress: Called with the number of finished clips.
  public func replay(
    version: String, threads: Int, progress: @Sendable (Int) throws -> Void = { _ in }
  ) async throws -> ReplayedSuite {
    var parts: [TalliedClip] = []
    try await replay(threads: threads, progress: progress) { _, clip, _, _ in parts.append(clip) }
    return try replayed(parts, head(version: version))
  }

  /// Writes the tallies of some clips, and the costs of the detectors' updates on them, to a file.
  ///
  /// - Parameters:
  ///   - positions: The clips' positions among all of the run.
  ///   - parameters: Each detector's parameters at the baseline, for `costRatios`.
  public func tally(
    _ positions: [Int], to file: TallyWriter, beside parameters: [String: [String: Double]], threads: Int,
    progress: @escaping @Sendable (Int) throws -> Void = { _ in }
  ) async throws {
    let part = onClips(positions)
    var sample = CostSample(clips: positions.count)
    try await part.replay(threads: threads, progress: progress) { index, clip, poses, timed in
      sample.keep(poses, of: index, timed: timed)
      try file.append(TallyLine(position: positions[index], id: clip.result.id, clip))
    }
    let costs = try await part.updateCosts(sample) { try progress(positions.count) }
    try file.finish(
      TallyCosts(
        updates: Dictionary(uniqueKeysWithValues: zip(settings.map(\.name), costs)),
        ratios: try await part.costRatios(beside: parameters)))
  }

  /// The results of a run whose clips were tallied elsewhere: the same as if they had been replayed here.
  ///
  /// - Parameter progress: Called with the number of clips that have been read.
  /// - Throws: `DataError` with file and line, `EvaluationError.missing` if clips are missing.
  public func results(
    of files: TallyFiles, threads: Int, progress: @Sendable (Int) throws -> Void = { _ in }
  ) async throws -> RunResults {
    var parts: [TalliedClip] = []
    parts.reserveCapacity(files.clipCount)
    try await files.forEach(TalliedClip.self, families: families, threads: threads, progress: progress) {
      parts.append($0)
    }
    var results = try replayed(parts, files.plan.run).results
    try requireCostPercentiles(results)
    results.measured = measured(settings.map { files.costs.updates[$0.name] ?? UpdateCost() })
    for (detector, ratios) in files.costs.ratios { results.measured[detector]?.ratios = ratios }
    return results
  }

  /// Each setting's.
  private var families: [[any MetricFamily]] {
    settings.map { MetricFamilies.families(for: $0.profile, matching: suite.matching) }
  }

  /// - Parameter take: Called in order with each clip's index, its tallies, its poses as the detectors saw them, and the
  ///   settings whose cost can be measured on it: programs that report their time, and detectors in Swift.
  private func replay(
    threads: Int, progress: @Sendable (Int) throws -> Void,
    take: (Int, TalliedClip, PoseSequence, Set<Int>) throws -> Void
  ) async throws {
    let families = families
    try await inOrder(clips.count, threads: threads) { index in
      {
        let replayed = settings.indices.filter { isReplayed($0, on: clips[index].clip) }
        let clip = try prepared(index, measuring: replayed.flatMap { settings[$0].signals }, isLive: true)
        let (tallied, timed) = try scored(clip, by: replayed, families)
        return (tallied, clip.poses, timed)
      }
    } take: { index, part in
      try take(index, part.0, part.1, part.2)
      try progress(index + 1)
    }
  }

  /// The results before any clip.
  func head(version: String) throws -> RunResults {
    RunResults(
      bench: version, suite: suite.name, suiteVersion: suite.version, datasets: datasetCards,
      detectors: try detectorCards(), matching: RunResults.Matching(suite.matching), camera: suite.camera,
      smoothing: suite.smoothing?.description, labels: suite.labels.isEmpty ? nil : suite.labels,
      perturbation: perturbation,
      metrics: [], clips: [], measured: [:], tunings: tunings.isEmpty ? nil : tunings,
      peopleNote: peopleNote, looks: suite.looks == .any ? .any : nil, negatives: negatives.isEmpty ? nil : negatives,
      matchingNote: matchingNote, draftNote: draftNote,
      predicted: predicted.isEmpty ? nil : predicted)
  }

  /// The clips that do not judge a detector, because their labels began as its reps; `nil` for none.
  private var draftNote: String? {
    let notes = settings.compactMap { setting -> String? in
      let count = clips.count { $0.clip.labels.draft == setting.name }
      return count == 0
        ? nil : "\(NumberText.count(count, "clip")) labelled from a draft of \(setting.name), not judged on them"
    }
    return notes.isEmpty ? nil : notes.joined(separator: "; ")
  }

  /// The exercises whose clips are time without reps.
  private var negatives: [String] { Set(clips.map(\.clip.info.exercise)).filter(suite.isNegative).sorted() }

  /// The results of all clips, without costs. Reads no clip of the run: they may have been replayed elsewhere.
  private func replayed(_ all: [TalliedClip], _ head: RunResults) throws -> ReplayedSuite {
    let families = families
    var results = head
    results.clips = all.map(\.result)
    let tallies = TallyTable(
      subjects: results.clips.map(\.person), labels: all.map(\.groundTruth), clips: all.map(\.tallies),
      families: families)
    results.metrics = try metrics(tallies, anchors(all, families), results)
    var replayed = ReplayedSuite(results: results, groundTruth: all.map(\.groundTruth), tallies: tallies)
    replayed.results.slices = replayed.sliceResults
    return replayed
  }

  /// - Throws: `EvaluationError.missing` if the clips are too short for the percentiles of costs in the suite.
  private func requireCostPercentiles(_ results: RunResults) throws {
    let blocks = results.clips.reduce(0) { $0 + $1.frames / UpdateCost.blockSize }
    for choice in suite.percentiles where choice.quantity == .cost { try choice.require(samples: blocks) }
  }

  /// By detector; a program that does not say how long it takes has none.
  private func measured(_ costs: [UpdateCost]) -> [String: RunResults.MeasuredCost] {
    var measured: [String: RunResults.MeasuredCost] = [:]
    for (setting, cost) in zip(settings, costs) where setting.outside == nil || !cost.samples.isEmpty {
      measured[setting.name] = RunResults.MeasuredCost(
        cost, percentiles: suite.percentiles.filter { $0.quantity == .cost && $0.detector == setting.name })
    }
    return measured
  }

  /// The clip's tallies, and the settings whose cost can be measured on it.
  ///
  /// - Parameter replayed: The settings that are replayed on it.
  private func scored(
    _ clip: PreparedClip, by replayed: [Int], _ families: [[any MetricFamily]]
  ) throws -> (clip: TalliedClip, timed: Set<Int>) {
    let labelsFrames = families.joined().contains { $0 is SegmentMetrics }
    var tallied = TalliedClip(
      result: clip.result, groundTruth: clip.groundTruth, frames: labelsFrames ? clip.poses.times : [], tallies: [])
    var timed: Set<Int> = []
    for (number, (setting, families)) in zip(settings, families).enumerated() {
      guard replayed.contains(number) else {
        tallied.tallies.append(nil)
        continue
      }
      let scored = try clip.scored(setting, by: families, matching: suite.matching)
      tallied.result.outcomes[setting.name] = scored.outcome
      tallied.tallies.append(scored.tallies)
      if setting.outside == nil || scored.replay.isTimed { timed.insert(number) }
    }
    return (tallied, timed)
  }

  /// The corruption of the poses for the results; `nil` for none.
  var perturbation: RunResults.Perturbation? {
    perturbations.map {
      RunResults.Perturbation(text: $0.text, seed: $0.seed, notes: notes(on: $0.steps.map { type(of: $0).profile }))
    }
  }

  /// Deviations from the perturbations' descriptions because of missing data.
  func notes(on perturbations: [PerturbationProfile]) -> [String] {
    let flat = datasets.filter { !$0.manifest.channels.contains(.z) }.map(\.manifest.name)
    guard !flat.isEmpty else { return [] }
    return perturbations.compactMap { profile in
      profile.withoutDepth.map { "\(profile.name): without depth \(flat.joined(separator: ", ")) \($0)" }
    }
  }

  /// For each setting.
  private func anchors(_ clips: [TalliedClip], _ families: [[any MetricFamily]]) -> [Anchors] {
    let labelled = clips.map { clip in
      LabelledPrediction(
        name: clip.result.name, subject: clip.result.person, frames: clip.frames, groundTruth: clip.groundTruth,
        prediction: Prediction())
    }
    return families.enumerated().map { setting, families in
      let own = clips.indices.filter { suite.detectors[setting].takes(clips[$0].result.exercise) }
      return Anchors(of: families, on: own.map { labelled[$0] })
    }
  }

  /// The first of these that a detector has is listed where the suite lists no metric of it: every detector is watched.
  private static let mainMetrics = [
    "count.exact", "strokes.f1", "classes.accuracy", "faults.any.f1", "grades.spearman",
  ]

  /// The suite's own metrics in its order, one of each detector without any, then the others.
  private func metrics(
    _ tallies: TallyTable, _ anchors: [Anchors], _ run: RunResults
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
    let percentiles = try suite.percentiles.compactMap { try percentile($0, run) }
    let unlisted = settings.map(\.name).filter { name in !suite.metrics.contains { $0.detector == name } }
    let watched = unlisted.compactMap { name -> RunResults.MetricResult? in
      let places = Self.mainMetrics.compactMap { main in
        results.firstIndex { $0.detector == name && $0.metric == main }
      }
      guard let place = places.first else { return nil }
      var result = results.remove(at: place)
      result.isListed = true
      return result
    }
    return listed + percentiles + watched + results
  }

  /// A percentile of a latency over all reps; `nil` for a percentile of the update cost, which is measured.
  ///
  /// - Throws: `EvaluationError.missing` if uncorrupted recordings have too few reps for it.
  private func percentile(_ choice: Suite.PercentileChoice, _ run: RunResults) throws -> RunResults.MetricResult? {
    func delays(_ clips: [ClipResult]) -> [Double] {
      clips.compactMap { $0.outcomes[choice.detector] }.flatMap {
        choice.quantity == .report ? $0.reportDelays.map(LatencyMetrics.lateness) : $0.liveDelays
      }
    }
    guard choice.quantity != .cost else { return nil }
    let all = delays(run.clips)
    // A perturbation may leave too few: the value is then undefined, in a run that cannot gate.
    if run.perturbation == nil { try choice.require(samples: all.count) }
    let clips = run.clips.filter { $0.outcomes[choice.detector] != nil }
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
