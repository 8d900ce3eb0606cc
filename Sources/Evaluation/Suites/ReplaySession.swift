import Coaching
import Datasets
import Files
import Pipeline
import PoseModel
import Scoring
import Synchronization

/// One detector on the clips of a suite, a dataset or a stored run, to be replayed again with other parameters.
///
/// Each clip is read once and kept as long as memory allows.
public final class ReplaySession: Sendable {
  public struct Member: Sendable {
    public let dataset: StoredDataset
    public let clip: StoredClip

    /// `squat-sample/s01_side_1`
    public var id: String { clip.info.id(in: dataset.manifest) }
  }

  /// The scores of a setting on all clips.
  public struct Score: Sendable {
    /// With the detector's outcomes, in the order of the session's clips.
    public let clips: [ClipResult]
    /// The clips' labels, with the time in which nobody does the suite's exercises.
    public let groundTruth: [GroundTruth]
    /// The detector's metrics in the suite, or all metrics without a suite. No intervals.
    public let metrics: [RunResults.MetricResult]
  }

  /// `nil` if no suite says how to replay and match.
  public let suite: String?
  /// The detector as the session began.
  public let setting: DetectorSetting
  public let clips: [Member]
  private let matching: RepMatching
  private let conditions: ReplayConditions
  private let listed: [String]
  private let store: Store
  private let kept = Mutex((clips: [Int: PreparedClip](), room: ReplaySession.memory))
  private let threads: Int
  /// Of the task that made the session. Other threads replay too, and do not inherit it.
  private let reading = DataReading.current

  /// Memory for clips that are kept, in bytes.
  private static let memory = 512 << 20

  private init(
    suite: String?, setting: DetectorSetting, clips: [Member], matching: RepMatching, conditions: ReplayConditions,
    listed: [String], store: Store, threads: Int
  ) throws {
    (self.suite, self.setting, self.matching, self.conditions) = (suite, setting, matching, conditions)
    (self.listed, self.store, self.threads) = (listed, store, threads)
    self.clips = clips.filter(\.clip.hasPoses)
    guard !self.clips.isEmpty else {
      throw EvaluationError.missing(
        what: "clips for \(setting.name)", expected: "clips with poses", found: clips.isEmpty ? "none" : "labels only")
    }
  }

  /// The clips of the plan's suite, or all of a dataset.
  ///
  /// - Parameters:
  ///   - dataset: `nil` for the suite's own, which must have the pinned content.
  ///   - threads: How many clips are scored at once.
  /// - Throws: As `DatasetCatalogue.dataset`, and `EvaluationError.missing` without clips.
  public convenience init(
    _ plan: ReplayPlan, dataset: String?, in catalogue: DatasetCatalogue, threads: Int
  ) throws {
    let choice = plan.suite?.detectors.first { $0.name == plan.setting.name }
    let datasets =
      try dataset.map { [try catalogue.dataset(named: $0)] }
      ?? plan.suite.map { suite in try suite.datasets.map { try catalogue.dataset(pinned: $0, by: suite.name) } } ?? []
    let members = try datasets.flatMap { stored in
      try catalogue.store.clips(of: stored).filter { clip in
        guard dataset == nil, let suite = plan.suite else { return true }
        return suite.exercises.contains(clip.info.exercise) && choice?.takes(clip.info.exercise) ?? true
          || plan.setting.profile.tasks.counts && suite.isNegative(clip.info.exercise)
      }.map { Member(dataset: stored, clip: $0) }
    }
    try self.init(
      suite: plan.suite?.name, setting: plan.setting, clips: members, matching: plan.matching,
      conditions: plan.replayConditions(of: dataset),
      listed: plan.suite?.metrics.filter { $0.detector == plan.setting.name }.map(\.metric) ?? [],
      store: catalogue.store, threads: threads)
  }

  /// The clips of a stored run, with its parameters, perturbations, smoothing and matching.
  ///
  /// - Parameters:
  ///   - detector: `nil` for the one whose clips reports show.
  ///   - changes: Parameters and a smoothing that override the run's.
  /// - Throws: `EvaluationError.missing` if a dataset has other content than the run saw, or the detector is gone.
  public convenience init(
    _ results: RunResults, detector: String?, replacing changes: (DetectorDefinition) throws -> ReplayChanges,
    in catalogue: DatasetCatalogue, registry: DetectorRegistry, threads: Int
  ) throws {
    let name = detector ?? results.shownDetector ?? results.detectors.first?.name ?? ""
    let definition = try results.setting(of: name, replacing: [:], registry: registry).definition
    let ids = Set(results.clips.filter { $0.outcomes[name] != nil }.map(\.id))
    let members = try results.datasets.flatMap { card in
      let stored = try results.dataset(named: card.name, in: catalogue)
      return try catalogue.store.clips(of: stored).map { Member(dataset: stored, clip: $0) }
    }.filter { ids.contains($0.id) }
    let changes = try changes(definition)
    var conditions = try ReplayConditions(results)
    conditions.smoothing = changes.smoothing.map(\.filter) ?? conditions.smoothing
    try self.init(
      suite: results.suite, setting: results.setting(of: name, replacing: changes.values, registry: registry),
      clips: members, matching: results.matching.rule, conditions: conditions,
      listed: results.metrics.filter { $0.detector == name && $0.isListed }.map(\.metric), store: catalogue.store,
      threads: threads)
  }

  /// The detector with some parameters replaced.
  ///
  /// - Throws: `ParameterError`.
  public func setting(replacing values: [String: Double]) throws -> DetectorSetting {
    try DetectorSetting(setting.definition, replacing: setting.values.values.merging(values) { _, last in last })
  }

  /// A clip for inspection.
  public func replay(_ index: Int, by setting: DetectorSetting) throws -> ReplayedClip {
    try DataReading.$current.withValue(reading) {
      try ReplayedClip(prepared(index, for: setting), of: clips[index].dataset, by: setting, matching: matching)
    }
  }

  /// All clips, several at once.
  public func score(_ setting: DetectorSetting) throws -> Score {
    let families = MetricFamilies.families(for: setting.profile, matching: matching)
    let all = try concurrently(clips.count, threads: threads) { [self] index in
      let clip = try prepared(index, for: setting)
      let scored = try DataReading.$current.withValue(reading) {
        try clip.scored(setting, by: families, matching: matching)
      }
      var result = clip.result
      result.outcomes[setting.name] = scored.outcome
      return (result: result, subject: clip.subject, labels: clip.groundTruth, tallies: scored.tallies)
    }
    let metrics = TallyTable(
      subjects: all.map(\.subject), labels: all.map(\.labels), clips: all.map { [$0.tallies] }, families: [families]
    ).results(of: 0, called: setting.name, inference: false)
    let shown = listed.isEmpty ? metrics : listed.compactMap { name in metrics.first { $0.metric == name } }
    return Score(clips: all.map(\.result), groundTruth: all.map(\.labels), metrics: shown)
  }

  /// A clip with the signals of a setting; only those of the session's own setting are kept.
  private func prepared(_ index: Int, for setting: DetectorSetting) throws -> PreparedClip {
    var clip: PreparedClip
    if let known = kept.withLock({ $0.clips[index] }) {
      clip = known
    } else {
      let member = clips[index]
      clip = try PreparedClip(
        member.clip, of: member.dataset, in: store, under: conditions, measuring: self.setting.signals)
      let size = clip.byteCount
      kept.withLock { [clip] kept in
        guard kept.clips[index] == nil, size <= kept.room else { return }
        kept.room -= size
        kept.clips[index] = clip
      }
    }
    clip.measure(setting.signals)
    return clip
  }
}

extension ReplaySession.Score {
  /// The reps that a detector counts on a clip while nobody does the exercise; 0 for a clip with a true count.
  public func phantoms(of detector: String, onClip index: Int) -> Int {
    guard clips[index].trueCount == nil else { return 0 }
    return (clips[index].outcomes[detector]?.reps ?? []).count { groundTruth[index].isNegative($0.rep) }
  }

  /// Whether a detector fails on a clip. A right count is no failure, wherever its reps end; nor is the distance of a
  /// grade, which is hardly ever exactly the raters' mean.
  public func isWrong(_ detector: String, onClip index: Int) -> Bool {
    guard phantoms(of: detector, onClip: index) == 0 else { return true }
    if let error = clips[index].countError(detector) { return error != 0 }
    return clips[index].errors(of: detector).enumerated().contains { $0.offset != 2 && $0.element > 0 }
  }

  /// Whether a detector errs less on a clip than with other parameters; `nil` if it errs as much.
  public func isBetter(than other: Self, _ detector: String, onClip index: Int) -> Bool? {
    let (own, others) = (errors(of: detector, onClip: index), other.errors(of: detector, onClip: index))
    return own == others ? nil : own.lexicographicallyPrecedes(others)
  }

  /// The most serious kind first.
  private func errors(of detector: String, onClip index: Int) -> [Double] {
    clips[index].errors(of: detector) + [Double(phantoms(of: detector, onClip: index))]
  }
}
