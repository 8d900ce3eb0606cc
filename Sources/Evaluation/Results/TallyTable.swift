import Coaching
import Files
import Pipeline
import PoseModel
import Scoring
import Statistics

/// The tallies of a run: detector × metric family × clip. Metrics, subjects' values, slices and comparisons are read
/// from it.
public struct TallyTable: Sendable {
  /// The subject of each clip, `squat-sample/s01`.
  private let subjects: [String]
  /// By detector, one column per family.
  private let detectors: [[any TallyColumn]]

  /// - Parameters:
  ///   - subjects: The subject of each clip.
  ///   - labels: The labels of each clip.
  ///   - clips: Each clip's tallies by detector; `nil` where it is not replayed.
  ///   - families: Each detector's families.
  init(subjects: [String], labels: [GroundTruth], clips: [[ClipTallies?]], families: [[any MetricFamily]]) {
    self.subjects = subjects
    detectors = families.enumerated().map { detector, families in
      func column<Family: MetricFamily>(_ family: Family) -> any TallyColumn {
        FamilyColumn(
          family: family,
          tallies: zip(clips, labels).map { clip, labels in
            clip[detector].flatMap { tallies in
              guard family.concerns(labels) else { return nil }
              guard let tally = tallies.tally(of: Family.self) else {
                preconditionFailure("a clip is not scored with \(Family.self)")
              }
              return tally
            }
          })
      }
      return families.map { column($0) }
    }
  }

  /// The metrics of one detector.
  ///
  /// - Parameters:
  ///   - detector: Its index.
  ///   - name: Its name in the results.
  ///   - metrics: Only families with one of these; `nil` for all.
  ///   - clips: Indices of the clips that are pooled; `nil` for all.
  ///   - inference: Whether to compute intervals and the inputs of comparisons.
  func results(
    of detector: Int, called name: String, metrics: Set<String>? = nil, clips: [Int]? = nil, inference: Bool = true
  ) -> [RunResults.MetricResult] {
    let columns = detectors[detector].filter { column in
      metrics.map { wanted in column.metrics.contains { wanted.contains($0.name) } } ?? true
    }
    return concurrently(columns.count) { index in
      columns[index].results(called: name, of: clips ?? Array(subjects.indices), subjects: subjects, inference)
    }.flatMap(\.self)
  }
}

/// The tallies of one metric family, one per clip.
private protocol TallyColumn: Sendable {
  var metrics: [Metric] { get }

  func results(
    called detector: String, of clips: [Int], subjects: [String], _ inference: Bool
  ) -> [RunResults.MetricResult]
}

private struct FamilyColumn<Family: MetricFamily>: TallyColumn {
  let family: Family
  /// `nil` for a clip on which the detector is not replayed, or that the family does not concern.
  let tallies: [Family.Tally?]

  var metrics: [Metric] { family.metrics }

  /// Pools each subject's clips and takes the subjects as the sample.
  func results(
    called detector: String, of clips: [Int], subjects: [String], _ inference: Bool
  ) -> [RunResults.MetricResult] {
    var pool = SubjectTallies(family)
    for clip in clips {
      if let tally = tallies[clip] {
        pool.add(SettingTallies(subject: subjects[clip], tallies: [tally], settings: [0]))
      }
    }
    let own = pool.bySubject
    return pool.results(
      of: Array(family.metrics.indices), called: detector, own.map(\.subject), own.map { $0.tallies[0] },
      inference: inference)
  }
}

extension SubjectTallies {
  /// The metrics' values at a setting, and what is derived from them.
  ///
  /// - Parameters:
  ///   - indices: The indices of the family's metrics.
  ///   - own: The tallies of `subjects` at that setting; there are no others.
  ///   - inference: Whether to compute intervals and the inputs of comparisons.
  func results(
    of indices: [Int], setting: Int = 0, called detector: String, _ subjects: [String], _ own: [Family.Tally],
    inference: Bool = true
  ) -> [RunResults.MetricResult] {
    let metrics = family.metrics
    let ownValues = own.map(family.values)
    let pooled = family.pooled(own)
    let (pooledValues, unanswered) = (pooled.map(family.values), pooled.map(family.unanswered))
    let needsOthers = inference && indices.contains { metrics[$0].aggregation.isPooled }
    let withoutEach = needsOthers ? family.valuesWithoutEach(own) : []
    let contributing = needsOthers ? own.map(family.contributes) : []
    return indices.map { index in
      let metric = metrics[index]
      let isPooled = metric.aggregation.isPooled
      var result = RunResults.MetricResult(
        detector: detector, metric: metric.name, summary: metric.summary, unit: metric.unit,
        direction: metric.direction, pooled: pooledValues?[index],
        bySubject: Dictionary(uniqueKeysWithValues: zip(subjects, ownValues.map { $0[index] })),
        undefinedClips: undefinedClips(metric: index, setting: setting), clips: clips, undefined: metric.undefined,
        isPooled: isPooled ? true : nil, caseStatistic: metric.caseStatistic)
      let known = ownValues.compactMap { $0[index] }
      result.value = isPooled ? result.pooled : mean(known)
      if let count = unanswered?[index], count > 0 { result.unanswered = count }
      guard inference else { return result }
      if isPooled, result.value != nil {
        let members = own.indices.filter { contributing[$0][index] }
        let others = members.compactMap { withoutEach[$0][index] }
        if others.count == members.count {
          result.withoutSubject = Dictionary(uniqueKeysWithValues: zip(members.map { subjects[$0] }, others))
        }
      }
      let step = pooled.map { family.steps($0, subjects: own.count)[index] } ?? 0
      result.interval = .init(on: result, known, step: step, metric)
      return result
    }
  }
}

extension RunResults.MetricResult {
  /// Scores predictions that were not replayed, as in a run.
  static func results(
    of families: [any MetricFamily], detector: String, clips: [LabelledPrediction]
  ) -> [Self] {
    let results = TallyTable(
      subjects: clips.map(\.subject), labels: clips.map(\.groundTruth),
      clips: clips.map { [ClipTallies($0, of: families)] }, families: [families]
    ).results(of: 0, called: detector)
    return Anchors(of: families, on: clips).beside(results)
  }
}

extension RunResults.MetricResult.Bounds {
  /// The interval of a metric's value, by the kind of value; `nil` with fewer than two contributing subjects, and if
  /// they say nothing about others.
  ///
  /// - Parameters:
  ///   - values: The subjects' known values, in the order of their names.
  ///   - step: How much one event changes a subject's value: see `MetricFamily.steps`.
  fileprivate init?(on result: RunResults.MetricResult, _ values: [Double], step: Double, _ metric: Metric) {
    guard let value = result.value else { return nil }
    let without = result.sortedWithoutSubject
    let worst = metric.uninformed ?? (metric.direction == .higherIsBetter ? 0 : 1)
    let interval: Interval?
    let method: String
    switch metric.aggregation {
    case .pooled where metric.uninformed == nil:
      interval = Jackknife.interval(value, without: without, in: metric.range)
      method = "jackknife over subjects"
    case .pooled,
      .ratio where metric.range == 0...1:
      interval = Jackknife(value, without: without).flatMap {
        Interval.shareOfSubjects(value, shares: $0.shares, worst: worst, standardError: $0.standardError)
      }
      method = "Wilson with one more subject"
    case .ratio:
      interval = Jackknife(value, without: without).flatMap {
        Interval.meanOfSubjects($0.shares, step: step, in: metric.range)
      }
      method = "jackknife with one more subject"
    case .share,
      .subjectMean where metric.range == 0...1:
      let cases = metric.aggregation == .share ? result.clips - result.undefinedClips : nil
      interval = standardDeviation(values).flatMap {
        Interval.shareOfSubjects(
          value, shares: values, worst: worst, standardError: $0 / Double(values.count).squareRoot(), cases: cases)
      }
      method = cases == values.count ? "Wilson" : "Wilson with one more subject"
    case .subjectMean:
      interval = Interval.meanOfSubjects(values, step: step, in: metric.range)
      method = "t with one more subject"
    }
    guard let interval else { return nil }
    self.init(interval, method: method)
  }

  /// Woodruff's interval on a quantile of clustered values; `nil` if there is none.
  ///
  /// - Parameter called: The name of clusters, in the plural.
  init?(quantile p: Double, ofClusters clusters: [[Double]], called name: String) {
    guard let interval = Interval.quantile(p, ofClusters: clusters) else { return nil }
    self.init(interval, method: "Woodruff over \(name)")
  }

  private init(_ interval: Interval, method: String) {
    self.init(low: interval.low, high: interval.high, level: interval.level, method: method)
  }
}
