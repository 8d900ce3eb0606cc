import Coaching
import Scoring

/// Which metric families a detector is scored with.
public enum MetricFamilies {
  public static func families(for profile: DetectorProfile, matching: RepMatching) -> [any MetricFamily] {
    switch profile.kind {
    case .reps: counting + [RepEventMetrics(matching: matching), LatencyMetrics(matching: matching)]
    case .form:
      (profile.criterion.map { [GradeMetrics(matching: matching, criterion: $0)] } ?? [])
        + [FaultMetrics(matching: matching, faults: profile.faults)]
    case .swing: []
    }
  }

  static let counting: [any MetricFamily] = [CountMetrics()]
}
