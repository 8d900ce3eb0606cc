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
  /// Which intervals a reading needs.
  enum Intervals { case none, withoutBootstrap, all }

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
  func results(
    of detector: Int, called name: String, metrics: Set<String>? = nil, clips: [Int]? = nil,
    intervals: Intervals = .all
  ) -> [RunResults.MetricResult] {
    let columns = detectors[detector].filter { column in
      metrics.map { wanted in column.metrics.contains { wanted.contains($0.name) } } ?? true
    }
    return columns.flatMap {
      $0.results(called: name, of: clips ?? Array(subjects.indices), subjects: subjects, intervals)
    }
  }

  /// A metric of all clips together, by how often each subject is drawn; `nil` where the detector does not have it.
  func pooledValue(of metric: String, detector: Int) -> PooledValue? {
    detectors[detector].lazy.compactMap { $0.pooledValue(of: metric, subjects: subjects) }.first
  }
}

/// A value of all clips together, of which whole subjects can be drawn again.
struct PooledValue {
  /// In the order of their names.
  let subjects: [String]
  /// The value where each subject is drawn so often, one count for each of `subjects`; `nil` where it is undefined.
  let drawn: ([Int]) -> Double?
}

/// The tallies of one metric family, one a clip.
private protocol TallyColumn: Sendable {
  var metrics: [Metric] { get }

  func results(
    called detector: String, of clips: [Int], subjects: [String], _ intervals: TallyTable.Intervals
  ) -> [RunResults.MetricResult]

  func pooledValue(of metric: String, subjects: [String]) -> PooledValue?
}

private struct FamilyColumn<Family: MetricFamily>: TallyColumn {
  let family: Family
  let tallies: [Family.Tally]

  var metrics: [Metric] { family.metrics }

  /// Pools each subject's clips, then takes the subjects as the sample.
  func results(
    called detector: String, of clips: [Int], subjects: [String], _ intervals: TallyTable.Intervals
  ) -> [RunResults.MetricResult] {
    var pool = SubjectTallies(family)
    for clip in clips { pool.add([tallies[clip]], subject: subjects[clip]) }
    let values = pool.bySubject.map { (subject: $0.subject, values: family.values($0.tallies[0])) }
    let pooled = clips.dropFirst().reduce(clips.first.map { tallies[$0] }) { sum, clip in
      sum.map { family.pool($0, tallies[clip]) }
    }
    let pooledValues = pooled.map { family.values($0) }
    return family.metrics.enumerated().map { index, metric in
      let known = values.compactMap { $0.values[index] }
      let isPooled =
        metric.aggregation == .pooled
        || metric.aggregation == .subjectMeanOrPooled && 2 * known.count < values.count
      let isProportion = metric.aggregation == .share && clips.count == values.count
      var bounds: RunResults.MetricResult.Bounds?
      switch (intervals, isPooled) {
      case (.none, _), (.withoutBootstrap, true): break
      case (.all, true): bounds = .init(bootstrapping: pool.pooledValue(of: index), metric.range)
      case (_, false):
        bounds = (isProportion ? .init(proportion: known) : nil) ?? .init(meanOf: known, metric.range)
      }
      return RunResults.MetricResult(
        detector: detector, metric: metric.name, summary: metric.summary, unit: metric.unit,
        direction: metric.direction, value: isPooled ? pooledValues?[index] : mean(known),
        pooled: pooledValues?[index], interval: bounds,
        bySubject: Dictionary(uniqueKeysWithValues: values.map { ($0.subject, $0.values[index]) }),
        undefinedClips: pool.undefinedClips(of: index), clips: clips.count, undefined: metric.undefined,
        isPooled: isPooled ? true : nil)
    }
  }

  func pooledValue(of metric: String, subjects: [String]) -> PooledValue? {
    guard let index = family.metrics.firstIndex(where: { $0.name == metric }) else { return nil }
    var pool = SubjectTallies(family)
    for (subject, tally) in zip(subjects, tallies) { pool.add([tally], subject: subject) }
    return pool.pooledValue(of: index)
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

  /// How many clips have no value by themselves.
  func undefinedClips(of metric: Int, setting: Int = 0) -> Int { undefined[setting * metricCount + metric] }

  /// A metric of all clips together.
  ///
  /// - Parameter metric: its position among the family's.
  func pooledValue(of metric: Int) -> PooledValue {
    let subjects = bySubject
    let tallies = subjects.map { $0.tallies[0] }
    return PooledValue(subjects: subjects.map(\.subject)) { [family] counts in
      var drawn: [Family.Tally] = []
      for (subject, count) in counts.enumerated() { for _ in 0..<count { drawn.append(tallies[subject]) } }
      // Pairs, then pairs of pairs: a tally that is a list would be copied for every subject otherwise.
      while drawn.count > 1 {
        drawn = stride(from: 0, to: drawn.count, by: 2).map { first in
          first + 1 < drawn.count ? family.pool(drawn[first], drawn[first + 1]) : drawn[first]
        }
      }
      return drawn.first.flatMap { family.values($0)[metric] }
    }
  }
}

extension RunResults.MetricResult {
  /// Scores predictions that were not replayed, as a run does.
  static func results(
    of families: [any MetricFamily], detector: String, clips: [LabelledPrediction]
  ) -> [Self] {
    TallyTable(
      subjects: clips.map(\.subject), clips: clips.map { [ClipTallies($0, of: families)] }, families: [families]
    ).results(of: 0, called: detector)
  }
}

extension RunResults.MetricResult.Bounds {
  /// What resamples are drawn with.
  public static let seed: UInt64 = 1

  /// Student's t interval on the mean of subjects; `nil` of fewer than two.
  fileprivate init?(meanOf values: [Double], _ range: ClosedRange<Double>) {
    // No value lies outside the metric's range, so cutting the interval there costs no coverage.
    guard let interval = Interval.studentT(values)?.clamped(to: range) else { return nil }
    self.init(interval, method: "t on subject means")
  }

  /// Wilson's interval on a proportion of subjects of one clip each; `nil` of fewer than two or of other values.
  fileprivate init?(proportion values: [Double]) {
    guard values.count >= 2, values.allSatisfy({ $0 == 0 || $0 == 1 }),
      let interval = Interval.wilson(successes: values.count { $0 == 1 }, of: values.count)
    else { return nil }
    self.init(interval, method: "Wilson")
  }

  /// The BCa interval on the value of all clips together, whole subjects being drawn again; `nil` where it is refused.
  fileprivate init?(bootstrapping pooled: PooledValue, _ range: ClosedRange<Double>) {
    var generator = SeededGenerator(seed: Self.seed)
    let estimate = ClusterBootstrap().estimate(
      clusters: pooled.subjects.count, using: &generator, statistic: pooled.drawn)
    guard let interval = estimate?.interval?.clamped(to: range) else { return nil }
    self.init(interval, method: "BCa over subjects")
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
