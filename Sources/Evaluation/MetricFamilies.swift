import Coaching
import PoseModel
import Scoring

/// Which metric families a detector is scored with: those for what its profile says that it does.
public enum MetricFamilies {
  public static func families(for profile: DetectorProfile, matching: RepMatching) -> [any MetricFamily] {
    var families: [any MetricFamily] = []
    if profile.counts {
      families += counting + [RepEventMetrics(matching: matching), LatencyMetrics(matching: matching)]
    }
    if let criterion = profile.criterion { families.append(GradeMetrics(matching: matching, criterion: criterion)) }
    if !profile.faults.isEmpty {
      families.append(FaultMetrics(matching: matching, faults: profile.faults))
      families.append(AnyFaultMetrics(matching: matching, criterion: profile.criterion))
    }
    if profile.kind == .swing {
      families.append(StrokeMetrics(tolerance: matching.tolerance, labels: profile.labels))
    } else if !profile.labels.isEmpty {
      families.append(SegmentMetrics(labels: profile.labels))
    }
    if profile.speaks {
      families.append(CueMetrics(faults: profile.faults, cooldown: profile.cooldown ?? speechCooldown))
    }
    return families
  }

  /// How long a coach that declares no cooldown should wait until it says the same again: the squat form analyser's 4 s.
  static let speechCooldown = Microseconds(4_000_000)

  static let counting: [any MetricFamily] = [CountMetrics()]
}
