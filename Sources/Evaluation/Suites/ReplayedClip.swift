import Coaching
import Datasets
import Files
import Pipeline
import PoseModel
import Scoring
import Statistics

/// One clip replayed with one detector for inspection: the detector's input, its predictions and their matches with the
/// labels.
public struct ReplayedClip: Sendable {
  /// The clip's result with the detector's outcome.
  public let result: ClipResult
  public let setting: DetectorSetting
  /// The rule that matched reps and strokes.
  public let matching: RepMatching
  public let manifest: Manifest
  /// The dataset's folder; `nil` for an imported dataset, which `bench dataset label` can label.
  public let folder: String?
  public let timeline: Timeline
  /// The matched strokes; `nil` for a detector that finds no strokes.
  public let strokes: StrokeMetrics.Matches?
  /// The reasons for missed, misnamed and false strokes, by their indices in `strokes`, of misnamed ones that of the
  /// label; `nil` for a detector that finds no strokes.
  public let strokeReasons: (missed: [Int: RepReason], misnamed: [Int: RepReason], wrong: [Int: RepReason])?
  /// The signal that the detector counts by, with its thresholds; `nil` if it declares none.
  package var counting: CountingTrace? { clip.countingTrace(setting) }
  /// What speaks for and against the count; `nil` where the reps' times are labelled, or no count is.
  package var countEvidence: CountEvidence? {
    guard strokes == nil, result.trueCount != nil, result.trueReps == nil, let reps = outcome?.reps, let counting else {
      return nil
    }
    func time(_ seconds: Double) -> Microseconds { Microseconds(seconds: seconds) ?? .zero }
    let predicted = reps.map { Rep(start: time($0.rep.start), end: time($0.rep.end), turn: $0.rep.turn.map(time)) }
    return CountEvidence(predicted, matching: matching, counting)
  }
  /// The evidence against the count; `nil` if unknown.
  public let doubts: CountDoubts?
  private let clip: PreparedClip
  /// The judged rep of the detector that each labelled one is compared with, by its index.
  private let compared: [Int: Rep]

  /// The labelled strokes, by their indices, that were found and named otherwise; empty without labels.
  public var misnamedStrokes: [(truth: Int, label: String, reason: RepReason)] {
    guard let strokes, let reasons = strokeReasons?.misnamed else { return [] }
    return reasons.sorted { $0.key < $1.key }.map { ($0.key, strokes.truth[$0.key].label, $0.value) }
  }

  /// The reps, or the whole clip (`nil`), that a judge without a count, or any on a clip without labelled movements, judged
  /// otherwise than people, and the measure behind its grade; empty for other detectors.
  ///
  /// `labelled faulty, no fault reported, graded 62.0, faulty below 50; most faulty measure: the greatest lean of the
  /// trunk 32.1°, sound 30.8°, faulty 35.6° (leanSound, leanFaulty)`. A clip's grade is the mean of its reps'.
  public var misjudged: [(rep: Int?, words: String)] {
    guard strokes == nil, let outcome, outcome.count == nil || !labels.hasMovements else { return [] }
    return (outcome.judged ?? []).filter { $0.isFaulty != $0.isReported }.map { judged in
      let faults = reportedFaults(of: judged).joined(separator: ", ")
      let labels =
        judged.isFaulty
        ? "labelled faulty, no fault reported" : "labelled good, \(faults.isEmpty ? "a fault" : faults) reported"
      let lowest = lowestGrade(of: judged)
      let (mean, rep) = judged.rep == nil ? (" on average", "a rep is ") : ("", "")
      let grade = judged.grade.map { grade in
        ", graded \(NumberText.fixed(grade, decimals: 1))\(mean)"
          + (lowest?.evidence.limit.map { ", \(rep)faulty below \(NumberText.plain($0))" } ?? "")
      }
      let why = lowest.map { lowest in
        let words = judged.rep == nil ? "lowest rep \(NumberText.fixed(lowest.grade, decimals: 1)), " : ""
        return "; \(words)most faulty measure: \(lowest.evidence.words)"
      }
      let isSilent = judged.isFaulty && !hasJudged(judged)
      return (judged.rep, "\(labels)\(grade ?? "")\(why ?? (isSilent ? ": no rep is judged" : ""))")
    }
  }

  /// What `misjudged` says, each with its rep.
  public var misjudgedSentences: [String] {
    misjudged.map { rep, words in "\(rep.map { "rep \($0 + 1)" } ?? "the clip"): \(words)" }
  }

  /// The lowest grade of a rep, or of the whole clip, and its evidence.
  private func lowestGrade(of judged: ClipResult.JudgedRep) -> (grade: Double, evidence: JudgedEvidence)? {
    timeline.events.compactMap { event -> (grade: Double, evidence: JudgedEvidence)? in
      guard case .grade(_, let grade, let rep) = event.kind, let evidence = event.evidence, isOf(judged, rep) else {
        return nil
      }
      return (grade, evidence)
    }.min { $0.grade < $1.grade }
  }

  /// Whether the detector judged a rep, or anything of the whole clip.
  private func hasJudged(_ judged: ClipResult.JudgedRep) -> Bool {
    judged.rep.map { compared[$0] != nil }
      ?? timeline.events.contains {
        switch $0.kind {
        case .grade, .fault: true
        default: false
        }
      }
  }

  /// The labelled faults that were reported of a rep, or of the whole clip, each once.
  private func reportedFaults(of judged: ClipResult.JudgedRep) -> [String] {
    let known = Set(labels.faults.map(\.name))
    var faults: [String] = []
    for event in timeline.events {
      guard case .fault(let fault, let rep) = event.kind, isOf(judged, rep), !faults.contains(fault),
        known.contains(fault) || known.contains(AnyFaultMetrics.incorrect)
      else { continue }
      faults.append(fault)
    }
    return faults
  }

  /// Whether a detector's rep is the one that a judged rep is compared with; true for a whole clip.
  private func isOf(_ judged: ClipResult.JudgedRep, _ rep: Rep) -> Bool {
    judged.rep.map { compared[$0] == rep } ?? true
  }

  public var isImported: Bool { folder == nil }
  /// The labels, with the suite's names.
  public var labels: GroundTruth { clip.groundTruth }
  /// The poses that the detector read.
  public var poses: PoseSequence { clip.poses }
  public var bones: [Bone] { Skeleton.named(manifest.skeleton)?.bones ?? [] }
  /// The detector's outcome on the clip.
  public var outcome: ClipResult.Outcome? { result.outcomes[setting.name] }

  /// - Throws: `EvaluationError.missing` for a clip without poses.
  public init(
    _ stored: StoredClip, of dataset: StoredDataset, in store: Store, by setting: DetectorSetting,
    under conditions: ReplayConditions, matching: RepMatching
  ) throws {
    let clip = try PreparedClip(stored, of: dataset, in: store, under: conditions, measuring: setting.signals)
    try self.init(clip, of: dataset, by: setting, matching: matching)
  }

  /// - Parameters:
  ///   - clip: The clip with the setting's signals measured.
  ///   - kept: The known result of the clip.
  init(
    _ clip: PreparedClip, of dataset: StoredDataset, by setting: DetectorSetting, matching: RepMatching,
    kept: ClipResult? = nil
  ) throws {
    self.clip = clip
    let replay: ClipReplay
    if let kept {
      (replay, result) = (try clip.replay(setting), kept)
    } else {
      let families = MetricFamilies.families(for: setting.profile, matching: matching)
      let scored = try clip.scored(setting, by: families, matching: matching)
      var own = clip.result
      own.outcomes[setting.name] = scored.outcome
      (replay, result) = (scored.replay, own)
    }
    self.setting = setting
    self.matching = matching
    manifest = dataset.manifest
    folder = dataset.folder
    timeline = Timeline(setting, on: clip, saying: replay)
    doubts = replay.doubts
    let judged = replay.prediction.judged.map(\.rep)
    compared = Dictionary(
      uniqueKeysWithValues: matching.pairs(truth: clip.groundTruth.reps ?? [], predicted: judged).map {
        ($0.truth, judged[$0.predicted])
      })
    let metrics =
      setting.profile.kind == .swing
      ? StrokeMetrics(for: ScoredDetector(setting.profile.tasks, matching: matching)) : nil
    let matches = metrics?.matches(clip.labelled(replay.prediction))
    strokes = matches
    let judging = clip.groundTruth.hasStrokeLabels ? metrics : nil
    let reasons = judging.flatMap { [clip] metrics in
      matches?.reasons(tolerance: metrics.tolerance, in: clip.groundTruth.intervals) { clip.countingTrace(setting) }
    }
    let misnamed = matches.map { Self.misnamed($0, in: replay.events) } ?? [:]
    strokeReasons = reasons.map { ($0.missed, misnamed, $0.wrong) }
  }

  /// Why strokes have another name than their label, by the index of the label.
  private static func misnamed(_ strokes: StrokeMetrics.Matches, in events: [Event]) -> [Int: RepReason] {
    var namings: [Microseconds: StrokeNaming] = [:]
    for event in events {
      if case .stroke(let stroke) = event.kind { namings[stroke.contact] = stroke.naming }
    }
    return strokes.misnamed.reduce(into: [:]) { reasons, pair in
      let stroke = strokes.predicted[pair.predicted]
      reasons[pair.truth] = RepReason(
        named: stroke.segment.label, labelled: strokes.truth[pair.truth].label, by: namings[stroke.contact])
    }
  }
}

extension JudgedEvidence {
  /// `the greatest lean of the trunk 32.1°, sound 30.8°, faulty 35.6° (leanSound, leanFaulty)`
  fileprivate var words: String {
    let isAngle = unit == "degrees"
    func number(_ value: Double) -> String {
      NumberText.fixed(value, decimals: isAngle ? 1 : 2) + (isAngle ? "°" : "")
    }
    let after = isAngle || unit.isEmpty || unit == "ratio" ? "" : " \(unit)"
    let usual = "sound \(number(sound))" + (faulty.map { ", faulty \(number($0))" } ?? "")
    let source = parameters.isEmpty ? "" : " (\(parameters.joined(separator: ", ")))"
    return "\(measure) \(number(value)), \(usual)\(after)\(source)"
  }
}

/// The clips of a run, to be replayed with the run's parameters, perturbations, smoothing and matching on the run's
/// content of the datasets. Each dataset is looked up once.
public struct RunClips: Sendable {
  private typealias Opened = (dataset: StoredDataset, clips: [String: StoredClip])

  private let results: RunResults
  private let catalogue: DatasetCatalogue
  private let takesKept: Bool
  private let registry: DetectorRegistry
  private var opened: [String: Opened] = [:]

  /// - Parameters:
  ///   - run: The run of the results, if it was made just now: its clips are not looked up again.
  ///   - takesKept: Whether the store's copy of a deleted folder is acceptable.
  public init(
    _ results: RunResults, of run: SuiteRun? = nil, in catalogue: DatasetCatalogue, takesKept: Bool = false,
    registry: DetectorRegistry
  ) {
    (self.results, self.catalogue, self.takesKept, self.registry) = (results, catalogue, takesKept, registry)
    for (dataset, clip) in run?.clips ?? [] {
      opened[dataset.manifest.name, default: (dataset, [:])].clips[clip.info.name] = clip
    }
  }

  /// Replays a clip with a detector.
  ///
  /// - Parameter assignments: Values that override those of the run.
  /// - Throws: `EvaluationError.missing` if the dataset's content differs from the run's, the clip or the detector is
  ///   gone, or the detector no longer accepts the run's parameters; `EvaluationError.usage` for values that contradict
  ///   each other.
  public mutating func replay(
    _ clip: ClipResult, detector: String, replacing assignments: [Assignment] = []
  ) throws -> ReplayedClip {
    let own = assignments.filter { $0.detector == detector }.reduce(into: [:]) { $0[$1.parameter] = $1.value }
    let setting = try results.setting(of: detector, replacing: own, registry: registry)
    let (dataset, clips) = try open(clip.dataset)
    guard let stored = clips[clip.name] else {
      throw EvaluationError.missing(
        what: "clip \(clip.id)", expected: "a clip of the dataset", found: "none of that name")
    }
    // A report shows the predictions of its run, even if this version predicts otherwise.
    let prepared = try PreparedClip(
      stored, of: dataset, in: catalogue.store, under: ReplayConditions(results), measuring: setting.signals)
    return try ReplayedClip(
      prepared, of: dataset, by: setting, matching: results.matching.rule, kept: own.isEmpty ? clip : nil)
  }

  private mutating func open(_ name: String) throws -> Opened {
    if let known = opened[name] { return known }
    let dataset = try results.dataset(named: name, in: catalogue, takesKept: takesKept)
    let clips = try catalogue.store.clips(of: dataset).map { ($0.info.name, $0) }
    let found = Opened(dataset, Dictionary(uniqueKeysWithValues: clips))
    opened[name] = found
    return found
  }
}

extension RunResults {
  /// A detector of the run with the run's parameters.
  ///
  /// - Parameter own: Values that override those of the run.
  /// - Throws: `EvaluationError.missing` if the detector is gone or no longer accepts the run's parameters;
  ///   `EvaluationError.usage` for values that contradict each other.
  func setting(
    of detector: String, replacing own: [String: Double], registry: DetectorRegistry
  ) throws -> DetectorSetting {
    guard let card = detectors.first(where: { $0.name == detector }) else {
      let names = detectors.map(\.name)
      throw EvaluationError.missing(
        what: "detector \(detector)", expected: "one of the run's, \(names.joined(separator: ", "))",
        found: NearNames.question(detector, in: names))
    }
    do {
      return try DetectorSetting(
        try predicted?.first { $0.name == detector }?.definition ?? registry.detector(named: detector),
        replacing: card.parameters.merging(own) { _, last in last })
    } catch let error as ParameterError {
      guard own.isEmpty else { throw EvaluationError.usage("\(error)") }
      throw EvaluationError.missing(
        what: "detector \(detector)", expected: "one that takes the run's parameters", found: "\(error)")
    }
  }

  /// A dataset of the run, with the run's content.
  ///
  /// - Parameter takesKept: Whether the store's copy of a deleted folder is acceptable.
  func dataset(named name: String, in catalogue: DatasetCatalogue, takesKept: Bool = false) throws -> StoredDataset {
    let seen = datasets.first { $0.name == name }?.content ?? ""
    let dataset =
      try takesKept ? catalogue.dataset(named: name, keptAs: seen) : catalogue.dataset(named: name)
    guard let content = dataset.content, content.description == seen else {
      throw EvaluationError.missing(
        what: "dataset \(name)", expected: "the content of the run, \(seen), to replay its clips",
        found: dataset.content?.description ?? "an unfinished import")
    }
    return dataset
  }
}

/// What replaces a suite's or a run's own in a replay.
public struct ReplayChanges: Sendable {
  public var values: [String: Double] = [:]
  /// `nil` for the suite's or the run's own.
  public var smoothing: SmoothingChoice?

  public init(values: [String: Double] = [:], smoothing: SmoothingChoice? = nil) {
    (self.values, self.smoothing) = (values, smoothing)
  }
}

/// The settings for the replay of a single clip, from a suite or without one.
public struct ReplayPlan: Sendable {
  /// The suite; `nil` for none.
  public let suite: Suite?
  public let setting: DetectorSetting
  /// The smoothing of the poses; `nil` for none.
  public let smoothing: Smoothing?
  /// Whether the user named the suite; its datasets must then match their pins.
  private let isPinned: Bool

  /// The matching rule without a suite.
  static let plainMatching = RepMatching(instant: .end, tolerance: Microseconds(500_000))

  /// - Parameters:
  ///   - detector: The detector; `nil` for the suite's first one, or `usual` without a suite.
  ///   - suiteName: The suite; `nil` for the only suite with the detector, or no suite if there are several or none.
  ///   - changes: Parameters and a smoothing that override those of the suite.
  /// - Throws: `EvaluationError.missing` for an unknown suite or detector, `EvaluationError.usage` for values that
  ///   contradict each other.
  public init(
    detector: String?, usual: String, suite suiteName: String?,
    replacing changes: (DetectorDefinition) throws -> ReplayChanges,
    in project: Project, registry: DetectorRegistry
  ) throws {
    let named = try suiteName.map { try project.suite(named: $0, registry: registry) }
    let definition = try registry.detector(named: detector ?? named?.detectors.first?.name ?? usual)
    let name = definition.profile.name
    if let named, !named.detectors.contains(where: { $0.name == name }) {
      throw EvaluationError.usage(
        "suite \(named.name): expected one of its detectors \(named.detectors.map(\.name).joined(separator: ", ")), "
          + "found \(name)")
    }
    isPinned = named != nil
    suite = named ?? Self.onlySuite(with: name, in: project, registry)
    let ofSuite = suite?.detectors.first { $0.name == name }?.parameters ?? [:]
    let changes = try changes(definition)
    smoothing = changes.smoothing.map(\.filter) ?? suite?.smoothing
    do {
      setting = try DetectorSetting(definition, replacing: ofSuite.merging(changes.values) { _, last in last })
    } catch let error as ParameterError {
      throw EvaluationError.usage("\(error)")
    }
  }

  /// The only suite with a detector, without those on public sets if there are others; skips unreadable suites.
  private static func onlySuite(with detector: String, in project: Project, _ registry: DetectorRegistry) -> Suite? {
    let all = project.suiteNames.compactMap { try? project.suite(named: $0, registry: registry) }
      .filter { $0.detectors.contains { $0.name == detector } }
    let own = all.filter { !$0.usesPublicSets(of: project) }
    let suites = own.isEmpty ? all : own
    return suites.count == 1 ? suites[0] : nil
  }

  public var matching: RepMatching { suite?.matching ?? Self.plainMatching }

  var conditions: ReplayConditions {
    var conditions = suite.map { ReplayConditions($0) } ?? ReplayConditions()
    conditions.smoothing = smoothing
    return conditions
  }

  /// The conditions for the clips of a dataset; `nil` for the suite's own.
  ///
  /// A suite that the user did not name does not say of other datasets in which clips nobody does the exercise.
  func replayConditions(of dataset: String?) -> ReplayConditions {
    var all = conditions
    if let dataset, let suite, !isPinned, !suite.datasets.contains(where: { $0.name == dataset }) {
      all.isNegative = { _ in false }
    }
    return all
  }

  /// Finds a clip by its name and replays it: first in the suite's datasets, then in all others.
  ///
  /// - Parameter dataset: The only dataset to search, with any content; `nil` for all datasets.
  /// - Throws: The errors of `DatasetCatalogue.clip`, and `EvaluationError.missing` for a clip without poses, or if the
  ///   user named the suite and the content of the clip's dataset differs from its pin.
  public func replay(
    _ clip: String, of dataset: String? = nil, in catalogue: DatasetCatalogue
  ) throws -> (dataset: StoredDataset, clip: ReplayedClip) {
    let (found, stored) = try catalogue.clip(
      named: clip, in: dataset, preferring: suite?.datasets.map(\.name) ?? [],
      likelyOf: suite?.exercises ?? [setting.profile.exercise])
    if isPinned, dataset == nil, let suite {
      try suite.datasets.first { $0.name == found.manifest.name }?
        .require(found, acceptedBy: "bench baseline accept --suite \(suite.name)")
    }
    let isOwn = suite?.datasets.contains { $0.name == found.manifest.name } ?? false
    let rule =
      isOwn || setting.profile.kind == .swing
      ? matching : try matching.fitting([(found, stored)], in: catalogue.store).rule
    return (
      found,
      try ReplayedClip(
        stored, of: found, in: catalogue.store, by: setting, under: replayConditions(of: found.manifest.name),
        matching: rule)
    )
  }
}
