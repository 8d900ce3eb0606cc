import Coaching
import PoseModel
import Scoring
import Statistics

/// One clip's tallies by one detector, one for each of its metric families: all that is ever scored of the clip.
struct ClipTallies: Sendable {
  private let tallies: [any Sendable]

  private struct Tallied<Family: MetricFamily>: Sendable { let tally: Family.Tally }

  init(_ clip: LabelledPrediction, of families: [any MetricFamily]) {
    func tallied<Family: MetricFamily>(_ family: Family) -> any Sendable {
      Tallied<Family>(tally: family.tally(clip))
    }
    tallies = families.map { tallied($0) }
  }

  /// The tally of a family; `nil` where the detector is not scored with it.
  func tally<Family: MetricFamily>(of family: Family.Type) -> Family.Tally? {
    for tally in tallies { if let own = tally as? Tallied<Family> { return own.tally } }
    return nil
  }
}

/// The tallies of a run: detector × metric family × clip. Metrics, subjects' values, slices and comparisons are read
/// from it.
public struct TallyTable: Sendable {
  /// Of each clip, `squat-sample/s01`.
  private let subjects: [String]
  /// By detector, a column for each of its families.
  private let detectors: [[any TallyColumn]]

  /// - Parameters:
  ///   - subjects: of each clip.
  ///   - clips: each clip's tallies by detector.
  ///   - families: each detector's.
  init(subjects: [String], clips: [[ClipTallies]], families: [[any MetricFamily]]) {
    self.subjects = subjects
    detectors = families.enumerated().map { detector, families in
      func column<Family: MetricFamily>(_ family: Family) -> any TallyColumn {
        FamilyColumn(
          family: family,
          tallies: clips.map { clip in
            guard let tally = clip[detector].tally(of: Family.self) else {
              preconditionFailure("a clip is not scored with \(Family.self)")
            }
            return tally
          })
      }
      return families.map { column($0) }
    }
  }

  /// The metrics of one detector.
  ///
  /// - Parameters:
  ///   - detector: its position.
  ///   - name: what it is called in the results.
  ///   - metrics: only families with one of these; `nil` for all.
  ///   - clips: positions of the clips that are pooled; `nil` for all.
  ///   - inference: whether intervals are needed, and what comparisons infer from.
  func results(
    of detector: Int, called name: String, metrics: Set<String>? = nil, clips: [Int]? = nil, inference: Bool = true
  ) -> [RunResults.MetricResult] {
    let columns = detectors[detector].filter { column in
      metrics.map { wanted in column.metrics.contains { wanted.contains($0.name) } } ?? true
    }
    return columns.flatMap {
      $0.results(called: name, of: clips ?? Array(subjects.indices), subjects: subjects, inference)
    }
  }
}

/// The tallies of one metric family, one a clip.
private protocol TallyColumn: Sendable {
  var metrics: [Metric] { get }

  func results(
    called detector: String, of clips: [Int], subjects: [String], _ inference: Bool
  ) -> [RunResults.MetricResult]
}

private struct FamilyColumn<Family: MetricFamily>: TallyColumn {
  let family: Family
  let tallies: [Family.Tally]

  var metrics: [Metric] { family.metrics }

  /// Pools each subject's clips, then takes the subjects as the sample.
  func results(
    called detector: String, of clips: [Int], subjects: [String], _ inference: Bool
  ) -> [RunResults.MetricResult] {
    var pool = SubjectTallies(family)
    for clip in clips { pool.add([tallies[clip]], subject: subjects[clip]) }
    let own = pool.bySubject
    return pool.results(
      of: Array(family.metrics.indices), called: detector, own.map(\.subject), own.map { $0.tallies[0] },
      inference: inference)
  }
}

/// A family's tallies pooled by subject, for any number of settings side by side: one of a run, a thousand of a sweep,
/// which keeps nothing else of the clips that it has seen.
struct SubjectTallies<Family: MetricFamily>: Sendable {
  /// How many clips have been added.
  private(set) var clips = 0
  private let family: Family
  private let metricCount: Int
  /// By subject, a tally for each setting.
  private var sums: [String: [Family.Tally]] = [:]
  /// How many clips have no value by themselves: for each setting, one count a metric.
  private var undefined: [Int]

  init(_ family: Family, settings: Int = 1) {
    self.family = family
    metricCount = family.metrics.count
    undefined = [Int](repeating: 0, count: settings * metricCount)
  }

  /// Adds a clip; a subject's clips are pooled in their order.
  ///
  /// - Parameter tallies: one a setting.
  mutating func add(_ tallies: [Family.Tally], subject: String) {
    clips += 1
    for (setting, tally) in tallies.enumerated() {
      for (metric, value) in family.values(tally).enumerated() where value == nil {
        undefined[setting * metricCount + metric] += 1
      }
    }
    guard var own = sums.removeValue(forKey: subject) else {
      sums[subject] = tallies
      return
    }
    for index in own.indices { own[index] = family.pool(own[index], tallies[index]) }
    sums[subject] = own
  }

  /// Each subject's tallies, one a setting, in the order of the subjects' names.
  var bySubject: [(subject: String, tallies: [Family.Tally])] {
    sums.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }

  /// Metrics' values at a setting, and what follows from them.
  ///
  /// - Parameters:
  ///   - indices: of the family's metrics.
  ///   - own: the tallies of `subjects` at that setting, which are all there are.
  ///   - inference: whether intervals are needed, and what comparisons infer from.
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
        undefinedClips: undefined[setting * metricCount + index], clips: clips, undefined: metric.undefined,
        isPooled: isPooled ? true : nil, caseStatistic: metric.caseStatistic)
      result.value = isPooled ? result.pooled : mean(result.knownValues)
      if let count = unanswered?[index], count > 0 { result.unanswered = count }
      guard inference else { return result }
      if isPooled, result.value != nil {
        let members = own.indices.filter { contributing[$0][index] }
        let others = members.compactMap { withoutEach[$0][index] }
        if others.count == members.count {
          result.withoutSubject = Dictionary(uniqueKeysWithValues: zip(members.map { subjects[$0] }, others))
        }
      }
      result.interval = .init(on: result, metric)
      return result
    }
  }
}

extension RunResults.MetricResult {
  /// Scores predictions that were not replayed, as a run does.
  static func results(
    of families: [any MetricFamily], detector: String, clips: [LabelledPrediction]
  ) -> [Self] {
    let results = TallyTable(
      subjects: clips.map(\.subject), clips: clips.map { [ClipTallies($0, of: families)] }, families: [families]
    ).results(of: 0, called: detector)
    return Anchors(of: families, on: clips).beside(results)
  }
}

extension RunResults.MetricResult.Bounds {
  /// On a metric's value, by what kind of value it is; `nil` of fewer than two subjects with a part in it, and where they
  /// say nothing of others.
  fileprivate init?(on result: RunResults.MetricResult, _ metric: Metric) {
    guard let value = result.value else { return nil }
    let without = result.sortedWithoutSubject
    let values = result.knownValues
    let interval: Interval?
    let method: String
    switch metric.aggregation {
    case .pooled:
      interval = Jackknife.interval(value, without: without, in: metric.range)
      method = "jackknife over subjects"
    case .ratio where metric.range == 0...1:
      interval = Jackknife(value, without: without).flatMap {
        Interval.share(value, standardError: $0.standardError, subjects: without.count)
      }
      method = "Wilson over subjects"
    case .ratio:
      interval = Jackknife(value, without: without).flatMap { Interval.studentT($0.shares)?.clamped(to: metric.range) }
      method = "jackknife over subjects"
    case .share,
      .subjectMean where metric.range == 0...1:
      let cases = metric.aggregation == .share ? result.clips - result.undefinedClips : nil
      interval = standardDeviation(values).flatMap {
        Interval.share(
          value, standardError: $0 / Double(values.count).squareRoot(), subjects: values.count, cases: cases)
      }
      method = cases == values.count ? "Wilson" : "Wilson over subjects"
    case .subjectMean:
      // No value lies outside the metric's range, so cutting the interval there costs no coverage.
      interval = Interval.studentT(values)?.clamped(to: metric.range)
      method = "t on subject means"
    }
    guard let interval else { return nil }
    self.init(interval, method: method)
  }

  /// Woodruff's interval on a quantile of what comes in clusters that are alike; `nil` where there is none.
  ///
  /// - Parameter called: what a cluster is, in the plural.
  init?(quantile p: Double, ofClusters clusters: [[Double]], called name: String) {
    guard let interval = Interval.quantile(p, ofClusters: clusters) else { return nil }
    self.init(interval, method: "Woodruff over \(name)")
  }

  private init(_ interval: Interval, method: String) {
    self.init(low: interval.low, high: interval.high, level: interval.level, method: method)
  }
}

extension MetricFamilies {
  /// The metric families that a detector is scored with: those for what its profile says that it does.
  public static func families(for profile: DetectorProfile, matching: RepMatching) -> [any MetricFamily] {
    families(for: ScoredDetector(profile, matching: matching))
  }
}

extension ScoredDetector {
  public init(_ profile: DetectorProfile, matching: RepMatching) {
    let isSwing = profile.kind == .swing
    self.init(
      matching: matching, counts: profile.counts, criterion: profile.criterion, faults: profile.faults,
      strokes: isSwing ? profile.labels : nil, postures: isSwing ? [] : profile.labels, speaks: profile.speaks,
      cooldown: profile.cooldown)
  }
}
