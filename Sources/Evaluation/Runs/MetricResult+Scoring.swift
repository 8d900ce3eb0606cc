import Scoring
import Statistics

extension RunResults.MetricResult {
  /// Scores clips with a family: pools each subject's clips, then takes the subjects as the sample.
  ///
  /// - Parameters:
  ///   - withIntervals: whether intervals are wanted.
  ///   - withBootstrap: whether those of pooled values are, which take many resamples.
  static func results(
    of family: some MetricFamily, detector: String, clips: [ScoredClip], withIntervals: Bool = true,
    withBootstrap: Bool = true
  ) -> [Self] {
    func score<Family: MetricFamily>(_ family: Family) -> [Self] {
      let tallies = clips.map { family.tally($0) }
      let alone = tallies.map { family.values($0) }
      let bySubject = SubjectTallies(of: family, zip(clips, tallies).map { ($0.subject, $1) })
      let subjects = zip(bySubject.subjects, bySubject.tallies).map { ($0, family.values($1)) }
      let pooled = tallies.dropFirst().reduce(tallies.first) { sum, next in sum.map { family.pool($0, next) } }
      let pooledValues = pooled.map { family.values($0) }
      return family.metrics.enumerated().map { index, metric in
        let values = subjects.compactMap { $0.1[index] }
        let isPooled =
          metric.aggregation == .pooled
          || metric.aggregation == .subjectMeanOrPooled && 2 * values.count < subjects.count
        let perSubject = metric.aggregation == .share && clips.count == subjects.count ? values : nil
        let bounds =
          !withIntervals
          ? nil
          : isPooled
            ? (withBootstrap ? Bounds(bootstrapping: bySubject, index, metric.range) : nil)
            : perSubject.flatMap { Bounds(proportion: $0) } ?? Bounds(meanOf: values, metric.range)
        return Self(
          detector: detector, metric: metric.name, summary: metric.summary, unit: metric.unit,
          direction: metric.direction, value: isPooled ? pooledValues?[index] : mean(values),
          pooled: pooledValues?[index],
          interval: bounds,
          bySubject: Dictionary(uniqueKeysWithValues: subjects.map { ($0.0, $0.1[index]) }),
          undefinedClips: alone.count { $0[index] == nil }, clips: clips.count, undefined: metric.undefined,
          isPooled: isPooled ? true : nil)
      }
    }
    return score(family)
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
  fileprivate init?<Family: MetricFamily>(
    bootstrapping subjects: SubjectTallies<Family>, _ metric: Int, _ range: ClosedRange<Double>
  ) {
    var generator = SeededGenerator(seed: Self.seed)
    let estimate = ClusterBootstrap().estimate(clusters: subjects.subjects.count, using: &generator) { counts in
      subjects.value(of: metric, drawn: counts)
    }
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
