import Coaching
import Datasets
import PoseModel
import Scoring
import Statistics

/// Scores one metric of a detector at many settings, on a suite's clips.
///
/// Each clip is read once and every signal that any setting needs is measured once; of the events only a tally for each
/// setting and subject is kept.
public struct SweepRun: Sendable {
  public let plan: SweepPlan
  public let metric: Metric
  private let suiteRun: SuiteRun
  private let base: DetectorSetting
  private let settings: [(values: [Double], setting: DetectorSetting)]
  private let contradictions: [SweepResults.Contradiction]
  private let family: any MetricFamily

  /// - Parameters:
  ///   - metricName: the first metric that the suite names for the detector where it is left out.
  ///   - suiteRun: the clips, and the values of the parameters that are not swept.
  /// - Throws: `EvaluationError.missing` for a metric that the detector does not have, `EvaluationError.usage` where no
  ///   setting's values go together.
  public init(_ plan: SweepPlan, metric metricName: String? = nil, on suiteRun: SuiteRun) throws {
    guard let base = suiteRun.settings.first(where: { $0.name == plan.detector }) else {
      throw EvaluationError.missing(
        what: "suite \(suiteRun.suite.name)", expected: "the detector \(plan.detector)", found: "none of that name")
    }
    self.plan = plan
    self.suiteRun = suiteRun
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
      found: known.isEmpty ? "none that it is scored with" : NearNames.question(name, in: known))
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
  /// - Parameter progress: called with the number of clips done.
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
      detector: plan.detector,
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
