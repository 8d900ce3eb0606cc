import Scoring
import Statistics

extension RunResults.MetricResult {
  /// Scores clips with a family: pools each subject's clips, then takes the subjects as the sample.
  static func results(of family: some MetricFamily, detector: String, clips: [ScoredClip]) -> [Self] {
    func score<Family: MetricFamily>(_ family: Family) -> [Self] {
      let tallies = clips.map { (subject: $0.subject, tally: family.tally($0)) }
      let alone = tallies.map { family.values($0.tally) }
      var bySubject: [String: Family.Tally] = [:]
      for (subject, tally) in tallies {
        bySubject[subject] = bySubject[subject].map { family.pool($0, tally) } ?? tally
      }
      let subjects = bySubject.sorted { $0.key < $1.key }.map { ($0.key, family.values($0.value)) }
      let pooled = tallies.dropFirst().reduce(tallies.first?.tally) { sum, next in
        sum.map { family.pool($0, next.tally) }
      }
      let pooledValues = pooled.map { family.values($0) }
      return family.metrics.enumerated().map { index, metric in
        let values = subjects.compactMap { $0.1[index] }
        // No value lies outside the metric's range, so cutting the interval there costs no coverage.
        let interval = Interval.studentT(values)?.clamped(to: metric.range)
        return Self(
          detector: detector, metric: metric.name, summary: metric.summary, unit: metric.unit,
          direction: metric.direction, value: mean(values), pooled: pooledValues?[index],
          interval: interval.map { Bounds(low: $0.low, high: $0.high, level: $0.level, method: "t on subject means") },
          bySubject: Dictionary(uniqueKeysWithValues: subjects.map { ($0.0, $0.1[index]) }),
          undefinedClips: alone.count { $0[index] == nil }, clips: clips.count, undefined: metric.undefined)
      }
    }
    return score(family)
  }
}
