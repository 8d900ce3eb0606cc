import Coaching
import Scoring

/// Searches a detector's parameters for the best value of one metric on a suite's clips, and judges the search by leaving
/// each subject out.
public struct TuneRun: Sendable {
  public let plan: TunePlan
  public let metric: Metric
  private let suiteRun: SuiteRun
  private let base: DetectorSetting
  private let space: TuneSpace
  private let family: any MetricFamily

  /// With fewer people nothing can be said of others.
  public static let fewestSubjects = 3

  /// The room for clips and signals that are kept between batches of settings, bytes.
  static let room = 256 << 20

  /// - Parameters:
  ///   - metricName: the first metric that the suite names for the detector where it is left out.
  ///   - suiteRun: the clips, and the values of the parameters that are not tuned.
  /// - Throws: `EvaluationError.missing` for a metric that the detector does not have, `EvaluationError.usage` for fewer
  ///   than three subjects.
  public init(_ plan: TunePlan, metric metricName: String? = nil, on suiteRun: SuiteRun) throws {
    guard let base = suiteRun.settings.first(where: { $0.name == plan.detector }) else {
      throw EvaluationError.missing(
        what: "suite \(suiteRun.suite.name)", expected: "the detector \(plan.detector)", found: "none of that name")
    }
    self.plan = plan
    self.suiteRun = suiteRun
    self.base = base
    (family, metric) = try SweepRun.metric(metricName, of: base, suiteRun.suite)
    space = TuneSpace(axes: plan.axes.map { TuneAxis($0.parameter, over: $0.extent, base: base.values[$0.parameter]) })
    guard subjects.count >= Self.fewestSubjects else {
      throw EvaluationError.usage(
        "tuning leaves each subject out once and needs at least \(Self.fewestSubjects) of them, found "
          + "\(subjects.count): \(subjects.joined(separator: ", ")); bench sweep shows how the metric depends on a parameter"
      )
    }
  }

  /// Of the clips, sorted.
  public var subjects: [String] { Set(suiteRun.clips.indices.map(suiteRun.subject(ofClip:))).sorted() }

  /// Searches: one for each subject, and one on all of them.
  public var searchCount: Int { subjects.count + 1 }

  /// Searches and judges. Parallel across clips; the results do not depend on the number of threads.
  ///
  /// - Parameter progress: called with the number of searches done.
  public func results(
    version: String, threads: Int, progress: @Sendable (Int) throws -> Void = { _ in }
  ) async throws -> TuneResults {
    let scorer = SettingScorers.scorer(of: metric, family, on: suiteRun, room: Self.room)
    let table = TuneTable { points in try await entries(points, scorer, threads: threads) }
    let baseValues = plan.axes.map { base.values[$0.parameter] }
    guard
      let own = try await scorer.settings([(baseValues, base)], threads: threads, progress: { _ in }).first
    else { throw EvaluationError.usage("\(plan.detector) could not be scored") }
    let folds = TuneFolds(table: table, space: space, search: plan.search, metric: metric)
    let tuned = try await folds.found(without: nil)
    try progress(1)
    var left: [TuneResults.Fold] = []
    for (index, subject) in subjects.enumerated() {
      left.append(try await folds.fold(leavingOut: subject, base: own))
      try progress(index + 2)
    }
    guard let inSample = try await folds.scores(of: tuned.point) else {
      throw EvaluationError.usage("\(plan.detector) could not be scored")
    }
    return results(
      version, inSample: inSample, base: own, folds: left, scored: await table.scoredCount,
      contradictions: await table.contradictions)
  }

  private func entries(
    _ points: [[Double]], _ scorer: any SettingScoring, threads: Int
  ) async throws -> [TuneTable.Entry] {
    var entries: [TuneTable.Entry?] = []
    var possible: [(values: [Double], setting: DetectorSetting)] = []
    for point in points {
      var values = base.values.values
      for (axis, value) in zip(plan.axes, point) { values[axis.parameter.name] = value }
      do {
        possible.append((point, try DetectorSetting(base.definition, replacing: values)))
        entries.append(nil)
      } catch ParameterError.contradiction(let reason) {
        entries.append(.contradiction(reason))
      } catch let error as ParameterError {
        throw EvaluationError.usage("\(plan.detector): \(error)")
      }
    }
    guard !possible.isEmpty else { return entries.compactMap { $0 } }
    var scored = try await scorer.settings(possible, threads: threads, progress: { _ in })[...]
    return entries.compactMap { $0 ?? scored.popFirst().map { .scored($0) } }
  }

  private func results(
    _ version: String, inSample: SweepResults.Setting, base own: SweepResults.Setting, folds: [TuneResults.Fold],
    scored: Int, contradictions: [SweepResults.Contradiction]
  ) -> TuneResults {
    var parameters = base.values.values
    for (axis, value) in zip(plan.axes, inSample.values) { parameters[axis.parameter.name] = value }
    let gains = folds.map(\.gain)
    return TuneResults(
      bench: version, suite: suiteRun.suite.name, suiteVersion: suiteRun.suite.version, datasets: suiteRun.datasetCards,
      tuning: tuning,
      metric: SweepResults.MetricCard(
        name: metric.name, summary: metric.summary, unit: metric.unit, direction: metric.direction,
        undefined: metric.undefined),
      search: plan.search,
      axes: space.axes.map { axis in
        TuneResults.Axis(
          parameter: axis.parameter.name, unit: axis.parameter.unit.rawValue, levels: axis.levels,
          baseValue: base.values[axis.parameter])
      },
      parameters: parameters, inSample: inSample, base: own, folds: folds,
      expected: TuneResults.Mean(folds.map(\.score), in: metric.range),
      expectedOfBase: TuneResults.Mean(folds.map(\.baseScore), in: metric.range), gain: TuneResults.Mean(gains),
      test: TuneResults.SignTest(gains.compactMap { $0 }), scoredSettings: scored, contradictions: contradictions,
      clips: suiteRun.clips.count)
  }

  private var tuning: Tuning {
    Tuning(
      detector: plan.detector, suite: suiteRun.suite.name, suiteVersion: suiteRun.suite.version, metric: metric.name,
      datasets: suiteRun.datasetCards.map { card in
        let prefix = card.name + "/"
        return Tuning.Dataset(
          name: card.name, content: card.content,
          subjects: subjects.filter { $0.hasPrefix(prefix) }.map { String($0.dropFirst(prefix.count)) })
      })
  }
}
