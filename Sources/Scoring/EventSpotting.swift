import PoseModel

/// Scored detections of labelled instants beside the true ones, and how precise they are from the surest downwards.
///
/// - Source: Hong et al., Spotting Temporally Precise, Fine-Grained Events in Video (E2E-Spot), 2022, after
///   Giancola et al., SoccerNet, 2018: each detection takes the nearest true event that none with a higher score took.
public struct EventSpotting: Hashable, Sendable {
  public struct Event: Hashable, Sendable {
    public var clip: String
    public var label: String
    public var instant: EventInstant

    public init(clip: String, label: String, instant: EventInstant) {
      self.clip = clip
      self.label = label
      self.instant = instant
    }
  }

  public struct Detection: Hashable, Sendable {
    public var event: Event
    /// The higher the surer.
    public var score: Double

    public init(_ event: Event, score: Double) {
      self.event = event
      self.score = score
    }
  }

  public var truth: [Event]
  public var detections: [Detection]

  public init(truth: [Event] = [], detections: [Detection] = []) {
    self.truth = truth
    self.detections = detections
  }

  public static func + (a: Self, b: Self) -> Self {
    Self(truth: a.truth + b.truth, detections: a.detections + b.detections)
  }

  /// 0...1; `nil` for a label that is absent from the truth, whatever is detected, and where a score is NaN.
  ///
  /// Detections with the same score come in order of clip, then time.
  public func averagePrecision(of label: String, within tolerance: EventTolerance) -> Double? {
    let events = truth.filter { $0.label == label }
    let detections = detections.filter { $0.event.label == label }
    guard !detections.contains(where: \.score.isNaN) else { return nil }
    // The events of a clip that have not been found, in order of time so that of two as near the earlier is taken.
    var open = Dictionary(grouping: events, by: \.clip).mapValues { events in
      events.map(\.instant).sorted { $0.time < $1.time }
    }
    let hits = detections.sorted(by: Self.isSurer).map { detection in
      let instants = open[detection.event.clip, default: []]
      let near = instants.indices.compactMap { index in
        tolerance.distance(instants[index], detection.event.instant).map { (index: index, distance: $0) }
      }
      guard let nearest = near.min(by: { $0.distance < $1.distance }) else { return false }
      open[detection.event.clip]?.remove(at: nearest.index)
      return true
    }
    return interpolatedAveragePrecision(hits: hits, of: events.count)
  }

  /// The mean over the labels of the mean over the tolerances; labels absent from the truth are counted as undefined.
  public func meanAveragePrecision(labels: [String], within tolerances: [EventTolerance]) -> MeanOfDefined {
    MeanOfDefined(
      labels.map { label in
        MeanOfDefined(tolerances.map { averagePrecision(of: label, within: $0) }).value
      })
  }

  private static func isSurer(_ a: Detection, _ b: Detection) -> Bool {
    if a.score != b.score { return a.score > b.score }
    if a.event.clip != b.event.clip { return a.event.clip < b.event.clip }
    if a.event.instant.time != b.event.instant.time { return a.event.instant.time < b.event.instant.time }
    return a.event.instant.frame < b.event.instant.frame
  }
}

extension Metric {
  public static let spottingMeanAveragePrecision = Metric(
    "events.map", "Average precision of scored events, mean over labels and tolerances (mAP).", .higherIsBetter,
    range: 0...1, undefined: "no label occurs in the truth; labels that do not are left out and counted",
    source: "Hong et al., Spotting Temporally Precise, Fine-Grained Events in Video, 2022", aggregation: .pooled)
}
