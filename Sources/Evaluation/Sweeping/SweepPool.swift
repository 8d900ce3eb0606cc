import Scoring
import Statistics

/// The tallies of many settings, pooled by subject: all that a sweep keeps of the clips that it has seen.
struct SweepPool<Family: MetricFamily> {
  /// How many clips have been added.
  private(set) var clips = 0
  private let family: Family
  private let metric: Metric
  /// The metric's position among the family's values.
  private let position: Int
  private var bySubject: [String: [Family.Tally]] = [:]
  /// For each setting, how many clips have no value by themselves.
  private var undefined: [Int]

  init(_ family: Family, metric: Metric, settings: Int) {
    self.family = family
    self.metric = metric
    position = family.metrics.firstIndex { $0.name == metric.name } ?? 0
    undefined = [Int](repeating: 0, count: settings)
  }

  /// - Parameter tallies: one a setting.
  mutating func add(_ tallies: [Family.Tally], subject: String) {
    clips += 1
    for index in tallies.indices where family.values(tallies[index])[position] == nil { undefined[index] += 1 }
    guard var sums = bySubject.removeValue(forKey: subject) else {
      bySubject[subject] = tallies
      return
    }
    for index in sums.indices { sums[index] = family.pool(sums[index], tallies[index]) }
    bySubject[subject] = sums
  }

  /// - Parameter values: each setting's swept values.
  func settings(values: [[Double]]) -> [SweepResults.Setting] {
    let subjects = bySubject.sorted { $0.key < $1.key }
    return values.indices.map { index in
      let scores = subjects.map { ($0.key, family.values($0.value[index])[position]) }
      let known = scores.compactMap(\.1)
      let interval = Interval.studentT(known)?.clamped(to: metric.range)
      return SweepResults.Setting(
        values: values[index], value: mean(known),
        interval: interval.map { SweepResults.Bounds(low: $0.low, high: $0.high) },
        bySubject: Dictionary(uniqueKeysWithValues: scores), undefinedClips: undefined[index])
    }
  }
}
