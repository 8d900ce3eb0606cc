import Coaching
import Datasets
import Files
import Pipeline
import PoseModel
import Scoring
import Statistics

/// Scores one metric of a detector at many settings, on a suite's clips.
///
/// Each clip is read once and each signal measured once for all settings. Only one tally per setting and subject is
/// kept.
public struct SweepRun: Sendable {
  public let plan: SweepPlan
  public let metric: Metric
  private let suiteRun: SuiteRun
  private let base: DetectorSetting
  private let settings: [(values: [Double], setting: DetectorSetting)]
  private let contradictions: [SweepResults.Contradiction]
  private let family: any MetricFamily

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
    self.suiteRun = suiteRun.onClips(ofDetector: plan.detector)
    self.base = base
    (family, metric) = try Self.metric(metricName, of: base, suiteRun.suite)
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
  ) throws -> ([(values: [Double], setting: DetectorSetting)], [SweepResults.Contradiction]) {
    var settings: [(values: [Double], setting: DetectorSetting)] = []
    var contradictions: [SweepResults.Contradiction] = []
    for point in plan.points {
      var values = base.values.values
      for (axis, value) in zip(plan.axes, point) { values[axis.parameter.name] = value }
      do {
        settings.append((point, try DetectorSetting(base.definition, replacing: values)))
      } catch ParameterError.contradiction(let reason) {
        contradictions.append(SweepResults.Contradiction(values: point, reason: reason))
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
    let scorer = SettingScorers.scorer(of: metric, family, on: suiteRun)
    let baseValues = plan.axes.map { self.base.values[$0.parameter] }
    var scored = try await scorer.settings(settings + [(baseValues, self.base)], threads: threads, progress: progress)
    let base = scored.removeLast()
    let swept = plan.axes.map(\.parameter)
    var results = SweepResults(
      bench: version, suite: suiteRun.suite.name, suiteVersion: suiteRun.suite.version, datasets: suiteRun.datasetCards,
      perturbation: suiteRun.perturbation, detector: plan.detector,
      fixed: self.base.values.values.filter { name, _ in !swept.contains { $0.name == name } },
      metric: SweepResults.MetricCard(
        name: metric.name, summary: metric.summary, unit: metric.unit, direction: metric.direction,
        undefined: metric.undefined),
      axes: swept.map { parameter in
        SweepResults.Axis(
          parameter: parameter.name, unit: parameter.unit.rawValue, baseValue: self.base.values[parameter])
      },
      sampling: plan.sampling, settings: scored, contradictions: contradictions, base: base, clips: clipCount)
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
    _ settings: [(values: [Double], setting: DetectorSetting)], threads: Int, progress: @Sendable (Int) throws -> Void
  ) async throws -> [SweepResults.Setting]
}

/// Scores settings on a run's clips. Each clip is read once and each signal measured once for all batches, if memory
/// allows.
actor SettingScorer<Family: MetricFamily>: SettingScoring {
  private let run: SuiteRun
  private let family: Family
  private let metric: Metric
  /// The metric's index among the family's values.
  private let position: Int
  /// The memory in bytes for clips kept between batches.
  private let room: Int
  private var kept: [Int: PreparedClip] = [:]
  private var used = 0

  init(_ family: Family, metric: Metric, on run: SuiteRun, room: Int) {
    self.family = family
    self.metric = metric
    position = family.metrics.firstIndex { $0.name == metric.name } ?? 0
    self.run = run
    self.room = room
  }

  func settings(
    _ settings: [(values: [Double], setting: DetectorSetting)], threads: Int, progress: @Sendable (Int) throws -> Void
  ) async throws -> [SweepResults.Setting] {
    let count = run.clips.count
    let batch = SettingBatch(settings.map(\.setting))
    let isKeeping = room > 0
    return try await withThrowingTaskGroup(of: (Int, [Family.Tally], PreparedClip?).self) { group in
      var pool = SubjectTallies(family, settings: settings.count)
      var waiting: [Int: [Family.Tally]] = [:]
      var (next, running) = (0, 0)
      func start() {
        // Tallies are pooled in the clips' order, to round the same in every run; only a few may wait behind a slow
        // clip.
        while running < max(1, threads), next < count, next < pool.clips + 8 * max(1, threads) {
          let index = next
          let known = kept[index]
          next += 1
          running += 1
          group.addTask { [run, family] in
            // A live replay doubles the work and is read by only one family.
            var clip = try known ?? run.prepared(index, measuring: batch.signals, isLive: family is LatencyMetrics)
            if known != nil { clip.measure(batch.signals) }
            return (index, try clip.tallies(of: batch, by: family), isKeeping ? clip : nil)
          }
        }
      }
      start()
      while let (index, tallies, clip) = try await group.next() {
        running -= 1
        if let clip { keep(clip, at: index) }
        waiting[index] = tallies
        while let tallies = waiting.removeValue(forKey: pool.clips) {
          pool.add(tallies, subject: run.subject(ofClip: pool.clips))
        }
        try progress(pool.clips)
        start()
      }
      let subjects = pool.bySubject
      return settings.indices.map { index in
        let results = pool.results(
          of: [position], setting: index, called: settings[index].setting.name, subjects.map(\.subject),
          subjects.map { $0.tallies[index] })
        return SweepResults.Setting(settings[index].values, results[0])
      }
    }
  }

  /// Keeps a clip if it fits into memory; otherwise its older version stays.
  private func keep(_ clip: PreparedClip, at index: Int) {
    let more = clip.byteCount - (kept[index]?.byteCount ?? 0)
    guard used + more <= room else { return }
    used += more
    kept[index] = clip
  }
}

extension SweepResults.Setting {
  /// - Parameter result: The result of a run.
  fileprivate init(_ values: [Double], _ result: RunResults.MetricResult) {
    self.init(
      values: values, value: result.value,
      interval: result.interval.map { SweepResults.Bounds(low: $0.low, high: $0.high) }, bySubject: result.bySubject,
      undefinedClips: result.undefinedClips, isPooled: result.isPooled, withoutSubject: result.withoutSubject)
  }
}

/// Makes the scorer for a metric's family.
enum SettingScorers {
  /// - Parameter room: The memory in bytes for clips kept between batches; 0 for a single batch.
  static func scorer(
    of metric: Metric, _ family: any MetricFamily, on run: SuiteRun, room: Int = 0
  ) -> any SettingScoring {
    func open<Family: MetricFamily>(_ family: Family) -> any SettingScoring {
      SettingScorer(family, metric: metric, on: run, room: room)
    }
    return open(family)
  }
}
