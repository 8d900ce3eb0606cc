import PoseModel

/// How late a rep is reported after it happened, and how long a person in front of a camera then waits for the cue.
///
/// Two numbers, never mixed. Report latency is in the recording's time: from the labelled end of a rep to the report of
/// its match, below 0 where a detector says so before people call the rep ended. Live latency is what camera and pose
/// estimator add: from the frame on which the rep is reported when every frame is seen at once, to the cue when frames
/// come at the camera's rate, the estimator takes its time, and late frames are dropped. What an update of the detector
/// costs is measured apart: it depends on the machine.
public struct LatencyMetrics: MetricFamily {
  public static let title = "latency"

  /// Milliseconds, one a rep.
  public struct Tally: Sendable {
    public var report: [Double] = []
    public var live: [Double] = []
    /// Reps that are reported when every frame is seen, of clips that were replayed live too.
    var reported = 0
  }

  public var matching: RepMatching

  public init(matching: RepMatching) { self.matching = matching }

  public init?(for detector: ScoredDetector) {
    guard detector.counts else { return nil }
    self.init(matching: detector.matching)
  }

  public let metrics = [
    Metric(
      "latency.report", "Median time from a rep's end to its report, in the recording's time.", .lowerIsBetter,
      unit: "ms", range: -(.infinity)...(.infinity), undefined: "no rep is matched", source: "the definition"),
    Metric(
      "latency.live",
      "Median time from the camera's frame of a report to its cue, with the suite's camera and estimator.",
      .lowerIsBetter, unit: "ms", range: -(.infinity)...(.infinity), undefined: "no rep is reported live",
      source: "the definition"),
    Metric(
      "latency.live-lost", "Share of the reported reps that are no longer reported when late frames are dropped.",
      .lowerIsBetter, range: 0...1, undefined: "no rep is reported, or there was no live replay",
      source: "the definition"),
  ]

  public func tally(_ clip: LabelledPrediction) -> Tally {
    guard let reps = clip.prediction.reps else { return Tally() }
    var tally = Tally()
    if let truth = clip.groundTruth.reps {
      tally.report = matching.pairs(truth: truth, predicted: reps.map(\.rep)).map {
        (reps[$0.predicted].reported - truth[$0.truth].end).milliseconds
      }
    }
    if let live = clip.prediction.liveReps {
      tally.reported = reps.count
      tally.live = matching.pairs(truth: reps.map(\.rep), predicted: live.map(\.rep)).map {
        (live[$0.predicted].reported - reps[$0.truth].reported).milliseconds
      }
    }
    return tally
  }

  public func pool(_ a: Tally, _ b: Tally) -> Tally {
    Tally(report: a.report + b.report, live: a.live + b.live, reported: a.reported + b.reported)
  }

  public func values(_ tally: Tally) -> [Double?] {
    [
      median(tally.report), median(tally.live),
      tally.reported > 0 ? Double(tally.reported - tally.live.count) / Double(tally.reported) : nil,
    ]
  }

  private func median(_ values: [Double]) -> Double? {
    guard !values.isEmpty else { return nil }
    let sorted = values.sorted()
    let middle = sorted.count / 2
    return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
  }
}
