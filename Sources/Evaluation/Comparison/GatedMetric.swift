import Pipeline
import Scoring
import Statistics

/// A metric that can block a release, with its margin and floor.
public struct GatedMetric: OfMetric, Hashable, Sendable {
  public var detector: String
  public var metric: String
  /// The loss that is accepted; `nil` in a baseline from before it was kept.
  public var margin: Double?
  /// The worst value allowed; `nil` for none.
  public var floor: Double?

  /// `count.exact of squat-states`
  public var name: String { "\(metric) of \(detector)" }
}

extension Suite {
  /// In the suite's order, costs last.
  public var gated: [GatedMetric] {
    metrics.filter { $0.margin != nil }.map {
      GatedMetric(detector: $0.detector, metric: $0.metric, margin: $0.margin, floor: $0.floor)
    }
      + costs.filter { $0.margin != nil }.map {
        GatedMetric(detector: $0.detector, metric: CostRatio.metric, margin: $0.margin)
      }
  }
}

extension Baseline {
  /// The gating metrics of the suite when the baseline was accepted.
  public var gated: [GatedMetric] {
    metrics.filter { $0.gates == true }.map {
      GatedMetric(detector: $0.detector, metric: $0.metric, margin: $0.margin, floor: $0.floor)
    }
      + (costMargins ?? [:]).sorted { $0.key < $1.key }.map {
        GatedMetric(detector: $0.key, metric: CostRatio.metric, margin: $0.value)
      }
  }
}

extension RunResults {
  /// The gating metrics of the run's suite.
  public var gated: [GatedMetric] {
    metrics.filter { $0.margin != nil }.map {
      GatedMetric(detector: $0.detector, metric: $0.metric, margin: $0.margin, floor: $0.floor)
    }
      + measured.sorted { $0.key < $1.key }.compactMap { detector, measured in
        measured.ratios?.margin.map { GatedMetric(detector: detector, metric: CostRatio.metric, margin: $0) }
      }
  }

  /// The same run with other margins and floors.
  ///
  /// - Parameter gated: The only metrics that gate; those that the run does not have are left out.
  func gated(by gated: [GatedMetric]) -> RunResults {
    var run = self
    for index in run.metrics.indices {
      let gate = gated.first(of: run.metrics[index].metricID)
      (run.metrics[index].margin, run.metrics[index].floor) = (gate?.margin, gate?.floor)
    }
    for detector in run.measured.keys {
      run.measured[detector]?.ratios?.margin =
        gated.first(of: MetricID(detector, CostRatio.metric))?.margin
    }
    return run
  }
}

extension [GatedMetric] {
  /// Each metric with the smaller margin and the stricter floor of the two lists, and the metrics that only one list
  /// has.
  func stricter(_ others: [GatedMetric], in results: RunResults) -> [GatedMetric] {
    map { own in
      guard let other = others.first(of: own.metricID) else { return own }
      var gate = own
      gate.margin = [own.margin, other.margin].compactMap(\.self).min()
      gate.floor = results.looserFloor(own.floor, other.floor, of: own) ? other.floor : own.floor
      return gate
    } + others.filter { !contains($0.metricID) }
  }

  /// How this list gates less than an earlier one, one sentence each.
  ///
  /// - Parameters:
  ///   - before: The list to comply with.
  ///   - place: The origin of that list: `in the baseline`, `at main (1a2b3c4)`.
  ///   - results: Give the metrics' directions, and the detectors.
  func loosenings(of before: [GatedMetric], _ place: String, in results: RunResults) -> [String] {
    loosenings(of: before, place, detectors: Set(results.detectors.map(\.name))) {
      results.looserFloor($0, $1, of: $2)
    }
  }

  /// - Parameter isLooser: Whether a floor allows a worse value than the earlier one.
  fileprivate func loosenings(
    of before: [GatedMetric], _ place: String, detectors: Set<String>,
    isLooser: (_ floor: Double?, _ earlier: Double, GatedMetric) -> Bool
  ) -> [String] {
    var gone: [String] = []
    return before.compactMap { old -> String? in
      guard detectors.contains(old.detector) else {
        guard !gone.contains(old.detector) else { return nil }
        gone.append(old.detector)
        let names = before.filter { $0.detector == old.detector }.map(\.metric).joined(separator: ", ")
        return "detector \(old.detector) is no longer in the suite; \(place) it gates with \(names)"
      }
      guard let new = first(of: old.metricID) else {
        return "\(old.name) no longer gates; \(place) it does"
      }
      var words: [String] = []
      if let was = old.margin, let margin = new.margin, margin > was {
        words.append(
          "the margin of \(old.name) is wider: \(NumberText.plain(margin)) now, \(NumberText.plain(was)) \(place)")
      }
      if let was = old.floor, isLooser(new.floor, was, old) {
        let floor = new.floor.map(NumberText.plain) ?? "none"
        words.append("the floor of \(old.name) is looser: \(floor) now, \(NumberText.plain(was)) \(place)")
      }
      return words.isEmpty ? nil : words.joined(separator: "; ")
    }
  }
}

extension Suite {
  /// How this suite gates less than an earlier one, one sentence each, as far as that takes no run; any other floor
  /// counts.
  func loosenings(of before: Suite, _ place: String) -> [String] {
    let gone = before.datasets.map(\.name).filter { name in !datasets.contains { $0.name == name } }
    let others = before.exercises.filter { !exercises.contains($0) }
    return gone.map { "dataset \($0) is no longer in the suite" }
      + others.map { "clips of \($0) are no longer in the suite" }
      + gated.loosenings(of: before.gated, place, detectors: Set(detectors.map(\.name))) { new, old, _ in new != old }
      + higherLimit(than: before, place)
  }

  /// That less stops a release than in an earlier suite, in a sentence.
  func higherLimit(than before: Suite, _ place: String) -> [String] {
    guard stopAt > before.stopAt else { return [] }
    return ["stop_at is higher: \(NumberText.plain(stopAt)) now, \(NumberText.plain(before.stopAt)) \(place)"]
  }
}

extension RunResults {
  /// Whether a floor allows a worse value than another floor; if the metric's direction is unknown, any difference
  /// counts.
  fileprivate func looserFloor(_ floor: Double?, _ other: Double?, of gate: GatedMetric) -> Bool {
    guard let other else { return false }
    guard let floor else { return true }
    return metric(gate.detector, gate.metric).map { $0.direction.loss(from: other, to: floor) > 0 } ?? (floor != other)
  }
}

/// Missing parts of a comparison other than metrics, one sentence each, with the next step.
public struct MissingParts: Hashable, Sendable, Encodable {
  public private(set) var lines: [String] = []
  public private(set) var remedies: [String] = []

  public init() {}

  public var isEmpty: Bool { lines.isEmpty }

  /// - Parameter remedy: The next step for all of them: `put it back`.
  public mutating func add(_ lines: [String], remedy: String) {
    let new = lines.filter { !self.lines.contains($0) }
    self.lines += new
    if !new.isEmpty, !remedies.contains(remedy) { remedies.append(remedy) }
  }

  /// The first one, and the number of others.
  public var reason: String {
    (lines.first ?? "") + (lines.count > 1 ? "; \(lines.count - 1) more" : "")
      + remedies.prefix(1).map { ". \($0)" }.joined()
  }
}
