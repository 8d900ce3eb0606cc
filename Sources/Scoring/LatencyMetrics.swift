import PoseModel

/// The delay of a rep's report after its end, and the delay that a camera and a pose estimator add live.
///
/// The two are never mixed. Report latency is in recording time: from the labelled end of a rep to the report of its
/// match. A report before that end has no delay, and a separate metric measures how early it is: a counter that fires
/// on the way up is no better than one that is on time. Live latency starts at the frame in which the rep is reported
/// if every frame is processed at once. It ends at the cue if frames arrive at the camera's rate, the estimator takes
/// its time, and late frames are dropped. The cost of a detector's update is measured separately, because it depends on
/// the machine.
public struct LatencyMetrics: MetricFamily {
  public static let title = "latency"

  public static let isLive = true

  public static let plainNames = [
    "latency.report": "report delay",
    "latency.early": "reported early",
    "latency.live": "live delay",
    "latency.live-lost": "reps lost live",
  ]

  /// The metrics of a live replay, which files of predictions do not have.
  public static let live: Set = ["latency.live", "latency.live-lost"]

  /// Milliseconds, one value per rep.
  public struct Tally: Hashable, Codable, Sendable {
    /// The delay from the labelled end to the report; negative if the report is early.
    public var report: [Double] = []
    public var live: [Double] = []
    /// Reps reported when every frame is processed, in clips that were also replayed live.
    var reported = 0
  }

  public var matching: RepMatching

  public init(matching: RepMatching) { self.matching = matching }

  public init?(for detector: ScoredDetector) {
    guard detector.tasks.counts else { return nil }
    self.init(matching: detector.matching)
  }

  public let metrics = [
    Metric(
      "latency.report",
      "Median delay of a report after the rep's end, in recording time; an early report counts 0.",
      .lowerIsBetter, unit: "ms", range: 0...(.infinity), undefined: "no rep is matched", source: "the definition",
      ofCasesFound: .median),
    Metric(
      "latency.early",
      "Median lead of a report before the rep's end, in recording time; a late report counts 0.",
      .lowerIsBetter, unit: "ms", range: 0...(.infinity), undefined: "no rep is matched", source: "the definition",
      ofCasesFound: .median),
    Metric(
      "latency.live",
      "Median time from the camera frame of a report to its cue, with the suite's camera and estimator.",
      .lowerIsBetter, unit: "ms", range: -(.infinity)...(.infinity), undefined: "no rep is reported live",
      source: "the definition", ofCasesFound: .median),
    Metric(
      "latency.live-lost", "Share of the reported reps that are no longer reported when late frames are dropped.",
      .lowerIsBetter, range: 0...1, undefined: "no rep is reported, or there was no live replay",
      source: "the definition", aggregation: .ratio),
  ]

  public func tally(_ clip: LabelledPrediction) -> Tally {
    guard let reps = clip.prediction.reps else { return Tally() }
    var tally = Tally()
    if let truth = clip.groundTruth.reps {
      tally.report = matching.pairs(truth: truth, predicted: reps.map(\.rep)).compactMap { pair in
        reps[pair.predicted].reported.map { ($0 - truth[pair.truth].end).milliseconds }
      }
    }
    if let live = clip.prediction.liveReps {
      tally.reported = reps.count
      tally.live = matching.pairs(truth: reps.map(\.rep), predicted: live.map(\.rep)).compactMap {
        liveDelay(clip, $0)
      }
    }
    return tally
  }

  public func pool(_ a: Tally, _ b: Tally) -> Tally {
    Tally(report: a.report + b.report, live: a.live + b.live, reported: a.reported + b.reported)
  }

  public func values(_ tally: Tally) -> [Double?] {
    let median = Metric.CaseStatistic.median
    return [
      median.value(of: tally.report.map(Self.lateness)), median.value(of: tally.report.map { Self.lateness(-$0) }),
      median.value(of: tally.live),
      tally.reported > 0 ? Double(tally.reported - tally.live.count) / Double(tally.reported) : nil,
    ]
  }

  /// Delays are sorted once.
  public func valuesWithoutEach(_ tallies: [Tally]) -> [[Double?]] {
    let medians = [
      tallies.map { $0.report.map(Self.lateness) }, tallies.map { $0.report.map { Self.lateness(-$0) } },
      tallies.map(\.live),
    ].map(Metric.CaseStatistic.mediansWithoutEach)
    let (reported, live) = tallies.reduce(into: (0, 0)) { $0 = ($0.0 + $1.reported, $0.1 + $1.live.count) }
    return tallies.indices.map { left in
      let others = reported - tallies[left].reported
      let lost = others - (live - tallies[left].live.count)
      return medians.map { $0[left] } + [others > 0 ? Double(lost) / Double(others) : nil]
    }
  }

  /// The delay of a report; 0 if early.
  ///
  /// - Parameter delay: Negative if early.
  public static func lateness(_ delay: Double) -> Double { max(0, delay) }

  /// The cases are the true reps. Without labelled reps, live delays belong to none.
  public func caseValues(_ clip: LabelledPrediction) -> [String: [Double?]] {
    guard let truth = clip.groundTruth.reps else { return ["latency.report": [], "latency.early": []] }
    let reps = clip.prediction.reps ?? []
    var report = [Double?](repeating: nil, count: truth.count)
    var live = report
    let delays = Dictionary(
      uniqueKeysWithValues: matching.pairs(
        truth: reps.map(\.rep), predicted: (clip.prediction.liveReps ?? []).map(\.rep)
      ).map { ($0.truth, liveDelay(clip, $0)) })
    for pair in matching.pairs(truth: truth, predicted: reps.map(\.rep)) {
      report[pair.truth] = reps[pair.predicted].reported.map { ($0 - truth[pair.truth].end).milliseconds }
      live[pair.truth] = delays[pair.predicted] ?? nil
    }
    return [
      "latency.report": report.map { $0.map(Self.lateness) },
      "latency.early": report.map { $0.map { Self.lateness(-$0) } }, "latency.live": live,
    ]
  }

  /// - Parameter pair: Indices of the rep and the live rep.
  private func liveDelay(_ clip: LabelledPrediction, _ pair: (truth: Int, predicted: Int)) -> Double? {
    guard let live = clip.prediction.liveReps?[pair.predicted].reported,
      let reported = clip.prediction.reps?[pair.truth].reported
    else { return nil }
    return (live - reported).milliseconds
  }
}
