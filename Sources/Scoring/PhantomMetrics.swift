import PoseModel

/// What a rep counter counts while nobody does its exercise.
///
/// Negative time is labelled: intervals whose label is `negative`, or begins with `negative-` and names what people do
/// there, such as `negative-walking`. A counted rep is a phantom if its turning point lies in one, or its middle if the
/// turn is unknown. A count without times is only attributed to a clip that is negative from end to end.
public struct PhantomMetrics: MetricFamily {
  public static let title = "phantom reps"

  public static let plainNames = ["count.phantoms": "phantom reps"]

  public struct Tally: Hashable, Codable, Sendable {
    var phantoms = 0
    /// Negative time in whole microseconds.
    var duration: Int64 = 0
  }

  /// The name of the metric.
  public static let rate = "count.phantoms"

  /// `negative`, the label of time in which nobody does the exercise.
  public static let label = "negative"

  /// The label of negative time in which people do something: `negative-walking`.
  public static func label(doing activity: String) -> String { "\(label)-\(activity)" }

  /// Whether an interval with this label is negative time.
  public static func isNegative(_ label: String) -> Bool { label == Self.label || label.hasPrefix(Self.label + "-") }

  /// What people do in negative time with this label: `walking`; `nil` for another label or one that does not say it.
  public static func activity(_ label: String) -> String? {
    label.hasPrefix(Self.label + "-") ? String(label.dropFirst(Self.label.count + 1)) : nil
  }

  public static let isOfNegatives = true

  public init() {}

  public init?(for detector: ScoredDetector) {
    guard detector.tasks.counts else { return nil }
  }

  public let metrics = [
    Metric(
      rate, "Reps counted per minute in which nobody does the exercise.", .lowerIsBetter, unit: "reps/min",
      range: 0...(.infinity), undefined: "no time is labelled as without reps", source: "the definition",
      aggregation: .ratio)
  ]

  public func concerns(_ labels: GroundTruth) -> Bool { labels.hasNegativeTime }

  public func tally(_ clip: LabelledPrediction) -> Tally {
    let negative = clip.groundTruth.intervals.filter { Self.isNegative($0.label) }.inOrder
    guard !negative.isEmpty else { return Tally() }
    var tally = Tally()
    // Overlapping intervals count once.
    var end = Microseconds(.min)
    for segment in negative where segment.end > end {
      tally.duration += (segment.end - max(segment.start, end)).count
      end = segment.end
    }
    if let reps = clip.prediction.reps {
      tally.phantoms = reps.count { counted in
        let turn = counted.rep.turnOrMiddle
        return negative.contains { $0.start <= turn && turn <= $0.end }
      }
    } else if clip.groundTruth.repCount ?? 0 == 0, clip.groundTruth.reps?.isEmpty ?? true {
      tally.phantoms = clip.prediction.count ?? 0
    }
    return tally
  }

  public func pool(_ a: Tally, _ b: Tally) -> Tally {
    Tally(phantoms: a.phantoms + b.phantoms, duration: a.duration + b.duration)
  }

  /// A phantom in a subject's share of the time.
  public func steps(_ tally: Tally, subjects: Int) -> [Double] {
    [tally.duration > 0 ? Double(subjects) / (Double(tally.duration) / 60e6) : 0]
  }

  public func values(_ tally: Tally) -> [Double?] {
    [tally.duration > 0 ? Double(tally.phantoms) / (Double(tally.duration) / 60e6) : nil]
  }
}

extension GroundTruth {
  /// Whether nobody does the exercise for some of the time.
  package var hasNegativeTime: Bool { intervals.contains { PhantomMetrics.isNegative($0.label) } }

  /// Whether that is all that the labels say.
  package var isOnlyNegative: Bool {
    hasNegativeTime && intervals.allSatisfy { PhantomMetrics.isNegative($0.label) } && repCount == nil && reps == nil
      && events.isEmpty && grades.isEmpty && faults.isEmpty
  }
}
