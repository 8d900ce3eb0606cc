import Scoring
import Statistics

extension SweepResults {
  /// Subjects of the sweep, sorted.
  public var subjects: [String] { base.bySubject.keys.sorted() }

  /// The position in `settings` of what the suite has; `nil` where the sweep did not come by it.
  public var basePosition: Int? { settings.firstIndex { $0.values == base.values } }

  /// The settings from the best to the worst, those with a value for fewer subjects behind.
  public var ranking: [Int] { ranking(without: nil, distances) }

  /// The same on all subjects but one.
  func ranking(without subject: String?, _ distances: [Double]) -> [Int] {
    let costs = settings.map { cost($0, without: subject) }
    let subjects = settings.map { setting in setting.bySubject.count { $0.value != nil && $0.key != subject } }
    return settings.indices.sorted { a, b in
      if subjects[a] != subjects[b] { return subjects[a] > subjects[b] }
      if let costA = costs[a], let costB = costs[b], costA != costB { return costA < costB }
      // Among equals the one that changes least.
      return distances[a] != distances[b] ? distances[a] < distances[b] : a < b
    }
  }

  /// Subjects who have a value somewhere but no best setting on the plateau: what suits the others does not suit them.
  public var outliers: [(subject: String, settings: [Int])] {
    subjects.compactMap { subject in
      let best = settings.indices.filter { settings[$0].bestFor.contains(subject) }
      guard !best.isEmpty, !best.contains(where: { settings[$0].isOnPlateau }) else { return nil }
      return (subject, best)
    }
  }

  /// Finds the optimum, the plateau around it and each subject's own optima.
  ///
  /// Only settings with a value for as many subjects as any has are candidates: one that says nothing of the hard
  /// subjects would win by silence. A metric for which zero is best is judged by each subject's distance from 0.
  mutating func judge() {
    optimum = ranking.first.flatMap { settings[$0].value == nil ? nil : $0 }
    expectation = Expectation(self)
    for subject in subjects { judge(subject) }
    guard let optimum else { return }
    let best = settings[optimum]
    for index in settings.indices { settings[index].judge(against: best, metric.direction) }
    base.judge(against: best, metric.direction)
  }

  private mutating func judge(_ subject: String) {
    let losses = settings.map { setting in
      setting.bySubject[subject].flatMap { $0 }.map { metric.direction.loss(from: 0, to: $0) }
    }
    guard let least = losses.compactMap({ $0 }).min() else { return }
    for index in settings.indices where losses[index] == least { settings[index].bestFor.append(subject) }
  }

  /// The mean over the subjects of how bad their values are, to nine decimals: what summing rounds differently is equal.
  private func cost(_ setting: Setting, without subject: String?) -> Double? {
    let losses = setting.bySubject.sorted { $0.key < $1.key }.filter { $0.key != subject }.compactMap(\.value).map {
      metric.direction.loss(from: 0, to: $0)
    }
    return mean(losses).map { ($0 * 1e9).rounded() / 1e9 }
  }

  /// How far each setting is from the suite's, on each axis as a part of what it spans.
  var distances: [Double] {
    var distances = [Double](repeating: 0, count: settings.count)
    for axis in axes.indices {
      let values = settings.map { $0.values[axis] }
      guard let low = values.min(), let high = values.max(), high > low else { continue }
      for index in settings.indices { distances[index] += abs(values[index] - axes[axis].baseValue) / (high - low) }
    }
    return distances
  }
}

extension SweepResults.Setting {
  fileprivate mutating func judge(against best: Self, _ direction: Metric.Direction) {
    let losses = bySubject.sorted { $0.key < $1.key }.compactMap { subject, value -> Double? in
      guard let value, let optimal = best.bySubject[subject].flatMap({ $0 }) else { return nil }
      return direction.loss(from: optimal, to: value)
    }
    guard definedSubjects == best.definedSubjects, losses.count == best.definedSubjects else { return }
    loss = mean(losses)
    let interval = Interval.studentT(losses)
    lossInterval = interval.map { SweepResults.Bounds(low: $0.low, high: $0.high) }
    // Without an interval only what no subject can tell from the optimum is as good.
    isOnPlateau = interval.map { $0.low <= 0 && $0.high >= 0 } ?? losses.allSatisfy { $0 == 0 }
  }
}
