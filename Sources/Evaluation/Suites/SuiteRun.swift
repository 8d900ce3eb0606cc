import Coaching
import Datasets
import Files
import Pipeline
import PoseModel
import Scoring
import Statistics

/// Where the predictions on a run's clips come from.
public enum ClipSource: Sendable {
  /// Every detector is replayed.
  case replay
  /// Detectors of the suite with predictions in these files are not replayed; one that the suite does not know is scored
  /// alone on the suite's metrics.
  case predictions(PredictionFiles)
  /// No clip is replayed: they were tallied elsewhere, and the run needs no datasets here.
  case tallies(TallyFiles)

  /// `nil` for none.
  public var predictions: PredictionFiles? { if case .predictions(let files) = self { files } else { nil } }

  /// `nil` for none.
  public var tallies: TallyFiles? { if case .tallies(let files) = self { files } else { nil } }
}

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
  /// The tallies of all clips if they were made elsewhere; `nil` for a run on clips of this machine.
  let tallies: TallyFiles?
  /// The subjects that file parameters were tuned on.
  let tunings: [Tuning]
  /// See `ReplayConditions.isDisplaced`.
  private var isDisplaced = false
  /// Whether other datasets than the suite's are scored.
  private(set) var replacesDatasets = false
  /// That reps are matched by another rule than the suite's, and why; `nil` if they are not.
  private(set) var matchingNote: String?

  /// Finds everything that the run needs.
  ///
  /// - Parameters:
  ///   - assignments: Parameter values that override the suite's.
  ///   - parameterFiles: Further values that override the suite's; assignments override them.
  ///   - smoothing: Overrides the suite's and the parameter files'.
  ///   - datasetNames: Datasets that replace the suite's; empty for the suite's own, which must match their pins.
  ///   - perturbations: The perturbations of the poses.
  ///   - source: The origin of the predictions.
  /// - Throws: `EvaluationError.missing` for a dataset or clip that is missing, changed or unfinished;
  ///   `EvaluationError.usage` or `DataError` for parameters that contradict each other; `DataError` for predictions
  ///   that cannot be joined with the clips, and for tallies of another run.
  public init(
    _ suite: Suite, assignments: [Assignment] = [], parameterFiles: [ParameterFile] = [],
    smoothing: SmoothingChoice? = nil, datasetNames: [String] = [], perturbations: Perturbations? = nil,
    from source: ClipSource = .replay, in project: Project, store: Store, registry: DetectorRegistry
  ) throws {
    let assignments = parameterFiles.flatMap(\.assignments) + assignments
    self.smoothing = smoothing ?? parameterFiles.smoothing
    self.perturbations = perturbations
    self.store = store
    tunings = parameterFiles.map(\.tuning)
    tallies = source.tallies
    if let tallies {
      self.suite = suite.smoothed(by: self.smoothing)
      (predicted, datasets, clips) = ([], [], [])
      settings = try Self.settings(of: suite, assignments, in: project, registry)
      try tallies.require(TallyPlan(self, of: tallies, in: project))
      return
    }
    guard Set(datasetNames).count == datasetNames.count else {
      throw EvaluationError.usage("--dataset names \(datasetNames.joined(separator: ", ")): expected each once")
    }
    let catalogue = DatasetCatalogue(project: project, store: store)
    let datasets =
      try datasetNames.isEmpty
      ? suite.datasets.map { try catalogue.dataset(pinned: $0, by: suite.name, predictions: source.predictions) }
      : datasetNames.map { try catalogue.dataset(named: $0) }
    self.datasets = datasets
    replacesDatasets = !datasetNames.isEmpty
    predicted = try source.predictions?.detectors(of: suite, on: datasets, in: store, registry: registry) ?? []
    let suite = try predicted.reduce(suite.smoothed(by: self.smoothing)) { try $0.judging($1) }
    self.suite = suite
    let registry = registry.adding(DetectorRegistry(predicted.map(\.definition)))
    settings = try Self.settings(of: suite, assignments, in: project, registry)
    if let unpredicted = settings.lazy.compactMap({ $0.outside as? UnpredictedObserver }).first {
      throw unpredicted.missing
    }
    let needsPoses = settings.contains { $0.outside?.needsPoses ?? true }
    clips = try datasets.flatMap { dataset in
      try Self.clips(of: dataset, for: suite, needsPoses: needsPoses, in: store).map {
        (dataset: dataset, clip: $0)
      }
    }
    // The suite's rule was made for its own datasets.
    if !datasetNames.isEmpty, settings.allSatisfy({ $0.profile.kind != .swing }) {
      let own = clips.filter { self.suite.exercises.contains($0.clip.info.exercise) }
      (self.suite.matching, matchingNote) = try suite.matching.fitting(own, in: store)
    }
    try requireClipsOfEachDetector()
  }

  /// The clips of a dataset that a suite takes.
  private static func clips(
    of dataset: StoredDataset, for suite: Suite, needsPoses: Bool, in store: Store
  ) throws -> [StoredClip] {
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
    return clips
  }

  private func requireClipsOfEachDetector() throws {
    let exercises = clips.map(\.clip.info.exercise)
    for choice in suite.detectors
    where !exercises.contains(where: { !suite.isNegative($0) && choice.takes($0) }) {
      let names = datasets.map(\.manifest.name)
      let other = suite.datasets.first { !names.contains($0.name) }
      throw EvaluationError.missing(
        what: "detector \(choice.name)",
        expected: "clips of \((choice.exercises ?? suite.exercises).joined(separator: ", ")) in "
          + names.joined(separator: ", "),
        found: "none; add a dataset that has them" + (other.map { ": --dataset \($0.name)" } ?? ""))
    }
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
    return profile.tasks.counts && (!profile.exercise.isEmpty || clip.labels.repCount == 0)
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
      guard type(of: family).isOfNegatives else { return !isNegative }
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

  /// 0 for a run whose clips were tallied elsewhere.
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
  var peopleNote: String? {
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
