import Pipeline
import Scoring
import Statistics

/// The margins that a suite's people can show: for each gating metric, the smallest one for which a harmless change
/// passes the gate four times in five.
///
/// A harmless change is taken to vary a person's value as much as the jitter of another pose estimator does, normal
/// noise of 1 % of the trunk's length. Detectors that are programs are left out.
public struct ShowableMargins: Sendable {
  /// The number of people.
  public let subjects: Int
  private var margins: [MetricID: Double] = [:]
  /// The metrics of which no margin up to twenty times the given one can be shown.
  private var unshown: Set<MetricID> = []

  private static let jitter = "noise=1%"
  private static let widest = 20.0

  /// - Parameter run: A run of the suite.
  public init(_ run: SuiteRun, version: String, threads: Int) async throws {
    let names = run.settings.filter { $0.outside == nil }.map(\.name)
    guard !names.isEmpty else {
      subjects = 0
      return
    }
    let own = run.onDetectors(names)
    let before = try await own.replay(version: version, threads: threads).results
    let after = try await own.perturbed(by: Perturbations(Self.jitter, seed: 1))
      .replay(version: version, threads: threads).results
    subjects = Set(before.clips.map(\.person)).count
    for (before, after) in zip(before.metrics, after.metrics) {
      guard let margin = before.margin, let gains = Self.gains(before, after) else { continue }
      let id = before.metricID
      if let least = Self.least(margin, gains) { margins[id] = least } else { unshown.insert(id) }
    }
  }

  /// The people's gains; `nil` if they say nothing.
  private static func gains(_ before: RunResults.MetricResult, _ after: RunResults.MetricResult) -> [Double]? {
    let change = zip(before.sample, after.sample).map { $1 - $0 }
    return before.sample.count == after.sample.count && change.contains { $0 != 0 } ? change : nil
  }

  /// The smallest margin, from a given one on, that these people show in four of five comparisons, in two digits.
  private static func least(_ margin: Double, _ gains: [Double]) -> Double? {
    func isShown(_ margin: Double) -> Bool {
      PowerStudy(gains: gains, rule: GateRule(margin: margin)).map {
        $0.shares(loss: 0, subjects: gains.count, seed: PowerStudy.seed).pass >= PowerStudy.power
      } ?? true
    }
    if isShown(margin) { return margin }
    var (low, high) = (margin, margin)
    repeat {
      low = high
      high *= 2
      guard high <= widest * margin else { return nil }
    } while !isShown(high)
    for _ in 0..<6 {
      let middle = (low + high) / 2
      if isShown(middle) { high = middle } else { low = middle }
    }
    return high.roundedUp(digits: 2)
  }

  /// The smallest margin that can be shown; `nil` if it is unknown or none can.
  public func margin(_ id: MetricID) -> Double? { margins[id] }

  public func isUnshown(_ id: MetricID) -> Bool { unshown.contains(id) }
}

extension Double {
  /// The next number with so many significant digits that is not smaller.
  fileprivate func roundedUp(digits: Int) -> Double {
    guard self > 0 else { return self }
    var scale = 1.0
    while self * scale < 10 { scale *= 10 }
    while self * scale >= 100 { scale /= 10 }
    return (self * scale - 1e-9).rounded(.up) / scale
  }
}
