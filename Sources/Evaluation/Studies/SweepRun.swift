import Coaching
import Datasets
import Files
import Pipeline
import PoseModel
import Scoring
import Statistics
import Synchronization

/// Scores one metric of a detector at many settings, on a suite's clips.
///
/// Each clip is read once and each signal measured once for all settings. Only one tally per setting and subject is
/// kept.
public struct SweepRun: Sendable {
  public let plan: SweepPlan
  public let metric: Metric
  private let suiteRun: SuiteRun
  private let base: DetectorSetting
  private let settings: [(values: [String: Double], setting: DetectorSetting)]
  private let contradictions: [SweepResults.Contradiction]
  private let family: any MetricFamily
  private let negativeRun: SuiteRun?
  /// Of the clips of the metric and of phantoms.
  private let datasets: [RunResults.DatasetCard]

  /// - Parameters:
  ///   - metricName: The metric; `nil` for the first metric of the detector in the suite.
  ///   - suiteRun: The clips, and the values of the parameters that are not swept.
  /// - Throws: `EvaluationError.missing` for a metric that the detector does not have, `EvaluationError.usage` if all
  ///   settings are contradictory.
  public init(_ plan: SweepPlan, metric metricName: String? = nil, on suiteRun: SuiteRun) throws {
    guard let base = suiteRun.settings.first(where: { $0.name == plan.detector }) else {
      throw EvaluationError.missing(
        what: "suite \(suiteRun.suite.name)", expected: "the detector \(plan.detector)", found: "none of this name")
    }
    self.plan = plan
    self.base = base
    (family, metric) = try Self.metric(metricName, of: base, suiteRun.suite)
    let own = suiteRun.onClips(ofDetector: plan.detector)
    self.suiteRun = own.concerning(family)
    negativeRun = own.negative(for: base, besides: family)
    datasets = own.datasetCards
    (settings, contradictions) = try Self.settings(of: plan, base)
    if settings.isEmpty, let first = contradictions.first {
      throw EvaluationError.usage("none of the \(contradictions.count) settings is possible: \(first.reason)")
    }
  }

  public var clipCount: Int { suiteRun.clips.count }
  public var settingCount: Int { settings.count }

  static func metric(
    _ name: String?, of setting: DetectorSetting, _ suite: Suite
  ) throws -> (any MetricFamily, Metric) {
    let families = MetricFamilies.families(for: setting.profile, matching: suite.matching)
    let known = families.flatMap(\.metrics).map(\.name)
    let name = name ?? suite.metrics.first { $0.detector == setting.name }?.metric ?? known.first ?? ""
    for family in families {
      if let metric = family.metrics.first(where: { $0.name == name }) { return (family, metric) }
    }
    throw EvaluationError.missing(
      what: "metric", expected: "one of \(setting.name)'s: \(known.joined(separator: ", "))",
      found: known.isEmpty ? "no metric of this detector" : NearNames.question(name, in: known))
  }

  private static func settings(
    of plan: SweepPlan, _ base: DetectorSetting
  ) throws -> ([(values: [String: Double], setting: DetectorSetting)], [SweepResults.Contradiction]) {
    var settings: [(values: [String: Double], setting: DetectorSetting)] = []
    var contradictions: [SweepResults.Contradiction] = []
    for point in plan.points {
      let swept = Dictionary(uniqueKeysWithValues: zip(plan.axes.map(\.parameter.name), point))
      do {
        let values = base.values.values.merging(swept) { $1 }
        settings.append((swept, try DetectorSetting(base.definition, replacing: values)))
      } catch ParameterError.contradiction(let reason) {
        contradictions.append(SweepResults.Contradiction(values: swept, reason: reason))
      } catch let error as ParameterError {
        throw EvaluationError.usage("\(plan.detector): \(error)")
      }
    }
    return (settings, contradictions)
  }

  /// Replays and scores. Parallel across clips; the results do not depend on the number of threads.
  ///
  /// - Parameter progress: Called with the number of finished clips.
  public func results(
    version: String, threads: Int, progress: @Sendable (Int) throws -> Void = { _ in }
  ) async throws -> SweepResults {
    var head = try suiteRun.head(version: version)
    head.datasets = datasets
    return try await results(head, clips: clipCount) { scorer, settings in
      var scored = try await scorer.settings(settings, threads: threads, progress: progress)
      if let negativeRun {
        let phantoms = try await SettingScorers.phantoms(on: negativeRun).settings(
          settings, threads: threads, progress: { _ in try progress(clipCount) })
        for index in scored.indices { scored[index].phantoms = phantoms[index].value }
      }
      return scored
    }
  }

  /// Writes the settings' tallies of some clips to a file.
  ///
  /// - Parameters:
  ///   - positions: The clips' positions among all of the sweep.
  ///   - progress: Called with the number of finished clips.
  public func tally(
    _ positions: [Int], to file: TallyWriter, threads: Int, progress: @Sendable (Int) throws -> Void = { _ in }
  ) async throws {
    try await SettingScorers.scorer(of: metric, family, on: suiteRun.onClips(positions)).tally(
      scoredSettings, at: positions, to: file, threads: threads, progress: progress)
    try file.finish(TallyCosts())
  }

  /// The results of a sweep whose clips were tallied elsewhere: the same as if they had been replayed here.
  ///
  /// - Parameter progress: Called with the number of clips that have been read.
  /// - Throws: `DataError` with file and line, `EvaluationError.missing` if clips are missing.
  public func results(
    of files: TallyFiles, threads: Int, progress: @Sendable (Int) throws -> Void = { _ in }
  ) async throws -> SweepResults {
    try await results(files.plan.run, clips: files.clipCount) { scorer, settings in
      try await scorer.settings(settings, of: files, threads: threads, progress: progress)
    }
  }

  /// As `SuiteRun.positions(of:from:)`.
  public func positions(of names: [String], from file: String) throws -> [Int] {
    try suiteRun.positions(of: names, from: file)
  }

  /// What tallies of the sweep depend on.
  public func plan(options: [String], version: String, in project: Project) throws -> TallyPlan {
    try TallyPlan(suiteRun, options: options, version: version, in: project)
  }

  /// The swept ones, and the suite's own last.
  private var scoredSettings: [(values: [String: Double], setting: DetectorSetting)] {
    let own = plan.axes.map { ($0.parameter.name, base.values[$0.parameter]) }
    return settings + [(Dictionary(uniqueKeysWithValues: own), base)]
  }

  private func results(
    _ run: RunResults, clips: Int,
    _ score: (any SettingScoring, [(values: [String: Double], setting: DetectorSetting)]) async throws -> [SweepResults
      .Setting]
  ) async throws -> SweepResults {
    var scored = try await score(SettingScorers.scorer(of: metric, family, on: suiteRun), scoredSettings)
    let base = scored.removeLast()
    let swept = plan.axes.map(\.parameter)
    var results = SweepResults(
      bench: run.bench, suite: run.suite, suiteVersion: run.suiteVersion, datasets: run.datasets,
      perturbation: run.perturbation, detector: plan.detector,
      fixed: self.base.values.values.filter { name, _ in !swept.contains { $0.name == name } },
      metric: SweepResults.MetricCard(
        name: metric.name, summary: metric.summary, unit: metric.unit, direction: metric.direction,
        undefined: metric.undefined),
      axes: swept.map { parameter in
        SweepResults.Axis(
          parameter: parameter.name, unit: parameter.unit.rawValue, baseValue: self.base.values[parameter])
      },
      sampling: plan.sampling, settings: scored, contradictions: contradictions, base: base, clips: clips)
    results.judge()
    return results
  }
}

/// Scores a detector at batches of settings that a search requests.
protocol SettingScoring: Actor {
  /// The scores in the order of the settings. Parallel across clips; the results do not depend on the number of
  /// threads.
  ///
  /// - Parameter progress: Called with the number of finished clips.
  func settings(
    _ settings: [(values: [String: Double], setting: DetectorSetting)], threads: Int,
    progress: @Sendable (Int) throws -> Void
  ) async throws -> [SweepResults.Setting]

  /// The same from tallies that were made elsewhere.
  func settings(
    _ settings: [(values: [String: Double], setting: DetectorSetting)], of files: TallyFiles, threads: Int,
    progress: @Sendable (Int) throws -> Void
  ) async throws -> [SweepResults.Setting]

  /// Writes the settings' tallies of every clip.
  ///
  /// - Parameter positions: The clips' positions among all of the study.
  func tally(
    _ settings: [(values: [String: Double], setting: DetectorSetting)], at positions: [Int], to file: TallyWriter,
    threads: Int, progress: @Sendable (Int) throws -> Void
  ) async throws
}

/// Scores settings on a run's clips. Each clip is read once and each signal measured once for all batches, if memory
/// allows.
actor SettingScorer<Family: MetricFamily>: SettingScoring {
  private let run: SuiteRun
  private let family: Family
  private let metric: Metric
  /// The metric's index among the family's values.
  private let position: Int
  /// `nil` for a single batch.
  private let room: ClipRoom?
  private var kept: [Int: PreparedClip] = [:]

  init(_ family: Family, metric: Metric, on run: SuiteRun, room: ClipRoom?) {
    self.family = family
    self.metric = metric
    position = family.metrics.firstIndex { $0.name == metric.name } ?? 0
    self.run = run
    self.room = room
  }

  func settings(
    _ settings: [(values: [String: Double], setting: DetectorSetting)], threads: Int,
    progress: @Sendable (Int) throws -> Void
  ) async throws -> [SweepResults.Setting] {
    var pool = SubjectTallies(family, settings: settings.count)
    try await forEachClip(settings, threads: threads) { index, tallies in
      pool.add(tallies)
      try progress(index + 1)
    }
    return scored(settings, pool)
  }

  func settings(
    _ settings: [(values: [String: Double], setting: DetectorSetting)], of files: TallyFiles, threads: Int,
    progress: @Sendable (Int) throws -> Void
  ) async throws -> [SweepResults.Setting] {
    var pool = SubjectTallies(family, settings: settings.count)
    try await files.forEach(SettingTallies<Family.Tally>.self, threads: threads, progress: progress) { tallies in
      try tallies.require(settings: settings.count)
      pool.add(tallies)
    }
    return scored(settings, pool)
  }

  func tally(
    _ settings: [(values: [String: Double], setting: DetectorSetting)], at positions: [Int], to file: TallyWriter,
    threads: Int, progress: @Sendable (Int) throws -> Void
  ) async throws {
    try await forEachClip(settings, threads: threads) { index, tallies in
      try file.append(TallyLine(position: positions[index], id: run.id(ofClip: index), tallies))
      try progress(index + 1)
    }
  }

  /// - Parameter take: Called with each clip's index and its tallies, in the clips' order.
  private func forEachClip(
    _ settings: [(values: [String: Double], setting: DetectorSetting)], threads: Int,
    take: (Int, SettingTallies<Family.Tally>) throws -> Void
  ) async throws {
    let batch = SettingBatch(settings.map(\.setting))
    let isKeeping = room != nil
    try await inOrder(run.clips.count, threads: threads) { index in
      let known = kept[index]
      return { [run, family] in
        var clip = try known ?? run.prepared(index, measuring: batch.signals, isLive: Family.isLive)
        if known != nil { clip.measure(batch.signals) }
        return (tallies: try clip.tallies(of: batch, by: family), clip: isKeeping ? clip : nil)
      }
    } take: { index, part in
      if let clip = part.clip { keep(clip, at: index) }
      try take(index, part.tallies)
    }
  }

  private func scored(
    _ settings: [(values: [String: Double], setting: DetectorSetting)], _ pool: SubjectTallies<Family>
  ) -> [SweepResults.Setting] {
    let subjects = pool.bySubject
    let position = position
    return concurrently(settings.count) { index in
      let results = pool.results(
        of: [position], setting: index, called: settings[index].setting.name, subjects.map(\.subject),
        subjects.map { $0.tallies[index] })
      return SweepResults.Setting(settings[index].values, results[0])
    }
  }

  /// Keeps a clip if it fits into memory; otherwise its older version stays.
  private func keep(_ clip: PreparedClip, at index: Int) {
    let more = clip.byteCount - (kept[index]?.byteCount ?? 0)
    if let room, room.take(more) { kept[index] = clip }
  }
}

/// The memory for clips that scorers keep between batches of settings.
final class ClipRoom: Sendable {
  private let free: Mutex<Int>

  init(bytes: Int) { free = Mutex(bytes) }

  /// Takes memory if there is enough.
  func take(_ bytes: Int) -> Bool {
    free.withLock { free in
      guard bytes <= free else { return false }
      free -= bytes
      return true
    }
  }
}

extension SettingTallies {
  /// - Throws: `DataError` unless there is a tally for each of the settings.
  fileprivate func require(settings count: Int) throws {
    guard settings.count == count, settings.allSatisfy(tallies.indices.contains) else {
      throw DataError(
        file: "tallies", expected: "a tally for each of \(count) settings", found: "\(settings.count)")
    }
  }
}

extension SweepResults.Setting {
  /// - Parameter result: The result of a run.
  fileprivate init(_ values: [String: Double], _ result: RunResults.MetricResult) {
    self.init(
      values: values, value: result.value,
      interval: result.interval.map { SweepResults.Bounds(low: $0.low, high: $0.high) }, bySubject: result.bySubject,
      undefinedClips: result.undefinedClips, isPooled: result.isPooled, withoutSubject: result.withoutSubject)
  }
}

extension SuiteRun {
  /// The clips with time in which nobody does a counter's exercise; `nil` if there are none, or if the family is of them.
  func negative(for setting: DetectorSetting, besides family: any MetricFamily) -> SuiteRun? {
    guard setting.profile.tasks.counts, !type(of: family).isOfNegatives else { return nil }
    let run = concerning(PhantomMetrics())
    return run.clips.isEmpty ? nil : run
  }
}

/// Makes the scorer for a metric's family.
enum SettingScorers {
  /// The scorer of phantoms.
  static func phantoms(on run: SuiteRun, room: ClipRoom? = nil) -> any SettingScoring {
    scorer(of: PhantomMetrics().metrics[0], PhantomMetrics(), on: run, room: room)
  }

  /// - Parameter room: The memory for clips kept between batches, which scorers may share; `nil` for a single batch.
  static func scorer(
    of metric: Metric, _ family: any MetricFamily, on run: SuiteRun, room: ClipRoom? = nil
  ) -> any SettingScoring {
    func open<Family: MetricFamily>(_ family: Family) -> any SettingScoring {
      SettingScorer(family, metric: metric, on: run, room: room)
    }
    return open(family)
  }
}
